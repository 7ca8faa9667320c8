// The lanes against their slow twin: same bits and same neighbours as the scalar backend, whatever the world.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde {
namespace {

// Sets HORDE_LANES for as long as it lives.
class LaneWidth {
  public:
    explicit LaneWidth(int width) { setenv("HORDE_LANES", std::to_string(width).c_str(), 1); }
    ~LaneWidth() { unsetenv("HORDE_LANES"); }
    LaneWidth(const LaneWidth&) = delete;
    LaneWidth& operator=(const LaneWidth&) = delete;
};

struct Outcome {
    std::uint64_t hash;
    std::int64_t neighbours;
    bool operator==(const Outcome&) const = default;
};

Outcome run(const Scene& scene, const WorldOptions& options, int frames) {
    World world(scene, options);
    Outcome outcome{};
    for (int n = 0; n < frames; ++n) {
        world.step();
        outcome.neighbours += world.report().neighbours;
    }
    outcome.hash = world.state_hash();
    return outcome;
}

void expect_same(const Scene& scene, const Snapshot* start, int frames, std::int64_t grain = 0) {
    const Outcome scalar = run(scene, {.backend = "scalar", .start = start}, frames);
    for (const int width : lane_widths()) {
        const LaneWidth forced(width);
        const Outcome lanes =
            run(scene, {.backend = "simd", .threads = 2, .grain = grain, .start = start}, frames);
        EXPECT_EQ(lanes.hash, scalar.hash) << width << " lanes";
        EXPECT_EQ(lanes.neighbours, scalar.neighbours) << width << " lanes";
    }
}

// A number in [0, 1) for each use of `state`.
double draw(std::uint64_t& state) {
    return to_unit_interval<double>(state = mix64(state));
}

Snapshot start_of(int dim, std::vector<Vec3> points, double speed, std::uint64_t seed) {
    Snapshot start;
    start.dim = dim;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto component = [&] { return (2.0 * draw(seed) - 1.0) * speed; };
        start.id.push_back(3 * i + 1);
        if (dim == 2) points[i].z = 0.0;
        start.position.push_back(points[i]);
        start.velocity.push_back({component(), component(), dim == 3 ? component() : 0.0});
    }
    return start;
}

enum class Shape { kUniform, kPiles, kColumn, kSeam, kRows };

// Points of a box from the origin to `side`.
std::vector<Vec3> points_in(Shape shape, int count, double side, std::uint64_t seed) {
    std::vector<Vec3> points;
    const Vec3 pile{draw(seed) * side, draw(seed) * side, draw(seed) * side};
    for (int i = 0; i < count; ++i) {
        Vec3 p{draw(seed) * side, draw(seed) * side, draw(seed) * side};
        if (shape == Shape::kPiles && i % 3 == 0) p = pile;
        if (shape == Shape::kPiles && i % 3 == 1) {
            p = {pile.x + 0.001 * draw(seed), pile.y + 0.001 * draw(seed), pile.z + 0.001 * draw(seed)};
        }
        if (shape == Shape::kColumn) p.x = p.z = 0.5 * side;
        if (shape == Shape::kSeam && i % 2 == 0) p.x = i % 4 == 0 ? 0.0 : side * (1.0 - 0x1p-20);
        if (shape == Shape::kSeam && i % 5 == 0) p.y = side * 0x1p-20 * draw(seed);
        if (shape == Shape::kRows) p.y = static_cast<double>(i % 2) * 0.9 * side;
        points.push_back(p);
    }
    return points;
}

Rule rule_of(int kind, double radius, double near, bool ignore) {
    const auto flock = [&](auto rule) {
        if (ignore) rule.coincident = Coincident::kIgnore;
        rule.speed_limit_spread = 0.1;
        return rule;
    };
    if (kind == 0) {
        CrowdRule rule;
        rule.separation_radius = radius;
        rule.radius = 0.1 * radius;
        return rule;
    }
    if (kind == 1) {
        ReynoldsRule rule;
        rule.perception_radius = radius;
        rule.separation_distance = near;
        return flock(rule);
    }
    if (kind == 2) {
        ArcadeRule rule;
        rule.neighbour_radius = radius;
        rule.max_speed = 3.0;
        return flock(rule);
    }
    VicsekRule rule;
    rule.radius = radius;
    rule.speed = 0.5;
    return flock(rule);
}

Scene scene_in_box(int dim, Edge edge, double side, Vec3 corner, const Rule& rule) {
    Scene scene;
    scene.world.dim = dim;
    scene.world.edge = edge;
    scene.world.bounds = Bounds{corner, {corner.x + side, corner.y + side, corner.z + side}};
    scene.agents.push_back({.count = 0, .rule = "rule"});
    scene.rules["rule"] = rule;
    scene.grid.search = Search::kGrid;
    return scene;
}

