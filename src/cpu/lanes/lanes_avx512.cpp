// Sixteen lanes: AVX-512 F, DQ, BW and VL.
#include <immintrin.h>

#include "cpu/lanes/lane_sets.h"
#include "cpu/lanes/lanes_finish.h"
#include "cpu/lanes/lanes_flow.h"
#include "cpu/lanes/lanes_grid.h"
#include "cpu/lanes/lanes_list.h"
#include "cpu/lanes/lanes_move.h"
#include "cpu/lanes/lanes_place.h"
#include "cpu/lanes/lanes_sum.h"
#include "cpu/lanes/sort_avx512.h"

namespace horde {
namespace {

struct Avx512 {
    static constexpr int kWidth = 16;
    using F = __m512;
    using I = __m512i;
    using M = __mmask16;
    using Pack = __mmask16;
    using Order = __m512i;

    static F set(float v) { return _mm512_set1_ps(v); }
    static I set(std::int32_t v) { return _mm512_set1_epi32(v); }
    static F zero() { return _mm512_setzero_ps(); }
    static I zero_int() { return _mm512_setzero_si512(); }
    static F load(const float* p) { return _mm512_loadu_ps(p); }
    static I load(const std::int32_t* p) { return _mm512_loadu_si512(p); }
    static F load_where(M m, const float* p) { return _mm512_maskz_loadu_ps(m, p); }
    static void store(float* p, F v) { _mm512_storeu_ps(p, v); }
    static void store(std::int32_t* p, I v) { _mm512_storeu_si512(p, v); }
    static F add(F a, F b) { return _mm512_add_ps(a, b); }
    static F sub(F a, F b) { return _mm512_sub_ps(a, b); }
    static F mul(F a, F b) { return _mm512_mul_ps(a, b); }
    static F mul_add(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
    static F larger_size(F a, F b) { return _mm512_range_ps(a, b, 0xb); }  // of |a| and |b|
    static F add_double(F a, double b) {
        const __m512d sum = _mm512_set1_pd(b);
        const __m256 lo = _mm512_cvtpd_ps(_mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(a)), sum));
        const __m256 hi = _mm512_cvtpd_ps(_mm512_add_pd(_mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)), sum));
        return _mm512_insertf32x8(_mm512_castps256_ps512(lo), hi, 1);
    }
    static F round_float(F v) {
        return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }
    static M without(M a, M b) { return _kandn_mask16(b, a); }
    static std::uint32_t mask(M m) { return m; }
    static F div(F a, F b) { return _mm512_div_ps(a, b); }
    static F sqrt(F a) { return _mm512_sqrt_ps(a); }
    static F max(F a, F b) { return _mm512_max_ps(a, b); }
    static M le(F a, F b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
    static M lt(F a, F b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
    static M le_where(M m, F a, F b) { return _mm512_mask_cmp_ps_mask(m, a, b, _CMP_LE_OQ); }
    static M both(M a, M b) { return _kand_mask16(a, b); }
    static M first(std::int32_t n) { return M((1u << (n < 16 ? n : 16)) - 1); }
    static std::int32_t count(M m) { return __builtin_popcount(m); }
    static I bits(F v) { return _mm512_castps_si512(v); }
    static I round(F v) { return _mm512_cvtps_epi32(v); }
    static I add_where(I sum, M m, I v) { return _mm512_mask_add_epi32(sum, m, sum, v); }

    static I add(I a, I b) { return _mm512_add_epi32(a, b); }
    static I sub(I a, I b) { return _mm512_sub_epi32(a, b); }
    static I mul(I a, I b) { return _mm512_mullo_epi32(a, b); }
    static F to_float(I v) { return _mm512_cvtepi32_ps(v); }
    static F keep(M m, F v) { return _mm512_maskz_mov_ps(m, v); }
    static F choose(M m, F yes, F no) { return _mm512_mask_blend_ps(m, no, yes); }
    static void store_where(M m, float* p, F v) { _mm512_mask_storeu_ps(p, m, v); }

    // Into a register and then to memory: the store that compresses by itself is far slower.
    static Pack pack(M keep) { return keep; }
    static void store_packed(Pack keep, float* p, F v) { store(p, _mm512_maskz_compress_ps(keep, v)); }
    static void store_packed(Pack keep, std::int32_t* p, I v) {
        store(p, _mm512_maskz_compress_epi32(keep, v));
    }
    // For several columns: with the order of the lanes each takes a permutation, half the work of packing.
    static Order order(M keep) { return _mm512_maskz_compress_epi32(keep, lane_numbers()); }
    static void store_ordered(Order order, float* p, F v) { store(p, _mm512_permutexvar_ps(order, v)); }
    static I lane_numbers() {
        return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }

    // Each lane added to all after it.
    static I running_sum(I v) {
        v = add(v, _mm512_alignr_epi32(v, zero_int(), 15));
        v = add(v, _mm512_alignr_epi32(v, zero_int(), 14));
        v = add(v, _mm512_alignr_epi32(v, zero_int(), 12));
        return add(v, _mm512_alignr_epi32(v, zero_int(), 8));
    }
    static I last(I v) { return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v); }

    // Lane n is the sum of row n of sixteen rows of sixteen. Each round adds halves and puts the sums of two
    // rows into one register.
    static I sum_rows(const std::int32_t* rows) {
        I a[8], b[4], c[2];
        for (int n = 0; n < 8; ++n) {
            const I p = load(rows + 16 * n), q = load(rows + 16 * (n + 8));
            a[n] = add(_mm512_mask_blend_epi32(0xff00, p, q), _mm512_shuffle_i64x2(p, q, 0x4e));
        }
        const I quarters = _mm512_setr_epi64(2, 3, 8, 9, 6, 7, 12, 13);
        for (int n = 0; n < 4; ++n) {
            const I p = a[n], q = a[n + 4];
            b[n] = add(_mm512_mask_blend_epi32(0xf0f0, p, q), _mm512_permutex2var_epi64(p, quarters, q));
        }
        for (int n = 0; n < 2; ++n) {
            const I p = b[n], q = b[n + 2];
            c[n] = add(_mm512_mask_blend_epi32(0xcccc, p, q), _mm512_alignr_epi8(q, p, 8));
        }
        const I swapped =
            _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(c[0], 32), _mm512_slli_epi64(c[1], 32));
        return add(_mm512_mask_blend_epi32(0xaaaa, c[0], c[1]), swapped);
    }

    static M same(I a, I b) { return _mm512_cmpeq_epi32_mask(a, b); }
    static I keep_int(M m, I v) { return _mm512_maskz_mov_epi32(m, v); }
    static I load_bytes(const std::uint8_t* p) {
        return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
    }
    static I mul_short(I a, std::int32_t b) { return _mm512_madd_epi16(a, set(b)); }  // of 0 to 32767
    // Of 64 sets of directions the first legal one.
    static void first_steps(const I (&best)[4], const std::uint8_t* moves, std::uint8_t* out) {
        const __m512i nibble = _mm512_set1_epi8(15);
        const __m512i lower =
            _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(kFirstOfLower)));
        const __m512i upper =
            _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(kFirstOfUpper)));
        __m512i legal = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(best[0]));
        legal = _mm512_inserti32x4(legal, _mm512_cvtepi32_epi8(best[1]), 1);
        legal = _mm512_inserti32x4(legal, _mm512_cvtepi32_epi8(best[2]), 2);
        legal = _mm512_inserti32x4(legal, _mm512_cvtepi32_epi8(best[3]), 3);
        legal = _mm512_and_si512(legal, _mm512_loadu_si512(moves));
        const __m512i of_lower = _mm512_shuffle_epi8(lower, _mm512_and_si512(legal, nibble));
        const __m512i of_upper =
            _mm512_shuffle_epi8(upper, _mm512_and_si512(_mm512_srli_epi16(legal, 4), nibble));
        _mm512_storeu_si512(out, _mm512_min_epu8(of_lower, of_upper));
    }

    static M other_where(M m, I a, I b) { return _mm512_mask_cmpneq_epi32_mask(m, a, b); }
    static __m512d wrapped(__m256 to, __m512d from, __m512d length) {
        const __m512d half = _mm512_mul_pd(_mm512_set1_pd(0.5), length);
        __m512d offset = _mm512_sub_pd(_mm512_cvtps_pd(to), from);
        const __mmask8 below =
            _mm512_cmp_pd_mask(offset, _mm512_sub_pd(_mm512_setzero_pd(), half), _CMP_LT_OQ);
        offset = _mm512_mask_add_pd(offset, below, offset, length);
        return _mm512_mask_sub_pd(offset, _mm512_cmp_pd_mask(offset, half, _CMP_GE_OQ), offset, length);
    }
    // As offset_between computes it.
    static F nearest_image(F to, float from, double length) {
        const __m512d p = _mm512_set1_pd(from), l = _mm512_set1_pd(length);
        const __m256 lo = _mm512_cvtpd_ps(wrapped(_mm512_castps512_ps256(to), p, l));
        const __m256 hi = _mm512_cvtpd_ps(wrapped(_mm512_extractf32x8_ps(to, 1), p, l));
        return _mm512_insertf32x8(_mm512_castps256_ps512(lo), hi, 1);
    }
    static F min(F a, F b) { return _mm512_min_ps(a, b); }
    static float least(F v) { return _mm512_reduce_min_ps(v); }
    static float greatest(F v) { return _mm512_reduce_max_ps(v); }
    static I min_int(I a, I b) { return _mm512_min_epi32(a, b); }
    static I max_int(I a, I b) { return _mm512_max_epi32(a, b); }
    static I cells(F x, double per_metre, double most) {
        const auto half = [&](__m256 v) {
            const __m512d scaled = _mm512_mul_pd(_mm512_cvtps_pd(v), _mm512_set1_pd(per_metre));
            const __m512d kept =
                _mm512_min_pd(_mm512_max_pd(scaled, _mm512_set1_pd(-most)), _mm512_set1_pd(most));
            return _mm512_cvt_roundpd_epi32(kept, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
        };
        return _mm512_inserti32x8(_mm512_castsi256_si512(half(_mm512_castps512_ps256(x))),
                                  half(_mm512_extractf32x8_ps(x, 1)), 1);
    }
    static I look_up(const std::int32_t* p, I at) { return _mm512_i32gather_epi32(at, p, 4); }
    static I gather(const std::uint32_t* p, const std::uint32_t* order) {
        return _mm512_i32gather_epi32(_mm512_loadu_si512(order), p, 4);
    }
    static I gather(const std::uint64_t* p, const std::uint32_t* order) {
        return _mm512_i32gather_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(order)), p, 8);
    }
    static void put(void* p, I v) { _mm512_store_si512(p, v); }
    static void stream(void* p, I v) { _mm512_stream_si512(static_cast<__m512i*>(p), v); }
    static void stream_end() { _mm_sfence(); }
};

}  // namespace

const LaneSet kAvx512Lanes = {
    16,
    "avx512",
    bounds<Avx512>,
    place<Avx512>,
    copy<Avx512>,
    sum<Avx512>,
    reduce<Avx512>,
    finish<Avx512>,
    move<Avx512>,
    choose_flow<Avx512>,
    list_block<Avx512>,
    stream_entries<Avx512>,
    sort_list,
    {grid_cells<Avx512>, grid_take<Avx512, std::uint32_t, 16>, grid_take<Avx512, std::uint64_t, 8>}};

}  // namespace horde
