// Lists of all neighbours: stretches of points in the order of the grid are searched into memory that stays
// in the cache, and from there each list is written once.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <string>
#include <thread>

#include "horde/error.h"
#include "sim/neighbours_impl.h"

namespace horde {
namespace {

constexpr std::int64_t kStretch = 512;                 // points: some 64 KB of entries at 30 neighbours
constexpr std::size_t kCached = std::size_t{1} << 22;  // entries that a last-level cache may hold

}  // namespace

std::unique_ptr<ListPart> Neighbours::Impl::take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<ListPart>();
    std::unique_ptr<ListPart> part = std::move(idle.back());
    idle.pop_back();
    return part;
}

void Neighbours::Impl::give_back(std::unique_ptr<ListPart> part) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(part));
}

// f(number, begin, end) for each stretch, begun in ascending order whichever thread takes it: one that waits
// for the stretch before it waits for one that runs. An exception is thrown again when all have ended.
template <class F>
void Neighbours::Impl::for_stretches(F&& f) {
    const auto points = static_cast<std::int64_t>(count);
    const std::int64_t stretches = (points + kStretch - 1) / kStretch;
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    backend.executor->for_chunks(stretches, 1, [&](std::int64_t, std::int64_t, std::int64_t) {
        const std::int64_t number = next++;
        try {
            f(number, number * kStretch, std::min(points, (number + 1) * kStretch));
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    });
    if (failure) std::rethrow_exception(failure);
}

ListSearch Neighbours::Impl::list_search(const ListRadius& radius, ListOrder order) {
    ListSearch search;
    search.grid = grid.view();
    search.dim = settings.dim;
    for (int k = 0; k < settings.dim; ++k) search.position[k] = sorted[k].data();
    search.name = (order == ListOrder::kGrid ? place : index).data();
    search.radius = radius.of_all;
    if (radius.is_each) {
        radius_of.resize(count);
        for (std::size_t r = 0; r < count; ++r) radius_of[r] = radius.of_each[index[r]];
        search.radius_of = radius_of.data();
    }
    return search;
}

// Each stretch learns from the one before it where its lists go.
SearchCounts Neighbours::Impl::fill_in_grid_order(const ListSearch& search, std::span<std::uint64_t> start,
                                                  std::span<std::uint32_t> out) {
    const auto copy = out.size() > kCached ? backend.stream : copy_entries;
    std::atomic<std::int64_t> turn{0};
    std::int64_t candidates = 0;
    std::uint64_t total = 0;
    for_stretches([&](std::int64_t number, std::int64_t begin, std::int64_t end) {
        std::unique_ptr<ListPart> part;
        std::exception_ptr failure;
        try {
            part = take();
            backend.kernel(search, begin, end, *part);
        } catch (...) {
            failure = std::current_exception();
        }
        while (turn.load(std::memory_order_acquire) != number) std::this_thread::yield();
        std::uint64_t first = total;
        if (!failure) {
            total += part->used;
            candidates += part->candidates;
        }
        turn.store(number + 1, std::memory_order_release);
        if (failure) std::rethrow_exception(failure);
        if (first + part->used <= out.size()) copy(part->entries.data(), part->used, out.data() + first);
        for (std::int64_t i = begin; i < end; ++i) {
            start[static_cast<std::size_t>(i)] = first;
            first += part->counts[static_cast<std::size_t>(i - begin)];
        }
        give_back(std::move(part));
    });
    start[count] = total;
    return {candidates, static_cast<std::int64_t>(total)};
}

SearchCounts Neighbours::Impl::count_as_given(ListSearch search, std::span<std::uint64_t> start) {
    std::atomic<std::int64_t> candidates{0};
    search.count_only = true;
    for_stretches([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        std::unique_ptr<ListPart> part = take();
        backend.kernel(search, begin, end, *part);
        for (std::int64_t i = begin; i < end; ++i) {
            start[index[static_cast<std::size_t>(i)]] = part->counts[static_cast<std::size_t>(i - begin)];
        }
        candidates += part->candidates;
        give_back(std::move(part));
    });
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t own = start[i];
        start[i] = total;
        total += own;
    }
    start[count] = total;
    return {candidates.load(), static_cast<std::int64_t>(total)};
}

