// Agents that share a goal: they fill it, come to rest, say so once, and let others pass.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "crowds.h"
#include "horde/error.h"

namespace horde {
namespace {

using namespace test;

constexpr double kRest = 0.0134;  // 1 % of the walking speed

// Agents on an open field who stay at its middle.
Scene gathering(int side, std::int64_t count) {
    Scene scene = map_scene(room(side, side), {{side / 2, side / 2}}, count);
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    return scene;
}

TEST(Arrival, NamesWhoArrivedInOrderOfIdWithTheIdsTheyCameWith) {
    for (const OnArrival then : {OnArrival::kExit, OnArrival::kStay, OnArrival::kRespawn}) {
        Scene scene = map_scene(room(14, 9), {{2, 4}, {11, 4}}, 40);
        crowd_rule(scene).on_arrival = then;
        World world(scene);
        EXPECT_TRUE(world.arrivals().empty());
        std::int64_t total = 0;
        std::map<AgentId, int> times;
        std::size_t most = 0;
        for (int n = 0; n < 400; ++n) {
            const Snapshot before = rows_of(world);
            world.step();
            const std::span<const AgentId> arrivals = world.arrivals();
            EXPECT_TRUE(std::is_sorted(arrivals.begin(), arrivals.end()));
            EXPECT_EQ(static_cast<std::int64_t>(arrivals.size()), world.report().arrived);
            for (const AgentId id : arrivals) {
                EXPECT_TRUE(std::binary_search(before.id.begin(), before.id.end(), id));
                ++times[id];
            }
            most = std::max(most, arrivals.size());
            total += static_cast<std::int64_t>(arrivals.size());
        }
        EXPECT_EQ(total, world.report().arrived_total);
        EXPECT_GE(times.size(), 40u);
        EXPECT_GE(most, 2u) << "an order needs two";
        for (const auto& [id, count] : times) EXPECT_EQ(count, 1) << "agent " << id << " arrived once";
    }
}

// RecoilEngine #15, #344, #1512: clumping and shoving at a shared goal, units that stop early, no event.
// recastnavigation #305: overlaps that remain though there is room.
TEST(Peers, P12AgentsFillTheirGoalAndComeToRest) {
    World world(gathering(60, 400));
    std::set<AgentId> told;
    for (int n = 0; n < 1500; ++n) {
        world.step();
        for (const AgentId id : world.arrivals()) EXPECT_TRUE(told.insert(id).second) << "told twice: " << id;
    }
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(told.size(), 400u);
    EXPECT_EQ(count_of(rows, AgentState::kArrived), 400);
    EXPECT_LT(mean_speed(rows), kRest);
    // Nobody stopped early: bodies of 0.25 m on a disc take 78 m2 if packed without a gap, a radius of 5 m.
    double farthest = 0.0;
    for (const Vec3& p : rows.position) farthest = std::max(farthest, distance(p, {30.5, 30.5, 0}));
    EXPECT_LT(farthest, 8.0);
    std::int64_t overlapping = 0;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        bool overlaps = false;
        for (std::size_t j = 0; j < rows.count(); ++j)
            overlaps = overlaps || (i != j && distance(rows.position[i], rows.position[j]) < 0.95 * 0.5);
        overlapping += overlaps ? 1 : 0;
    }
    EXPECT_LT(overlapping, 40) << "at most a tenth touches by more than 5 %";
    // And they stay: over ten seconds nobody moves by more than a hand.
    double moved = 0.0, fastest = 0.0;
    for (int n = 0; n < 200; ++n) {
        world.step();
        const Snapshot now = rows_of(world);
        fastest = std::max(fastest, mean_speed(now));
        for (std::size_t i = 0; i < now.count(); ++i)
            moved = std::max(moved, distance(now.position[i], rows.position[i]));
    }
    EXPECT_LT(fastest, kRest);
    EXPECT_LT(moved, 0.1);
}

// A crowd that has more bodies than its closed room has floor still comes to rest.
TEST(Arrival, AnOverfullPenComesToRest) {
    Scene scene = map_scene(room(10, 10), {{4, 4}}, 500);
    scene.agents[0].agents_per_cell = 8;
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    World world(scene);
    run(world, 1200);
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(count_of(rows, AgentState::kArrived), 500);
    EXPECT_LT(mean_speed(rows), kRest);
}

// A wall between them: whoever stands behind it has not arrived because another has in front of it.
TEST(Arrival, NobodyArrivesByATouchThroughAWall) {
    std::vector<std::string> map = room(60, 12);
    put(map, 30, 1, 1, 9, '@');  // a wall of 0.3 m with a way round its lower end
    Scene scene = map_scene(map, {{29, 2}}, 0);
    scene.map.cell_size = 0.3;
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    crowd_rule(scene).arrival_radius = 0.0;
    World world(scene);
    for (int n = 0; n < 5; ++n) world.spawn({.position = {29.5 * 0.3, (1.5 + 1.6 * n) * 0.3, 0}, .goal = 0});
    run(world, 200);
    EXPECT_EQ(count_of(rows_of(world), AgentState::kArrived), 5);
    const AgentId behind = world.spawn({.position = {31.2 * 0.3, 2.5 * 0.3, 0}, .goal = 0});
    for (int n = 0; n < 20; ++n) {
        world.step();
        EXPECT_EQ(std::count(world.arrivals().begin(), world.arrivals().end(), behind), 0) << n;
    }
    run(world, 600);
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.state.back(), AgentState::kArrived);
    EXPECT_LT(rows.position.back().x, 30.0 * 0.3) << "it went round";
}

