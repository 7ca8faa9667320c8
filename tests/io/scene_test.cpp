#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "../places.h"
#include "horde/error.h"
#include "horde/files.h"

namespace horde {
namespace {

Scene scene_of(const std::string& text) {
    return parse_scene(text, "folder/test.toml");
}

TEST(Scene, EmptyTextGivesTheDefaults) {
    const Scene scene = scene_of("");
    EXPECT_EQ(scene.world.dim, 2);
    EXPECT_EQ(scene.world.dt, SceneWorld{}.dt);
    EXPECT_EQ(scene.world.seed, 1u);
    EXPECT_FALSE(scene.world.bounds);
    EXPECT_TRUE(scene.agents.empty());
    EXPECT_TRUE(scene.rules.empty());
    EXPECT_TRUE(scene.field.goal_sets.empty());
}

TEST(Scene, TakesNameAndFolderFromItsFile) {
    EXPECT_EQ(scene_of("").name, "test");
    EXPECT_EQ(scene_of("").folder, "folder");
    EXPECT_EQ(parse_scene("", "plain.toml").name, "plain");
    EXPECT_EQ(parse_scene("", "plain.toml").folder, ".");
    EXPECT_EQ(parse_scene("", "/abs/olute/a.b.toml").name, "a.b");
    EXPECT_EQ(parse_scene("", "/abs/olute/a.b.toml").folder, "/abs/olute");
}

TEST(Scene, ReadsEveryKeyOfTheWorld) {
    const Scene scene = scene_of(
        "[world]\ndim = 3\ndt = 0.125\nseed = 9223372036854775807\nedge = \"periodic\"\n"
        "bounds = [0, -1.5, 2, 10, 11, 12]\norigin = [1e6, 2, 3]\n");
    EXPECT_EQ(scene.world.dim, 3);
    EXPECT_EQ(scene.world.dt, 0.125);
    EXPECT_EQ(scene.world.seed, 9223372036854775807u);
    EXPECT_EQ(scene.world.edge, Edge::kPeriodic);
    EXPECT_EQ(scene.world.bounds->min, (Vec3{0, -1.5, 2}));
    EXPECT_EQ(scene.world.bounds->max, (Vec3{10, 11, 12}));
    EXPECT_EQ(*scene.world.origin, (Vec3{1e6, 2, 3}));
}

TEST(Scene, KnowsTheDimensionWhereverItStands) {
    const Scene scene =
        scene_of("[[agents]]\nbox = [1, 2, 3, 4, 5, 6]\n[world]\norigin = [1, 2, 3]\ndim = 3\n");
    EXPECT_EQ(scene.agents.at(0).box->max, (Vec3{4, 5, 6}));
    const Scene flat = scene_of("[world]\nbounds = [1, 2, 3, 4]\norigin = [5, 6]\n");
    EXPECT_EQ(flat.world.bounds->max, (Vec3{3, 4, 0}));
    EXPECT_EQ(*flat.world.origin, (Vec3{5, 6, 0}));
}

TEST(Scene, ReadsEveryKeyOfTheOtherTables) {
    const Scene scene = scene_of(
        "[map]\nfile = \"a.map\"\nrows = [\"..\", \"@9\"]\ngenerate = \"city\"\nwidth = 64\nheight = "
        "32\nseed = 5\n"
        "cell_size = 2\n"
        "[grid]\nsearch = \"brute\"\ncell = 3.5\nbrute_below = 0\n"
        "[field]\ngoals = 3\n"
        "[view]\ncolour = \"goal\"\nwidth = 640\n");
    EXPECT_EQ(scene.map.file, "a.map");
    EXPECT_EQ(scene.map.rows, (std::vector<std::string>{"..", "@9"}));
    EXPECT_EQ(scene.map.generate, "city");
    EXPECT_EQ(scene.map.width, 64);
    EXPECT_EQ(scene.map.height, 32);
    EXPECT_EQ(scene.map.seed, 5u);
    EXPECT_EQ(scene.map.cell_size, 2.0);
    EXPECT_EQ(scene.grid.search, Search::kBrute);
    EXPECT_EQ(scene.grid.cell, 3.5);
    EXPECT_EQ(scene.grid.brute_below, 0);
    EXPECT_EQ(scene.field.goals, 3);
    EXPECT_EQ(scene.view.colour, ColourBy::kGoal);
    EXPECT_EQ(scene.view.width, 640);
}

TEST(Scene, ReadsGroupsInOrder) {
    const Scene scene = scene_of(
        "[[agents]]\ncount = 100000000\nrule = \"slow\"\ntype = 255\nspawn = \"box\"\nagents_per_cell = 4\n"
        "box = [1, 2, 3, 4]\nstart_speed = 1\ngoal = \"nearest\"\n"
        "[[agents]]\ngoal = 12\n[[agents]]\ngoal = \"7\"\n[[agents]]\n");
    ASSERT_EQ(scene.agents.size(), 4u);
    const SceneAgents& first = scene.agents[0];
    EXPECT_EQ(first.count, 100000000);
    EXPECT_EQ(first.rule, "slow");
    EXPECT_EQ(first.type, 255);
    EXPECT_EQ(first.spawn, SpawnArea::kBox);
    EXPECT_EQ(first.agents_per_cell, 4);
    EXPECT_EQ(first.box->min, (Vec3{1, 2, 0}));
    EXPECT_EQ(first.start_speed, 1.0);
    EXPECT_EQ(first.goal, "nearest");
    EXPECT_EQ(scene.agents[1].goal, "12");
    EXPECT_EQ(scene.agents[2].goal, "7");
    EXPECT_EQ(scene.agents[3].goal, "any");
    EXPECT_EQ(scene.agents[3].count, 0);
}

TEST(Scene, ReadsRulesByName) {
    const Scene scene = scene_of(
        "[rule.crowd]\nspeed = 2\n[rule.slow]\nkind = \"crowd\"\nspeed = 0.5\nspeed_spread = 0\nmax_speed = "
        "1\n"
        "max_accel = 2\ntau = 3\nradius = 0.3\nseparation_radius = 0.9\nseparation_gain = 0\narrival_radius "
        "= 0\n"
        "stuck_after = 6\non_arrival = \"respawn\"\n");
    ASSERT_EQ(scene.rules.size(), 2u);
    EXPECT_EQ(std::get<CrowdRule>(scene.rules.at("crowd")).speed, 2.0);
    EXPECT_EQ(std::get<CrowdRule>(scene.rules.at("crowd")).tau, CrowdRule{}.tau);
    const auto& slow = std::get<CrowdRule>(scene.rules.at("slow"));
    EXPECT_EQ(slow.speed, 0.5);
    EXPECT_EQ(slow.speed_spread, 0.0);
    EXPECT_EQ(slow.max_speed, 1.0);
    EXPECT_EQ(slow.max_accel, 2.0);
    EXPECT_EQ(slow.tau, 3.0);
    EXPECT_EQ(slow.radius, 0.3);
    EXPECT_EQ(slow.separation_radius, 0.9);
    EXPECT_EQ(slow.separation_gain, 0.0);
    EXPECT_EQ(slow.arrival_radius, 0.0);
    EXPECT_EQ(slow.stuck_after, 6.0);
    EXPECT_EQ(slow.on_arrival, OnArrival::kRespawn);
}

TEST(Scene, TakesAGoalAsOneCellOrAsSeveral) {
    const auto sets =
        scene_of("[field]\ngoal_cells = [[1, 2], [[3, 4], [5, 6]], [[7, 8]]]\n").field.goal_sets;
    ASSERT_EQ(sets.size(), 3u);
    EXPECT_EQ(sets[0], (std::vector<Cell>{{1, 2}}));
    EXPECT_EQ(sets[1], (std::vector<Cell>{{3, 4}, {5, 6}}));
    EXPECT_EQ(sets[2], (std::vector<Cell>{{7, 8}}));
}

TEST(Scene, IsReadFromAFile) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "horde_scene_test";
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "walk.toml").string();
    std::ofstream(path) << "[world]\r\nseed = 3\r\n";
    const Scene scene = load_scene(path);
    EXPECT_EQ(scene.world.seed, 3u);
    EXPECT_EQ(scene.name, "walk");
    EXPECT_EQ(scene.folder, folder.string());
    std::filesystem::remove_all(folder);
}

