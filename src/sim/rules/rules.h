// All flocking rules behind three functions: what is kept between updates, what is steered by, and what
// becomes of the velocity.
#pragma once

#include "sim/rules/arcade.h"
#include "sim/rules/reynolds.h"
#include "sim/rules/vicsek.h"

namespace horde {

enum class RuleKind : std::uint8_t { kCrowd, kReynolds, kArcade, kVicsek };

template <class Real>
struct FlockParams {
    RuleKind kind = RuleKind::kReynolds;
    Sight<Real> sight;
    ReynoldsParams<Real> reynolds;
    ArcadeParams<Real> arcade;
    VicsekParams<Real> vicsek;
};

// Uniform numbers in [0, 1) that an agent may need in a frame.
template <class Real>
struct Noise {
    Real u = 0;
    Real turn_u = 0;
};

template <class Real>
HORDE_HD inline Noise<Real> draw_noise(std::uint64_t seed, AgentId id, std::uint64_t frame) {
    return {to_unit_interval<Real>(random64(seed, id, frame, RandomUse::kNoise)),
            to_unit_interval<Real>(random64(seed, id, frame, RandomUse::kNoiseTurn))};
}

// Steering of an agent that thinks in this frame: an acceleration (reynolds), a velocity to move toward
// (arcade) or the next velocity (vicsek).
template <int D, class Real>
HORDE_HD inline Vec<D, Real> flock_steering(const FlockParams<Real>& rule, const FlockSums<D, Real>& sums,
                                            Vec<D, Real> velocity, Real limit, Noise<Real> noise) {
    switch (rule.kind) {
        case RuleKind::kReynolds:
            return reynolds_accel(rule.reynolds, sums.push, reynolds_cohesion(rule.reynolds, sums),
                                  reynolds_alignment(rule.reynolds, sums));
        case RuleKind::kArcade:
            return arcade_social(rule.arcade, sums, limit) + arcade_separation(rule.arcade, sums.push, limit);
        default:
            return vicsek_velocity(rule.vicsek, sums.velocity, velocity, limit, noise.u, noise.turn_u);
    }
}

// The same in two parts, for agents whose separation is of every frame: cohesion and alignment, which are
// kept ...
template <int D, class Real>
HORDE_HD inline Vec<D, Real> flock_social(const FlockParams<Real>& rule, const FlockSums<D, Real>& sums,
                                          Real limit) {
    if (rule.kind == RuleKind::kReynolds) {
        return reynolds_cohesion(rule.reynolds, sums) + reynolds_alignment(rule.reynolds, sums);
    }
    return arcade_social(rule.arcade, sums, limit);
}

// ... and the push of now added to them.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> flock_join(const FlockParams<Real>& rule, Vec<D, Real> social, Vec<D, Real> push,
                                        Real limit) {
    if (rule.kind == RuleKind::kReynolds) {
        return reynolds_accel(rule.reynolds, push, social, zero_vec<D, Real>());
    }
    return social + arcade_separation(rule.arcade, push, limit);
}

// The velocity after dt of this steering; `limit` is the agent's own speed limit.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> flock_velocity(const FlockParams<Real>& rule, Vec<D, Real> velocity,
                                            Vec<D, Real> steering, Real limit, Real dt) {
    switch (rule.kind) {
        case RuleKind::kReynolds:
            return clamp_norm(velocity + steering * dt, limit);
        case RuleKind::kArcade:
            return arcade_velocity(rule.arcade, velocity, steering, limit, dt);
        default:
            return steering;
    }
}

}  // namespace horde
