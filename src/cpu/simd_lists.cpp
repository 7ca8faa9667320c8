// Neighbour lists block by block: points that follow each other in a row of the grid share a copy of their
// candidates, each then packs those within its radius. What lanes cannot do, the scalar routine does.
#include "cpu/simd_lists.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

#include "cpu/lanes/lanes.h"
#include "horde/error.h"

namespace horde {
namespace {

// Cells are joined along x while a block has no more points than this and is no longer than so many radii.
constexpr std::int64_t kJoinUpTo = 20;
constexpr double kJoinRadii = 2.5;

constexpr int kMostRows =
    256;  // around one block; where cells are much smaller than the radius there are more

// Cells of one axis, those of the image `shift` lengths away.
struct Cells {
    std::int64_t lo[3];
    std::int64_t hi[3];
    std::int8_t shift[3];
    int count = 0;
};

template <int D>
class ListBlocks {
  public:
    ListBlocks(const ListSearch& search, const LaneSet& lanes, ListPart& part)
        : search_(search), grid_(search.grid), lanes_(lanes), part_(part) {
        block_.dim = D;
        block_.name = reinterpret_cast<const std::int32_t*>(search.name);
        for (int k = 0; k < D; ++k) {
            block_.position[k] = search.position[k];
            block_.length[k] = grid_.periodic.length[k];
        }
        block_.radius2 = radius2_;
        std::fill_n(radius2_, kMostBlockAgents, search.radius * search.radius);
        smallest_ = largest_ = search.radius;
        joined_cells_ = most_cells(search.radius);
    }

    void fill(std::int64_t begin, std::int64_t end) {
        find_cell(begin);
        while (begin < end) {
            const std::int64_t next = std::min({block_end(begin), end, begin + kMostBlockAgents});
            list(begin, next);
            begin = next;
        }
    }

  private:
    // Where the walk through the cells begins.
    void find_cell(std::int64_t begin) {
        if (grid_.brute) return;
        if (grid_.start == nullptr) {
            const SparseCell* cell =
                std::upper_bound(grid_.cells, grid_.cells + grid_.occupied, begin,
                                 [](std::int64_t i, const SparseCell& c) { return i < c.begin; });
            cell_ = cell - grid_.cells - 1;
            return;
        }
        std::int64_t at[3] = {0, 0, grid_.base[2]};
        for (int k = 0; k < D; ++k) at[k] = cell_of(grid_, search_.position[k][begin]);
        row_ = row_of_cell(grid_, at);
        row_end_ = end_of_row(grid_, row_);
        cell_ = place_in_row(grid_, row_, at[0]);
    }

    std::int64_t most_cells(float radius) const {
        const double cells = kJoinRadii * static_cast<double>(radius) * grid_.cells_per_metre;
        return cells < 1e6 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(cells + 0.01)) : 1'000'000;
    }

    std::int64_t block_end(std::int64_t begin) {
        if (grid_.brute) return begin + 16;
        if (search_.radius_of != nullptr) joined_cells_ = most_cells(search_.radius_of[begin]);
        if (grid_.start == nullptr) return end_in_sparse_row(begin);
        while (grid_.start[cell_ + 1] <= begin) ++cell_;
        while (row_end_ <= cell_) row_end_ = end_of_row(grid_, ++row_);
        std::int64_t last = cell_;
        const std::int64_t most = std::min(cell_ + joined_cells_, row_end_);
        while (last + 1 < most && grid_.start[last + 2] - begin <= kJoinUpTo) ++last;
        return grid_.start[last + 1];
    }

    std::int64_t end_in_sparse_row(std::int64_t begin) {
        while (grid_.cells[cell_].end <= begin) ++cell_;
        const SparseCell& first = grid_.cells[cell_];
        std::int64_t last = cell_;
        for (; last + 1 < grid_.occupied; ++last) {
            const SparseCell& more = grid_.cells[last + 1];
            const bool row = more.at[1] == first.at[1] && more.at[2] == first.at[2];
            if (!row || more.at[0] - first.at[0] >= joined_cells_ || more.end - begin > kJoinUpTo) break;
        }
        return grid_.cells[last].end;
    }

    void list(std::int64_t begin, std::int64_t end) {
        block_.first = begin;
        block_.agents = end - begin;
        set_box();
        if (search_.radius_of != nullptr) set_radii();
        if (!set_reach() || !find_runs()) return append_lists(search_, begin, end, part_);
        const std::int64_t candidates = room_for_candidates();
        part_.candidates += candidates * block_.agents;
        std::uint32_t* const out =
            search_.count_only
                ? nullptr
                : part_.room(static_cast<std::size_t>(candidates * block_.agents) + kLanePadding);
        const std::size_t first = part_.counts.size();
        part_.counts.resize(first + static_cast<std::size_t>(block_.agents));
        const auto found = static_cast<std::size_t>(
            lanes_.list(block_, runs_, run_count_, part_.counts.data() + first, out));
        part_.used += search_.count_only ? 0 : found;
    }

