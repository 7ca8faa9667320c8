// Slopes and crowds as costs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "field_maps.h"
#include "horde/scene.h"
#include "sim/field/density.h"
#include "sim/field/heights.h"

namespace horde {
namespace {

constexpr double kLimits[] = {0.3, 0.6, 1.0};
constexpr std::uint8_t kCosts[] = {0, 3, 8};

std::vector<std::uint8_t> costs_of(const Map& map, const std::vector<float>& heights) {
    return slope_costs(map, heights, kLimits, kCosts);
}

TEST(Slope, CostsWhatTheSteepestRiseBesideACellSays) {
    const Map map{6, 1, 1.0, std::vector<std::uint8_t>(6, 1)};
    // Rises of 0.25, 0.5, 0.75, 1.5 and back down by 0.25.
    EXPECT_EQ(costs_of(map, {0.0f, 0.25f, 0.75f, 1.5f, 3.0f, 2.75f}),
              (std::vector<std::uint8_t>{0, 3, 8, kWallCost, kWallCost, 0}));
    const Map column{1, 3, 0.5, std::vector<std::uint8_t>(3, 1)};
    EXPECT_EQ(costs_of(column, {0.0f, 0.0f, 0.25f}), (std::vector<std::uint8_t>{0, 3, 3}))
        << "a quarter of a metre in cells of half a metre";
}

TEST(Slope, LimitsBelongToWhatIsAboveThem) {
    const Map map{2, 1, 1.0, {1, 1}};
    const double limits[] = {0.25, 0.5};
    const std::uint8_t costs[] = {1, 2};
    const auto both = [&](float rise) {
        return slope_costs(map, std::vector<float>{0.0f, rise}, limits, costs);
    };
    EXPECT_EQ(both(0.2499f)[0], 1);
    EXPECT_EQ(both(0.25f)[0], 2);
    EXPECT_EQ(both(-0.25f)[1], 2);
    EXPECT_EQ(both(0.4999f)[0], 2);
    EXPECT_EQ(both(0.5f)[0], kWallCost);
}

TEST(Slope, DiagonalNeighboursDoNotCount) {
    const Map map{2, 2, 1.0, {1, 1, 1, 1}};
    EXPECT_EQ(costs_of(map, {0.0f, 0.2f, 0.2f, 0.4f}), (std::vector<std::uint8_t>{0, 0, 0, 0}));
}

TEST(Heights, AreBilinearBetweenCentresAndLevelBeyondThem) {
    const Map map{3, 2, 2.0, std::vector<std::uint8_t>(6, 1)};
    const std::vector<float> heights = {0.0f, 4.0f, 8.0f, 2.0f, 4.0f, 16.0f};
    EXPECT_EQ(height_between(map, heights, 0.5, 0.5), 0.0);
    EXPECT_EQ(height_between(map, heights, 1.5, 1.5), 4.0);
    EXPECT_EQ(height_between(map, heights, 1.0, 0.5), 2.0);
    EXPECT_EQ(height_between(map, heights, 2.0, 1.0), 8.0) << "mean of 4, 8, 4 and 16";
    EXPECT_EQ(height_between(map, heights, 0.0, 0.0), 0.0);
    EXPECT_EQ(height_between(map, heights, 3.0, 2.0), 16.0);
    const Map one{1, 1, 1.0, {1}};
    EXPECT_EQ(height_between(one, std::vector<float>{7.0f}, 0.1, 0.9), 7.0);
}

TEST(Heights, OfHillsAreSmoothAndTheSameEveryTime) {
    const Map map{80, 60, 1.0, std::vector<std::uint8_t>(4800, 1)};
    const std::vector<float> hills = generate_hills(map, 10.0, 20.0, 3);
    EXPECT_EQ(hills, generate_hills(map, 10.0, 20.0, 3));
    EXPECT_NE(hills, generate_hills(map, 10.0, 20.0, 4));
    const auto [least, most] = std::minmax_element(hills.begin(), hills.end());
    EXPECT_GE(*least, 0.0f);
    EXPECT_LE(*most, 10.0f);
    EXPECT_GT(*most - *least, 5.0f);
    for (std::size_t c = 1; c < hills.size(); ++c) {
        if (c % 80 != 0) {
            EXPECT_LT(std::fabs(hills[c] - hills[c - 1]), 2.0f);
        }
    }
}

struct Places {
    std::vector<float> x, y;
    CrowdPlaces view(const Map& map) const {
        return {x.data(), y.data(), static_cast<std::int64_t>(x.size()), -0.5 * map.columns * map.cell_size,
                -3.0};
    }
};

Places random_places(std::mt19937& random, const Map& map, int count) {
    Places places;
    std::uniform_real_distribution<float> unit(0.001f, 0.999f);
    const auto cell = static_cast<float>(map.cell_size);
    const auto width = static_cast<float>(map.columns) * cell, height = static_cast<float>(map.rows) * cell;
    for (int n = 0; n < count; ++n) {
        const float u = unit(random);
        places.x.push_back(u * u * width - 0.5f * width);  // thicker on the left
        places.y.push_back(unit(random) * height - 3.0f);
    }
    return places;
}

std::uint8_t plain_density(const Map& map, const Places& places, Cell cell, double gain, int cap) {
    if (!map.is_free(cell)) return 0;
    int agents = 0, free_cells = 0;
    for (int dr = -1; dr <= 1; ++dr) {
        for (int dc = -1; dc <= 1; ++dc) {
            const Cell c{cell.column + dc, cell.row + dr};
            free_cells += map.is_free(c) ? 1 : 0;
            for (std::size_t i = 0; i < places.x.size(); ++i) {
                const double column = (places.x[i] + 0.5 * map.columns * map.cell_size) / map.cell_size;
                const double row = (places.y[i] + 3.0) / map.cell_size;
                agents += std::floor(column) == c.column && std::floor(row) == c.row ? 1 : 0;
            }
        }
    }
    const double wanted = static_cast<float>(gain / (map.cell_size * map.cell_size)) * agents;
    const auto cost = static_cast<float>(wanted) / static_cast<float>(free_cells);
    return static_cast<std::uint8_t>(std::min(std::floor(cost), static_cast<float>(cap)));
}

RC_GTEST_PROP(DensityCost, IsWhatCountingByHandGives, (std::uint32_t seed)) {
    std::mt19937 random(seed);
    Map map =
        random_map(random, 1 + static_cast<int>(random() % 14), 1 + static_cast<int>(random() % 40), 20, 3);
    map.cell_size = 0.5 * static_cast<double>(1 + random() % 3);
    const double gain = 0.25 * static_cast<double>(1 + random() % 12);
    const int cap = random() % 2 == 0 ? 5 : 254;
    Terrain terrain(map, {}, {});
    Density density(map, gain, cap);
    SerialExecutor executor;
    executor.set_grain(1 + static_cast<std::int64_t>(random() % 30));
    for (const int count : {60, 7, 0, 90}) {
        const Places places = random_places(random, map, count);
        density.update(terrain, places.view(map), executor);
        for (Cell c; c.row < map.rows; ++c.row) {
            for (c.column = 0; c.column < map.columns; ++c.column) {
                const auto cell = static_cast<std::uint32_t>(map.index(c));
                RC_ASSERT(int{terrain.densities()[cell]} == int{plain_density(map, places, c, gain, cap)});
            }
        }
        terrain.commit();
    }
    const Places nobody;
    density.update(terrain, nobody.view(map), executor);
    RC_ASSERT(terrain.hash() == 0u);
}

}  // namespace
}  // namespace horde
