// Behaviours: when agents change them, and where they drive.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

constexpr double kDt = 0.05;

// Group 0 with two behaviours, "calm" and "moved" (numbers 0 and 1), and group 1 that does nothing.
Scene two_moods(std::vector<SceneTransition> transitions) {
    Scene scene;
    scene.world.dt = kDt;
    ReynoldsRule still;
    still.separation_gain = still.cohesion_gain = still.alignment_gain = 0.0;
    still.max_speed = 5.0;
    scene.rules["still"] = still;
    for (int g = 0; g < 2; ++g) {
        SceneAgents agents;
        agents.rule = "still";
        agents.type = g;
        scene.agents.push_back(agents);
    }
    scene.behaviours["calm"] = {};
    scene.behaviours["moved"] = {};
    scene.agents[0].behaviours = {"calm", "moved"};
    scene.transitions = std::move(transitions);
    return scene;
}

World world_of(const Scene& scene) {
    return World(scene, {.backend = "scalar"});
}

Snapshot rows_of(const World& world) {
    Snapshot rows;
    world.snapshot(rows);
    return rows;
}

std::size_t row_of(const Snapshot& rows, AgentId id) {
    return static_cast<std::size_t>(std::find(rows.id.begin(), rows.id.end(), id) - rows.id.begin());
}

AgentId put(World& world, int group, Vec3 position, Vec3 velocity = {}) {
    return world.spawn({.position = position, .velocity = velocity, .group = group});
}

int mood_of(const World& world, AgentId id) {
    const Snapshot rows = rows_of(world);
    return rows.behaviour[row_of(rows, id)];
}

double distance(Vec3 a, Vec3 b) {
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// A stranger comes and goes again: in at 4 m, out at 7 m, and nothing between.
TEST(Behaviours, ChangeByDistanceWithHysteresis) {
    World world = world_of(two_moods({{.from = "calm", .to = "moved", .group = 1, .distance_below = 4.0},
                                      {.from = "moved", .to = "calm", .group = 1, .distance_above = 7.0}}));
    const AgentId own = put(world, 0, {0.0, 0.0});
    const AgentId stranger = put(world, 1, {10.0, 0.0});
    int changes = 0, mood = 0;
    const auto at = [&](double x) {
        world.teleport(stranger, {x, 0.0});
        world.step();
        changes += static_cast<int>(world.report().changed_behaviour);
        mood = mood_of(world, own);
    };
    for (double x = 10.0; x > 2.0; x -= 0.25) {
        at(x);
        EXPECT_EQ(mood, x < 4.0 ? 1 : 0) << x;
    }
    for (double x = 2.0; x < 10.0; x += 0.25) {
        at(x);
        EXPECT_EQ(mood, x > 7.0 ? 0 : 1) << x;
    }
    EXPECT_EQ(changes, 2);
    world.despawn(stranger);
    world.step();
    EXPECT_EQ(mood_of(world, own), 0) << "of nobody the distance is above any";
}

TEST(Behaviours, ChangeByTheDistanceToAPlaceAcrossTheSeam) {
    Scene scene =
        two_moods({{.from = "calm", .to = "moved", .target = Vec3{19.0, 5.0, 0.0}, .distance_below = 3.0}});
    scene.world.edge = Edge::kPeriodic;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {20.0, 20.0, 0.0}};
    World world = world_of(scene);
    const AgentId near = put(world, 0, {1.0, 5.0}), far = put(world, 0, {10.0, 5.0});
    world.step();
    EXPECT_EQ(mood_of(world, near), 1);
    EXPECT_EQ(mood_of(world, far), 0);
}

TEST(Behaviours, ChangeByTime) {
    World world = world_of(two_moods(
        {{.from = "calm", .to = "moved", .after = 1.0}, {.from = "moved", .to = "calm", .after = 0.5}}));
    const AgentId own = put(world, 0, {0.0, 0.0});
    for (int n = 0; n < 90; ++n) {
        world.step();
        EXPECT_EQ(mood_of(world, own), n % 30 < 20 ? 0 : 1) << n;
    }
}

