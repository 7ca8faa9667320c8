// Scenes, measurements and sweeps of the benchmarks: everything but their times.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bench/measure.h"
#include "bench/scenes.h"
#include "bench/step/reference_kernel.h"
#include "bench/step/step.h"
#include "bench/sweeps/cap.h"
#include "bench/sweeps/cell_size.h"
#include "bench/sweeps/crossover.h"
#include "bench/sweeps/stagger.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

/// Neighbours an agent has in the first frame.
double neighbours_at_start(const StartedScene& started) {
    World world(started.scene, {.backend = "scalar", .start = started.start ? &*started.start : nullptr});
    world.step();
    return static_cast<double>(world.report().neighbours) / static_cast<double>(world.agent_count());
}

TEST(StepScene, HasTheNeighboursThatWereAskedFor) {
    for (const char* rule : {"reynolds", "arcade", "vicsek", "crowd"}) {
        for (const int dim : {2, 3}) {
            for (const Distribution distribution : {Distribution::kUniform, Distribution::kClustered}) {
                const StartedScene started = make_step_scene({.agents = 2000,
                                                              .dim = dim,
                                                              .neighbours = 20.0,
                                                              .distribution = distribution,
                                                              .rule = rule});
                EXPECT_NEAR(neighbours_at_start(started), 20.0, 1.5) << started.scene.name;
                EXPECT_GE(started.side, 2.0 * started.radius);
            }
        }
    }
}

TEST(StepScene, SaysWhyThereIsNoBox) {
    EXPECT_THROW(make_step_scene({.agents = 1}), Error);
    EXPECT_THROW(make_step_scene({.agents = 100, .neighbours = 90.0}), Error);
    EXPECT_THROW(make_step_scene({.neighbours = 0.0}), Error);
    EXPECT_THROW(make_step_scene({.neighbours = std::nan("")}), Error);
    EXPECT_THROW(make_step_scene({.dim = 4}), Error);
    EXPECT_THROW(make_step_scene({.rule = "boids"}), Error);
}

TEST(StepBench, GivesTheSameStateHoweverItIsMeasured) {
    StepBench options;
    options.scene.agents = 500;
    options.scene.dim = 3;
    options.scene.neighbours = 10.0;
    options.scene.distribution = Distribution::kClustered;
    options.steps = 2;
    options.repeat = 1;
    const std::vector<Row> once = bench_step(options);
    options.repeat = 3;
    options.threads = 2;
    const std::vector<Row> thrice = bench_step(options);
    ASSERT_EQ(once.size(), 2u);
    EXPECT_EQ(once[0].state_hash, thrice[0].state_hash);
    EXPECT_EQ(once[0].neighbours, thrice[0].neighbours);
    EXPECT_EQ(thrice[0].threads, 2);
    EXPECT_LE(thrice[0].ms.min, thrice[0].ms.median);
    EXPECT_GT(value_of(thrice[0], "first_ms"), 0.0);
    EXPECT_DOUBLE_EQ(value_of(thrice[0], "references"), thrice[0].ms.median / thrice[1].ms.median);
}

TEST(ReferenceKernel, CountsTheSamePairsEverywhere) {
    EXPECT_EQ(reference_kernel(), kReferencePairs);
}

TEST(Measure, QuantilesAreInterpolated) {
    EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 3.0, 2.0, 5.0}, 0.5), 3.0);
    EXPECT_DOUBLE_EQ(quantile({4.0, 1.0, 3.0, 2.0, 5.0}, 0.25), 2.0);
    EXPECT_DOUBLE_EQ(quantile({1.0, 2.0}, 0.25), 1.25);
    EXPECT_DOUBLE_EQ(quantile({7.0}, 0.9), 7.0);
}

TEST(Measure, CountsStepsAndNotTheWarmUp) {
    World world(almanac_scene(50), {.backend = "scalar"});
    const Measurement m = measure(world, 3, 4);
    EXPECT_EQ(world.frame(), 7u);
    World other(almanac_scene(50), {.backend = "scalar"});
    std::int64_t neighbours = 0;
    for (int frame = 0; frame < 7; ++frame) {
        other.step();
        if (frame >= 3) neighbours += other.report().neighbours;
    }
    EXPECT_EQ(m.neighbours, neighbours);
    EXPECT_GT(m.frame_ms, 0.0);
}

