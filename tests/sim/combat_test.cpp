// What agents do to each other, and what callers do to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

// Two groups of a flocking rule that does nothing by itself, so that all motion is of the fight.
Scene duel(const SceneCombat& first, const SceneCombat& second) {
    Scene scene;
    scene.world.dt = 0.05;
    ReynoldsRule still;
    still.separation_gain = still.cohesion_gain = still.alignment_gain = 0.0;
    scene.rules["still"] = still;
    scene.combat["first"] = first;
    scene.combat["second"] = second;
    for (const char* name : {"first", "second"}) {
        SceneAgents agents;
        agents.rule = "still";
        agents.combat = name;
        agents.type = static_cast<int>(scene.agents.size());
        scene.agents.push_back(agents);
    }
    return scene;
}

World world_of(const Scene& scene) {
    return World(scene, {.backend = "scalar"});
}

AgentId put(World& world, int group, Vec3 position, Vec3 velocity = {}) {
    return world.spawn({.position = position, .velocity = velocity, .group = group});
}

Snapshot rows_of(const World& world) {
    Snapshot rows;
    world.snapshot(rows);
    return rows;
}

std::size_t row_of(const Snapshot& rows, AgentId id) {
    return static_cast<std::size_t>(std::find(rows.id.begin(), rows.id.end(), id) - rows.id.begin());
}

double speed_of(const Snapshot& rows, AgentId id) {
    const Vec3 v = rows.velocity[row_of(rows, id)];
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

TEST(Combat, AnAttackComesOnceInACooldown) {
    World world = world_of(duel({.targets = {1}, .damage = 1, .cooldown = 1.0, .attack_time = 0.0}, {}));
    put(world, 0, {0.0, 0.0});
    const AgentId target = put(world, 1, {1.0, 0.0});
    std::int64_t attacks = 0;
    for (int n = 0; n < 200; ++n) {
        world.step();
        attacks += world.report().attacks;
        EXPECT_EQ(world.report().attacks, n % 20 == 0 ? 1 : 0) << n;
    }
    EXPECT_EQ(attacks, 10) << "in ten seconds";
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.health[row_of(rows, target)], 90);
}

TEST(Combat, TwoCanKillEachOtherInOneFrame) {
    World world = world_of(
        duel({.health = 10, .targets = {1}, .damage = 10}, {.health = 10, .targets = {0}, .damage = 10}));
    const AgentId a = put(world, 0, {0.0, 0.0});
    const AgentId b = put(world, 1, {1.0, 0.0});
    world.step();
    EXPECT_EQ(world.report().died, 2);
    EXPECT_EQ(std::vector<AgentId>(world.deaths().begin(), world.deaths().end()),
              (std::vector<AgentId>{std::min(a, b), std::max(a, b)}));
    ASSERT_EQ(world.death_places().size(), 2u);
    EXPECT_EQ(world.death_places()[0].x, a < b ? 0.0 : 1.0);
    EXPECT_EQ(world.death_places()[1].x, a < b ? 1.0 : 0.0);
    EXPECT_EQ(world.agent_count(), 0) << "no corpse_time: they leave at once";
    world.step();
    EXPECT_EQ(world.report().died, 0);
    EXPECT_EQ(world.report().died_total, 2);
    EXPECT_TRUE(world.deaths().empty() && world.death_places().empty());
}

TEST(Combat, HealingAndDamageOfAFrameAreSummedInAnyOrder) {
    std::vector<Blow> blows = {{.damage = 120}, {.heal = 50}, {.damage = 3, .stun = 0.2}, {.stun = 0.1}};
    std::uint64_t waiting = 0, after = 0;
    std::sort(blows.begin(), blows.end(), [](const Blow& a, const Blow& b) { return a.damage < b.damage; });
    for (int n = 0; n < 4; ++n) {
        std::rotate(blows.begin(), blows.begin() + 1, blows.end());
        World world = world_of(duel({}, {}));
        const AgentId id = put(world, 0, {0.0, 0.0}, {1.0, 0.0});
        for (const Blow& blow : blows) EXPECT_TRUE(world.strike(id, blow));
        if (n == 0) waiting = world.state_hash();
        EXPECT_EQ(world.state_hash(), waiting);
        world.step();
        if (n == 0) after = world.state_hash();
        EXPECT_EQ(world.state_hash(), after);
        const Snapshot rows = rows_of(world);
        ASSERT_EQ(rows.count(), 1u);
        EXPECT_EQ(rows.health[0], 100 + 50 - 123);
        EXPECT_EQ(rows.combat[0], CombatState::kStunned);
    }
}

