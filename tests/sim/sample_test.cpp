#include "sim/field/sample.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "field_maps.h"

namespace horde {
namespace {

FieldView view_of(const Map& map, const Field& field) {
    return {field.flow.data(), map.cost.data(), map.columns, map.rows};
}

Cell cell_at(double x, double y) {
    return {static_cast<std::int32_t>(std::floor(x)), static_cast<std::int32_t>(std::floor(y))};
}

// Looks along the sample from a point, a tiny step and then in 64 steps to the end of the 2 x 2 block of
// cells whose centres are nearest. Empty if all of it is free.
std::string wall_ahead(const Map& map, const Field& field, double x, double y) {
    const FlowVector flow = sample_flow(view_of(map, field), x, y);
    const Cell own = cell_at(x, y);
    const Direction direction = field.flow[map.index(own)];
    const double length = std::sqrt(double{flow.x} * flow.x + double{flow.y} * flow.y);
    if (direction >= Direction::kGoal) return length == 0.0 ? "" : "a direction where there is none";
    if (std::abs(length - 1.0) > 1e-6) return "length " + std::to_string(length);
    const double left = x < own.column + 0.5 ? own.column - 1.0 : own.column;
    const double top = y < own.row + 0.5 ? own.row - 1.0 : own.row;
    for (int k = 0; k <= 64; ++k) {
        const double step = k == 0 ? 1e-6 : 2.0 * k / 64;
        const double to_x = x + step * flow.x, to_y = y + step * flow.y;
        if (to_x < left || to_y < top || to_x >= left + 2.0 || to_y >= top + 2.0) return "";
        if (!map.is_free(cell_at(to_x, to_y)))
            return "a wall " + std::to_string(step) + " ahead of " + std::to_string(x) + ", " +
                   std::to_string(y);
    }
    return "";
}

std::string wall_ahead_on(const Map& map, std::mt19937& random, int points) {
    const Field field = build_field(map, random_goals(random, map, 1 + random() % 3));
    std::uniform_real_distribution<double> share(0.0, 1.0);
    for (std::size_t i = 0; i < map.cost.size(); ++i) {
        if (map.cost[i] == kWallCost) continue;
        const auto column = static_cast<double>(i % static_cast<std::size_t>(map.columns));
        const auto row = static_cast<double>(i / static_cast<std::size_t>(map.columns));
        for (int k = 0; k < points; ++k) {
            double x = share(random), y = share(random);
            if (k % 4 == 1) x = std::round(x * 4) / 4.001;  // close to edges and centres
            if (k % 4 == 2) y = std::round(y * 4) / 4.001;
            if (k % 8 == 3) x = 0.0;
            if (k % 8 == 7) y = x = 0.5;
            const std::string text = wall_ahead(map, field, column + x, row + y);
            if (!text.empty()) return text;
        }
    }
    return "";
}

RC_GTEST_PROP(Sample, NeverPointsIntoAWall, (unsigned seed)) {
    std::mt19937 random(seed);
    const auto columns = *rc::gen::inRange(1, 20);
    const auto rows = *rc::gen::inRange(1, 20);
    const auto walls = *rc::gen::inRange(0u, 60u);
    const auto greatest = *rc::gen::element(1u, 5u, 254u);
    const Map map = random_map(random, columns, rows, walls, greatest);
    RC_ASSERT(wall_ahead_on(map, random, 8) == "");
}

TEST(Sample, NeverPointsIntoAWallOnLargerMaps) {
    std::mt19937 random(21);
    for (const unsigned walls : {5u, 15u, 25u, 35u, 45u}) {
        for (const unsigned greatest : {1u, 20u}) {
            const Map map = random_map(random, 60, 60, walls, greatest);
            ASSERT_EQ(wall_ahead_on(map, random, 40), "") << walls << " % walls, costs to " << greatest;
        }
    }
}

// One agent that follows the samples in steps of a fixed length and slides along walls, an axis at a time.
struct Walker {
    const Map& map;
    double x;
    double y;