CrossoverCurve curve_of(std::vector<std::pair<std::int64_t, double>> points) {
    CrossoverCurve curve;
    for (const auto& [agents, ratio] : points) {
        CrossoverPoint point;
        point.agents = agents;
        point.ratio = point.ratio_low = point.ratio_high = ratio;
        curve.points.push_back(point);
    }
    find_crossing(curve);
    return curve;
}

TEST(Crossover, IsWhereTheRatioPassesOneForGood) {
    EXPECT_NEAR(curve_of({{10, 0.5}, {40, 2.0}}).crossing, 20.0, 1e-9);
    EXPECT_NEAR(curve_of({{10, 0.5}, {20, 1.1}, {40, 0.5}, {160, 2.0}}).crossing, 80.0, 1e-9);
}

TEST(Crossover, NoneIsAResult) {
    const CrossoverCurve grid = curve_of({{10, 1.5}, {40, 2.0}});
    EXPECT_TRUE(std::isnan(grid.crossing));
    EXPECT_TRUE(crossing_text(grid).starts_with("none above 10"));
    const CrossoverCurve brute = curve_of({{10, 0.5}, {40, 0.9}});
    EXPECT_TRUE(std::isnan(brute.crossing));
    EXPECT_TRUE(crossing_text(brute).starts_with("none up to 40"));
}

TEST(Crossover, MeasuresEverySceneAtEveryCount) {
    const std::vector<CrossoverCurve> curves = measure_crossover({.agents = {8, 40}, .repeat = 1});
    ASSERT_EQ(curves.size(), 5u);
    for (const CrossoverCurve& curve : curves) {
        ASSERT_EQ(curve.points.size(), 2u);
        EXPECT_GT(curve.points[1].ratio, 0.0);
        EXPECT_EQ(curve.points[0].state_hash != 0, curve.is_horde);
    }
    EXPECT_EQ(rows_of(curves).size(), 10u);
    EXPECT_THROW(measure_crossover({.agents = {40, 8}}), Error);
}

TEST(CellSize, EverySideEndsInOneStateAndSmallCellsHoldFewerCandidates) {
    for (const SweepCurve& curve : sweep_cell_size({.agents = 1000, .repeat = 1, .steps = 1})) {
        ASSERT_EQ(curve.rows.size(), 11u) << curve.name;
        for (std::size_t n = 1; n < curve.rows.size(); ++n) {
            EXPECT_EQ(curve.rows[n].state_hash, curve.rows[0].state_hash);
            EXPECT_EQ(curve.rows[n].neighbours, curve.rows[0].neighbours);
        }
        EXPECT_LT(value_of(curve.rows.front(), "candidates_per_agent"),
                  value_of(curve.rows.back(), "candidates_per_agent"));
        EXPECT_THROW(value_of(curve.rows[0], "colour"), std::out_of_range);
    }
}

TEST(Cap, NearestHasNoBiasAndFirstHas) {
    const std::vector<SweepCurve> curves = sweep_cap({.agents = 2000, .repeat = 1, .steps = 1});
    ASSERT_EQ(curves.size(), 4u);
    for (const SweepCurve& curve : curves) {
        for (const Row& row : curve.rows) {
            const bool biased = value_of(row, "cap") > 0.0 && value_of(row, "nearest") == 0.0;
            EXPECT_EQ(value_of(row, "wrong") > 0.0, biased) << curve.name;
            EXPECT_EQ(value_of(row, "stretch") > 1.0, biased) << curve.name;
            if (value_of(row, "cap") == 4.0) {
                EXPECT_EQ(value_of(row, "pull") > 0.1, biased) << curve.name;
            }
        }
    }
}

TEST(Stagger, LagsUnlessEveryAgentThinksInEveryFrame) {
    const std::vector<SweepCurve> curves = sweep_stagger({.repeat = 1, .steps = 1, .seeds = 1});
    ASSERT_EQ(curves.size(), 2u);
    for (const SweepCurve& curve : curves) {
        ASSERT_EQ(curve.rows.size(), 4u);
        EXPECT_EQ(value_of(curve.rows[0], "lag_px"), 0.0);
        for (std::size_t n = 1; n < 4; ++n) EXPECT_GT(value_of(curve.rows[n], "lag_px"), 0.0);
    }
    // The almanac: separation is the rule with a deadline.
    EXPECT_LT(value_of(curves[1].rows[3], "lag_px"), value_of(curves[0].rows[3], "lag_px"));
    EXPECT_LT(value_of(curves[1].rows[3], "overlaps"), value_of(curves[0].rows[3], "overlaps"));
}

}  // namespace
}  // namespace horde::bench