TEST(Combat, BlowsThatWaitAreInTheHash) {
    World world = world_of(duel({}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    std::vector<std::uint64_t> hashes = {world.state_hash()};
    for (const Blow& blow :
         {Blow{.damage = 1}, Blow{.heal = 1}, Blow{.stun = 0.5}, Blow{.knock = {1.0, 0.0}}}) {
        world.strike(id, blow);
        hashes.push_back(world.state_hash());
    }
    std::sort(hashes.begin(), hashes.end());
    EXPECT_EQ(std::unique(hashes.begin(), hashes.end()), hashes.end());
}

TEST(Combat, NobodyIsHealedBeyondFullHealth) {
    World world = world_of(duel({.health = 70}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    world.strike(id, {.damage = 20});
    world.step();
    EXPECT_EQ(rows_of(world).health[0], 50);
    world.strike(id, {.heal = 1000});
    world.step();
    EXPECT_EQ(rows_of(world).health[0], 70);
}

// Independent formula: v0 - friction * t, until it stands; then it is free, or stunned for what is left.
TEST(Combat, AKnockDecaysByFrictionAndTheStunFollows) {
    World world = world_of(duel({.friction = 4.0, .max_knockback = 6.0}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    world.strike(id, {.stun = 2.0, .knock = {3.0, 4.0}});
    for (int n = 1; n <= 50; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        EXPECT_NEAR(speed_of(rows, id), std::max(0.0, 5.0 - 4.0 * 0.05 * n), 1e-3) << n;
        const CombatState expected = n <= 25   ? CombatState::kKnockedBack
                                     : n <= 40 ? CombatState::kStunned
                                               : CombatState::kFree;
        EXPECT_EQ(rows.combat[0], expected) << n;
    }
    EXPECT_EQ(world.report().stunned + world.report().knocked_back, 0);
}

TEST(Combat, AKnockHasAGreatestSpeed) {
    World world = world_of(duel({.friction = 1.0, .max_knockback = 6.0}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    for (int n = 0; n < 100; ++n) world.strike(id, {.knock = {5000.0, 0.0}});
    world.step();
    EXPECT_NEAR(speed_of(rows_of(world), id), 6.0 - 0.05, 1e-3);
}

TEST(Combat, AStunnedWalkerStandsAndThenGoesOn) {
    Scene scene = test::map_scene({"...................."}, {{19, 0}}, 0);
    scene.combat["hit"] = {.friction = 20.0};
    scene.agents[0].combat = "hit";
    World world(scene, {.backend = "scalar"});
    const AgentId id = world.spawn({.position = {1.5, 0.5}});
    for (int n = 0; n < 40; ++n) world.step();
    world.strike(id, {.stun = 20.0});
    for (int n = 0; n < 10; ++n) world.step();
    const double at = rows_of(world).position[0].x;
    for (int n = 0; n < 385; ++n) {
        world.step();
        ASSERT_EQ(rows_of(world).position[0].x, at);
        ASSERT_EQ(rows_of(world).state[0], AgentState::kWalking) << "who is stunned is not stuck";
        ASSERT_EQ(world.report().stunned, 1);
    }
    for (int n = 0; n < 25; ++n) world.step();
    EXPECT_GT(rows_of(world).position[0].x, at + 0.3);
}

TEST(Combat, AnAttackerStandsWhileItStrikes) {
    World world =
        world_of(duel({.targets = {1}, .cooldown = 3.0, .attack_time = 0.5, .friction = 100.0}, {}));
    const AgentId a = put(world, 0, {0.0, 0.0}, {1.0, 0.0});
    put(world, 1, {1.0, 0.0});
    world.step();
    EXPECT_EQ(rows_of(world).combat[0], CombatState::kAttacking);
    EXPECT_EQ(speed_of(rows_of(world), a), 0.0);
    for (int n = 0; n < 10; ++n) world.step();
    EXPECT_EQ(rows_of(world).combat[0], CombatState::kFree);
}

TEST(Combat, TheDeadLieThereForATimeAndNothingBefallsThem) {
    World world = world_of(duel({.health = 5, .friction = 50.0, .corpse_time = 1.0},
                                {.targets = {0}, .damage = 1, .cooldown = 0.0, .attack_time = 0.0}));
    const AgentId id = put(world, 0, {0.0, 0.0}, {1.0, 0.0});
    put(world, 1, {1.0, 0.0});
    world.strike(id, {.damage = 4});
    world.step();
    EXPECT_EQ(world.report().died, 1) << "4 of the strike and 1 of the attack";
    double at = 0.0;
    for (int n = 0; n < 19; ++n) {
        const Snapshot rows = rows_of(world);
        ASSERT_EQ(rows.count(), 2u) << n;
        EXPECT_EQ(rows.combat[0], CombatState::kDead);
        EXPECT_EQ(rows.health[0], 0);
        EXPECT_FALSE(world.strike(id, {.heal = 5}));
        EXPECT_EQ(world.report().dead, 1);
        if (n > 1) {
            EXPECT_EQ(rows.position[0].x, at);
        }
        at = rows.position[0].x;
        world.step();
        EXPECT_EQ(world.report().attacks, 0) << "no one attacks the dead";
    }
    world.step();
    EXPECT_EQ(world.agent_count(), 1);
    EXPECT_EQ(world.report().dead, 0);
}

TEST(Combat, TheDeadDoNotArrive) {
    Scene scene = test::map_scene({"......"}, {{5, 0}}, 0);
    scene.combat["hit"] = {.health = 1, .friction = 0.5, .max_knockback = 8.0, .corpse_time = 100.0};
    scene.agents[0].combat = "hit";
    World world(scene, {.backend = "scalar"});
    const AgentId id = world.spawn({.position = {3.5, 0.5}});
    world.strike(id, {.damage = 5, .knock = {8.0, 0.0}});
    for (int n = 0; n < 60; ++n) world.step();
    EXPECT_EQ(world.report().arrived_total, 0);
    const Snapshot rows = rows_of(world);
    ASSERT_EQ(rows.count(), 1u);
    EXPECT_GT(rows.position[0].x, 5.0) << "it flew into the goal";
}

TEST(Combat, WallsShieldUnlessTheScenesSaysOtherwise) {
    for (const bool through : {false, true}) {
        Scene scene = test::map_scene({".......", "...@...", "...@...", "...@...", "......."}, {{6, 0}}, 0);
        scene.agents.push_back(scene.agents[0]);
        scene.combat["gun"] = {.targets = {1}, .range = 6.0, .through_walls = through};
        scene.combat["prey"] = {};
        scene.agents[0].combat = "gun";
        scene.agents[1].combat = "prey";
        World world(scene, {.backend = "scalar"});
        world.spawn({.position = {1.5, 2.5}, .group = 0});
        const AgentId hidden = world.spawn({.position = {5.5, 2.5}, .group = 1});
        world.step();
        const Snapshot rows = rows_of(world);
        EXPECT_EQ(rows.health[row_of(rows, hidden)], through ? 90 : 100);
    }
}

TEST(Combat, SplashHitsAllTargetsAroundTheOneAttacked) {
    World world = world_of(duel({.targets = {1}, .range = 10.0, .damage = 7, .splash = 2.0}, {}));
    put(world, 0, {0.0, 0.0});
    const AgentId nearest = put(world, 1, {5.0, 0.0}), beside = put(world, 1, {6.0, 1.0}),
                  edge = put(world, 1, {7.0, 0.0}), beyond = put(world, 1, {7.5, 0.0});
    world.step();
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.health[row_of(rows, nearest)], 93);
    EXPECT_EQ(rows.health[row_of(rows, beside)], 93);
    EXPECT_EQ(rows.health[row_of(rows, edge)], 93) << "inclusive";
    EXPECT_EQ(rows.health[row_of(rows, beyond)], 100);
}

TEST(Combat, SplashDoesNotPassWalls) {
    Scene scene = test::map_scene({".......", "...@...", "......."}, {{6, 0}}, 0);
    scene.agents.push_back(scene.agents[0]);
    scene.combat["bomb"] = {.targets = {1}, .range = 6.0, .splash = 4.0};
    scene.combat["prey"] = {};
    scene.agents[0].combat = "bomb";
    scene.agents[1].combat = "prey";
    World world(scene, {.backend = "scalar"});
    world.spawn({.position = {0.5, 1.5}, .group = 0});
    const AgentId met = world.spawn({.position = {2.5, 1.5}, .group = 1});
    const AgentId hidden = world.spawn({.position = {4.5, 1.5}, .group = 1});
    const AgentId open = world.spawn({.position = {2.5, 2.5}, .group = 1});
    world.step();
    EXPECT_EQ(world.find(met)->health, 90);
    EXPECT_EQ(world.find(open)->health, 90);
    EXPECT_EQ(world.find(hidden)->health, 100);
}

// The nearest target that is seen, of many that are not: brute force over all pairs, and the limit.
TEST(Combat, OfThirtyTwoNearestTheFirstInSightIsMet) {
    for (const int hidden : {5, 31, 32, 60}) {
        Scene scene = test::map_scene({"..........", "@@@@@@@@..", "..........", ".........."}, {{0, 0}}, 0);
        scene.agents.push_back(scene.agents[0]);
        scene.combat["gun"] = {.targets = {1}, .range = 20.0};
        scene.combat["prey"] = {};
        scene.agents[0].combat = "gun";
        scene.agents[1].combat = "prey";
        World world(scene, {.backend = "scalar"});
        world.spawn({.position = {0.5, 0.5}, .group = 0});
        for (int n = 0; n < hidden; ++n) world.spawn({.position = {0.3 + 0.01 * n, 2.5}, .group = 1});
        const AgentId seen = world.spawn({.position = {8.5, 0.5}, .group = 1});
        world.step();
        EXPECT_EQ(world.find(seen)->health, hidden < 32 ? 90 : 100) << hidden;
        EXPECT_EQ(world.report().searches_cut, hidden < 32 ? 0 : 1) << hidden;
    }
}

// The review's walkers with others behind: a knock ends by its time, whoever shoves.
#if HORDE_BODIES
TEST(Combat, AKnockEndsWhateverPushes) {
    Scene scene = test::map_scene({"....................", "...................."}, {{19, 0}}, 0);
    scene.combat["body"] = {.friction = 1.0};
    scene.agents[0].combat = "body";
    scene.bodies.physics = Physics::kAll;
    World world(scene, {.backend = "scalar"});
    const AgentId first = world.spawn({.position = {3.5, 1.0}});
    for (int n = 0; n < 8; ++n) world.spawn({.position = {3.0 - 0.3 * n, 1.0 + 0.02 * n}});
    world.strike(first, {.knock = {0.5, 0.0}});
    for (int n = 0; n < 12; ++n) world.step();
    EXPECT_EQ(world.find(first)->combat, CombatState::kFree) << "half a metre a second lasts half a second";
}
#endif

TEST(Combat, AKnockNeverSlowsWhoIsFaster) {
    World world = world_of(duel({.friction = 0.1, .max_knockback = 1.0}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0}, {2.0, 0.0});
    world.strike(id, {.knock = {0.01, 0.0}});
    world.step();
    EXPECT_GT(speed_of(rows_of(world), id), 1.98);
    EXPECT_LE(speed_of(rows_of(world), id), 2.0);
}

TEST(Combat, FrictionStopsWhoFliesHoweverSmallItOrTheStepIs) {
    World world = world_of(duel({.friction = 1e-6, .max_knockback = 100.0}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    world.strike(id, {.knock = {0.1, 0.0}});
    double before = 1.0;
    for (int n = 0; n < 100; ++n) {
        world.step(1e-5);
        const double speed = speed_of(rows_of(world), id);
        EXPECT_LT(speed, before);
        before = speed;
    }
}

// 40 attackers with an absurd knockback: the sum keeps its sign.
TEST(Combat, HugeKnocksDoNotWrapRound) {
    World world =
        world_of(duel({.targets = {1}, .range = 3.0, .damage = 0, .knockback = 1e6}, {.max_knockback = 9.0}));
    for (int n = 0; n < 40; ++n) put(world, 0, {-1.0, 0.01 * n});
    const AgentId id = put(world, 1, {0.0, 0.0});
    world.step();
    EXPECT_GT(rows_of(world).velocity[row_of(rows_of(world), id)].x, 5.0);
}

TEST(Combat, WhoIsKnockedOutOfAWrappingWorldComesBackIn) {
    Scene scene = duel({.friction = 1.0, .max_knockback = 1000.0}, {});
    scene.world.edge = Edge::kWrap;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {20.0, 20.0, 0.0}};
    World world = world_of(scene);
    const AgentId id = put(world, 0, {10.0, 10.0});
    world.strike(id, {.knock = {1000.0, 0.0}});
    for (int n = 0; n < 20; ++n) {
        world.step();
        const double x = rows_of(world).position[0].x;
        ASSERT_TRUE(x >= 0.0 && x <= 20.0) << x;
    }
}

// A corpse is no neighbour to a flock, and nobody to queue behind.
TEST(Combat, FlocksDoNotSeeTheDead) {
    for (const char* backend : {"scalar", "simd"}) {
        const std::vector<std::string> present = backends();
        if (std::find(present.begin(), present.end(), backend) == present.end()) continue;
        std::vector<Vec3> ends;
        for (const bool corpses : {false, true}) {
            Scene scene;
            scene.rules["flock"] = ReynoldsRule{};
            scene.combat["body"] = {.health = 1, .corpse_time = 1000.0};
            SceneAgents agents;
            agents.rule = "flock";
            agents.combat = "body";
            scene.agents = {agents};
            World world(scene, {.backend = backend, .threads = 1});
            for (int n = 0; n < 30 && corpses; ++n) world.strike(put(world, 0, {0.3 * n, 2.0}), {.damage = 1});
            world.step();
            EXPECT_EQ(world.report().dead, corpses ? 30 : 0);
            std::vector<AgentId> birds;
            for (int n = 0; n < 20; ++n) birds.push_back(put(world, 0, {-2.5 + 0.7 * n, 0.1 * n}, {1.0, 0.0}));
            for (int n = 0; n < 40; ++n) world.step();
            for (const AgentId id : birds) ends.push_back(world.find(id)->position);
        }
        for (std::size_t n = 0; n < 20; ++n) {
            EXPECT_EQ(ends[n].x, ends[n + 20].x) << backend;
            EXPECT_EQ(ends[n].y, ends[n + 20].y) << backend;
        }
    }
}

TEST(Combat, NobodyQueuesBehindTheDead) {
    Scene scene = test::map_scene({"............", "............"}, {{11, 0}, {11, 1}}, 0);
    std::get<CrowdRule>(scene.rules["crowd"]).time_gap = 0.5;
    scene.combat["body"] = {.health = 1, .corpse_time = 1e6};
    scene.agents[0].combat = "body";
    World world(scene, {.backend = "scalar"});
    const AgentId dead = world.spawn({.position = {5.5, 1.0}});
    world.strike(dead, {.damage = 1});
    world.step();
    world.spawn({.position = {1.5, 1.0}});
    for (int n = 0; n < 400; ++n) world.step();
    EXPECT_EQ(world.report().arrived_total, 1);
}

TEST(Combat, ACorpseInASinkLeavesAsOneOfTheDead) {
    Scene scene = duel({.health = 1, .corpse_time = 1.0}, {});
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {20.0, 20.0, 0.0}};
    scene.sinks = {{.box = Bounds{{10.0, 0.0, 0.0}, {20.0, 20.0, 0.0}}}};
    World world = world_of(scene);
    world.strike(put(world, 0, {9.9, 5.0}), {.damage = 1, .knock = {5.0, 0.0}});
    std::int64_t died = 0, sunk = 0;
    for (int n = 0; n < 40; ++n) {
        world.step();
        died += world.report().died;
        sunk += world.report().sunk;
    }
    EXPECT_EQ(died, 1);
    EXPECT_EQ(sunk, 0);
    EXPECT_EQ(world.agent_count(), 0);
}

TEST(Combat, ReportsWhatWasThereToTake) {
    World world = world_of(duel({.health = 10}, {.health = 0}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    world.strike(id, {.damage = 1000, .heal = 5});
    world.strike(put(world, 1, {5.0, 0.0}), {.damage = 50});
    world.step();
    EXPECT_EQ(world.report().damage, 15);
    EXPECT_EQ(world.report().hits, 2);
}

TEST(Combat, HealthOfNothingCannotBeHurtButStunned) {
    World world = world_of(duel({.health = 0}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    EXPECT_TRUE(world.strike(id, {.damage = 1000000, .stun = 1.0}));
    world.step();
    EXPECT_EQ(world.report().died, 0);
    EXPECT_EQ(world.report().stunned, 1);
}

// Brute force over random places: whom each attacks, all damage, all knocks.
class RandomFights : public testing::TestWithParam<int> {};

TEST_P(RandomFights, HitWhomBruteForceWouldHit) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const int dim = GetParam() % 2 == 0 ? 2 : 3;
    const bool periodic = GetParam() % 3 == 0;
    SceneCombat armed{.health = 1000000, .targets = {0, 1}, .range = uniform(0.5, 4.0), .damage = 1};
    Scene scene = duel(armed, {.health = 1000000});
    scene.world.dim = dim;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {20.0, 20.0, 20.0}};
    if (periodic) scene.world.edge = Edge::kPeriodic;
    World world = world_of(scene);
    for (int n = 0; n < 300; ++n) {
        // Whole and half metres: many equal distances, many agents at one point.
        const auto place = [&] { return std::floor(uniform(0.0, 40.0)) / 2.0; };
        put(world, n % 3 == 0 ? 0 : 1, {place(), place(), dim == 3 ? place() : 0.0});
    }
    const Snapshot before = rows_of(world);
    std::map<AgentId, std::int64_t> expected;
    std::int64_t attacks = 0;
    for (std::size_t i = 0; i < before.count(); ++i) {
        if (before.type[i] != 0) continue;
        double least = 1e300;
        std::size_t chosen = i;
        for (std::size_t j = 0; j < before.count(); ++j) {
            if (j == i) continue;
            double d2 = 0.0;
            const double from[3] = {before.position[i].x, before.position[i].y, before.position[i].z};
            const double to[3] = {before.position[j].x, before.position[j].y, before.position[j].z};
            for (int k = 0; k < dim; ++k) {
                double d = to[k] - from[k];
                if (periodic) d -= 20.0 * std::round(d / 20.0);
                d2 += d * d;
            }
            if (d2 <= armed.range * armed.range && d2 < least) {  // rows are in order of id
                least = d2;
                chosen = j;
            }
        }
        if (chosen == i) continue;
        ++attacks;
        ++expected[before.id[chosen]];
    }
    world.step();
    EXPECT_EQ(world.report().attacks, attacks);
    EXPECT_GT(attacks, 3);
    const Snapshot after = rows_of(world);
    for (std::size_t i = 0; i < after.count(); ++i)
        EXPECT_EQ(1000000 - after.health[i], expected[after.id[i]]) << after.id[i];
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFights, testing::Range(0, 12));

TEST(Strike, MeetsACircleAndAGroup) {
    World world = world_of(duel({}, {}));
    const AgentId a = put(world, 0, {1.0, 0.0}), b = put(world, 1, {0.0, 2.0}), c = put(world, 1, {0.0, 3.5});
    EXPECT_EQ(world.strike({0.0, 0.0}, 3.0, {.damage = 10, .knockback = 2.0}), 2);
    EXPECT_EQ(world.strike({0.0, 0.0}, 10.0, {.damage = 5}, 1), 2);
    world.step();
    const Snapshot rows = rows_of(world);
    EXPECT_EQ(rows.health[row_of(rows, a)], 90);
    EXPECT_EQ(rows.health[row_of(rows, b)], 85);
    EXPECT_EQ(rows.health[row_of(rows, c)], 95);
    EXPECT_GT(rows.velocity[row_of(rows, a)].x, 1.0) << "away from the centre";
    EXPECT_NEAR(rows.velocity[row_of(rows, a)].y, 0.0, 1e-6);
    EXPECT_GT(rows.velocity[row_of(rows, b)].y, 1.0);
}

TEST(Strike, RefusesWhatCannotBe) {
    World world = world_of(duel({}, {}));
    const AgentId id = put(world, 0, {0.0, 0.0});
    EXPECT_FALSE(world.strike(id + 1, {.damage = 1}));
    EXPECT_THROW(world.strike(id, {.damage = -1}), Error);
    EXPECT_THROW(world.strike(id, {.heal = 2'000'000'000}), Error);
    EXPECT_THROW(world.strike(id, {.stun = NAN}), Error);
    EXPECT_THROW(world.strike(id, {.knock = {INFINITY, 0.0}}), Error);
    EXPECT_THROW(world.strike({0.0, 0.0}, -1.0, {.damage = 1}), Error);
    EXPECT_THROW(world.strike({NAN, 0.0}, 1.0, {.damage = 1}), Error);
    EXPECT_THROW(world.strike({0.0, 0.0}, 1.0, {.damage = 1}, 7), Error);
    Scene peaceful = duel({}, {});
    peaceful.agents[0].combat = peaceful.agents[1].combat = "";
    World calm = world_of(peaceful);
    EXPECT_THROW(calm.strike(put(calm, 0, {}), {.damage = 1}), Error);
    Scene half = duel({}, {});
    half.agents[1].combat = "";
    World mixed = world_of(half);
    EXPECT_FALSE(mixed.strike(put(mixed, 1, {}), {.damage = 1})) << "its group has no combat";
}

TEST(Combat, BadTablesAreRefusedByName) {
    const auto message = [](const SceneCombat& combat) {
        try {
            world_of(duel(combat, {}));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(message({.range = 0.0}).find("combat.first.range is 0"), std::string::npos);
    EXPECT_NE(message({.targets = {2}}).find("combat.first.targets: there is no [[agents]] 2"),
              std::string::npos);
    EXPECT_NE(message({.cooldown = -1.0}).find("combat.first.cooldown is -1"), std::string::npos);
    EXPECT_NE(message({.targets = {1, 1}}).find("[[agents]] 1 stands there twice"), std::string::npos);
    EXPECT_NE(message({.max_knockback = 1e6}).find("combat.first.max_knockback is 1e"),
              std::string::npos);
    Scene unarmed = duel({.targets = {1}}, {});
    unarmed.agents[1].combat = "";
    EXPECT_THROW(world_of(unarmed), Error);
    Scene vicsek = duel({}, {});
    vicsek.rules["still"] = VicsekRule{};
    EXPECT_THROW(world_of(vicsek), Error);
    Scene far = test::map_scene({"....", "...."}, {{0, 0}}, 0);
    far.combat["gun"] = {.targets = {0}, .range = 513.0};
    far.agents[0].combat = "gun";
    EXPECT_THROW(world_of(far), Error);
    far.combat["gun"].through_walls = true;
    EXPECT_NO_THROW(world_of(far));
    Scene scene = duel({}, {});
    scene.agents[0].combat = "nobody";
    EXPECT_THROW(world_of(scene), Error);
    EXPECT_THROW(World(duel({}, {}), {.precision = Precision::kDouble}), Error);
}

}  // namespace
}  // namespace horde
