#include "sim/grid.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <mutex>

namespace horde {
namespace {

// A table may have this many cells for each point, and always this many in all. Beyond, the next way of
// laying cells out costs less memory and time: in rows, then sparse.
constexpr std::int64_t kDenseCellsPerPoint = 2;
constexpr std::int64_t kRowCellsPerPoint = 8;
constexpr std::int64_t kCellsAlways = 1024;

constexpr std::int64_t kNumberBlock = 512;  // points

// A block that could be so many times smaller is given up.
constexpr std::int64_t kShrinkFrom = 2;

constexpr GridRow kNoRow = {0, std::numeric_limits<std::int32_t>::max(), -1};

void find_cells(const GridLoops& loops, const float* x, std::int64_t count, double per_metre,
                std::int32_t base, std::int32_t* cell, std::int32_t (&range)[2]) {
    loops.cells(x, count, per_metre, base, cell, range);
}

// Floats alone are worth loops of their own.
void find_cells(const GridLoops&, const double* x, std::int64_t count, double per_metre, std::int32_t base,
                std::int32_t* cell, std::int32_t (&range)[2]) {
    for (std::int64_t i = 0; i < count; ++i) {
        double scaled = x[i] * per_metre;
        scaled = scaled > -kMostLoopCell ? std::min(scaled, kMostLoopCell) : -kMostLoopCell;
        cell[i] = static_cast<std::int32_t>(std::floor(scaled) - base);
        range[0] = std::min(range[0], cell[i]);
        range[1] = std::max(range[1], cell[i]);
    }
}

// One number from the cells of the axes `first` and up, the first fastest.
void join_axes(const GridView& grid, int dim, const std::int32_t (&cell)[3][kNumberBlock], int first,
               std::int64_t count, std::uint32_t* number) {
    const auto last = dim - 1;
    for (std::int64_t i = 0; i < count; ++i) number[i] = static_cast<std::uint32_t>(cell[last][i]);
    for (int k = last - 1; k >= first; --k) {
        const auto size = static_cast<std::uint32_t>(grid.size[k]);
        for (std::int64_t i = 0; i < count; ++i)
            number[i] = number[i] * size + static_cast<std::uint32_t>(cell[k][i]);
    }
}

void widen_window(SortPart& part, const std::uint32_t* number, std::int64_t count) {
    std::uint32_t lo = part.lo, hi = part.hi;
    for (std::int64_t i = 0; i < count; ++i) {
        lo = std::min(lo, number[i]);
        hi = std::max(hi, number[i]);
    }
    part.lo = lo;
    part.hi = hi;
}

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
    known_ = false;
}

void Grid::set_brute(std::int64_t count) {
    view_.count = count;
    view_.brute = true;
}

template <class Real>
void Grid::sort(const Real* const (&position)[3], std::int64_t count, Executor& executor,
                const GridLoops& loops) {
    view_.count = count;
    view_.brute = false;
    sorting_.set_points(count, executor.threads());
    Numbering numbering = Numbering::kOutside;
    if (known_) {
        use(next_);
        numbering = number(position, executor, loops);
    }
    if (numbering == Numbering::kOutside) {
        use(widened(block_of(position, executor)));
        numbering = number(position, executor, loops);
    }
    known_ = numbering == Numbering::kDone;
    if (!known_) {
        use(block_of(position, executor));
        number_sparse(position);
    }
    sorting_.sort(cells_, executor);
    view_.start = known_ ? sorting_.start().data() : nullptr;
    view_.cells = known_ ? nullptr : sparse_.data();
    if (!known_) finish_sparse();
}

// The cells that hold all points.
template <class Real>
Grid::Block Grid::block_of(const Real* const (&position)[3], Executor& executor) const {
    Block block;
    std::mutex mutex;
    bool first = true;
    executor.for_chunks(
        view_.count, executor.grain(view_.count), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
            std::int64_t lo[3], hi[3];
            for (int k = 0; k < dim_; ++k) {
                constexpr int kChains = 4;  // a minimum waits for the one before
                Real least[kChains], most[kChains];
                std::fill(least, least + kChains, position[k][begin]);
                std::fill(most, most + kChains, position[k][begin]);
                for (std::int64_t i = begin; i < end; ++i) {
                    const int chain = static_cast<int>(i % kChains);
                    least[chain] = std::min(least[chain], position[k][i]);
                    most[chain] = std::max(most[chain], position[k][i]);
                }
                lo[k] = cell_of(view_, *std::min_element(least, least + kChains));
                hi[k] = cell_of(view_, *std::max_element(most, most + kChains));
            }
            const std::lock_guard lock(mutex);
            for (int k = 0; k < dim_; ++k) {
                const std::int64_t last = first ? hi[k] : std::max(block.base[k] + block.size[k] - 1, hi[k]);
                block.base[k] = first ? lo[k] : std::min(block.base[k], lo[k]);
                block.size[k] = last - block.base[k] + 1;
            }
            first = false;
        });
    return block;
}

