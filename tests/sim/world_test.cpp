#include "horde/world.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <set>

#include "base/platform.h"
#include "horde/error.h"
#include "horde/metrics.h"
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

void steps(World& world, int count) {
    for (int n = 0; n < count; ++n) world.step();
}

std::string refusal(const Scene& scene, const WorldOptions& options = {}) {
    try {
        const World world(scene, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(World, StartsWithIdsInOrderAndOneAgentACell) {
    const World world(map_scene({"......", "..@@..", "......"}, {{0, 0}}, 16));
    const Snapshot rows = rows_of(world);
    std::set<std::pair<int, int>> cells;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        EXPECT_EQ(rows.id[i], i);
        const double fx = rows.position[i].x - std::floor(rows.position[i].x);
        EXPECT_GE(fx, 0.25);
        EXPECT_LE(fx, 0.75);
        cells.emplace(static_cast<int>(rows.position[i].x), static_cast<int>(rows.position[i].y));
    }
    EXPECT_EQ(cells.size(), 16u);
    EXPECT_NE(refusal(map_scene({"......", "..@@..", "......"}, {{0, 0}}, 17)).find("do not fit"),
              std::string::npos);
    Scene two = map_scene({"......", "..@@..", "......"}, {{0, 0}}, 32);
    two.agents[0].agents_per_cell = 2;
    EXPECT_EQ(World(two).agent_count(), 32);
}

TEST(World, SpawnsOnlyWhereTheGoalCanBeReached) {
    Scene scene = map_scene({"...@...", "...@...", "...@..."}, {{0, 0}}, 9);
    scene.field.goal_sets.push_back({{6, 0}});
    scene.agents[0].goal = "any";
    scene.agents[0].count = 12;
    const World world(scene);
    const Snapshot rows = rows_of(world);
    for (std::size_t i = 0; i < rows.count(); ++i) {
        EXPECT_EQ(rows.goal[i], rows.position[i].x < 3.5 ? 0 : 1);
        EXPECT_EQ(rows.state[i], AgentState::kWalking);
    }
}

TEST(World, AgentsArriveAndLeave) {
    World world(map_scene({"..........", ".@@.@@@.@.", ".@....@.@.", "......@..."}, {{9, 3}}, 20));
    steps(world, 600);
    EXPECT_EQ(world.agent_count(), 0);
    EXPECT_EQ(world.report().arrived_total, 20);
    EXPECT_EQ(world.report().frame, 600u);
}

TEST(World, ThoseWhoStayFillTheGoalAndStandStill) {
    Scene scene = map_scene({"........", "........", "........", "........"}, {{4, 2}}, 24);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    World world(scene);
    steps(world, 1200);
    const Snapshot rows = rows_of(world);
    ASSERT_EQ(rows.count(), 24u);
    for (std::size_t i = 0; i < rows.count(); ++i) {
        EXPECT_EQ(rows.state[i], AgentState::kArrived);
        EXPECT_LT(std::hypot(rows.velocity[i].x, rows.velocity[i].y), 0.0134) << "1 % of the walking speed";
    }
}

TEST(World, RespawnedAgentsHaveNewIdsInOldSlots) {
    Scene scene = map_scene({"......", "......"}, {{5, 0}}, 8);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    World world(scene);
    std::set<AgentId> seen = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int n = 0; n < 400; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        ASSERT_EQ(rows.count(), 8u);
        std::set<std::uint32_t> slots;
        for (const AgentId id : rows.id) {
            seen.insert(id);
            slots.insert(static_cast<std::uint32_t>(id));
            ASSERT_LT(static_cast<std::uint32_t>(id), 8u);
        }
        ASSERT_EQ(slots.size(), 8u);
    }
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), 8 + world.report().arrived_total);
    EXPECT_GT(seen.size(), 16u);
}

TEST(World, SpawnAndDespawnAtRunTimeReuseSlotsButNotIds) {
    World world(map_scene({"....", "...."}, {}, 2));
    EXPECT_EQ(world.spawn({.position = {0.5, 0.5, 0}}), 2u);
    EXPECT_TRUE(world.despawn(1));
    EXPECT_FALSE(world.despawn(1));
    EXPECT_TRUE(world.despawn(0));
    const AgentId again = world.spawn({.position = {1.5, 0.5, 0}});
    EXPECT_EQ(again, (AgentId{1} << 32) | 0u) << "the lowest free slot, in its next generation";
    for (int n = 0; n < 1000; ++n) world.spawn({.position = {2.5, 1.5, 0}});
    EXPECT_EQ(world.agent_count(), 1002);
    world.step();
    EXPECT_EQ(world.report().agents, 1002);
}

