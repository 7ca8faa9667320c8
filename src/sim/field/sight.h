/// Straight lines of sight over a map, exact in integers: no state of their own, so that they hold whatever
/// becomes of walls and goals.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "sim/field/sample.h"

namespace horde {

/// Points of a line of sight lie on odd multiples of 1/8192 of a cell, so no end of one is on a border
/// between cells, and products of coordinates stay below 2^53 on any map.
inline constexpr std::int64_t kSightUnits = 8192;

/// Lines that pass more columns, or rows, than this are not looked along.
inline constexpr std::int64_t kSightCells = 512;

struct SightPoint {
    std::int64_t x = 0;
    std::int64_t y = 0;
};

/// The nearest such point, towards 0, of coordinates in cell units.
HORDE_HD inline SightPoint sight_point(double x, double y) {
    constexpr double kPairs = kSightUnits / 2;
    return {2 * static_cast<std::int64_t>(x * kPairs) + 1, 2 * static_cast<std::int64_t>(y * kPairs) + 1};
}

/// The centre of a cell, less half a unit on either axis.
HORDE_HD inline SightPoint sight_centre(Cell cell) {
    return {cell.column * kSightUnits + kSightUnits / 2 - 1, cell.row * kSightUnits + kSightUnits / 2 - 1};
}

/// The walk of a line along its longer axis. `m` is the axis along, `n` the one across; strides are those of
/// the cost grid.
struct SightWalk {
    std::int64_t m0, n0, m1, n1;
    std::int64_t stride_m, stride_n;
};

/// Does every cell that the closed line touches, be it by a corner, have a cost for which `fits` holds? The
/// line leaves column (or row) k at n = q + r / (length along * kSightUnits) cells, which is kept exactly.
template <class Fits>
HORDE_HD inline bool every_cost_fits(const SightWalk& line, const std::uint8_t* cost, Fits&& fits) {
    const std::int64_t along = line.m1 > line.m0 ? line.m1 - line.m0 : line.m0 - line.m1;
    const std::int64_t across = line.n1 - line.n0;
    const std::int64_t unit = along * kSightUnits;
    const std::int64_t step = line.m1 > line.m0 ? 1 : -1;
    const std::int64_t last = line.m1 / kSightUnits;
    std::int64_t cell = line.m0 / kSightUnits;
    const std::int64_t into = line.m0 % kSightUnits;
    std::int64_t advance = step > 0 ? kSightUnits - into : into;  // to the border of the first cell
    std::int64_t q = line.n0 / kSightUnits;
    std::int64_t r = line.n0 % kSightUnits * along;
    for (;; cell += step, advance = kSightUnits) {
        std::int64_t next_q = q, next_r = r + advance * across;
        if (cell == last) {
            next_q = line.n1 / kSightUnits;
            next_r = 1;  // an end is never on a border
        } else if (next_r < 0) {
            next_r += unit;
            --next_q;
        } else if (next_r >= unit) {
            next_r -= unit;
            ++next_q;
        }
        const std::int64_t least = across < 0 ? (next_r == 0 ? next_q - 1 : next_q) : (r == 0 ? q - 1 : q);
        const std::int64_t most = across < 0 ? q : next_q;
        for (std::int64_t n = least; n <= most; ++n) {
            if (!fits(cost[cell * line.stride_m + n * line.stride_n])) return false;
        }
        if (cell == last) return true;
        q = next_q;
        r = next_r;
    }
}

/// The same of the straight line between two points of the map. False for lines over more than kSightCells.
template <class Fits>
HORDE_HD inline bool line_fits(const FieldView& view, SightPoint from, SightPoint to, Fits&& fits) {
    const std::int64_t dx = to.x > from.x ? to.x - from.x : from.x - to.x;
    const std::int64_t dy = to.y > from.y ? to.y - from.y : from.y - to.y;
    if ((dx > dy ? dx : dy) > kSightCells * kSightUnits) return false;
    if (dx == 0 && dy == 0)
        return fits(view.cost[index_of(view, static_cast<std::int32_t>(from.x / kSightUnits),
                                       static_cast<std::int32_t>(from.y / kSightUnits))]);
    const SightWalk line = dx >= dy ? SightWalk{from.x, from.y, to.x, to.y, 1, view.columns}
                                    : SightWalk{from.y, from.x, to.y, to.x, view.columns, 1};
    return every_cost_fits(line, view.cost, fits);
}

/// Is it free of walls?
HORDE_HD inline bool is_clear_line(const FieldView& view, SightPoint from, SightPoint to) {
    return line_fits(view, from, to, [](std::uint8_t cost) { return cost != kWallCost; });
}

/// And of one cost all along?
HORDE_HD inline bool is_open_line(const FieldView& view, SightPoint from, SightPoint to) {
    const std::uint8_t own = view.cost[index_of(view, static_cast<std::int32_t>(from.x / kSightUnits),
                                                static_cast<std::int32_t>(from.y / kSightUnits))];
    return own != kWallCost && line_fits(view, from, to, [&](std::uint8_t cost) { return cost == own; });
}

/// Where to go straight from a point, in cell units, to the nearest goal cell: of length 1, or {0, 0} if the
/// goal is not in sight or the field, whose value at the point is `value`, knows a cheaper way. A line in
/// sight costs what its length does, so going straight is never longer than following the field.
HORDE_HD inline FlowVector straight_flow(const FieldView& view, std::span<const Cell> goals, double x,
                                         double y, std::uint64_t value) {
    if (!is_inside(view, x, y) || value == kUnreachable64) return {};
    const SightPoint from = sight_point(x, y);
    SightPoint to;
    std::int64_t least = -1;
    for (const Cell goal : goals) {
        const SightPoint centre = sight_centre(goal);
        const std::int64_t dx = centre.x - from.x, dy = centre.y - from.y;
        const std::int64_t d2 = dx * dx + dy * dy;
        if (least >= 0 && d2 >= least) continue;
        least = d2;
        to = centre;
    }
    if (least <= 0) return {};
    const double cost = view.cost[index_of(view, cell_of(x), cell_of(y))];
    const double dx = static_cast<double>(to.x - from.x);
    const double dy = static_cast<double>(to.y - from.y);
    const double length = std::sqrt(dx * dx + dy * dy);
    constexpr double kPerUnit = static_cast<double>(kStraightStep) / kSightUnits;
    const double straight = length * kPerUnit * cost;
    const auto known = static_cast<double>(value);
    // Cells in sight join by their sides, so a field that wants more than that has a wall in the way.
    const double round = (std::fabs(dx) + std::fabs(dy)) * kPerUnit * cost + 2.0 * kStraightStep * cost;
    if (known > round || known + kDiagonalStep * cost < straight) return {};
    if (!is_open_line(view, from, to)) return {};
    return {static_cast<float>(dx / length), static_cast<float>(dy / length)};
}

}  // namespace horde
