// Packets, matrices and batches.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "cameras.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

using test::make_camera;

// Sees everything within 1000 m of the origin.
Camera overview() {
    return make_camera({0.0, 0.0, 1000.0}, {0.0, 0.001, -1.0},
                       {.half_width = 2.0, .half_height = 2.0, .far = 3000.0})
        .camera;
}

double angle_between(Vec3 a, Vec3 b) {
    return std::acos(std::min(1.0, std::max(-1.0, test::dot(test::unit(a), test::unit(b))))) *
           57.29577951308232;
}

Scene flying(int dim, std::int64_t count, Vec3 origin = {}) {
    Scene scene = test::box_scene(dim, Edge::kOpen, count, 60.0, origin);
    scene.agents[0].rule = "reynolds";
    scene.agents[0].start_speed = 1.5;
    scene.agents[0].type = 3;
    return scene;
}

TEST(Instances, PacketsSayWhereEachAgentIsAndWhereItHeads) {
    for (const int dim : {2, 3}) {
        World world(flying(dim, 500), {.threads = 1});
        world.set_camera(overview());
        for (int n = 0; n < 3; ++n) world.step();
        Snapshot rows;
        world.snapshot(rows);
        const auto packets = world.packets(3);
        ASSERT_EQ(packets.size(), 500u);
        const Vec3 origin = world.origin();
        double worst = 0.0;
        for (std::size_t n = 0; n < packets.size(); ++n) {
            EXPECT_EQ(world.visible(3)[n], rows.id[n]);
            EXPECT_EQ(packets[n].x, static_cast<float>(rows.position[n].x - origin.x));
            EXPECT_EQ(packets[n].y, static_cast<float>(rows.position[n].y - origin.y));
            EXPECT_EQ(packets[n].z, dim == 3 ? static_cast<float>(rows.position[n].z - origin.z) : 0.0f);
            EXPECT_EQ(type_of(packets[n]), 3);
            EXPECT_EQ(tier_of(packets[n]), Tier::kFar);
            worst = std::max(worst, angle_between(heading_of(packets[n], dim), rows.velocity[n]));
        }
        EXPECT_LT(worst, dim == 2 ? 0.01 : 1.0) << "degrees";
    }
}

TEST(Instances, HeadingsOfTheAxesAreExact) {
    const Vec3 ways[] = {{1.0, 0.0},      {0.0, 1.0},       {-1.0, 0.0}, {0.0, -1.0},
                         {0.0, 0.0, 1.0}, {0.0, 0.0, -1.0}, {1.0, -1.0}};
    for (const int dim : {2, 3}) {
        Snapshot start;
        start.dim = dim;
        for (const Vec3& way : ways) {
            if (dim == 2 && way.z != 0.0) continue;
            start.id.push_back(start.id.size());
            start.position.push_back({10.0 * static_cast<double>(start.id.size()), 0.0, 0.0});
            start.velocity.push_back(way);
        }
        World world(flying(dim, 0), {.start = &start});
        world.set_camera(overview());
        world.refresh_view();
        ASSERT_EQ(world.packets(3).size(), start.count());
        for (std::size_t n = 0; n < start.count(); ++n) {
            const Vec3 found = heading_of(world.packets(3)[n], dim);
            EXPECT_LT(angle_between(found, start.velocity[n]), dim == 2 ? 0.01 : 1.0) << n;
            if (n < 4) {
                EXPECT_EQ(found, start.velocity[n]);
            }
        }
    }
}

TEST(Instances, AnAgentAtRestKeepsTheHeadingThatItWasLastDrawnWith) {
    Snapshot start;
    for (AgentId n = 0; n < 2; ++n) start.id.push_back(n);
    start.position = {{0.0, 0.0}, {50.0, 0.0}};
    start.velocity = {{-0.6, 0.8}, {0.0, 0.0}};
    Scene scene = test::box_scene(2, Edge::kOpen, 0, 10.0);  // a walker without a goal comes to rest
    World world(scene, {.start = &start});
    world.set_camera(overview(), {.matrices = true});
    world.refresh_view();
    Snapshot rows;
    for (int n = 0; n < 2000; ++n) {
        world.step();
        world.snapshot(rows);
        if (std::fabs(rows.velocity[0].x) < 1e-4 && std::fabs(rows.velocity[0].y) < 1e-4) break;
    }
    ASSERT_LT(std::fabs(rows.velocity[0].x), 1e-4);
    world.step();
    EXPECT_LT(angle_between(heading_of(world.packets(0)[0], 2), {-0.6, 0.8}), 1.0);
    EXPECT_NEAR(world.matrices(0)[0].m[0], -0.6, 0.02);
    EXPECT_EQ(heading_of(world.packets(0)[1], 2), (Vec3{1.0, 0.0, 0.0})) << "never moved";
}