// With a cell more on each side, so that it does for some frames.
Grid::Block Grid::widened(const Block& tight) const {
    Block wide = tight;
    for (int k = 0; k < dim_; ++k) {
        std::int64_t lo = tight.base[k] - 1, hi = tight.base[k] + tight.size[k];
        if (view_.periodic.on) {
            lo = std::max(lo, cell_of(view_, view_.periodic.min[k]));
            hi = std::min(hi, cell_of(view_, view_.periodic.min[k] + view_.periodic.length[k]));
        }
        wide.base[k] = std::min(lo, tight.base[k]);
        wide.size[k] = std::max(hi, tight.base[k] + tight.size[k] - 1) - wide.base[k] + 1;
    }
    return wide;
}

void Grid::use(const Block& block) {
    for (int k = 0; k < 3; ++k) {
        view_.base[k] = block.base[k];
        view_.size[k] = block.size[k];
    }
}

// Cells of the block, or `most` + 1 if there are more.
std::int64_t Grid::cells_in_block(std::int64_t most) const {
    std::int64_t cells = 1;
    for (int k = 0; k < dim_; ++k) {
        if (view_.size[k] > most / cells) return most + 1;
        cells *= view_.size[k];
    }
    return cells;
}

// May the loops be used, whose cells are of 32 bits?
bool Grid::block_is_near() const {
    constexpr auto kNear = static_cast<std::int64_t>(kMostLoopCell / 2.0);
    for (int k = 0; k < dim_; ++k) {
        if (view_.base[k] < -kNear || view_.base[k] + view_.size[k] > kNear) return false;
    }
    return true;
}

// Numbers the cells of all points within the block, densely or in rows.
template <class Real>
Grid::Numbering Grid::number(const Real* const (&position)[3], Executor& executor, const GridLoops& loops) {
    if (!block_is_near()) return Numbering::kOutside;
    const std::int64_t most = std::max(kCellsAlways, kDenseCellsPerPoint * view_.count);
    cells_ = cells_in_block(most);
    const bool dense = cells_ <= most;
    view_.rows = nullptr;
    if (!dense) {
        const std::int64_t most_rows = std::max(kCellsAlways, view_.count);
        const std::int64_t rows =
            view_.size[1] > most_rows / view_.size[2] ? most_rows + 1 : view_.size[1] * view_.size[2];
        if (rows > most_rows) return Numbering::kOutside;
        rows_.assign(static_cast<std::size_t>(rows), kNoRow);
        view_.rows = rows_.data();
    }
    if (!number_points(position, executor, loops)) return Numbering::kOutside;
    return dense || number_in_rows(executor) ? Numbering::kDone : Numbering::kSparse;
}