TEST(Behaviours, ChangeByHealth) {
    Scene scene = two_moods({{.from = "calm", .to = "moved", .health_below = 0.5},
                             {.from = "moved", .to = "calm", .health_above = 0.8}});
    scene.combat["body"] = {.health = 100};
    scene.agents[0].combat = "body";
    World world = world_of(scene);
    const AgentId own = put(world, 0, {0.0, 0.0});
    const auto after = [&](const Blow& blow) {
        world.strike(own, blow);
        world.step();
        world.step();
        return mood_of(world, own);
    };
    EXPECT_EQ(after({.damage = 50}), 0) << "half is not below half";
    EXPECT_EQ(after({.damage = 1}), 1);
    EXPECT_EQ(after({.heal = 31}), 1) << "80 is not above 80";
    EXPECT_EQ(after({.heal = 1}), 0);
}

TEST(Behaviours, ChangeByNeighbours) {
    World world = world_of(two_moods(
        {{.from = "calm", .to = "moved", .group = 0, .neighbours_above = 2, .neighbour_radius = 2.0},
         {.from = "moved", .to = "calm", .group = 0, .neighbours_below = 2, .neighbour_radius = 2.0}}));
    const AgentId own = put(world, 0, {0.0, 0.0});
    std::vector<AgentId> others;
    for (const double x : {2.0, -1.0, 1.0}) {
        world.step();
        EXPECT_EQ(mood_of(world, own), 0) << "oneself does not count";
        others.push_back(put(world, 0, {x, 0.0}));
    }
    put(world, 1, {0.5, 0.0});  // of another group
    world.step();
    EXPECT_EQ(mood_of(world, own), 1);
    world.despawn(others[0]);
    world.step();
    EXPECT_EQ(mood_of(world, own), 1);
    world.despawn(others[1]);
    world.step();
    EXPECT_EQ(mood_of(world, own), 0);
}

TEST(Behaviours, OfSeveralTransitionsTheFirstCounts) {
    Scene scene = two_moods(
        {{.from = "any", .to = "third", .after = 0.5}, {.from = "calm", .to = "moved", .after = 0.5}});
    scene.behaviours["third"] = {};
    scene.agents[0].behaviours.push_back("third");
    World world = world_of(scene);
    const AgentId own = put(world, 0, {0.0, 0.0});
    for (int n = 0; n < 12; ++n) world.step();
    EXPECT_EQ(mood_of(world, own), 2);
}

// All decide by the same frame: an independent model of the rules, over random places, frame by frame.
class RandomMoods : public testing::TestWithParam<int> {};

TEST_P(RandomMoods, FollowTheRulesTakenOneByOne) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const bool periodic = GetParam() % 2 == 0;
    Scene scene =
        two_moods({{.from = "calm", .to = "moved", .group = 1, .distance_below = 3.0},
                   {.from = "moved", .to = "calm", .group = 1, .distance_above = 5.0, .after = 0.2}});
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {30.0, 30.0, 0.0}};
    if (periodic) scene.world.edge = Edge::kPeriodic;
    World world = world_of(scene);
    for (int n = 0; n < 300; ++n) {
        const double heading = uniform(0.0, 6.28);
        put(world, n % 4 == 0 ? 1 : 0, {uniform(0.0, 30.0), uniform(0.0, 30.0)},
            {4.0 * std::cos(heading), 4.0 * std::sin(heading)});
    }
    std::vector<int> mood(300, 0), since(300, 0);
    std::int64_t changes = 0;
    for (int frame = 0; frame < 60; ++frame) {
        const Snapshot rows = rows_of(world);
        for (std::size_t i = 0; i < rows.count(); ++i) {
            if (rows.type[i] != 0) continue;
            double nearest = 1e300;
            for (std::size_t j = 0; j < rows.count(); ++j) {
                if (rows.type[j] != 1) continue;
                double dx = rows.position[j].x - rows.position[i].x,
                       dy = rows.position[j].y - rows.position[i].y;
                if (periodic) dx -= 30.0 * std::round(dx / 30.0);
                if (periodic) dy -= 30.0 * std::round(dy / 30.0);
                nearest = std::min(nearest, dx * dx + dy * dy);
            }
            const bool in = mood[i] == 0 && nearest < 9.0;
            const bool out = mood[i] == 1 && nearest > 25.0 && frame - since[i] >= 4;
            if (!in && !out) continue;
            mood[i] = in ? 1 : 0;
            since[i] = frame;
            ++changes;
        }
        world.step();
        const Snapshot after = rows_of(world);
        for (std::size_t i = 0; i < after.count(); ++i) {
            const int expected = after.type[i] == 0 ? mood[i] : kNoBehaviour;
            ASSERT_EQ(after.behaviour[i], expected) << "agent " << i << ", frame " << frame;
        }
    }
    EXPECT_GT(changes, 50);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomMoods, testing::Range(1, 7));