// recastnavigation #295, #387: stuck behind standing agents, or between them and a wall.
TEST(Peers, P4WalkersPassThoseWhoStandInTheirWay) {
    for (const int width : {2, 4, 8}) {
        Scene scene = map_scene(room(60, width + 2), {{30, 1 + width / 2}}, 0);
        scene.field.goal_sets.push_back({{58, 1 + width / 2}});
        crowd_rule(scene).on_arrival = OnArrival::kStay;
        crowd_rule(scene).speed_spread = 0.0;
        scene.rules["passer"] = crowd_rule(scene);
        std::get<CrowdRule>(scene.rules["passer"]).on_arrival = OnArrival::kExit;
        scene.agents.push_back(scene.agents[0]);
        scene.agents[1].rule = "passer";
        scene.agents[1].goal = "1";
        World world(scene);
        for (int n = 0; n < 15 * width; ++n) {
            world.spawn({.position = {20.5 + 0.4 * (n / width), 1.5 + n % width, 0}, .goal = 0});
        }
        run(world, 800);
        const std::int64_t standing = world.agent_count();
        EXPECT_EQ(count_of(rows_of(world), AgentState::kArrived), standing);
        for (int n = 0; n < 10 * width; ++n) {
            world.spawn({.position = {1.5 + 0.8 * (n / width), 1.5 + n % width, 0}, .group = 1, .goal = 1});
        }
        std::int64_t stuck = 0;
        int frames = 0;
        for (; frames < 2400 && world.agent_count() > standing; ++frames) {
            world.step();
            stuck = std::max(stuck, world.report().stuck);
        }
        EXPECT_EQ(world.agent_count(), standing) << "all passed, width " << width;
        EXPECT_LT(frames, 1700) << "free walking takes 850 frames, width " << width;
        EXPECT_LE(stuck, 2) << width;
        run(world, 600);
        const Snapshot rows = rows_of(world);
        EXPECT_EQ(count_of(rows, AgentState::kArrived), standing) << width;
        EXPECT_LT(mean_speed(rows), kRest) << width;
        double mean = 0.0;
        for (const Vec3& p : rows.position) mean += p.x / static_cast<double>(standing);
        EXPECT_NEAR(mean, 30.0, 4.0) << "they settled at their goal again, width " << width;
    }
}

// One who stands alone in the path of many steps aside and comes back.
TEST(Arrival, OneWhoIsPushedOffStepsBack) {
    Scene scene = map_scene(room(40, 9), {{20, 4}}, 0);
    scene.field.goal_sets.push_back({{38, 4}});
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    scene.rules["passer"] = CrowdRule{};
    scene.agents.push_back(scene.agents[0]);
    scene.agents[1].rule = "passer";
    scene.agents[1].goal = "1";
    World world(scene);
    const AgentId stays = world.spawn({.position = {18.5, 4.5, 0}, .goal = 0});
    run(world, 100);
    ASSERT_EQ(count_of(rows_of(world), AgentState::kArrived), 1);
    const Vec3 home = rows_of(world).position[0];
    double farthest = 0.0;
    int told = 0;
    for (int n = 0; n < 1600; ++n) {
        if (n < 600 && n % 10 == 0)
            world.spawn({.position = {1.5, 3.6 + 0.2 * (n / 10 % 10), 0}, .group = 1, .goal = 1});
        world.step();
        const Snapshot rows = rows_of(world);
        ASSERT_EQ(rows.id[0], stays);
        farthest = std::max(farthest, distance(rows.position[0], home));
        told += static_cast<int>(std::count(world.arrivals().begin(), world.arrivals().end(), stays));
    }
    EXPECT_EQ(world.agent_count(), 1);
    EXPECT_GT(farthest, 0.3) << "it gave way";
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.state[0], AgentState::kArrived);
    EXPECT_LT(distance(rows.position[0], home), 3.0);
    EXPECT_EQ(speed_at(rows, 0), 0.0) << "at rest, not almost";
    EXPECT_LE(told, 2);
}

