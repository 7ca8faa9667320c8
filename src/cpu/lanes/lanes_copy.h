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

// 1.5 * 2^23: added to a whole number below 2^22, its bits count in ones.
constexpr float kMagic = 12582912.0f;
constexpr float kFarAway = 1e30f;  // the offset of padding: its square is infinite

inline std::int32_t bits_of(float v) {
    std::int32_t bits;
    std::memcpy(&bits, &v, sizeof bits);
    return bits;
}

// What a copy needs beside its run: in registers while the runs of a block last.
template <class L, int D, bool kVelocities>
struct Copying {
    typename L::F half[D];  // of the box, metres
    typename L::F keep2, per_unit, velocity_per_unit;
    float* offset[D];
    std::int32_t* velocity[D];

    Copying(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates)
        : keep2(L::set(rule.keep2)),
          per_unit(L::set(rule.per_unit)),
          velocity_per_unit(L::set(rule.velocity_per_unit)) {
        for (int k = 0; k < D; ++k) {
            half[k] = L::set(block.half[k]);
            offset[k] = candidates.offset[k];
            velocity[k] = candidates.velocity[k];
        }
    }

    // Is a point within reach of the box? Rounding may err by some 2^-22, which keep2 covers.
    typename L::M near(typename L::M valid, const typename L::F (&metres)[D]) const {
        typename L::F d2 = L::zero();
        for (int k = 0; k < D; ++k) {
            const auto outside = L::sub(L::larger_size(metres[k], half[k]), half[k]);
            d2 = k == 0 ? L::mul(outside, outside) : L::mul_add(outside, outside, d2);
        }
        return L::le_where(valid, d2, keep2);
    }
};

// Places of candidates, metres from the centre: by a subtraction that is exact for all that can be
// neighbours.
template <class L, int D>
struct Here {
    const float* position[D];
    typename L::F centre[D];

    Here(const LaneBlock& block, const LaneRun& run) {
        for (int k = 0; k < D; ++k) {
            position[k] = block.position[k] + run.begin;
            centre[k] = L::set(block.centre[k]);
        }
    }
    typename L::F load(typename L::M valid, int k, std::int32_t i) const {
        return L::sub(L::load_where(valid, position[k] + i), centre[k]);
    }
};

// The same across a seam, where only double holds the sum with the length exactly.
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

// Appends a run and returns the new size. Scaling by a power of two is exact, so that the one rounding of
// mul_add is that of the addition.
template <class L, int D, bool kVelocities, class Places>
inline std::int64_t copy_run(const Copying<L, D, kVelocities>& copying, const LaneBlock& block,
                             const LaneRun& run, std::int64_t size) {
    const auto magic = L::set(kMagic);
    const Places places(block, run);
    for (std::int32_t i = 0; i < run.count; i += L::kWidth) {
        const auto valid = L::first(run.count - i);
        typename L::F metres[D];
        for (int k = 0; k < D; ++k) metres[k] = places.load(valid, k, i);
        const auto keep = copying.near(valid, metres);
        const auto pack = L::pack(keep);
        for (int k = 0; k < D; ++k) {
            L::store_packed(pack, copying.offset[k] + size, L::mul_add(metres[k], copying.per_unit, magic));
            if constexpr (kVelocities) {
                const auto v = L::load_where(valid, block.velocity[k] + run.begin + i);
                L::store_packed(pack, copying.velocity[k] + size,
                                L::bits(L::mul_add(v, copying.velocity_per_unit, magic)));
            }
        }
        size += L::count(keep);
    }
    return size;
}

template <class L, int D, bool kVelocities>
void copy_runs(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs, std::int64_t run_count,
               LaneCandidates& candidates) {
    const Copying<L, D, kVelocities> copying(rule, block, candidates);
    std::int64_t size = 0;
    for (std::int64_t r = 0; r < run_count; ++r) {
        size = runs[r].shifted ? copy_run<L, D, kVelocities, BeyondSeam<L, D>>(copying, block, runs[r], size)
                               : copy_run<L, D, kVelocities, Here<L, D>>(copying, block, runs[r], size);
    }
    for (int k = 0; k < D; ++k) {
        L::store(candidates.offset[k] + size, L::set(kFarAway));
        if constexpr (kVelocities) L::store(candidates.velocity[k] + size, L::zero_int());
    }
    candidates.size = (size + L::kWidth - 1) / L::kWidth * L::kWidth;
}

}  // namespace
}  // namespace horde
