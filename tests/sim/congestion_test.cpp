// Crowds in each other's way: nobody is held for ever, nothing freezes, and the same way every run.
#include <gtest/gtest.h>

#include <map>

#include "crowds.h"

namespace horde {
namespace {

using namespace test;

// What a run came to. An agent freezes while it is not at its goal and moves by less than 2 cm in a second.
struct Outcome {
    int frames = 0;
    std::int64_t left = 0;
    std::int64_t most_stuck = 0;
    double longest_freeze = 0.0;  // seconds, of any agent
    std::uint64_t hash = 0;
};

Outcome run_crowd(World& world, int frames) {
    Outcome outcome;
    std::map<AgentId, std::pair<Vec3, int>>
        still;  // where an agent was a second ago, and for how long it froze
    for (; outcome.frames < frames && world.agent_count() > 0; ++outcome.frames) {
        world.step();
        outcome.most_stuck = std::max(outcome.most_stuck, world.report().stuck);
        if (outcome.frames % 20 != 0) continue;
        const Snapshot rows = rows_of(world);
        for (std::size_t i = 0; i < rows.count(); ++i) {
            EXPECT_TRUE(std::isfinite(rows.position[i].x) && std::isfinite(rows.velocity[i].x));
            auto& [place, seconds] = still[rows.id[i]];
            seconds = distance(place, rows.position[i]) < 0.02 ? seconds + 1 : 0;
            place = rows.position[i];
            outcome.longest_freeze = std::max(outcome.longest_freeze, static_cast<double>(seconds));
        }
    }
    outcome.left = world.agent_count();
    outcome.hash = world.state_hash();
    return outcome;
}

// Two groups start at the ends of a corridor and go to the other end.
World head_on(int length, int width, int each, double time_gap) {
    Scene scene = map_scene(room(length, width + 2), {}, 0);
    crowd_rule(scene).time_gap = time_gap;
    std::vector<Cell> left, right;
    for (int r = 1; r <= width; ++r) {
        left.push_back({1, r});
        right.push_back({length - 2, r});
    }
    scene.field.goal_sets = {right, left};
    World world(scene);
    for (int n = 0; n < each; ++n) {
        const double along = 2.5 + 0.6 * (n / width), row = 1.5 + n % width;
        world.spawn({.position = {along, row, 0}, .goal = 0});
        world.spawn({.position = {length - along, row, 0}, .goal = 1});
    }
    return world;
}

// users.md U62 (Warzone2100 PR#1213).
TEST(Users, U62OpposingGroupsPassACorridorTwoCellsWide) {
    for (const double time_gap : {0.0, 0.4}) {
        for (const int each : {20, 50}) {
            World world = head_on(80, 2, each, time_gap);
            const Outcome outcome = run_crowd(world, 6000);
            EXPECT_EQ(outcome.left, 0) << each << " from each side, time gap " << time_gap;
            EXPECT_LT(outcome.frames, each == 20 ? 2400 : 3600) << time_gap;
            EXPECT_LT(outcome.longest_freeze, time_gap > 0.0 ? 12.0 : 6.0);
            World again = head_on(80, 2, each, time_gap);
            EXPECT_EQ(run_crowd(again, 6000).hash, outcome.hash);
        }
    }
}

// godot #84938: two agents exactly head on push each other for ever. Menge #24: no velocity is the best one.
TEST(Peers, P14ASymmetricPairPassesInTheOpen) {
    for (const double off : {0.0, 1e-3, 0.2}) {
        Scene scene = map_scene(room(41, 21), {{38, 10}}, 0);
        scene.field.goal_sets.push_back({{2, 10}});
        crowd_rule(scene).speed_spread = 0.0;
        World world(scene);
        world.spawn({.position = {4.5, 10.5, 0}, .goal = 0});
        world.spawn({.position = {36.5, 10.5 + off, 0}, .goal = 1});
        const Outcome outcome = run_crowd(world, 1000);
        EXPECT_EQ(outcome.left, 0);
        EXPECT_LT(outcome.frames, 700) << "33 m take 500 frames; off the line by " << off;
        EXPECT_EQ(outcome.most_stuck, 0);
    }
}

// Menge, RVO2: everyone crosses the circle to the point across.
TEST(Peers, P14AgentsOnACircleReachThePointsAcross) {
    constexpr int kAgents = 48;
    Scene scene = map_scene(room(41, 41), {}, 0);
    crowd_rule(scene).speed_spread = 0.0;
    crowd_rule(scene).line_of_sight = true;
    std::vector<Vec3> places;
    for (int n = 0; n < kAgents; ++n) {
        const double angle = 6.283185307179586 * n / kAgents;
        places.push_back({20.5 + 16.0 * std::cos(angle), 20.5 + 16.0 * std::sin(angle), 0});
        const Vec3 across{41.0 - places.back().x, 41.0 - places.back().y, 0};
        scene.field.goal_sets.push_back({{static_cast<int>(across.x), static_cast<int>(across.y)}});
    }
    World world(scene);
    for (int n = 0; n < kAgents; ++n) {
        world.spawn({.position = places[static_cast<std::size_t>(n)], .goal = static_cast<std::uint16_t>(n)});
    }
    const Outcome outcome = run_crowd(world, 2000);
    EXPECT_EQ(outcome.left, 0);
    EXPECT_LT(outcome.frames, 1100) << "32 m take 480 frames";
    EXPECT_LT(outcome.longest_freeze, 4.0);
}

TEST(Peers, P14StreamsThatCrossAtARightAngleKeepFlowing) {
    std::vector<std::string> map = room(42, 42);
    put(map, 1, 1, 17, 17, '@');
    put(map, 24, 1, 17, 17, '@');
    put(map, 1, 24, 17, 17, '@');
    put(map, 24, 24, 17, 17, '@');
    Scene scene = map_scene(map, {}, 0);
    scene.field.goal_sets = {{{40, 18}, {40, 20}, {40, 23}}, {{18, 40}, {20, 40}, {23, 40}}};
    World world(scene);
    for (int n = 0; n < 60; ++n) {
        const double along = 2.0 + 0.9 * (n / 6), across = 18.5 + n % 6;
        world.spawn({.position = {along, across, 0}, .goal = 0});
        world.spawn({.position = {across, along, 0}, .goal = 1});
    }
    const Outcome outcome = run_crowd(world, 3000);
    EXPECT_EQ(outcome.left, 0);
    EXPECT_LT(outcome.frames, 1500) << "free walking takes 570";
    EXPECT_LT(outcome.longest_freeze, 4.0);
}

// JuPedSim #1516: agents freeze because their speed comes out as 0; #426, #1004: a mass at a corner hugs it.
TEST(Peers, P20AMassAtACornerOrADoorNeverFreezes) {
    for (const bool corner : {true, false}) {
        std::vector<std::string> map = room(40, 40);
        if (corner) {
            put(map, 1, 1, 34, 34, '@');
        } else {
            put(map, 30, 1, 1, 38, '@');
            put(map, 30, 20, 1, 1, '.');
        }
        std::vector<Cell> goal;
        for (int k = 35; k <= 38; ++k) goal.push_back(corner ? Cell{k, 1} : Cell{k, 20});
        Scene scene = map_scene(map, goal, 0);
        World world(scene);
        for (int n = 0; n < 160; ++n) {
            const Vec3 place =
                corner ? Vec3{2.5 + 0.8 * (n / 4), 35.5 + n % 4, 0} : Vec3{10.5 + n % 16, 14.5 + n / 16, 0};
            world.spawn({.position = place, .goal = 0});
        }
        const Outcome outcome = run_crowd(world, 6000);
        EXPECT_EQ(outcome.left, 0) << (corner ? "corner" : "door");
        EXPECT_LT(outcome.longest_freeze, 5.0) << (corner ? "corner" : "door");
    }
}

// JuPedSim #426, #1004: a wider door lets more through.
TEST(Peers, P20ThroughputGrowsWithTheWidthOfADoor) {
    std::vector<int> frames;
    for (const int width : {1, 2, 4}) {
        std::vector<std::string> map = room(40, 40);
        put(map, 30, 1, 1, 38, '@');
        put(map, 30, 20 - width / 2, 1, width, '.');
        Scene scene = map_scene(map, {{36, 20}, {36, 18}, {36, 22}}, 0);
        crowd_rule(scene).time_gap = 0.5;  // else bodies press through without end
        World world(scene);
        for (int n = 0; n < 160; ++n) world.spawn({.position = {10.5 + n % 16, 14.5 + n / 16, 0}, .goal = 0});
        const Outcome outcome = run_crowd(world, 6000);
        EXPECT_EQ(outcome.left, 0) << width;
        frames.push_back(outcome.frames);
        std::printf("door of %d m: clear after %.1f s\n", width, outcome.frames * 0.05);
    }
    EXPECT_LT(frames[1], frames[0] * 3 / 4);
    EXPECT_LT(frames[2], frames[1]);
}

// OpenRA #15039, #14672: a unit that meets a friend in a narrow place stops and never goes on.
TEST(Peers, P22AFriendInTheWayStopsNobodyForGood) {
    for (const bool same_goal : {true, false}) {
        Scene scene = map_scene(room(30, 3), {{15, 1}}, 0);
        scene.field.goal_sets.push_back({{28, 1}});
        crowd_rule(scene).on_arrival = OnArrival::kStay;
        World world(scene);
        world.spawn({.position = {12.5, 1.5, 0}, .goal = 0});
        run(world, 200);
        world.spawn({.position = {2.5, 1.5, 0}, .goal = static_cast<std::uint16_t>(same_goal ? 0 : 1)});
        run(world, 800);
        const Snapshot rows = rows_of(world);
        EXPECT_EQ(count_of(rows, AgentState::kArrived), 2) << same_goal;
        EXPECT_EQ(mean_speed(rows), 0.0) << same_goal;
        EXPECT_NEAR(rows.position[0].x, 15.5, 2.5) << same_goal;
    }
}

// A press from both sides of a door one cell wide: it stalls, backs out, and all come through.
TEST(Congestion, AStalledPressBacksOut) {
    std::vector<std::string> map = room(41, 21);
    put(map, 20, 1, 1, 19, '@');
    put(map, 20, 10, 1, 1, '.');
    for (const double time_gap : {0.0, 0.4}) {
        Scene scene = map_scene(map, {{38, 10}}, 0);
        scene.field.goal_sets.push_back({{2, 10}});
        crowd_rule(scene).time_gap = time_gap;
        World world(scene);
        for (int n = 0; n < 60; ++n) {
            world.spawn({.position = {11.5 + n / 10, 5.5 + n % 10, 0}, .goal = 0});
            world.spawn({.position = {29.5 - n / 10, 5.5 + n % 10, 0}, .goal = 1});
        }
        const Outcome outcome = run_crowd(world, 8000);
        EXPECT_EQ(outcome.left, 0) << time_gap;
        EXPECT_LT(outcome.frames, 6000) << time_gap;
    }
}

// A file of one keeps its distance: the last of ten that stop and go never comes into the body ahead.
TEST(Congestion, TimeGapsKeepBodiesApartBehindASlowOne) {
    for (const double time_gap : {0.0, 0.4}) {
        Scene scene = map_scene(room(60, 3), {{58, 1}}, 0);
        crowd_rule(scene).time_gap = time_gap;
        crowd_rule(scene).speed_spread = 0.0;
        scene.rules["slow"] = crowd_rule(scene);
        std::get<CrowdRule>(scene.rules["slow"]).speed = 0.4;
        scene.agents.push_back(scene.agents[0]);
        scene.agents[1].rule = "slow";
        World world(scene);
        world.spawn({.position = {16.5, 1.5, 0}, .group = 1, .goal = 0});
        for (int n = 0; n < 10; ++n) world.spawn({.position = {12.5 - n, 1.5, 0}, .goal = 0});
        double nearest = 1e9;
        for (int n = 0; n < 1200; ++n) {
            world.step();
            const Snapshot rows = rows_of(world);
            for (std::size_t i = 1; i < rows.count(); ++i)
                nearest = std::min(nearest, distance(rows.position[i - 1], rows.position[i]));
        }
        if (time_gap > 0.0) {
            EXPECT_GT(nearest, 0.42) << "bodies are 0.5 m wide";
        } else {
            EXPECT_LT(nearest, 0.42) << "what the gap is for";
        }
    }
}

// recastnavigation #483: no push comes of agents at one point.
TEST(Peers, P1AgentsAtOnePointPartInBoundedTime) {
    for (const int count : {2, 32, 10'000}) {
        Scene scene = map_scene(room(120, 120), {}, 0);
        World world(scene);
        for (int n = 0; n < count; ++n) world.spawn({.position = {60.5, 60.5, 0}});
        run(world, count > 1000 ? 4 : 60);
        const Snapshot rows = rows_of(world);
        std::map<std::pair<double, double>, int> places;
        for (std::size_t i = 0; i < rows.count(); ++i) {
            ASSERT_TRUE(std::isfinite(rows.position[i].x) && std::isfinite(rows.velocity[i].y));
            ++places[{rows.position[i].x, rows.position[i].y}];
        }
        EXPECT_EQ(rows.count(), static_cast<std::size_t>(count));
        EXPECT_GT(places.size(), static_cast<std::size_t>(count) * 9 / 10) << "they part";
    }
}

// recastnavigation #305: bodies overlap though there is room.
TEST(Peers, P3BodiesHardlyOverlapWhereThereIsRoom) {
    Scene scene = map_scene(room(40, 40), {{20, 20}}, 150);
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    World world(scene);
    run(world, 2500);
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(count_of(rows, AgentState::kArrived), 150);
    int overlaps = 0;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            overlaps += distance(rows.position[i], rows.position[j]) < 0.95 * 2 * 0.25 ? 1 : 0;
    }
    EXPECT_LE(overlaps, 3) << "of 150 bodies";
}

}  // namespace
}  // namespace horde
