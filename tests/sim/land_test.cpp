// Edits, layers, slopes and crowds as costs, in worlds that run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

const WorldOptions kScalar{.backend = "scalar"};

void run(World& world, int frames) {
    for (int n = 0; n < frames; ++n) world.step();
}

Snapshot rows_of(const World& world) {
    Snapshot rows;
    world.snapshot(rows);
    return rows;
}

// A room of 30 x 11 cells, cut by a wall with a door in its middle and one at its end.
Scene two_doors(std::int64_t count) {
    std::vector<std::string> rows(11, std::string(30, '.'));
    for (std::size_t r = 0; r < 11; ++r) rows[r][15] = r == 5 || r == 10 ? '.' : '@';
    return test::map_scene(rows, {{28, 5}}, count);
}

TEST(Edits, AreInForceWithTheNextStep) {
    World world(two_doors(40), kScalar);
    run(world, 20);
    const Cell door{15, 5};
    const std::uint64_t open_way = world.field(0).value(world.map()->index({14, 5}));
    const std::uint64_t before = world.state_hash();
    const StampId wall = world.stamp(CellArea{door, door});
    EXPECT_NE(world.state_hash(), before) << "what the next frame depends on";
    EXPECT_TRUE(world.map()->is_free(door)) << "not yet";
    world.step();
    EXPECT_FALSE(world.map()->is_free(door));
    for (const Vec3& p : rows_of(world).position) EXPECT_FALSE(p.x >= 15 && p.x < 16 && p.y >= 5 && p.y < 6);
    run(world, 60);
    EXPECT_GT(world.field(0).value(world.map()->index({14, 5})), open_way) << "by the other door";
    for (const Vec3& p : rows_of(world).position) EXPECT_FALSE(p.x >= 15 && p.x < 16 && p.y >= 5 && p.y < 6);
    world.unstamp(wall);
    run(world, 60);
    EXPECT_TRUE(world.map()->is_free(door));
    EXPECT_EQ(world.field(0).value(world.map()->index({14, 5})), open_way);
    run(world, 2000);
    EXPECT_EQ(world.agent_count(), 0) << "all arrived";
}

TEST(Edits, WithBothDoorsShutAgentsStandStillAndAreCountedUntilOneOpens) {
    World world(two_doors(40), kScalar);
    const StampId first = world.stamp(CellArea{{15, 5}, {15, 5}});
    world.stamp(std::vector<Cell>{{15, 10}});
    run(world, 200);
    const Snapshot shut = rows_of(world);
    EXPECT_GT(world.agent_count(), 0);
    EXPECT_EQ(world.report().stranded, world.agent_count());
    run(world, 100);
    const Snapshot later = rows_of(world);
    for (std::size_t i = 0; i < later.count(); ++i) {
        EXPECT_LT(later.position[i].x, 15.0);
        EXPECT_NEAR(later.position[i].x, shut.position[i].x, 0.5);
        EXPECT_NEAR(later.position[i].y, shut.position[i].y, 0.5);
    }
    world.unstamp(first);
    run(world, 2000);
    EXPECT_EQ(world.agent_count(), 0);
}

TEST(Edits, OfCostTurnTheWay) {
    World world(two_doors(0), kScalar);
    const auto value = [&](Cell c) { return world.field(0).value(world.map()->index(c)); };
    const std::uint64_t plain = value({12, 5});
    EXPECT_EQ(plain, 16u * kStraightStep);
    const StampId mud = world.stamp(CellArea{{15, 5}, {15, 5}}, 3);
    run(world, 40);
    EXPECT_EQ(value({12, 5}), plain + 3 * kStraightStep);
    const StampId more = world.stamp(CellArea{{14, 4}, {16, 6}}, 200);
    run(world, 40);
    const std::uint64_t round_way = value({12, 5});
    EXPECT_GT(round_way, plain + 3 * kStraightStep);
    EXPECT_LT(round_way, plain + 12 * kStraightStep) << "through the door at the end";
    world.unstamp(mud);
    world.unstamp(more);
    world.set_cost({{15, 4}, {15, 4}}, 1);
    run(world, 40);
    EXPECT_EQ(value({12, 5}), plain);
    EXPECT_EQ(value({14, 4}), 13u * kStraightStep + kDiagonalStep) << "a wall of the map torn down";
}

