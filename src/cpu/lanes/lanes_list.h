// Neighbour lists of a block, written once over lane operations: see lanes_copy.h. Places are the floats that
// the caller gave, so that offsets and their squares are those of the scalar routine, bit for bit.
#pragma once

#include <cstring>

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

// What a copy needs beside its run: in registers while the runs of a block last.
template <class L, int D>
struct ListCopying {
    typename L::F half[D], centre[D], keep2;
    float* place[D];
    std::int32_t* candidate;

    explicit ListCopying(const LaneListBlock& block)
        : keep2(L::set(block.keep2)), candidate(block.candidate) {
        for (int k = 0; k < D; ++k) {
            half[k] = L::set(block.half[k]);
            centre[k] = L::set(block.centre[k]);
            place[k] = block.place[k];
        }
    }
};

// Appends those of a run that may be near enough to the block's box, and returns the new size. `kSeam`: the
// run's images on the other side.
template <class L, int D, bool kSeam, bool kStore>
inline __attribute__((always_inline)) std::int64_t copy_list_run(const ListCopying<L, D>& copying,
                                                                 const LaneListBlock& block,
                                                                 const LaneRun& run, std::int64_t size) {
    double to_centre[D];
    const float* from[D];
    for (int k = 0; k < D; ++k) {
        to_centre[k] = run.shift[k] * block.length[k] - static_cast<double>(block.centre[k]);
        from[k] = block.position[k] + run.begin;
    }
    const std::int32_t* const names = block.name + run.begin;
    const std::int32_t count = run.count;
    for (std::int32_t i = 0; i < count; i += L::kWidth) {
        typename L::F x[D], d2 = L::zero();
        for (int k = 0; k < D; ++k) {
            x[k] = L::load(from[k] + i);
            const auto metres = kSeam ? L::add_double(x[k], to_centre[k]) : L::sub(x[k], copying.centre[k]);
            const auto outside = L::sub(L::larger_size(metres, copying.half[k]), copying.half[k]);
            d2 = k == 0 ? L::mul(outside, outside) : L::mul_add(outside, outside, d2);
        }
        const auto keep = L::le_where(L::first(count - i), d2, copying.keep2);
        const auto pack = L::pack(keep);
        for (int k = 0; k < D; ++k) L::store_packed(pack, copying.place[k] + size, x[k]);
        if (kStore) L::store_packed(pack, copying.candidate + size, L::load(names + i));
        size += L::count(keep);
    }
    return size;
}

// Copies all runs and returns how many candidates there are. Vectors with candidates from beyond a seam are
// marked.
template <class L, int D, bool kSeam, bool kStore>
inline std::int64_t copy_list_runs(const LaneListBlock& block, const LaneRun* runs, std::int64_t run_count) {
    const ListCopying<L, D> copying(block);
    std::int64_t size = 0;
    for (std::int64_t r = 0; r < run_count; ++r) {
        if (!kSeam || runs[r].shifted == 0) {
            size = copy_list_run<L, D, false, kStore>(copying, block, runs[r], size);
            continue;
        }
        const std::int64_t before = size;
        size = copy_list_run<L, D, true, kStore>(copying, block, runs[r], size);
        for (std::int64_t v = before / L::kWidth; v * L::kWidth < size && before < size; ++v)
            block.seam[v] = 1;
    }
    // No number is no neighbour of anybody.
    for (int k = 0; k < D; ++k) L::store(block.place[k] + size, L::set(__builtin_nanf("")));
    return size;
}

// Candidates that one agent looks at, a vector at a time.
template <class L, int D, bool kSeam>
struct ListLook {
    const float* columns[D];
    float place[D];
    typename L::F own[D], radius2;
    const LaneListBlock& block;

    ListLook(const LaneListBlock& block, std::int64_t agent)
        : radius2(L::set(block.radius2[agent])), block(block) {
        for (int k = 0; k < D; ++k) {
            columns[k] = block.place[k];
            place[k] = block.position[k][block.first + agent];
            own[k] = L::set(place[k]);
        }
    }
    typename L::M hits(std::int64_t j) const {
        typename L::F offset[D];
        if (kSeam && block.seam[j / L::kWidth] != 0) {
            for (int k = 0; k < D; ++k) {
                offset[k] = L::nearest_image(L::load(columns[k] + j), place[k], block.length[k]);
            }
        } else {
            for (int k = 0; k < D; ++k) offset[k] = L::sub(L::load(columns[k] + j), own[k]);
        }
        auto d2 = L::mul(offset[0], offset[0]);
        for (int k = 1; k < D; ++k) d2 = L::add(d2, L::mul(offset[k], offset[k]));
        return L::le(d2, radius2);
    }
};