TEST(World, SpawnRefusesWhatCannotBeAndChangesNothing) {
    World world(map_scene({"..@.", "...."}, {{0, 0}}, 2));
    const std::uint64_t before = world.state_hash();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(world.spawn({.position = {2.5, 0.5, 0}}), Error);
    EXPECT_THROW(world.spawn({.position = {-0.1, 0.5, 0}}), Error);
    EXPECT_THROW(world.spawn({.position = {nan, 0.5, 0}}), Error);
    EXPECT_THROW(world.spawn({.position = {1e30, 0.5, 0}}), Error);
    EXPECT_THROW(world.spawn({.position = {0.5, 0.5, 0}, .velocity = {nan, 0, 0}}), Error);
    EXPECT_THROW(world.spawn({.position = {0.5, 0.5, 0}, .group = 1}), Error);
    EXPECT_THROW(world.spawn({.position = {0.5, 0.5, 0}, .goal = 1}), Error);
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_EQ(world.agent_count(), 2);
}

TEST(World, AnAgentWithoutAWayIsStrandedKeepsStillAndIsCounted) {
    World world(map_scene({"...@.", "...@.", "...@."}, {{0, 0}}, 0));
    world.spawn({.position = {4.5, 1.5, 0}, .goal = 0});
    steps(world, 100);
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.state[0], AgentState::kStranded);
    EXPECT_EQ(rows.position[0], (Vec3{4.5, 1.5, 0}));
    EXPECT_EQ(world.report().stranded, 1);
}

TEST(World, AnAgentThatComesNoNearerIsStuckAndCounted) {
    Scene scene = map_scene({".........."}, {{9, 0}}, 0);
    std::get<CrowdRule>(scene.rules["crowd"]).speed = 0.05;
    std::get<CrowdRule>(scene.rules["crowd"]).speed_spread = 0.0;
    World world(scene);
    world.spawn({.position = {0.5, 0.5, 0}, .goal = 0});
    steps(world, 98);  // 4.9 s
    EXPECT_EQ(world.report().stuck, 0);
    steps(world, 4);
    EXPECT_EQ(world.report().stuck, 1);
}

// Head on in a corridor one cell wide, symmetric to the last bit: nobody gives way, both get through.
TEST(World, OpposingAgentsPassInAnyCorridor) {
    for (const int width : {1, 2}) {
        for (const int each : {1, 8}) {
            const std::string wall(30, '@'), free(30, '.');
            std::vector<std::string> rows = {wall};
            rows.insert(rows.end(), static_cast<std::size_t>(width), free);
            rows.push_back(wall);
            Scene scene = map_scene(rows, {{29, 1}}, 0);
            scene.field.goal_sets.push_back({{0, 1}});
            std::get<CrowdRule>(scene.rules["crowd"]).speed_spread = 0.0;
            World world(scene);
            for (int n = 0; n < each; ++n) {
                world.spawn({.position = {1.5 + n, 1.5, 0}, .goal = 0});
                world.spawn({.position = {28.5 - n, 1.5, 0}, .goal = 1});
            }
            std::int64_t most_stuck = 0;
            for (int n = 0; n < 2400 && world.agent_count() > 0; ++n) {
                world.step();
                most_stuck = std::max(most_stuck, world.report().stuck);
            }
            EXPECT_EQ(world.agent_count(), 0) << width << " wide, " << each << " from each side";
            EXPECT_EQ(most_stuck, 0);
        }
    }
}

