#include "cpu/simd_runs.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

namespace horde {
namespace {

void set_parts(AxisParts& parts, const GridView& grid, int axis, double from, double to) {
    parts.count = 0;
    const std::int64_t first =
        grid.brute ? -kFarCell : grid.base[axis];  // brute force has no cells to clip to
    const std::int64_t last = grid.brute ? kFarCell : first + grid.size[axis] - 1;
    const auto add = [&](double lo, double hi, std::int8_t shift) {
        const AxisPart part{std::max(first, cell_of(grid, lo)), std::min(last, cell_of(grid, hi)), shift};
        if (part.lo <= part.hi) parts.part[parts.count++] = part;
    };
    if (!grid.periodic.on) return add(from, to, 0);
    const double min = grid.periodic.min[axis];
    const double length = grid.periodic.length[axis];
    if (from >= min && to < min + length) return add(from, to, 0);
    for (std::int8_t shift = -1; shift <= 1; ++shift) {
        const double lo = std::max(from - shift * length, min);
        const double hi = std::min(to - shift * length, min + length);
        if (lo <= hi) add(lo, hi, shift);
    }
}

bool same_parts(const AxisParts& a, const AxisParts& b) {
    if (a.count != b.count) return false;
    for (int p = 0; p < a.count; ++p) {
        const AxisPart &one = a.part[p], &other = b.part[p];
        if (one.lo != other.lo || one.hi != other.hi || one.shift != other.shift) return false;
    }
    return true;
}

// LaneRun's last four bytes: how many lengths the image lies away along each axis, and whether it does.
std::uint32_t shift_word(std::int8_t x, std::int8_t y, std::int8_t z) {
    const std::int8_t bytes[4] = {x, y, z, static_cast<std::int8_t>((x | y | z) != 0)};
    std::uint32_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}
static_assert(sizeof(LaneRun) == 16 && offsetof(LaneRun, count) == 8 && offsetof(LaneRun, shift) == 12 &&
              offsetof(LaneRun, shifted) == 15);

// The first sparse cell from number `from` on that is not before (any x, y, z).
std::int64_t first_in_row(const GridView& grid, std::int64_t from, std::int64_t y, std::int64_t z) {
    const SparseCell* cell =
        std::partition_point(grid.cells + from, grid.cells + grid.occupied,
                             [&](const SparseCell& c) { return c.at[2] != z ? c.at[2] < z : c.at[1] < y; });
    return cell - grid.cells;
}

}  // namespace

// Makes room for so many runs more.
void RunFinder::make_room(std::int64_t runs) {
    const std::size_t needed = run_count_ + static_cast<std::size_t>(runs);
    if (runs_.size() < needed) runs_.resize(2 * needed);
}

// Written in two words: a struct of bytes would go by way of the stack, and wait there.
inline void RunFinder::add(std::uint32_t begin, std::uint32_t end, std::uint64_t shift) {
    if (begin >= end) return;
    LaneRun& run = runs_[run_count_++];
    run.begin = begin;
    const std::uint64_t word = shift << 32 | (end - begin);
    std::memcpy(&run.count, &word, sizeof word);
    candidates_ += end - begin;
}

void RunFinder::leave_out(std::span<const std::uint32_t> agents) {
    if (agents.empty()) return;
    whole_.assign(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(run_count_));
    run_count_ = 0;
    candidates_ = 0;
    const auto keep = [&](const LaneRun& run, std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        make_room(1);
        LaneRun& part = runs_[run_count_++];
        part = run;
        part.begin = begin;
        part.count = static_cast<std::int32_t>(end - begin);
        candidates_ += end - begin;
    };
    for (const LaneRun& run : whole_) {
        std::int64_t begin = run.begin;
        const std::int64_t end = run.begin + run.count;
        auto out = std::lower_bound(agents.begin(), agents.end(), static_cast<std::uint32_t>(begin));
        for (; out != agents.end() && *out < end; ++out) {
            keep(run, begin, *out);
            begin = std::int64_t{*out} + 1;
        }
        keep(run, begin, end);
    }
}

void RunFinder::begin(const GridView& grid, int dim) {
    grid_ = grid;
    dim_ = dim;
    parts_[2].part[0] = {0, 0, 0};
    parts_[2].count = 1;
    rows_.clear();
    rows_of_[0].count = -1;  // of no block
}

void RunFinder::find(const BlockBox& box, double reach) {
    run_count_ = 0;
    candidates_ = 0;
    for (int k = 0; k < dim_; ++k) set_parts(parts_[k], grid_, k, box.lo[k] - reach, box.hi[k] + reach);
    if (!grid_.brute) {
        if (grid_.start == nullptr) return find_sparse();
        return grid_.rows != nullptr ? find_in_rows() : find_dense();
    }
    make_room(27);
    for (int z = 0; z < parts_[2].count; ++z) {
        for (int y = 0; y < parts_[1].count; ++y) {
            for (int x = 0; x < parts_[0].count; ++x) {
                add(0, static_cast<std::uint32_t>(grid_.count),
                    shift_word(parts_[0].part[x].shift, parts_[1].part[y].shift, parts_[2].part[z].shift));
            }
        }
    }
}

// Calls f(x, y, plane, shift) for each plane of the block's stretches; planes count from the grid's first.
template <class F>
void RunFinder::for_planes(F&& f) {
    for (int pz = 0; pz < parts_[2].count; ++pz) {
        const AxisPart z = parts_[2].part[pz];
        for (int py = 0; py < parts_[1].count; ++py) {
            const AxisPart y = parts_[1].part[py];
            for (int px = 0; px < parts_[0].count; ++px) {
                const AxisPart x = parts_[0].part[px];
                const std::uint32_t shift = shift_word(x.shift, y.shift, z.shift);
                make_room((z.hi - z.lo + 1) * (y.hi - y.lo + 1));
                for (std::int64_t plane = z.lo - grid_.base[2]; plane <= z.hi - grid_.base[2]; ++plane)
                    f(x, y, plane, shift);
            }
        }
    }
}

// The cells of a row are one run.
void RunFinder::find_in_rows() {
    for_planes([&](const AxisPart& x, const AxisPart& y, std::int64_t plane, std::uint32_t shift) {
        std::int64_t row = plane * grid_.size[1] + y.lo - grid_.base[1];
        for (std::int64_t at = y.lo; at <= y.hi; ++at, ++row) {
            std::uint32_t begin, end;
            run_in_row(grid_, row, x.lo, x.hi, begin, end);
            add(begin, end, shift);
        }
    });
}

// The same of a grid that is dense.
void RunFinder::find_dense() {
    for_planes([&](const AxisPart& x, const AxisPart& y, std::int64_t plane, std::uint32_t shift) {
        const std::uint32_t* row =
            grid_.start + (plane * grid_.size[1] + y.lo - grid_.base[1]) * grid_.size[0] - grid_.base[0];
        for (std::int64_t at = y.lo; at <= y.hi; ++at, row += grid_.size[0])
            add(row[x.lo], row[x.hi + 1], shift);
    });
}

// Blocks that follow each other in a row have the same rows around them, in which they look farther and
// farther along x.
void RunFinder::find_sparse() {
    if (!same_parts(rows_of_[0], parts_[1]) || !same_parts(rows_of_[1], parts_[2])) {
        rows_.clear();
        for (int z = 0; z < parts_[2].count; ++z) {
            for (int y = 0; y < parts_[1].count; ++y) find_rows(parts_[1].part[y], parts_[2].part[z]);
        }
        rows_of_[0] = parts_[1];
        rows_of_[1] = parts_[2];
        from_x_ = std::numeric_limits<std::int64_t>::min();
    }
    const bool onward = parts_[0].count == 1 && parts_[0].part[0].lo >= from_x_;
    for (SparseRow& row : rows_) {
        if (!onward) row.at = row.first;
        for (int x = 0; x < parts_[0].count; ++x)
            add_cells_of(row, parts_[0].part[x], x == 0 ? row.at : row.first);
    }
    from_x_ = parts_[0].count == 1 ? parts_[0].part[0].lo : std::numeric_limits<std::int64_t>::max();
}

// Adds the rows of occupied cells in a stretch of y and one of z.
void RunFinder::find_rows(const AxisPart& y, const AxisPart& z) {
    std::int64_t cell = first_in_row(grid_, 0, y.lo, z.lo);
    while (cell < grid_.occupied && grid_.cells[cell].at[2] <= z.hi) {
        const std::int64_t row = grid_.cells[cell].at[1], plane = grid_.cells[cell].at[2];
        if (row < y.lo || row > y.hi) {
            cell = first_in_row(grid_, cell, y.lo, row < y.lo ? plane : plane + 1);
            continue;
        }
        const std::int64_t first = cell;
        while (cell < grid_.occupied && grid_.cells[cell].at[1] == row && grid_.cells[cell].at[2] == plane)
            ++cell;
        rows_.push_back({first, cell, first, {y.shift, z.shift}});
    }
}

// The occupied cells of a row are listed one after the other, and so are their agents: one run.
void RunFinder::add_cells_of(SparseRow& row, const AxisPart& x, std::int64_t first) {
    const SparseCell* cells = grid_.cells;
    while (first < row.end && cells[first].at[0] < x.lo) ++first;
    row.at = first;
    std::int64_t end = first;
    while (end < row.end && cells[end].at[0] <= x.hi) ++end;
    if (first >= end) return;
    make_room(1);
    add(cells[first].begin, cells[end - 1].end, shift_word(x.shift, row.shift[0], row.shift[1]));
}

bool CandidateBatches::next() {
    batch_.clear();
    std::int32_t room = kCandidateRoom;
    while (run_ < runs_.size() && room > 0) {
        LaneRun part = runs_[run_];
        part.begin += done_;
        part.count = std::min(part.count - done_, room);
        batch_.push_back(part);
        room -= part.count;
        done_ += part.count;
        if (done_ < runs_[run_].count) break;
        ++run_;
        done_ = 0;
    }
    return !batch_.empty();
}

}  // namespace horde
