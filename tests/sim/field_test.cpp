#include "horde/field.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "field_maps.h"
#include "horde/error.h"
#include "sim/field/directions.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

// Empty if the field of the fast way is the field of the heap, else the first difference.
std::string difference(const Field& fast, const Field& slow) {
    if (fast.columns != slow.columns || fast.rows != slow.rows || fast.flow.size() != slow.flow.size())
        return "another size";
    for (std::size_t i = 0; i < slow.flow.size(); ++i) {
        const std::string where = " in cell " + std::to_string(i);
        if (fast.value(i) != slow.value(i))
            return std::to_string(fast.value(i)) + " instead of " + std::to_string(slow.value(i)) + where;
        if (fast.flow[i] != slow.flow[i]) return "another direction" + where;
    }
    return "";
}

std::string difference(const Map& map, const std::vector<Cell>& goals) {
    return difference(build_field(map, goals), build_field_reference(map, goals));
}

// Walks every cell's way by the directions alone and adds up what it costs.
void expect_flow_costs_what_integration_says(const Map& map, const Field& field) {
    for (Cell start; start.row < map.rows; ++start.row) {
        for (start.column = 0; start.column < map.columns; ++start.column) {
            if (field.flow[map.index(start)] == Direction::kUnreachable) {
                ASSERT_EQ(field.value(map.index(start)), kUnreachable64);
                continue;
            }
            std::uint64_t sum = 0;
            std::size_t steps = 0;
            Cell here = start;
            while (field.flow[map.index(here)] != Direction::kGoal) {
                const auto d = static_cast<std::size_t>(field.flow[map.index(here)]);
                ASSERT_LT(d, 8u);
                const Cell next{here.column + kColumnStep[d], here.row + kRowStep[d]};
                ASSERT_TRUE(map.is_free(next));
                ASSERT_TRUE(map.is_free({next.column, here.row}));
                ASSERT_TRUE(map.is_free({here.column, next.row}));
                sum += std::uint64_t{map.cost[map.index(here)]} * (d < 4 ? 408 : 577);
                here = next;
                ASSERT_LE(++steps, map.cost.size());
            }
            ASSERT_EQ(sum, field.value(map.index(start)));
        }
    }
}

RC_GTEST_PROP(Field, EqualsAHeapDijkstraBitForBit, (unsigned seed)) {
    std::mt19937 random(seed);
    const auto columns = *rc::gen::inRange(0, 90);
    const auto rows = *rc::gen::inRange(0, 60);
    const auto walls = *rc::gen::inRange(0u, 60u);
    const auto greatest = *rc::gen::element(1u, 2u, 10u, 254u);
    const auto goal_count = *rc::gen::element<std::size_t>(0, 1, 1, 2, 5);
    const Map map = random_map(random, columns, rows, walls, greatest);
    const auto goals = random_goals(random, map, goal_count);
    RC_ASSERT(difference(map, goals) == "");
}

RC_GTEST_PROP(Field, EqualsAHeapDijkstraWhereAllCostsAreHigh, (unsigned seed)) {
    std::mt19937 random(seed);
    const auto least = *rc::gen::element(2, 3, 100, 250);
    Map map = random_map(random, 50, 40, 15, static_cast<unsigned>(255 - least));
    for (auto& cost : map.cost) cost = static_cast<std::uint8_t>(cost == kWallCost ? cost : cost + least - 1);
    RC_ASSERT(difference(map, random_goals(random, map, 2)) == "");
}

TEST(Field, EqualsAHeapDijkstraOnEverySmallSize) {
    std::mt19937 random(11);
    for (std::int32_t columns = 0; columns <= 6; ++columns) {
        for (std::int32_t rows = 0; rows <= 6; ++rows) {
            for (int round = 0; round < 20; ++round) {
                const Map map = random_map(random, columns, rows, 25, 9);
                ASSERT_EQ(difference(map, random_goals(random, map, 1 + round % 3)), "");
            }
        }
    }
}