// Writes the number of each point: that of its cell, or of its row, and then its cell in the row beside it.
// False, and numbers that mean nothing, if one lies outside of the block.
template <class Real>
bool Grid::number_points(const Real* const (&position)[3], Executor& executor, const GridLoops& loops) {
    std::vector<SortPart>& parts = sorting_.parts();
    const bool in_rows = view_.rows != nullptr;
    part_ranges_.resize(parts.size());
    executor.for_chunks(std::ssize(parts), 1, [&](std::int64_t p, std::int64_t, std::int64_t) {
        std::int32_t cell[3][kNumberBlock];
        CellRanges& ranges = part_ranges_[p] = CellRanges();
        parts[p].lo = 0xffffffffu;
        parts[p].hi = 0;
        for (std::int64_t block = parts[p].begin; block < parts[p].end; block += kNumberBlock) {
            const std::int64_t count = std::min(kNumberBlock, parts[p].end - block);
            for (int k = 0; k < dim_; ++k) {
                find_cells(loops, position[k] + block, count, view_.cells_per_metre,
                           static_cast<std::int32_t>(view_.base[k]), cell[k], ranges.of[k]);
            }
            std::uint32_t* number = sorting_.number().data() + block;
            join_axes(view_, dim_, cell, in_rows ? 1 : 0, count, number);
            if (in_rows) std::copy(cell[0], cell[0] + count, sorting_.order().data() + block);
            widen_window(parts[p], number, count);
        }
    });
    CellRanges all;
    for (const CellRanges& ranges : part_ranges_) {
        for (int k = 0; k < dim_; ++k) {
            all.of[k][0] = std::min(all.of[k][0], ranges.of[k][0]);
            all.of[k][1] = std::max(all.of[k][1], ranges.of[k][1]);
        }
    }
    for (int k = 0; k < dim_ && !parts.empty(); ++k) {
        if (all.of[k][0] < 0 || all.of[k][1] >= view_.size[k]) return false;
    }
    choose_next(all);
    return true;
}

// The next frame keeps the block unless a much smaller one would do.
void Grid::choose_next(const CellRanges& ranges) {
    Block now, tight;
    for (int k = 0; k < dim_; ++k) {
        now.base[k] = view_.base[k];
        now.size[k] = view_.size[k];
        tight.base[k] = view_.base[k] + ranges.of[k][0];
        tight.size[k] = std::int64_t{ranges.of[k][1]} - ranges.of[k][0] + 1;
    }
    next_ = now;
    if (view_.count == 0) return;
    const Block wide = widened(tight);
    double shrink = 1.0;
    for (int k = 0; k < dim_; ++k)
        shrink *= static_cast<double>(now.size[k]) / static_cast<double>(wide.size[k]);
    if (shrink > kShrinkFrom) next_ = wide;
}

// From rows and cells in them to numbers, once the first and the last cell of each row are known. False if
// the rows have too many cells.
bool Grid::number_in_rows(Executor& executor) {
    spans_.resize(static_cast<std::size_t>(sorting_.join_parts()));
    std::vector<SortPart>& parts = sorting_.parts();
    executor.for_chunks(std::ssize(parts), 1,
                        [&](std::int64_t p, std::int64_t, std::int64_t) { span_rows(parts[p]); });
    for (const SortPart& part : parts) {
        for (std::int64_t row = part.lo; row <= part.hi; ++row) {
            const RowSpan& span = spans_[part.table + row - part.lo];
            rows_[row].lo = std::min(rows_[row].lo, span.lo);
            rows_[row].hi = std::max(rows_[row].hi, span.hi);
        }
    }
    const std::int64_t most = std::max(kCellsAlways, kRowCellsPerPoint * view_.count);
    cells_ = 0;
    for (GridRow& row : rows_) {
        row.first = static_cast<std::uint32_t>(cells_);
        if (row.lo <= row.hi) cells_ += std::int64_t{row.hi} - row.lo + 1;
        if (cells_ > most) return false;
    }
    executor.for_chunks(std::ssize(parts), 1, [&](std::int64_t p, std::int64_t, std::int64_t) {
        SortPart& part = parts[p];
        const std::uint32_t* cell = sorting_.order().data();
        std::uint32_t* number = sorting_.number().data();
        for (std::int64_t i = part.begin; i < part.end; ++i) {
            const GridRow& row = rows_[number[i]];
            number[i] = row.first + cell[i] - static_cast<std::uint32_t>(row.lo);
        }
        part.lo = 0xffffffffu;
        part.hi = 0;
        widen_window(part, number + part.begin, part.end - part.begin);
    });
    return true;
}