TEST(Edits, ThatCannotBeAreRefusedAtTheDoor) {
    World world(two_doors(3), kScalar);
    const std::uint64_t before = world.state_hash();
    EXPECT_THROW(world.stamp(CellArea{{29, 0}, {30, 0}}), Error);
    EXPECT_THROW(world.stamp(CellArea{{0, 0}, {0, 0}}, 0), Error);
    EXPECT_THROW(world.stamp(std::vector<Cell>{{0, -1}}), Error);
    EXPECT_THROW(world.set_cost({{0, 0}, {0, 0}}, 256), Error);
    EXPECT_THROW(world.unstamp(1), Error);
    EXPECT_EQ(world.state_hash(), before);
    World open(test::box_scene(2, Edge::kOpen, 3, 5.0), kScalar);
    EXPECT_THROW(open.stamp(CellArea{{0, 0}, {0, 0}}), Error);
    EXPECT_EQ(open.height_at(1.0, 2.0), 0.0);
}

TEST(Edits, OnAScheduleAreThoseOfTheCalls) {
    Scene scene = two_doors(60);
    World called(scene, kScalar);
    scene.edits = {
        {.frame = 10, .kind = EditKind::kWall, .cells = CellArea{{15, 5}, {15, 5}}, .until = 90},
        {.frame = 30, .kind = EditKind::kCost, .cells = CellArea{{2, 2}, {8, 9}}, .cost = 9, .until = 31},
        {.frame = 40, .kind = EditKind::kClear, .cells = CellArea{{15, 1}, {15, 2}}, .cost = 2},
    };
    World scheduled(scene, kScalar);
    StampId wall = 0, mud = 0;
    for (int n = 0; n < 150; ++n) {
        if (n == 10) wall = called.stamp(CellArea{{15, 5}, {15, 5}});
        if (n == 30) mud = called.stamp(CellArea{{2, 2}, {8, 9}}, 9);
        if (n == 31) called.unstamp(mud);
        if (n == 40) called.set_cost({{15, 1}, {15, 2}}, 2);
        if (n == 90) called.unstamp(wall);
        called.step();
        scheduled.step();
        ASSERT_EQ(called.state_hash(), scheduled.state_hash()) << "frame " << n;
    }
}

TEST(Edits, WorldsOfEqualHashesStayEqualUnderTheSameStamp) {
    for (const std::string& backend : backends()) {
        World a(two_doors(20), {.backend = backend}), b(two_doors(20), {.backend = backend});
        a.unstamp(a.stamp(CellArea{{20, 3}, {20, 3}}));  // whatever its id was
        run(a, 1);
        run(b, 1);
        ASSERT_EQ(a.state_hash(), b.state_hash());
        const StampId in_a = a.stamp(CellArea{{20, 3}, {22, 5}}), in_b = b.stamp(CellArea{{20, 3}, {22, 5}});
        run(a, 5);
        run(b, 5);
        EXPECT_EQ(a.state_hash(), b.state_hash());
        a.unstamp(in_a);
        b.unstamp(in_b);
        run(a, 40);
        run(b, 40);
        EXPECT_EQ(a.state_hash(), b.state_hash()) << backend;
    }
}

// While a build is pending, one world stamps and takes the stamp away; after that they are the same, and must
// stay so.
TEST(Edits, ThatCancelLeaveNothingHiddenBehind) {
    Scene scene = test::map_scene(std::vector<std::string>(60, std::string(60, '.')), {{59, 20}}, 40);
    scene.field.field_cells_per_frame = 300;  // 12 frames a build
    scene.field.goal_interval = 0.0;
    for (const std::string& backend : backends()) {
        World a(scene, {.backend = backend}), b(scene, {.backend = backend});
        for (World* world : {&a, &b}) {
            world->set_goal(0, std::vector<Cell>{{0, 0}});
            world->step();
        }
        const StampId id = a.stamp(CellArea{{0, 0}, {29, 29}}, 5);
        run(a, 1);
        run(b, 1);
        ASSERT_NE(a.state_hash(), b.state_hash());
        a.unstamp(id);
        for (int n = 0; n < 60; ++n) {
            if (n == 11) {
                for (World* world : {&a, &b}) world->stamp(CellArea{{10, 0}, {12, 50}}, 100);
            }
            run(a, 1);
            run(b, 1);
            ASSERT_EQ(a.state_hash(), b.state_hash()) << backend << ", frame " << n;
        }
    }
}

