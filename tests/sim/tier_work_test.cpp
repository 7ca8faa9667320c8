// What tiers spare: updates of steering, and the separation of those far away.
#include <gtest/gtest.h>

#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

Scene walkers(std::int64_t count = 400) {
    return test::map_scene(std::vector<std::string>(40, std::string(60, '.')), {{55, 20}}, count);
}

TEST(TierWork, FarAgentsGatherOnceInEveryFewFrames) {
    for (const std::string& backend : backends()) {
        Scene scene = walkers();
        scene.tiers.viewpoints = {{-5000.0, 0.0}};
        World all(scene, {.backend = backend, .threads = 1});
        scene.tiers.far_every = 4;
        World some(scene, {.backend = backend, .threads = 1});
        some.step();
        all.step();
        EXPECT_EQ(some.report().neighbours, all.report().neighbours)
            << "nobody coasts before the first update";
        std::int64_t found_all = 0, found_some = 0;
        for (int n = 0; n < 4; ++n) {
            all.step();
            some.step();
            found_all += all.report().neighbours;
            found_some += some.report().neighbours;
        }
        EXPECT_GT(found_all, 0);
        EXPECT_NEAR(static_cast<double>(found_some), 0.25 * static_cast<double>(found_all),
                    0.05 * static_cast<double>(found_all))
            << backend;
    }
}

TEST(TierWork, NearAgentsAreSteeredInEveryFrame) {
    Scene scene = walkers();
    scene.tiers.viewpoints = {{30.0, 20.0}};
    scene.tiers.near_promote = scene.tiers.middle_promote = 100.0;
    scene.tiers.near_demote = scene.tiers.middle_demote = 110.0;
    scene.tiers.max_near = scene.tiers.max_promotions = 1000;
    scene.tiers.far_every = scene.tiers.middle_every = 50;
    World tiered(scene, {.backend = "scalar"});
    for (int n = 0; n < 2; ++n) tiered.step();
    ASSERT_EQ(tiered.report().near, 400);
    for (int n = 0; n < 5; ++n) {
        Snapshot before;
        tiered.snapshot(before);
        World plain(walkers(), {.backend = "scalar", .start = &before});
        tiered.step();
        plain.step();
        EXPECT_GT(plain.report().neighbours, 0);
        EXPECT_EQ(tiered.report().neighbours, plain.report().neighbours);
    }
}

TEST(TierWork, RareUpdatesStillBringTheCrowdToItsGoal) {
    for (const int every : {1, 4, 16}) {
        Scene scene = walkers(150);
        scene.tiers.viewpoints = {{-5000.0, 0.0}};
        scene.tiers.far_every = every;
        World world(scene, {.backend = "scalar"});
        for (int n = 0; n < 2400 && world.agent_count() > 0; ++n) world.step();
        EXPECT_EQ(world.agent_count(), 0) << "every " << every << " frames";
    }
}

TEST(TierWork, ACrowdComesToRestAtItsGoalHoweverRarelyItThinks) {
    for (const int every : {4, 20}) {
        Scene scene = walkers(60);
        std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
        scene.tiers.viewpoints = {{-5000.0, 0.0}};
        scene.tiers.far_every = every;
        World world(scene, {.backend = "scalar"});
        for (int n = 0; n < 2000; ++n) world.step();
        Snapshot rows;
        world.snapshot(rows);
        for (std::size_t row = 0; row < rows.count(); ++row) {
            const Vec3 v = rows.velocity[row];
            EXPECT_EQ(rows.state[row], AgentState::kArrived);
            EXPECT_LT(v.x * v.x + v.y * v.y, 1e-3) << "every " << every << " frames";
        }
    }
}

TEST(TierWork, FarWalkersNeedNotKeepApart) {
    for (const std::string& backend : backends()) {
        Scene scene = walkers();
        scene.tiers.viewpoints = {{-5000.0, 0.0}};
        scene.tiers.far_separation = false;
        World world(scene, {.backend = backend, .threads = 1});
        for (int n = 0; n < 20; ++n) world.step();
        EXPECT_EQ(world.report().candidates, 0) << backend;
        scene.tiers.viewpoints = {{30.0, 20.0}};
        World close(scene, {.backend = backend, .threads = 1});
        for (int n = 0; n < 20; ++n) close.step();
        EXPECT_GT(close.report().candidates, 0) << backend;
    }
}

TEST(TierWork, ARespawnedAgentForgetsWhatItsSlotKept) {
    // Who arrives starts again elsewhere, and must think at once.
    Scene scene = walkers(200);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    scene.tiers.viewpoints = {{-5000.0, 0.0}};
    scene.tiers.far_every = 40;
    World world(scene, {.backend = "scalar"});
    Snapshot before, after;
    int respawned = 0;
    for (int n = 0; n < 600; ++n) {
        world.step();
        const bool any = world.report().arrived > 0;
        if (!any) continue;
        world.snapshot(before);
        world.step();
        world.snapshot(after);
        for (std::size_t row = 0; row < before.count(); ++row) {
            const Vec3 v = before.velocity[row];
            if (v.x != 0.0 || v.y != 0.0 || row >= after.count() || after.id[row] != before.id[row]) continue;
            ++respawned;
            EXPECT_GT(
                after.velocity[row].x * after.velocity[row].x + after.velocity[row].y * after.velocity[row].y,
                0.0);
        }
    }
    EXPECT_GT(respawned, 10);
}

}  // namespace
}  // namespace horde