// First and last cells of the rows of a part. Its points follow each other in a row, nearly always.
void Grid::span_rows(const SortPart& part) {
    RowSpan* spans = spans_.data() + part.table;
    std::fill(spans, spans + (std::int64_t{part.hi} - part.lo + 1), RowSpan{kNoRow.lo, kNoRow.hi});
    const std::uint32_t* number = sorting_.number().data();
    const std::uint32_t* cell = sorting_.order().data();
    for (std::int64_t i = part.begin; i < part.end;) {
        const std::uint32_t row = number[i];
        RowSpan span = spans[row - part.lo];
        for (; i < part.end && number[i] == row; ++i) {
            const auto x = static_cast<std::int32_t>(cell[i]);
            span.lo = std::min(span.lo, x);
            span.hi = std::max(span.hi, x);
        }
        spans[row - part.lo] = span;
    }
}

// Numbers the occupied cells row by row, x fastest, as a dense table does: cells that are neighbours in a row
// have their points together.
template <class Real>
void Grid::number_sparse(const Real* const (&position)[3]) {
    std::vector<std::uint32_t>& numbers = sorting_.number();
    sparse_.clear();
    clear_table(std::max<std::uint64_t>(64, table_.size()));
    for (std::int64_t i = 0; i < view_.count; ++i) {
        SparseCell cell{{0, 0, 0}, 0, 0};
        for (int k = 0; k < dim_; ++k) cell.at[k] = cell_of(view_, position[k][i]);
        view_.cells = sparse_.data();
        std::int64_t number = find_sparse(view_, cell.at);
        if (number < 0) {
            number = std::ssize(sparse_);
            sparse_.push_back(cell);
            if (sparse_.size() * 2 > table_.size()) {
                clear_table(table_.size() * 2);
                for (std::uint32_t c = 0; c < number; ++c) enter(c);
            }
            enter(static_cast<std::uint32_t>(number));
        }
        numbers[i] = static_cast<std::uint32_t>(number);
    }
    sort_sparse();
    cells_ = std::ssize(sparse_);
    for (SortPart& part : sorting_.parts()) {
        part.lo = 0;
        part.hi = static_cast<std::uint32_t>(cells_ - 1);
    }
}

// From numbers in the order in which points were met, which in a running world is nearly that of the rows.
void Grid::sort_sparse() {
    const auto before = [](const SparseCell& a, const SparseCell& b) {
        for (int k = 2; k > 0; --k) {
            if (a.at[k] != b.at[k]) return a.at[k] < b.at[k];
        }
        return a.at[0] < b.at[0];
    };
    if (std::is_sorted(sparse_.begin(), sparse_.end(), before)) return;
    for (std::uint32_t c = 0; c < sparse_.size(); ++c) sparse_[c].begin = c;  // its number so far
    std::sort(sparse_.begin(), sparse_.end(), before);
    renumbered_.resize(sparse_.size());
    for (std::uint32_t c = 0; c < sparse_.size(); ++c) renumbered_[sparse_[c].begin] = c;
    for (std::uint32_t& number : sorting_.number()) number = renumbered_[number];
    for (std::uint32_t& number : table_) number = number == 0 ? 0 : renumbered_[number - 1] + 1;
}

void Grid::clear_table(std::uint64_t slots) {
    table_.assign(slots, 0);
    view_.table = table_.data();
    view_.table_mask = slots - 1;
}

void Grid::enter(std::uint32_t number) {
    std::uint64_t slot = cell_hash(sparse_[number].at) & view_.table_mask;
    while (table_[slot] != 0) slot = (slot + 1) & view_.table_mask;
    table_[slot] = number + 1;
}

void Grid::finish_sparse() {
    for (std::size_t c = 0; c < sparse_.size(); ++c) {
        sparse_[c].begin = sorting_.start()[c];
        sparse_[c].end = sorting_.start()[c + 1];
    }
    view_.occupied = std::ssize(sparse_);
}

template void Grid::sort(const float* const (&)[3], std::int64_t, Executor&, const GridLoops&);
template void Grid::sort(const double* const (&)[3], std::int64_t, Executor&, const GridLoops&);

}  // namespace horde
