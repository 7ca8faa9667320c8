// Eight lanes: AVX2.
#include <immintrin.h>

#include "cpu/lanes/lane_sets.h"
#include "cpu/lanes/lanes_finish.h"
#include "cpu/lanes/lanes_flow.h"
#include "cpu/lanes/lanes_grid.h"
#include "cpu/lanes/lanes_list.h"
#include "cpu/lanes/lanes_move.h"
#include "cpu/lanes/lanes_place.h"
#include "cpu/lanes/lanes_sum.h"

namespace horde {
namespace {

// For each mask of eight lanes the numbers of the lanes that it keeps, one in a byte, in order.
struct PackTable {
    std::uint64_t order[256];
};

constexpr PackTable make_pack_table() {
    PackTable table{};
    for (unsigned mask = 0; mask < 256; ++mask) {
        int place = 0;
        for (std::uint64_t lane = 0; lane < 8; ++lane) {
            if (mask >> lane & 1u) table.order[mask] |= lane << (8 * place++);
        }
    }
    return table;
}

constexpr PackTable kPackTable = make_pack_table();
alignas(32) constexpr std::int32_t kFirst[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

struct Avx2 {
    static constexpr int kWidth = 8;
    using F = __m256;
    using I = __m256i;
    using M = __m256i;
    using Pack = __m256i;
    using Order = Pack;

    static F set(float v) { return _mm256_set1_ps(v); }
    static I set(std::int32_t v) { return _mm256_set1_epi32(v); }
    static F zero() { return _mm256_setzero_ps(); }
    static I zero_int() { return _mm256_setzero_si256(); }
    static F load(const float* p) { return _mm256_loadu_ps(p); }
    static I load(const std::int32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
    static F load_where(M m, const float* p) { return _mm256_maskload_ps(p, m); }
    static void store(float* p, F v) { _mm256_storeu_ps(p, v); }
    static void store(std::int32_t* p, I v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
    static F add(F a, F b) { return _mm256_add_ps(a, b); }
    static F sub(F a, F b) { return _mm256_sub_ps(a, b); }
    static F mul(F a, F b) { return _mm256_mul_ps(a, b); }
    static F mul_add(F a, F b, F c) {
        return add(mul(a, b), c);
    }  // not every machine of AVX2 has the fused one
    static F larger_size(F a, F b) { return max(_mm256_andnot_ps(set(-0.0f), a), b); }  // of |a| and b >= 0
    static F add_double(F a, double b) {
        const __m256d sum = _mm256_set1_pd(b);
        const __m128 lo = _mm256_cvtpd_ps(_mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(a)), sum));
        const __m128 hi = _mm256_cvtpd_ps(_mm256_add_pd(_mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)), sum));
        return _mm256_set_m128(hi, lo);
    }
    static F round_float(F v) { return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
    static M without(M a, M b) { return _mm256_andnot_si256(b, a); }
    static F div(F a, F b) { return _mm256_div_ps(a, b); }
    static F sqrt(F a) { return _mm256_sqrt_ps(a); }
    static F max(F a, F b) { return _mm256_max_ps(a, b); }
    static M le(F a, F b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ)); }
    static M lt(F a, F b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ)); }
    static M le_where(M m, F a, F b) { return both(m, le(a, b)); }
    static M both(M a, M b) { return _mm256_and_si256(a, b); }
    static M first(std::int32_t n) { return load(kFirst + (n >= 8 ? 0 : 8 - n)); }
    static std::uint32_t mask(M m) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(m)));
    }
    static std::int32_t count(M m) { return __builtin_popcount(mask(m)); }
    static I bits(F v) { return _mm256_castps_si256(v); }
    static I round(F v) { return _mm256_cvtps_epi32(v); }
    static I add_where(I sum, M m, I v) { return _mm256_add_epi32(sum, _mm256_and_si256(m, v)); }

    static I add(I a, I b) { return _mm256_add_epi32(a, b); }
    static I sub(I a, I b) { return _mm256_sub_epi32(a, b); }
    static I mul(I a, I b) { return _mm256_mullo_epi32(a, b); }
    static F to_float(I v) { return _mm256_cvtepi32_ps(v); }
    static F keep(M m, F v) { return _mm256_and_ps(_mm256_castsi256_ps(m), v); }
    static F choose(M m, F yes, F no) { return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(m)); }
    static void store_where(M m, float* p, F v) { _mm256_maskstore_ps(p, m, v); }
    static Pack pack(M keep) {
        return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kPackTable.order[mask(keep)])));
    }
    static void store_packed(Pack order, float* p, F v) { store(p, _mm256_permutevar8x32_ps(v, order)); }
    static void store_packed(Pack order, std::int32_t* p, I v) {
        store(p, _mm256_permutevar8x32_epi32(v, order));
    }

    static Order order(M keep) { return pack(keep); }
    static void store_ordered(Order order, float* p, F v) { store_packed(order, p, v); }

    // Each lane added to all after it.
    static I running_sum(I v) {
        v = add(v, _mm256_slli_si256(v, 4));
        v = add(v, _mm256_slli_si256(v, 8));
        const I lower = _mm256_permutevar8x32_epi32(v, set(3));  // the last of the lower four
        return add(v, _mm256_blend_epi32(zero_int(), lower, 0xf0));
    }
    static I last(I v) { return _mm256_permutevar8x32_epi32(v, set(7)); }

    // Lane n is the sum of row n of eight rows of eight, as the wider one does it.
    static I sum_rows(const std::int32_t* rows) {
        I a[4], b[2];
        for (int n = 0; n < 4; ++n) {
            const I p = load(rows + 8 * n), q = load(rows + 8 * (n + 4));
            a[n] = add(_mm256_blend_epi32(p, q, 0xf0), _mm256_permute2x128_si256(p, q, 0x21));
        }
        for (int n = 0; n < 2; ++n) {
            const I p = a[n], q = a[n + 2];
            b[n] = add(_mm256_blend_epi32(p, q, 0xcc), _mm256_alignr_epi8(q, p, 8));
        }
        const I swapped = _mm256_blend_epi32(_mm256_srli_epi64(b[0], 32), _mm256_slli_epi64(b[1], 32), 0xaa);
        return add(_mm256_blend_epi32(b[0], b[1], 0xaa), swapped);
    }

    static M same(I a, I b) { return _mm256_cmpeq_epi32(a, b); }
    static I keep_int(M m, I v) { return _mm256_and_si256(m, v); }
    static I load_bytes(const std::uint8_t* p) {
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
    }
    static I mul_short(I a, std::int32_t b) { return _mm256_madd_epi16(a, set(b)); }  // of 0 to 32767
    // Of 64 sets of directions the first legal one.
    static void first_steps(const I (&best)[8], const std::uint8_t* moves, std::uint8_t* out) {
        const I nibble = _mm256_set1_epi8(15);
        const auto table = [](const std::uint8_t* p) {
            return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(p)));
        };
        for (int half = 0; half < 2; ++half) {
            const I* const b = best + 4 * half;
            const I mixed =
                _mm256_packus_epi16(_mm256_packs_epi32(b[0], b[1]), _mm256_packs_epi32(b[2], b[3]));
            const I all = _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
            const I legal =
                _mm256_and_si256(all, load(reinterpret_cast<const std::int32_t*>(moves + 32 * half)));
            const I of_lower = _mm256_shuffle_epi8(table(kFirstOfLower), _mm256_and_si256(legal, nibble));
            const I of_upper = _mm256_shuffle_epi8(table(kFirstOfUpper),
                                                   _mm256_and_si256(_mm256_srli_epi16(legal, 4), nibble));
            store(reinterpret_cast<std::int32_t*>(out + 32 * half), _mm256_min_epu8(of_lower, of_upper));
        }
    }

    static M other_where(M m, I a, I b) { return without(m, _mm256_cmpeq_epi32(a, b)); }
    static __m128 wrapped(__m128 to, __m256d from, __m256d length) {
        const __m256d half = _mm256_mul_pd(_mm256_set1_pd(0.5), length);
        __m256d offset = _mm256_sub_pd(_mm256_cvtps_pd(to), from);
        const __m256d below = _mm256_cmp_pd(offset, _mm256_sub_pd(_mm256_setzero_pd(), half), _CMP_LT_OQ);
        offset = _mm256_blendv_pd(offset, _mm256_add_pd(offset, length), below);
        const __m256d above = _mm256_cmp_pd(offset, half, _CMP_GE_OQ);
        return _mm256_cvtpd_ps(_mm256_blendv_pd(offset, _mm256_sub_pd(offset, length), above));
    }
    // As offset_between computes it.
    static F nearest_image(F to, float from, double length) {
        const __m256d p = _mm256_set1_pd(from), l = _mm256_set1_pd(length);
        return _mm256_set_m128(wrapped(_mm256_extractf128_ps(to, 1), p, l),
                               wrapped(_mm256_castps256_ps128(to), p, l));
    }
    static F min(F a, F b) { return _mm256_min_ps(a, b); }
    static float least(F v) {
        __m128 low = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        low = _mm_min_ps(low, _mm_movehl_ps(low, low));
        return _mm_cvtss_f32(_mm_min_ss(low, _mm_movehdup_ps(low)));
    }
    static float greatest(F v) {
        __m128 high = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        high = _mm_max_ps(high, _mm_movehl_ps(high, high));
        return _mm_cvtss_f32(_mm_max_ss(high, _mm_movehdup_ps(high)));
    }
    static I min_int(I a, I b) { return _mm256_min_epi32(a, b); }
    static I max_int(I a, I b) { return _mm256_max_epi32(a, b); }
    static I cells(F x, double per_metre, double most) {
        const auto half = [&](__m128 v) {
            const __m256d scaled = _mm256_mul_pd(_mm256_cvtps_pd(v), _mm256_set1_pd(per_metre));
            const __m256d kept =
                _mm256_min_pd(_mm256_max_pd(scaled, _mm256_set1_pd(-most)), _mm256_set1_pd(most));
            return _mm256_cvttpd_epi32(_mm256_floor_pd(kept));
        };
        return _mm256_set_m128i(half(_mm256_extractf128_ps(x, 1)), half(_mm256_castps256_ps128(x)));
    }
    static I look_up(const std::int32_t* p, I at) { return _mm256_i32gather_epi32(p, at, 4); }
    static I gather(const std::uint32_t* p, const std::uint32_t* order) {
        return _mm256_setr_epi32(static_cast<int>(p[order[0]]), static_cast<int>(p[order[1]]),
                                 static_cast<int>(p[order[2]]), static_cast<int>(p[order[3]]),
                                 static_cast<int>(p[order[4]]), static_cast<int>(p[order[5]]),
                                 static_cast<int>(p[order[6]]), static_cast<int>(p[order[7]]));
    }
    static I gather(const std::uint64_t* p, const std::uint32_t* order) {
        return _mm256_setr_epi64x(static_cast<long long>(p[order[0]]), static_cast<long long>(p[order[1]]),
                                  static_cast<long long>(p[order[2]]), static_cast<long long>(p[order[3]]));
    }
    static void put(void* p, I v) { _mm256_store_si256(static_cast<__m256i*>(p), v); }
    static void stream(void* p, I v) { _mm256_stream_si256(static_cast<__m256i*>(p), v); }
    static void stream_end() { _mm_sfence(); }
};

}  // namespace

const LaneSet kAvx2Lanes = {
    8,
    "avx2",
    bounds<Avx2>,
    place<Avx2>,
    copy<Avx2>,
    sum<Avx2>,
    reduce<Avx2>,
    finish<Avx2>,
    move<Avx2>,
    choose_flow<Avx2>,
    list_block<Avx2>,
    stream_entries<Avx2>,
    sort_entries,
    {grid_cells<Avx2>, grid_take<Avx2, std::uint32_t, 8>, grid_take<Avx2, std::uint64_t, 4>}};

}  // namespace horde
