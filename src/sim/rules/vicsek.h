// Vicsek et al., PRL 75, 1226 (1995): constant speed, mean heading, noise.
#pragma once

#include "base/trig.h"
#include "sim/rules/flock.h"

namespace horde {

template <class Real>
struct VicsekParams {
    Real noise_turns = 0;  // eta, in turns: 1 is 2 pi
    Real cap_height = 0;   // 1 - cos(eta / 2), for 3D
};

// The heading turned by an angle uniform in +-eta/2. `u` is uniform in [0, 1).
template <class Real>
HORDE_HD inline Vec<2, Real> add_noise(const VicsekParams<Real>& rule, Vec<2, Real> heading, Real u, Real) {
    const SinCos<Real> turn = sin_cos_turns(rule.noise_turns * (u - Real(0.5)));
    return {{heading[0] * turn.cos - heading[1] * turn.sin, heading[0] * turn.sin + heading[1] * turn.cos}};
}

// A heading uniform on the cap of half angle eta/2 about the old one: its component along it is uniform there
// (Archimedes), the turn about it uniform.
template <class Real>
HORDE_HD inline Vec<3, Real> add_noise(const VicsekParams<Real>& rule, Vec<3, Real> heading, Real u,
                                       Real turn_u) {
    const Real along = Real(1) - rule.cap_height * u;
    const Real rest = Real(1) - along * along;
    const Real across = rest > Real(0) ? std::sqrt(rest) : Real(0);
    // Two axes across the heading, from the world's axis that lies least along it.
    int least = 0;
    for (int k = 1; k < 3; ++k) {
        if (std::fabs(heading[k]) < std::fabs(heading[least])) least = k;
    }
    Vec<3, Real> first = zero_vec<3, Real>();
    first[least] = Real(1);
    first = first - heading * heading[least];
    first = first / norm(first);
    const Vec<3, Real> second = {{heading[1] * first[2] - heading[2] * first[1],
                                  heading[2] * first[0] - heading[0] * first[2],
                                  heading[0] * first[1] - heading[1] * first[0]}};
    const SinCos<Real> turn = sin_cos_turns(turn_u);
    return heading * along + (first * turn.cos + second * turn.sin) * across;
}

// The new velocity. `sum` holds the velocities of the neighbours and the agent's own; a zero sum keeps the
// heading.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> vicsek_velocity(const VicsekParams<Real>& rule, Vec<D, Real> sum,
                                             Vec<D, Real> velocity, Real speed, Real u, Real turn_u) {
    Real length = norm(sum);
    if (!(length > Real(0))) {
        sum = velocity;
        length = norm(sum);
        if (!(length > Real(0))) return velocity;
    }
    return add_noise(rule, sum / length, u, turn_u) * speed;
}

}  // namespace horde
