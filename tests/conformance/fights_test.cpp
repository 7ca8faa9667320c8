// One answer in fights: scenes made at random of all that agents can do to each other, on maps and in the
// open, give the same hashes and the same reports whatever computes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "horde/error.h"
#include "horde/world.h"

namespace horde {
namespace {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : state_(seed * 7919 + 12345) {}
    int operator()(int n) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(n));
    }

  private:
    std::uint64_t state_;
};

void draw_space(Draw& draw, bool on_map, bool deep, Scene& scene) {
    scene.world.dim = deep ? 3 : 2;
    scene.world.dt = 0.02 * (1 + draw(4));
    if (!on_map) {
        scene.world.edge = Edge(draw(3));
        scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {30.0, 25.0, 20.0}};
        return;
    }
    scene.map.rows.assign(30, std::string(40, '.'));
    for (int k = 0; k < 120; ++k) {
        const auto row = static_cast<std::size_t>(draw(30)), column = static_cast<std::size_t>(draw(40));
        scene.map.rows[row][column] = '@';
    }
    scene.map.rows[0][0] = scene.map.rows[29][39] = '.';
    scene.field.goal_sets = {{{0, 0}}, {{39, 29}}};
}

void draw_rules(Draw& draw, Scene& scene) {
    CrowdRule walk;
    walk.on_arrival = OnArrival(draw(3));
    walk.time_gap = draw(2) * 0.5;
    ReynoldsRule flock;
    flock.update_every = 1 + draw(3);
    flock.speed_limit_spread = 0.5 * draw(2);
    ArcadeRule arcade;
    arcade.neighbour_radius = 3.0;
    arcade.max_speed = 3.0;
    arcade.max_force = 20.0;
    scene.rules = {{"walk", walk}, {"flock", flock}, {"dart", arcade}};
    walk.speed = 1.9;
    flock.max_speed *= 1.5;
    arcade.max_speed *= 1.5;
    scene.rules["walk-fast"] = walk;
    scene.rules["flock-fast"] = flock;
    scene.rules["dart-fast"] = arcade;
}

std::vector<double> draw_targets(Draw& draw, int groups) {
    std::vector<double> targets;
    for (int g = 0; g < groups; ++g) {
        if (draw(2) == 0) targets.push_back(g);
    }
    return targets;
}

void draw_fights(Draw& draw, int groups, bool on_map, const std::string& kind, Scene& scene) {
    scene.combat["a"] = {.health = 1 + draw(60),
                         .targets = draw_targets(draw, groups),
                         .range = 0.5 + draw(4),
                         .damage = draw(9),
                         .cooldown = 0.1 * draw(5),
                         .attack_time = 0.1 * draw(3),
                         .splash = draw(2) * 1.0,
                         .knockback = draw(4) * 1.0,
                         .stun = 0.1 * draw(4),
                         .through_walls = draw(2) == 0,
                         .corpse_time = 0.3 * draw(3)};
    scene.combat["b"] = {.health = 100,
                         .targets = draw_targets(draw, groups),
                         .range = 0.5 + draw(4),
                         .damage = draw(9),
                         .knockback = 1.0 * draw(3)};
    for (const char* name : {"x", "y", "z"}) {
        scene.behaviours[name] = {.drive = Drive(draw(4)),
                                  .of = draw(groups),
                                  .radius = 1.0 + draw(20),
                                  .lead = 0.2 * draw(3),
                                  .attacks = draw(4) != 0};
    }
    scene.behaviours["y"].rule = kind + "-fast";
    if (on_map) scene.behaviours["z"].goal = draw(2) == 0 ? "any" : "1";
    scene.transitions = {{.from = "any", .to = "y", .group = draw(groups), .distance_below = 1.0 + draw(6)},
                         {.from = "y",
                          .to = "z",
                          .group = draw(groups),
                          .distance_above = 8.0 + draw(6),
                          .after = 0.1 + 0.1 * draw(4)},
                         {.from = "z",
                          .to = "x",
                          .group = draw(groups),
                          .neighbours_above = draw(6),
                          .neighbour_radius = 1.0 + draw(5),
                          .after = 0.3}};
}

