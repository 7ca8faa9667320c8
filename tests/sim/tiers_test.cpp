// Tiers, frame by frame, in agents that stand where they are put.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"
#include "tiers_reference.h"

namespace horde {
namespace {

// A scene whose agents neither walk nor push.
Scene still_scene(int dim = 2, Edge edge = Edge::kOpen, double side = 400.0) {
    Scene scene = test::box_scene(dim, edge, 0, side);
    std::get<CrowdRule>(scene.rules["crowd"]).separation_gain = 0.0;
    return scene;
}

Snapshot agents_at(const std::vector<Vec3>& places, int dim = 2) {
    Snapshot start;
    start.dim = dim;
    for (std::size_t n = 0; n < places.size(); ++n) start.id.push_back(n);
    start.position = places;
    start.velocity.resize(places.size());
    return start;
}

World world_of(const Scene& scene, const std::vector<Vec3>& places, const std::string& backend = "scalar") {
    const Snapshot start = agents_at(places, scene.world.dim);
    return World(scene, {.backend = backend, .threads = 1, .start = &start});
}

// "FMN" of agents 0, 1, 2 ...
std::string tiers_of(const World& world) {
    Snapshot rows;
    world.snapshot(rows);
    std::string text;
    for (const Tier tier : rows.tier) text += "FMN"[static_cast<int>(tier)];
    return text;
}

std::string step_to(World& world, std::vector<Vec3> viewpoints) {
    world.set_viewpoints(viewpoints);
    world.step();
    return tiers_of(world);
}

// "+3" promoted, "-5" demoted.
std::string events_of(const World& world) {
    std::string text;
    for (const TierEvent& event : world.tier_events()) {
        text +=
            (text.empty() ? "" : " ") + std::string(event.promoted() ? "+" : "-") + std::to_string(event.id);
    }
    return text;
}

TEST(Tiers, ChangeByOneBorderAFrameEachWithItsOwnDistances) {
    World world = world_of(still_scene(), {{0.0, 0.0}});
    const auto at = [&](double d) { return step_to(world, {{d, 0.0}}); };
    // The viewpoint comes near ...
    EXPECT_EQ(at(100.0), "F");
    EXPECT_EQ(at(50.0), "F");  // not nearer than 50
    EXPECT_EQ(at(49.5), "M");
    EXPECT_EQ(at(55.0), "M");  // not farther than 55
    EXPECT_EQ(at(20.0), "M");
    EXPECT_EQ(at(19.5), "N");
    EXPECT_EQ(at(25.0), "N");
    EXPECT_EQ(at(20.0), "N");
    // ... and goes.
    EXPECT_EQ(at(25.5), "M");
    EXPECT_EQ(at(22.0), "M");  // in the gap
    EXPECT_EQ(at(54.0), "M");
    EXPECT_EQ(at(55.5), "F");
    EXPECT_EQ(at(52.0), "F");  // in the other gap
}

// three.js 14565: a level that switches at one distance flickers there.
TEST(Users, A4LevelsOfDetailDoNotPingPongAtTheirBorders) {
    for (const double border : {20.0, 50.0}) {
        World world = world_of(still_scene(), {{0.0, 0.0}});
        int changes = 0;
        for (int n = 0; n < 200; ++n) {  // to and fro across the border, by nearly the gap
            step_to(world, {{border + (n % 2 == 0 ? -0.5 : 4.5), 0.0}});
            changes += static_cast<int>(world.tier_events().size());
        }
        EXPECT_EQ(changes, border == 20.0 ? 2 : 1);
    }
}

TEST(Tiers, ATeleportingViewpointStillMovesAgentsByOneTierAFrame) {
    World world = world_of(still_scene(), {{0.0, 0.0}, {1000.0, 0.0}});
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "MF");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NF");
    EXPECT_EQ(step_to(world, {{1000.0, 0.0}}), "MM");
    EXPECT_EQ(events_of(world), "-0 +1");
    EXPECT_EQ(step_to(world, {{1000.0, 0.0}}), "FN");
    EXPECT_EQ(events_of(world), "+1 -0");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "MM");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NF");
}

