#include "cpu/simd_blocks.h"

#include <algorithm>
#include <cmath>

namespace horde {
namespace {

// Cells are joined along x while a block has no more agents than this, and is no longer than so many radii:
// the candidates are copied once for all of them, but there are more of them.
constexpr std::int64_t kJoinUpTo = 14;
constexpr double kJoinRadii = 2.0;

constexpr std::int64_t kBruteBlock = 16;

// Cells of one axis, those of the image `shift` lengths away.
struct AxisPart {
    std::int64_t lo;
    std::int64_t hi;
    std::int8_t shift;
};

struct AxisParts {
    AxisPart part[3];
    int count = 0;
};

void set_parts(AxisParts& parts, const GridView& grid, int axis, double from, double to) {
    parts.count = 0;
    const std::int64_t first =
        grid.brute ? -kFarCell : grid.base[axis];  // brute force has no cells to clip to
    const std::int64_t last = grid.brute ? kFarCell : first + grid.size[axis] - 1;
    const auto add = [&](double lo, double hi, std::int8_t shift) {
        const AxisPart part{std::max(first, cell_of(grid, lo)), std::min(last, cell_of(grid, hi)), shift};
        if (part.lo <= part.hi) parts.part[parts.count++] = part;
    };
    if (!grid.periodic.on) {
        add(from, to, 0);
        return;
    }
    const double min = grid.periodic.min[axis];
    const double length = grid.periodic.length[axis];
    if (from >= min && to < min + length) {
        add(from, to, 0);
        return;
    }
    for (std::int8_t shift = -1; shift <= 1; ++shift) {
        const double lo = std::max(from - shift * length, min);
        const double hi = std::min(to - shift * length, min + length);
        if (lo <= hi) add(lo, hi, shift);
    }
}

// f(part of x, part of y, part of z) for each combination.
template <class F>
void for_parts(const AxisParts (&parts)[3], F&& f) {
    for (int z = 0; z < parts[2].count; ++z) {
        for (int y = 0; y < parts[1].count; ++y) {
            for (int x = 0; x < parts[0].count; ++x) f(parts[0].part[x], parts[1].part[y], parts[2].part[z]);
        }
    }
}

double cells_in(const AxisParts (&parts)[3]) {
    double cells = 1.0;
    for (const AxisParts& axis : parts) {
        double along = 0.0;
        for (int p = 0; p < axis.count; ++p)
            along += static_cast<double>(axis.part[p].hi - axis.part[p].lo + 1);
        cells *= along;
    }
    return cells;
}

void add_run(CandidateRuns& found, std::uint32_t begin, std::uint32_t end, const AxisPart& x,
             const AxisPart& y, const AxisPart& z) {
    if (begin >= end) return;
    const bool shifted = (x.shift | y.shift | z.shift) != 0;
    found.runs.push_back(
        {begin, static_cast<std::int32_t>(end - begin), {x.shift, y.shift, z.shift}, shifted});
    found.candidates += end - begin;
}

void find_dense(const GridView& grid, const AxisParts (&parts)[3], CandidateRuns& found) {
    for_parts(parts, [&](const AxisPart& px, const AxisPart& py, const AxisPart& pz) {
        for (std::int64_t z = pz.lo; z <= pz.hi; ++z) {
            for (std::int64_t y = py.lo; y <= py.hi; ++y) {
                const std::int64_t row =
                    ((z - grid.base[2]) * grid.size[1] + (y - grid.base[1])) * grid.size[0] - grid.base[0];
                add_run(found, grid.start[row + px.lo], grid.start[row + px.hi + 1], px, py, pz);
            }
        }
    });
}

bool same_row(const SparseCell& a, const SparseCell& b) {
    return a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

// Adds the occupied cells of row (at[1], at[2]) in a stretch of x. They are listed one after the other, and
// so are their agents: one run.
void add_sparse_row(const GridView& grid, std::int64_t (&at)[3], const AxisPart& px, const AxisPart& py,
                    const AxisPart& pz, CandidateRuns& found) {
    std::int64_t first = -1;
    for (at[0] = px.lo; at[0] <= px.hi && first < 0; ++at[0]) first = find_sparse(grid, at);
    if (first < 0) return;
    std::int64_t end = first + 1;
    while (end < grid.occupied && same_row(grid.cells[end], grid.cells[first]) &&
           grid.cells[end].at[0] <= px.hi) {
        ++end;
    }
    add_run(found, grid.cells[first].begin, grid.cells[end - 1].end, px, py, pz);
}

void find_sparse_runs(const GridView& grid, const AxisParts (&parts)[3], CandidateRuns& found) {
    for_parts(parts, [&](const AxisPart& px, const AxisPart& py, const AxisPart& pz) {
        std::int64_t at[3];
        for (at[2] = pz.lo; at[2] <= pz.hi; ++at[2]) {
            for (at[1] = py.lo; at[1] <= py.hi; ++at[1]) add_sparse_row(grid, at, px, py, pz, found);
        }
    });
}

}  // namespace

BlockWalk::BlockWalk(const Frame& frame, std::int64_t begin, std::int64_t end)
    : frame_(frame), at_(begin), end_(end) {
    const GridView& grid = frame.grid.view();
    if (grid.brute || begin >= end) return;
    const double cells = kJoinRadii * static_cast<double>(frame.params.reach) * grid.cells_per_metre;
    most_cells_ =
        cells < 1e6 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(cells + 0.01)) : 1'000'000;
    if (grid.start != nullptr) return;
    const SparseCell* cell =
        std::upper_bound(grid.cells, grid.cells + grid.occupied, begin,
                         [](std::int64_t i, const SparseCell& c) { return i < c.begin; });
    sparse_cell_ = cell - grid.cells - 1;
}

// The end of a block that begins with agent `begin` of a dense grid: cells of one row.
std::int64_t BlockWalk::end_in_row(std::int64_t begin) const {
    const GridView& grid = frame_.grid.view();
    std::int64_t number = 0, x = 0;
    for (int k = frame_.params.dim - 1; k >= 0; --k) {
        x = cell_of(grid, frame_.agents.position[k].now[begin]) - grid.base[k];
        number = number * grid.size[k] + x;
    }
    std::int64_t last = number;
    const std::int64_t most = std::min(number + most_cells_, number - x + grid.size[0]);
    while (last + 1 < most && grid.start[last + 2] - begin <= kJoinUpTo) ++last;
    return grid.start[last + 1];
}

// The same in a sparse grid.
std::int64_t BlockWalk::end_in_sparse_row(std::int64_t begin) {
    const GridView& grid = frame_.grid.view();
    while (grid.cells[sparse_cell_].end <= begin) ++sparse_cell_;
    const SparseCell& first = grid.cells[sparse_cell_];
    std::int64_t last = sparse_cell_;
    while (last + 1 < grid.occupied) {
        const SparseCell& more = grid.cells[last + 1];
        if (!same_row(more, first) || more.at[0] - first.at[0] >= most_cells_ || more.end - begin > kJoinUpTo)
            break;
        ++last;
    }
    return grid.cells[last].end;
}

bool BlockWalk::next(std::int64_t& begin, std::int64_t& end) {
    if (at_ >= end_) return false;
    const GridView& grid = frame_.grid.view();
    begin = at_;
    if (grid.brute) {
        end = begin + kBruteBlock;
    } else if (grid.start != nullptr) {
        end = end_in_row(begin);
    } else {
        end = end_in_sparse_row(begin);
    }
    end = std::min({end, end_, begin + kMostBlockAgents});
    at_ = end;
    return true;
}

BlockBox box_of(const Frame& frame, const LaneSet& lanes, const Members& members) {
    BlockBox box{};
    const int dim = frame.params.dim;
    const float* position[3] = {};
    for (int k = 0; k < dim; ++k) position[k] = frame.agents.position[k].now.data();
    if (members.list == nullptr) {
        for (int k = 0; k < dim; ++k) position[k] += members.first;
        lanes.bounds(dim, position, members.count, box.lo, box.hi);
    } else {
        for (int k = 0; k < dim; ++k) {
            box.lo[k] = box.hi[k] = position[k][members[0]];
            for (std::int64_t n = 1; n < members.count; ++n) {
                box.lo[k] = std::min(box.lo[k], position[k][members[n]]);
                box.hi[k] = std::max(box.hi[k], position[k][members[n]]);
            }
        }
    }
    for (int k = 0; k < dim; ++k) {
        box.centre[k] = frame.params.position.snap(box.lo[k] + 0.5f * (box.hi[k] - box.lo[k]));
    }
    return box;
}

bool fits_lanes(const Frame& frame, const BlockBox& box, double reach) {
    constexpr double kMostUnits = 0x1p22 - 16.0;
    const Periodic& periodic = frame.grid.view().periodic;
    for (int k = 0; k < frame.params.dim; ++k) {
        const double centre = box.centre[k];
        const double half = std::max(box.hi[k] - centre, centre - box.lo[k]);
        if (!((half + reach) * frame.params.position.per_unit < kMostUnits)) return false;
        if (periodic.on && !(static_cast<double>(box.hi[k]) - box.lo[k] + 2.0 * reach < periodic.length[k]))
            return false;
    }
    return true;
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

void find_runs(const Frame& frame, const BlockBox& box, double reach, CandidateRuns& found) {
    const GridView& grid = frame.grid.view();
    found.runs.clear();
    found.candidates = 0;
    AxisParts parts[3];
    parts[2].part[0] = {0, 0, 0};
    parts[2].count = 1;
    for (int k = 0; k < frame.params.dim; ++k) {
        set_parts(parts[k], grid, k, box.lo[k] - reach, box.hi[k] + reach);
    }
    const bool all =
        grid.brute || (grid.start == nullptr && cells_in(parts) > static_cast<double>(grid.occupied));
    if (all) {
        for_parts(parts, [&](const AxisPart& x, const AxisPart& y, const AxisPart& z) {
            add_run(found, 0, static_cast<std::uint32_t>(grid.count), x, y, z);
        });
    } else if (grid.start != nullptr) {
        find_dense(grid, parts, found);
    } else {
        find_sparse_runs(grid, parts, found);
    }
}

}  // namespace horde
