// The lattice that state lives on (docs/tour.md, "One answer"): multiples of a power of two, so that offsets
// of neighbours are exact in float and sums can be kept in integers.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/platform.h"

namespace horde {

// Nearest integer, ties to even, as a float. Adding 2^23 leaves no room for a fraction. SSE2 has no such
// instruction, and a call of rintf costs ten times as much.
HORDE_HD inline float round_to_even(float v) {
    if (!(std::fabs(v) < 0x1p23f)) return v;
    const float shift = v < 0.0f ? -0x1p23f : 0x1p23f;
    return (v + shift) - shift;
}

struct Lattice {
    float unit = 1.0f;  // a power of two
    float per_unit = 1.0f;

    // Nearest multiple of the unit. Where a float's own steps are coarser than the unit it is one already.
    HORDE_HD float snap(float v) const { return round_to_even(v * per_unit) * unit; }
};

// The largest power of two at most 2^-18 of `scale` (more than 0).
inline Lattice lattice_for(float scale) {
    int exponent = 0;
    std::frexp(scale, &exponent);  // scale = f * 2^exponent with f in [1/2, 1)
    Lattice lattice;
    lattice.unit = std::ldexp(1.0f, exponent - 1 - 18);
    lattice.per_unit = 1.0f / lattice.unit;
    return lattice;
}

}  // namespace horde