Scene with_drive(SceneBehaviour drive) {
    Scene scene = two_moods({});
    scene.behaviours["calm"] = std::move(drive);
    return scene;
}

TEST(Drives, AHunterComesToTheNearest) {
    World world = world_of(with_drive({.drive = Drive::kHunt, .of = 1, .radius = 30.0, .gain = 3.0}));
    const AgentId hunter = put(world, 0, {0.0, 0.0});
    const AgentId prey = put(world, 1, {12.0, 5.0});
    put(world, 1, {-20.0, 0.0});
    put(world, 1, {40.0, 0.0});
    double least = 1e9;
    for (int n = 0; n < 100; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        least =
            std::min(least, distance(rows.position[row_of(rows, hunter)], rows.position[row_of(rows, prey)]));
    }
    EXPECT_LT(least, 0.3);
}

TEST(Drives, WhoFleesGetsAwayAndStopsBeingDrivenBeyondTheRadius) {
    World world = world_of(with_drive({.drive = Drive::kFlee, .of = 1, .radius = 10.0, .gain = 2.0}));
    const AgentId own = put(world, 0, {3.0, 4.0});
    put(world, 1, {0.0, 0.0});
    for (int n = 0; n < 400; ++n) world.step();
    const Snapshot rows = rows_of(world);
    const std::size_t row = row_of(rows, own);
    EXPECT_GT(distance(rows.position[row], {0.0, 0.0}), 10.0);
    EXPECT_NEAR(rows.position[row].x / rows.position[row].y, 0.75, 1e-3) << "straight away";
    const Vec3 speed = rows.velocity[row];
    world.step();
    EXPECT_EQ(rows_of(world).velocity[row].x, speed.x);
}

// Reynolds' pursuit: aiming ahead of who flies across meets it sooner.
TEST(Drives, LeadingMeetsWhoFliesAcrossSooner) {
    const auto frames_with = [](double lead) {
        Scene scene =
            with_drive({.drive = Drive::kHunt, .of = 1, .radius = 100.0, .gain = 4.0, .lead = lead});
        World world = world_of(scene);
        const AgentId hunter = put(world, 0, {0.0, 0.0});
        const AgentId prey = put(world, 1, {0.0, 20.0}, {4.0, 0.0});
        for (int n = 0; n < 2000; ++n) {
            world.step();
            const Snapshot rows = rows_of(world);
            if (distance(rows.position[row_of(rows, hunter)], rows.position[row_of(rows, prey)]) < 1.0)
                return n;
        }
        return 2000;
    };
    const int led = frames_with(2.0), straight = frames_with(0.0);
    EXPECT_LT(led, 300);
    EXPECT_LT(led, straight);
}

TEST(Drives, AScatteredGroupComesTogetherAcrossTheSeam) {
    for (const int dim : {2, 3}) {
        Scene scene = with_drive({.drive = Drive::kRegroup, .radius = 3.0, .gain = 2.0});
        scene.world.dim = dim;
        scene.world.edge = Edge::kPeriodic;
        scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {50.0, 50.0, 50.0}};
        World world = world_of(scene);
        std::mt19937_64 random(5);
        for (int n = 0; n < 40; ++n) {
            const auto near_the_seam = [&] {
                return std::fmod(42.0 + std::uniform_real_distribution<double>(0.0, 16.0)(random), 50.0);
            };
            put(world, 0, {near_the_seam(), near_the_seam(), dim == 3 ? near_the_seam() : 0.0});
        }
        for (int n = 0; n < 300; ++n) world.step();
        const Snapshot rows = rows_of(world);
        double sum = 0.0;
        for (std::size_t i = 0; i < rows.count(); ++i) {
            double d2 = 0.0;
            const Vec3 p = rows.position[i];
            for (const double x : {p.x, p.y, dim == 3 ? p.z : 0.0}) {
                const double d = x - 50.0 * std::round(x / 50.0);
                d2 += d * d;
            }
            sum += std::sqrt(d2);
        }
        EXPECT_LT(sum / static_cast<double>(rows.count()), 8.0) << dim << "D: all about (0, 0, 0)";
    }
}

