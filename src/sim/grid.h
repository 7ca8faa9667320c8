// The uniform grid: agents sorted by cell, and runs of indices that may hold a neighbour.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "base/vec.h"
#include "sim/counting_sort.h"
#include "sim/grid_loops.h"

namespace horde {

// Cells farther out than this are one cell: it keeps 64-bit products safe and loses nothing, since the order
// of cells stays that of positions.
inline constexpr std::int64_t kFarCell = std::int64_t{1} << 40;

// A world that repeats: x in [min, min + length) on each axis, metres from the origin.
struct Periodic {
    bool on = false;
    double min[3] = {0.0, 0.0, 0.0};
    double length[3] = {0.0, 0.0, 0.0};
};

// x wrapped into [min, min + length); what rounds up to the end becomes min.
template <class Real>
Real wrap_coordinate(const Periodic& periodic, int axis, Real x);

// The almanac's wrap: who is strictly outside goes over by one length, once.
template <class Real>
inline Real wrap_once(const Periodic& area, int axis, Real x) {
    const auto length = static_cast<Real>(area.length[axis]);
    if (static_cast<double>(x) < area.min[axis]) return x + length;
    if (static_cast<double>(x) > area.min[axis] + area.length[axis]) return x - length;
    return x;
}

// A row of cells along x, of which the grid has those between the first and the last occupied one.
struct GridRow {
    std::uint32_t first;  // place of cell `lo` in the table
    std::int32_t lo;      // cells from the first of the block; lo > hi: none
    std::int32_t hi;
};

// An occupied cell of a sparse grid.
struct SparseCell {
    std::int64_t at[3];
    std::uint32_t begin;
    std::uint32_t end;
};

// What a search reads. Borrowed from a Grid; passed by value. Cells lie in one of three ways: dense, all of
// the block; in rows, each from its first occupied cell to its last; sparse, the occupied ones alone.
struct GridView {
    std::int64_t count = 0;  // points
    bool brute = false;      // one run of all points
    double cells_per_metre = 1.0;
    std::int64_t base[3] = {0, 0, 0};  // the block of cells that holds every point
    std::int64_t size[3] = {1, 1, 1};
    const std::uint32_t* start =
        nullptr;                    // dense and in rows: first point of each cell, x fastest; and one more
    const GridRow* rows = nullptr;  // in rows: y fastest
    const SparseCell* cells = nullptr;  // sparse: the occupied cells, row by row ...
    std::int64_t occupied = 0;
    const std::uint32_t* table = nullptr;  // ... and an open-addressed table of their numbers + 1
    std::uint64_t table_mask = 0;
    Periodic periodic;
};

HORDE_HD inline std::int64_t cell_of(const GridView& grid, double x) {
    const double scaled = x * grid.cells_per_metre;
    if (!(scaled > -static_cast<double>(kFarCell))) return -kFarCell;
    if (!(scaled < static_cast<double>(kFarCell))) return kFarCell;
    const auto truncated = static_cast<std::int64_t>(scaled);
    return truncated - (static_cast<double>(truncated) > scaled ? 1 : 0);
}

// Offset of the neighbour at `to` from `from`; in a periodic world to its nearest image, in [-L/2, L/2).
// Formed in double, where the sum with L is exact on the lattice, and exact in float again for any neighbour.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> offset_between(const GridView& grid, Vec<D, Real> from, Vec<D, Real> to) {
    if (!grid.periodic.on) return to - from;
    Vec<D, Real> r;
    for (int k = 0; k < D; ++k) {
        const double length = grid.periodic.length[k];
        double offset = static_cast<double>(to[k]) - static_cast<double>(from[k]);
        if (offset < -0.5 * length) offset += length;
        if (offset >= 0.5 * length) offset -= length;
        r[k] = static_cast<Real>(offset);
    }
    return r;
}

// At most two stretches of cells along one axis, the second only where a periodic world wraps.
struct CellStretch {
    std::int64_t lo[2];
    std::int64_t hi[2];
    int parts;
};

// Cells that can hold a coordinate within `reach` of x, clipped to the block of the grid.
CellStretch cells_within(const GridView& grid, int axis, double x, double reach);

inline std::uint64_t cell_hash(const std::int64_t (&at)[3]) {
    std::uint64_t hash = 0;
    for (std::int64_t coordinate : at) hash = mix64(hash, static_cast<std::uint64_t>(coordinate));
    return hash;
}

