// The uniform grid: agents sorted by cell, and runs of indices that may hold a neighbour.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "base/vec.h"

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

// An occupied cell of a sparse grid.
struct SparseCell {
    std::int64_t at[3];
    std::uint32_t begin;
    std::uint32_t end;
};

// What a search reads. Borrowed from a Grid; passed by value.
struct GridView {
    std::int64_t count = 0;  // points
    bool brute = false;      // one run of all points
    double cells_per_metre = 1.0;
    std::int64_t base[3] = {0, 0, 0};  // the block of cells that holds every point
    std::int64_t size[3] = {1, 1, 1};
    const std::uint32_t* start =
        nullptr;  // dense: first point of each cell of the block, x fastest; and one more
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

// The same in the dense table, where the cells of a row are one run.
template <int D, class F>
void for_dense_runs(const GridView& grid, const CellStretch (&stretch)[3], F&& f) {
    const auto rows = [&](std::int64_t plane) {
        for (int py = 0; py < stretch[1].parts; ++py) {
            for (std::int64_t y = stretch[1].lo[py]; y <= stretch[1].hi[py]; ++y) {
                const std::int64_t row =
                    (plane * grid.size[1] + (y - grid.base[1])) * grid.size[0] - grid.base[0];
                for (int px = 0; px < stretch[0].parts; ++px) {
                    const std::uint32_t begin = grid.start[row + stretch[0].lo[px]];
                    const std::uint32_t end = grid.start[row + stretch[0].hi[px] + 1];
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
        for_dense_runs<D>(grid, stretch, f);
    } else {
        for_sparse_runs<D>(grid, stretch, f);
    }
}

// Owns the memory of a grid and sorts points into it.
class Grid {
  public:
    // `cell` metres, more than 0.
    void set(int dim, float cell, const Periodic& periodic);

    // Finds the cell of each point and where each goes in cell order: `destination()[i]` is the new index of
    // point i. Columns must be moved there before the view is used. The order inside a cell is that of the
    // old indices.
    template <class Real>
    void sort(const Real* const (&position)[3], std::int64_t count, Executor& executor);

    // Instead of sorting: one run of all points in the order that they have.
    void set_brute(std::int64_t count);

    const GridView& view() const { return view_; }
    const std::vector<std::uint32_t>& destination() const { return destination_; }
    std::int64_t occupied_cells() const { return occupied_; }
    std::int64_t largest_cell() const { return largest_; }

  private:
    template <class Real>
    void find_block(const Real* const (&position)[3], Executor& executor);
    bool block_is_dense() const;
    template <class Real>
    void number_dense(const Real* const (&position)[3], Executor& executor);
    template <class Real>
    void number_sparse(const Real* const (&position)[3]);
    void sort_sparse();
    void clear_table(std::uint64_t slots);
    void enter(std::uint32_t number);
    void place(std::int64_t cells, Executor& executor);
    void place_part(std::int64_t part, std::int64_t first_cell, std::int64_t end_cell);
    void finish_sparse();

    int dim_ = 2;
    GridView view_;
    std::vector<std::uint32_t> number_;  // cell of each point: its place in the block, or among occupied ones
    std::vector<std::uint32_t> destination_;  // new index of each point
    std::vector<std::uint32_t> start_;
    std::vector<std::uint32_t> next_;  // where the next point of each cell goes
    std::vector<SparseCell> cells_;
    std::vector<std::uint32_t> table_;
    std::vector<std::int64_t> chunk_bounds_;
    struct PartCounts {
        std::int64_t points = 0;
        std::int64_t occupied = 0;
        std::int64_t largest = 0;
    };
    std::vector<PartCounts> parts_;
    std::int64_t occupied_ = 0;
    std::int64_t largest_ = 0;
};

}  // namespace horde