    static double stop_short(double from, double to) {  // in the cell of `from`, just before its edge
        const double edge = to > from ? std::floor(from) + 1.0 - 1e-3 : std::floor(from) + 1e-3;
        return to > from ? std::max(from, std::min(to, edge)) : std::min(from, std::max(to, edge));
    }
    void move(const FlowVector& flow, double step) {
        const double to_x = x + step * flow.x;
        x = map.is_free(cell_at(to_x, y)) ? to_x : stop_short(x, to_x);
        const double to_y = y + step * flow.y;
        y = map.is_free(cell_at(x, to_y)) ? to_y : stop_short(y, to_y);
    }
};

// Steps until a goal cell; -1 if it takes more than `most`.
int steps_to_goal(const Map& map, const Field& field, double x, double y, double step, int most) {
    Walker walker{map, x, y};
    for (int k = 0; k <= most; ++k) {
        const Cell here = cell_at(walker.x, walker.y);
        EXPECT_TRUE(map.is_free(here));
        if (field.flow[map.index(here)] == Direction::kGoal) return k;
        walker.move(sample_flow(view_of(map, field), walker.x, walker.y), step);
    }
    return -1;
}

void expect_all_arrive(const Map& map, const Field& field, std::mt19937& random, double step, int walkers) {
    std::vector<Cell> starts;
    for (Cell c; c.row < map.rows; ++c.row) {
        for (c.column = 0; c.column < map.columns; ++c.column)
            if (field.flow[map.index(c)] < Direction::kGoal) starts.push_back(c);
    }
    if (starts.empty()) return;
    std::uniform_real_distribution<double> share(0.01, 0.99);
    for (int k = 0; k < walkers; ++k) {
        const Cell start = starts[random() % starts.size()];
        const double x = start.column + share(random), y = start.row + share(random);
        // Twice the cells of the map is more than any way round in it needs.
        const int most = static_cast<int>(2.0 * static_cast<double>(map.cost.size()) / step);
        ASSERT_GE(steps_to_goal(map, field, x, y, step, most), 0)
            << "from " << x << ", " << y << " with steps of " << step << " on " << map.columns << " x "
            << map.rows;
    }
}

TEST(Sample, LeadsALoneAgentToItsGoal) {
    std::mt19937 random(22);
    for (int round = 0; round < 300; ++round) {
        const auto walls = static_cast<unsigned>(random() % 45);
        const unsigned greatest = round % 3 == 0 ? 254 : round % 3 == 1 ? 4 : 1;
        const Map map = random_map(random, 5 + random() % 35, 5 + random() % 35, walls, greatest);
        const Field field = build_field(map, random_goals(random, map, 1 + random() % 2));
        for (const double step : {0.02, 0.1, 0.3}) expect_all_arrive(map, field, random, step, 10);
        if (HasFatalFailure()) return;
    }
}

// Rooms of one cell two apart; a walk in depth opens the walls between them, so that there is one way between
// any two.
Map one_wide_maze(std::mt19937& random, std::int32_t side) {
    Map map{side, side, 1.0, {}};
    map.cost.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), kWallCost);
    std::vector<Cell> way = {{0, 0}};
    map.cost[0] = 1;
    while (!way.empty()) {
        const Cell here = way.back();
        std::vector<Cell> closed;
        for (const Cell step : {Cell{2, 0}, Cell{0, 2}, Cell{-2, 0}, Cell{0, -2}}) {
            const Cell room{here.column + step.column, here.row + step.row};
            if (map.contains(room) && !map.is_free(room)) closed.push_back(room);
        }
        if (closed.empty()) {
            way.pop_back();
            continue;
        }
        const Cell room = closed[random() % closed.size()];
        map.cost[map.index({(here.column + room.column) / 2, (here.row + room.row) / 2})] = 1;
        map.cost[map.index(room)] = 1;
        way.push_back(room);
    }
    return map;
}

TEST(Sample, LeadsThroughAOneWideMaze) {
    std::mt19937 random(23);
    const Map map = one_wide_maze(random, 61);
    const Field field = build_field(map, std::vector<Cell>{{30, 30}});
    ASSERT_EQ(std::count(field.flow.begin(), field.flow.end(), Direction::kUnreachable),
              std::count(map.cost.begin(), map.cost.end(), kWallCost));
    for (const double step : {0.05, 0.2, 0.45}) expect_all_arrive(map, field, random, step, 100);
}