Scene draw_scene(std::uint64_t seed, bool& tiers) {
    Draw draw(seed);
    Scene scene;
    scene.world.seed = seed;
    const bool on_map = draw(2) == 0, deep = !on_map && draw(2) == 0;
    draw_space(draw, on_map, deep, scene);
    draw_rules(draw, scene);
    const std::vector<std::string> kinds = {"walk", "flock", "dart"};
    const std::string kind = on_map ? "walk" : kinds[static_cast<std::size_t>(draw(3))];
    const int groups = 2 + draw(2);
    for (int g = 0; g < groups; ++g) {
        SceneAgents agents;
        agents.count = 30 + draw(250);
        agents.type = g;
        agents.rule = kind;
        agents.spawn = on_map ? SpawnArea::kFree : SpawnArea::kBox;
        agents.start_speed = 0.3;
        agents.combat = draw(2) == 0 ? "a" : "b";
        if (g == 0 || draw(4) != 0) agents.behaviours = {"x", "y", "z"};
        scene.agents.push_back(agents);
    }
    draw_fights(draw, groups, on_map, kind, scene);
    if (draw(2) == 0) {
        SceneSpawner spawner;
        spawner.rate = 30.0;
        spawner.group = draw(groups);
        if (!on_map) spawner.box = Bounds{{1.0, 1.0, 1.0}, {9.0, 9.0, 9.0}};
        scene.spawners.push_back(spawner);
    }
    if (draw(3) == 0) scene.sinks.push_back({.box = Bounds{{20.0, 20.0, 0.0}, {24.0, 24.0, 20.0}}});
    tiers = draw(2) == 0;
    scene.tiers.near_promote = 5.0;
    scene.tiers.near_demote = 6.0;
    scene.tiers.middle_promote = 10.0;
    scene.tiers.middle_demote = 12.0;
    scene.tiers.far_every = 1 + draw(3);
#if HORDE_BODIES
    if (!deep && scene.world.edge == Edge::kOpen && draw(3) == 0) scene.bodies.physics = Physics::kAll;
#endif
    return scene;
}

struct Told {
    std::uint64_t hash;
    std::int64_t hits, damage, died, stunned, dead, changed, agents;
    bool operator==(const Told&) const = default;
};

std::vector<Told> run(const Scene& scene, bool tiers, const WorldOptions& options) {
    World world(scene, options);
    if (tiers) world.set_viewpoints(std::vector<Vec3>{{10.0, 10.0, 5.0}});
    std::vector<Told> told;
    for (int n = 0; n < 30; ++n) {
        if (n % 7 == 3)
            world.strike({15.0, 12.0, 10.0}, 6.0,
                         {.damage = 3, .heal = n % 2, .stun = 0.1, .knockback = 2.0});
        world.step(n % 5 == 0 ? scene.world.dt * 1.5 : scene.world.dt);
        const FrameReport& report = world.report();
        told.push_back({world.state_hash(), report.hits, report.damage, report.died, report.stunned,
                        report.dead, report.changed_behaviour, report.agents});
    }
    return told;
}

class RandomFights : public testing::TestWithParam<int> {};

TEST_P(RandomFights, AreTheSameWhateverComputesThem) {
    bool tiers = false;
    const Scene scene = draw_scene(static_cast<std::uint64_t>(GetParam()), tiers);
    Scene brute = scene;
    brute.grid.search = Search::kBrute;
    const std::vector<Told> expected = run(brute, tiers, {.backend = "scalar"});
    struct Way {
        const char* backend;
        int threads;
        double cell;
        std::int64_t grain;
    };
    for (const Way& way : {Way{"threads", 3, 0.0, 7}, Way{"simd", 2, 0.0, 0}, Way{"scalar", 1, 1.3, 0},
                           Way{"simd", 1, 9.0, 64}}) {
        const std::vector<std::string> present = backends();
        if (std::find(present.begin(), present.end(), way.backend) == present.end()) continue;
        Scene grid = scene;
        grid.grid.search = Search::kGrid;
        grid.grid.cell = way.cell;
        const std::vector<Told> found =
            run(grid, tiers, {.backend = way.backend, .threads = way.threads, .grain = way.grain});
        for (std::size_t n = 0; n < expected.size(); ++n)
            ASSERT_TRUE(found[n] == expected[n]) << way.backend << ", cell " << way.cell << ", frame " << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFights, testing::Range(1, 41));

// The scenes do what they are for.
TEST(RandomFightScenes, HaveAttacksDeathsAndChangesOfBehaviour) {
    std::int64_t hits = 0, died = 0, changed = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        bool tiers = false;
        const Scene scene = draw_scene(seed, tiers);
        for (const Told& told : run(scene, tiers, {.backend = "scalar"})) {
            hits += told.hits;
            died += told.died;
            changed += told.changed;
        }
    }
    EXPECT_GT(hits, 1000);
    EXPECT_GT(died, 50);
    EXPECT_GT(changed, 1000);
}

}  // namespace
}  // namespace horde
