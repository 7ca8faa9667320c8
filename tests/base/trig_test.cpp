#include "base/trig.h"

#include <gtest/gtest.h>

#include <cmath>

namespace horde {
namespace {

TEST(Trig, AgreesWithTheLibraryOverManyTurns) {
    const double two_pi = 2.0 * std::acos(-1.0);
    for (int n = -40000; n <= 40000; ++n) {
        const double turns = n / 8192.0 + n * 1e-7;
        const SinCos<double> fine = sin_cos_turns(turns);
        ASSERT_NEAR(fine.sin, std::sin(turns * two_pi), 1e-14);
        ASSERT_NEAR(fine.cos, std::cos(turns * two_pi), 1e-14);
        const auto coarse_turns = static_cast<float>(turns);
        const SinCos<float> coarse = sin_cos_turns(coarse_turns);
        ASSERT_NEAR(coarse.sin, std::sin(static_cast<double>(coarse_turns) * two_pi), 3e-7);
        ASSERT_NEAR(coarse.cos, std::cos(static_cast<double>(coarse_turns) * two_pi), 3e-7);
    }
}

TEST(Trig, QuartersAreExact) {
    EXPECT_EQ(sin_cos_turns(0.25f).sin, 1.0f);
    EXPECT_EQ(sin_cos_turns(0.5f).cos, -1.0f);
    EXPECT_EQ(sin_cos_turns(0.75).sin, -1.0);
    EXPECT_EQ(sin_cos_turns(-0.25).sin, -1.0);
    EXPECT_EQ(sin_cos_turns(1.0).cos, 1.0);
}

}  // namespace
}  // namespace horde
