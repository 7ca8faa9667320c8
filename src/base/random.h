// Random numbers as a function of a counter: the same on every thread, rank and device, in any order.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/vec.h"

namespace horde {

// The finaliser of splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
// 2014).
HORDE_HD inline std::uint64_t mix64(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Folds one more value into a running mix; order matters.
HORDE_HD inline std::uint64_t mix64(std::uint64_t state, std::uint64_t value) {
    return mix64(state ^ mix64(value));
}

// What a number is drawn for: numbers of different uses never meet.
enum class RandomUse : std::uint64_t {
    kGoalCell = 1,
    kCellOrder,
    kGoal,
    kJitterX,
    kJitterY,
    kBox,                  // and the next two, one for each axis
    kStartComponent = 12,  // and the next two
    kHeading = 16,
    kSpeed,
    kRespawnCell,
    kVerify,
    kNoise,
    kStartSpeed,
    kNoiseTurn,
    kPush,
    kSpawner,  // and the next three
};

HORDE_HD inline std::uint64_t random64(std::uint64_t seed, std::uint64_t id, std::uint64_t frame,
                                       RandomUse use) {
    return mix64(mix64(mix64(seed, id), frame), static_cast<std::uint64_t>(use));
}

// Uniform in [0, 1) in steps of 2^-24 (float) or 2^-53 (double), each exact in its type.
template <class Real = float>
HORDE_HD inline Real to_unit_interval(std::uint64_t bits) {
    if constexpr (sizeof(Real) == 4) {
        return static_cast<float>(static_cast<std::uint32_t>(bits >> 40)) * 0x1p-24f;
    } else {
        return static_cast<double>(bits >> 11) * 0x1p-53;
    }
}

HORDE_HD inline float random01(std::uint64_t seed, std::uint64_t id, std::uint64_t frame, RandomUse use) {
    return to_unit_interval(random64(seed, id, frame, use));
}

// Uniform in [0, n) for n up to 2^32, as near as 32 bits allow.
HORDE_HD inline std::uint64_t bounded(std::uint64_t bits, std::uint64_t n) {
    return ((bits >> 32) * n) >> 32;
}

// A direction, uniform on the circle or sphere, drawn from `key` by rejection from the cube: no libm.
template <int D, class Real = float>
HORDE_HD inline Vec<D, Real> hashed_direction(std::uint64_t key) {
    for (;;) {
        Vec<D, Real> v;
        for (int k = 0; k < D; ++k) {
            key = mix64(key);
            v[k] = to_unit_interval<Real>(key) * Real(2) - Real(1);
        }
        const Real squared = dot(v, v);
        if (squared > Real(0.01) && squared <= Real(1)) return v / std::sqrt(squared);
    }
}

}  // namespace horde
