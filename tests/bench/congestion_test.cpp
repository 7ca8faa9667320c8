#include "bench/congestion/congestion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "horde/error.h"

namespace horde::bench {
namespace {

std::map<std::string, double> values_of(const std::string& scene) {
    const std::vector<Row> rows = bench_congestion({.scenes = {scene}, .backend = "scalar"});
    EXPECT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows.at(0).name, "congestion-" + scene);
    EXPECT_GT(rows.at(0).agents, 100);
    return {rows.at(0).values.begin(), rows.at(0).values.end()};
}

// density * speed has one maximum; Weidmann gives 1.22 a second and metre at 1.75 a square metre.
TEST(Congestion, TheCapacityOfAWalkwayIsWeidmanns) {
    EXPECT_NEAR(weidmann_capacity(), 1.22, 0.01);
    const double at = 1.75 * 1.34 * (1.0 - std::exp(-1.913 * (1.0 / 1.75 - 1.0 / 5.4)));
    EXPECT_NEAR(weidmann_capacity(), at, 0.002);
}

TEST(Congestion, LaneOrderIsOneForLanesAndLowForAMixture) {
    std::vector<double> y;
    std::vector<std::uint16_t> lanes, mixture;
    for (int n = 0; n < 400; ++n) {
        y.push_back(n % 2);
        lanes.push_back(static_cast<std::uint16_t>(n % 2));
        mixture.push_back(static_cast<std::uint16_t>(n / 2 % 2));
    }
    EXPECT_DOUBLE_EQ(lane_order(y, lanes), 1.0);
    EXPECT_DOUBLE_EQ(lane_order(y, mixture), 0.0);
    EXPECT_DOUBLE_EQ(lane_order({0.0, 0.1, 0.2}, {0, 0, 1}), 1.0 / 9.0);
    EXPECT_TRUE(std::isnan(lane_order({}, {})));
}

TEST(Congestion, TwoStreamsInACorridorFormLanes) {
    for (const char* scene : {"corridor", "corridor-gap"}) {
        auto found = values_of(scene);
        EXPECT_EQ(found["left"], 0.0) << scene;
        EXPECT_GT(found["lane_order"], 0.6) << scene;
        EXPECT_LT(found["mixed_order"], 0.2) << scene;
        EXPECT_NEAR(found["throughput"], 4.0, 0.5) << "as many come out as go in, " << scene;
    }
}

// Seyfried et al. 2009 and others have 1.2 to 1.9 agents a second and metre.
TEST(Congestion, APressWithATimeGapPassesABottleneckAsPeopleDo) {
    for (const char* scene : {"bottleneck-gap", "bottleneck-2m-gap", "door-gap"}) {
        auto found = values_of(scene);
        EXPECT_EQ(found["left"], 0.0) << scene;
        EXPECT_GT(found["per_metre"], 1.0) << scene;
        EXPECT_LT(found["per_metre"], 2.2) << scene;
    }
}

// Solid bodies pass a door as a pushing crowd does, a few a second and metre, where foam lets eight times as
// many; and no two hold each other for ever.
TEST(Congestion, SolidBodiesAllGetThrough) {
    for (const char* scene : {"corridor-solid", "corner-solid", "crossing-solid", "bottleneck-solid",
                              "bottleneck-2m-solid", "door-solid"}) {
        auto found = values_of(scene);
        EXPECT_EQ(found["left"], 0.0) << scene;
    }
    EXPECT_GT(values_of("door-solid")["per_metre"], 1.5);
    EXPECT_LT(values_of("door-solid")["per_metre"], 5.0);
}

TEST(Congestion, AMassAtACornerFlows) {
    for (const char* scene : {"corner", "corner-gap", "crossing", "crossing-gap"}) {
        auto found = values_of(scene);
        EXPECT_EQ(found["left"], 0.0) << scene;
        EXPECT_LT(found["clear_s"], 300.0) << scene;
    }
}

TEST(Congestion, AnUnknownSceneIsRefusedWithThoseThereAre) {
    try {
        bench_congestion({.scenes = {"stairs"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("bottleneck"), std::string::npos);
    }
}

}  // namespace
}  // namespace horde::bench