// recastnavigation #483, users.md U04: a pile without a goal comes apart, the same way every run.
TEST(World, U04AgentsAtOnePointPartTheSameWayEveryRun) {
    std::uint64_t hashes[2];
    for (std::uint64_t& hash : hashes) {
        Scene scene = box_scene(2, Edge::kOpen, 0, 10.0);
        World world(scene);
        for (int n = 0; n < 64; ++n) world.spawn({});
        steps(world, 40);
        const Snapshot rows = rows_of(world);
        for (std::size_t i = 0; i < rows.count(); ++i) {
            for (std::size_t j = 0; j < i; ++j) EXPECT_NE(rows.position[i], rows.position[j]);
        }
        hash = world.state_hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// A direction by id each: of a pile some go every way, and no two stay together.
TEST(World, AgentsAtOnePointPartEachItsOwnWay) {
    for (const int dim : {2, 3}) {
        for (const int count : {2, 400}) {
            World world(box_scene(dim, Edge::kOpen, 0, 10.0));
            for (int n = 0; n < count; ++n) world.spawn({});
            world.step();
            const Snapshot rows = rows_of(world);
            Vec3 sum;
            double speed = 0.0;
            for (const Vec3& v : rows.velocity) {
                sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z};
                speed += std::hypot(v.x, v.y, v.z);
                EXPECT_GT(std::hypot(v.x, v.y, v.z), 0.1);
            }
            if (count > 2) {
                EXPECT_LT(std::hypot(sum.x, sum.y, sum.z), 0.15 * speed);
            }
            for (std::size_t i = 0; i < rows.count(); ++i) {
                for (std::size_t j = 0; j < i; ++j) EXPECT_NE(rows.velocity[i], rows.velocity[j]);
            }
        }
    }
}

// godot#72772, users.md U64.
TEST(World, U64SpawningIntoACrowdKeepsSpeedAndAccelerationInBounds) {
    Scene scene = box_scene(2, Edge::kOpen, 200, 12.0);
    World world(scene);
    steps(world, 20);
    for (int n = 0; n < 20; ++n) world.spawn({});
    const CrowdRule rule;
    for (int n = 0; n < 60; ++n) {
        const Snapshot before = rows_of(world);
        world.step();
        const Snapshot after = rows_of(world);
        for (std::size_t i = 0; i < after.count(); ++i) {
            EXPECT_LE(std::hypot(after.velocity[i].x, after.velocity[i].y), rule.max_speed * 1.00001);
            EXPECT_LE(std::hypot(after.velocity[i].x - before.velocity[i].x,
                                 after.velocity[i].y - before.velocity[i].y),
                      rule.max_accel * 0.05 * 1.0001);
        }
    }
}

// bitbots_main#366, users.md U45: clamps are by norm and keep the direction.
TEST(World, U45ClampsAreByNorm) {
    Scene scene = box_scene(2, Edge::kOpen, 0, 10.0);
    std::get<CrowdRule>(scene.rules["crowd"]).max_speed = 5.0;
    std::get<CrowdRule>(scene.rules["crowd"]).max_accel = 1e-6;
    World world(scene);
    world.spawn({.velocity = {10, 10, 0}});
    world.step();
    const Vec3 v = rows_of(world).velocity[0];
    EXPECT_NEAR(std::hypot(v.x, v.y), 5.0, 1e-4);
    EXPECT_EQ(v.x, v.y);
}

// AutoPas#495, users.md U19.
TEST(World, U19PeriodicAgentsStayInsideHoweverFast) {
    Scene scene = box_scene(2, Edge::kPeriodic, 0, 10.0, {5, 5, 0});
    std::get<CrowdRule>(scene.rules["crowd"]).max_speed = 1000.0;
    std::get<CrowdRule>(scene.rules["crowd"]).max_accel = 1e-6;
    World world(scene);
    world.spawn({.position = {9.9, 0.1, 0}, .velocity = {740, -391, 0}});  // 3.7 boxes a frame
    for (int n = 0; n < 100; ++n) {
        world.step();
        const Vec3 p = rows_of(world).position[0];
        ASSERT_TRUE(p.x >= 0.0 && p.x < 10.0 && p.y >= 0.0 && p.y < 10.0) << p.x << ' ' << p.y;
    }
}

TEST(World, AFlockAMillionMetresAwayMovesLikeOneAtHome) {
    std::vector<Vec3> moved[2];
    for (const int away : {0, 1}) {
        const Vec3 centre{away * 1048576.0, away * -2097152.0, 0};
        World world(box_scene(2, Edge::kOpen, 100, 8.0, centre));
        steps(world, 50);
        const Snapshot rows = rows_of(world);
        for (const Vec3& p : rows.position) moved[away].push_back({p.x - centre.x, p.y - centre.y, 0});
    }
    EXPECT_EQ(moved[0], moved[1]);
}

// Walls hold at any speed, in any clutter: no frame ends with an agent in a wall.
RC_GTEST_PROP(World, NoAgentIsEverInsideAWall, ()) {
    const int side = *rc::gen::inRange(2, 12);
    std::vector<std::string> rows(static_cast<std::size_t>(side),
                                  std::string(static_cast<std::size_t>(side), '.'));
    for (int n = *rc::gen::inRange(0, side * side / 3); n > 0; --n) {
        rows[static_cast<std::size_t>(*rc::gen::inRange(0, side))]
            [static_cast<std::size_t>(*rc::gen::inRange(0, side))] = '@';
    }
    rows[0][0] = '.';
    Scene scene = map_scene(rows, {{0, 0}}, 1);
    scene.map.cell_size = *rc::gen::element(1.0, 0.3, 7.0);
    std::get<CrowdRule>(scene.rules["crowd"]).max_speed = *rc::gen::element(2.0, 50.0, 2000.0);
    std::get<CrowdRule>(scene.rules["crowd"]).max_accel = 1e5;
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    scene.world.seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 20));
    World world(scene);
    for (int n = 0; n < 20; ++n) {
        const double angle = *rc::gen::inRange(0, 628) * 0.01,
                     speed = std::get<CrowdRule>(scene.rules["crowd"]).max_speed;
        try {
            world.spawn({.position = {(*rc::gen::inRange(0, side) + 0.5) * scene.map.cell_size,
                                      (*rc::gen::inRange(0, side) + 0.5) * scene.map.cell_size, 0},
                         .velocity = {speed * std::cos(angle), speed * std::sin(angle), 0}});
        } catch (const Error&) {
        }
    }
    for (int n = 0; n < 40; ++n) {
        world.step();
        const Snapshot snapshot = rows_of(world);
        for (const Vec3& p : snapshot.position) {
            RC_ASSERT(
                world.map()->is_free({static_cast<std::int32_t>(std::floor(p.x / scene.map.cell_size)),
                                      static_cast<std::int32_t>(std::floor(p.y / scene.map.cell_size))}));
        }
    }
}

