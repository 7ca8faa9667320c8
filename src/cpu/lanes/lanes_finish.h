// From the sums of reynolds agents to accelerations, written once over lane operations: see lanes_copy.h.
#pragma once

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

// One vector of agents, those from number `n` on.
template <class L, int D>
void finish_vector(const LaneFinish& rule, const LaneSums& sums, const float* const (&velocity)[3],
                   std::int64_t n, typename L::M valid, float* const (&accel)[3]) {
    using F = typename L::F;
    const auto hits = L::load(sums.hits + n);
    const F count = L::sub(L::to_float(hits), L::set(1.0f));
    const auto some = L::lt(L::zero(), count);
    F total[D];
    for (int k = 0; k < D; ++k) {
        const F offset = L::mul(L::to_float(L::load(sums.offset[k] + n)), L::set(rule.position_unit));
        const auto own =
            L::round(L::mul(L::load_where(valid, velocity[k] + n), L::set(rule.velocity_per_unit)));
        const auto relative_units = L::sub(L::load(sums.velocity[k] + n), L::mul(hits, own));
        const F relative = L::mul(L::to_float(relative_units), L::set(rule.velocity_unit));
        const F push = L::mul(L::to_float(L::load(sums.push[k] + n)), L::set(rule.push_unit));
        const F cohesion = L::keep(some, L::div(L::mul(offset, L::set(rule.cohesion_gain)), count));
        const F alignment = L::keep(some, L::div(L::mul(relative, L::set(rule.alignment_gain)), count));
        total[k] = L::add(L::add(L::mul(push, L::set(rule.separation_gain)), cohesion), alignment);
    }
    F square = L::mul(total[0], total[0]);
    for (int k = 1; k < D; ++k) square = L::add(square, L::mul(total[k], total[k]));
    const F length = L::sqrt(square);
    const F limit = L::set(rule.max_accel);
    const F scale = L::choose(L::lt(limit, length), L::div(limit, length), L::set(1.0f));
    for (int k = 0; k < D; ++k) L::store_where(valid, accel[k] + n, L::mul(total[k], scale));
}

template <class L>
void finish(const LaneFinish& rule, const LaneSums& sums, const float* const (&velocity)[3],
            std::int64_t count, float* const (&accel)[3]) {
    for (std::int64_t n = 0; n < count; n += L::kWidth) {
        const auto valid = L::first(static_cast<std::int32_t>(count - n));
        (rule.dim == 2 ? finish_vector<L, 2> : finish_vector<L, 3>)(rule, sums, velocity, n, valid, accel);
    }
}

}  // namespace
}  // namespace horde
