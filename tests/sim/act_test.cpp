// What callers do to agents between frames: teleport, push, reserve.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

using test::box_scene;
using test::map_scene;

Snapshot rows_of(const World& world) {
    Snapshot snapshot;
    world.snapshot(snapshot);
    return snapshot;
}

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

double speed_of(Vec3 v) {
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

TEST(Teleport, PutsAnAgentElsewhereWithItsVelocity) {
    World world(map_scene({"..........", "..........", ".........."}, {{9, 1}}, 0));
    const AgentId id = world.spawn({.position = {0.5, 1.5, 0}, .velocity = {0.5, 0, 0}, .goal = 0});
    const std::optional<Vec3> place = world.teleport(id, {7.25, 0.5, 0});
    ASSERT_TRUE(place.has_value());
    EXPECT_EQ(place->x, 7.25);
    EXPECT_EQ(place->y, 0.5);
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.position[0].x, 7.25);
    EXPECT_EQ(rows.velocity[0].x, 0.5);
    EXPECT_FALSE(world.teleport(id + 1, {1, 1, 0}).has_value());
}

TEST(Teleport, WakesAnAgentThatHadArrived) {
    Scene scene = map_scene({"....................", "...................."}, {{19, 0}}, 1);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    World world(scene);
    for (int n = 0; n < 600; ++n) world.step();
    ASSERT_EQ(rows_of(world).state[0], AgentState::kArrived);
    world.teleport(0, {1.5, 1.5, 0});
    EXPECT_EQ(rows_of(world).state[0], AgentState::kWalking);
    for (int n = 0; n < 600; ++n) world.step();
    EXPECT_EQ(rows_of(world).state[0], AgentState::kArrived);
    EXPECT_GT(rows_of(world).position[0].x, 18.0);
}

TEST(Teleport, RefusesNoPlaceAndNamesTheAgent) {
    World world(map_scene({"...", "..."}, {}, 1));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal([&] {
                  world.teleport(0, {nan, 1, 0});
              }).find("agent 0: position x"),
              std::string::npos);
    EXPECT_NE(refusal([&] {
                  world.teleport(0, {3.5, 1, 0});
              }).find("agent 0: its new position lies outside"),
              std::string::npos);
    EXPECT_NE(refusal([&] { world.teleport(0, {-0.001, 1, 0}); }).find("agent 0"), std::string::npos);
    EXPECT_EQ(world.agent_count(), 1);
}

// recastnavigation 416, 350 and 425: an agent put off the mesh was invalid for ever.
TEST(Peers, P6AnAgentPutIntoAWallStandsAtTheNearestFreePlace) {
    World world(map_scene({".......", ".@@@...", ".@@@...", ".@@@...", "......."}, {}, 0));
    const AgentId id = world.spawn({.position = {5.5, 2.5, 0}});
    const std::optional<Vec3> place = world.teleport(id, {3.75, 2.5, 0});
    ASSERT_TRUE(place.has_value());
    EXPECT_NEAR(place->x, 4.0, 0.01);
    EXPECT_NEAR(place->y, 2.5, 0.01);
    EXPECT_GT(place->x, 4.0);
    world.step();
    EXPECT_EQ(world.report().pushed_out, 0);
    EXPECT_TRUE(world.teleport(id, {5.5, 4.5, 0}).has_value()) << "and can be put elsewhere again";
    EXPECT_NE(refusal([&] {
                  world.spawn({.position = {2.5, 2.5, 0}});
              }).find("lies in a wall"),
              std::string::npos);
}

