#include "sim/counting_sort.h"

#include <algorithm>

namespace horde {
namespace {

constexpr std::int64_t kLeastPerPart =
    16384;  // points: fewer are sorted sooner than handed to another thread
constexpr std::int64_t kPartsPerThread = 2;
constexpr std::int64_t kCellBlock = 256;

std::int64_t window(const SortPart& part) {
    return static_cast<std::int64_t>(part.hi) - part.lo + 1;
}

// f(first, last, counts of these cells) for the part of a block of cells that a part has counts of.
template <class F>
void for_overlap(const SortPart& part, std::int64_t first, std::int64_t last, F&& f) {
    const std::int64_t from = std::max<std::int64_t>(first, part.lo);
    const std::int64_t to = std::min<std::int64_t>(last, std::int64_t{part.hi} + 1);
    if (from < to) f(from, to, part.table + from - part.lo);
}

}  // namespace

void CountingSort::set_points(std::int64_t count, int threads) {
    number_.resize(static_cast<std::size_t>(count));
    order_.resize(static_cast<std::size_t>(count));
    const std::int64_t most = threads > 1 ? threads * kPartsPerThread : 1;
    const std::int64_t wanted = std::clamp<std::int64_t>(count / kLeastPerPart, 1, most);
    const std::int64_t size = std::max<std::int64_t>(1, (count + wanted - 1) / wanted);
    parts_.clear();
    for (std::int64_t begin = 0; begin < count; begin += size) {
        parts_.push_back({begin, std::min(begin + size, count), 0xffffffffu, 0, 0});
    }
}

// Wide windows would need more memory than the points themselves.
std::int64_t CountingSort::join_parts() {
    const std::int64_t most = 2 * static_cast<std::int64_t>(number_.size()) + (1 << 16);
    for (;;) {
        std::int64_t sum = 0;
        for (SortPart& part : parts_) {
            part.table = sum;
            sum += window(part);
        }
        if (sum <= most || parts_.size() <= 1) return sum;
        std::size_t kept = 0;
        for (std::size_t p = 0; p < parts_.size(); p += 2) {
            SortPart joined = parts_[p];
            if (p + 1 < parts_.size()) {
                joined.end = parts_[p + 1].end;
                joined.lo = std::min(joined.lo, parts_[p + 1].lo);
                joined.hi = std::max(joined.hi, parts_[p + 1].hi);
            }
            parts_[kept++] = joined;
        }
        parts_.resize(kept);
    }
}

void CountingSort::sort(std::int64_t cells, Executor& executor) {
    start_.resize(static_cast<std::size_t>(cells) + 1);
    occupied_ = largest_ = 0;
    start_[static_cast<std::size_t>(cells)] = static_cast<std::uint32_t>(number_.size());
    if (parts_.empty()) {
        std::fill(start_.begin(), start_.end(), 0u);
        return;
    }
    const auto table = static_cast<std::size_t>(join_parts());
    if (tables_.size() < table) tables_.resize(table + table / 8);
    const auto parts = static_cast<std::int64_t>(parts_.size());
    executor.for_chunks(parts, 1, [&](std::int64_t p, std::int64_t, std::int64_t) { count_part(parts_[p]); });
    const std::int64_t size = (cells + parts - 1) / parts;
    stretches_.assign(static_cast<std::size_t>((cells + size - 1) / size), {});
    if (stretches_.size() > 1) {
        executor.for_chunks(cells, size, [&](std::int64_t s, std::int64_t first, std::int64_t last) {
            stretches_[s].points = count_stretch(first, last);
        });
    }
    executor.for_chunks(cells, size, [&](std::int64_t s, std::int64_t first, std::int64_t last) {
        std::int64_t before = 0;
        for (std::int64_t earlier = 0; earlier < s; ++earlier) before += stretches_[earlier].points;
        place_stretch(first, last, before, stretches_[s]);
    });
    executor.for_chunks(parts, 1, [&](std::int64_t p, std::int64_t, std::int64_t) { place_part(parts_[p]); });
    for (const Stretch& stretch : stretches_) {
        occupied_ += stretch.occupied;
        largest_ = std::max(largest_, stretch.largest);
    }
}

void CountingSort::count_part(const SortPart& part) {
    std::uint32_t* counts = tables_.data() + part.table;
    std::fill(counts, counts + window(part), 0u);
    const std::uint32_t* number = number_.data();
    for (std::int64_t i = part.begin; i < part.end; ++i) ++counts[number[i] - part.lo];
}

std::int64_t CountingSort::count_stretch(std::int64_t first, std::int64_t last) const {
    std::int64_t sum = 0;
    for (const SortPart& part : parts_) {
        for_overlap(part, first, last, [&](std::int64_t from, std::int64_t to, std::int64_t table) {
            const std::uint32_t* counts = tables_.data() + table;
            std::uint32_t points = 0;
            for (std::int64_t c = 0; c < to - from; ++c) points += counts[c];
            sum += points;
        });
    }
    return sum;
}

// From the counts of all parts to first places, and to the place of each part's first point in each cell.
void CountingSort::place_stretch(std::int64_t first, std::int64_t last, std::int64_t before,
                                 Stretch& stretch) {
    auto next = static_cast<std::uint32_t>(before);
    std::int64_t occupied = 0;
    std::uint32_t largest = 0;
    for (std::int64_t block = first; block < last; block += kCellBlock) {
        const std::int64_t end = std::min(block + kCellBlock, last);
        std::uint32_t counts[kCellBlock] = {}, place[kCellBlock];
        for (const SortPart& part : parts_) {
            for_overlap(part, block, end, [&](std::int64_t from, std::int64_t to, std::int64_t table) {
                for (std::int64_t c = from; c < to; ++c) counts[c - block] += tables_[table + c - from];
            });
        }
        for (std::int64_t c = 0; c < end - block; ++c) {
            place[c] = next;
            next += counts[c];
            occupied += counts[c] > 0 ? 1 : 0;
            largest = std::max(largest, counts[c]);
        }
        std::copy(place, place + (end - block), start_.data() + block);
        for (const SortPart& part : parts_) {
            for_overlap(part, block, end, [&](std::int64_t from, std::int64_t to, std::int64_t table) {
                for (std::int64_t c = from; c < to; ++c) {
                    const std::uint32_t own = tables_[table + c - from];
                    tables_[table + c - from] = place[c - block];
                    place[c - block] += own;
                }
            });
        }
    }
    stretch.occupied = occupied;
    stretch.largest = largest;
}

void CountingSort::place_part(const SortPart& part) {
    std::uint32_t* next = tables_.data() + part.table;
    const std::uint32_t* number = number_.data();
    std::uint32_t* order = order_.data();
    for (std::int64_t i = part.begin; i < part.end; ++i) {
        order[next[number[i] - part.lo]++] = static_cast<std::uint32_t>(i);
    }
}

}  // namespace horde