TEST(Edits, OfTheSceneCannotBeTakenAwayByACall) {
    Scene scene = two_doors(5);
    scene.edits = {{.frame = 0, .cells = CellArea{{5, 5}, {6, 6}}, .until = 5}};
    World world(scene, kScalar);
    run(world, 1);
    const StampId mine = world.stamp(CellArea{{9, 9}, {9, 9}});
    for (StampId id = 0; id < 10; ++id) {
        if (id == mine) continue;
        EXPECT_THROW(world.unstamp(id), Error) << id;
    }
    EXPECT_NO_THROW(run(world, 10));
    EXPECT_TRUE(world.map()->is_free({5, 5})) << "the scene took it away";
    EXPECT_FALSE(world.map()->is_free({9, 9}));
    world.unstamp(mine);
    run(world, 1);
    EXPECT_TRUE(world.map()->is_free({9, 9}));
}

TEST(Edits, OfASceneThatCannotBeNameTheirKey) {
    const auto error_of = [](const SceneEdit& edit) {
        Scene scene = two_doors(0);
        scene.edits = {{.frame = 0, .cells = CellArea{{0, 0}, {0, 0}}}, edit};
        try {
            World world(scene, kScalar);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_TRUE(error_of({.frame = 0}).starts_with("edit[1].cells")) << error_of({.frame = 0});
    EXPECT_TRUE(error_of({.cells = CellArea{{0, 0}, {30, 0}}}).starts_with("edit[1].cells"));
    EXPECT_TRUE(error_of({.kind = EditKind::kCost, .cells = CellArea{{0, 0}, {0, 0}}, .cost = 0})
                    .starts_with("edit[1].cost"));
    EXPECT_TRUE(error_of({.kind = EditKind::kCost, .cells = CellArea{{0, 0}, {0, 0}}, .cost = 255})
                    .starts_with("edit[1].cost"))
        << "a wall is an edit of kind wall";
    EXPECT_TRUE(
        error_of({.frame = 5, .cells = CellArea{{0, 0}, {0, 0}}, .until = 5}).starts_with("edit[1].until"));
    EXPECT_TRUE(error_of({.kind = EditKind::kClear, .cells = CellArea{{0, 0}, {0, 0}}, .until = 5})
                    .starts_with("edit[1].until"));
    EXPECT_TRUE(error_of({.cells = CellArea{{0, 0}, {0, 0}}}).empty());
}

// A layer of squares of half side 0.8 m on cells of 1 m.
void make_wide(Scene& scene, double clearance = 0.8) {
    scene.layers = {{.name = "wide", .clearance = clearance}};
    for (SceneAgents& agents : scene.agents) agents.layer = "wide";
}

// How much of its clearance a square around the point keeps from walls and the border, in cells.
double room_around(const Map& map, double column, double row) {
    double room = std::min({column, row, map.columns - column, map.rows - row});
    for (Cell c; c.row < map.rows; ++c.row) {
        for (c.column = 0; c.column < map.columns; ++c.column) {
            if (map.is_free(c)) continue;
            const double dx = std::max({c.column - column, column - c.column - 1.0, 0.0});
            const double dy = std::max({c.row - row, row - c.row - 1.0, 0.0});
            room = std::min(room, std::max(dx, dy));
        }
    }
    return room;
}

TEST(Users, U57WideAgentsAreRoutedRoundAGapThatTheyDoNotFit) {
    Scene scene = two_doors(12);
    for (std::size_t r = 7; r < 10; ++r)
        scene.map.rows[r][15] = '.';  // four cells wide, beside the gap of one
    make_wide(scene);
    World world(scene, kScalar);
    for (int n = 0; n < 1500 && world.agent_count() > 0; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        for (const Vec3& p : rows.position) {
            ASSERT_GE(room_around(*world.map(), p.x, p.y), 0.8 - 0.005) << "frame " << n;
            ASSERT_FALSE(p.x > 14.5 && p.x < 16.5 && p.y < 7.0) << "in the gap of one cell";
        }
    }
    EXPECT_EQ(world.agent_count(), 0);
}

TEST(Users, U57WideAgentsBeforeTheOnlyGapThatTheyDoNotFitAreStranded) {
    Scene scene = two_doors(0);
    make_wide(scene);
    World world(scene, kScalar);
    world.spawn({.position = {5.5, 5.5, 0.0}, .group = 0, .goal = 0});
    Scene thin = scene;
    thin.layers[0].clearance = 0.5;
    World other(thin, kScalar);
    other.spawn({.position = {5.5, 5.5, 0.0}, .group = 0, .goal = 0});
    run(world, 100);
    EXPECT_EQ(world.report().stranded, 1);
    EXPECT_NEAR(rows_of(world).position[0].x, 5.5, 0.01) << "it keeps still";
    run(other, 1500);
    EXPECT_EQ(other.agent_count(), 0) << "a body as wide as the gap fits";
}

TEST(Layers, AWideWayNeverCutsACorner) {
    // Widened by one cell the wall leaves a step for a diagonal only where both cells beside it are left too.
    Scene scene = test::map_scene(
        {"........", "........", "........", "...@....", "........", "........", "........", "........"},
        {{6, 6}}, 0);
    make_wide(scene, 1.0);
    World world(scene, kScalar);
    world.spawn({.position = {1.5, 1.5, 0.0}, .group = 0, .goal = 0});
    for (int n = 0; n < 600 && world.agent_count() > 0; ++n) {
        world.step();
        for (const Vec3& p : rows_of(world).position)
            ASSERT_GE(room_around(*world.map(), p.x, p.y), 1.0 - 0.005) << "frame " << n;
    }
    EXPECT_EQ(world.agent_count(), 0);
}

// What the field of a layer shows, its bodies can walk: on random maps a lone body arrives from wherever its
// field leads from, and never stands nearer to a wall than it is wide.
TEST(Layers, AWayOfTheFieldIsAWayOfTheBody) {
    std::mt19937 random(5);
    int walked = 0;
    for (int round = 0; round < 25; ++round) {
        std::vector<std::string> rows(24, std::string(24, '.'));
        for (int blocks = 0; blocks < 14; ++blocks) {
            const std::size_t c = random() % 22, r = random() % 22;
            for (std::size_t k = 0; k < 4; ++k) rows[r + k / 2][c + k % 2] = random() % 4 == 0 ? '.' : '@';
        }
        Scene scene = test::map_scene(rows, {}, 0);
        const double clearance = 0.3 + 0.1 * static_cast<double>(random() % 14);
        scene.layers = {{.name = "wide", .clearance = clearance}};
        const std::int32_t k = std::max(0, static_cast<std::int32_t>(std::ceil(clearance - 0.5)));
        const auto fits = [&](std::int32_t c, std::int32_t r) {
            for (std::int32_t y = r - k; y <= r + k; ++y) {
                for (std::int32_t x = c - k; x <= c + k; ++x) {
                    if (x < 0 || y < 0 || x > 23 || y > 23) return false;
                    if (rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '@') return false;
                }
            }
            return true;
        };
        Cell goal{-1, -1};
        for (std::int32_t n = 0; n < 24 * 24 && goal.column < 0; ++n) {
            const auto at = static_cast<std::int32_t>(random() % (24 * 24));
            if (fits(at % 24, at / 24)) goal = {at % 24, at / 24};
        }
        if (goal.column < 0) continue;
        scene.field.goal_sets = {{goal}};
        scene.agents[0].goal = "0";
        scene.agents[0].layer = "wide";
        World world(scene, kScalar);
        for (int start = 0; start < 4; ++start) {
            const auto at = static_cast<std::int32_t>(random() % (24 * 24));
            if (!fits(at % 24, at / 24)) continue;
            world.spawn({.position = {at % 24 + 0.5, at / 24 + 0.5, 0.0}, .group = 0, .goal = 0});
            world.step();
            if (world.report().stranded > 0) {
                world.despawn(rows_of(world).id[0]);
                continue;
            }
            ++walked;
            for (int n = 0; n < 2000 && world.agent_count() > 0; ++n) {
                world.step();
                for (const Vec3& p : rows_of(world).position)
                    ASSERT_GE(room_around(*world.map(), p.x, p.y), clearance - 0.005);
            }
            ASSERT_EQ(world.agent_count(), 0) << "round " << round << ", clearance " << clearance << ", from "
                                              << at % 24 << ", " << at / 24;
        }
    }
    EXPECT_GT(walked, 30);
}

TEST(Layers, HaveTheirOwnCosts) {
    // Grass (3) between two paths: walkers cross it, carts must not enter it.
    std::vector<std::string> rows(9, "..........3333333333..........");
    rows[8] = std::string(30, '.');
    Scene scene = test::map_scene(rows, {{29, 0}}, 6);
    scene.layers = {{.name = "carts", .costs = {{3, 255}}}, {.name = "mowers", .costs = {{1, 9}, {3, 1}}}};
    scene.agents[0].box = Bounds{{0.0, 0.0, 0.0}, {2.0, 2.0, 0.0}};
    scene.agents[0].spawn = SpawnArea::kBox;
    const auto lowest_row_on_the_way = [&](const std::string& layer) {
        scene.agents[0].layer = layer;
        World world(scene, kScalar);
        double lowest = 0.0;
        for (int n = 0; n < 2000 && world.agent_count() > 0; ++n) {
            world.step();
            for (const Vec3& p : rows_of(world).position) {
                if (p.x > 10.0 && p.x < 20.0) lowest = std::max(lowest, p.y);
            }
        }
        EXPECT_EQ(world.agent_count(), 0);
        return lowest;
    };
    EXPECT_GT(lowest_row_on_the_way("carts"), 8.0);
    EXPECT_LT(lowest_row_on_the_way("mowers"), 5.0);
}

TEST(Layers, ThatCannotBeNameTheirKey) {
    const auto error_of = [](const std::vector<SceneLayer>& layers, const std::string& used) {
        Scene scene = two_doors(1);
        scene.layers = layers;
        scene.agents[0].layer = used;
        try {
            World world(scene, kScalar);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_TRUE(error_of({}, "carts").starts_with("agents[0].layer"));
    EXPECT_TRUE(error_of({{.name = ""}}, "").starts_with("layer[0].name"));
    EXPECT_TRUE(error_of({{.name = "a"}, {.name = "a"}}, "a").starts_with("layer[1].name"));
    EXPECT_TRUE(error_of({{.name = "a", .clearance = -1.0}}, "a").starts_with("layer[0].clearance"));
    EXPECT_TRUE(error_of({{.name = "a", .costs = {{255, 1}}}}, "a").starts_with("layer[0].costs"));
    Scene open = test::box_scene(2, Edge::kOpen, 3, 5.0);
    open.layers = {{.name = "a"}};
    open.agents[0].layer = "a";
    EXPECT_THROW(World(open, kScalar), Error);
}

TEST(Layers, ThatLeaveNoPlaceSaySo) {
    Scene scene = test::map_scene(std::vector<std::string>(3, "....."), {{0, 0}}, 3);
    scene.layers = {{.name = "wide", .clearance = 2.0}};
    scene.agents[0].layer = "wide";
    const auto error = [&] {
        try {
            const World world(scene, kScalar);
        } catch (const Error& refused) {
            return std::string(refused.what());
        }
        return std::string();
    };
    EXPECT_TRUE(error().starts_with("agents[0].count: no cell of the map is free for its bodies")) << error();
    scene = test::map_scene({"..@..", "..@..", "..@.."}, {{0, 0}}, 3);
    scene.layers = {{.name = "wide", .clearance = 0.6}};
    scene.agents[0].layer = "wide";
    EXPECT_TRUE(error().starts_with("agents[0].count: no cell of the map is free")) << error();
    scene.map.rows = std::vector<std::string>(5, "......@@@...");
    scene.field.goal_sets = {{{0, 0}}};  // too near to the wall for it
    EXPECT_TRUE(error().starts_with("agents[0].count: from no free cell a way leads to goal set 0"))
        << error();
}

TEST(Slopes, OfASceneBendTheWay) {
    // A ridge across the middle, steep but for a pass at the end.
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(40, '.')), {{38, 2}}, 10);
    scene.agents[0].box = Bounds{{0.0, 0.0, 0.0}, {4.0, 4.0, 0.0}};
    scene.agents[0].spawn = SpawnArea::kBox;
    scene.terrain.hills = 14.0;
    scene.terrain.hill_size = 12.0;
    World world(scene, kScalar);
    int walls = 0, dear = 0;
    for (const std::uint8_t cost : world.map()->cost) {
        walls += cost == kWallCost ? 1 : 0;
        dear += cost == 4 || cost == 9 ? 1 : 0;
        EXPECT_TRUE(cost == 1 || cost == 4 || cost == 9 || cost == kWallCost) << int{cost};
    }
    EXPECT_GT(walls, 0);
    EXPECT_GT(dear, 50);
    EXPECT_NE(world.height_at(20.0, 10.0), 0.0);
    run(world, 3000);
    EXPECT_EQ(world.agent_count(), 0);
}

// Two ways of nearly equal length round a block. Those who stand in the shorter one make it dear.
Scene two_ways(double gain) {
    std::vector<std::string> rows(21, std::string(60, '.'));
    for (std::size_t r = 4; r < 16; ++r) {
        for (std::size_t c = 15; c < 45; ++c) rows[r][c] = '@';
    }
    Scene scene = test::map_scene(rows, {{58, 7}}, 250);
    scene.agents[0].spawn = SpawnArea::kBox;
    scene.agents[0].box = Bounds{{1.0, 3.0, 0.0}, {13.0, 11.0, 0.0}};
    scene.terrain.density_gain = gain;
    SceneAgents standing;  // 2 to a square metre in the shorter way
    standing.count = 160;
    standing.spawn = SpawnArea::kBox;
    standing.box = Bounds{{20.0, 0.1, 0.0}, {40.0, 3.9, 0.0}};
    standing.goal = "0";
    standing.rule = "slow";
    scene.agents.push_back(standing);
    CrowdRule slow;
    slow.speed = 0.02;
    slow.speed_spread = 0.0;
    scene.rules["slow"] = slow;
    return scene;
}

// Of those who walk, how many pass below the block and how many above.
std::pair<int, int> sides_taken(const Scene& scene) {
    World world(scene, kScalar);
    std::vector<AgentId> walkers;
    const Snapshot start = rows_of(world);
    for (std::size_t i = 0; i < start.count(); ++i) {
        if (start.position[i].x < 14.0) walkers.push_back(start.id[i]);
    }
    std::vector<int> side(walkers.size(), 0);
    for (int n = 0; n < 1200; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        for (std::size_t i = 0; i < rows.count(); ++i) {
            const auto found = std::find(walkers.begin(), walkers.end(), rows.id[i]);
            if (found == walkers.end() || rows.position[i].x < 20.0 || rows.position[i].x > 30.0) continue;
            side[static_cast<std::size_t>(found - walkers.begin())] = rows.position[i].y < 10.0 ? 1 : 2;
        }
    }
    return {static_cast<int>(std::count(side.begin(), side.end(), 1)),
            static_cast<int>(std::count(side.begin(), side.end(), 2))};
}

TEST(DensityCost, SendsACrowdRoundAJam) {
    const auto [above, below] = sides_taken(two_ways(0.0));
    EXPECT_GT(above, 5 * below) << "without it nearly all crowd into the shorter way";
    const auto [split_above, split_below] = sides_taken(two_ways(2.0));
    EXPECT_GT(split_below, 60) << "with it " << split_above << " go above";
}

TEST(Heights, OfNoPlaceAreRefused) {
    Scene scene = test::map_scene({"....", "...."}, {{0, 0}}, 0);
    scene.terrain.hills = 3.0;
    const World world(scene, kScalar);
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        EXPECT_THROW(world.height_at(bad, 0.5), Error);
        EXPECT_THROW(world.height_at(0.5, bad), Error);
    }
    EXPECT_EQ(world.height_at(1e300, -1e300), world.height_at(4.0, 0.0)) << "level beyond the map";
}

TEST(Heights, ComeFromTheSceneIntoTheWorld) {
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(30, '.')), {{5, 5}}, 4);
    scene.terrain.hills = 4.0;
    scene.terrain.hill_size = 25.0;
    World world(scene, kScalar);
    const std::vector<float> heights = make_heights(scene, *world.map());
    EXPECT_EQ(world.height_at(7.5, 3.5), heights[world.map()->index({7, 3})]);
    EXPECT_EQ(world.height_at(8.0, 3.5), 0.5 * (static_cast<double>(heights[world.map()->index({7, 3})]) +
                                                static_cast<double>(heights[world.map()->index({8, 3})])));
}

}  // namespace
}  // namespace horde
