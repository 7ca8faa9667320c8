#include "sim/list_search.h"

#include <cmath>

namespace horde {
namespace {

template <int D>
void append(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part) {
    const GridView& grid = search.grid;
    for (std::int64_t i = begin; i < end; ++i) {
        Vec<D> p;
        for (int k = 0; k < D; ++k) p[k] = search.position[k][i];
        const float radius = search.radius_of != nullptr ? search.radius_of[i] : search.radius;
        const float radius_squared = radius * radius;
        const std::size_t first = part.used;
        const auto take_run = [&](std::uint32_t run_begin, std::uint32_t run_end) {
            part.candidates += run_end - run_begin;
            std::uint32_t* out = part.room(run_end - run_begin);
            for (std::uint32_t j = run_begin; j < run_end; ++j) {
                Vec<D> q;
                for (int k = 0; k < D; ++k) q[k] = search.position[k][j];
                const Vec<D> offset = offset_between<D>(grid, p, q);
                *out = j;
                out += dot(offset, offset) <= radius_squared && j != i ? 1 : 0;
            }
            part.used = static_cast<std::size_t>(out - part.entries.data());
        };
        // Where the square leaves the normal floats, the test passes points that lie beyond the radius
        // itself.
        if (std::isnormal(radius_squared)) {
            for_candidate_runs<D>(grid, p, radius, take_run);
        } else if (grid.count > 0) {
            take_run(0, static_cast<std::uint32_t>(grid.count));
        }
        std::uint32_t* const list = part.entries.data() + first;
        const std::size_t count = part.used - first;
        std::sort(list, list + count);
        for (std::size_t n = 0; n < count; ++n) list[n] = search.name[list[n]];
        if (search.count_only) part.used = first;
        part.counts.push_back(static_cast<std::uint32_t>(count));
    }
}

}  // namespace

void append_lists(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part) {
    if (search.dim == 2) {
        append<2>(search, begin, end, part);
    } else {
        append<3>(search, begin, end, part);
    }
}

void copy_entries(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
    std::copy_n(from, count, to);
}

void sort_entries(std::uint32_t* list, std::size_t count) {
    std::sort(list, list + count);
}

void list_stretch(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part) {
    part.used = 0;
    part.counts.clear();
    part.candidates = 0;
    append_lists(search, begin, end, part);
}

}  // namespace horde
