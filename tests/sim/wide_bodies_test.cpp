// Bodies wider than a point come through wherever their field leads.
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "crowds.h"
#include "horde/error.h"

namespace horde {
namespace {

using namespace test;

Scene wide_scene(std::vector<std::string> rows, double clearance, std::int64_t count) {
    Scene scene = map_scene(std::move(rows), {}, count);
    scene.layers = {{.name = "wide", .clearance = clearance}};
    scene.agents[0].layer = "wide";
    return scene;
}

// A body that starts off the middle of its cell hung on the corner of a wall that its centre would have
// passed.
TEST(WideBodies, PassACornerFromEveryHeight) {
    for (const bool sight : {false, true}) {
        Scene scene = wide_scene({"............", "............", "............", ".....@......",
                                  "............", "............", "............"},
                                 0.45, 0);
        scene.field.goal_sets = {{{11, 4}}};
        scene.agents[0].goal = "0";
        crowd_rule(scene).line_of_sight = sight;
        World world(scene, {.backend = "scalar"});
        for (double y = 0.6; y < 6.5; y += 0.1) {
            world.spawn({.position = {0.6, y, 0}, .goal = 0});
            EXPECT_LT(run_until_empty(world, 600), 600) << "from y = " << y << ", sight " << sight;
        }
    }
}

// On random maps crowds of wide bodies all arrive: alone at a corner, and two before a gap that is as wide as
// one.
TEST(WideBodies, AllArriveOnRandomMaps) {
    for (const double clearance : {0.1, 0.3, 0.4, 0.49, 0.51, 0.9, 1.3, 1.45}) {
        int worlds = 0;
        for (unsigned seed = 0; seed < 8; ++seed) {
            std::mt19937 random(seed);
            std::vector<std::string> rows(40, std::string(40, '.'));
            for (std::string& row : rows) {
                for (char& c : row) c = random() % 100 < (clearance > 0.5 ? 4u : 12u) ? '@' : '.';
            }
            Scene scene = wide_scene(rows, clearance, 30);
            scene.world.seed = seed;
            scene.field.goals = 2;
            scene.field.snap_goals = true;
            std::optional<World> made;
            try {
                made.emplace(scene, WorldOptions{.backend = "scalar"});
            } catch (const Error&) {
                continue;  // too few places for bodies of that width
            }
            World& world = *made;
            ++worlds;
            EXPECT_LT(run_until_empty(world, 3000), 3000)
                << world.agent_count() << " of 30 bodies of clearance " << clearance << " hang, seed "
                << seed;
        }
        EXPECT_GE(worlds, 5) << clearance;
    }
}

}  // namespace
}  // namespace horde