template <class L, int D, bool kSeam>
inline std::int64_t count_agent(const LaneListBlock& block, std::int64_t size, std::int64_t agent) {
    const ListLook<L, D, kSeam> look(block, agent);
    std::int64_t found = 0;
    for (std::int64_t j = 0; j < size; j += L::kWidth) found += L::count(look.hits(j));
    return found - 1;  // itself
}

// Writes the names of those that the agent at `self` in the candidates sees, packed behind each other.
template <class L, int D, bool kSeam>
inline std::int64_t list_agent(const LaneListBlock& block, std::int64_t size, std::int64_t agent,
                               std::int64_t self, std::int32_t* out) {
    const ListLook<L, D, kSeam> look(block, agent);
    const std::int32_t* const names = block.candidate;
    std::int64_t found = 0;
    const auto take = [&](typename L::M hit, typename L::I name) {
        L::store_packed(L::pack(hit), out + found, name);
        found += L::count(hit);
    };
    const std::int64_t own_vector = self / L::kWidth * L::kWidth;
    std::int64_t j = 0;
    for (; j < own_vector; j += L::kWidth) take(look.hits(j), L::load(names + j));
    const auto name = L::load(names + j);
    take(L::other_where(look.hits(j), name, L::set(names[self])), name);
    for (j += L::kWidth; j < size; j += L::kWidth) take(look.hits(j), L::load(names + j));
    return found;
}

template <class L, int D, bool kSeam>
inline std::int64_t list_agents(const LaneListBlock& block, std::int64_t size, std::uint32_t* counts,
                                std::int32_t* out) {
    const auto first = L::set(block.name[block.first]);
    std::int64_t self = 0;
    std::uint32_t at = 0;
    for (; (at = L::mask(L::same(first, L::load(block.candidate + self)))) == 0;) self += L::kWidth;
    self += __builtin_ctz(at);
    std::int64_t found = 0;
    for (std::int64_t a = 0; a < block.agents; ++a) {
        const std::int64_t own = list_agent<L, D, kSeam>(block, size, a, self + a, out + found);
        counts[a] = static_cast<std::uint32_t>(own);
        found += own;
    }
    return found;
}

template <class L, int D, bool kSeam>
std::int64_t list_block_in(const LaneListBlock& block, const LaneRun* runs, std::int64_t run_count,
                           std::uint32_t* counts, std::uint32_t* entries) {
    if (kSeam) {
        std::int64_t most = 0;
        for (std::int64_t r = 0; r < run_count; ++r) most += runs[r].count;
        std::memset(block.seam, 0, static_cast<std::size_t>(most / L::kWidth + 1));
    }
    if (entries != nullptr) {
        const std::int64_t size = copy_list_runs<L, D, kSeam, true>(block, runs, run_count);
        return list_agents<L, D, kSeam>(block, size, counts, reinterpret_cast<std::int32_t*>(entries));
    }
    const std::int64_t size = copy_list_runs<L, D, kSeam, false>(block, runs, run_count);
    std::int64_t found = 0;
    for (std::int64_t a = 0; a < block.agents; ++a) {
        const std::int64_t own = count_agent<L, D, kSeam>(block, size, a);
        counts[a] = static_cast<std::uint32_t>(own);
        found += own;
    }
    return found;
}

template <class L>
std::int64_t list_block(const LaneListBlock& block, const LaneRun* runs, std::int64_t run_count,
                        std::uint32_t* counts, std::uint32_t* entries) {
    bool seam = false;
    for (std::int64_t r = 0; r < run_count; ++r) seam = seam || runs[r].shifted != 0;
    const auto fill = block.dim == 2 ? (seam ? list_block_in<L, 2, true> : list_block_in<L, 2, false>)
                                     : (seam ? list_block_in<L, 3, true> : list_block_in<L, 3, false>);
    return fill(block, runs, run_count, counts, entries);
}

// Copies numbers past the caches, for what is too large to be read again from them.
template <class L>
void stream_entries(const std::uint32_t* from, std::size_t count, std::uint32_t* to) {
    constexpr std::size_t kBytes = sizeof(typename L::I);
    std::size_t n = 0;
    for (; n < count && reinterpret_cast<std::uintptr_t>(to + n) % kBytes != 0; ++n) to[n] = from[n];
    for (; n + L::kWidth <= count; n += L::kWidth) {
        L::stream(reinterpret_cast<std::int32_t*>(to + n),
                  L::load(reinterpret_cast<const std::int32_t*>(from + n)));
    }
    for (; n < count; ++n) to[n] = from[n];
    L::stream_end();
}

}  // namespace
}  // namespace horde