TEST(Push, IsInForceWithTheNextStepAndCutToTheSpeedLimit) {
    World world(box_scene(2, Edge::kOpen, 1, 10.0));
    const Snapshot before = rows_of(world);
    EXPECT_TRUE(world.push(0, {0.5, 0.25, 0}));
    EXPECT_EQ(rows_of(world).velocity[0].x, before.velocity[0].x);
    world.step(0.001);  // hardly any time to steer
    EXPECT_NEAR(rows_of(world).velocity[0].x, before.velocity[0].x + 0.5, 0.01);
    EXPECT_NEAR(rows_of(world).velocity[0].y, before.velocity[0].y + 0.25, 0.01);
    world.push(0, {1e300, 1e300, 0});
    world.step();
    const Vec3 v = rows_of(world).velocity[0];
    EXPECT_LE(speed_of(v), 2.0 + 1e-5);
    EXPECT_GT(speed_of(v), 1.5);
    EXPECT_NEAR(v.x, v.y, 0.1);
    EXPECT_FALSE(world.push(77, {1, 0, 0}));
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_NE(refusal([&] {
                  world.push(0, {0, inf, 0});
              }).find("agent 0: velocity change y"),
              std::string::npos);
}

TEST(Push, InACircleFallsOffEvenlyAndLeavesOthersAlone) {
    Scene scene = box_scene(2, Edge::kPeriodic, 0, 20.0);
    World world(scene);
    const AgentId centre = world.spawn({.position = {9, 0, 0}});
    world.spawn({.position = {7, 0, 0}});      // 2 m away
    world.spawn({.position = {-9, 0, 0}});     // 2 m away over the seam
    world.spawn({.position = {9, 4.001, 0}});  // just outside
    EXPECT_EQ(world.push(Vec3{9, 0, 0}, 4.0, 1.0), 3);
    world.step(0.0001);
    const Snapshot rows = rows_of(world);
    EXPECT_NEAR(speed_of(rows.velocity[centre]), 1.0, 0.01) << "in a direction drawn by id";
    EXPECT_NEAR(rows.velocity[1].x, -0.5, 0.01);
    EXPECT_NEAR(rows.velocity[2].x, 0.5, 0.01);
    EXPECT_NEAR(speed_of(rows.velocity[3]), 0.0, 0.01);
    EXPECT_NE(refusal([&] { world.push(Vec3{}, 0.0, 1.0); }).find("radius"), std::string::npos);
    EXPECT_NE(refusal([&] { world.push(Vec3{}, 1.0, std::nan("")); }).find("speed"), std::string::npos);
}

using Call = std::function<void(World&)>;

// Calls on other agents, and several pushes of one, commute: before the step and after it.
TEST(Push, FromFartherThanANumberCanTellReachesNobody) {
    World world(box_scene(2, Edge::kOpen, 5, 20.0));
    EXPECT_EQ(world.push(Vec3{1e200, 0, 0}, 1e250, 1e300), 0);  // squares that overflow are no distances
    world.step();
    for (const Vec3& velocity : rows_of(world).velocity) EXPECT_LE(speed_of(velocity), 10.0);
}

TEST(Push, TeleportsAndPushesComeInAnyOrder) {
    std::vector<Call> calls;
    for (AgentId id = 0; id < 12; ++id) {
        calls.push_back([id](World& world) {
            world.push(id, {1.7 - 0.3 * static_cast<double>(id), 0.9, 0});
        });
        calls.push_back([id](World& world) {
            world.push(id, {-1.9, 2.0 - 0.2 * static_cast<double>(id), 0});
        });
    }
    for (AgentId id = 12; id < 20; ++id) {
        calls.push_back([id](World& world) { world.teleport(id, {2.0 + static_cast<double>(id), 3.3, 0}); });
    }
    Scene scene = map_scene(std::vector<std::string>(30, std::string(30, '.')), {{3, 3}}, 60);
    std::optional<std::uint64_t> waiting, done;
    std::mt19937 random(1);
    for (int order = 0; order < 8; ++order) {
        World world(scene, {.backend = "scalar"});
        for (int n = 0; n < 10; ++n) world.step();
        std::shuffle(calls.begin(), calls.end(), random);
        for (const Call& call : calls) call(world);
        if (!waiting) waiting = world.state_hash();
        EXPECT_EQ(world.state_hash(), *waiting);
        for (int n = 0; n < 20; ++n) world.step();
        if (!done) done = world.state_hash();
        EXPECT_EQ(world.state_hash(), *done);
    }
}