TEST(World, EdgesOfTheSceneAreANormalRun) {
    for (const Scene& scene :
         {map_scene({"."}, {{0, 0}}, 1), map_scene({"."}, {}, 0), map_scene({"@@", "@@"}, {}, 0),
          map_scene({"...."}, {{0, 0}}, 0), box_scene(3, Edge::kPeriodic, 0, 1.0)}) {
        World world(scene);
        steps(world, 3);
        EXPECT_EQ(world.report().frame, 3u);
        EXPECT_TRUE(world.verify().equal);
    }
    Scene drawn = map_scene({"@@", "@@"}, {}, 0);
    drawn.field.goals = 3;
    World world(drawn);
    EXPECT_EQ(world.goal_set_count(), 0u);
}

TEST(World, RefusesBadScenesNamingTheKey) {
    const Scene good = map_scene({"....", ".@.."}, {{0, 0}}, 3);
    const auto with = [&](auto change) {
        Scene scene = good;
        change(scene);
        return refusal(scene);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto contains = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << "wanted " << part << ", got " << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    };
    contains(with([](Scene& s) { s.field.goal_sets = {{{1, 1}}}; }), "(1, 1) of set 0 lies in a wall");
    contains(with([](Scene& s) { s.field.goal_sets = {{{4, 0}}}; }), "outside the map");
    contains(with([](Scene& s) { s.field.goals = -1; }), "field.goals");
    contains(with([](Scene& s) { s.world.origin = Vec3{1e5, 1e5, 0}; }), "world.origin");
    contains(with([](Scene& s) {
                 s.field.goal_sets.clear();
                 s.agents[0].goal = "nearest";
             }),
             "has no goals");
    contains(with([](Scene& s) { s.agents[0].goal = "1"; }), "agents[0].goal");
    contains(with([](Scene& s) { s.agents[0].goal = "nowhere"; }), "agents[0].goal");
    contains(with([](Scene& s) { s.agents[0].rule = "boids"; }), "agents[0].rule");
    contains(with([](Scene& s) { s.agents[0].count = -1; }), "agents[0].count");
    contains(with([&](Scene& s) { s.world.dt = nan; }), "world.dt");
    contains(with([](Scene& s) { s.world.dt = 0.0; }), "world.dt");
    contains(with([](Scene& s) { s.world.dim = 4; }), "world.dim");
    contains(with([](Scene& s) { s.world.dim = 3; }), "world.dim");
    contains(with([](Scene& s) { s.world.edge = Edge::kPeriodic; }), "world.edge");
    contains(with([](Scene& s) { std::get<CrowdRule>(s.rules["crowd"]).separation_radius = -1.0; }),
             "rule.crowd.separation_radius");
    contains(with([&](Scene& s) { std::get<CrowdRule>(s.rules["crowd"]).tau = nan; }), "rule.crowd.tau");
    contains(with([](Scene& s) { std::get<CrowdRule>(s.rules["crowd"]).radius = 0.9; }), "separation_radius");
    contains(with([](Scene& s) { std::get<CrowdRule>(s.rules["crowd"]).separation_radius = 200.0; }),
             "128 cells");
    contains(with([](Scene& s) { std::get<CrowdRule>(s.rules["unused"]).max_accel = 0.0; }),
             "rule.unused.max_accel");
    contains(with([](Scene& s) { s.grid.cell = -1.0; }), "grid.cell");
    contains(with([](Scene& s) { s.map.cell_size = 0.0; }), "cell_size");
    contains(refusal(good, {.backend = "gpu"}), "backend");
    contains(refusal(good, {.threads = -1}), "threads");
    Scene no_place = box_scene(2, Edge::kOpen, 5, 4.0);
    no_place.world.bounds.reset();
    contains(refusal(no_place), "no place to start");
    Scene periodic = box_scene(2, Edge::kPeriodic, 5, 0.0);
    contains(refusal(periodic), "world.bounds");
}

