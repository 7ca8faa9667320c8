// Goals that move, walls that rise on them, and what is told of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

std::vector<std::string> open_rows(std::size_t columns, std::size_t rows) {
    return std::vector<std::string>(rows, std::string(columns, '.'));
}

Scene staying(std::vector<std::string> rows, std::vector<Cell> goals, std::int64_t count) {
    Scene scene = test::map_scene(std::move(rows), std::move(goals), count);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    return scene;
}

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

void step(World& world, int frames) {
    for (int n = 0; n < frames; ++n) world.step();
}

double mean_distance(const World& world, Vec3 place) {
    Snapshot rows;
    world.snapshot(rows);
    double sum = 0.0;
    for (const Vec3 p : rows.position) sum += std::hypot(p.x - place.x, p.y - place.y);
    return sum / static_cast<double>(rows.count());
}

Vec3 position_of(const World& world, AgentId id) {
    Snapshot rows;
    world.snapshot(rows);
    const auto found = std::find(rows.id.begin(), rows.id.end(), id);
    return rows.position[static_cast<std::size_t>(found - rows.id.begin())];
}

TEST(Users, U58AGoalInAWallOrOutsideIsAnErrorWhenItIsSet) {
    Scene scene = test::map_scene({"....", ".@..", "...."}, {{0, 0}}, 1);
    World world(scene);
    EXPECT_EQ(error_of([&] {
                  world.set_goal(0, std::vector<Cell>{{1, 1}});
              }),
              "set_goal: goal (1, 1) of set 0 lies in a wall of 4 x 3 cells; name a free cell, or set "
              "field.snap_goals");
    EXPECT_NE(error_of([&] {
                  world.set_goal(0, std::vector<Cell>{{2, 2}, {4, 0}});
              }).find("outside the map"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  world.set_goal(1, std::vector<Cell>{{2, 2}});
              }).find("no goal set 1"),
              std::string::npos);
    EXPECT_NE(error_of([&] { world.set_goal(0, {}); }).find("no cell"), std::string::npos);
    EXPECT_NE(error_of([&] { world.follow(0, 99); }).find("no agent of id 99"), std::string::npos);
    EXPECT_THROW(world.goal_status(0, 1), Error);
    EXPECT_THROW(world.goal_status(1), Error);
    // A wall that is put up now, though it is in force only with the next step.
    world.stamp(CellArea{{3, 2}, {3, 2}});
    EXPECT_NE(error_of([&] { world.set_goal(0, std::vector<Cell>{{3, 2}}); }), "");
    scene.field.goal_sets = {{{1, 1}}};
    EXPECT_NE(error_of([&] { World wrong(scene); }).find("lies in a wall"), std::string::npos);
    World without(test::box_scene(2, Edge::kOpen, 3, 5.0));
    EXPECT_THROW(without.set_goal(0, std::vector<Cell>{{0, 0}}), Error);
}

TEST(Peers, P5AGoalOffTheFreeCellsIsSnappedToTheNearestOrRefused) {
    Scene scene = test::map_scene({"......", ".@@@..", ".@@@..", "......"}, {{2, 1}}, 4);
    EXPECT_THROW(World world(scene), Error);
    scene.field.snap_goals = true;
    World world(scene);
    EXPECT_EQ(world.field(0).goals, (std::vector<Cell>{{2, 0}}));
    EXPECT_EQ(world.goal_status(0).state, GoalState::kReachable);
    world.set_goal(0, std::vector<Cell>{{2, 2}});
    step(world, 2);
    EXPECT_EQ(world.field(0).goals, (std::vector<Cell>{{2, 3}}));
    step(world, 400);
    EXPECT_EQ(world.report().arrived_total, 4);
}

