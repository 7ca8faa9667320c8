#include "base/lattice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace horde {
namespace {

RC_GTEST_PROP(Lattice, RoundsAsNearbyintDoes, (std::int32_t mantissa, std::uint8_t shift)) {
    const float v = std::ldexp(static_cast<float>(mantissa), -static_cast<int>(shift % 40));
    RC_ASSERT(round_to_even(v) == std::nearbyintf(v));
}

TEST(Lattice, RoundsTiesToEven) {
    EXPECT_EQ(round_to_even(0.5f), 0.0f);
    EXPECT_EQ(round_to_even(1.5f), 2.0f);
    EXPECT_EQ(round_to_even(2.5f), 2.0f);
    EXPECT_EQ(round_to_even(-0.5f), 0.0f);
    EXPECT_EQ(round_to_even(-1.5f), -2.0f);
    EXPECT_EQ(round_to_even(8388607.5f), 8388608.0f);
    EXPECT_EQ(round_to_even(1e20f), 1e20f);
}

TEST(Lattice, UnitIsTheLargestPowerOfTwoAtMost2ToTheMinus18OfTheScale) {
    for (const float scale : {1.0f, 0.75f, 1.5f, 2.0f, 60.0f, 1e-3f, 1e4f}) {
        const Lattice lattice = lattice_for(scale);
        EXPECT_LE(lattice.unit, scale * 0x1p-18f);
        EXPECT_GT(lattice.unit * 2.0f, scale * 0x1p-18f);
        int exponent = 0;
        EXPECT_EQ(std::frexp(lattice.unit, &exponent), 0.5f);
        EXPECT_EQ(lattice.unit * lattice.per_unit, 1.0f);
    }
}

// What sums in integers rest on: snapped positions are whole numbers of units at any distance from the
// origin, and offsets of neighbours are exact in float.
RC_GTEST_PROP(Lattice, OffsetsOfNeighboursAreExact, ()) {
    const float radius = 1.0f;
    const Lattice lattice = lattice_for(radius);
    const auto far = *rc::gen::element(0.0, 3.0, 100.0, 1e4, 1e6, 1e7);
    const double a = far + *rc::gen::inRange(-1000000, 1000000) * 1e-6;
    const double b = a + *rc::gen::inRange(-1000000, 1000000) * 1e-6;
    const float x = lattice.snap(static_cast<float>(a)), y = lattice.snap(static_cast<float>(b));
    RC_ASSERT(lattice.snap(x) == x);
    const double units = static_cast<double>(x) / lattice.unit;
    RC_ASSERT(units == std::floor(units));
    RC_ASSERT(static_cast<double>(y - x) == static_cast<double>(y) - static_cast<double>(x));
}

}  // namespace
}  // namespace horde
