#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace horde {
namespace {

TEST(Random, IsAFunctionOfSeedIdFrameAndUse) {
    const auto draw = [](std::uint64_t seed, std::uint64_t id, std::uint64_t frame, RandomUse use) {
        return random64(seed, id, frame, use);
    };
    const std::uint64_t first = draw(1, 2, 3, RandomUse::kGoal);
    EXPECT_EQ(first, draw(1, 2, 3, RandomUse::kGoal));
    EXPECT_NE(first, draw(2, 2, 3, RandomUse::kGoal));
    EXPECT_NE(first, draw(1, 3, 3, RandomUse::kGoal));
    EXPECT_NE(first, draw(1, 2, 4, RandomUse::kGoal));
    EXPECT_NE(first, draw(1, 2, 3, RandomUse::kSpeed));
    EXPECT_NE(draw(1, 2, 3, RandomUse::kGoal), draw(2, 1, 3, RandomUse::kGoal));  // no symmetry to fall into
}

// Pearson's chi squared over 64 bins of 64,000 draws: 63 degrees of freedom, so 120 has a chance of 2e-5.
TEST(Random, IsUniformOverIdsAndOverFrames) {
    for (const bool over_ids : {true, false}) {
        std::array<int, 64> bins{};
        for (std::uint64_t n = 0; n < 64000; ++n) {
            const float u =
                over_ids ? random01(7, n, 0, RandomUse::kSpeed) : random01(7, 5, n, RandomUse::kSpeed);
            ASSERT_GE(u, 0.0f);
            ASSERT_LT(u, 1.0f);
            ++bins[static_cast<std::size_t>(u * 64.0f)];
        }
        double chi_squared = 0.0;
        for (const int in_bin : bins) chi_squared += (in_bin - 1000.0) * (in_bin - 1000.0) / 1000.0;
        EXPECT_LT(chi_squared, 120.0);
    }
}

TEST(Random, BoundedReachesBothEndsAndNoFurther) {
    EXPECT_EQ(bounded(0, 10), 0u);
    EXPECT_EQ(bounded(~std::uint64_t{0}, 10), 9u);
    EXPECT_EQ(bounded(~std::uint64_t{0}, 1), 0u);
    EXPECT_EQ(bounded(~std::uint64_t{0}, 0x100000000ull), 0xffffffffull);
}

template <int D>
void expect_uniform_directions() {
    double mean[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
    constexpr int kDraws = 20000;
    for (int n = 0; n < kDraws; ++n) {
        const Vec<D> v = hashed_direction<D>(mix64(static_cast<std::uint64_t>(n)));
        ASSERT_NEAR(norm(v), 1.0f, 1e-6f);
        for (int k = 0; k < D; ++k) {
            mean[k] += v[k] / static_cast<double>(kDraws);
            squares[k] += v[k] * v[k] / static_cast<double>(kDraws);
        }
    }
    for (int k = 0; k < D; ++k) {
        EXPECT_NEAR(mean[k], 0.0, 0.02);
        EXPECT_NEAR(squares[k], 1.0 / D, 0.02);
    }
}

TEST(Random, HashedDirectionsAreUniformUnitVectors) {
    expect_uniform_directions<2>();
    expect_uniform_directions<3>();
}

}  // namespace
}  // namespace horde