// Walkers: straight to a target in sight, by the field otherwise.
TEST(Drives, AWalkerLeavesItsFieldForATargetInSightOnly) {
    for (const bool wall : {false, true}) {
        Scene scene = test::map_scene({"............", "............", wall ? "@@@@@@@@@@@." : "............",
                                       "............", "............"},
                                      {{11, 0}}, 0);
        scene.agents.push_back(scene.agents[0]);
        scene.agents[1].goal = "any";
        scene.agents[1].type = 1;
        scene.behaviours["chase"] = {.drive = Drive::kHunt, .of = 1, .radius = 8.0};
        scene.agents[0].behaviours = {"chase"};
        World world(scene, {.backend = "scalar"});
        const AgentId hunter = world.spawn({.position = {2.5, 0.5}, .group = 0});
        world.spawn({.position = {2.5, 4.5}, .group = 1});
        for (int n = 0; n < 40; ++n) world.step();
        const Snapshot rows = rows_of(world);
        const Vec3 at = rows.position[row_of(rows, hunter)];
        if (wall) {
            EXPECT_GT(at.x, 4.0) << "on its way to the goal";
        } else {
            EXPECT_LT(at.x, 3.5);
            EXPECT_GT(at.y, 1.5);
        }
    }
}

// A garrison at its goal sallies, and comes back when nobody is there any more.
TEST(Drives, GoBeforeGoalsReached) {
    Scene scene = test::map_scene({"............", "............", "............"}, {{1, 1}}, 0);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    scene.agents.push_back(scene.agents[0]);
    scene.behaviours["guard"] = {.drive = Drive::kHunt, .of = 1, .radius = 6.0};
    scene.agents[0].behaviours = {"guard"};
    World world(scene, {.backend = "scalar"});
    const AgentId guard = world.spawn({.position = {1.5, 1.5}, .group = 0});
    for (int n = 0; n < 20; ++n) world.step();
    ASSERT_EQ(world.find(guard)->state, AgentState::kArrived);
    const AgentId intruder = world.spawn({.position = {6.5, 1.5}, .group = 1});
    for (int n = 0; n < 60; ++n) {
        world.teleport(intruder, {6.5, 1.5});
        world.step();
    }
    EXPECT_GT(world.find(guard)->position.x, 4.0);
    world.despawn(intruder);
    for (int n = 0; n < 200; ++n) world.step();
    EXPECT_LT(world.find(guard)->position.x, 3.0);
}

TEST(Drives, AHunterDoesNotLeaveByAGoalThatItCrosses) {
    Scene scene = test::map_scene({"............"}, {{4, 0}}, 0);
    scene.agents.push_back(scene.agents[0]);
    scene.agents[1].goal = "any";
    scene.behaviours["chase"] = {.drive = Drive::kHunt, .of = 1, .radius = 30.0};
    scene.agents[0].behaviours = {"chase"};
    World world(scene, {.backend = "scalar"});
    const AgentId hunter = world.spawn({.position = {0.5, 0.5}, .group = 0});
    const AgentId prey = world.spawn({.position = {11.5, 0.5}, .group = 1});
    for (int n = 0; n < 150; ++n) {
        world.teleport(prey, {11.5, 0.5});
        world.step();
    }
    ASSERT_TRUE(world.find(hunter));
    EXPECT_GT(world.find(hunter)->position.x, 6.0);
}

