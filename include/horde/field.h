/// Maps of 8-bit costs, and the integration and flow fields that lead over them to a set of goals.
///
/// The three stages follow Emerson, "Crowd Pathfinding and Steering Using Flow Field Tiles" (Game AI Pro, ch.
/// 23): cost -> integration -> flow. Distances use the integer octile metric 408 : 577 (577/408 is 2.1e-6
/// above sqrt 2), so that every backend computes the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace horde {

/// A cell of a map: column from the left, row from the top. It covers x in [column, column + 1) and
/// y in [row, row + 1), times the map's cell size; y grows downward, as the rows do.
struct Cell {
    std::int32_t column = 0;
    std::int32_t row = 0;

    bool operator==(const Cell&) const = default;
};

/// Names a stamp (World::stamp) for as long as it stays; numbers start at 1 and are never given twice.
using StampId = std::uint64_t;

/// A rectangle of cells from `first` to `last`, both of them inside it.
struct CellArea {
    Cell first;
    Cell last;

    bool operator==(const CellArea&) const = default;
};

inline constexpr std::uint8_t kWallCost = 255;

/// Length of a straight and of a diagonal step over cells of cost 1, in units of the integration field.
inline constexpr std::uint32_t kStraightStep = 408;
inline constexpr std::uint32_t kDiagonalStep = 577;

/// A grid of costs, row-major, row 0 at the top. Cost 1 to 254 multiplies the length of a step out of the
/// cell; 255 is a wall. 0 is not a cost.
struct Map {
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    double cell_size = 1.0;               ///< metres
    std::vector<std::uint8_t> cost = {};  ///< columns * rows values

    std::size_t index(Cell c) const { return static_cast<std::size_t>(c.row) * columns + c.column; }
    bool contains(Cell c) const { return c.column >= 0 && c.row >= 0 && c.column < columns && c.row < rows; }
    bool is_free(Cell c) const { return contains(c) && cost[index(c)] != kWallCost; }
};

/// Largest number of columns, and of rows, of a map: beyond it a float position no longer resolves the gap
/// that agents keep from walls.
inline constexpr std::int32_t kMaxMapSide = 8192;

/// The step out of a cell, in the order in which ties are broken.
enum class Direction : std::uint8_t {
    kEast,
    kSouth,
    kWest,
    kNorth,
    kSouthEast,
    kSouthWest,
    kNorthWest,
    kNorthEast,
    kGoal,         ///< a goal cell: no direction
    kUnreachable,  ///< a wall, or a free cell from which no goal can be reached
};

/// Integration value of a cell from which no goal can be reached (walls included).
inline constexpr std::uint32_t kUnreachable32 = 0xffffffffu;
inline constexpr std::uint64_t kUnreachable64 = 0xffffffffffffffffull;

/// What one set of goals makes of a map: for each cell the cost of the cheapest way to the nearest goal
/// (`D[n] = D[c] + cost[n] * step`) and the first step of that way. A diagonal step is taken only where both
/// side cells are free.
struct Field {
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<Cell> goals;                      ///< as given
    std::vector<std::uint32_t> integration;       ///< columns * rows values; empty if `wide()`
    std::vector<std::uint64_t> wide_integration;  ///< used instead once a value would pass 2^32 - 2
    std::vector<Direction> flow;                  ///< columns * rows values

    bool wide() const { return !wide_integration.empty(); }
    /// Integration value of cell `index`, `kUnreachable64` where no goal can be reached.
    std::uint64_t value(std::size_t index) const {
        if (wide()) return wide_integration[index];
        return integration[index] == kUnreachable32 ? kUnreachable64 : integration[index];
    }
};

/// The field of a map for one set of goals. A map without cells or a set without goals gives a field in which
/// every cell is unreachable. Throws Error if a cost is 0, the map's vector has another size than its sides
/// say, a side exceeds kMaxMapSide, or a goal lies outside the map or in a wall.
Field build_field(const Map& map, std::span<const Cell> goals);

/// The same from a heap Dijkstra with 64-bit values: the slow twin, for tests. Always `wide()`, flow
/// included.
Field build_field_reference(const Map& map, std::span<const Cell> goals);

/// Indices of the cells of the largest connected part of the map (8-connected, diagonals only where both side
/// cells are free; the part with the lowest first index wins a tie), ascending. Empty if there is no free
/// cell.
std::vector<std::uint32_t> largest_connected_part(const Map& map);

}  // namespace horde
