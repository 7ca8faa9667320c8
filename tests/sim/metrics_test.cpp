/// Metrics: exact small cases, the rows of the bug log, and twins by definition over random frames.
#include "horde/metrics.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <random>

#include "horde/error.h"
#include "metrics_frames.h"

namespace horde {
namespace {

using test::snapshot_of;

constexpr double kPi = 3.14159265358979323846;

std::vector<std::string> all_names() {
    return {metric_names().begin(), metric_names().end()};
}

std::optional<double> value_of(const std::vector<Metric>& metrics, const std::string& name) {
    for (const Metric& metric : metrics) {
        if (metric.name == name) return metric.value;
    }
    ADD_FAILURE() << name << " is missing";
    return std::nullopt;
}

/// Agents on a circle about `centre`, all circling one way or, every other one, the other way.
Snapshot ring(int count, const Vec3& centre, double radius, bool alternating) {
    Snapshot out = snapshot_of(2, std::vector<Vec3>(static_cast<std::size_t>(count)));
    for (int i = 0; i < count; ++i) {
        const double angle = 2.0 * kPi * i / count;
        const double turn = alternating && i % 2 == 1 ? -1.0 : 1.0;
        const auto at = static_cast<std::size_t>(i);
        out.position[at] = {centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle), 0.0};
        out.velocity[at] = {-turn * std::sin(angle), turn * std::cos(angle), 0.0};
    }
    return out;
}

TEST(Metrics, U46StillAgentsCountInPolarizationOrNotAsChosen) {
    const Snapshot frame = snapshot_of(2, {{0, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {0, 0, 0}});
    EXPECT_EQ(polarization(frame), 0.5);
    EXPECT_EQ(polarization(frame, StillAgents::kExclude), 1.0);
    EXPECT_EQ(moving_agents(frame), 1);
    const auto by_name = measure(frame, all_names(), {.radius = 1.0});
    EXPECT_EQ(value_of(by_name, "polarization"), 0.5);
    EXPECT_EQ(value_of(by_name, "polarization_moving"), 1.0);
    EXPECT_EQ(value_of(by_name, "moving_agents"), 1.0);
}

TEST(Metrics, U46AgentsSlowerThanTheStillSpeedStandStill) {
    const Snapshot frame =
        snapshot_of(2, std::vector<Vec3>(3), {{0.99e-12, 0, 0}, {0, 1.01e-12, 0}, {0, 0, 7}});
    EXPECT_EQ(moving_agents(frame), 1) << "z is no movement in 2D";
    EXPECT_EQ(polarization(frame, StillAgents::kExclude), 1.0);
    const Snapshot nobody = snapshot_of(2, std::vector<Vec3>(3));
    EXPECT_EQ(polarization(nobody), 0.0);
    EXPECT_EQ(polarization(nobody, StillAgents::kExclude), std::nullopt);
}

TEST(Metrics, U47NobodyGivesCountsOfNoneAndNothingElse) {
    for (const int dim : {2, 3}) {
        const auto by_name = measure(snapshot_of(dim, {}), all_names(), {.radius = 1.0});
        for (const Metric& metric : by_name) {
            if (metric.name == "agents" || metric.name == "moving_agents") {
                EXPECT_EQ(metric.value, 0.0) << metric.name;
            } else {
                EXPECT_EQ(metric.value, std::nullopt) << metric.name;
            }
        }
    }
}

TEST(Metrics, U48OneAgentHasAHeadingAndNoDistance) {
    const Snapshot one = snapshot_of(2, {{3, 4, 0}}, {{0.6, -0.8, 0}});
    const auto by_name = measure(one, all_names(), {.radius = 1.0});
    for (const char* name :
         {"mean_pair_distance", "nearest_neighbour_distance", "lowest_separation", "rotation", "density"}) {
        EXPECT_EQ(value_of(by_name, name), std::nullopt) << name;
    }
    EXPECT_DOUBLE_EQ(*polarization(one), 1.0);
    EXPECT_DOUBLE_EQ(*mean_speed(one), 1.0);
    EXPECT_EQ(value_of(by_name, "clusters"), 1.0);
}

TEST(Metrics, U48TwoOppositeHeadingsCancel) {
    const Snapshot two = snapshot_of(2, {{0, 0, 0}, {3, 4, 0}}, {{2, 0, 0}, {-5, 0, 0}});
    EXPECT_EQ(polarization(two), 0.0);
    EXPECT_EQ(mean_pair_distance(two), 5.0);
    EXPECT_EQ(mean_speed(two), 3.5);
}

TEST(Metrics, CuplansNameIsTheMeanOverAllPairs) {
    const Snapshot frame = snapshot_of(2, {{0, 0, 0}, {3, 4, 0}, {0, 8, 0}});
    const std::vector<std::string> names = {"mean_neighbor_distance", "mean_pair_distance"};
    const auto both = measure(frame, names);
    EXPECT_EQ(both[0].name, "mean_neighbor_distance");
    EXPECT_EQ(both[0].value, 6.0);
    EXPECT_EQ(both[1].value, 6.0);
    EXPECT_TRUE(is_metric("mean_neighbor_distance"));
    EXPECT_EQ(nearest_distances(frame).mean, 5.0);
}

TEST(Metrics, RandomHeadingsHaveTheFloorOfTheirNumber) {
    std::mt19937_64 generator(11);
    std::normal_distribution<double> normal;
    constexpr int kAgents = 100, kFrames = 4000;
    for (const int dim : {2, 3}) {
        double sum = 0.0;
        for (int frame = 0; frame < kFrames; ++frame) {
            Snapshot s = snapshot_of(dim, std::vector<Vec3>(kAgents));
            for (Vec3& v : s.velocity) v = {normal(generator), normal(generator), normal(generator)};
            sum += *polarization(s);
        }
        const double floor =
            dim == 2 ? std::sqrt(kPi / (4.0 * kAgents)) : std::sqrt(8.0 / (3.0 * kPi * kAgents));
        // The spread of one frame is 0.52 (2D) or 0.42 of the mean: 2.5 % is three standard errors.
        EXPECT_NEAR(sum / kFrames / floor, 1.0, 0.025) << dim;
    }
}

TEST(Metrics, RotationTellsMillingFromMarching) {
    EXPECT_NEAR(*rotation(ring(60, {0, 0, 0}, 5.0, false)), 1.0, 1e-12);
    EXPECT_NEAR(*rotation(ring(60, {1e6, -1e6, 0}, 5.0, false)), 1.0, 1e-6);
    EXPECT_NEAR(*rotation(ring(60, {0, 0, 0}, 5.0, true)), 0.0, 1e-12);
    Snapshot marching = ring(60, {0, 0, 0}, 5.0, false);
    for (Vec3& v : marching.velocity) v = {1, 0, 0};
    EXPECT_NEAR(*rotation(marching), 0.0, 1e-12);
    Snapshot with_centre = ring(4, {0, 0, 0}, 1.0, false);
    with_centre.id.push_back(4);
    with_centre.position.push_back({});
    with_centre.velocity.push_back({1, 0, 0});
    EXPECT_NEAR(*rotation(with_centre), 0.8, 1e-9) << "who is at the centre adds nothing and counts";
    Snapshot tilted = ring(60, {0, 0, 0}, 5.0, false);
    tilted.dim = 3;
    for (auto* column : {&tilted.position, &tilted.velocity}) {
        for (Vec3& v : *column) v = {v.x, 0.6 * v.y, 0.8 * v.y};
    }
    EXPECT_NEAR(*rotation(tilted), 1.0, 1e-12);
}

TEST(Metrics, RotationInAPeriodicWorldDoesNotSeeTheSeam) {
    const MetricSettings torus{.periodic = Bounds{{-10, -10, 0}, {10, 10, 0}}};
    Snapshot frame = ring(30, {0, 0, 0}, 4.0, false);
    for (std::size_t i = 0; i < frame.count(); i += 3) {
        frame.velocity[i] = {-frame.velocity[i].x, -frame.velocity[i].y, 0};
    }
    const double expected = *rotation(frame, torus);
    EXPECT_NEAR(expected, 1.0 / 3.0, 1e-12);
    for (Vec3& p : frame.position) {
        p = {p.x + 9 >= 10 ? p.x - 11 : p.x + 9, p.y - 8 < -10 ? p.y + 12 : p.y - 8, 0};
    }
    EXPECT_NEAR(*rotation(frame, torus), expected, 1e-12);
    const Snapshot even = snapshot_of(2, {{-5, 0, 0}, {5, 0, 0}}, {{0, 1, 0}, {0, 1, 0}});
    EXPECT_EQ(rotation(even, torus), std::nullopt) << "half way round there is no centre";
}

TEST(Metrics, DensityIsOfTheBoxThatHoldsThem) {
    const std::vector<Vec3> corners = {{0, 0, 0}, {2, 0, 0}, {2, 3, 4}, {0, 3, 0}};
    EXPECT_DOUBLE_EQ(*density(snapshot_of(2, corners)), 4.0 / 6.0);
    EXPECT_DOUBLE_EQ(*density(snapshot_of(3, corners)), 4.0 / 24.0);
    EXPECT_EQ(density(snapshot_of(2, {{0, 1, 0}, {5, 1, 0}})), std::nullopt);
    const MetricSettings torus{.periodic = Bounds{{0, 0, 0}, {10, 5, 0}}};
    EXPECT_DOUBLE_EQ(*density(snapshot_of(2, {{0, 1, 0}, {5, 1, 0}}), torus), 0.04);
}

TEST(Metrics, ClustersChainWithinTheRadiusInclusive) {
    const Snapshot frame =
        snapshot_of(2, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3.0000001, 0, 0}, {9, 9, 0}, {9, 9, 0}});
    const Clusters found = clusters(frame, {.radius = 1.0});
    EXPECT_EQ(found.count, 3);
    EXPECT_EQ(found.largest, 3);
    const MetricSettings torus{.radius = 1.5, .periodic = Bounds{{0, 0, 0}, {10, 10, 0}}};
    EXPECT_EQ(clusters(frame, torus).count, 1) << "(9, 9) is sqrt(2) from (0, 0) across the corner";
    const auto by_name =
        measure(frame, std::vector<std::string>{"clusters", "largest_cluster"}, {.radius = 1.0});
    EXPECT_EQ(by_name[0].value, 3.0);
    EXPECT_EQ(by_name[1].value, 0.5);
}

