// The order parameter of the Vicsek model against curves computed elsewhere (users.md section 5: r = 1, v =
// 0.03, dt = 1, self included, noise after averaging, five seeds, spread at most 0.008).
#include <gtest/gtest.h>

#include <cmath>

#include "horde/world.h"

namespace horde {
namespace {

struct CurvePoint {
    double eta;
    double order_40;   // N = 40 on L = 3.1
    double order_100;  // N = 100 on L = 5
};

constexpr double kTwoPi = 6.283185307179586;
constexpr CurvePoint kCurve[] = {{0.0, 1.000, 1.000}, {0.5, .989, .988}, {1.0, .957, .952},
                                 {1.5, .904, .894},   {2.0, .834, .816}, {2.5, .747, .720},
                                 {3.0, .648, .608},   {3.5, .538, .482}, {4.0, .418, .330},
                                 {4.5, .289, .192},   {5.0, .198, .123}, {kTwoPi, .140, .089}};

double order_of(const Snapshot& rows) {
    double x = 0.0, y = 0.0;
    for (const Vec3& v : rows.velocity) {
        const double speed = std::hypot(v.x, v.y);
        x += v.x / speed;
        y += v.y / speed;
    }
    return std::hypot(x, y) / static_cast<double>(rows.count());
}

// Mean order over `frames` frames after as many for the flock to settle, over all seeds.
double measured_order(std::int64_t count, double side, double eta, int seeds, int frames,
                      Precision precision) {
    double sum = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
        Scene scene;
        scene.world.dt = 1.0;
        scene.world.seed = static_cast<std::uint64_t>(seed);
        scene.world.edge = Edge::kPeriodic;
        scene.world.bounds = Bounds{{0, 0, 0}, {side, side, 0}};
        SceneAgents agents;
        agents.count = count;
        agents.rule = "vicsek";
        agents.spawn = SpawnArea::kBox;
        scene.agents.push_back(agents);
        VicsekRule rule;
        rule.noise = eta;
        scene.rules["vicsek"] = rule;
        World world(scene, {.backend = "scalar", .precision = precision});
        Snapshot rows;
        double in_run = 0.0;
        for (int n = 0; n < 2 * frames; ++n) {
            world.step();
            if (n < frames) continue;
            world.snapshot(rows);
            in_run += order_of(rows);
        }
        sum += in_run / frames;
    }
    return sum / seeds;
}

TEST(VicsekLong, MeetsTheCurveAtEveryNoise) {
    for (const CurvePoint& point : kCurve) {
        EXPECT_NEAR(measured_order(40, 3.1, point.eta, 3, 5000, Precision::kFloat), point.order_40, 0.03)
            << point.eta;
        EXPECT_NEAR(measured_order(100, 5.0, point.eta, 3, 5000, Precision::kFloat), point.order_100, 0.03)
            << point.eta;
    }
}

TEST(VicsekLong, MeetsTheCurveInDouble) {
    for (const std::size_t k : {2, 6, 11}) {
        const CurvePoint& point = kCurve[k];
        EXPECT_NEAR(measured_order(100, 5.0, point.eta, 2, 5000, Precision::kDouble), point.order_100, 0.03)
            << point.eta;
    }
}

}  // namespace
}  // namespace horde