// gdx-ai #35, godot #78840: no swinging about the goal when a step is much longer than the arrival radius.
TEST(Peers, P13StepsMuchLongerThanTheArrivalRadius) {
    std::vector<std::string> map = room(60, 60);
    put(map, 20, 1, 1, 50, '@');
    put(map, 40, 9, 1, 50, '@');
    for (const double dt : {0.05, 0.4, 1.0, 2.5, 10.0}) {
        Scene scene = map_scene(map, {{50, 50}}, 50);
        scene.map.cell_size = 0.5;
        scene.world.dt = dt;
        CrowdRule& rule = crowd_rule(scene);
        rule.on_arrival = OnArrival::kStay;
        rule.speed = 4.0;
        rule.max_speed = 5.0;
        rule.arrival_radius = 0.02;
        rule.radius = 0.1;
        rule.separation_radius = 0.3;
        World world(scene);
        const int frames = static_cast<int>(60.0 / dt) + 20;
        run(world, frames);
        EXPECT_EQ(count_of(rows_of(world), AgentState::kArrived), 50) << "dt " << dt;
        EXPECT_LT(mean_speed(rows_of(world)), 0.04) << "dt " << dt;
    }
}

// deusexmachina #26: agents far from the origin never came near enough to their goal.
TEST(Peers, P13ArrivesAMillionMetresFromTheOrigin) {
    for (const double x : {600.0, 500e3, 983e3}) {
        Scene scene = map_scene({std::string(8000, '.'), std::string(8000, '.')}, {}, 0);
        scene.map.cell_size = 130.0;
        const auto column = static_cast<std::int32_t>(x / 130.0);
        scene.field.goal_sets = {{{column, 1}}};
        scene.agents[0].goal = "0";
        crowd_rule(scene).speed = 2.0;
        crowd_rule(scene).speed_spread = 0.0;
        World world(scene, {.threads = 1});
        world.spawn({.position = {(column - 1) * 130.0 + 80.0, 195.0, 0}, .goal = 0});
        const int frames = run_until_empty(world, 800);
        EXPECT_EQ(world.report().arrived_total, 1) << x;
        EXPECT_NEAR(frames, 500 + 10, 120) << "50 m at 2 m/s, rounded to steps of 1/16 m at most";
    }
}

// users.md U61 (ModernUO PR#2461, pedsim_ros#33).
TEST(Users, U61AUShapedWallHoldsNobody) {
    std::vector<std::string> map = room(60, 40);
    put(map, 20, 8, 25, 1, '@');
    put(map, 20, 31, 25, 1, '@');
    put(map, 44, 8, 1, 24, '@');
    for (const bool sight : {false, true}) {
        Scene scene = map_scene(map, {{55, 20}}, 0);
        crowd_rule(scene).line_of_sight = sight;
        World world(scene);
        for (int n = 0; n < 200; ++n) world.spawn({.position = {24.5 + n % 18, 10.5 + n / 18, 0}, .goal = 0});
        // What is left of an agent's way falls by a cell at least every 100 frames.
        std::map<AgentId, std::pair<std::uint64_t, int>> least;
        int longest = 0;
        Snapshot rows;
        for (int n = 0; n < 2400 && world.agent_count() > 0; ++n) {
            world.step();
            EXPECT_EQ(world.report().stuck, 0);
            world.snapshot(rows);
            for (std::size_t k = 0; k < rows.count(); ++k) {
                const Cell cell{static_cast<std::int32_t>(rows.position[k].x),
                                static_cast<std::int32_t>(rows.position[k].y)};
                const std::uint64_t value = world.field(0).value(world.map()->index(cell));
                auto& [best, since] = least.try_emplace(rows.id[k], value, n).first->second;
                if (value + kStraightStep <= best) {
                    best = value;
                    since = n;
                }
                longest = std::max(longest, n - since);
            }
        }
        EXPECT_EQ(world.agent_count(), 0);
        EXPECT_LT(longest, 100);
    }
}

}  // namespace
}  // namespace horde