    void set_box() {
        const float* from[3] = {};
        for (int k = 0; k < D; ++k) from[k] = block_.position[k] + block_.first;
        lanes_.bounds(D, from, block_.agents, block_.lo, block_.hi);
        for (int k = 0; k < D; ++k) {
            const float lo = block_.lo[k], hi = block_.hi[k];
            block_.centre[k] = lo + 0.5f * (hi - lo);
            block_.half[k] = std::max(block_.centre[k] - lo, hi - block_.centre[k]);
        }
    }

    void set_radii() {
        smallest_ = largest_ = search_.radius_of[block_.first];
        for (std::int64_t n = 0; n < block_.agents; ++n) {
            const float radius = search_.radius_of[block_.first + n];
            radius2_[n] = radius * radius;
            smallest_ = std::min(smallest_, radius);
            largest_ = std::max(largest_, radius);
        }
    }

    // Sets how far candidates may be, with room for what rounding may take. False if lanes cannot cull or
    // tell images apart there.
    bool set_reach() {
        if (!std::isnormal(smallest_ * smallest_) || !(largest_ < 1e15f)) return false;
        double size = 0.0;
        reach_ = static_cast<double>(largest_) * (1.0 + 0x1p-20);
        for (int k = 0; k < D; ++k) {
            const double side = static_cast<double>(block_.hi[k]) - block_.lo[k];
            size = std::max(size, side);
            if (grid_.periodic.on && !(side + 2.0 * reach_ < grid_.periodic.length[k] * (1.0 - 0x1p-20)))
                return false;
        }
        const double keep = static_cast<double>(largest_) * (1.0 + 0x1p-18) + size * 0x1p-20;
        block_.keep2 = static_cast<float>(keep * keep);
        return size < 1e15;
    }

    void add_cells(Cells& cells, int axis, double from, double to, std::int8_t shift) const {
        const std::int64_t first = grid_.base[axis];
        const std::int64_t last = first + grid_.size[axis] - 1;
        const std::int64_t lo = std::max(first, cell_of(grid_, from));
        const std::int64_t hi = std::min(last, cell_of(grid_, to));
        if (lo > hi) return;
        cells.lo[cells.count] = lo;
        cells.hi[cells.count] = hi;
        cells.shift[cells.count++] = shift;
    }

    Cells cells_of(int axis, double from, double to) const {
        Cells cells;
        const double min = grid_.periodic.min[axis], length = grid_.periodic.length[axis];
        if (!grid_.periodic.on || (from >= min && to < min + length)) {
            add_cells(cells, axis, from, to, 0);
            return cells;
        }
        for (std::int8_t shift = -1; shift <= 1; ++shift) {
            const double lo = std::max(from - shift * length, min);
            const double hi = std::min(to - shift * length, min + length);
            if (lo <= hi) add_cells(cells, axis, lo, hi, shift);
        }
        return cells;
    }

    // Runs that hold, once each and in ascending order, all points within reach of the box. False if there
    // are too many, or one would come twice.
    bool find_runs() {
        run_count_ = 0;
        if (grid_.brute) {
            add_run(0, grid_.count, 0);
            return !grid_.periodic.on;
        }
        Cells cells[3];
        cells[2].lo[0] = cells[2].hi[0] = 0;
        cells[2].shift[0] = 0;
        cells[2].count = 1;
        double rows = 1.0;
        for (int k = 0; k < D; ++k) {
            cells[k] = cells_of(k, block_.lo[k] - reach_, block_.hi[k] + reach_);
            double along = 0.0;
            for (int p = 0; p < cells[k].count; ++p)
                along += k == 0 ? 1.0 : static_cast<double>(cells[k].hi[p] - cells[k].lo[p] + 1);
            rows *= along;
        }
        if (rows > kMostRows) return false;
        for (int z = 0; z < cells[2].count; ++z) {
            for (int y = 0; y < cells[1].count; ++y) {
                for (int x = 0; x < cells[0].count; ++x) add_rows(cells, x, y, z);
            }
        }
        return in_order();
    }

    void add_rows(const Cells (&cells)[3], int px, int py, int pz) {
        const LaneRun image{0,
                            0,
                            {cells[0].shift[px], cells[1].shift[py], cells[2].shift[pz]},
                            (cells[0].shift[px] | cells[1].shift[py] | cells[2].shift[pz]) != 0};
        std::uint32_t shift;
        std::memcpy(&shift, image.shift, sizeof shift);
        std::int64_t at[3];
        for (at[2] = cells[2].lo[pz]; at[2] <= cells[2].hi[pz]; ++at[2]) {
            for (at[1] = cells[1].lo[py]; at[1] <= cells[1].hi[py]; ++at[1]) {
                if (grid_.start == nullptr) {
                    add_sparse_row(at, cells[0].lo[px], cells[0].hi[px], shift);
                    continue;
                }
                std::uint32_t begin, end;
                run_in_row(grid_, row_of_cell(grid_, at), cells[0].lo[px], cells[0].hi[px], begin, end);
                add_run(begin, end, shift);
            }
        }
    }

