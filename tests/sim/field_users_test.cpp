// Reports of users of other software that concern costs and distances, by their numbers.
#include <gtest/gtest.h>

#include <vector>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "field_maps.h"
#include "horde/field.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

Map open_map(std::int32_t columns, std::int32_t rows, std::uint8_t cost) {
    return {columns, rows, 1.0, std::vector<std::uint8_t>(static_cast<std::size_t>(columns) * rows, cost)};
}

// A snake of cost 254 from the top left to the bottom left, and beside it, in column 0, a straight way of
// cost 1.
Map snake_beside_a_road(bool road_open) {
    constexpr std::int32_t kSide = 301;
    Map map = open_map(kSide, kSide, 254);
    const auto set = [&](std::int32_t column, std::int32_t row, std::uint8_t cost) {
        map.cost[map.index({column, row})] = cost;
    };
    for (std::int32_t row = 0; row < kSide; ++row) {
        set(0, row, 1);
        if (row > 0 && row < kSide - 1) set(1, row, kWallCost);
        if (row % 2 == 0) continue;
        for (std::int32_t column = 1; column < kSide; ++column) set(column, row, kWallCost);
        set(row % 4 == 1 ? kSide - 1 : 2, row, 254);  // where the snake turns
    }
    if (!road_open) set(0, kSide / 2, kWallCost);
    return map;
}

TEST(Users, U52ACostlyWayNeverWrapsAndTheCheapOneIsTaken) {
    const Cell goal{0, 0};
    const Map open = snake_beside_a_road(true);
    const Field with_road = build_field(open, {&goal, 1});
    EXPECT_EQ(with_road.value(open.index({0, 300})), 300u * kStraightStep);
    EXPECT_EQ(with_road.flow[open.index({1, 300})], Direction::kWest);  // off the snake, on to the road

    const Map closed = snake_beside_a_road(false);
    const Field snake_only = build_field(closed, {&goal, 1});
    EXPECT_TRUE(snake_only.wide());
    EXPECT_GT(snake_only.value(closed.index({1, 300})), std::uint64_t{1} << 32);
    EXPECT_LT(snake_only.value(closed.index({1, 300})), std::uint64_t{1} << 33);
    const Field reference = build_field_reference(closed, {&goal, 1});
    for (std::size_t cell = 0; cell < closed.cost.size(); ++cell)
        ASSERT_EQ(snake_only.value(cell), reference.value(cell));
}

TEST(Users, U54DistancesOnAnOpenMapAreOctile) {
    const Map map = open_map(21, 21, 1);
    const Cell goal{10, 10};
    const Field field = build_field(map, {&goal, 1});
    for (std::int32_t row = 0; row < 21; ++row) {
        for (std::int32_t column = 0; column < 21; ++column) {
            const int dx = std::abs(column - 10), dy = std::abs(row - 10);
            const double octile = std::max(dx, dy) + (std::sqrt(2.0) - 1.0) * std::min(dx, dy);
            const double found = static_cast<double>(field.value(map.index({column, row}))) / kStraightStep;
            EXPECT_NEAR(found, octile, 1e-4) << column << ", " << row;
        }
    }
}

// Peers, item 7: corner cutting, then stuck.
TEST(Users, U55ADiagonalIsRefusedPastOneWallAndBetweenTwo) {
    for (const bool both : {false, true}) {
        Map map = open_map(2, 2, 1);
        map.cost[map.index({1, 0})] = kWallCost;
        if (both) map.cost[map.index({0, 1})] = kWallCost;
        const Cell goal{1, 1};
        const Field field = build_field(map, {&goal, 1});
        const std::size_t start = map.index({0, 0});
        EXPECT_EQ(field.flow[start], both ? Direction::kUnreachable : Direction::kSouth);
        EXPECT_EQ(field.value(start), both ? kUnreachable64 : 2u * kStraightStep);
    }
}

// Manymies #3: diagonals priced as straight steps turn ways into right angles. Against lengths in double.
TEST(Peers, P8WaysAreWithinAThousandthOfTheShortest) {
    std::mt19937 random(8);
    for (int round = 0; round < 10; ++round) {
        Map map = open_map(60, 45, 1);
        for (std::uint8_t& cost : map.cost) cost = random() % 5 == 0 ? kWallCost : 1;
        const Cell goal{30, 20};
        map.cost[map.index(goal)] = 1;
        const Field field = build_field(map, {&goal, 1});
        std::vector<double> length(map.cost.size(), 1e300);
        length[map.index(goal)] = 0.0;
        for (bool changed = true; changed;) {  // until nothing gets shorter
            changed = false;
            for (Cell c; c.row < map.rows; ++c.row) {
                for (c.column = 0; c.column < map.columns; ++c.column) {
                    if (!map.is_free(c)) continue;
                    double& own = length[map.index(c)];
                    for (int dx = -1; dx <= 1; ++dx) {
                        for (int dy = -1; dy <= 1; ++dy) {
                            const Cell to{c.column + dx, c.row + dy};
                            if (!map.is_free(to) || !map.is_free({to.column, c.row}) ||
                                !map.is_free({c.column, to.row}))
                                continue;
                            const double by = length[map.index(to)] + std::sqrt(dx * dx + dy * dy);
                            if (by >= own) continue;
                            own = by;
                            changed = true;
                        }
                    }
                }
            }
        }
        for (std::size_t c = 0; c < map.cost.size(); ++c) {
            if (length[c] > 1e299 || length[c] == 0.0) continue;
            EXPECT_NEAR(static_cast<double>(field.value(c)) / kStraightStep / length[c], 1.0, 0.001);
        }
    }
}

// What a build spends, in the builder's own count: cells taken from its queue, and something for each row.
std::size_t spent_on(const Map& map, Cell goal, Field& field) {
    FieldBuilder builder;
    builder.set_map(map);
    field.goals = {goal};
    builder.begin(field);
    constexpr std::size_t kBudget = 100'000'000;
    std::size_t left = kBudget;
    EXPECT_TRUE(builder.build_some(field, left));
    return kBudget - left;
}

// Item 10: with costs that differ, the front came back to the same cells many times.
TEST(Peers, P10TheFrontTakesHardlyACellTwice) {
    const Cell goal{128, 128};
    Map closed = open_map(256, 256, kWallCost);
    closed.cost[closed.index(goal)] = 1;
    Field field;
    const std::size_t on_rows = spent_on(closed, goal, field) - 1;  // one cell was taken: the goal
    std::mt19937 random(7);
    for (const unsigned greatest_cost : {1u, 10u, 254u}) {
        Map map = random_map(random, 256, 256, 20, greatest_cost);
        map.cost[map.index(goal)] = 1;
        const auto taken = static_cast<double>(spent_on(map, goal, field) - on_rows);
        double reached = 0.0;
        for (std::size_t cell = 0; cell < map.cost.size(); ++cell)
            reached += field.value(cell) != kUnreachable64 ? 1.0 : 0.0;
        EXPECT_GT(reached, 50'000.0);
        EXPECT_GE(taken, reached) << greatest_cost;
        EXPECT_LE(taken, 1.2 * reached) << greatest_cost;
    }
}

}  // namespace
}  // namespace horde
