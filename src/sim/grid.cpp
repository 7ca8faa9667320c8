#include "sim/grid.h"

#include <cmath>
#include <limits>

namespace horde {
namespace {

// A dense table may have this many cells for each point, and always this many in all; beyond, the sparse one
// costs less memory and time.
constexpr std::int64_t kDenseCellsPerPoint = 8;
constexpr std::int64_t kDenseCellsAlways = 1024;

constexpr std::int64_t kLeastPointsPerPart = 1024;  // fewer are placed sooner than handed to another thread

void add_stretch(CellStretch& stretch, std::int64_t lo, std::int64_t hi) {
    if (lo > hi) return;
    stretch.lo[stretch.parts] = lo;
    stretch.hi[stretch.parts] = hi;
    ++stretch.parts;
}

}  // namespace

template <class Real>
Real wrap_coordinate(const Periodic& periodic, int axis, Real x) {
    const double min = periodic.min[axis];
    const double length = periodic.length[axis];
    double from_min = static_cast<double>(x) - min;
    if (from_min >= 0.0 && from_min < length) return x;
    from_min -= std::floor(from_min / length) * length;
    const auto wrapped = static_cast<Real>(min + from_min);
    const bool inside = static_cast<double>(wrapped) >= min && static_cast<double>(wrapped) < min + length;
    return inside ? wrapped : static_cast<Real>(min);
}
template float wrap_coordinate(const Periodic&, int, float);
template double wrap_coordinate(const Periodic&, int, double);

CellStretch cells_within(const GridView& grid, int axis, double x, double reach) {
    CellStretch stretch;
    stretch.parts = 0;
    const std::int64_t first = grid.base[axis];
    const std::int64_t last = first + grid.size[axis] - 1;
    const auto cells = [&](double from, double to) {
        add_stretch(stretch, std::max(first, cell_of(grid, from)), std::min(last, cell_of(grid, to)));
    };
    if (!grid.periodic.on) {
        cells(x - reach, x + reach);
        return stretch;
    }
    const double min = grid.periodic.min[axis];
    const double length = grid.periodic.length[axis];
    const double from = x - reach;
    const double to = x + reach;
    if (!(to - from < length)) {
        add_stretch(stretch, first, last);
        return stretch;
    }
    cells(std::max(from, min), std::min(to, min + length));
    if (from < min) cells(from + length, min + length);
    if (to > min + length) cells(min, to - length);
    if (stretch.parts == 2) {
        const std::int64_t lo = std::min(stretch.lo[0], stretch.lo[1]);
        const std::int64_t hi = std::max(stretch.hi[0], stretch.hi[1]);
        const std::int64_t cells_in_both =
            (stretch.hi[0] - stretch.lo[0] + 1) + (stretch.hi[1] - stretch.lo[1] + 1);
        if (cells_in_both >= hi - lo + 1) {  // they meet or overlap: one stretch, so that no cell comes twice
            stretch.lo[0] = lo;
            stretch.hi[0] = hi;
            stretch.parts = 1;
        }
    }
    return stretch;
}

void Grid::set(int dim, float cell, const Periodic& periodic) {
    dim_ = dim;
    view_ = GridView();
    view_.cells_per_metre = 1.0 / static_cast<double>(cell);
    view_.periodic = periodic;
}

void Grid::set_brute(std::int64_t count) {
    view_.count = count;
    view_.brute = true;
    occupied_ = count > 0 ? 1 : 0;
    largest_ = count;
}

template <class Real>
void Grid::sort(const Real* const (&position)[3], std::int64_t count, Executor& executor) {
    view_.count = count;
    view_.brute = false;
    number_.resize(static_cast<std::size_t>(count));
    destination_.resize(static_cast<std::size_t>(count));
    find_block(position, executor);
    if (block_is_dense()) {
        std::int64_t cells = 1;
        for (int k = 0; k < dim_; ++k) cells *= view_.size[k];
        number_dense(position, executor);
        place(cells, executor);
        view_.start = start_.data();
        view_.cells = nullptr;
    } else {
        number_sparse(position);
        place(static_cast<std::int64_t>(cells_.size()), executor);
        finish_sparse();
        view_.start = nullptr;
        view_.cells = cells_.data();
    }
}

template <class Real>
void Grid::find_block(const Real* const (&position)[3], Executor& executor) {
    const std::int64_t count = view_.count;
    const std::int64_t chunk = executor.grain(count);
    const std::int64_t chunks = std::max<std::int64_t>(1, (count + chunk - 1) / chunk);
    for (int k = 0; k < 3; ++k) {
        view_.base[k] = 0;
        view_.size[k] = 1;
    }
    if (count == 0) return;
    chunk_bounds_.resize(static_cast<std::size_t>(chunks) * 6);
    executor.for_chunks(count, chunk, [&](std::int64_t c, std::int64_t begin, std::int64_t end) {
        for (int k = 0; k < dim_; ++k) {
            Real lo = std::numeric_limits<Real>::infinity();
            Real hi = -lo;
            for (std::int64_t i = begin; i < end; ++i) {
                lo = std::min(lo, position[k][i]);
                hi = std::max(hi, position[k][i]);
            }
            chunk_bounds_[c * 6 + k * 2] = cell_of(view_, lo);
            chunk_bounds_[c * 6 + k * 2 + 1] = cell_of(view_, hi);
        }
    });
    for (int k = 0; k < dim_; ++k) {
        std::int64_t lo = chunk_bounds_[k * 2];
        std::int64_t hi = chunk_bounds_[k * 2 + 1];
        for (std::int64_t c = 1; c < chunks; ++c) {
            lo = std::min(lo, chunk_bounds_[c * 6 + k * 2]);
            hi = std::max(hi, chunk_bounds_[c * 6 + k * 2 + 1]);
        }
        view_.base[k] = lo;
        view_.size[k] = hi - lo + 1;
    }
}

bool Grid::block_is_dense() const {
    const std::int64_t most = std::max(kDenseCellsAlways, kDenseCellsPerPoint * view_.count);
    std::int64_t cells = 1;
    for (int k = 0; k < dim_; ++k) {
        if (view_.size[k] > most / cells) return false;
        cells *= view_.size[k];
    }
    return true;
}

template <class Real>
void Grid::number_dense(const Real* const (&position)[3], Executor& executor) {
    executor.for_chunks(view_.count, executor.grain(view_.count),
                        [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                            for (std::int64_t i = begin; i < end; ++i) {
                                std::int64_t number = 0;
                                for (int k = dim_ - 1; k >= 0; --k) {
                                    const std::int64_t at = cell_of(view_, position[k][i]) - view_.base[k];
                                    number = number * view_.size[k] + at;
                                }
                                number_[i] = static_cast<std::uint32_t>(number);
                            }
                        });
}

// Numbers the occupied cells row by row, x fastest, as the dense table does: cells that are neighbours in a
// row have their points together.
template <class Real>
void Grid::number_sparse(const Real* const (&position)[3]) {
    cells_.clear();
    clear_table(std::max<std::uint64_t>(64, table_.size()));
    for (std::int64_t i = 0; i < view_.count; ++i) {
        SparseCell cell{{0, 0, 0}, 0, 0};
        for (int k = 0; k < dim_; ++k) cell.at[k] = cell_of(view_, position[k][i]);
        view_.cells = cells_.data();
        std::int64_t number = find_sparse(view_, cell.at);
        if (number < 0) {
            number = static_cast<std::int64_t>(cells_.size());
            cells_.push_back(cell);
            if (cells_.size() * 2 > table_.size()) {
                clear_table(table_.size() * 2);
                for (std::uint32_t c = 0; c < number; ++c) enter(c);
            }
            enter(static_cast<std::uint32_t>(number));
        }
        number_[i] = static_cast<std::uint32_t>(number);
    }
    sort_sparse();
}

// From numbers in the order in which points were met, which in a running world is nearly that of the rows.
void Grid::sort_sparse() {
    const auto before = [](const SparseCell& a, const SparseCell& b) {
        for (int k = 2; k > 0; --k) {
            if (a.at[k] != b.at[k]) return a.at[k] < b.at[k];
        }
        return a.at[0] < b.at[0];
    };
    if (std::is_sorted(cells_.begin(), cells_.end(), before)) return;
    for (std::uint32_t c = 0; c < cells_.size(); ++c) cells_[c].begin = c;  // its number so far
    std::sort(cells_.begin(), cells_.end(), before);
    next_.resize(cells_.size());  // the new number of each
    for (std::uint32_t c = 0; c < cells_.size(); ++c) next_[cells_[c].begin] = c;
    for (std::uint32_t& number : number_) number = next_[number];
    for (std::uint32_t& number : table_) number = number == 0 ? 0 : next_[number - 1] + 1;
}

void Grid::clear_table(std::uint64_t slots) {
    table_.assign(slots, 0);
    view_.table = table_.data();
    view_.table_mask = slots - 1;
}

void Grid::enter(std::uint32_t number) {
    std::uint64_t slot = cell_hash(cells_[number].at) & view_.table_mask;
    while (table_[slot] != 0) slot = (slot + 1) & view_.table_mask;
    table_[slot] = number + 1;
}

// Counting sort of number_ in [0, cells): fills start_ and destination_. Each part has a stretch of cells,
// reads the numbers of all points and places those of its own: the outcome is the one stable order, whoever
// runs the parts, and memory does not grow with them.
void Grid::place(std::int64_t cells, Executor& executor) {
    const std::int64_t most_parts = view_.count / kLeastPointsPerPart + 1;
    const std::int64_t parts = std::min<std::int64_t>(executor.threads(), most_parts);
    const std::int64_t stretch = (cells + parts - 1) / parts;
    const auto first_cell = [&](std::int64_t part) { return std::min(part * stretch, cells); };
    start_.resize(static_cast<std::size_t>(cells) + 1);
    next_.resize(static_cast<std::size_t>(cells));
    parts_.assign(static_cast<std::size_t>(parts), {});
    executor.for_chunks(parts, 1, [&](std::int64_t part, std::int64_t, std::int64_t) {
        std::uint32_t* counts = next_.data();
        const std::int64_t first = first_cell(part);
        const auto size = static_cast<std::uint32_t>(first_cell(part + 1) - first);
        std::fill(counts + first, counts + first + size, 0u);
        for (std::int64_t i = 0; i < view_.count; ++i) {
            const std::uint32_t own = number_[i] - static_cast<std::uint32_t>(first);
            if (own < size) ++counts[first + own];
        }
        for (std::int64_t cell = first; cell < first + size; ++cell) parts_[part].points += counts[cell];
    });
    executor.for_chunks(parts, 1, [&](std::int64_t part, std::int64_t, std::int64_t) {
        place_part(part, first_cell(part), first_cell(part + 1));
    });
    start_[cells] = static_cast<std::uint32_t>(view_.count);
    occupied_ = 0;
    largest_ = 0;
    for (const PartCounts& part : parts_) {
        occupied_ += part.occupied;
        largest_ = std::max(largest_, part.largest);
    }
}

// From counts to first points, then each point of the part's cells to its place.
void Grid::place_part(std::int64_t part, std::int64_t first_cell, std::int64_t end_cell) {
    std::int64_t sum = 0;
    for (std::int64_t before = 0; before < part; ++before) sum += parts_[before].points;
    PartCounts& counts = parts_[part];
    for (std::int64_t cell = first_cell; cell < end_cell; ++cell) {
        const std::int64_t in_cell = next_[cell];
        start_[cell] = next_[cell] = static_cast<std::uint32_t>(sum);
        sum += in_cell;
        counts.occupied += in_cell > 0 ? 1 : 0;
        counts.largest = std::max(counts.largest, in_cell);
    }
    const auto size = static_cast<std::uint32_t>(end_cell - first_cell);
    for (std::int64_t i = 0; i < view_.count; ++i) {
        const std::uint32_t own = number_[i] - static_cast<std::uint32_t>(first_cell);
        if (own < size) destination_[i] = next_[number_[i]]++;
    }
}

void Grid::finish_sparse() {
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        cells_[c].begin = start_[c];
        cells_[c].end = start_[c + 1];
    }
    view_.occupied = static_cast<std::int64_t>(cells_.size());
}

template void Grid::sort(const float* const (&)[3], std::int64_t, Executor&);
template void Grid::sort(const double* const (&)[3], std::int64_t, Executor&);

}  // namespace horde
