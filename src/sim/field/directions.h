/// The eight steps out of a cell, in the order of enum Direction.
#pragma once

#include <array>
#include <cstdint>

#include "horde/field.h"

namespace horde {

inline constexpr int kDirectionCount = 8;

inline constexpr std::array<std::int32_t, kDirectionCount> kColumnStep = {1, 0, -1, 0, 1, -1, -1, 1};
inline constexpr std::array<std::int32_t, kDirectionCount> kRowStep = {0, 1, 0, -1, 1, 1, -1, -1};

constexpr bool is_diagonal(int direction) {
    return direction >= 4;
}

/// Length of the step in units of the integration field, over a cell of cost 1.
constexpr std::uint32_t step_length(int direction) {
    return is_diagonal(direction) ? kDiagonalStep : kStraightStep;
}

}  // namespace horde