TEST(Metrics, ClustersOfATinyRadiusInAHugeWorld) {
    std::vector<Vec3> position;  // doubles are 1/8 apart out there, cells a thousand kilometres wide
    for (int i = 0; i < 50; ++i) {
        const double x = (i - 25) * 4e13;
        position.insert(position.end(), {{x, -x, 1.0}, {x + 0.25, -x, 1.0}, {x + 4.0, -x, 1.0}});
    }
    for (const int dim : {2, 3})
        EXPECT_EQ(clusters(snapshot_of(dim, position), {.radius = 0.5}).count, 100) << dim;
}

TEST(Metrics, ClustersOfTwoAnywhereOnATorus) {
    const MetricSettings torus{.radius = 1.0, .periodic = Bounds{{-4, -3, -2}, {4, 3, 2}}};
    std::mt19937_64 generator(5);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < 3000; ++i) {
        const int dim = 2 + i % 2;
        const Vec3 from{4 * unit(generator), 3 * unit(generator), dim == 3 ? 2 * unit(generator) : 0.0};
        Vec3 along{unit(generator), unit(generator), dim == 3 ? unit(generator) : 0.0};
        const double length = std::sqrt(along.x * along.x + along.y * along.y + along.z * along.z);
        if (length < 0.1) continue;
        for (const double distance : {0.999, 1.001}) {
            const double step = distance / length;
            Vec3 to{from.x + step * along.x, from.y + step * along.y, from.z + step * along.z};
            to.x -= 8.0 * std::floor((to.x + 4.0) / 8.0);
            to.y -= 6.0 * std::floor((to.y + 3.0) / 6.0);
            to.z -= 4.0 * std::floor((to.z + 2.0) / 4.0);
            const Snapshot two = snapshot_of(dim, {from, to});
            ASSERT_EQ(clusters(two, torus).count, distance < 1.0 ? 1 : 2)
                << "pair " << i << " at " << distance;
            ASSERT_NEAR(*nearest_distances(two, torus).lowest, distance, 1e-12) << "pair " << i;
        }
    }
}

