// The almanac's boid: cohesion, alignment and separation as velocities, and a move toward their sum.
#pragma once

#include "sim/rules/flock.h"

namespace horde {

template <class Real>
struct ArcadeParams {
    Real max_force = 0;
    Real cohesion_weight = 0;
    Real alignment_weight = 0;
    Real separation_weight = 0;
    Real hold_speed = 0;
};

// Cohesion and alignment of an agent with speed limit `limit`.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> arcade_social(const ArcadeParams<Real>& rule, const FlockSums<D, Real>& sums,
                                           Real limit) {
    if (!(sums.count > Real(0))) return zero_vec<D, Real>();
    const Vec<D, Real> cohesion = clamp_norm(sums.offset / sums.count, limit);
    const Vec<D, Real> alignment = clamp_norm(sums.velocity / sums.count, limit);
    return cohesion * rule.cohesion_weight + alignment * rule.alignment_weight;
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> arcade_separation(const ArcadeParams<Real>& rule, Vec<D, Real> push,
                                               Real limit) {
    const Real length = norm(push);
    if (!(length > Real(0))) return zero_vec<D, Real>();
    return push / length * limit * rule.separation_weight;
}

// The velocity after a step of dt with this steering. `max_force * dt` is the most it may change, and a wish
// that is nearer than that is met exactly.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> arcade_velocity(const ArcadeParams<Real>& rule, Vec<D, Real> velocity,
                                             Vec<D, Real> steering, Real limit, Real dt) {
    const Vec<D, Real> desired = clamp_norm(steering, limit);
    if (dot(desired, desired) < rule.hold_speed * rule.hold_speed) return velocity;
    const Vec<D, Real> change = desired - velocity;
    const Real length = norm(change);
    const Real most = rule.max_force * dt;
    return length <= most ? desired : velocity + change / length * most;
}

}  // namespace horde