TEST(Tiers, AMassCrossingIsSpreadOverFramesNearestInFarthestOut) {
    std::vector<Vec3> places;
    for (int n = 0; n < 25; ++n) places.push_back({0.0, n * 0.5});  // agent 0 is nearest to (0, -1)
    World world = world_of(still_scene(), places);
    EXPECT_EQ(step_to(world, {{0.0, -1.0}}), std::string(25, 'M'));
    EXPECT_EQ(step_to(world, {{0.0, -1.0}}), std::string(10, 'N') + std::string(15, 'M'));
    EXPECT_EQ(events_of(world), "+0 +1 +2 +3 +4 +5 +6 +7 +8 +9");
    EXPECT_EQ(world.report().near, 10);
    EXPECT_EQ(world.report().promotions_deferred, 15);
    EXPECT_EQ(step_to(world, {{0.0, -1.0}}), std::string(20, 'N') + std::string(5, 'M'));
    EXPECT_EQ(step_to(world, {{0.0, -1.0}}), std::string(25, 'N'));
    EXPECT_EQ(world.report().promotions_deferred, 0);
    // All of them are out of reach at once.
    EXPECT_EQ(step_to(world, {{0.0, -300.0}}), std::string(15, 'N') + std::string(10, 'M'));
    EXPECT_EQ(events_of(world), "-24 -23 -22 -21 -20 -19 -18 -17 -16 -15");
    EXPECT_EQ(world.report().demotions_deferred, 15);
    EXPECT_EQ(step_to(world, {{0.0, -300.0}}),
              std::string(5, 'N') + std::string(10, 'M') + std::string(10, 'F'));
    EXPECT_EQ(step_to(world, {{0.0, -300.0}}), std::string(5, 'M') + std::string(20, 'F'));
    EXPECT_EQ(step_to(world, {{0.0, -300.0}}), std::string(25, 'F'));
    EXPECT_EQ(world.report().far, 25);
}

TEST(Tiers, TheFarBorderHasNoCaps) {
    std::vector<Vec3> places;
    for (int n = 0; n < 500; ++n) places.push_back({n % 25 * 1.0, n / 25 * 1.0});
    World world = world_of(still_scene(), places);
    EXPECT_EQ(step_to(world, {{40.0, 10.0}}), std::string(500, 'M'));
    EXPECT_EQ(step_to(world, {{400.0, 10.0}}), std::string(500, 'F'));
}

TEST(Tiers, AFullNearTierTakesOnlyWhoIsNearerThanItsFarthestByMoreThanTheGap) {
    Scene scene = still_scene();
    scene.tiers.max_near = 2;
    World world = world_of(scene, {{10.0, 0.0}, {12.0, 0.0}, {-30.0, 0.0}, {-40.0, 0.0}});
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "MMMM");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NNMM");
    // Distances 20, 22, 20, 30: the third agent is not within 20.
    EXPECT_EQ(step_to(world, {{-10.0, 0.0}}), "NNMM");
    EXPECT_EQ(world.report().promotions_deferred, 0);
    // 21, 23, 19, 29: nearer than the farthest by 4, which is not enough.
    EXPECT_EQ(step_to(world, {{-11.0, 0.0}}), "NNMM");
    EXPECT_EQ(world.report().promotions_deferred, 1);
    // 21.5, 23.5, 18.5, 28.5: by 5, which is not more than 5.
    EXPECT_EQ(step_to(world, {{-11.5, 0.0}}), "NNMM");
    // 21.625, 23.625, 18.375, 28.375: by 5.25, and the second agent goes, though it is within 25.
    EXPECT_EQ(step_to(world, {{-11.625, 0.0}}), "NMNM");
    EXPECT_EQ(events_of(world), "-1 +2");
    // Back, it is no nearer than the others: no ping-pong.
    EXPECT_EQ(step_to(world, {{-11.625, 0.0}}), "NMNM");
    EXPECT_EQ(events_of(world), "");
}