TEST(Peers, P18TheFieldBeforeServesUntilTheNextIsReadyAndThatIsBounded) {
    Scene scene = test::map_scene(open_rows(40, 20), {{2, 10}}, 30);  // 800 cells
    scene.field.field_cells_per_frame = 100;
    World world(scene);
    step(world, 3);
    world.set_goal(0, std::vector<Cell>{{37, 10}});
    for (int n = 0; n < 8; ++n) {
        world.step();
        EXPECT_EQ(world.field(0).goals, (std::vector<Cell>{{2, 10}}));
        EXPECT_EQ(world.goal_status(0).version, 0u);
        EXPECT_TRUE(world.goal_status(0).pending);
    }
    world.step();
    EXPECT_EQ(world.report().field_builds, 1);
    EXPECT_EQ(world.field(0).goals, (std::vector<Cell>{{37, 10}}));
    EXPECT_EQ(world.goal_status(0).version, 1u);
    const double before = mean_distance(world, {37.5, 10.5, 0.0});
    step(world, 20);
    EXPECT_LT(mean_distance(world, {37.5, 10.5, 0.0}), before - 0.5);
}

TEST(Peers, P19EnclosedGoalsGoalsInWallsAndTinyMapsAreTold) {
    // A goal cell walled in from the start: nobody can start for it from outside, but a call may send one.
    Scene enclosed = test::map_scene({".....", ".@@@.", ".@.@.", ".@@@.", "....."}, {{2, 2}}, 0);
    World sealed(enclosed);
    EXPECT_EQ(sealed.goal_status(0).state, GoalState::kEnclosed);
    sealed.spawn({.position = {0.5, 0.5, 0.0}, .goal = 0});
    const Vec3 start = position_of(sealed, 0);
    step(sealed, 50);
    EXPECT_EQ(sealed.goal_status(0).stranded, 1);
    EXPECT_EQ(sealed.report().stranded, 1);
    EXPECT_EQ(position_of(sealed, 0).x, start.x);
    EXPECT_EQ(position_of(sealed, 0).y, start.y);

    // A room without a door: its cells lead to the goal, but nobody is in it.
    World room(test::map_scene({"......", ".@@@@.", ".@..@.", ".@@@@.", "......"}, {{2, 2}}, 0));
    EXPECT_EQ(room.goal_status(0).state, GoalState::kReachable);
    room.spawn({.position = {0.5, 0.5, 0.0}, .goal = 0});
    room.step();
    EXPECT_EQ(room.goal_status(0).state, GoalState::kUnreachable);

    // A wall that rises on the goal, and falls again.
    World world(test::map_scene(open_rows(12, 5), {{11, 2}}, 6));
    const StampId wall = world.stamp(CellArea{{10, 1}, {11, 3}});
    step(world, 3);
    EXPECT_EQ(world.goal_status(0).state, GoalState::kInWall);
    EXPECT_EQ(world.goal_status(0).stranded, 6);
    step(world, 60);  // they slow down
    const double where = mean_distance(world, {});
    step(world, 100);
    EXPECT_NEAR(mean_distance(world, {}), where, 0.001) << "they keep still";
    world.unstamp(wall);
    step(world, 400);
    EXPECT_EQ(world.report().arrived_total, 6);

    // A map of one cell, and agents without any.
    World one(test::map_scene({"."}, {{0, 0}}, 1));
    one.step();
    EXPECT_EQ(one.report().arrived_total, 1);
    World walls(test::map_scene({"@@", "@@"}, {}, 0));
    step(walls, 3);
    EXPECT_EQ(walls.goal_set_count(), 0u);
    Scene blocked = test::map_scene({"@@", "@@"}, {{1, 1}}, 0);
    EXPECT_NE(error_of([&] { World wrong(blocked); }).find("lies in a wall"), std::string::npos);
    blocked.field.snap_goals = true;  // there is nothing to snap to
    World nowhere(blocked);
    step(nowhere, 3);
    EXPECT_EQ(nowhere.goal_status(0).state, GoalState::kInWall);
    EXPECT_EQ(nowhere.goal_status(0).agents, 0);
}

TEST(Peers, P22AGoalThatMovesInEveryFrameAsksForABoundedNumberOfFields) {
    Scene scene = test::map_scene(open_rows(30, 30), {{2, 2}}, 20);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    World world(scene);  // 20 frames a second: a field every 10 frames
    std::int64_t builds = 0;
    for (int n = 0; n < 200; ++n) {
        world.set_goal(0, std::vector<Cell>{{2 + n % 25, 2 + n % 7}});
        world.step();
        builds += world.report().field_builds;
        EXPECT_LE(world.report().field_builds, 1);
    }
    EXPECT_EQ(builds, 20);
}

