// The map under the agents: where walls are, and how far one may go.
#pragma once

#include <cstdint>
#include <vector>

#include "base/platform.h"
#include "horde/field.h"

namespace horde {

// A map placed in the world's floats. Lengths of its functions are in cells, from the map's top left corner.
struct Ground {
    Map map;
    double left = 0.0;  // local coordinates of that corner, metres
    double top = 0.0;
    std::vector<std::uint8_t> open;  // 1: no wall among the cell and its eight neighbours

    double column_at(float x) const { return (static_cast<double>(x) - left) / map.cell_size; }
    double row_at(float y) const { return (static_cast<double>(y) - top) / map.cell_size; }
    bool is_wall(std::int64_t column, std::int64_t row) const {
        if (column < 0 || row < 0 || column >= map.columns || row >= map.rows) return true;
        return map.cost[static_cast<std::size_t>(row) * map.columns + column] == kWallCost;
    }
    // Any point, also one far outside or not finite.
    bool is_free_at(double column, double row) const {
        if (!(column >= 0.0 && row >= 0.0 && column < map.columns && row < map.rows)) return false;
        return map.cost[cell_index(column, row)] != kWallCost;
    }
    // Index of the cell at a point that is inside the map.
    std::size_t cell_index(double column, double row) const {
        HORDE_ASSERT(column >= 0.0 && row >= 0.0 && column < map.columns && row < map.rows);
        return static_cast<std::size_t>(row) * map.columns + static_cast<std::size_t>(column);
    }
};

// Fills `open` from the map.
void mark_open_cells(Ground& ground);

// Gaps in cells. An agent stops kStopGap in front of a wall and passes beside one no nearer than kSideGap.
// The gaps differ by more than a float position can be off (2^-12 cell at the far side of the largest map),
// and what is left of the smaller one after that is the skin of 1/1024 that is promised.
inline constexpr double kStopGap = 1.0 / 512.0;
inline constexpr double kSideGap = 5.0 / 4096.0;

struct Slide {
    double column;
    double row;
    bool blocked_x;  // a wall took the rest of the motion along this axis
    bool blocked_y;
};

// Moves a point that is not in a wall by (dx, dy), swept along the straight line; what a wall blocks is
// dropped and the rest slides along it. Ends outside every wall however far it goes.
Slide slide(const Ground& ground, double column, double row, double dx, double dy);

}  // namespace horde
