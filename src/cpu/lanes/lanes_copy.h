// Copying the candidates of a block, written once over a struct of lane operations `L` that each lane file
// defines before it includes this file. Everything is in an anonymous namespace: see lanes.h.
//
//   L::kWidth; L::F, L::I floats and 32-bit integers in lanes; L::M a truth for each lane; L::Pack an order
//   of lanes
#pragma once

#include <cstring>

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

constexpr float kFarAway = 1e30f;  // the offset of padding: its square is infinite

inline std::int32_t bits_of(float v) {
    std::int32_t bits;
    std::memcpy(&bits, &v, sizeof bits);
    return bits;
}

// What a copy needs beside its run: in registers while the runs of a block last.
template <class L, int D, bool kSpeeds, bool kPushes>
struct Copying {
    typename L::F half[D];  // of the box, metres
    typename L::F keep2, keep_near2, per_unit, velocity_per_unit;
    const float* velocity[D];
    float* next;  // where the next candidate goes, and the next near one
    float* next_near;

    Copying(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates)
        : keep2(L::set(rule.keep2)),
          keep_near2(L::set(rule.keep_near2)),
          per_unit(L::set(rule.per_unit)),
          velocity_per_unit(L::set(rule.velocity_per_unit)),
          next(candidates.columns),
          next_near(candidates.columns + kNear) {
        for (int k = 0; k < D; ++k) {
            half[k] = L::set(block.half[k]);
            velocity[k] = block.velocity[k];
        }
    }

    // Square of the distance to the box. Rounding may err by some 2^-22, which keep2 covers.
    typename L::F from_box(const typename L::F (&metres)[D]) const {
        typename L::F d2 = L::zero();
        for (int k = 0; k < D; ++k) {
            const auto outside = L::sub(L::larger_size(metres[k], half[k]), half[k]);
            d2 = k == 0 ? L::mul(outside, outside) : L::mul_add(outside, outside, d2);
        }
        return d2;
    }

    // Appends a vector of candidates, those from number `i` on. Scaling by a power of two is exact, so that
    // the one rounding of mul_add is that of the addition.
    void append(typename L::M valid, const typename L::F (&metres)[D], std::int64_t i) {
        const auto magic = L::set(kMagic);
        const auto d2 = from_box(metres);
        const auto keep = L::le_where(valid, d2, keep2);
        const auto order = L::order(keep);
        typename L::F place[D];
        for (int k = 0; k < D; ++k) {
            place[k] = L::mul_add(metres[k], per_unit, magic);
            L::store_ordered(order, next + kOffsets + k * kColumn, place[k]);
            if constexpr (kSpeeds) {
                const auto v = L::mul_add(L::load_where(valid, velocity[k] + i), velocity_per_unit, magic);
                L::store_ordered(order, next + kVelocities + k * kColumn, v);
            }
        }
        next += L::count(keep);
        if constexpr (kPushes) {
            const auto close = L::le_where(valid, d2, keep_near2);
            const auto order_close = L::order(close);
            for (int k = 0; k < D; ++k) L::store_ordered(order_close, next_near + k * kColumn, place[k]);
            next_near += L::count(close);
        }
    }
};

// Places of candidates across a seam, metres from the centre: only double holds the sum with the length
// exactly.
template <class L, int D>
struct BeyondSeam {
    const float* position[D];
    double to_centre[D];

    BeyondSeam(const LaneBlock& block, const LaneRun& run) {
        for (int k = 0; k < D; ++k) {
            position[k] = block.position[k] + run.begin;
            to_centre[k] = run.shift[k] * block.length[k] - static_cast<double>(block.centre[k]);
        }
    }
    typename L::F load(typename L::M valid, int k, std::int32_t i) const {
        return L::add_double(L::load_where(valid, position[k] + i), to_centre[k]);
    }
};

template <class L, int D, class Copy>
inline void copy_shifted(Copy& copying, const LaneBlock& block, const LaneRun& run) {
    const BeyondSeam<L, D> places(block, run);
    for (std::int32_t i = 0; i < run.count; i += L::kWidth) {
        const auto valid = L::first(run.count - i);
        typename L::F metres[D];
        for (int k = 0; k < D; ++k) metres[k] = places.load(valid, k, i);
        copying.append(valid, metres, run.begin + i);
    }
}

// At most a vector of a run.
struct Piece {
    std::int64_t begin;
    std::int64_t count;  // no fewer than this: a whole vector if there are more
};

constexpr int kPieces = 64;

template <class L, int D, class Copy>
inline void copy_pieces(Copy& copying, const LaneBlock& block, const Piece* pieces, std::int64_t count) {
    typename L::F centre[D];
    const float* position[D];
    for (int k = 0; k < D; ++k) {
        centre[k] = L::set(block.centre[k]);
        position[k] = block.position[k];
    }
    for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t i = pieces[n].begin;
        const auto valid = L::first(static_cast<std::int32_t>(pieces[n].count));
        typename L::F metres[D];
        for (int k = 0; k < D; ++k) metres[k] = L::sub(L::load_where(valid, position[k] + i), centre[k]);
        copying.append(valid, metres, i);
    }
}

// Pads columns to whole vectors and returns their size then.
template <class L, int D>
inline std::int64_t pad(const float* first, float* end) {
    for (int k = 0; k < D; ++k) L::store(end + k * kColumn, L::set(kFarAway));
    return (end - first + L::kWidth - 1) / L::kWidth * L::kWidth;
}

template <class L, int D, bool kSpeeds, bool kPushes>
void copy_runs(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs, std::int64_t run_count,
               LaneCandidates& candidates) {
    Copying<L, D, kSpeeds, kPushes> copying(rule, block, candidates);
    Piece pieces[kPieces + 3];
    std::int64_t size = 0;
    for (std::int64_t r = 0; r < run_count; ++r) {
        const LaneRun& run = runs[r];
        if (run.shifted) {
            copy_shifted<L, D>(copying, block, run);
            continue;
        }
        for (std::int32_t i = 0; i < run.count; i += 3 * L::kWidth) {
            for (int n = 0; n < 3; ++n)
                pieces[size + n] = {run.begin + i + n * L::kWidth, run.count - i - n * L::kWidth};
            const std::int32_t left = (run.count - i + L::kWidth - 1) / L::kWidth;
            size += left < 3 ? left : 3;
            if (size >= kPieces) {
                copy_pieces<L, D>(copying, block, pieces, size);
                size = 0;
            }
        }
    }
    copy_pieces<L, D>(copying, block, pieces, size);
    candidates.size = pad<L, D>(candidates.columns, copying.next);
    for (int k = 0; k < D && kSpeeds; ++k) {
        L::store(copying.next + kVelocities + k * kColumn, L::zero());
    }
    candidates.near_size =
        kPushes ? pad<L, D>(candidates.columns + kNear, copying.next_near) : candidates.size;
}

template <class L, int D>
void copy_in(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs, std::int64_t run_count,
             LaneCandidates& candidates) {
    switch (rule.push) {
        case LanePush::kNone:
            return copy_runs<L, D, true, false>(rule, block, runs, run_count, candidates);
        case LanePush::kFlock:
            return copy_runs<L, D, true, true>(rule, block, runs, run_count, candidates);
        case LanePush::kCrowd:
            return copy_runs<L, D, false, false>(rule, block, runs, run_count, candidates);
    }
}

template <class L>
void copy(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs, std::int64_t run_count,
          LaneCandidates& candidates) {
    (rule.dim == 2 ? copy_in<L, 2> : copy_in<L, 3>)(rule, block, runs, run_count, candidates);
}

}  // namespace
}  // namespace horde
