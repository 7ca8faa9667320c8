// Four lanes in the vector types of g++ and clang, which exist on every machine.
#include "cpu/lanes/lane_sets.h"
#include "cpu/lanes/lanes_finish.h"
#include "cpu/lanes/lanes_list.h"
#include "cpu/lanes/lanes_move.h"
#include "cpu/lanes/lanes_place.h"
#include "cpu/lanes/lanes_sum.h"

namespace horde {
namespace {

struct Portable {
    static constexpr int kWidth = 4;
    typedef float F __attribute__((vector_size(16)));
    typedef std::int32_t I __attribute__((vector_size(16)));
    typedef std::uint32_t U __attribute__((vector_size(16)));  // wraps
    using M = I;                                               // -1 or 0 in each lane
    using Pack = M;
    using Order = M;

    static F set(float v) { return F{v, v, v, v}; }
    static I set(std::int32_t v) { return I{v, v, v, v}; }
    static F zero() { return F{}; }
    static I zero_int() { return I{}; }
    static F load(const float* p) {
        F v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    static I load(const std::int32_t* p) {
        I v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    static F load_where(M m, const float* p) {
        F v{};
        for (int n = 0; n < 4 && m[n]; ++n) v[n] = p[n];
        return v;
    }
    static void store(float* p, F v) { std::memcpy(p, &v, sizeof v); }
    static void store(std::int32_t* p, I v) { std::memcpy(p, &v, sizeof v); }
    static F add(F a, F b) { return a + b; }
    static F sub(F a, F b) { return a - b; }
    static F mul(F a, F b) { return a * b; }
    static F mul_add(F a, F b, F c) { return a * b + c; }
    static F larger_size(F a, F b) { return max(max(a, -a), b); }
    static F add_double(F a, double b) {
        for (int n = 0; n < 4; ++n) a[n] = static_cast<float>(static_cast<double>(a[n]) + b);
        return a;
    }
    static M without(M a, M b) { return a & ~b; }
    static std::uint32_t mask(M m) {
        return static_cast<std::uint32_t>((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
    }
    static F div(F a, F b) { return a / b; }
    static F sqrt(F a) {
        for (int n = 0; n < 4; ++n) a[n] = __builtin_sqrtf(a[n]);
        return a;
    }
    static F max(F a, F b) { return a > b ? a : b; }
    static M le(F a, F b) { return a <= b; }
    static M lt(F a, F b) { return a < b; }
    static M le_where(M m, F a, F b) { return both(m, le(a, b)); }
    static M both(M a, M b) { return a & b; }
    static M first(std::int32_t n) { return I{0, 1, 2, 3} < I{n, n, n, n}; }
    static std::int32_t count(M m) { return -(m[0] + m[1] + m[2] + m[3]); }
    static I bits(F v) { return (I)v; }
    // Ties to even, see round_to_even. What is too large for an int becomes 0: only lanes that do not count
    // are.
    static F round_float(F v) {
        const F shift = v < set(0.0f) ? set(-0x1p23f) : set(0x1p23f);
        const F size = v < set(0.0f) ? -v : v;
        return size < set(0x1p23f) ? (v + shift) - shift : v;
    }
    static I round(F v) {
        const F size = v < set(0.0f) ? -v : v;
        return __builtin_convertvector(size < set(0x1p30f) ? round_float(v) : set(0.0f), I);
    }
    static I add_where(I sum, M m, I v) { return (I)((U)sum + (U)(m & v)); }

    static I add(I a, I b) { return (I)((U)a + (U)b); }
    static I sub(I a, I b) { return (I)((U)a - (U)b); }
    static I mul(I a, I b) { return (I)((U)a * (U)b); }
    static F to_float(I v) { return __builtin_convertvector(v, F); }
    static F keep(M m, F v) { return (F)(m & (I)v); }
    static F choose(M m, F yes, F no) { return m ? yes : no; }
    static void store_where(M m, float* p, F v) {
        for (int n = 0; n < 4 && m[n]; ++n) p[n] = v[n];
    }
    static Pack pack(M keep) { return keep; }
    template <class T, class V>
    static void store_kept(M keep, T* p, V v) {
        for (int n = 0; n < 4; ++n) {
            *p = v[n];
            p -= keep[n];
        }
    }
    static void store_packed(M keep, float* p, F v) { store_kept(keep, p, v); }
    static void store_packed(M keep, std::int32_t* p, I v) { store_kept(keep, p, v); }

    static Order order(M keep) { return keep; }
    static void store_ordered(Order keep, float* p, F v) { store_kept(keep, p, v); }

    // Each lane added to all after it.
    static I running_sum(I v) {
        v = add(v, I{0, v[0], v[1], v[2]});
        return add(v, I{0, 0, v[0], v[1]});
    }
    static I last(I v) { return set(v[3]); }
    static I look_up(const std::int32_t* p, I at) { return I{p[at[0]], p[at[1]], p[at[2]], p[at[3]]}; }

    // Lane n is the sum of row n of four rows of four.
    static I sum_rows(const std::int32_t* rows) {
        I sums{};
        for (int n = 0; n < 4; ++n) {
            const I row = load(rows + 4 * n);
            const I pair = add(row, I{row[2], row[3], 0, 0});
            sums[n] = add(pair, I{pair[1], 0, 0, 0})[0];
        }
        return sums;
    }

    static M other_where(M m, I a, I b) { return m & (a != b); }
    // As offset_between computes it.
    static F nearest_image(F to, float from, double length) {
        for (int n = 0; n < 4; ++n) {
            double offset = static_cast<double>(to[n]) - static_cast<double>(from);
            if (offset < -0.5 * length) offset += length;
            if (offset >= 0.5 * length) offset -= length;
            to[n] = static_cast<float>(offset);
        }
        return to;
    }
    static F min(F a, F b) { return a < b ? a : b; }
    static float least(F v) {
        const float a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
        return a < b ? a : b;
    }
    static float greatest(F v) {
        const float a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
        return a > b ? a : b;
    }
    static M same(I a, I b) { return a == b; }
    static void stream(std::int32_t* p, I v) { store(p, v); }
    static void stream_end() {}
};

}  // namespace

// Rows of flow and the loops of the grid (none here) by the scalar routines: compilers find lanes of this
// width in them by themselves.
const LaneSet kPortableLanes = {4,
                                "portable",
                                bounds<Portable>,
                                place<Portable>,
                                copy<Portable>,
                                sum<Portable>,
                                reduce<Portable>,
                                finish<Portable>,
                                move<Portable>,
                                choose_row_steps,
                                list_block<Portable>,
                                stream_entries<Portable>,
                                sort_entries,
                                {}};

}  // namespace horde
