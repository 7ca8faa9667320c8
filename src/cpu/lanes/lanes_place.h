// Where the agents of a block are, written once over lane operations: see lanes_copy.h.
#pragma once

#include "cpu/lanes/lanes_copy.h"

namespace horde {
namespace {

template <class L>
void bounds(std::int32_t dim, const float* const (&position)[3], std::int64_t count, float (&lo)[3],
            float (&hi)[3]) {
    for (int k = 0; k < dim; ++k) {
        auto least = L::set(position[k][0]);
        auto most = least;
        for (std::int64_t n = 0; n < count; n += L::kWidth) {
            const auto valid = L::first(static_cast<std::int32_t>(count - n));
            const auto x = L::choose(valid, L::load_where(valid, position[k] + n), least);
            least = L::min(least, x);
            most = L::max(most, x);
        }
        lo[k] = L::least(least);
        hi[k] = L::greatest(most);
    }
}

template <class L>
void place(const LaneRule& rule, const float* const (&position)[3], const float (&centre)[3],
           std::int64_t count, float* const (&own)[3]) {
    for (int k = 0; k < rule.dim; ++k) {
        for (std::int64_t n = 0; n < count; n += L::kWidth) {
            const auto valid = L::first(static_cast<std::int32_t>(count - n));
            const auto metres = L::sub(L::load_where(valid, position[k] + n), L::set(centre[k]));
            L::store(own[k] + n, L::mul_add(metres, L::set(rule.per_unit), L::set(kMagic)));
        }
    }
}

}  // namespace
}  // namespace horde