TEST(Scene, FilesOfTheRepositoryCanBeRead) {
    const std::string scenes = std::string(horde::test::kSourceDir) + "/scenes";
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(scenes)) {
        if (entry.path().extension() != ".toml") continue;
        EXPECT_NO_THROW(load_scene(entry.path().string())) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 2);
}

TEST(SceneFile, GivesTerrainLayersAndEdits) {
    const Scene scene = parse_scene(
        "[terrain]\nhills = 6\nslope_limits = [0.5]\nslope_costs = [2]\ndensity_gain = 1.5\n"
        "[[layer]]\nname = \"carts\"\nclearance = 0.8\ncosts = { \"1\" = 2, \"3\" = 255 }\n"
        "[[agents]]\nlayer = \"carts\"\n"
        "[[edit]]\nframe = 30\ncells = [1, 2, 3, 4]\nuntil = 90\n"
        "[[edit]]\nframe = 40\nkind = \"cost\"\ncost = 7\ncells = [0, 0, 0, 0]\n",
        "test.toml");
    EXPECT_EQ(scene.terrain.hills, 6.0);
    EXPECT_EQ(scene.terrain.slope_limits, std::vector<double>{0.5});
    EXPECT_EQ(scene.terrain.slope_costs, std::vector<double>{2.0});
    EXPECT_EQ(scene.terrain.density_gain, 1.5);
    ASSERT_EQ(scene.layers.size(), 1u);
    EXPECT_EQ(scene.layers[0].name, "carts");
    EXPECT_EQ(scene.layers[0].clearance, 0.8);
    EXPECT_EQ(scene.layers[0].costs, (std::map<int, int>{{1, 2}, {3, 255}}));
    EXPECT_EQ(scene.agents[0].layer, "carts");
    ASSERT_EQ(scene.edits.size(), 2u);
    EXPECT_EQ(scene.edits[0].frame, 30);
    EXPECT_EQ(scene.edits[0].kind, EditKind::kWall);
    EXPECT_EQ(scene.edits[0].until, 90);
    EXPECT_EQ(scene.edits[0].cells, (CellArea{{1, 2}, {3, 4}}));
    EXPECT_EQ(scene.edits[1].kind, EditKind::kCost);
    EXPECT_EQ(scene.edits[1].cost, 7);
}