void check_against_definition(int dim, bool periodic) {
    const test::Points points = test::random_points(dim, periodic);
    const Snapshot frame = snapshot_of(points);
    MetricSettings settings;
    settings.periodic = points.periodic;
    settings.radius = *rc::gen::element(0.01, 0.3, 1.0, 5.0, 37.0, 400.0);
    const Clusters groups = clusters(frame, settings);
    const Clusters expected = test::clusters_by_definition(frame, settings);
    RC_ASSERT(groups.count == expected.count);
    RC_ASSERT(groups.largest == expected.largest);

    double sum_nearest = 0.0, sum_pairs = 0.0, lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < frame.count(); ++i) {
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < frame.count(); ++j) {
            if (j == i) continue;
            const double d = std::sqrt(test::distance_squared(frame, settings.periodic, i, j));
            nearest = std::min(nearest, d);
            if (j > i) sum_pairs += d;
        }
        sum_nearest += nearest;
        lowest = std::min(lowest, nearest);
    }
    const NearestDistances found = nearest_distances(frame, settings);
    const auto mean_pair = mean_pair_distance(frame, settings);
    RC_ASSERT(found.mean.has_value() == (frame.count() >= 2));
    RC_ASSERT(mean_pair.has_value() == (frame.count() >= 2));
    if (frame.count() < 2) return;
    const double n = static_cast<double>(frame.count());
    RC_ASSERT(*found.lowest == lowest);
    RC_ASSERT(*found.mean == sum_nearest / n);
    RC_ASSERT(std::fabs(*mean_pair - sum_pairs / (0.5 * n * (n - 1))) <= 1e-12 * *mean_pair);
}

