// Agents as solid bodies: who touches, where they end, and that nothing is hidden from one frame to the next.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <random>
#include <set>

#include "../sim/crowds.h"
#include "horde/error.h"
#include "horde/world.h"
#include "sim/bodies.h"

namespace horde {
namespace {

using test::box_scene;
using test::crowd_rule;
using test::distance;
using test::map_scene;
using test::put;
using test::room;
using test::rows_of;
using test::run;
using test::speed_at;

// A flock whose members neither see nor steer: they fly straight until something touches them.
Scene flyers(double radius) {
    Scene scene = box_scene(2, Edge::kOpen, 0, 40.0);
    ReynoldsRule rule;
    rule.perception_radius = 1.0;
    rule.separation_distance = 0.5;
    rule.separation_gain = rule.alignment_gain = rule.cohesion_gain = 0.0;
    rule.max_speed = 20.0;
    scene.rules["reynolds"] = rule;
    scene.agents[0].rule = "reynolds";
    scene.world.dt = 1.0 / 64;
    scene.bodies.physics = Physics::kAll;
    scene.bodies.radius = radius;
    return scene;
}

double least_distance(const Snapshot& rows) {
    double least = 1e30;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            least = std::min(least, distance(rows.position[i], rows.position[j]));
    }
    return least;
}

// Equal masses that meet head on exchange their velocities.
TEST(Bodies, EqualBallsThatBounceExchangeTheirVelocities) {
    Scene scene = flyers(0.25);
    scene.bodies.restitution = 1.0;
    World world(scene);
    world.spawn({.position = {-2, 0, 0}, .velocity = {4, 0, 0}});
    world.spawn({.position = {2, 0, 0}, .velocity = {-3, 0, 0}});
    run(world, 64);
    const Snapshot rows = rows_of(world);
    EXPECT_NEAR(rows.velocity[0].x, -3.0, 1e-4);
    EXPECT_NEAR(rows.velocity[1].x, 4.0, 1e-4);
    EXPECT_NEAR(rows.velocity[0].y, 0.0, 1e-4);
}

// Without a bounce both go on with the mean: momentum stays.
TEST(Bodies, BallsThatDoNotBounceShareTheirMomentum) {
    World world(flyers(0.25));
    world.spawn({.position = {-2, 0, 0}, .velocity = {4, 0, 0}});
    world.spawn({.position = {2, 0, 0}, .velocity = {-1, 0, 0}});
    run(world, 64);
    const Snapshot rows = rows_of(world);
    EXPECT_NEAR(rows.velocity[0].x, 1.5, 1e-4);
    EXPECT_NEAR(rows.velocity[1].x, 1.5, 1e-4);
}

TEST(Bodies, TellWhenTheyBeginAndCeaseToTouch) {
    Scene scene = flyers(0.25);
    scene.bodies.restitution = 1.0;
    World world(scene);
    const AgentId a = world.spawn({.position = {-1, 0, 0}, .velocity = {2, 0, 0}});
    const AgentId b = world.spawn({.position = {1, 0, 0}, .velocity = {-2, 0, 0}});
    std::vector<ContactEvent> told;
    int began = -1, ceased = -1;
    for (int frame = 0; frame < 64; ++frame) {
        world.step();
        for (const ContactEvent& event : world.contact_events()) {
            told.push_back(event);
            (event.begins ? began : ceased) = frame;
        }
    }
    EXPECT_EQ(told, (std::vector<ContactEvent>{{a, b, true}, {a, b, false}}));
    EXPECT_NEAR(began, 1.5 / 4.0 * 64, 2.0);  // 1.5 m apart, at 4 m/s
    EXPECT_GT(ceased, began);
    EXPECT_LE(ceased, began + 4);
    EXPECT_EQ(world.report().contacts, 0);
}

TEST(Bodies, CeaseToTouchWhenOneLeavesTheWorld) {
    World world(flyers(0.25));
    const AgentId a = world.spawn({.position = {0, 0, 0}});
    const AgentId b = world.spawn({.position = {0.49, 0, 0}});
    world.step();
    EXPECT_EQ(std::vector(world.contact_events().begin(), world.contact_events().end()),
              (std::vector<ContactEvent>{{a, b, true}}));
    world.despawn(a);
    world.step();
    EXPECT_EQ(std::vector(world.contact_events().begin(), world.contact_events().end()),
              (std::vector<ContactEvent>{{a, b, false}}));
}

TEST(Bodies, AWallTouchesThemToo) {
    Scene scene = map_scene(room(12, 5), {{10, 2}}, 0);
    scene.bodies.physics = Physics::kAll;
    crowd_rule(scene).on_arrival = OnArrival::kStay;
    World world(scene);
    const AgentId id = world.spawn({.position = {5.5, 2.5, 0}, .velocity = {0, 0, 0}});
    world.push(id, {0, -1.3, 0});
    bool touched = false;
    for (int n = 0; n < 40; ++n) {
        world.step();
        for (const ContactEvent& event : world.contact_events())
            touched = touched || event == ContactEvent{id, kWallContact, true};
        world.push(id, {0, -0.5, 0});
    }
    EXPECT_TRUE(touched);
    EXPECT_GE(rows_of(world).position[0].y, 1.2);  // the wall ends at 1, the body has a radius of 0.25
}

// The seam between cells of a wall must not trip a body that slides along it.
TEST(Bodies, SlideAlongAWallWithoutTrippingOverItsCells) {
    Scene scene = map_scene(room(40, 5), {}, 0);
    scene.agents[0].rule = "reynolds";
    scene.rules["reynolds"] = std::get<ReynoldsRule>(flyers(0.25).rules["reynolds"]);
    scene.bodies.physics = Physics::kAll;
    scene.world.dt = 1.0 / 64;
    World world(scene);
    const AgentId id = world.spawn({.position = {2.0, 1.26, 0}, .velocity = {4, 0, 0}});
    for (int n = 0; n < 8 * 64; ++n) {
        world.push(id, {0, -0.05, 0});
        world.step();
        if (rows_of(world).position[0].x > 36.0) break;
        ASSERT_GT(rows_of(world).velocity[0].x, 3.9) << rows_of(world).position[0].x;
    }
    EXPECT_GT(rows_of(world).position[0].x, 30.0);
}

// A press in a pen: bodies keep their size where walkers alone are foam.
TEST(Bodies, DoNotSinkIntoEachOther) {
    for (const Physics physics : {Physics::kOff, Physics::kAll}) {
        Scene scene = map_scene(room(14, 14), {{7, 7}}, 120);
        scene.agents[0].agents_per_cell = 1;
        scene.bodies.physics = physics;
        crowd_rule(scene).on_arrival = OnArrival::kStay;
        World world(scene);
        run(world, 300);
        for (int n = 0; n < 100; ++n) {
            if (n % 4 == 0) world.push({7, 7, 0}, 10.0, -1.0);
            world.step();
        }
        const double radius = crowd_rule(scene).radius;
        if (physics == Physics::kAll) {
            EXPECT_GT(least_distance(rows_of(world)), 2.0 * radius * 0.8);
        } else {
            EXPECT_LT(least_distance(rows_of(world)), 2.0 * radius * 0.8);
        }
    }
}

// Pushed every which way among random walls nobody ends in one, and all stay finite.
TEST(Bodies, NobodyIsEverInAWall) {
    std::mt19937 random(5);
    for (int round = 0; round < 4; ++round) {
        std::vector<std::string> map = room(24, 20);
        for (int n = 0; n < 40; ++n)
            put(map, 1 + static_cast<int>(random() % 22), 1 + static_cast<int>(random() % 18), 1, 1, '@');
        map[10][12] = '.';
        Scene scene = map_scene(map, {{12, 10}}, 100);
        scene.bodies.physics = Physics::kAll;
        World world(scene);
        Snapshot rows;
        for (int n = 0; n < 200; ++n) {
            if (n % 10 == 0)
                world.push({static_cast<double>(random() % 24), static_cast<double>(random() % 20), 0}, 6.0,
                           9.0);
            world.step();
            world.snapshot(rows);
            for (const Vec3& p : rows.position) {
                ASSERT_TRUE(p.x > 0.0 && p.x < 24.0 && p.y > 0.0 && p.y < 20.0);
                ASSERT_EQ(map[static_cast<std::size_t>(p.y)][static_cast<std::size_t>(p.x)], '.')
                    << p.x << ' ' << p.y;
            }
        }
        EXPECT_EQ(world.report().walled_in, 0);
    }
}

TEST(Bodies, APushGoesOnFromOneToTheNext) {
    World world(flyers(0.25));
    AgentId first = 0;
    for (int k = 0; k < 5; ++k) {
        const AgentId id = world.spawn({.position = {0.52 * k, 0, 0}});
        if (k == 0) first = id;
    }
    world.push(first, {5, 0, 0});
    run(world, 32);
    const Snapshot rows = rows_of(world);
    double momentum = 0.0;
    for (std::size_t i = 0; i < rows.count(); ++i) momentum += rows.velocity[i].x;
    EXPECT_NEAR(momentum, 5.0, 1e-3);
    EXPECT_GT(rows.velocity[4].x, 0.5);
}

// Whom a push reaches within one frame, along a chain, is kept apart in that frame too.
TEST(Bodies, APushAlongAChainPassesThroughNobody) {
    Scene scene = flyers(0.26);
    scene.bodies.restitution = 1.0;
    std::get<ReynoldsRule>(scene.rules["reynolds"]).max_speed = 70.0;
    World world(scene);
    for (const double x : {0.0, 0.521, 1.042, 1.592}) world.spawn({.position = {x, 0, 0}});
    world.push(rows_of(world).id[0], {62, 0, 0});
    for (int n = 0; n < 5; ++n) {
        world.step();
        const Snapshot rows = rows_of(world);
        for (std::size_t i = 1; i < rows.count(); ++i)
            EXPECT_GT(rows.position[i].x - rows.position[i - 1].x, 0.3) << "frame " << n << ", " << i;
    }
}

TEST(Bodies, AreOnlyTheNearOnesIfAsked) {
    Scene scene = map_scene(room(60, 6), {{58, 3}}, 150);
    scene.bodies.physics = Physics::kNear;
    World world(scene);
    run(world, 3);
    EXPECT_EQ(world.report().bodies, 0);
    const std::vector<Vec3> eye = {{5, 3, 0}};
    world.set_viewpoints(eye);
    std::int64_t near_before = 0;
    for (int n = 0; n < 60; ++n) {
        world.step();
        EXPECT_EQ(world.report().bodies + world.report().bodiless, near_before) << n;
        near_before = world.report().near;
    }
    EXPECT_GT(near_before, 10);
    EXPECT_LT(near_before, 150);
}

// Who touches nothing moves as if there were no bodies, bit for bit.
TEST(Bodies, ThatTouchNothingChangeNothing) {
    Scene scene = flyers(0.25);
    std::uint64_t hash[2];
    for (const Physics physics : {Physics::kOff, Physics::kAll}) {
        scene.bodies.physics = physics;
        World world(scene);
        for (int k = 0; k < 30; ++k)
            world.spawn(
                {.position = {-10.0 + 2.0 * (k % 6), -8.0 + 2.0 * (k / 6), 0}, .velocity = {3, 1, 0}});
        run(world, 100);
        hash[physics == Physics::kAll ? 1 : 0] = world.state_hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
}

TEST(Bodies, TooFastForOneAreCounted) {
    World world(flyers(0.25));
    world.spawn({.position = {-9, 0, 0}, .velocity = {19.9, 0, 0}});
    world.step(0.1);
    EXPECT_EQ(world.report().bodies, 0);
    EXPECT_EQ(world.report().bodiless, 1);
    EXPECT_NEAR(rows_of(world).position[0].x, -9 + 1.99, 1e-3);
}

std::string refusal(const Scene& scene, const WorldOptions& options = {}) {
    try {
        World world(scene, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Bodies, RefuseWhereTheyCannotBe) {
    Scene scene = flyers(0.25);
    scene.world.edge = Edge::kPeriodic;
    EXPECT_NE(refusal(scene).find("world.edge"), std::string::npos);
    scene = flyers(-1.0);
    EXPECT_NE(refusal(scene).find("bodies.radius is -1"), std::string::npos) << refusal(scene);
    scene = flyers(0.25);
    scene.bodies.restitution = 1.5;
    EXPECT_NE(refusal(scene).find("bodies.restitution"), std::string::npos);
    scene = flyers(0.25);
    EXPECT_NE(refusal(scene, {.precision = Precision::kDouble}).find("bodies.physics"), std::string::npos)
        << refusal(scene, {.precision = Precision::kDouble});
    scene = box_scene(3, Edge::kOpen, 3, 10.0);
    scene.bodies.physics = Physics::kAll;
    EXPECT_NE(refusal(scene).find("world.dim"), std::string::npos);
}

// Events are the difference of two sets, whatever order the pairs come in.
RC_GTEST_PROP(Contacts, AreTheDifferenceOfTwoFrames, ()) {
    const auto pairs = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
        rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 6), rc::gen::inRange<std::uint8_t>(6, 12)));
    const std::size_t cut = pairs.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, pairs.size() + 1);
    Bodies bodies;
    std::set<BodyPair> sets[2];
    for (int half = 0; half < 2; ++half) {
        bodies.found.clear();
        for (std::size_t k = half == 0 ? 0 : cut; k < (half == 0 ? cut : pairs.size()); ++k) {
            bodies.found.push_back({pairs[k].first, pairs[k].second});
            sets[half].insert(bodies.found.back());
        }
        take_contacts(bodies);
    }
    RC_ASSERT(std::equal(bodies.contacts.begin(), bodies.contacts.end(), sets[1].begin(), sets[1].end()));
    std::vector<BodyPair> begun, ended, want_begun, want_ended;
    for (const ContactEvent& event : bodies.events)
        (event.begins ? begun : ended).push_back({event.a, event.b});
    std::set_difference(sets[1].begin(), sets[1].end(), sets[0].begin(), sets[0].end(),
                        std::back_inserter(want_begun));
    std::set_difference(sets[0].begin(), sets[0].end(), sets[1].begin(), sets[1].end(),
                        std::back_inserter(want_ended));
    RC_ASSERT(begun == want_begun);
    RC_ASSERT(ended == want_ended);
    RC_ASSERT(std::is_sorted(bodies.events.begin(), bodies.events.end(), [](const auto& x, const auto& y) {
        return BodyPair{x.a, x.b} < BodyPair{y.a, y.b};
    }));
}

// How far a body may reach passes on along chains of neighbours; where that begins must not matter, or the
// order of agents, which the cells decide, would.
TEST(Bodies, AreChosenAlikeAtAnyCellSize) {
    Scene scene =
        test::map_scene(std::vector<std::string>(30, std::string(40, '.')), {{0, 0}, {39, 29}}, 907);
    scene.field.goal_sets = {{{0, 0}}, {{39, 29}}};
    scene.agents[0].goal = "any";
    scene.bodies.physics = Physics::kAll;
    std::vector<World> worlds;
    for (const double cell : {0.0, 1.3, 3.0}) {
        scene.grid.search = worlds.empty() ? Search::kBrute : Search::kGrid;
        scene.grid.cell = cell;
        worlds.emplace_back(scene, WorldOptions{.backend = "scalar"});
    }
    for (int n = 0; n < 60; ++n) {
        for (World& world : worlds) world.step(n % 5 == 0 ? 0.075 : 0.05);
        ASSERT_EQ(worlds[1].state_hash(), worlds[0].state_hash()) << "frame " << n;
        ASSERT_EQ(worlds[2].state_hash(), worlds[0].state_hash()) << "frame " << n;
    }
}

}  // namespace
}  // namespace horde
