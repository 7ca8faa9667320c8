// What the flocking rules can be asked for: staggered updates, spread limits, noise, and no trace of the
// grid.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "flock.h"
#include "horde/error.h"
#include "scenes.h"

namespace horde {
namespace {

using test::Flock;
using test::heading;
using test::only;

TEST(Flock, U80AgentsDoNotLineUpWithTheGrid) {
    Flock flock;
    flock.edge = Edge::kPeriodic;
    flock.half = 32.0;
    flock.cell = 0.8;
    for (int n = 0; n < 3000; ++n) {
        flock.add({std::fmod(n * 0.6180339887, 1.0) * 64 - 32, std::fmod(n * 0.7548776662, 1.0) * 64 - 32, 0},
                  heading(n, 1.0));
    }
    const Snapshot rows = flock.after(60);
    int bins[8] = {};
    for (const Vec3& p : rows.position) ++bins[static_cast<int>((p.x / 0.8 - std::floor(p.x / 0.8)) * 8.0)];
    for (const int in_bin : bins) EXPECT_NEAR(in_bin, 375, 100);
}

TEST(Flock, StaggeredAgentsThinkInTurnAndKeepTheirSteering) {
    ReynoldsRule rule = only(0, 1, 0);
    rule.update_every = 3;
    Flock flock;
    flock.rule = rule;
    for (int n = 0; n < 6; ++n) flock.add({1.0 * n, 0, 0});
    World world = flock.world();
    std::int64_t total = 0;
    for (int n = 0; n < 3; ++n) {
        world.step();
        EXPECT_EQ(world.report().neighbours, 2 * 5) << "two of six are due";
        total += world.report().neighbours;
    }
    EXPECT_EQ(total, 6 * 5);
    const Snapshot kept = flock.after(3);
    EXPECT_NE(kept.velocity[0].x, 0.0);
}

TEST(Flock, SeparationOfEveryFrameFollowsTheNeighboursWhileTheRestIsStaggered) {
    ReynoldsRule rule;
    rule.update_every = 4;
    rule.separation_every_frame = true;
    Flock flock;
    flock.rule = rule;
    for (int n = 0; n < 8; ++n) flock.add({0.8 * n, 0, 0});
    World world = flock.world();
    world.step();
    EXPECT_EQ(world.report().neighbours, 8 * 7) << "all look for separation";
    ReynoldsRule plain;
    plain.update_every = 1;
    plain.separation_every_frame = true;
    flock.rule = plain;
    Flock reference = flock;
    reference.rule = ReynoldsRule{};
    const Snapshot a = flock.after(20), b = reference.after(20);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(a.position[i].x, b.position[i].x, 1e-4) << "every frame: no stagger";
}

TEST(Flock, SpeedLimitsSpreadAsTheSceneSays) {
    Flock flock;
    ReynoldsRule rule;
    rule.speed_limit_spread = 0.5;
    flock.rule = rule;
    for (int n = 0; n < 200; ++n) flock.add({100.0 * n, 0, 0}, {50, 0, 0});
    flock.half = 30000.0;
    const Snapshot rows = flock.after(1);
    double least = 1e9, most = 0.0;
    for (const Vec3& v : rows.velocity) {
        least = std::min(least, v.x);
        most = std::max(most, v.x);
    }
    EXPECT_GE(least, 2.0 - 1e-4);
    EXPECT_LT(least, 2.05);
    EXPECT_LE(most, 3.0 + 1e-4);
    EXPECT_GT(most, 2.95);
}

TEST(Flock, NoiseInSpaceIsUniformOnItsCap) {
    const double eta = 2.0;
    Flock flock;
    flock.dim = 3;
    flock.half = 1e5;
    VicsekRule rule;
    rule.noise = eta;
    rule.speed = 1.0;
    flock.rule = rule;
    for (int n = 0; n < 4000; ++n) flock.add({10.0 * n, 0, 0}, {0.6, 0.0, 0.8});
    const Snapshot rows = flock.after(1);
    double sum = 0.0, least = 1.0, sideways = 0.0;
    for (const Vec3& v : rows.velocity) {
        const double along = 0.6 * v.x + 0.8 * v.z;
        EXPECT_NEAR(std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z), 1.0, 1e-4);
        sum += along;
        sideways += v.y;
        least = std::min(least, along);
    }
    const double edge = std::cos(eta / 2.0);
    EXPECT_NEAR(sum / 4000, (1.0 + edge) / 2.0, 0.01) << "Archimedes: the height on a cap is uniform";
    EXPECT_GE(least, edge - 1e-4);
    EXPECT_LT(least, edge + 0.01);
    EXPECT_NEAR(sideways / 4000, 0.0, 0.03);
}

// Beyond, sums over neighbours would leave 64 bits, and what they become then is no machine's promise.
TEST(Flock, VelocitiesThatSumsCannotHoldAreRefused) {
    Flock flock;
    flock.add({0, 0, 0}, {1e7, -1e7, 0});
    EXPECT_NO_THROW(flock.world());
    flock.add({0, 0, 0}, {0, 1e12, 0});
    EXPECT_THROW(flock.world(), Error);
    Scene scene;
    scene.world.bounds = Bounds{{0, 0, 0}, {9, 9, 0}};
    SceneAgents group;
    group.count = 2;
    group.rule = "reynolds";
    group.spawn = SpawnArea::kBox;
    scene.agents.push_back(group);
    EXPECT_NO_THROW(World(scene, {}));
    for (const double speed : {-1.0, 1e7, std::numeric_limits<double>::infinity(), std::nan("")}) {
        scene.agents[0].start_speed = speed;
        EXPECT_THROW(World(scene, {}), Error) << speed;
        scene.agents[0].start_speed = 0.0;
        scene.agents[0].start_component = speed;
        EXPECT_THROW(World(scene, {}), Error) << speed;
        scene.agents[0].start_component = 0.0;
    }
}

TEST(Flock, AStartVelocityIsAddedToWhatEachAgentDraws) {
    for (const int dim : {2, 3}) {
        Scene scene = test::box_scene(dim, Edge::kOpen, 200, 30.0);
        scene.agents[0].start_speed = 1.0;
        const auto rows_of = [&] {
            Snapshot rows;
            World(scene, {.backend = "scalar"}).snapshot(rows);
            return rows;
        };
        const Snapshot drawn = rows_of();
        scene.agents[0].start_velocity = Vec3{0.5, -0.25, 0.125};
        const Snapshot moved = rows_of();
        for (std::size_t i = 0; i < drawn.count(); ++i) {
            EXPECT_NEAR(moved.velocity[i].x - drawn.velocity[i].x, 0.5, 1e-4);
            EXPECT_NEAR(moved.velocity[i].y - drawn.velocity[i].y, -0.25, 1e-4);
            EXPECT_NEAR(moved.velocity[i].z - drawn.velocity[i].z, dim == 3 ? 0.125 : 0.0, 1e-4);
        }
        scene.agents[0].start_velocity = Vec3{0.0, std::nan(""), 0.0};
        EXPECT_THROW(World(scene, {.backend = "scalar"}), Error);
    }
}

}  // namespace
}  // namespace horde