TEST(Push, ThatWaitsIsPartOfTheHashUnlessItCancelsOrItsAgentIsGone) {
    Scene scene = box_scene(2, Edge::kOpen, 40, 10.0);
    World plain(scene, {.backend = "scalar"}), pushed(scene, {.backend = "scalar"});
    pushed.push(3, {1, 0, 0});
    EXPECT_NE(pushed.state_hash(), plain.state_hash());
    pushed.push(3, {-1, 0, 0});
    EXPECT_EQ(pushed.state_hash(), plain.state_hash());
    pushed.push(5, {0, 1, 0});
    pushed.despawn(5);
    plain.despawn(5);
    EXPECT_EQ(pushed.state_hash(), plain.state_hash());
    pushed.step();
    plain.step();
    EXPECT_EQ(pushed.state_hash(), plain.state_hash());
}

TEST(Push, WithTeleportsGivesOneAnswerOnEveryBackend) {
    for (const bool on_map : {true, false}) {
        Scene scene =
            on_map ? map_scene(std::vector<std::string>(24, "......@.....@..........."), {{20, 20}}, 150)
                   : box_scene(3, Edge::kPeriodic, 300, 8.0);
        std::optional<std::uint64_t> reference;
        for (const std::string& backend : backends()) {
            World world(scene, {.backend = backend, .threads = 3, .grain = 7});
            std::mt19937 random(5);
            for (int n = 0; n < 40; ++n) {
                for (int k = 0; k < 10; ++k) {
                    const AgentId id = random() % 150;
                    const double x = on_map ? random() % 2400 * 0.01 : random() % 800 * 0.01 - 4.0;
                    const double y = on_map ? random() % 2400 * 0.01 : random() % 800 * 0.01 - 4.0;
                    if (k < 5) {
                        world.teleport(id, {x, y, 0});
                    } else {
                        world.push(id, {x - 2.0, y - 2.0, 1.0});
                    }
                }
                if (n % 8 == 0) world.push(Vec3{2, 2, 0}, 6.0, 3.0);
                world.step();
            }
            if (!reference) reference = world.state_hash();
            EXPECT_EQ(world.state_hash(), *reference) << backend << (on_map ? ", map" : ", 3D");
        }
    }
}

TEST(Reserve, MakesRoomThatIsReported) {
    World world(box_scene(2, Edge::kOpen, 10, 10.0));
    world.reserve(5000);
    EXPECT_GE(world.capacity(), 5000);
    for (int n = 0; n < 4990; ++n) world.spawn({.position = {0.01 * n, 0, 0}});
    EXPECT_EQ(world.capacity(), 5000);
    world.step();
    EXPECT_EQ(world.report().capacity, 5000);
    EXPECT_EQ(world.report().agents, 5000);
    EXPECT_NE(refusal([&] { world.reserve(-1); }).find("reserve"), std::string::npos);
}

// U19: AutoPas 495, NBodySimulator.jl 46.
TEST(Users, U19AStepOfManyBoxLengthsStaysInThePeriodicBox) {
    Scene scene = box_scene(2, Edge::kPeriodic, 50, 10.0);
    ReynoldsRule rule;
    rule.perception_radius = 1.0;
    rule.separation_distance = 0.5;
    rule.max_speed = 370.0;
    scene.rules["fast"] = rule;
    scene.agents[0].rule = "fast";
    scene.agents[0].start_speed = 370.0;
    World world(scene);
    for (int n = 0; n < 100; ++n) {
        world.step(0.1);  // 3.7 lengths
        for (const Vec3& p : rows_of(world).position) {
            ASSERT_GE(p.x, -5.0);
            ASSERT_LT(p.x, 5.0);
            ASSERT_GE(p.y, -5.0);
            ASSERT_LT(p.y, 5.0);
        }
    }
}

}  // namespace
}  // namespace horde
