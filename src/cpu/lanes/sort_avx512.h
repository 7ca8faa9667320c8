// Sorting a short list in registers of sixteen: bitonic networks, no branch but on the length. Included by
// lanes_avx512.cpp alone; in an anonymous namespace, see lanes.h.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

// The lanes of `upper` keep the larger of themselves and their partner in `other`, the rest the smaller.
inline __m512i keep_in_order(__m512i v, __m512i other, __mmask16 upper) {
    return _mm512_mask_max_epu32(_mm512_min_epu32(v, other), upper, v, other);
}

inline __m512i reverse(__m512i v) {
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                    v);
}

// From sixteen that rise and then fall, or the other way round, to sorted ones.
inline __m512i merge_lanes(__m512i v) {
    v = keep_in_order(v, _mm512_shuffle_i64x2(v, v, 0x4e), 0xff00);
    v = keep_in_order(v, _mm512_shuffle_i64x2(v, v, 0xb1), 0xf0f0);
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xcccc);
    return keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
}

inline __m512i sort_lanes(__m512i v) {
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_ABCD), 0xcccc);
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
    const __m512i mirror = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    v = keep_in_order(v, _mm512_permutexvar_epi32(mirror, v), 0xf0f0);
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xcccc);
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
    v = keep_in_order(v, reverse(v), 0xff00);
    v = keep_in_order(v, _mm512_shuffle_i64x2(v, v, 0xb1), 0xf0f0);
    v = keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC), 0xcccc);
    return keep_in_order(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB), 0xaaaa);
}

inline void order(__m512i& lower, __m512i& upper) {
    const __m512i least = _mm512_min_epu32(lower, upper);
    upper = _mm512_max_epu32(lower, upper);
    lower = least;
}

// Two sorted registers become one sorted pair.
inline void merge_pair(__m512i& a, __m512i& b) {
    b = reverse(b);
    order(a, b);
    a = merge_lanes(a);
    b = merge_lanes(b);
}

// Ascending. Reads and writes nothing beyond `count`.
void sort_list(std::uint32_t* list, std::size_t count) {
    if (count > 64) return sort_entries(list, count);
    const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    const auto load = [&](int r) {
        const auto valid = static_cast<__mmask16>(all >> (16 * r));
        return _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), valid, list + 16 * r);
    };
    const auto store = [&](int r, __m512i v) {
        _mm512_mask_storeu_epi32(list + 16 * r, static_cast<__mmask16>(all >> (16 * r)), v);
    };
    __m512i a = sort_lanes(load(0));
    if (count > 16) {
        __m512i b = sort_lanes(load(1));
        merge_pair(a, b);
        if (count > 32) {
            __m512i c = sort_lanes(load(2)), d = sort_lanes(load(3));
            merge_pair(c, d);
            const __m512i c_behind = reverse(d);
            d = reverse(c);
            c = c_behind;
            order(a, c);
            order(b, d);
            order(a, b);
            order(c, d);
            store(2, merge_lanes(c));
            store(3, merge_lanes(d));
            a = merge_lanes(a);
            b = merge_lanes(b);
        }
        store(1, b);
    }
    store(0, a);
}

}  // namespace
}  // namespace horde
