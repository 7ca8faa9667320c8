// The almanac's claims about sets and counts (research: "Traps inside the three seed documents").
#include <gtest/gtest.h>

#include <cmath>

#include "../places.h"
#include "bench/almanac/flock.h"
#include "bench/almanac/start.h"
#include "bench/almanac/table.h"
#include "bench/almanac/verdicts.h"
#include "bench/scenes.h"
#include "horde/files.h"
#include "horde/neighbours.h"
#include "horde/world.h"
#include "numpy_random.h"

namespace horde::bench {
namespace {

std::vector<Boid> thousand_boids() {
    NumpyRandom random(1);
    std::vector<Boid> flock(1000, Boid{zero_vec<2>(), zero_vec<2>()});
    for (Boid& boid : flock) {
        for (int k = 0; k < 2; ++k) boid.position[k] = static_cast<float>(random.uniform(-300.0, 300.0));
    }
    return flock;
}

struct Found {
    std::int64_t neighbours;
    std::int64_t candidates;
    bool operator==(const Found&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Found& found) {
    return out << found.neighbours << " neighbours of " << found.candidates << " candidates";
}

Found found_by(const std::vector<Boid>& flock, BoidSearch search, float cell = 60.0f,
               CellRule rule = CellRule::kFloor) {
    const BoidLists lists = lists_of(flock, 60.0f, {.search = search, .cell = cell, .cell_rule = rule});
    return {static_cast<std::int64_t>(lists.index.size()), lists.candidates};
}

TEST(NumpyRandom, DrawsWhatNumpyDraws) {
    NumpyRandom random(1);  // numpy.random.default_rng(1).uniform(-300, 300, (1000, 2))
    EXPECT_DOUBLE_EQ(random.uniform(-300.0, 300.0), 7.092974820154041);
    EXPECT_DOUBLE_EQ(random.uniform(-300.0, 300.0), 270.2782177955612);
}

TEST(Almanac, CellsOfTheRadiusFindAllWhetherFlooredOrTruncated) {
    const std::vector<Boid> flock = thousand_boids();
    EXPECT_EQ(found_by(flock, BoidSearch::kThreeScans), (Found{28564, 1000000}));
    EXPECT_EQ(found_by(flock, BoidSearch::kGather), (Found{28564, 1000000}));
    EXPECT_EQ(found_by(flock, BoidSearch::kGrid), (Found{28564, 79384}));
    EXPECT_EQ(found_by(flock, BoidSearch::kGrid, 60.0f, CellRule::kTruncate), (Found{28564, 104368}));
}

TEST(Almanac, CellsBelowTheRadiusLoseNeighbours) {
    const std::vector<Boid> flock = thousand_boids();
    EXPECT_EQ(found_by(flock, BoidSearch::kGrid, 30.0f).neighbours, 19998);
    EXPECT_EQ(found_by(flock, BoidSearch::kGrid, 30.0f, CellRule::kTruncate).neighbours, 20956);
    EXPECT_EQ(found_by(flock, BoidSearch::kGrid, 15.0f).neighbours, 5410);
    EXPECT_EQ(found_by(flock, BoidSearch::kGrid, 15.0f, CellRule::kTruncate).neighbours, 5800);
}

TEST(Almanac, WideCellsClimbTowardTheNaiveSearch) {
    EXPECT_EQ(found_by(thousand_boids(), BoidSearch::kGrid, 240.0f), (Found{28564, 674294}));
}

TEST(Almanac, HordeFindsTheSamePairsWithEveryCell) {
    const std::vector<Boid> flock = thousand_boids();
    const BoidLists wanted = lists_of(flock, 60.0f, {.search = BoidSearch::kThreeScans});
    std::vector<float> x, y;
    for (const Boid& boid : flock) {
        x.push_back(boid.position[0]);
        y.push_back(boid.position[1]);
    }
    for (const float cell : {15.0f, 30.0f, 60.0f, 240.0f}) {
        // One agent at a time, as the almanac counts; lanes look at the candidates of several together.
        Neighbours neighbours({.dim = 2, .cell = cell, .backend = "scalar"});
        neighbours.build(x, y);
        std::vector<std::uint64_t> start;
        std::vector<std::uint32_t> index;
        const SearchCounts counts = neighbours.lists(60.0f, start, index);
        EXPECT_EQ(counts.neighbours, 28564) << cell;
        EXPECT_EQ(index, wanted.index) << cell;
        if (cell == 60.0f) {
            EXPECT_EQ(counts.candidates, 79384);
        }
    }
}

TEST(Almanac, EveryVerdictOnCountsAndSetsHolds) {
    const std::vector<Verdict> verdicts = count_verdicts();
    EXPECT_EQ(verdicts.size(), 9u);
    for (const Verdict& verdict : verdicts) {
        EXPECT_TRUE(verdict.holds) << verdict.text << ": " << verdict.numbers;
        EXPECT_FALSE(verdict.timing);
    }
}

TEST(Almanac, SearchesMoveTheFlockAlike) {
    const std::vector<Boid> start = almanac_start(100);
    BoidFlock scans(BoidRule{}, start, {.search = BoidSearch::kThreeScans});
    BoidFlock grid(BoidRule{}, start, {.search = BoidSearch::kGrid});
    for (int frame = 0; frame < 5; ++frame) {
        scans.step(1.0f / 60.0f);
        grid.step(1.0f / 60.0f);
    }
    for (std::size_t i = 0; i < start.size(); ++i) {
        for (int k = 0; k < 2; ++k)
            EXPECT_NEAR(scans.boids()[i].position[k], grid.boids()[i].position[k], 1e-3);
    }
}

/// The almanac's own frame against horde's: they differ by rounding alone, until a flock makes that grow.
TEST(Almanac, HordeMovesTheFlockAsTheAlmanacDoes) {
    const std::vector<Boid> start = almanac_start(100);
    BoidFlock boids(BoidRule{}, start, {.search = BoidSearch::kGrid});
    World world(almanac_scene(100), {.backend = "scalar"});
    for (int frame = 0; frame < 5; ++frame) {
        boids.step(1.0f / 60.0f);
        world.step();
    }
    Snapshot rows;
    world.snapshot(rows);
    for (std::size_t i = 0; i < start.size(); ++i) {
        EXPECT_NEAR(boids.boids()[i].position[0], rows.position[i].x, 0.01) << i;
        EXPECT_NEAR(boids.boids()[i].position[1], rows.position[i].y, 0.01) << i;
    }
}

TEST(Almanac, TheBenchRunsTheSceneOfTheFile) {
    Scene file = load_scene(std::string(horde::test::kSourceDir) + "/scenes/almanac.toml");
    World from_file(file, {.backend = "scalar"});
    World built_in(almanac_scene(400), {.backend = "scalar"});
    for (int frame = 0; frame < 20; ++frame) {
        from_file.step();
        built_in.step();
    }
    EXPECT_EQ(from_file.state_hash(), built_in.state_hash());
}

TEST(Almanac, ClustersAreGroupsLinkedByNeighbours) {
    std::vector<Boid> flock;
    for (const float x : {0.0f, 50.0f, 100.0f, 161.0f, 300.0f, 360.0f})
        flock.push_back({{{x, 0.0f}}, zero_vec<2>()});
    EXPECT_EQ(cluster_count(flock, 60.0f), 3);  // 0 to 100, 161 on its own, 300 and 360
}

TEST(Almanac, TheTableHasAnEntryForEachSearchAndCount) {
    const std::vector<AlmanacEntry> table = measure_almanac({.agents = {20, 40}, .prints = 2});
    ASSERT_EQ(table.size(), 8u);
    for (const AlmanacEntry& entry : table) {
        EXPECT_EQ(entry.average_us.size(), 2u);
        EXPECT_GT(entry.us().median, 0.0);
        EXPECT_GE(entry.worst_us, entry.us().max);
        EXPECT_NE(entry.line.find(std::to_string(entry.agents) + " agents | "), std::string::npos);
    }
    EXPECT_EQ(table[0].candidates, 3 * 20 * 20);
    EXPECT_EQ(table[1].candidates, 20 * 20);
    const std::vector<Row> rows = rows_of(table);
    ASSERT_EQ(rows.size(), 8u);
    EXPECT_EQ(rows[6].name, "almanac-flock-grid");
    EXPECT_EQ(rows[6].values[1].first, "growth");
    EXPECT_DOUBLE_EQ(rows[6].values[1].second, table[6].us().median / table[2].us().median);
    EXPECT_TRUE(std::isnan(rows[2].values[1].second));
}

}  // namespace
}  // namespace horde::bench
