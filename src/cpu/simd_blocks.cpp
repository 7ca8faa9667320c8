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

bool same_row(const SparseCell& a, const SparseCell& b) {
    return a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

}  // namespace

BlockWalk::BlockWalk(const Frame& frame, std::int64_t begin, std::int64_t end)
    : grid_(frame.grid.view()), at_(begin), end_(end) {
    const GridView& grid = grid_;
    if (grid.brute || begin >= end) return;
    const double cells = kJoinRadii * static_cast<double>(frame.params.reach) * grid.cells_per_metre;
    most_cells_ =
        cells < 1e6 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(cells + 0.01)) : 1'000'000;
    if (grid.start == nullptr) {
        const SparseCell* cell =
            std::upper_bound(grid.cells, grid.cells + grid.occupied, begin,
                             [](std::int64_t i, const SparseCell& c) { return i < c.begin; });
        cell_ = cell - grid.cells - 1;
        return;
    }
    std::int64_t at[3] = {0, 0, grid.base[2]};
    for (int k = 0; k < frame.params.dim; ++k) at[k] = cell_of(grid, frame.agents.position[k].now[begin]);
    row_ = row_of_cell(grid, at);
    row_end_ = end_of_row(grid, row_);
    cell_ = place_in_row(grid, row_, at[0]);
}

// The end of a block that begins with agent `begin` of a grid that is not sparse: cells of one row.
std::int64_t BlockWalk::end_in_row(std::int64_t begin) {
    while (grid_.start[cell_ + 1] <= begin) ++cell_;
    while (row_end_ <= cell_) row_end_ = end_of_row(grid_, ++row_);
    std::int64_t last = cell_;
    const std::int64_t most = std::min(cell_ + most_cells_, row_end_);
    while (last + 1 < most && grid_.start[last + 2] - begin <= kJoinUpTo) ++last;
    return grid_.start[last + 1];
}

// The same in a sparse grid.
std::int64_t BlockWalk::end_in_sparse_row(std::int64_t begin) {
    while (grid_.cells[cell_].end <= begin) ++cell_;
    const SparseCell& first = grid_.cells[cell_];
    std::int64_t last = cell_;
    while (last + 1 < grid_.occupied) {
        const SparseCell& more = grid_.cells[last + 1];
        if (!same_row(more, first) || more.at[0] - first.at[0] >= most_cells_ || more.end - begin > kJoinUpTo)
            break;
        ++last;
    }
    return grid_.cells[last].end;
}

bool BlockWalk::next(std::int64_t& begin, std::int64_t& end) {
    if (at_ >= end_) return false;
    begin = at_;
    if (grid_.brute) {
        end = begin + kBruteBlock;
    } else if (grid_.start != nullptr) {
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
        box.half[k] = std::max(box.hi[k] - box.centre[k], box.centre[k] - box.lo[k]);
    }
    return box;
}

}  // namespace horde