TEST(Peers, P22ManyGoalsThatMoveInEveryFrameAskForABoundedNumberOfFields) {
    constexpr std::size_t kSets = 6;
    Scene scene = test::map_scene(open_rows(30, 30), {}, 30);
    for (std::size_t s = 0; s < kSets; ++s) scene.field.goal_sets.push_back({{static_cast<int>(s) * 4, 3}});
    scene.agents[0].goal = "any";
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    World world(scene);
    std::int64_t builds = 0;
    for (int n = 0; n < 200; ++n) {
        for (std::size_t s = 0; s < kSets; ++s)
            world.set_goal(s, std::vector<Cell>{{2 + (n + static_cast<int>(s)) % 25, 2 + n % 7}});
        world.step();
        builds += world.report().field_builds;
        EXPECT_LE(world.report().field_builds, static_cast<std::int64_t>(kSets));
    }
    EXPECT_EQ(builds, 20 * static_cast<std::int64_t>(kSets));
}

// RecoilEngine #600: by a field that knows of no wall yet, units walk into the factory that stands there now.
TEST(Peers, P18NobodyWalksIntoANewWallByAStaleField) {
    for (const std::string& backend : backends()) {
        Scene scene = test::map_scene(open_rows(40, 21), {{38, 10}}, 0);
        scene.field.field_cells_per_frame = 20;  // 42 frames a field
        World world(scene, {.backend = backend});
        for (int n = 0; n < 60; ++n) world.spawn({.position = {2.5 + n % 6, 5.5 + n / 6, 0.0}, .goal = 0});
        step(world, 60);
        const CellArea wall{{14, 2}, {16, 18}};
        world.stamp(wall);
        int stale = 0;
        Snapshot rows;
        for (int n = 0; n < 1500 && world.agent_count() > 0; ++n) {
            world.step();
            stale += world.goal_status(0).version == 0 ? 1 : 0;
            world.snapshot(rows);
            for (const Vec3 p : rows.position)
                ASSERT_FALSE(p.x > 14.0 && p.x < 17.0 && p.y > 2.0 && p.y < 19.0) << "frame " << n;
        }
        EXPECT_GT(stale, 30) << "the field before went on serving";
        EXPECT_EQ(world.agent_count(), 0) << "all came round it";
    }
}

TEST(Goals, FollowAnAgentForAsLongAsItLives) {
    Scene scene = test::map_scene(open_rows(60, 40), {{2, 2}}, 40);
    scene.field.goal_sets.push_back({{55, 35}});
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    SceneAgents leader;
    leader.count = 1;
    leader.goal = "1";
    scene.agents.push_back(leader);
    World world(scene);
    const AgentId id = 40;
    world.follow(0, id);
    for (int n = 0; n < 600; ++n) {
        world.step();
        if (n < 20) continue;
        // The goal is where the agent was at most an interval (10 frames) and two frames ago.
        const Cell goal = world.field(0).goals[0];
        const Vec3 now = position_of(world, id);
        EXPECT_LE(std::hypot(goal.column + 0.5 - now.x, goal.row + 0.5 - now.y), 12 * 0.05 * 2.0 + 1.0) << n;
    }
    EXPECT_LT(mean_distance(world, position_of(world, id)), 12.0);
    EXPECT_TRUE(world.despawn(id));
    const std::vector<Cell> last = world.field(0).goals;
    step(world, 30);
    EXPECT_EQ(world.field(0).goals, last);
    EXPECT_EQ(world.goal_status(0).pending, false);
}