TEST(World, StartsFromASnapshotWithItsIds) {
    Snapshot start;
    start.id = {7, (AgentId{3} << 32) | 2u};
    start.position = {{1.5, 0.5, 0}, {2.5, 0.5, 0}};
    start.velocity = {{0.25, 0, 0}, {}};
    const Scene scene = map_scene({"....", ".@.."}, {{0, 0}}, 99);
    World world(scene, {.start = &start});
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.id, start.id);
    EXPECT_EQ(rows.position, start.position);
    EXPECT_EQ(rows.velocity, start.velocity);
    EXPECT_EQ(world.spawn({.position = {0.5, 0.5, 0}}), 0u) << "the lowest free slot";

    start.position[1] = {1.5, 1.5, 0};
    EXPECT_NE(refusal(scene, {.start = &start}).find("agent 12884901890"), std::string::npos);
    start.id[1] = 7;
    EXPECT_NE(refusal(scene, {.start = &start}).find("share a slot"), std::string::npos);
    start.id[1] = 0xfffffff0u;
    EXPECT_NE(refusal(scene, {.start = &start}).find("too large"), std::string::npos);
}

TEST(World, AStartMustFitTheScene) {
    const Scene scene = map_scene({"....", ".@.."}, {{0, 0}}, 99);
    Snapshot start;
    start.id = {0, 1};
    start.position = {{1.5, 0.5, 0}, {2.5, 0.5, 0}};
    start.velocity = {{}};
    EXPECT_NE(refusal(scene, {.start = &start}).find("differ in number"), std::string::npos);
    start.velocity = {{}, {}};
    start.dim = 3;
    EXPECT_NE(refusal(scene, {.start = &start}).find("3 dimensions"), std::string::npos);
    start.dim = 2;
    start.type = {0, 5};
    Scene typed = scene;
    typed.agents.push_back(typed.agents[0]);
    typed.agents[1].type = 5;
    EXPECT_EQ(rows_of(World(typed, {.start = &start})).type, start.type) << "groups by type";
}

TEST(World, AsManyGoalsAreDrawnAsTheMapHasRoomFor) {
    Scene scene = map_scene({"..@", "@@@"}, {}, 0);
    scene.field.goals = 6;
    EXPECT_EQ(World(scene).goal_set_count(), 2u);
}

TEST(World, NobodyStartsOnAGoalWhileThereIsAnotherCell) {
    Scene scene = map_scene({"......", "......"}, {{2, 0}, {3, 0}, {2, 1}}, 9);
    scene.rules["crowd"] = CrowdRule{.on_arrival = OnArrival::kRespawn};
    World world(scene);
    Snapshot rows = rows_of(world);
    std::set<AgentId> seen;
    for (int n = 0; n < 500; ++n) {
        for (std::size_t i = 0; i < rows.count(); ++i) {
            if (!seen.insert(rows.id[i]).second) continue;
            const Cell cell{static_cast<int>(rows.position[i].x), static_cast<int>(rows.position[i].y)};
            EXPECT_NE(world.field(0).value(world.map()->index(cell)), 0u);
        }
        world.step();
        world.snapshot(rows);
    }
    EXPECT_GT(seen.size(), 50u);
}