TEST(Tiers, ASwapUsesBothCaps) {
    Scene scene = still_scene();
    scene.tiers.max_near = 4;
    scene.tiers.max_promotions = 4;
    scene.tiers.max_demotions = 2;
    // Four at 20 to 23 m, then four at 1 to 4 m.
    const std::vector<Vec3> places = {{20.0, 0.0}, {21.0, 0.0}, {22.0, 0.0}, {23.0, 0.0},
                                      {-1.0, 0.0}, {-2.0, 0.0}, {-3.0, 0.0}, {-4.0, 0.0}};
    World world = world_of(scene, places);
    step_to(world, {{27.0, 0.0}});
    EXPECT_EQ(step_to(world, {{27.0, 0.0}}), "NNNNMMMM");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NNMMNNMM");
    EXPECT_EQ(events_of(world), "-3 +4 -2 +5");
    EXPECT_EQ(world.report().promotions_deferred, 2);
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "MMMMNNNN");
    EXPECT_EQ(events_of(world), "-1 +6 -0 +7");
    // The cap on promotions ends swaps as well.
    scene.tiers.max_promotions = 1;
    World slow = world_of(scene, places);
    for (int n = 0; n < 5; ++n) step_to(slow, {{27.0, 0.0}});
    ASSERT_EQ(tiers_of(slow), "NNNNMMMM");
    EXPECT_EQ(step_to(slow, {{0.0, 0.0}}), "NNNMNMMM");
    EXPECT_EQ(events_of(slow), "-3 +4");
}

TEST(Tiers, WhoMustGoFreesRoomForWhoComesInTheSameFrame) {
    Scene scene = still_scene();
    scene.tiers.max_near = 1;
    scene.tiers.max_promotions = scene.tiers.max_demotions = 1;
    World world = world_of(scene, {{0.0, 0.0}, {40.0, 0.0}});
    step_to(world, {{10.0, 0.0}});
    EXPECT_EQ(step_to(world, {{10.0, 0.0}}), "NM");
    EXPECT_EQ(step_to(world, {{26.0, 0.0}}), "MN");
    EXPECT_EQ(events_of(world), "-0 +1");
}

TEST(Tiers, TiesGoByIdInEachDirection) {
    Scene scene = still_scene();
    scene.tiers.max_promotions = 2;
    scene.tiers.max_demotions = 1;
    World world = world_of(scene, {{3.0, 4.0}, {-3.0, 4.0}, {3.0, -4.0}, {5.0, 0.0}, {-4.0, -3.0}});
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "MMMMM");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NNMMM");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NNNNM");
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NNNNN");
    world.set_viewpoints(std::vector<Vec3>{});  // all are equally far now
    for (const char* expected : {"MNNNN", "FMNNN", "FFMNN", "FFFMN", "FFFFM", "FFFFF"}) {
        world.step();
        EXPECT_EQ(tiers_of(world), expected);
    }
}

TEST(Tiers, TheNearestOfSeveralViewpointsCounts) {
    World world = world_of(still_scene(), {{0.0, 0.0}, {100.0, 0.0}, {200.0, 0.0}});
    EXPECT_EQ(step_to(world, {{0.0, 49.0}, {200.0, -10.0}}), "MFM");
    EXPECT_EQ(step_to(world, {{200.0, -10.0}, {0.0, 49.0}, {0.0, 10.0}}), "NFN");
}

TEST(Tiers, HeightCountsIn3DOnly) {
    World flat = world_of(still_scene(2), {{0.0, 0.0}});
    EXPECT_EQ(step_to(flat, {{3.0, 4.0, 1000.0}}), "M");
    World solid = world_of(still_scene(3), {{0.0, 0.0, 0.0}});
    EXPECT_EQ(step_to(solid, {{0.0, 30.0, 40.0}}), "F");
    EXPECT_EQ(step_to(solid, {{0.0, 29.0, 40.0}}), "M");
}

TEST(Tiers, HeightCountsWhereTheGroundHasHeights) {
    Scene scene = test::map_scene(std::vector<std::string>(60, std::string(60, '.')), {}, 300);
    std::get<CrowdRule>(scene.rules["crowd"]).separation_gain = 0.0;
    scene.terrain.hills = 30.0;
    scene.terrain.hill_size = 15.0;
    World world(scene, {.backend = "scalar"});
    const Vec3 eye = {30.0, 30.0, 58.0};
    world.set_viewpoints({&eye, 1});
    world.step();
    Snapshot rows;
    world.snapshot(rows);
    int near_by_height = 0;
    for (std::size_t n = 0; n < rows.count(); ++n) {
        const double x = rows.position[n].x - eye.x, y = rows.position[n].y - eye.y;
        const double z = world.height_at(rows.position[n].x, rows.position[n].y) - eye.z;
        const double d = std::sqrt(x * x + y * y + z * z);
        if (std::fabs(d - 50.0) > 1e-3) {
            EXPECT_EQ(rows.tier[n], d < 50.0 ? Tier::kMiddle : Tier::kFar);
        }
        near_by_height += std::sqrt(x * x + y * y) < 50.0 && d >= 50.0;
    }
    EXPECT_GT(near_by_height, 20);
    // The height of a viewpoint is part of the state then.
    const std::uint64_t before = world.state_hash();
    const Vec3 lower = {30.0, 30.0, 20.0};
    world.set_viewpoints({&lower, 1});
    EXPECT_NE(world.state_hash(), before);
}