TEST(Goals, FollowALeaderThatStartsAgainUnderItsNewId) {
    Scene scene = test::map_scene(open_rows(20, 20), {{1, 1}}, 5);
    scene.field.goal_sets.push_back({{10, 10}});
    scene.field.follow = {5, -1};
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    SceneAgents leader;
    leader.count = 1;
    leader.goal = "1";
    scene.agents.push_back(leader);
    for (const std::string& backend : backends()) {
        World world(scene, {.backend = backend});
        int starts = 0;
        AgentId id = 5;
        for (int n = 0; n < 1500; ++n) {
            world.step();
            const auto left = world.arrivals();
            if (std::find(left.begin(), left.end(), id) != left.end()) {
                ++starts;
                id += AgentId{1} << 32;
            }
        }
        ASSERT_GT(starts, 2);
        const Cell goal = world.field(0).goals[0];
        const Vec3 now = position_of(world, id);
        EXPECT_LE(std::hypot(goal.column + 0.5 - now.x, goal.row + 0.5 - now.y), 12 * 0.05 * 2.0 + 1.0);
    }
}

TEST(Goals, OfASceneFollowTheAgentThatItNames) {
    Scene scene = test::map_scene(open_rows(30, 20), {{2, 2}, {3, 2}}, 12);
    scene.field.goal_sets.push_back({{27, 17}});
    scene.agents[0].goal = "any";
    scene.field.follow = {5, -1};
    World world(scene);
    step(world, 4);
    ASSERT_EQ(world.field(0).goals.size(), 1u);
    const Vec3 place = position_of(world, 5);
    EXPECT_LE(std::hypot(world.field(0).goals[0].column + 0.5 - place.x,
                         world.field(0).goals[0].row + 0.5 - place.y),
              1.5);
    scene.field.follow = {12};
    EXPECT_NE(error_of([&] { World wrong(scene); }).find("field.follow: there is no agent of id 12"),
              std::string::npos);
    scene.field.follow = {1, 1, 1};
    EXPECT_NE(error_of([&] { World wrong(scene); }).find("field.follow: it names 3"), std::string::npos);
    scene.field.follow = {0.5};
    EXPECT_NE(error_of([&] { World wrong(scene); }).find("field.follow"), std::string::npos);
}

TEST(Goals, ThoseWhoHadArrivedWalkAgainWhenTheGoalMoves) {
    World world(staying(open_rows(30, 12), {{4, 6}}, 15));
    step(world, 500);
    Snapshot rows;
    world.snapshot(rows);
    EXPECT_EQ(std::count(rows.state.begin(), rows.state.end(), AgentState::kArrived), 15);
    world.set_goal(0, std::vector<Cell>{{25, 6}});
    step(world, 600);
    EXPECT_LT(mean_distance(world, {25.5, 6.5, 0.0}), 3.0);
}

// Each move of the goal makes another field; an agent that keeps pace must not count as stuck by it, nor one
// that stands before a wall as going on.
TEST(Goals, WhoComesNoNearerIsStuckHoweverOftenTheGoalMoves) {
    Scene scene = test::map_scene(open_rows(40, 9), {{1, 4}}, 0);
    scene.rules["crowd"] = CrowdRule{.speed_spread = 0.0, .stuck_after = 2.0};
    World world(scene);
    const AgentId walker = world.spawn({.position = {20.5, 4.5, 0.0}, .goal = 0});
    const auto state = [&] {
        Snapshot rows;
        world.snapshot(rows);
        return rows.state[static_cast<std::size_t>(walker)];
    };
    for (int n = 0; n < 200; ++n) {  // to and fro, far away
        world.set_goal(0, std::vector<Cell>{{n / 10 % 2 == 0 ? 1 : 2, 4}});
        world.step();
        EXPECT_EQ(state(), AgentState::kWalking) << n;
    }
    EXPECT_LT(position_of(world, walker).x, 9.0);
}

TEST(Goals, TheNearestOfAllFollowsEachThatMoves) {
    Scene scene = test::map_scene(open_rows(30, 10), {{2, 5}}, 8);
    scene.field.goal_sets.push_back({{27, 5}});
    scene.agents[0].goal = "nearest";
    World world(scene);
    ASSERT_EQ(world.goal_set_count(), 3u);
    world.set_goal(1, std::vector<Cell>{{20, 2}});
    step(world, 2);
    EXPECT_EQ(world.field(2).goals, (std::vector<Cell>{{2, 5}, {20, 2}}));
    EXPECT_THROW(world.set_goal(2, std::vector<Cell>{{3, 3}}), Error);
    EXPECT_THROW(world.follow(2, 0), Error);
}