// A place drawn just beside a wall must not be rounded into it.
TEST(World, ABoxFullOfWallsTakesManyAgents) {
    Scene scene = map_scene({".@.@.@", "@.@.@.", ".@.@.@"}, {}, 200000);
    scene.agents[0].spawn = SpawnArea::kBox;
    scene.agents[0].box = Bounds{{0, 0, 0}, {6, 3, 0}};
    scene.rules["crowd"] = CrowdRule{.separation_radius = 100.0};  // a coarse lattice
    EXPECT_EQ(World(scene).agent_count(), 200000);
}

TEST(World, SpawningDoesNotDependOnTheCallersFloatMode) {
    std::uint64_t hashes[2];
    for (const int odd : {0, 1}) {
        World world(box_scene(2, Edge::kOpen, 0, 10.0));
        const int saved = std::fegetround();
        std::fesetround(odd != 0 ? FE_DOWNWARD : FE_TONEAREST);
        for (int n = 0; n < 100; ++n)
            world.spawn({.position = {0.1 * n, 0.3, 0}, .velocity = {0.01 * n, 0, 0}});
        std::fesetround(saved);
        hashes[odd] = world.state_hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(World, ATinyPeriodicBoxTakesAStartFromFarAway) {
    Scene scene = box_scene(2, Edge::kPeriodic, 0, 1e-5);
    Snapshot start;
    start.id = {0};
    start.position = {{9e14, -9e14, 0}};
    start.velocity = {{}};
    World world(scene, {.start = &start});
    const Vec3 p = rows_of(world).position[0];
    EXPECT_LT(std::fabs(p.x), 1e-5);
    EXPECT_LT(std::fabs(p.y), 1e-5);
}

TEST(World, ADtOfTheCallIsCheckedAndUsed) {
    World world(box_scene(2, Edge::kOpen, 0, 4.0));
    world.spawn({.velocity = {1, 0, 0}});
    EXPECT_THROW(world.step(0.0), Error);
    EXPECT_THROW(world.step(-1.0), Error);
    EXPECT_THROW(world.step(std::numeric_limits<double>::quiet_NaN()), Error);
    world.step(0.25);
    EXPECT_DOUBLE_EQ(world.time(), 0.25);
}

TEST(World, TheCallersFloatModeIsRestoredAndDoesNotMatter) {
    const Scene scene = box_scene(2, Edge::kOpen, 60, 6.0);
    World plain(scene);
    steps(plain, 20);
    const int saved = std::fegetround();
    std::fesetround(FE_UPWARD);
    World odd(scene);
    steps(odd, 20);
    const std::uint64_t hash = odd.state_hash();
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(saved);
    EXPECT_EQ(hash, plain.state_hash());
}

TEST(World, VerifyComparesGridWithBruteForce) {
    World world(box_scene(2, Edge::kPeriodic, 300, 12.0));
    std::set<AgentId> chosen;
    for (int n = 0; n < 20; ++n) {
        world.step();
        const VerifyReport report = world.verify();
        EXPECT_TRUE(report.equal);
        EXPECT_EQ(report.brute_candidates, 300);
        EXPECT_LT(report.grid_candidates, 150);
        chosen.insert(report.id);
    }
    EXPECT_GT(chosen.size(), 10u) << "not always the same agent";
}

TEST(Meter, RollsAverageAndWorstOverItsWindow) {
    Meter meter(3);
    for (const double us : {10.0, 50.0}) {
        meter.add(us);
        EXPECT_FALSE(meter.end_frame());
    }
    meter.add(20.0);
    meter.add(10.0);
    EXPECT_TRUE(meter.end_frame());
    EXPECT_DOUBLE_EQ(meter.average_us(), 30.0);
    EXPECT_DOUBLE_EQ(meter.worst_us(), 50.0);
    EXPECT_EQ(meter.line(400), "400 agents | 30 us/frame avg | 50 us worst | 0.03 ms avg");
    for (int n = 0; n < 3; ++n) meter.end_frame();
    EXPECT_DOUBLE_EQ(meter.worst_us(), 0.0) << "a window forgets the one before";
}

}  // namespace
}  // namespace horde