TEST(Field, EqualsAHeapDijkstraOnLongAndThinMaps) {
    std::mt19937 random(12);
    for (const auto& [columns, rows] :
         {std::pair{1, 700}, {700, 1}, {2, 400}, {63, 9}, {64, 9}, {65, 9}, {129, 3}}) {
        const Map map = random_map(random, columns, rows, 1, 254);
        ASSERT_EQ(difference(map, random_goals(random, map, 2)), "") << columns << " x " << rows;
    }
}

TEST(Field, CostsAWayWhatItsDirectionsCost) {
    std::mt19937 random(13);
    for (const unsigned greatest : {1u, 10u, 254u}) {
        for (int round = 0; round < 4; ++round) {
            const Map map = random_map(random, 50, 45, 25, greatest);
            const Field field = build_field(map, random_goals(random, map, 2));
            expect_flow_costs_what_integration_says(map, field);
        }
    }
}

TEST(Field, OfOneCellIsItsGoal) {
    const Field field = build_field(map_of({"."}), std::vector<Cell>{{0, 0}});
    EXPECT_EQ(field.value(0), 0u);
    EXPECT_EQ(field.flow[0], Direction::kGoal);
}

TEST(Field, WithoutGoalsOrFreeCellsIsUnreachable) {
    for (const Map& map : {map_of({"..", ".#"}), map_of({"##", "##"})}) {
        const Field field = build_field(map, {});
        ASSERT_EQ(field.flow.size(), 4u);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(field.value(i), kUnreachable64);
            EXPECT_EQ(field.flow[i], Direction::kUnreachable);
        }
    }
    EXPECT_TRUE(build_field(Map{}, {}).flow.empty());
}

TEST(Peers, P7AFieldTakesNoDiagonalBetweenTwoWalls) {
    const Field field = build_field(map_of({"#.", ".#"}), std::vector<Cell>{{1, 0}});
    EXPECT_EQ(field.value(2), kUnreachable64);
    EXPECT_EQ(field.flow[2], Direction::kUnreachable);
}

TEST(Peers, P7AFieldTakesNoDiagonalPastOneWall) {
    const Field field = build_field(map_of({"#.", ".."}), std::vector<Cell>{{1, 0}});
    EXPECT_EQ(field.value(2), 2u * 408u);
    EXPECT_EQ(field.flow[2], Direction::kEast);
}

TEST(Field, HasOctileDistancesOnAnEmptyMap) {
    const Map map{21, 21, 1.0, std::vector<std::uint8_t>(441, 1)};
    const Field field = build_field(map, std::vector<Cell>{{10, 10}});
    EXPECT_FALSE(field.wide());
    for (Cell c; c.row < 21; ++c.row) {
        for (c.column = 0; c.column < 21; ++c.column) {
            const int dx = std::abs(c.column - 10), dy = std::abs(c.row - 10);
            const int diagonal = std::min(dx, dy), straight = std::max(dx, dy) - diagonal;
            ASSERT_EQ(field.value(map.index(c)), static_cast<std::uint64_t>(408 * straight + 577 * diagonal));
        }
    }
}

TEST(Field, ChargesAStepForTheCellThatItLeaves) {
    const Field field = build_field(map_of({"925"}), std::vector<Cell>{{0, 0}});
    EXPECT_EQ(field.value(0), 0u);
    EXPECT_EQ(field.value(1), 2u * 408u);
    EXPECT_EQ(field.value(2), 7u * 408u);
}

