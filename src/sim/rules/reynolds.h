// Reynolds' boids as accelerations (Reynolds 1987), in the order of operations of cuplan's FlockingSim, so
// that the double precision meets its published results.
#pragma once

#include "sim/rules/flock.h"

namespace horde {

template <class Real>
struct ReynoldsParams {
    Real separation_gain = 0;
    Real cohesion_gain = 0;
    Real alignment_gain = 0;
    Real max_accel = 0;
};

template <int D, class Real>
HORDE_HD inline Vec<D, Real> reynolds_cohesion(const ReynoldsParams<Real>& rule,
                                               const FlockSums<D, Real>& sums) {
    return sums.count > Real(0) ? sums.offset * rule.cohesion_gain / sums.count : zero_vec<D, Real>();
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> reynolds_alignment(const ReynoldsParams<Real>& rule,
                                                const FlockSums<D, Real>& sums) {
    return sums.count > Real(0) ? sums.relative_velocity * rule.alignment_gain / sums.count
                                : zero_vec<D, Real>();
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> reynolds_accel(const ReynoldsParams<Real>& rule, Vec<D, Real> push,
                                            Vec<D, Real> cohesion, Vec<D, Real> alignment) {
    return clamp_norm(push * rule.separation_gain + cohesion + alignment, rule.max_accel);
}

}  // namespace horde