// Number of the occupied cell at `at`, or -1.
inline std::int64_t find_sparse(const GridView& grid, const std::int64_t (&at)[3]) {
    for (std::uint64_t slot = cell_hash(at) & grid.table_mask;; slot = (slot + 1) & grid.table_mask) {
        const std::uint32_t number = grid.table[slot];
        if (number == 0) return -1;
        const SparseCell& cell = grid.cells[number - 1];
        if (cell.at[0] == at[0] && cell.at[1] == at[1] && cell.at[2] == at[2]) return number - 1;
    }
}

inline bool stretch_contains(const CellStretch& stretch, std::int64_t cell) {
    for (int part = 0; part < stretch.parts; ++part) {
        if (cell >= stretch.lo[part] && cell <= stretch.hi[part]) return true;
    }
    return false;
}

// f(begin, end) for the runs of points in the sparse cells of a block. Walks whichever is shorter, the block
// or the list of occupied cells, so that a huge radius costs no more than all points.
template <int D, class F>
void for_sparse_runs(const GridView& grid, const CellStretch (&stretch)[3], F&& f) {
    double block = 1.0;
    for (int k = 0; k < D; ++k) {
        double cells = 0.0;
        for (int p = 0; p < stretch[k].parts; ++p)
            cells += static_cast<double>(stretch[k].hi[p] - stretch[k].lo[p] + 1);
        block *= cells;
    }
    if (block > static_cast<double>(grid.occupied)) {
        for (std::int64_t c = 0; c < grid.occupied; ++c) {
            bool inside = true;
            for (int k = 0; k < D; ++k) inside = inside && stretch_contains(stretch[k], grid.cells[c].at[k]);
            if (inside) f(grid.cells[c].begin, grid.cells[c].end);
        }
        return;
    }
    std::int64_t at[3] = {0, 0, 0};
    const auto row = [&] {
        for (int p = 0; p < stretch[0].parts; ++p) {
            for (at[0] = stretch[0].lo[p]; at[0] <= stretch[0].hi[p]; ++at[0]) {
                const std::int64_t number = find_sparse(grid, at);
                if (number >= 0) f(grid.cells[number].begin, grid.cells[number].end);
            }
        }
    };
    const auto plane = [&] {
        for (int p = 0; p < stretch[1].parts; ++p) {
            for (at[1] = stretch[1].lo[p]; at[1] <= stretch[1].hi[p]; ++at[1]) row();
        }
    };
    if constexpr (D == 2) {
        plane();
    } else {
        for (int p = 0; p < stretch[2].parts; ++p) {
            for (at[2] = stretch[2].lo[p]; at[2] <= stretch[2].hi[p]; ++at[2]) plane();
        }
    }
}

// Rows of a grid that is not sparse count from the first of the block, y fastest. `at`: a cell of the block.
inline std::int64_t row_of_cell(const GridView& grid, const std::int64_t (&at)[3]) {
    return (at[2] - grid.base[2]) * grid.size[1] + at[1] - grid.base[1];
}

// Place in the table of cell `x` of a row, which must be one that the row has.
inline std::int64_t place_in_row(const GridView& grid, std::int64_t row, std::int64_t x) {
    x -= grid.base[0];
    if (grid.rows == nullptr) return row * grid.size[0] + x;
    return grid.rows[row].first + x - grid.rows[row].lo;
}

// Place in the table after the last cell of a row.
inline std::int64_t end_of_row(const GridView& grid, std::int64_t row) {
    if (grid.rows == nullptr) return (row + 1) * grid.size[0];
    const GridRow& cells = grid.rows[row];
    return cells.lo > cells.hi ? cells.first : std::int64_t{cells.first} + cells.hi - cells.lo + 1;
}

// The points in cells [lo, hi] of a row, which are one run of a grid that is not sparse. `row` counts from
// the first of the block, y fastest; lo and hi are cells of the block.
inline void run_in_row(const GridView& grid, std::int64_t row, std::int64_t lo, std::int64_t hi,
                       std::uint32_t& begin, std::uint32_t& end) {
    lo -= grid.base[0];
    hi -= grid.base[0];
    const std::uint32_t* start = grid.start + row * grid.size[0];
    if (grid.rows != nullptr) {
        const GridRow& cells = grid.rows[row];
        lo = std::max<std::int64_t>(lo, cells.lo);
        hi = std::min<std::int64_t>(hi, cells.hi);
        if (lo > hi) {
            begin = end = 0;
            return;
        }
        start = grid.start + cells.first - cells.lo;
    }
    begin = start[lo];
    end = start[hi + 1];
}