TEST(Tiers, DistancesInAPeriodicWorldAreToTheNearestImage) {
    World periodic = world_of(still_scene(2, Edge::kPeriodic, 400.0), {{-190.0, 0.0}});
    EXPECT_EQ(step_to(periodic, {{180.0, 0.0}}), "M");
    World open = world_of(still_scene(2, Edge::kOpen, 400.0), {{-190.0, 0.0}});
    EXPECT_EQ(step_to(open, {{180.0, 0.0}}), "F");
}

TEST(Tiers, NewAgentsStartFarAndThoseThatLeaveMakeRoom) {
    Scene scene = still_scene();
    scene.tiers.max_near = 1;
    World world = world_of(scene, {{0.0, 0.0}, {1.0, 0.0}});
    step_to(world, {{0.0, 0.0}});
    EXPECT_EQ(step_to(world, {{0.0, 0.0}}), "NM");
    EXPECT_TRUE(world.despawn(0));
    world.spawn({.position = {0.5, 0.0}});
    world.step();
    Snapshot rows;
    world.snapshot(rows);
    ASSERT_EQ(rows.id, (std::vector<AgentId>{1, AgentId{1} << 32}));
    EXPECT_EQ(rows.tier, (std::vector<Tier>{Tier::kNear, Tier::kMiddle}));
}

// Random agents on a coarse grid, where ties abound, random viewpoints that jump, agents that come and go.
void compare_with_reference(const WorldOptions& options) {
    const int dim = *rc::gen::inRange(2, 4);
    Scene scene = still_scene(dim);
    SceneTiers& rules = scene.tiers;
    rules.max_near = *rc::gen::inRange(0, 30);
    rules.max_promotions = *rc::gen::inRange(0, 6);
    rules.max_demotions = *rc::gen::inRange(0, 6);
    rules.far_every = *rc::gen::inRange(1, 4);
    const double step = *rc::gen::element(1.0, 2.5, 4.0);
    const auto place = [&] {
        const auto axis = [&] { return static_cast<double>(*rc::gen::inRange(-20, 21)) * step; };
        return Vec3{axis(), axis(), dim == 3 ? axis() : 0.0};
    };
    std::map<AgentId, Vec3> agents;
    const int count = *rc::gen::inRange(0, 120);
    Snapshot start;
    start.dim = dim;
    for (int n = 0; n < count; ++n) {
        start.id.push_back(static_cast<AgentId>(n));
        start.position.push_back(place());
        start.velocity.emplace_back();
        agents[start.id.back()] = start.position.back();
    }
    WorldOptions started = options;
    started.start = &start;
    World world(scene, started);
    test::TierReference reference;
    reference.rules = rules;
    std::vector<Vec3> viewpoints = {place()};
    for (int frame = 0; frame < 25; ++frame) {
        if (*rc::gen::inRange(0, 3) == 0) viewpoints[0] = place();
        if (*rc::gen::inRange(0, 8) == 0) viewpoints.push_back(place());
        if (*rc::gen::inRange(0, 6) == 0 && !agents.empty()) {
            const AgentId id = agents.begin()->first;
            RC_ASSERT(world.despawn(id));
            agents.erase(id);
            const Vec3 p = place();
            agents[world.spawn({.position = p})] = p;
        }
        world.set_viewpoints(viewpoints);
        world.step();
        reference.step(agents, viewpoints);
        Snapshot rows;
        world.snapshot(rows);
        RC_ASSERT(rows.tier.size() == agents.size());
        for (std::size_t row = 0; row < rows.id.size(); ++row) {
            RC_ASSERT(rows.tier[row] == reference.tier.at(rows.id[row]));
        }
        RC_ASSERT(world.tier_events() == reference.events);
        RC_ASSERT(world.report().promotions_deferred == reference.promotions_deferred);
        RC_ASSERT(world.report().demotions_deferred == reference.demotions_deferred);
        RC_ASSERT(world.report().near == std::count(rows.tier.begin(), rows.tier.end(), Tier::kNear));
        RC_ASSERT(world.report().middle == std::count(rows.tier.begin(), rows.tier.end(), Tier::kMiddle));
        RC_ASSERT(world.report().far == std::count(rows.tier.begin(), rows.tier.end(), Tier::kFar));
    }
}