// With a wall in its back a walker flees along it, not into it.
TEST(Drives, WhoFleesRunsAlongWalls) {
    Scene scene = test::map_scene({"....................", "....................", "...................."},
                                  {{0, 0}}, 0);
    scene.agents.push_back(scene.agents[0]);
    scene.behaviours["away"] = {.drive = Drive::kFlee, .of = 1, .radius = 30.0};
    scene.agents[0].behaviours = {"away"};
    World world(scene, {.backend = "scalar"});
    const AgentId own = world.spawn({.position = {8.0, 2.0}, .group = 0});
    const AgentId other = world.spawn({.position = {7.0, 0.5}, .group = 1});
    for (int n = 0; n < 120; ++n) {
        world.teleport(other, {7.0, 0.5});
        world.step();
    }
    EXPECT_GT(world.find(own)->position.x, 12.0);
}

TEST(Behaviours, BringARuleAndASpeedOfTheirOwn) {
    Scene scene = two_moods(
        {{.from = "calm", .to = "moved", .after = 0.2}, {.from = "moved", .to = "calm", .after = 0.2}});
    ReynoldsRule fast;
    fast.max_speed = 9.0;
    fast.max_accel = 1000.0;
    fast.speed_limit_spread = 2.0;
    scene.rules["fast"] = fast;
    scene.behaviours["moved"].rule = "fast";
    scene.behaviours["moved"].drive = Drive::kFlee;
    scene.behaviours["moved"].of = 1;
    scene.behaviours["moved"].radius = 1000.0;
    scene.behaviours["moved"].gain = 1000.0;
    World world = world_of(scene);
    const AgentId own = put(world, 0, {1.0, 0.0});
    put(world, 1, {0.0, 0.0});
    std::vector<double> speeds;
    for (int n = 0; n < 17; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        speeds.push_back(rows.velocity[row_of(rows, own)].x);
    }
    EXPECT_LE(speeds[7], 11.0);
    EXPECT_EQ(speeds[8], 5.0) << "back under the limit of the other rule";
    EXPECT_NEAR(speeds[15], speeds[7], 4.0 * kDt) << "the same spread each time";
}

TEST(Behaviours, BringAGoalOfTheirOwn) {
    Scene scene = test::map_scene({"...................."}, {{19, 0}}, 0);
    scene.field.goal_sets.push_back({{0, 0}});
    scene.combat["body"] = {.health = 10};
    scene.behaviours["advance"] = {};
    scene.behaviours["retreat"] = {.goal = "1"};
    scene.agents[0].combat = "body";
    scene.agents[0].behaviours = {"advance", "retreat"};
    scene.transitions = {{.from = "advance", .to = "retreat", .health_below = 0.5}};
    World world(scene, {.backend = "scalar"});
    const AgentId own = world.spawn({.position = {9.5, 0.5}});
    for (int n = 0; n < 60; ++n) world.step();
    const double there = rows_of(world).position[0].x;
    EXPECT_GT(there, 11.0);
    world.strike(own, {.damage = 6});
    for (int n = 0; n < 100; ++n) world.step();
    EXPECT_LT(rows_of(world).position[0].x, there - 2.0);
    EXPECT_EQ(rows_of(world).goal[0], 1);
    for (int n = 0; n < 200; ++n) world.step();
    EXPECT_EQ(world.report().arrived_total, 1);
}

// A spawner's limit is one of the living, in whatever behaviour they are.
TEST(Behaviours, ASpawnerCountsTheLivingOfAllBehaviours) {
    Scene scene = two_moods({{.from = "calm", .to = "moved", .after = 0.3}});
    scene.combat["body"] = {.health = 10, .corpse_time = 1000.0};
    scene.agents[0].combat = "body";
    SceneSpawner spawner;
    spawner.rate = 20.0;
    spawner.limit = 30;
    spawner.box = Bounds{{0.0, 0.0, 0.0}, {10.0, 10.0, 0.0}};
    scene.spawners = {spawner};
    World world = world_of(scene);
    for (int n = 0; n < 100; ++n) world.step();
    EXPECT_EQ(world.agent_count(), 30);
    EXPECT_EQ(world.strike({5.0, 5.0}, 4.0, {.damage = 10}), world.strike({5.0, 5.0}, 4.0, {.stun = 1.0}));
    world.step();
    const std::int64_t died = world.report().died;
    EXPECT_GT(died, 5);
    for (int n = 0; n < 100; ++n) world.step();
    EXPECT_EQ(world.report().dead, died);
    EXPECT_EQ(world.agent_count(), 30 + died);
}