TEST(Instances, AnAgentInAUsedSlotDoesNotInheritAHeading) {
    Snapshot start;
    start.id = {0};
    start.position = {{0.0, 0.0}};
    start.velocity = {{-0.6, 0.8}};
    World world(test::box_scene(2, Edge::kOpen, 0, 10.0), {.start = &start});
    world.set_camera(overview());
    world.refresh_view();
    EXPECT_LT(angle_between(heading_of(world.packets(0)[0], 2), {-0.6, 0.8}), 0.1);
    ASSERT_TRUE(world.despawn(0));
    ASSERT_EQ(world.spawn({.position = {1.0, 1.0}}), AgentId{1} << 32);
    world.refresh_view();
    EXPECT_EQ(heading_of(world.packets(0)[0], 2), (Vec3{1.0, 0.0, 0.0}));
}

TEST(Instances, ThePhaseIsTheAgentsOwnForLifeAndPhasesAreSpread) {
    World world(flying(2, 2000), {.threads = 1});
    world.set_camera(overview());
    world.step();
    std::map<AgentId, double> phase;
    std::vector<int> bins(64, 0);
    for (std::size_t n = 0; n < world.packets(3).size(); ++n) {
        const double p = phase_of(world.packets(3)[n]);
        ASSERT_GE(p, 0.0);
        ASSERT_LT(p, 1.0);
        phase[world.visible(3)[n]] = p;
        ++bins[static_cast<std::size_t>(p * 64.0)];
    }
    for (const int bin : bins) EXPECT_NEAR(bin, 2000 / 64, 25);
    for (int n = 0; n < 40; ++n) world.step();
    for (std::size_t n = 0; n < world.packets(3).size(); ++n) {
        EXPECT_EQ(phase_of(world.packets(3)[n]), phase.at(world.visible(3)[n]))
            << "it must not drift as agents move";
    }
}

TEST(Instances, CarryTheTier) {
    Scene scene = flying(2, 300);
    scene.tiers.viewpoints = {{0.0, 0.0}};
    scene.tiers.max_near = 20;
    World world(scene, {.threads = 1});
    world.set_camera(overview());
    for (int n = 0; n < 5; ++n) world.step();
    Snapshot rows;
    world.snapshot(rows);
    std::set<Tier> found;
    for (std::size_t n = 0; n < rows.count(); ++n) {
        EXPECT_EQ(tier_of(world.packets(3)[n]), rows.tier[n]);
        found.insert(rows.tier[n]);
    }
    EXPECT_GE(found.size(), 2u);
}

TEST(Instances, MatricesTurnAndPlaceWithoutStretching) {
    for (const int dim : {2, 3}) {
        World world(flying(dim, 300, {1000.0, 500.0, 20.0}), {.threads = 1});
        world.set_camera(make_camera({1000.0, 500.0, 900.0}, {0.0, 0.001, -1.0},
                                     {.half_width = 2.0, .half_height = 2.0, .far = 3000.0})
                             .camera,
                         {.packets = false, .matrices = true});
        world.step();
        Snapshot rows;
        world.snapshot(rows);
        EXPECT_TRUE(world.packets(3).empty());
        ASSERT_EQ(world.matrices(3).size(), 300u);
        for (std::size_t n = 0; n < 300; ++n) {
            const auto& m = world.matrices(3)[n].m;
            const auto axis = [&](int c) { return Vec3{m[4 * c], m[4 * c + 1], m[4 * c + 2]}; };
            for (int a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b)
                    EXPECT_NEAR(test::dot(axis(a), axis(b)), a == b ? 1.0 : 0.0, 1e-5);
            }
            EXPECT_NEAR(test::dot(test::cross(axis(0), axis(1)), axis(2)), 1.0, 1e-5) << "right-handed";
            EXPECT_LT(angle_between(axis(0), rows.velocity[n]), 0.05);
            EXPECT_GE(axis(2).z, -1e-6) << "nobody lies on its back";
            EXPECT_EQ(m[12], static_cast<float>(rows.position[n].x - world.origin().x));
            EXPECT_EQ(m[15], 1.0f);
            EXPECT_EQ(m[3] + m[7] + m[11], 0.0f);
        }
    }
}

