// Agents that come and go while the world runs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"
#include "sim/life/spawners.h"

namespace horde {
namespace {

using test::box_scene;
using test::map_scene;

Snapshot rows_of(const World& world) {
    Snapshot snapshot;
    world.snapshot(snapshot);
    return snapshot;
}

std::string refusal(const Scene& scene, const WorldOptions& options = {}) {
    try {
        const World world(scene, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

Scene hall(SceneSpawner spawner) {
    Scene scene = map_scene(std::vector<std::string>(20, std::string(20, '.')), {{19, 10}}, 0);
    scene.spawners.push_back(spawner);
    return scene;
}

// The same floor by long division, bit by bit.
RC_GTEST_PROP(Spawner, OwesTheFloorOfRateTimesTime, ()) {
    Spawner spawner;
    spawner.rate = *rc::gen::inRange<std::uint64_t>(0, 1ull << 52);
    spawner.start = *rc::gen::inRange<std::uint64_t>(0, 1ull << 40);
    spawner.stop = ~0ull;
    spawner.burst = static_cast<std::uint64_t>(*rc::gen::element(1, 2, 7, 1000));
    const std::uint64_t clock = *rc::gen::inRange<std::uint64_t>(0, 1ull << 58);
    std::uint64_t high = 0, low = 0;  // of rate * (clock - start)
    const std::uint64_t elapsed = clock > spawner.start ? clock - spawner.start : 0;
    for (int bit = 63; bit >= 0; --bit) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if ((elapsed >> bit & 1) == 0) continue;
        low += spawner.rate;
        high += low < spawner.rate ? 1 : 0;
    }
    RC_ASSERT(due_by(spawner, clock) == high - high % spawner.burst);
}

TEST(Spawner, AddsAsManyAsAreDueInEachFrame) {
    SceneSpawner spawner;
    spawner.rate = 2.5;
    spawner.box = Bounds{{1, 1, 0}, {4, 19, 0}};
    Scene scene = hall(spawner);
    scene.world.dt = 0.05;
    World world(scene);
    std::int64_t total = 0;
    for (int n = 1; n <= 800; ++n) {
        world.step();
        total += world.report().spawned;
        EXPECT_EQ(total, n / 8) << "frame " << n;  // 2.5 * 0.05 = 1/8
    }
    EXPECT_EQ(world.report().spawns_dropped, 0);
}

TEST(Spawner, KeepsTheTimeThroughStepsOfAnyLength) {
    SceneSpawner spawner;
    spawner.rate = 8.0;
    spawner.burst = 4;
    spawner.start = 1.0;
    spawner.stop = 3.0;
    Scene scene = hall(spawner);
    World even(scene), odd(scene);
    std::int64_t from_even = 0, from_odd = 0;
    for (int n = 0; n < 80; ++n) {
        even.step(0.0625);
        EXPECT_TRUE(even.report().spawned == 0 || even.report().spawned == 4);
        from_even += even.report().spawned;
    }
    for (int n = 0; n < 20; ++n) {
        odd.step(0.03125);
        odd.step(0.21875);
        from_odd += odd.report().spawned;
    }
    EXPECT_EQ(from_even, 16) << "8 a second for two seconds";
    EXPECT_LE(from_odd, 16);
    EXPECT_GE(from_odd, 12) << "the odd ones of two steps are counted once";
}

TEST(Spawner, PutsAgentsWhereItsPatternSays) {
    for (const SpawnPattern pattern :
         {SpawnPattern::kBox, SpawnPattern::kCells, SpawnPattern::kCircle, SpawnPattern::kEdge}) {
        SceneSpawner spawner;
        spawner.rate = 400.0;
        spawner.pattern = pattern;
        if (pattern == SpawnPattern::kBox) spawner.box = Bounds{{2, 3, 0}, {6, 5, 0}};
        spawner.cells = {{{3, 4}}, {{7, 9}, {8, 9}}};
        spawner.centre = Vec3{10, 10, 0};
        spawner.radius = 4.0;
        World world(hall(spawner));
        world.step();
        const Snapshot rows = rows_of(world);
        ASSERT_EQ(rows.count(), 20u);
        std::set<std::pair<int, int>> cells;
        int sides[4] = {0, 0, 0, 0};
        for (const Vec3& p : rows.position) {
            cells.emplace(static_cast<int>(p.x), static_cast<int>(p.y));
            if (pattern == SpawnPattern::kBox) {
                EXPECT_TRUE(p.x >= 2 && p.x <= 6 && p.y >= 3 && p.y <= 5) << p.x << ", " << p.y;
            } else if (pattern == SpawnPattern::kCircle) {
                EXPECT_LE(std::hypot(p.x - 10, p.y - 10), 4.0 + 1e-4);
            } else if (pattern == SpawnPattern::kEdge) {
                const double d[4] = {p.x, 20 - p.x, p.y, 20 - p.y};
                const auto least = std::min_element(d, d + 4);
                EXPECT_LT(*least, 0.01);
                ++sides[least - d];
            }
        }
        if (pattern == SpawnPattern::kCells) {
            EXPECT_EQ(cells, (std::set<std::pair<int, int>>{{3, 4}, {7, 9}, {8, 9}}));
        }
        if (pattern == SpawnPattern::kEdge) {
            for (const int side : sides) EXPECT_GT(side, 0);
        }
    }
}

TEST(Spawner, InSpaceWithoutAMapFillsBallAndFaces) {
    for (const SpawnPattern pattern : {SpawnPattern::kCircle, SpawnPattern::kEdge}) {
        Scene scene = box_scene(3, Edge::kOpen, 0, 8.0, {100, 0, 0});
        SceneSpawner spawner;
        spawner.rate = 6000.0;
        spawner.pattern = pattern;
        spawner.centre = Vec3{101, 1, 1};
        spawner.radius = 2.0;
        scene.spawners.push_back(spawner);
        scene.agents[0].start_speed = 0.0;
        World world(scene);
        world.step();
        const Snapshot rows = rows_of(world);
        ASSERT_EQ(rows.count(), 300u);
        int inner = 0, faces[6] = {0, 0, 0, 0, 0, 0};
        for (const Vec3& p : rows.position) {
            const double x = p.x - 101, y = p.y - 1, z = p.z - 1;
            const double r = std::sqrt(x * x + y * y + z * z);
            if (pattern == SpawnPattern::kCircle) {
                ASSERT_LE(r, 2.001);
                inner += r < 2.0 * 0.7937 ? 1 : 0;  // half of the volume
                continue;
            }
            const double d[6] = {p.x - 96, 104 - p.x, p.y + 4, 4 - p.y, p.z + 4, 4 - p.z};
            const auto least = std::min_element(d, d + 6);
            ASSERT_LT(std::fabs(*least), 1e-4);
            ++faces[least - d];
        }
        if (pattern == SpawnPattern::kCircle) {
            EXPECT_NEAR(inner, 150, 45);
        } else {
            for (const int face : faces) EXPECT_NEAR(face, 50, 30);
        }
    }
}

TEST(Spawner, StopsAtItsLimitAndCountsWhatItGivesUp) {
    SceneSpawner spawner;
    spawner.rate = 100.0;
    spawner.limit = 30;
    spawner.box = Bounds{{1, 1, 0}, {3, 19, 0}};
    Scene scene = hall(spawner);
    World world(scene);
    std::int64_t spawned = 0, dropped = 0;
    for (int n = 1; n <= 100; ++n) {
        world.step();
        spawned += world.report().spawned;
        dropped += world.report().spawns_dropped;
        ASSERT_LE(world.agent_count(), 30);
        ASSERT_EQ(spawned + dropped, 5 * n);
    }
    EXPECT_GE(spawned, 30);
    EXPECT_GT(dropped, 300);
}

TEST(Spawner, GivesUpWhereTheGoalCannotBeReached) {
    SceneSpawner spawner;
    spawner.rate = 20.0;
    spawner.pattern = SpawnPattern::kCells;
    spawner.cells = {{{0, 0}}, {{3, 0}}};
    Scene scene = map_scene({"...@..", "...@.."}, {{5, 0}}, 0);
    scene.spawners.push_back(spawner);
    World world(scene);
    for (int n = 0; n < 20; ++n) world.step();
    EXPECT_EQ(world.agent_count(), 0);
    EXPECT_EQ(world.report().spawns_dropped, 1);
    scene.spawners[0].cells.push_back({{4, 1}});
    World open(scene);
    open.step();
    EXPECT_EQ(open.agent_count(), 1) << "the free one of three is found by drawing again";
    EXPECT_EQ(rows_of(open).state[0], AgentState::kWalking);
}

TEST(Sink, TakesOutWhoIsInIt) {
    Scene scene = map_scene(std::vector<std::string>(10, std::string(40, '.')), {{39, 5}}, 0);
    SceneSpawner spawner;
    spawner.rate = 40.0;
    spawner.box = Bounds{{0, 0, 0}, {4, 10, 0}};
    scene.spawners = {spawner};
    scene.sinks = {{.box = Bounds{{20, 0, 0}, {24, 10, 0}}}};
    World world(scene);
    std::int64_t spawned = 0, sunk = 0;
    for (int n = 0; n < 1000; ++n) {
        world.step();
        spawned += world.report().spawned;
        sunk += world.report().sunk;
        ASSERT_EQ(world.agent_count(), spawned - sunk);
        for (const Vec3& p : rows_of(world).position) ASSERT_LT(p.x, 20.0);
    }
    EXPECT_GT(sunk, 500);
    EXPECT_EQ(world.report().arrived_total, 0);
}

TEST(Sink, WhoLeftInItIsNotCountedAsStrandedOrStuck) {
    Scene scene = test::map_scene({"....@....", "....@....", "....@...."}, {{0, 0}}, 0);
    scene.sinks = {{.box = Bounds{{5, 0, 0}, {8, 3, 0}}}};
    World world(scene);
    for (int n = 0; n < 4; ++n) world.spawn({.position = {6.5, 1.5, 0}, .goal = 0});
    world.spawn({.position = {8.5, 1.5, 0}, .goal = 0});
    world.step();
    EXPECT_EQ(world.report().sunk, 4);
    EXPECT_EQ(world.report().agents, 1);
    EXPECT_EQ(world.report().stranded, 1);
    world.step();
    EXPECT_EQ(world.report().stranded, 1);
}

TEST(Sink, OfOneGroupLeavesTheOthersAlone) {
    Scene scene = box_scene(2, Edge::kOpen, 30, 10.0);
    scene.agents.push_back(scene.agents[0]);
    scene.agents[1].type = 1;
    scene.sinks = {{.box = Bounds{{-50, -50, 0}, {50, 50, 0}}, .group = 1}};
    World world(scene);
    world.step();
    EXPECT_EQ(world.report().sunk, 30);
    const Snapshot rows = rows_of(world);
    ASSERT_EQ(rows.count(), 30u);
    for (const std::uint8_t type : rows.type) EXPECT_EQ(type, 0);
}

// U64, godot 72772: spawning into a crowd shot agents off.
TEST(Users, U64SpawningIntoACrowdShootsNobodyOff) {
    Scene scene = box_scene(2, Edge::kOpen, 200, 9.0);
    scene.agents[0].start_speed = 1.0;
    World world(scene);
    for (int n = 0; n < 40; ++n) world.step();
    for (int k = 0; k < 20; ++k) world.spawn({.position = {0.3, -0.2, 0}});
    SceneSpawner spawner;
    spawner.rate = 400.0;
    spawner.pattern = SpawnPattern::kCircle;
    spawner.centre = Vec3{};
    spawner.radius = 0.1;
    spawner.stop = 0.5;
    Scene second = scene;
    second.spawners.push_back(spawner);
    World fed(second);
    const CrowdRule rule;
    for (World* each : {&world, &fed}) {
        std::map<AgentId, Vec3> before;
        for (int n = 0; n < 200; ++n) {
            each->step();
            const Snapshot rows = rows_of(*each);
            for (std::size_t i = 0; i < rows.count(); ++i) {
                const Vec3 v = rows.velocity[i];
                ASSERT_LE(std::hypot(v.x, v.y), rule.max_speed + 1e-4);
                const auto was = before.find(rows.id[i]);
                if (was != before.end()) {
                    ASSERT_LE(std::hypot(v.x - was->second.x, v.y - was->second.y),
                              rule.max_accel * scene.world.dt + 1e-4);
                }
                before[rows.id[i]] = v;
            }
        }
    }
    EXPECT_EQ(fed.agent_count(), 400);
}

// 100,000 agents come and go in slots that are used again: nothing grows.
TEST(Spawner, AHundredThousandSpawnsTakeNoMoreMemory) {
    Scene scene = box_scene(2, Edge::kOpen, 0, 40.0);
    scene.agents[0].start_speed = 1.9;
    SceneSpawner spawner;
    spawner.rate = 4000.0;
    spawner.box = Bounds{{-1, -20, 0}, {1, 20, 0}};
    scene.spawners = {spawner};
    scene.sinks = {{.box = Bounds{{-20, -30, 0}, {-2, 30, 0}}}, {.box = Bounds{{2, -30, 0}, {20, 30, 0}}}};
    scene.world.dt = 0.1;
    World world(scene);
    std::int64_t spawned = 0, most = 0;
    std::set<AgentId> ids;
    std::uint32_t last_slot = 0;
    std::int64_t capacity = 0;
    for (int n = 0; spawned < 100'000; ++n) {
        world.step();
        spawned += world.report().spawned;
        if (n < 60) most = std::max(most, world.agent_count());
        if (n == 60) capacity = world.capacity();
        if (n % 16 == 0) {
            for (const AgentId id : rows_of(world).id)
                last_slot = std::max(last_slot, static_cast<std::uint32_t>(id));
        }
    }
    EXPECT_EQ(world.report().spawns_dropped, 0);
    EXPECT_EQ(world.capacity(), capacity);
    EXPECT_LT(last_slot, 2 * most + 1000);
}

TEST(Spawner, OnesThatCouldNeverAddAnAgentAreRefused) {
    Scene scene = test::map_scene({"....@@", "....@@", "......"}, {{0, 0}}, 0);
    const auto refused = [&](const SceneSpawner& spawner) {
        scene.spawners = {spawner};
        return refusal(scene);
    };
    const auto box = [](double left, double top, double right, double bottom, SpawnPattern pattern) {
        SceneSpawner spawner;
        spawner.pattern = pattern;
        spawner.box = Bounds{{left, top, 0}, {right, bottom, 0}};
        return spawner;
    };
    const std::string walls = "spawner[0].box: no cell of it is free",
                      off = "spawner[0].box: all of it lies outside";
    EXPECT_TRUE(refused(box(4, 0, 5.9, 1.9, SpawnPattern::kBox)).starts_with(walls));
    EXPECT_EQ(refused(box(4, 0, 5.9, 2.1, SpawnPattern::kBox)), "accepted") << "a row of it is free";
    EXPECT_TRUE(refused(box(7, 0, 9, 2, SpawnPattern::kBox)).starts_with(off));
    EXPECT_TRUE(refused(box(0, -3, 6, -0.1, SpawnPattern::kEdge)).starts_with(off));
    EXPECT_TRUE(refused(box(-1, -1, 7, 4, SpawnPattern::kEdge)).starts_with(walls)) << "only its edge counts";
    EXPECT_EQ(refused(box(6, 2, 6, 3, SpawnPattern::kBox)), "accepted") << "the border belongs to the map";
    EXPECT_EQ(refused(box(0, 0, 6, 3, SpawnPattern::kEdge)), "accepted");
    SceneSpawner circle;
    circle.pattern = SpawnPattern::kCircle;
    circle.centre = Vec3{5.5, 0.5, 0.0};
    circle.radius = 1.4;
    EXPECT_TRUE(refused(circle).starts_with("spawner[0].centre: no cell of it is free"));
    circle.radius = 1.6;
    EXPECT_EQ(refused(circle), "accepted");
    SceneSpawner cells;
    cells.pattern = SpawnPattern::kCells;
    cells.cells = {{{4, 0}, {5, 1}}};
    EXPECT_TRUE(refused(cells).starts_with("spawner[0].cells: no cell of it is free"));
    scene.edits = {{.frame = 9, .kind = EditKind::kClear, .cells = CellArea{{4, 0}, {4, 0}}}};
    EXPECT_EQ(refused(cells), "accepted") << "an edit opens it";
    scene.spawners.clear();
    scene.sinks = {{.box = Bounds{{-5, 0, 0}, {-1, 3, 0}}}};
    EXPECT_TRUE(refusal(scene).starts_with("sink[0].box: all of it lies outside"));
    scene.sinks = {{.box = Bounds{{-5, 0, 0}, {0, 3, 0}}}};
    EXPECT_EQ(refusal(scene), "accepted");
}

TEST(Spawner, BadOnesAreRefusedByKey) {
    const auto says = [](const Scene& scene, const std::string& text) {
        EXPECT_NE(refusal(scene).find(text), std::string::npos) << refusal(scene);
    };
    SceneSpawner spawner;
    spawner.rate = -1.0;
    says(hall(spawner), "spawner[0].rate is -1");
    spawner = {};
    spawner.group = 1;
    says(hall(spawner), "spawner[0].group: there is no [[agents]] 1");
    spawner = {};
    spawner.pattern = SpawnPattern::kCells;
    says(hall(spawner), "spawner[0].cells");
    spawner.cells = {{{20, 3}}};
    says(hall(spawner), "(20, 3) lies outside the map");
    spawner = {};
    spawner.pattern = SpawnPattern::kCircle;
    says(hall(spawner), "spawner[0].centre");
    spawner = {};
    spawner.start = 3.0;
    spawner.stop = 2.0;
    says(hall(spawner), "spawner[0].stop is 2");
    spawner = {};
    spawner.burst = 0;
    says(hall(spawner), "spawner[0].burst");
    Scene scene = box_scene(2, Edge::kOpen, 3, 5.0);
    scene.sinks.push_back({});
    says(scene, "sink[0].box");
    scene.sinks.clear();
    scene.agents[0].rule = "reynolds";
    scene.spawners.push_back({});
    EXPECT_NE(refusal(scene, {.precision = Precision::kDouble}).find("double"), std::string::npos);
}

}  // namespace
}  // namespace horde