TEST(Behaviours, BadTablesAreRefusedByName) {
    const auto message = [](const std::function<void(Scene&)>& change) {
        Scene scene = two_moods({{.from = "calm", .to = "moved", .after = 1.0}});
        change(scene);
        try {
            world_of(scene);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing was refused");
    };
    const auto has = [&](const std::string& text, const std::function<void(Scene&)>& change) {
        EXPECT_NE(message(change).find(text), std::string::npos) << message(change);
    };
    has("transition[0].to: there is no behaviour \"other\"", [](Scene& s) { s.transitions[0].to = "other"; });
    has("agents[0].behaviours: there is no behaviour \"other\"",
        [](Scene& s) { s.agents[0].behaviours.push_back("other"); });
    has("agents[0].behaviours: \"calm\" stands there twice",
        [](Scene& s) { s.agents[0].behaviours.push_back("calm"); });
    has("transition[0]: it asks for nothing", [](Scene& s) { s.transitions[0].after = 0.0; });
    has("transition[0].group: there is no [[agents]] -1",
        [](Scene& s) { s.transitions[0].distance_below = 2.0; });
    has("it asks for the health of agents[0]", [](Scene& s) { s.transitions[0].health_below = 0.5; });
    has("behaviour.moved.of: there is no [[agents]] 5", [](Scene& s) {
        s.behaviours["moved"].drive = Drive::kHunt;
        s.behaviours["moved"].of = 5;
    });
    has("behaviour.moved.goal: the scene has no goals", [](Scene& s) { s.behaviours["moved"].goal = "0"; });
    has("behaviour.moved.rule: \"arcade\" is of kind \"arcade\"",
        [](Scene& s) { s.behaviours["moved"].rule = "arcade"; });
    has("transition[1]: it can hold together with transition[0]", [](Scene& s) {
        s.transitions = {{.from = "calm", .to = "moved", .group = 1, .distance_below = 4.0},
                         {.from = "moved", .to = "calm", .group = 1, .distance_above = 3.0}};
    });
    has("transition[0].neighbours_below is -1", [](Scene& s) { s.transitions[0].neighbours_below = -1; });
    has("transition[0].neighbours_above is -2", [](Scene& s) { s.transitions[0].neighbours_above = -2; });
    has("transition[0]: no agent can be both below and above", [](Scene& s) {
        s.transitions[0].group = 1;
        s.transitions[0].distance_below = 5.0;
        s.transitions[0].distance_above = 10.0;
    });
    has("transition[0].to: it leads to where it comes from", [](Scene& s) { s.transitions[0].to = "calm"; });
    has("transition[1]: it can hold together", [](Scene& s) {
        s.transitions = {{.from = "any", .to = "moved", .group = 1, .distance_below = 8.0},
                         {.from = "moved", .to = "calm", .group = 1, .distance_above = 5.0}};
    });
    has("transition[1]: it can hold together", [](Scene& s) {
        s.transitions = {{.from = "calm", .to = "moved", .group = 0, .neighbours_above = 2},
                         {.from = "moved", .to = "calm", .group = 0, .neighbours_below = 6}};
    });
    has("transition[1]: no [[agents]] has both behaviours", [](Scene& s) {
        s.behaviours["spare"] = {};
        s.transitions.push_back({.from = "spare", .to = "calm", .after = 1.0});
    });
    has("behaviour.any: the name stands for all", [](Scene& s) { s.behaviours["any"] = {}; });
    Scene scene = two_moods({});
    EXPECT_THROW(World(scene, {.precision = Precision::kDouble}), Error);
    // Kept apart by another measure.
    scene = two_moods({{.from = "calm", .to = "moved", .group = 1, .distance_below = 4.0},
                       {.from = "moved", .to = "calm", .group = 1, .distance_above = 4.0}});
    EXPECT_NO_THROW(world_of(scene));
}

}  // namespace
}  // namespace horde
