// Where the bodies of one kind of agent may be, how far they may go, and how they get out of a wall.
//
// A body is an axis-aligned square of half side `clearance`. It fits where its centre is at least that far,
// by the larger axis, from every wall: that is walls widened by the square. Widened by whole cells they are
// cells again, which a floor has as closed; what is left is the `inset`, less than half a cell, which the
// sweep keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/platform.h"
#include "horde/field.h"
#include "sim/walls/free_cells.h"

namespace horde {

// Gaps in cells. A body stops kStopGap in front of a wall and passes beside one no nearer than kSideGap. The
// gaps differ by more than a float position can be off (2^-12 cell at the far side of the largest map), and
// what is left of the smaller one after that is the skin of 1/1024 that is promised.
inline constexpr double kStopGap = 1.0 / 512.0;
inline constexpr double kSideGap = 5.0 / 4096.0;

// A body that is as wide as a corridor is narrowed by the gaps, and then fits.
inline constexpr double kMostInset = 0.5 - 2.0 * kStopGap;

struct Body {
    std::int32_t rings = 0;  // cells by which walls are widened on its floor
    double inset = 0.0;      // cells, 0 to kMostInset
};

// Rings as the fields of a layer have them: ceil(clearance / cell_size - 1/2), at least 0. A body that is
// narrower than its rings keeps all of their distance, so that it never stands in a cell without a direction.
Body body_of(double clearance, double cell_size);

// The map with every cell a wall that has one, or the border, within `rings` cells by the larger axis.
Map widen_walls(const Map& map, std::int32_t rings);

// A point in cells, from the map's top left corner.
struct Place {
    double column;
    double row;
};

class Floor {
  public:
    // Cells of cost kWallCost are closed, and all beyond the border.
    void set(const Map& costs);

    // Takes over the costs of `cells` (ascending, each once; they may have changed or not). All changes
    // between two frames come in one call: what it closes is what bodies may be found in at the next move.
    void change(std::span<const std::uint32_t> cells, const Map& costs);

    bool is_closed(std::int64_t column, std::int64_t row) const {
        if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return true;
        return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column)] == kClosed;
    }
    bool is_closed(std::size_t cell) const { return cells_[cell] == kClosed; }
    // No closed cell among it and its eight neighbours.
    bool is_wide_open(std::size_t cell) const { return cells_[cell] == kWideOpen; }
    // Any point, also one far outside or not finite.
    bool is_free_at(double column, double row) const {
        if (!(column >= 0.0 && row >= 0.0 && column < columns_ && row < rows_)) return false;
        return !is_closed(cell_index(column, row));
    }
    // Index of the cell at a point that is inside the map.
    std::size_t cell_index(double column, double row) const {
        HORDE_ASSERT(column >= 0.0 && row >= 0.0 && column < columns_ && row < rows_);
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
               static_cast<std::size_t>(column);
    }

    // The place for a body in the free cell (column, row) that is nearest to (x, y).
    Place place_in_cell(double inset, std::int32_t column, std::int32_t row, double x, double y) const;

    // The nearest place of all for a body at (x, y), in a straight line and whatever lies between; equal ones
    // by the index of the cell. Nothing if every cell is closed.
    std::optional<Place> nearest_place(double inset, double x, double y) const;

    // Where a body whose cell at (x, y) is closed leaves to: the nearest place among the free cells beside
    // the connected part of the newly closed cells that it is in, so that nobody comes out on the other side
    // of a wall that stood before; if there are none, the nearest place of all.
    std::optional<Place> way_out(double inset, double x, double y) const;

  private:
    friend struct FloorState;  // that files keep

    enum Mark : std::uint8_t { kBesideWall, kWideOpen, kClosed };

    std::int32_t column_of(std::size_t cell) const {
        return static_cast<std::int32_t>(cell % static_cast<std::size_t>(columns_));
    }
    std::int32_t row_of(std::size_t cell) const {
        return static_cast<std::int32_t>(cell / static_cast<std::size_t>(columns_));
    }
    bool has_closed_neighbour(std::int32_t column, std::int32_t row) const;
    void mark_around(std::size_t cell);
    void find_parts();
    void find_exits();
    double distance2(double inset, std::int32_t column, std::int32_t row, double x, double y) const;

    std::int32_t columns_ = 0;
    std::int32_t rows_ = 0;
    std::vector<std::uint8_t> cells_;  // Mark
    FreeCells free_;

    // Of the last change: the cells that it closed, ascending; the part that each belongs to; and the free
    // cells beside each part, ascending, those of part p in [exit_begin_[p], exit_begin_[p + 1]).
    struct Exit {
        std::uint32_t part;
        std::uint32_t cell;
        auto operator<=>(const Exit&) const = default;
    };
    std::vector<std::uint32_t> closed_now_;
    std::vector<std::uint32_t> part_;
    std::vector<Exit> exits_;
    std::vector<std::uint32_t> exit_begin_;
};

struct Slide {
    double column;
    double row;
    bool blocked_x;  // a wall took the rest of the motion along this axis
    bool blocked_y;
    bool pushed;  // the body stood partly in a wall, and was first taken out
};

// Moves a body in a free cell by (dx, dy), swept along the straight line; what a wall blocks is dropped and
// the rest slides along it. Ends outside every wall however far it goes.
Slide slide(const Floor& floor, double inset, double column, double row, double dx, double dy);

}  // namespace horde
