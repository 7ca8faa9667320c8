// From the sums of reynolds agents to accelerations, written once over lane operations: see lanes_copy.h.
#pragma once

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

template <class L, int D>
void finish_vector(const LaneFinish& rule, const LaneSums* sums, const float* const (&velocity)[3],
                   typename L::M valid, float* const (&accel)[3]) {
    using F = typename L::F;
    constexpr int kStride = sizeof(LaneSums) / sizeof(std::int32_t);
    const auto hits = L::load_rows(valid, &sums->hits, kStride);
    const F count = L::sub(L::to_float(hits), L::set(1.0f));
    const auto some = L::lt(L::zero(), count);
    F total[D];
    for (int k = 0; k < D; ++k) {
        const F offset =
            L::mul(L::to_float(L::load_rows(valid, &sums->sum[k], kStride)), L::set(rule.position_unit));
        const auto own = L::round(L::mul(L::load_where(valid, velocity[k]), L::set(rule.velocity_per_unit)));
        const auto relative_units =
            L::sub(L::load_rows(valid, &sums->sum[D + k], kStride), L::mul(hits, own));
        const F relative = L::mul(L::to_float(relative_units), L::set(rule.velocity_unit));
        const std::int32_t* pushes = rule.push_in_lanes ? &sums->sum[8 + k] : &sums->push32[k];
        const F push = L::mul(L::to_float(L::load_rows(valid, pushes, kStride)), L::set(rule.push_unit));
        const F cohesion = L::keep(some, L::div(L::mul(offset, L::set(rule.cohesion_gain)), count));
        const F alignment = L::keep(some, L::div(L::mul(relative, L::set(rule.alignment_gain)), count));
        total[k] = L::add(L::add(L::mul(push, L::set(rule.separation_gain)), cohesion), alignment);
    }
    F square = L::mul(total[0], total[0]);
    for (int k = 1; k < D; ++k) square = L::add(square, L::mul(total[k], total[k]));
    const F length = L::sqrt(square);
    const F limit = L::set(rule.max_accel);
    const F scale = L::choose(L::lt(limit, length), L::div(limit, length), L::set(1.0f));
    for (int k = 0; k < D; ++k) L::store_where(valid, accel[k], L::mul(total[k], scale));
}

template <class L, int D>
void finish_agents(const LaneFinish& rule, const LaneSums* sums, const float* const (&velocity)[3],
                   std::int64_t count, float* const (&accel)[3]) {
    for (std::int64_t n = 0; n < count; n += L::kWidth) {
        const float* v[3] = {};
        float* a[3] = {};
        for (int k = 0; k < D; ++k) {
            v[k] = velocity[k] + n;
            a[k] = accel[k] + n;
        }
        finish_vector<L, D>(rule, sums + n, v, L::first(static_cast<std::int32_t>(count - n)), a);
    }
}

template <class L>
void finish(const LaneFinish& rule, const LaneSums* sums, const float* const (&velocity)[3],
            std::int64_t count, float* const (&accel)[3]) {
    (rule.dim == 2 ? finish_agents<L, 2> : finish_agents<L, 3>)(rule, sums, velocity, count, accel);
}

}  // namespace
}  // namespace horde
