// The loops of the grid stage, written once over lane operations: see lanes_copy.h.
#pragma once

#include <cstdint>
#include <cstring>

#include "sim/grid_loops.h"

namespace horde {
namespace {

template <class L>
void grid_cells(const float* x, std::int64_t count, double per_metre, std::int32_t base, std::int32_t* cell,
                std::int32_t (&range)[2]) {
    auto lo = L::set(range[0]), hi = L::set(range[1]);
    std::int64_t i = 0;
    for (; i + L::kWidth <= count; i += L::kWidth) {
        const auto c = L::sub(L::cells(L::load(x + i), per_metre, kMostLoopCell), L::set(base));
        L::store(cell + i, c);
        lo = L::min_int(lo, c);
        hi = L::max_int(hi, c);
    }
    if (i < count) {  // the last ones, the first of them again for the rest
        float rest[L::kWidth];
        std::int32_t found[L::kWidth];
        for (int n = 0; n < L::kWidth; ++n) rest[n] = x[i + n < count ? i + n : i];
        const auto c = L::sub(L::cells(L::load(rest), per_metre, kMostLoopCell), L::set(base));
        L::store(found, c);
        std::memcpy(cell + i, found, static_cast<std::size_t>(count - i) * sizeof *cell);
        lo = L::min_int(lo, c);
        hi = L::max_int(hi, c);
    }
    std::int32_t least[L::kWidth], most[L::kWidth];
    L::store(least, lo);
    L::store(most, hi);
    for (int n = 0; n < L::kWidth; ++n) {
        range[0] = least[n] < range[0] ? least[n] : range[0];
        range[1] = most[n] > range[1] ? most[n] : range[1];
    }
}

// `kLanes` elements of T a vector, whose gather is L::gather and whose store past the caches, which wants
// aligned places, is L::stream.
template <class L, class T, int kLanes>
void grid_take(const std::uint32_t* order, std::int64_t count, const void* from, void* to, bool stream) {
    const auto* source = static_cast<const T*>(from);
    auto* out = static_cast<T*>(to);
    constexpr std::uintptr_t kBytes = kLanes * sizeof(T);
    std::int64_t i = 0;
    for (; i < count && reinterpret_cast<std::uintptr_t>(out + i) % kBytes != 0; ++i)
        out[i] = source[order[i]];
    if (stream) {
        for (; i + kLanes <= count; i += kLanes) L::stream(out + i, L::gather(source, order + i));
        L::stream_end();
    } else {
        for (; i + kLanes <= count; i += kLanes) L::put(out + i, L::gather(source, order + i));
    }
    for (; i < count; ++i) out[i] = source[order[i]];
}

}  // namespace
}  // namespace horde