RC_GTEST_PROP(Tiers, AreThoseOfASlowReference, ()) {
    const std::int64_t grain = *rc::gen::element<std::int64_t>(0, 1, 7);
    compare_with_reference({.backend = *rc::gen::elementOf(backends()), .threads = 3, .grain = grain});
}

TEST(Tiers, BadViewpointsAreRefusedAndChangeNothing) {
    World world = world_of(still_scene(), {{0.0, 0.0}});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(world.set_viewpoints(std::vector<Vec3>{{0.0, 0.0}, {nan, 0.0}}), Error);
    EXPECT_THROW(world.set_viewpoints(std::vector<Vec3>{{0.0, 1e16}}), Error);
    EXPECT_THROW(world.set_viewpoints(std::vector<Vec3>(1025)), Error);
    EXPECT_TRUE(world.viewpoints().empty());
    world.step();
    EXPECT_EQ(tiers_of(world), "");
    Scene scene = test::box_scene(2, Edge::kOpen, 5, 20.0);
    scene.agents[0].rule = "reynolds";
    World exact(scene, {.precision = Precision::kDouble});
    EXPECT_THROW(exact.set_viewpoints(std::vector<Vec3>{{0.0, 0.0}}), Error);
}

TEST(Tiers, SettingsThatCannotBeAreErrorsThatNameTheirKey) {
    const auto message = [](auto&& change) {
        Scene scene = still_scene();
        change(scene.tiers);
        try {
            World world(scene);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_NE(message([](SceneTiers& t) { t.near_promote = 26.0; }).find("tiers.near_demote"),
              std::string::npos);
    EXPECT_NE(message([](SceneTiers& t) { t.middle_demote = 49.0; }).find("tiers.middle_demote"),
              std::string::npos);
    EXPECT_NE(message([](SceneTiers& t) { t.middle_promote = 19.0; }).find("tiers.middle_promote"),
              std::string::npos);
    EXPECT_NE(message([](SceneTiers& t) { t.max_near = -1; }).find("tiers.max_near"), std::string::npos);
    EXPECT_NE(message([](SceneTiers& t) { t.far_every = 0; }).find("tiers.far_every"), std::string::npos);
    EXPECT_EQ(message([](SceneTiers&) {}), "no error");
}

TEST(Tiers, WithoutAViewpointAWorldIsAsIfThereWereNoTiers) {
    Scene scene = test::box_scene(2, Edge::kOpen, 200, 12.0);
    World plain(scene, {.backend = "scalar"});
    scene.tiers.far_every = 5;
    scene.tiers.far_separation = false;
    World tiered(scene, {.backend = "scalar"});
    for (int n = 0; n < 20; ++n) {
        plain.step();
        tiered.step();
        ASSERT_EQ(plain.state_hash(), tiered.state_hash());
    }
    EXPECT_EQ(tiered.report().far, 0);
    tiered.set_viewpoints(std::vector<Vec3>{{0.0, 0.0}});
    EXPECT_NE(plain.state_hash(), tiered.state_hash()) << "viewpoints are part of the state";
}

TEST(Tiers, ArePartOfTheStateHash) {
    const std::vector<Vec3> places = {{0.0, 0.0}, {30.0, 0.0}};
    World a = world_of(still_scene(), places), b = world_of(still_scene(), places);
    step_to(a, {{0.0, 0.0}});
    step_to(b, {{500.0, 0.0}});
    a.set_viewpoints(std::vector<Vec3>{{1.0, 2.0}, {3.0, 4.0}});
    b.set_viewpoints(std::vector<Vec3>{{3.0, 4.0}, {1.0, 2.0}});
    EXPECT_NE(a.state_hash(), b.state_hash());
    World c = world_of(still_scene(), places);
    step_to(c, {{0.0, 0.0}});
    c.set_viewpoints(std::vector<Vec3>{{3.0, 4.0}, {1.0, 2.0}});
    EXPECT_EQ(a.state_hash(), c.state_hash()) << "the order of viewpoints is no matter";
}

}  // namespace
}  // namespace horde