TEST(SceneFile, HoldsSpawnersAndSinks) {
    const Scene scene = parse_scene(
        "[[agents]]\n[[spawner]]\nrate = 2.5\nburst = 4\npattern = \"cells\"\ncells = [[0, 4], [0, 5]]\n"
        "limit = 90\nstop = 60\n[[spawner]]\npattern = \"circle\"\ncentre = [3, 4.5]\nradius = 2\n"
        "[[sink]]\nbox = [1, 2, 3, 4]\ngroup = 0\n",
        "life.toml");
    ASSERT_EQ(scene.spawners.size(), 2u);
    const SceneSpawner& first = scene.spawners[0];
    EXPECT_EQ(first.rate, 2.5);
    EXPECT_EQ(first.burst, 4);
    EXPECT_EQ(first.pattern, SpawnPattern::kCells);
    EXPECT_EQ(first.cells, (std::vector<std::vector<Cell>>{{{0, 4}}, {{0, 5}}}));
    EXPECT_EQ(first.limit, 90);
    EXPECT_EQ(first.stop, 60.0);
    EXPECT_EQ(scene.spawners[1].pattern, SpawnPattern::kCircle);
    ASSERT_TRUE(scene.spawners[1].centre.has_value());
    EXPECT_EQ(scene.spawners[1].centre->y, 4.5);
    EXPECT_EQ(scene.spawners[1].radius, 2.0);
    ASSERT_EQ(scene.sinks.size(), 1u);
    EXPECT_EQ(scene.sinks[0].group, 0);
    ASSERT_TRUE(scene.sinks[0].box.has_value());
    EXPECT_EQ(scene.sinks[0].box->max.y, 4.0);
}

}  // namespace
}  // namespace horde