TEST(Field, BreaksTiesInTheOrderOfDirections) {
    const Map open = map_of({"...", "...", "..."});
    const auto middle = [&](std::vector<Cell> goals) { return build_field(open, goals).flow[4]; };
    const std::vector<Cell> straight = {{2, 1}, {1, 2}, {0, 1}, {1, 0}};
    const std::vector<Cell> diagonal = {{2, 2}, {0, 2}, {0, 0}, {2, 0}};
    for (std::size_t first = 0; first < 4; ++first) {
        const std::vector<Cell> rest(straight.begin() + static_cast<std::ptrdiff_t>(first), straight.end());
        EXPECT_EQ(middle(rest), static_cast<Direction>(first));
        const std::vector<Cell> across(diagonal.begin() + static_cast<std::ptrdiff_t>(first), diagonal.end());
        EXPECT_EQ(middle(across), static_cast<Direction>(4 + first));
    }
    // Two ways of one cost that begin with different kinds of step: the straight one.
    const Field knight = build_field(open, std::vector<Cell>{{2, 1}});
    EXPECT_EQ(knight.flow[0], Direction::kEast);
}

TEST(Field, LeadsToTheNearestOfSeveralGoals) {
    const Map map = map_of({"........."});
    const Field field = build_field(map, std::vector<Cell>{{0, 0}, {8, 0}, {8, 0}});
    EXPECT_EQ(field.flow[0], Direction::kGoal);
    EXPECT_EQ(field.flow[3], Direction::kWest);
    EXPECT_EQ(field.flow[4], Direction::kEast);
    EXPECT_EQ(field.flow[8], Direction::kGoal);
    EXPECT_EQ(field.goals.size(), 3u);
}

TEST(FieldBuilder, GoesWideExactlyWhenAValuePassesTheLimit) {
    std::mt19937 random(14);
    for (int round = 0; round < 60; ++round) {
        const Map map = random_map(random, 20, 17, 20, 254);
        const auto goals = random_goals(random, map, 1);
        const Field slow = build_field_reference(map, goals);
        std::uint64_t greatest = 0;
        for (const auto value : slow.wide_integration)
            if (value != kUnreachable64) greatest = std::max(greatest, value);
        for (const std::uint64_t below : {0u, 1u, 5000u}) {
            if (greatest < below) continue;
            FieldBuilder builder(static_cast<std::uint32_t>(greatest - below));
            builder.set_map(map);
            Field field;
            field.goals = goals;
            builder.integrate(field);
            builder.flow(field);
            EXPECT_EQ(field.wide(), below != 0);
            EXPECT_EQ(field.integration.empty(), field.wide());
            ASSERT_EQ(difference(field, slow), "");
        }
    }
}

// A snake of one-wide corridors with the highest cost passes 2^32 - 2 after 41,445 straight steps.
TEST(Peers, P9AFieldGoesWideOnALongCostlySnake) {
    Map map{290, 291, 1.0, std::vector<std::uint8_t>(290 * 291, 254)};
    for (std::int32_t row = 1; row < map.rows; row += 2) {
        for (std::int32_t column = 0; column < map.columns; ++column) {
            const bool is_gap = row % 4 == 1 ? column == map.columns - 1 : column == 0;
            if (!is_gap) map.cost[map.index({column, row})] = kWallCost;
        }
    }
    const std::vector<Cell> goals = {{0, 0}};
    const Field field = build_field(map, goals);
    EXPECT_TRUE(field.wide());
    EXPECT_GT(field.value(map.index({map.columns - 1, map.rows - 1})), std::uint64_t{kUnreachable32});
    EXPECT_EQ(difference(field, build_field_reference(map, goals)), "");
}

TEST(FieldBuilder, ForgetsTheMapAndFieldBefore) {
    std::mt19937 random(15);
    FieldBuilder builder;
    Field field;
    for (int round = 0; round < 40; ++round) {
        const auto columns = static_cast<std::int32_t>(random() % 40);
        const auto rows = static_cast<std::int32_t>(random() % 40);
        const Map map = random_map(random, columns, rows, 20, round % 2 == 0 ? 254 : 1);
        builder.set_map(map);
        for (int again = 0; again < 3; ++again) {
            field.goals = random_goals(random, map, 1 + random() % 3);
            builder.integrate(field);
            builder.flow(field);
            ASSERT_EQ(difference(field, build_field_reference(map, field.goals)), "");
        }
    }
}

}  // namespace
}  // namespace horde
