// Agents that have arrived and stay, while the ground under them and their goal change.
#include <gtest/gtest.h>

#include "crowds.h"

namespace horde {
namespace {

using namespace test;

constexpr double kRest = 0.0134;  // 1 % of the walking speed

Scene stayers(int columns, int rows, char ground, Cell goal, std::int64_t count) {
    Scene scene = map_scene(std::vector<std::string>(static_cast<std::size_t>(rows),
                                                     std::string(static_cast<std::size_t>(columns), ground)),
                            {goal}, count);
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    return scene;
}

double mean_distance(const World& world, double x, double y) {
    const Snapshot rows = rows_of(world);
    double sum = 0.0;
    for (const Vec3& p : rows.position) sum += distance(p, {x, y, 0});
    return sum / static_cast<double>(rows.count());
}

// Distances to the goal count in cells, whatever a cell costs: on dear ground one cell off was six.
TEST(Settled, OnDearGroundTooEachArrivesOnce) {
    for (const char ground : {'.', '9'}) {
        World world(stayers(60, 60, ground, {30, 30}, 200));
        run(world, 2000);
        EXPECT_EQ(world.report().arrived_total, 200) << ground;
        EXPECT_LT(mean_speed(rows_of(world)), kRest) << ground;
    }
}

// A crowd that costs changes its own field; those who have settled take no notice.
TEST(Settled, InACrowdThatCostsTheyComeToRest) {
    for (const double gain : {1.0, 4.0, 20.0}) {
        Scene scene = stayers(60, 60, '.', {30, 30}, 200);
        scene.terrain.density_gain = gain;
        World world(scene);
        run(world, 2000);
        const std::int64_t before = world.report().arrived_total;
        run(world, 400);
        EXPECT_EQ(world.report().arrived_total, before) << gain;
        EXPECT_EQ(count_of(rows_of(world), AgentState::kArrived), 200) << gain;
        EXPECT_LT(mean_speed(rows_of(world)), kRest) << gain;
    }
}

TEST(Settled, FollowAGoalThatMovesByOneCellOrFour) {
    for (const int cells : {1, 4}) {
        Scene scene = stayers(60, 21, '.', {10, 10}, 0);
        World world(scene);
        for (int k = 0; k < 20; ++k) world.spawn({.position = {5.5 + k % 5, 7.5 + k / 5, 0}, .goal = 0});
        run(world, 400);
        ASSERT_EQ(count_of(rows_of(world), AgentState::kArrived), 20);
        const std::vector<Cell> goal = {{10 + cells, 10}};
        world.set_goal(0, goal);
        run(world, 400);
        EXPECT_EQ(count_of(rows_of(world), AgentState::kArrived), 20);
        EXPECT_LT(mean_distance(world, 10.5 + cells, 10.5), 1.2);
    }
    World alone(stayers(60, 21, '.', {10, 10}, 0));
    alone.spawn({.position = {8.5, 10.5, 0}, .goal = 0});
    run(alone, 200);
    const std::vector<Cell> goal = {{11, 10}};
    alone.set_goal(0, goal);
    run(alone, 200);
    EXPECT_GE(rows_of(alone).position[0].x, 11.0);
    EXPECT_EQ(alone.report().arrived_total, 2);
}

TEST(Settled, ComeBackWhenAWallThatThrewThemOffGoes) {
    World world(stayers(61, 61, '.', {30, 30}, 30));
    run(world, 1500);
    ASSERT_LT(mean_distance(world, 30.5, 30.5), 2.0);
    const StampId wall = world.stamp(CellArea{{18, 18}, {42, 42}});
    run(world, 300);
    ASSERT_GT(mean_distance(world, 30.5, 30.5), 12.0);
    world.unstamp(wall);
    run(world, 1500);
    EXPECT_LT(mean_distance(world, 30.5, 30.5), 2.0);
    EXPECT_EQ(count_of(rows_of(world), AgentState::kArrived), 30);
}

// A radius is no arrival where a wall lies between.
TEST(Settled, TheArrivalRadiusDoesNotReachThroughAWall) {
    Scene scene = map_scene({"...........", "@@@@@@@@@@.", "..........."}, {{1, 2}}, 0);
    crowd_rule(scene).arrival_radius = 2.1;
    World world(scene);
    world.spawn({.position = {1.5, 0.5, 0}, .goal = 0});
    run(world, 5);
    EXPECT_EQ(world.report().arrived_total, 0);
    EXPECT_LT(run_until_empty(world, 1500), 1500);
}

}  // namespace
}  // namespace horde
