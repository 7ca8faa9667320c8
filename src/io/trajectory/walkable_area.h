/// The free cells of a map as polygons.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "horde/field.h"

namespace horde {

/// Pieces are what steps to the four sides connect: two that touch at a corner alone are two. Each is one
/// polygon that is valid by the OGC's rules (ISO 19125-1): rings that are closed, simple and without corners
/// that bend nothing, the outer one counterclockwise and holes clockwise as x, y go, and where the border of
/// a piece touches itself, rings that touch at a point.
class WalkableArea {
  public:
    explicit WalkableArea(const Map& map);

    /// Pieces are numbered from 0 in the order of their first cell, by rows.
    std::size_t piece_count() const { return piece_count_; }
    static constexpr std::size_t kNone = ~std::size_t{0};
    /// Of the cell that holds a place in metres; kNone in a wall or outside the map.
    std::size_t piece_at(double x, double y) const;

    /// WKT, in metres with the shortest decimals that read back exactly, of the pieces whose place in
    /// `wanted` is not 0: a POLYGON if they are one, else a MULTIPOLYGON; EMPTY without any.
    std::string wkt(std::span<const std::uint8_t> wanted) const;
    std::string wkt() const;  ///< of all pieces

    /// The box round the pieces in `wanted`, in metres; all 0 without any.
    struct Box {
        double min_x = 0.0, min_y = 0.0, max_x = 0.0, max_y = 0.0;
    };
    Box box(std::span<const std::uint8_t> wanted) const;

  private:
    /// Free cells next to each other in a row, `end` not among them.
    struct Run {
        std::int32_t begin = 0;
        std::int32_t end = 0;
        std::uint32_t piece = 0;  ///< while pieces grow: a run above, or itself
    };
    /// A corner of cells: the upper left one of the cell of the same column and row.
    struct Corner {
        std::int32_t column = 0;
        std::int32_t row = 0;
        bool operator==(const Corner&) const = default;
    };
    struct Ring {
        std::uint32_t piece = 0;
        bool is_hole = false;
        std::size_t begin = 0;  ///< in corners_
        std::size_t end = 0;
    };

    void find_runs(const Map& map);
    void join_runs();
    std::uint32_t root_of(std::uint32_t run);
    const Run* run_at(std::int32_t column, std::int32_t row) const;

    void trace_borders(const Map& map);
    /// Walks once round a border, the free cells on the left, from the upper side of the cell at `from`.
    void walk(const Map& map, Corner from, std::vector<bool>& begun, std::vector<Corner>& path) const;
    void add_rings(std::span<const Corner> path, std::uint32_t piece);
    void put_ring(std::string& text, const Ring& ring) const;

    std::int32_t columns_;
    std::int32_t rows_;
    double cell_size_;
    std::vector<Run> runs_;
    std::vector<std::size_t> row_start_;  ///< in runs_, one more than there are rows
    std::size_t piece_count_ = 0;
    std::vector<Corner> corners_;
    std::vector<Ring> rings_;  ///< by piece, its outer ring first
};

}  // namespace horde