void Neighbours::Impl::fill_as_given(const ListSearch& search, std::span<const std::uint64_t> start,
                                     std::span<std::uint32_t> out) {
    for_stretches([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        std::unique_ptr<ListPart> part = take();
        backend.kernel(search, begin, end, *part);
        write_as_given(*part, index.data() + begin, end - begin, start, out);
        give_back(std::move(part));
    });
}

// Points that lie together may have been given far apart: where their lists go is asked for ahead.
void Neighbours::Impl::write_as_given(ListPart& part, const std::uint32_t* name, std::int64_t points,
                                      std::span<const std::uint64_t> start, std::span<std::uint32_t> out) {
    constexpr std::int64_t kStartsAhead = 32, kListsAhead = 12;
    std::uint32_t* list = part.entries.data();
    for (std::int64_t n = 0; n < points; ++n) {
        if (n + kStartsAhead < points) prefetch(&start[name[n + kStartsAhead]]);
        if (n + kListsAhead < points) {
            const std::uint32_t* const ahead = out.data() + start[name[n + kListsAhead]];
            const std::size_t entries = part.counts[static_cast<std::size_t>(n + kListsAhead)];
            for (std::size_t line = 0; line < std::min<std::size_t>(entries, 64); line += 16)
                prefetch(ahead + line);
        }
        const std::size_t entries = part.counts[static_cast<std::size_t>(n)];
        backend.sort(list, entries);
        std::copy_n(list, entries, out.data() + start[name[n]]);
        list += entries;
    }
}

SearchCounts Neighbours::Impl::lists(const ListRadius& radius, std::span<std::uint64_t> start,
                                     std::span<std::uint32_t> out, ListOrder order) {
    const ListSearch search = list_search(radius, order);
    if (order == ListOrder::kGrid) return fill_in_grid_order(search, start, out);
    const SearchCounts counts = count_as_given(search, start);
    if (static_cast<std::uint64_t>(counts.neighbours) <= out.size()) fill_as_given(search, start, out);
    return counts;
}

void Neighbours::Impl::fill(const ListRadius& radius, std::span<std::uint64_t> start,
                            std::span<std::uint32_t> out, ListOrder order) {
    const ListSearch search = list_search(radius, order);
    if (order == ListOrder::kGrid) {
        fill_in_grid_order(search, start, out);
    } else {
        fill_as_given(search, start, out);
    }
}

SearchCounts Neighbours::lists(ListRadius radius, std::span<std::uint64_t> start,
                               std::span<std::uint32_t> index, ListOrder order) const {
    const std::size_t count = impl_->count;
    check_radius(radius.of_all);
    for (const float each : radius.of_each) check_radius(each);
    if (radius.is_each && radius.of_each.size() != count) {
        throw Error("neighbours: " + std::to_string(radius.of_each.size()) + " radii for " +
                    std::to_string(count) + " points; give one radius a point");
    }
    if (start.size() != count + 1) {
        throw Error("neighbours: start has " + std::to_string(start.size()) + " elements; give it " +
                    std::to_string(count + 1) + ", one more than points");
    }
    return impl_->lists(radius, start, index, order);
}

SearchCounts Neighbours::lists(ListRadius radius, std::vector<std::uint64_t>& start,
                               std::vector<std::uint32_t>& index, ListOrder order) const {
    start.resize(impl_->count + 1);
    // What is needed now may be a little more than last time.
    index.resize(std::min(index.capacity(), index.size() + index.size() / 64 + 1024));
    SearchCounts counts = lists(radius, std::span(start), std::span(index), order);
    const auto needed = static_cast<std::size_t>(counts.neighbours);
    const bool filled = needed <= index.size();
    if (needed > index.capacity()) {
        index = std::vector<std::uint32_t>();  // its contents need no copying
        index.reserve(needed + needed / 32);
    }
    index.resize(needed);
    if (!filled) impl_->fill(radius, start, index, order);
    return counts;
}

std::span<const std::uint32_t> Neighbours::grid_order() const {
    return {impl_->index.data(), impl_->count};
}

}  // namespace horde