    // The occupied cells of a row from x = lo to hi are listed one after the other.
    void add_sparse_row(std::int64_t (&at)[3], std::int64_t lo, std::int64_t hi, std::uint64_t shift) {
        std::int64_t first = -1;
        if (hi - lo < 64) {
            for (at[0] = lo; at[0] <= hi && first < 0; ++at[0]) first = find_sparse(grid_, at);
        } else {
            at[0] = lo;
            first = first_not_before(at);
        }
        if (first < 0 || first >= grid_.occupied) return;
        const auto in_row = [&](const SparseCell& c) {
            return c.at[1] == at[1] && c.at[2] == at[2] && c.at[0] <= hi;
        };
        if (!in_row(grid_.cells[first])) return;
        std::int64_t last = first;
        while (last + 1 < grid_.occupied && in_row(grid_.cells[last + 1])) ++last;
        add_run(grid_.cells[first].begin, grid_.cells[last].end, shift);
    }

    std::int64_t first_not_before(const std::int64_t (&at)[3]) const {
        const SparseCell* cell =
            std::partition_point(grid_.cells, grid_.cells + grid_.occupied, [&](const SparseCell& c) {
                for (int k = 2; k > 0; --k) {
                    if (c.at[k] != at[k]) return c.at[k] < at[k];
                }
                return c.at[0] < at[0];
            });
        return cell - grid_.cells;
    }

    void add_run(std::int64_t begin, std::int64_t end, std::uint64_t shift) {
        if (begin >= end) return;
        // Written in two words: a struct of bytes would go by way of the stack, and wait there.
        LaneRun& run = runs_[run_count_++];
        run.begin = begin;
        const std::uint64_t word = shift << 32 | static_cast<std::uint64_t>(end - begin);
        std::memcpy(&run.count, &word, sizeof word);
    }

    bool in_order() {
        const auto before = [](const LaneRun& a, const LaneRun& b) { return a.begin < b.begin; };
        if (!std::is_sorted(runs_, runs_ + run_count_, before)) std::sort(runs_, runs_ + run_count_, before);
        for (int r = 1; r < run_count_; ++r) {
            if (runs_[r].begin < runs_[r - 1].begin + runs_[r - 1].count) return false;
        }
        return true;
    }

    std::int64_t room_for_candidates() {
        std::int64_t candidates = 0;
        for (int r = 0; r < run_count_; ++r) candidates += runs_[r].count;
        const auto column = static_cast<std::size_t>(candidates + kLanePadding + 15) / 16 * 16;
        if (part_.columns.size() < 4 * column + 16) part_.columns.resize(6 * column + 16);
        const auto address = reinterpret_cast<std::uintptr_t>(part_.columns.data());
        auto* const base = reinterpret_cast<std::uint32_t*>((address + 63) / 64 * 64);  // of cache lines
        if (part_.seam.size() < column) part_.seam.resize(2 * column);
        for (int k = 0; k < D; ++k)
            block_.place[k] = reinterpret_cast<float*>(base + static_cast<std::size_t>(k) * column);
        block_.candidate = reinterpret_cast<std::int32_t*>(base + 3 * column);
        block_.seam = part_.seam.data();
        return candidates;
    }

    const ListSearch& search_;
    const GridView& grid_;
    const LaneSet& lanes_;
    ListPart& part_;
    LaneListBlock block_{};
    LaneRun runs_[3 * kMostRows];  // a row that wraps is cut in two
    int run_count_ = 0;
    std::int64_t cell_ = 0;     // of the walk
    std::int64_t row_ = 0;      // not of sparse grids
    std::int64_t row_end_ = 0;  // the first cell of the next row
    std::int64_t joined_cells_ = 1;
    double reach_ = 0.0;
    float smallest_ = 0.0f, largest_ = 0.0f;  // radii of the block
    float radius2_[kMostBlockAgents];
};

// LaneRun's last eight bytes: the count, the shifts and whether there are any.
static_assert(sizeof(LaneRun) == 16 && offsetof(LaneRun, count) == 8 && offsetof(LaneRun, shift) == 12);

template <int kSet>
void list_in_lanes(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part) {
    part.used = 0;
    part.counts.clear();
    part.candidates = 0;
    if (search.dim == 2) {
        ListBlocks<2>(search, lane_set(kSet), part).fill(begin, end);
    } else {
        ListBlocks<3>(search, lane_set(kSet), part).fill(begin, end);
    }
}

}  // namespace

void set_simd_lists(int width, ListBackend& backend) {
    constexpr ListKernel kKernels[] = {list_in_lanes<0>, list_in_lanes<1>, list_in_lanes<2>};
    std::string list;
    for (int n = 0; n < lane_set_count(); ++n) {
        if (width == 0 || lane_set(n).width == width) {
            backend.kernel = kKernels[n];
            backend.stream = lane_set(n).stream;
            backend.sort = lane_set(n).sort;
            if (lane_set(n).grid.cells != nullptr) backend.grid = lane_set(n).grid;
            return;
        }
        list += (n == 0 ? "" : ", ") + std::to_string(lane_set(n).width);
    }
    throw Error("HORDE_LANES: this machine has no " + std::to_string(width) + " lanes; choose one of " +
                list);
}

}  // namespace horde