// The same where the cells of a row are one run.
template <int D, class F>
void for_row_runs(const GridView& grid, const CellStretch (&stretch)[3], F&& f) {
    const auto rows = [&](std::int64_t plane) {
        for (int py = 0; py < stretch[1].parts; ++py) {
            for (std::int64_t y = stretch[1].lo[py]; y <= stretch[1].hi[py]; ++y) {
                const std::int64_t row = plane * grid.size[1] + (y - grid.base[1]);
                for (int px = 0; px < stretch[0].parts; ++px) {
                    std::uint32_t begin, end;
                    run_in_row(grid, row, stretch[0].lo[px], stretch[0].hi[px], begin, end);
                    if (begin < end) f(begin, end);
                }
            }
        }
    };
    if constexpr (D == 2) {
        rows(0);
    } else {
        for (int p = 0; p < stretch[2].parts; ++p) {
            for (std::int64_t z = stretch[2].lo[p]; z <= stretch[2].hi[p]; ++z) rows(z - grid.base[2]);
        }
    }
}

// f(begin, end) for disjoint runs of points that together hold every point within `radius` of p.
template <int D, class Real, class F>
void for_candidate_runs(const GridView& grid, Vec<D, Real> p, Real radius, F&& f) {
    if (grid.brute) {
        if (grid.count > 0) f(std::uint32_t{0}, static_cast<std::uint32_t>(grid.count));
        return;
    }
    // The test d2 <= R*R in float passes a neighbour up to half a step beyond R; 2^-20 covers that.
    const double reach = static_cast<double>(radius) * (1.0 + 0x1p-20);
    CellStretch stretch[3];
    for (int k = 0; k < D; ++k) {
        stretch[k] = cells_within(grid, k, p[k], reach);
        if (stretch[k].parts == 0) return;
    }
    if (grid.start != nullptr) {
        for_row_runs<D>(grid, stretch, f);
    } else {
        for_sparse_runs<D>(grid, stretch, f);
    }
}

// Owns the memory of a grid and sorts points into it.
class Grid {
  public:
    // `cell` metres, more than 0.
    void set(int dim, float cell, const Periodic& periodic);

    // Finds the cell of each point and the order of cells: `order()[k]` is the old index of the point that
    // comes to place k. Columns must be brought into that order before the view is used. The order inside a
    // cell is that of the old indices.
    template <class Real>
    void sort(const Real* const (&position)[3], std::int64_t count, Executor& executor,
              const GridLoops& loops = plain_grid_loops());

    // Instead of sorting: one run of all points in the order that they have.
    void set_brute(std::int64_t count);

    const GridView& view() const { return view_; }
    const std::vector<std::uint32_t>& order() const { return sorting_.order(); }
    std::int64_t occupied_cells() const {
        return view_.brute ? (view_.count > 0 ? 1 : 0) : sorting_.occupied();
    }
    std::int64_t largest_cell() const { return view_.brute ? view_.count : sorting_.largest(); }

  private:
    struct Block {
        std::int64_t base[3] = {0, 0, 0};
        std::int64_t size[3] = {1, 1, 1};
    };
    struct RowSpan {
        std::int32_t lo;
        std::int32_t hi;
    };
    // Least and largest cell along each axis, from the first of the block.
    struct CellRanges {
        std::int32_t of[3][2] = {{INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}, {INT32_MAX, INT32_MIN}};
    };
    enum class Numbering { kDone, kOutside, kSparse };

    template <class Real>
    Block block_of(const Real* const (&position)[3], Executor& executor) const;
    Block widened(const Block& tight) const;
    void use(const Block& block);
    std::int64_t cells_in_block(std::int64_t most) const;
    bool block_is_near() const;
    template <class Real>
    Numbering number(const Real* const (&position)[3], Executor& executor, const GridLoops& loops);
    template <class Real>
    bool number_points(const Real* const (&position)[3], Executor& executor, const GridLoops& loops);
    void choose_next(const CellRanges& ranges);
    bool number_in_rows(Executor& executor);
    void span_rows(const SortPart& part);
    template <class Real>
    void number_sparse(const Real* const (&position)[3]);
    void sort_sparse();
    void clear_table(std::uint64_t slots);
    void enter(std::uint32_t number);
    void finish_sparse();

    int dim_ = 2;
    GridView view_;
    CountingSort sorting_;
    bool known_ = false;  // is view_ the block of an earlier frame, which may still do?
    Block next_;          // then the one to try
    std::int64_t cells_ = 0;
    std::vector<GridRow> rows_;
    std::vector<RowSpan> spans_;  // of rows, for each part those of its window
    std::vector<SparseCell> sparse_;
    std::vector<std::uint32_t> renumbered_;
    std::vector<std::uint32_t> table_;
    std::vector<CellRanges> part_ranges_;
};

}  // namespace horde