// The same as find and the snapshot tell.
TEST(Instances, StatesSayWhatEachAgentIsAbout) {
    Scene scene = flying(2, 60);
    scene.combat["body"] = {.health = 10,
                            .targets = {0},
                            .range = 4.0,
                            .damage = 3,
                            .cooldown = 0.5,
                            .attack_time = 0.4,
                            .corpse_time = 0.5};
    scene.agents[0].combat = "body";
    scene.behaviours["a"] = scene.behaviours["b"] = {};
    scene.agents[0].behaviours = {"b"};
    World world(scene, {.threads = 1});
    world.set_camera(overview(), {.states = true});
    std::set<CombatState> met;
    for (int n = 0; n < 60; ++n) {
        world.step();
        Snapshot rows;
        world.snapshot(rows);
        const auto states = world.instance_states(3);
        ASSERT_EQ(states.size(), rows.count());
        for (std::size_t k = 0; k < rows.count(); ++k) {
            const std::optional<AgentInfo> info = world.find(rows.id[k]);
            ASSERT_TRUE(info);
            EXPECT_EQ(info->position.x, rows.position[k].x);
            EXPECT_EQ(info->velocity.y, rows.velocity[k].y);
            EXPECT_EQ(info->health, rows.health[k]);
            EXPECT_EQ(info->combat, rows.combat[k]);
            EXPECT_EQ(states[k].combat, rows.combat[k]);
            EXPECT_EQ(states[k].behaviour, 1) << "b";
            EXPECT_EQ(states[k].health, static_cast<std::uint8_t>(std::ceil(rows.health[k] * 25.5)));
            EXPECT_LE(states[k].seconds, 0.5f);
            EXPECT_EQ(states[k].seconds > 0.0f,
                      rows.combat[k] == CombatState::kAttacking || rows.combat[k] == CombatState::kDead);
            met.insert(rows.combat[k]);
        }
    }
    EXPECT_EQ(met.size(), 3u) << "free, attacking and dead";
    EXPECT_FALSE(world.find(1234567));
}

TEST(Instances, BatchesOfAnySizeCoverAllOnce) {
    EXPECT_EQ(batch_count(10'000, 1'023), 10u);
    std::vector<int> all(10'000);
    for (const std::size_t size : {1u, 7u, 500u, 1'023u, 9'999u, 10'000u, 20'000u}) {
        std::size_t next = 0;
        for (std::size_t n = 0; n < batch_count(all.size(), size); ++n) {
            const std::span<int> part = batch(std::span<int>(all), size, n);
            EXPECT_EQ(part.data(), all.data() + next);
            EXPECT_TRUE(part.size() == size || next + part.size() == all.size());
            EXPECT_FALSE(part.empty());
            next += part.size();
        }
        EXPECT_EQ(next, all.size());
    }
    EXPECT_EQ(batch_count(0, 1'023), 0u);
}

TEST(Instances, BatchesOfAnySizeAtAllAreWholeAndNothingIsPastTheLast) {
    std::vector<int> all(10'000);
    const std::span<int> span(all);
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{1'023}, all.size(), SIZE_MAX - 5'000, SIZE_MAX}) {
        const std::size_t batches = batch_count(all.size(), size);
        EXPECT_EQ(batches, size >= all.size() ? 1u : size == 1 ? 10'000u : 10u);
        EXPECT_EQ(batch(span, size, 0).size(), std::min(size, all.size()));
        for (const std::size_t n : {batches, batches + 1, SIZE_MAX})
            EXPECT_TRUE(batch(span, size, n).empty());
        EXPECT_EQ(batch_count(SIZE_MAX, size),
                  size == SIZE_MAX ? 1u : SIZE_MAX / size + (SIZE_MAX % size > 0));
        EXPECT_EQ(batch_count(0, size), 0u);
        EXPECT_TRUE(batch(std::span<int>(), size, 0).empty());
    }
}

TEST(Instances, TheCallersMemoryIsFilledAsFarAsItReaches) {
    World own(flying(2, 400), {.threads = 1}), lent(flying(2, 400), {.threads = 1});
    std::vector<InstancePacket> memory(1000, InstancePacket{9.0f, 9.0f, 9.0f, 9u});
    own.set_camera(overview());
    lent.set_camera(overview(), {.packet_buffer = std::span(memory).first(250)});
    own.step();
    lent.step();
    EXPECT_EQ(own.report().instances_dropped, 0);
    EXPECT_EQ(lent.report().instances_dropped, 150);
    ASSERT_EQ(lent.packets(3).size(), 250u);
    EXPECT_EQ(lent.packets(3).data(), memory.data());
    for (std::size_t n = 0; n < 250; ++n) EXPECT_EQ(memory[n].bits, own.packets(3)[n].bits);
    EXPECT_EQ(memory[250].bits, 9u) << "nothing beyond the span is touched";
    EXPECT_EQ(lent.report().visible, 400);
}

TEST(Users, U47AnEmptyWorldHasNothingToDraw) {
    World world(flying(2, 0));
    world.set_camera(overview(), {.matrices = true});
    world.step();
    EXPECT_EQ(world.report().visible, 0);
    EXPECT_TRUE(world.packets(3).empty());
    EXPECT_TRUE(world.matrices(3).empty());
}

}  // namespace
}  // namespace horde
