/// Reading a flow field between cell centres.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/platform.h"
#include "horde/field.h"

namespace horde {

/// Borrows a map and the flow of one field over it; `flow` and `cost` have columns * rows values.
struct FieldView {
    const Direction* flow = nullptr;
    const std::uint8_t* cost = nullptr;
    std::int32_t columns = 0;
    std::int32_t rows = 0;
};

/// Length 1, or {0, 0} for "no direction". x grows with the columns, y with the rows.
struct FlowVector {
    float x = 0.0f;
    float y = 0.0f;
};

/// The sum of directions must keep this part of the weight that went into it, or it says too little about
/// where to go: directions that face each other, on the ridge between two ways round an obstacle.
inline constexpr float kLeastAgreement = 0.25f;

HORDE_HD inline FlowVector unit_step(Direction direction) {
    constexpr float kHalfSqrt2 = 0.70710678f;
    constexpr FlowVector kSteps[] = {
        {1.0f, 0.0f},              // east, and on clockwise as y grows downward
        {0.0f, 1.0f},              // south
        {-1.0f, 0.0f},             // west
        {0.0f, -1.0f},             // north
        {kHalfSqrt2, kHalfSqrt2},  // south-east
        {-kHalfSqrt2, kHalfSqrt2},
        {-kHalfSqrt2, -kHalfSqrt2},
        {kHalfSqrt2, -kHalfSqrt2},
        {},  // goal
        {},  // unreachable
    };
    return kSteps[static_cast<std::uint8_t>(direction)];
}

/// The column or row of a coordinate in cell units that is known to be at least 0 and below 2^31.
HORDE_HD inline std::int32_t cell_of(double coordinate) {
    return static_cast<std::int32_t>(coordinate);
}

HORDE_HD inline bool is_inside(const FieldView& view, double x, double y) {
    return x >= 0.0 && y >= 0.0 && x < view.columns && y < view.rows;  // false for NaN
}

HORDE_HD inline std::size_t index_of(const FieldView& view, std::int32_t column, std::int32_t row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(view.columns) +
           static_cast<std::size_t>(column);
}

/// The direction of the cell that holds the point (x, y), in cell units; {0, 0} outside the map, in a goal
/// cell and where no goal can be reached.
HORDE_HD inline FlowVector nearest_flow(const FieldView& view, double x, double y) {
    if (!is_inside(view, x, y)) return {};
    return unit_step(view.flow[index_of(view, cell_of(x), cell_of(y))]);
}

/// The flow at the point (x, y), in cell units: bilinear between the centres of the four nearest cells that
/// have a direction and can be stepped to from the point's own cell, of length 1. {0, 0} where nearest_flow
/// is. Following it never leads from the point into a wall inside the 2 x 2 block of those cells: a component
/// towards a wall is dropped, and a vector towards a lone blocked corner gives way to the own cell's
/// direction, as does a sum of directions that cancel.
HORDE_HD inline FlowVector sample_flow(const FieldView& view, double x, double y) {
    if (!is_inside(view, x, y)) return {};
    const std::int32_t column = cell_of(x);
    const std::int32_t row = cell_of(y);
    const std::size_t own_cell = index_of(view, column, row);
    const FlowVector own = unit_step(view.flow[own_cell]);
    if (own.x == 0.0f && own.y == 0.0f) return {};

    // From the own centre to the point, and the side of it on which the three other cells lie. Beyond the map
    // the own cell stands for them, which nobody then asks.
    const auto from_centre_x = static_cast<float>(x - (column + 0.5));
    const auto from_centre_y = static_cast<float>(y - (row + 0.5));
    const std::int32_t side_x = from_centre_x < 0.0f ? -1 : 1;
    const std::int32_t side_y = from_centre_y < 0.0f ? -1 : 1;
    const bool has_x = column + side_x >= 0 && column + side_x < view.columns;
    const bool has_y = row + side_y >= 0 && row + side_y < view.rows;
    const std::int64_t to_x = has_x ? side_x : 0;
    const std::int64_t to_y = has_y ? std::int64_t{side_y} * view.columns : 0;
    const Direction* flow = view.flow + own_cell;
    const std::uint8_t* cost = view.cost + own_cell;
    const bool free_x = has_x && cost[to_x] != kWallCost;
    const bool free_y = has_y && cost[to_y] != kWallCost;
    const bool free_across = has_x && has_y && cost[to_x + to_y] != kWallCost;

    const float part_x = from_centre_x * static_cast<float>(side_x);  // 0 to 1/2
    const float part_y = from_centre_y * static_cast<float>(side_y);
    float weight = (1.0f - part_x) * (1.0f - part_y);
    FlowVector sum{own.x * weight, own.y * weight};
    const auto add = [&](bool counts, Direction direction, float share) {
        const FlowVector step = unit_step(direction);
        share = counts && direction < Direction::kGoal ? share : 0.0f;
        weight += share;
        sum.x += step.x * share;
        sum.y += step.y * share;
    };
    add(free_x, flow[to_x], part_x * (1.0f - part_y));
    add(free_y, flow[to_y], (1.0f - part_x) * part_y);
    add(free_x && free_y && free_across, flow[to_x + to_y], part_x * part_y);

    const bool towards_x = sum.x * static_cast<float>(side_x) > 0.0f;
    const bool towards_y = sum.y * static_cast<float>(side_y) > 0.0f;
    if (towards_x && !free_x) sum.x = 0.0f;
    if (towards_y && !free_y) sum.y = 0.0f;
    if (towards_x && towards_y && free_x && free_y && !free_across) return own;

    const float length2 = sum.x * sum.x + sum.y * sum.y;
    const float least = kLeastAgreement * weight;
    if (length2 < least * least) return own;
    const float length = std::sqrt(length2);
    return {sum.x / length, sum.y / length};
}

}  // namespace horde