TEST(Sample, BlendsBetweenTwoCentres) {
    const Map map = map_of({"......", "......", "......", "......", "......", "......"});
    Field field = build_field(map, std::vector<Cell>{{5, 5}});
    for (auto& direction : field.flow) direction = Direction::kEast;
    for (std::size_t i = 2; i < field.flow.size(); i += 6) field.flow[i] = Direction::kSouth;
    const FieldView view = view_of(map, field);
    const FlowVector at_centre = sample_flow(view, 1.5, 2.5);
    EXPECT_EQ(at_centre.x, 1.0f);
    EXPECT_EQ(at_centre.y, 0.0f);
    const FlowVector between = sample_flow(view, 2.0, 2.5);
    EXPECT_FLOAT_EQ(between.x, between.y);
    const FlowVector quarter = sample_flow(view, 1.75, 2.5);
    EXPECT_FLOAT_EQ(quarter.x, 3.0f * quarter.y);
    EXPECT_EQ(nearest_flow(view, 1.75, 2.5).x, 1.0f);
    EXPECT_EQ(nearest_flow(view, 2.0, 2.5).y, 1.0f);
}

// A field of 2 x 2 cells with directions as given, whether or not they make sense; the own cell comes first.
FlowVector sample_of_four(const Map& map, std::vector<Direction> flow, double x, double y) {
    return sample_flow({flow.data(), map.cost.data(), 2, 2}, x, y);
}

TEST(Sample, WeighsTheFourCellsByArea) {
    using enum Direction;
    const Map open = map_of({"..", ".."});
    // 0.3 and 0.4 from the own centre: 0.42 own, 0.18 beside in x, 0.28 beside in y, 0.12 across.
    const FlowVector flow = sample_of_four(open, {kEast, kSouth, kSouth, kWest}, 0.8, 0.9);
    EXPECT_NEAR(flow.x / flow.y, (0.42 - 0.12) / (0.18 + 0.28), 1e-6);
    // A goal has no direction to give.
    const FlowVector beside_goal = sample_of_four(open, {kEast, kGoal, kSouth, kGoal}, 0.8, 0.9);
    EXPECT_NEAR(beside_goal.x / beside_goal.y, 0.42 / 0.28, 1e-6);
}

TEST(Sample, LeavesOutWallsAndWhatLiesBehindThem) {
    using enum Direction;
    // The flow may be older than the wall.
    const FlowVector past_wall =
        sample_of_four(map_of({".#", ".."}), {kWest, kNorth, kSouth, kNorth}, 0.8, 0.9);
    EXPECT_NEAR(past_wall.x / past_wall.y, -0.42 / 0.28, 1e-6);
}

TEST(Sample, TakesTheOwnDirectionWhereDirectionsCancel) {
    using enum Direction;
    const Map open = map_of({"..", ".."});
    const FlowVector ridge = sample_of_four(open, {kWest, kEast, kSouth, kSouth}, 0.999, 0.7);
    EXPECT_EQ(ridge.x, -1.0f);
    EXPECT_EQ(ridge.y, 0.0f);
    const FlowVector enough = sample_of_four(open, {kWest, kEast, kSouth, kSouth}, 0.999, 0.85);
    EXPECT_GT(enough.y, 0.9f);
}

TEST(Sample, HasNoDirectionOutsideInGoalsAndWhereNoneLeads) {
    const Map map = map_of({"..#."});
    const Field field = build_field(map, std::vector<Cell>{{0, 0}});
    const FieldView view = view_of(map, field);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [x, y] : {std::pair{-0.1, 0.5},
                               {0.5, -0.1},
                               {4.0, 0.5},
                               {0.5, 1.0},
                               {0.5, 0.5},
                               {2.5, 0.5},
                               {3.5, 0.5},
                               {1e300, 0.5},
                               {nan, 0.5},
                               {0.5, nan}}) {
        EXPECT_EQ(sample_flow(view, x, y).x, 0.0f) << x << ", " << y;
        EXPECT_EQ(sample_flow(view, x, y).y, 0.0f) << x << ", " << y;
        EXPECT_EQ(nearest_flow(view, x, y).x, 0.0f) << x << ", " << y;
    }
    EXPECT_EQ(sample_flow(view, 1.5, 0.5).x, -1.0f);
}

}  // namespace
}  // namespace horde