RC_GTEST_PROP(Metrics, MeasureWhatTheDefinitionsSayIn2D, ()) {
    check_against_definition(2, false);
}
RC_GTEST_PROP(Metrics, MeasureWhatTheDefinitionsSayIn3D, ()) {
    check_against_definition(3, false);
}
RC_GTEST_PROP(Metrics, MeasureWhatTheDefinitionsSayIn2DPeriodic, ()) {
    check_against_definition(2, true);
}
RC_GTEST_PROP(Metrics, MeasureWhatTheDefinitionsSayIn3DPeriodic, ()) {
    check_against_definition(3, true);
}

TEST(Metrics, U09TheNearestImageOfAnyPlace) {
    // 49 and 51 on a circle of 100 are 2 apart, however often either went round.
    const MetricSettings torus{.periodic = Bounds{{-50, -50, 0}, {50, 50, 0}}};
    const Snapshot frame = snapshot_of(2, {{349, 0, 0}, {-449, 500, 0}});
    EXPECT_DOUBLE_EQ(*mean_pair_distance(frame, torus), 2.0);
    EXPECT_DOUBLE_EQ(*nearest_distances(frame, torus).lowest, 2.0);
    EXPECT_EQ(clusters(frame, {.radius = 2.0, .periodic = torus.periodic}).count, 1);
    EXPECT_EQ(clusters(frame, {.radius = 1.99, .periodic = torus.periodic}).count, 2);
}

TEST(Metrics, U51PairsPastThirtyTwoBitsAreSampledWithoutBias) {
    std::mt19937_64 generator(3);
    std::uniform_real_distribution<double> place(-1.0, 1.0);
    std::vector<Vec3> position(1500);
    for (Vec3& p : position) p = {place(generator), place(generator), 0.0};
    const Snapshot frame = snapshot_of(2, position);
    const double exact = *mean_pair_distance(frame);
    MetricSettings sampled{.exact_pairs_up_to = 1499, .sampled_pairs = 1'000'000};
    const double sample = *mean_pair_distance(frame, sampled);
    EXPECT_NE(sample, exact);
    EXPECT_NEAR(sample, exact, 4 * 0.5 / 1000) << "four standard errors of distances that spread by 0.5";
    EXPECT_EQ(mean_pair_distance(frame, sampled), sample);
    sampled.exact_pairs_up_to = 1500;
    EXPECT_EQ(mean_pair_distance(frame, sampled), exact);

    // No agent is paired with itself: of the pairs of these three the mean is 6.
    const Snapshot three = snapshot_of(2, {{0, 0, 0}, {3, 4, 0}, {0, 8, 0}});
    EXPECT_NEAR(*mean_pair_distance(three, {.exact_pairs_up_to = 2, .sampled_pairs = 100'000}), 6.0,
                4 * 1.42 / 316);

    // Past 2^32 pairs, with one agent far out: 2 / N of all pairs are 1000 long, the others 0.
    std::vector<Vec3> heap(131'072);
    heap[77'777] = {1000, 0, 0};
    EXPECT_NEAR(*mean_pair_distance(snapshot_of(2, heap), {.sampled_pairs = 40'000'000}), 2000.0 / 131'072,
                6.2e-4 * 4);
}

TEST(Metrics, ManyAgentsAtOnePlaceCostNoMoreThanOthers) {
    const Snapshot heap = snapshot_of(2, std::vector<Vec3>(200'000, Vec3{5, 5, 0}));
    EXPECT_EQ(nearest_distances(heap).mean, 0.0);
    EXPECT_EQ(clusters(heap, {.radius = 0.1}).largest, 200'000);
}

TEST(Metrics, RefuseWhatIsNone) {
    const Snapshot frame = snapshot_of(2, {{0, 0, 0}, {1, 0, 0}});
    EXPECT_THROW(measure(frame, std::vector<std::string>{"mood"}), Error);
    EXPECT_THROW(measure(frame, std::vector<std::string>{"clusters"}), Error);
    EXPECT_THROW(clusters(frame, {.radius = std::numeric_limits<double>::infinity()}), Error);
    EXPECT_THROW(clusters(frame, {.radius = std::numeric_limits<double>::quiet_NaN()}), Error);
    const Bounds empty{{0, 0, 0}, {5, 0, 0}};
    EXPECT_THROW(mean_pair_distance(frame, {.periodic = empty}), Error);
    EXPECT_THROW(density(frame, {.periodic = empty}), Error);
    EXPECT_FALSE(is_metric("arrived"));
}

}  // namespace
}  // namespace horde
