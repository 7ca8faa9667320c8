/// What a generated city promises.
#include <gtest/gtest.h>

#include "horde/error.h"
#include "horde/scene.h"

namespace horde {
namespace {

std::size_t free_cells(const Map& map) {
    std::size_t count = 0;
    for (const std::uint8_t cost : map.cost) count += cost != kWallCost;
    return count;
}

/// 64-bit FNV-1a over the costs.
std::uint64_t checksum(const Map& map) {
    std::uint64_t sum = 0xcbf29ce484222325ull;
    for (const std::uint8_t cost : map.cost) sum = (sum ^ cost) * 0x100000001b3ull;
    return sum;
}

/// Free cells reached from the first one, by straight steps and by diagonal ones past two free sides.
std::size_t reached_cells(const Map& map) {
    std::vector<char> seen(map.cost.size(), 0);
    std::vector<Cell> open;
    for (std::int32_t i = 0; open.empty() && i < map.columns * map.rows; ++i) {
        const Cell cell{i % map.columns, i / map.columns};
        if (map.is_free(cell)) open.push_back(cell);
    }
    std::size_t count = 0;
    if (!open.empty()) seen[map.index(open[0])] = 1;
    while (!open.empty()) {
        const Cell cell = open.back();
        open.pop_back();
        ++count;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell next{cell.column + dx, cell.row + dy};
                if (!map.is_free(next) || seen[map.index(next)]) continue;
                const bool sides =
                    map.is_free({cell.column + dx, cell.row}) && map.is_free({cell.column, cell.row + dy});
                if (!sides) continue;
                seen[map.index(next)] = 1;
                open.push_back(next);
            }
        }
    }
    return count;
}

TEST(City, EveryFreeCellIsReachableFromEveryOther) {
    const std::pair<int, int> sides[] = {{32, 32},   {33, 100},  {100, 33},   {64, 64},
                                         {256, 256}, {257, 511}, {1024, 1024}};
    for (const auto& [columns, rows] : sides) {
        for (const std::uint64_t seed : {1ull, 2ull, 0xffffffffffffffffull}) {
            const Map map = generate_city(columns, rows, seed, 1.0);
            ASSERT_EQ(map.cost.size(), static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
            EXPECT_EQ(reached_cells(map), free_cells(map)) << columns << " x " << rows << " seed " << seed;
        }
    }
}

TEST(City, AboutHalfOfItIsFree) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Map map = generate_city(256, 256, seed, 1.0);
        const double share = static_cast<double>(free_cells(map)) / (256.0 * 256.0);
        EXPECT_GE(share, 0.45) << "seed " << seed;
        EXPECT_LE(share, 0.65) << "seed " << seed;
    }
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        EXPECT_GE(free_cells(generate_city(32, 32, seed, 1.0)), 250u) << "seed " << seed;
    }
}

TEST(City, HasStreetsParksAndWallsAndNothingElse) {
    const Map map = generate_city(256, 256, 1, 2.0);
    EXPECT_EQ(map.cell_size, 2.0);
    std::size_t lawn = 0;
    for (const std::uint8_t cost : map.cost) {
        EXPECT_TRUE(cost == 1 || cost == 3 || cost == kWallCost) << int{cost};
        lawn += cost == 3;
    }
    EXPECT_GT(lawn, 500u);
}

TEST(City, IsTheSameEverywhereAndAnotherForEverySeed) {
    EXPECT_EQ(checksum(generate_city(256, 256, 1, 1.0)), 10948199457487247129ull);
    EXPECT_EQ(checksum(generate_city(33, 100, 7, 1.0)), 10647338702275899755ull);
    EXPECT_EQ(checksum(generate_city(1024, 700, 3, 1.0)), 7059906614833941891ull);
    EXPECT_NE(checksum(generate_city(256, 256, 1, 1.0)), checksum(generate_city(256, 256, 2, 1.0)));
}

TEST(City, RefusesSidesItCannotFill) {
    EXPECT_THROW(generate_city(31, 64, 1, 1.0), Error);
    EXPECT_THROW(generate_city(64, 31, 1, 1.0), Error);
    EXPECT_THROW(generate_city(kMaxMapSide + 1, 64, 1, 1.0), Error);
    EXPECT_THROW(generate_city(64, -5, 1, 1.0), Error);
    EXPECT_THROW(generate_city(64, 64, 1, 0.0), Error);
    EXPECT_THROW(generate_city(64, 64, 1, -1.0), Error);
}

}  // namespace
}  // namespace horde