void expect_same_in_random_world() {
    const int dim = *rc::gen::inRange(2, 4);
    const int kind = *rc::gen::inRange(0, 4);
    const auto edge = *rc::gen::element(Edge::kOpen, Edge::kPeriodic, Edge::kWrap);
    const auto shape =
        *rc::gen::element(Shape::kUniform, Shape::kPiles, Shape::kColumn, Shape::kSeam, Shape::kRows);
    const double radius = *rc::gen::element(0.3, 1.0, 1.7, 8.0);
    const double near = radius * *rc::gen::element(1.0, 0.9, 0.4, 0.2, 0.1, 1.0 / 31.9);
    const double cells = *rc::gen::element(1.2, 2.1, 3.0, 5.5, 40.0);
    const double side = cells * radius;
    const double offset = *rc::gen::element(0.0, -0.37, 1e3, -1e6);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const int count = static_cast<int>(700.0 * to_unit_interval<double>(mix64(seed, 1)) *
                                       to_unit_interval<double>(mix64(seed, 2)));
    std::vector<Vec3> points = points_in(shape, count, side * 0.999, seed);
    for (Vec3& p : points) p = {p.x + offset, p.y - offset, dim == 3 ? p.z + offset : 0.0};
    const Vec3 corner{offset, -offset, offset};
    Scene scene =
        scene_in_box(dim, edge, side, corner, rule_of(kind, radius, near, *rc::gen::arbitrary<bool>()));
    if (*rc::gen::arbitrary<bool>())
        scene.world.origin = Vec3{0.0, 0.0, 0.0};  // then floats may be coarse there
    scene.grid.cell = radius * *rc::gen::element(1.0, 0.45, 1.3, 3.0);
    if (*rc::gen::inRange(0, 8) == 0) scene.grid.search = Search::kBrute;
    const Snapshot start = start_of(dim, points, *rc::gen::element(0.0, 0.5, 2.0, 50.0), seed);
    expect_same(scene, &start, *rc::gen::inRange(1, 4), *rc::gen::element(0, 7, 33));
}

RC_GTEST_PROP(Simd, GivesTheBitsOfScalarInAnyWorld, ()) {
    for (int n = 0; n < 4; ++n) expect_same_in_random_world();
}

// Rules that share a world: a block holds agents of several groups, some of which the lanes do not steer.
TEST(Simd, GivesTheBitsOfScalarWhereRulesMix) {
    for (const int dim : {2, 3}) {
        Scene scene = scene_in_box(dim, Edge::kPeriodic, 12.0, {}, rule_of(1, 2.0, 0.6, false));
        scene.agents.clear();
        ReynoldsRule narrow;
        narrow.perception_radius = 1.5;
        narrow.half_angle = 100.0;
        ReynoldsRule rare;
        rare.perception_radius = 1.5;
        rare.separation_distance = 0.9;
        rare.update_every = 3;
        rare.separation_every_frame = true;
        scene.rules["narrow"] = narrow;
        scene.rules["rare"] = rare;
        scene.rules["arcade"] = rule_of(2, 1.2, 0.0, false);
        scene.rules["walkers"] = rule_of(0, 1.1, 0.0, false);
        for (const char* name : {"rule", "narrow", "rare", "arcade", "walkers"}) {
            scene.agents.push_back(
                {.count = 150, .rule = name, .spawn = SpawnArea::kBox, .start_speed = 0.8});
        }
        expect_same(scene, nullptr, 6, 50);
    }
}

// Sums at the bound of 32 bits: the most neighbours at the largest offsets, velocities and pushes.
TEST(Simd, SumsCannotOverflow) {
    for (const int kind : {0, 1, 2, 3}) {
        for (const double near : {1.0, 0.3, 1.0 / 7.0}) {
            Scene scene = scene_in_box(2, Edge::kOpen, 20.0, {}, rule_of(kind, 1.0, near, false));
            std::vector<Vec3> points;
            for (int i = 0; i < 1200; ++i) {  // all to one side, at the rim and at the least distance
                const double small = i * 1e-9;
                points.push_back(i % 2 == 0 ? Vec3{10.999 - small, 10.0 + small, 0.0}
                                            : Vec3{10.0 + near / 64.0 + small, 10.0, 0.0});
            }
            for (int i = 0; i < 40; ++i) points.push_back({10.0 - 0.0001 * i, 10.0, 0.0});
            Snapshot start = start_of(2, points, 0.0, 1);
            for (Vec3& v : start.velocity) v = {kind == 3 ? 0.5 : 1.9, 1.0, 0.0};
            expect_same(scene, &start, 2);
        }
    }
}

TEST(Simd, TakesVelocitiesFarBeyondTheLimit) {
    Scene scene = scene_in_box(3, Edge::kOpen, 5.0, {}, rule_of(1, 1.0, 0.3, false));
    for (const double speed : {1e3, 1e5, 1e7}) {
        const Snapshot start = start_of(3, points_in(Shape::kUniform, 300, 5.0, 7), speed, 8);
        expect_same(scene, &start, 1);
    }
}

TEST(Simd, RefusesWidthsThatAreNotThere) {
    const Scene scene = scene_in_box(2, Edge::kOpen, 5.0, {}, rule_of(1, 1.0, 0.3, false));
    for (const char* text : {"5", "0", "-8", "wide", "16x"}) {
        setenv("HORDE_LANES", text, 1);
        EXPECT_THROW(World(scene, {.backend = "simd"}), Error) << text;
        EXPECT_NO_THROW(World(scene, {.backend = "scalar"})) << text;
    }
    unsetenv("HORDE_LANES");
    EXPECT_EQ(World(scene, {.backend = "auto"}).backend(), "simd");
    EXPECT_THROW(World(scene, {.backend = "simd", .precision = Precision::kDouble}), Error);
    EXPECT_EQ(World(scene, {.backend = "auto", .precision = Precision::kDouble}).backend(), "threads");
}

}  // namespace
}  // namespace horde