TEST(Goals, RespawnedAgentsWhoseGoalIsWalledInAreStrandedNotSearchedForEver) {
    Scene scene = test::map_scene(open_rows(12, 6), {{10, 3}}, 5);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    World world(scene);
    step(world, 3);
    world.stamp(CellArea{{9, 2}, {11, 4}});
    step(world, 50);
    EXPECT_EQ(world.agent_count(), 5);
    EXPECT_EQ(world.report().stranded, 5);
}

TEST(Peers, P11TheCacheIsBoundedAndAgentsWaitUntilThereIsRoom) {
    Scene scene = test::map_scene(open_rows(20, 20), {{1, 1}}, 6);
    for (const Cell cell : {Cell{18, 18}, Cell{1, 18}, Cell{18, 1}}) scene.field.goal_sets.push_back({cell});
    scene.field.cache_bytes = 2 * 400 * 5;
    World world(scene);
    EXPECT_EQ(world.goal_status(2).state, GoalState::kNoField);
    const AgentId late = world.spawn({.position = {10.5, 10.5, 0.0}, .goal = 2});
    EXPECT_EQ(world.goal_status(2).stranded, 1);
    step(world, 4);  // seen, asked for, live; set 1, that nobody follows, made room
    EXPECT_EQ(world.goal_status(2).state, GoalState::kReachable);
    EXPECT_EQ(world.goal_status(1).state, GoalState::kNoField);
    const double before = std::hypot(position_of(world, late).x - 1.5, position_of(world, late).y - 18.5);
    step(world, 20);
    EXPECT_LT(std::hypot(position_of(world, late).x - 1.5, position_of(world, late).y - 18.5), before - 0.5);
    world.spawn({.position = {10.5, 10.5, 0.0}, .goal = 3});
    step(world, 3);
    EXPECT_EQ(world.report().fields_waiting, 1);
    EXPECT_EQ(world.report().stranded, 1);
    step(world, 600);  // all others arrive and leave
    EXPECT_EQ(world.report().arrived_total, 8);
    scene.agents[0].goal = "any";
    EXPECT_NE(error_of([&] { World wrong(scene); })
                  .find("field.cache_bytes is too small for the fields of "
                        "the start; raise it to 8000 for all 4"),
              std::string::npos);
}

TEST(FieldCache, FieldsOfTheStartComeBeforeThoseThatNobodyFollows) {
    Scene scene = test::map_scene(open_rows(20, 20), {{1, 1}}, 5);
    scene.field.goal_sets.push_back({{18, 18}});
    scene.layers.push_back({.name = "wide", .clearance = 0.6});
    scene.agents[0].layer = "wide";
    scene.agents.push_back(scene.agents[0]);
    scene.agents[1].goal = "1";
    scene.field.cache_bytes = 2 * 400 * 5;  // for both sets in the layer, and none in the plain one
    World world(scene);
    EXPECT_EQ(world.agent_count(), 10);
    step(world, 600);
    EXPECT_EQ(world.report().arrived_total, 10);
}

TEST(FieldCache, WhatSpawnersNeedIsMadeWhenThereIsRoom) {
    Scene scene = test::map_scene(open_rows(20, 20), {{1, 1}}, 5);
    scene.field.goal_sets.push_back({{18, 18}});
    scene.field.cache_bytes = 400 * 5;  // one field
    scene.agents.push_back({.count = 0, .goal = "1"});
    scene.spawners = {{.group = 1, .rate = 5.0}};
    World world(scene);
    std::int64_t spawned = 0;
    bool waited = false;
    for (int n = 0; n < 1200; ++n) {
        world.step();
        spawned += world.report().spawned;
        waited = waited || world.report().fields_waiting > 0;
        // The first five arrive and leave before the spawner gets its field, and it keeps that.
        EXPECT_TRUE(spawned == 0 || world.report().fields_waiting == 0) << n;
    }
    EXPECT_TRUE(waited) << "it is told meanwhile";
    EXPECT_GT(spawned, 150);
    EXPECT_GT(world.report().arrived_total, 55);
}

}  // namespace
}  // namespace horde
