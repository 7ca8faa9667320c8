#include "bench/almanac/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/almanac/flock.h"
#include "bench/almanac/start.h"
#include "bench/scenes.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr float kRadius = 60.0f;
constexpr float kDt = 1.0f / 60.0f;
constexpr BoidSettings kGridOf60{.search = BoidSearch::kGrid, .cell = kRadius};

bool same_sets(const BoidLists& a, const BoidLists& b) {
    return a.start == b.start && a.index == b.index;
}

Verdict verdict(std::string name, std::string text, bool holds, std::string numbers) {
    return {std::move(name), std::move(text), std::move(numbers), holds, false};
}

/// The stretch goal's assertion, for every agent of every frame.
Verdict searches_agree(const std::vector<Boid>& start) {
    constexpr int kFrames = 120;
    BoidFlock flock(BoidRule{}, start, {.search = BoidSearch::kGather});
    int different = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
        const BoidLists all = lists_of(flock.boids(), kRadius, {.search = BoidSearch::kThreeScans});
        for (const BoidSettings& settings : {BoidSettings{.search = BoidSearch::kGather}, kGridOf60}) {
            different += same_sets(all, lists_of(flock.boids(), kRadius, settings)) ? 0 : 1;
        }
        flock.step(kDt);
    }
    return verdict("same-sets", "three scans, gather and grid find the same neighbours, every frame",
                   different == 0, fmt::format("{} of {} comparisons differ", different, 2 * kFrames));
}

Verdict horde_agrees(const std::vector<Boid>& start) {
    World world(almanac_scene(static_cast<std::int64_t>(start.size())), {.backend = "scalar"});
    int different = 0;
    for (int frame = 0; frame < 120; ++frame) {
        different += world.verify().equal ? 0 : 1;
        world.step();
        if (frame > 0) continue;
        const BoidLists lists = lists_of(start, kRadius, {.search = BoidSearch::kGather});
        different += world.report().neighbours == static_cast<std::int64_t>(lists.index.size()) ? 0 : 1;
    }
    return verdict("horde-sets", "horde's grid finds what brute force and the almanac find", different == 0,
                   fmt::format("{} of 121 comparisons differ", different));
}

Verdict quarter_cell_loses(const std::vector<Boid>& start) {
    const BoidLists all = lists_of(start, kRadius, {.search = BoidSearch::kGather});
    const BoidLists some = lists_of(start, kRadius, {.search = BoidSearch::kGrid, .cell = kRadius / 4});
    return verdict("quarter-loses", "cells of a quarter radius, searched 3 x 3, lose neighbours",
                   some.index.size() < all.index.size(),
                   fmt::format("{} of {} found", some.index.size(), all.index.size()));
}

/// Mean number of clusters over frames 240 to 600.
double mean_clusters(const std::vector<Boid>& start, float cell) {
    BoidFlock flock(BoidRule{}, start, {.search = BoidSearch::kGrid, .cell = cell});
    std::int64_t sum = 0;
    for (int frame = 0; frame < 600; ++frame) {
        flock.step(kDt);
        if (frame >= 240) sum += cluster_count(flock.boids(), kRadius);
    }
    return static_cast<double>(sum) / 360.0;
}

Verdict quarter_cell_fragments(std::int64_t agents) {
    bool more = true;
    std::string numbers;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const std::vector<Boid> start = almanac_start(agents, seed);
        const double whole = mean_clusters(start, kRadius);
        const double quarter = mean_clusters(start, kRadius / 4);
        more = more && quarter > whole;
        numbers += fmt::format("{}{:.2f} against {:.2f}", numbers.empty() ? "" : ", ", quarter, whole);
    }
    return verdict("quarter-fragments", "and the flock falls into more clusters, from each of three seeds",
                   more, numbers);
}

Verdict horde_widens(std::int64_t agents) {
    Scene scene = almanac_scene(agents);
    scene.grid.search = Search::kGrid;
    std::uint64_t hashes[2];
    std::int64_t candidates[2] = {0, 0};
    for (int run = 0; run < 2; ++run) {
        scene.grid.cell = run == 0 ? kRadius : kRadius / 4;
        World world(scene, {.backend = "scalar"});
        for (int frame = 0; frame < 300; ++frame) {
            world.step();
            candidates[run] += world.report().candidates;
        }
        hashes[run] = world.state_hash();
    }
    return verdict("horde-widens", "horde widens the block instead: the same state after 300 frames",
                   hashes[0] == hashes[1],
                   fmt::format("{:016x} and {:016x}; {} and {} candidates a frame", hashes[0], hashes[1],
                               candidates[0] / 300, candidates[1] / 300));
}

Verdict wide_cells_climb(const std::vector<Boid>& start) {
    const auto share = [&](float cell) {
        const BoidLists lists = lists_of(start, kRadius, {.search = BoidSearch::kGrid, .cell = cell});
        const auto count = static_cast<double>(start.size());
        return static_cast<double>(lists.candidates) / (count * count);
    };
    const double one = share(kRadius), four = share(4 * kRadius);
    return verdict(
        "wide-climbs", "cells of four radii: candidates climb back toward those of the naive search",
        four > 4.0 * one && four > 0.3,
        fmt::format("{:.1f} % of them with one radius, {:.1f} % with four", 100.0 * one, 100.0 * four));
}

std::int64_t candidates_of(const std::vector<Boid>& flock, CellRule rule) {
    BoidSettings settings = kGridOf60;
    settings.cell_rule = rule;
    return lists_of(flock, kRadius, settings).candidates;
}

Verdict truncation_is_dear(const std::vector<Boid>& start) {
    BoidSettings truncating = kGridOf60;
    truncating.cell_rule = CellRule::kTruncate;
    const BoidLists floored = lists_of(start, kRadius, kGridOf60);
    const BoidLists truncated = lists_of(start, kRadius, truncating);
    return verdict("truncation", "truncated cells give the same sets and more candidates",
                   same_sets(floored, truncated) && truncated.candidates > floored.candidates,
                   fmt::format("{} candidates against {}", truncated.candidates, floored.candidates));
}

/// A dense flock, a third of the area wide, at some distance from the origin.
Verdict truncation_is_dearest_over_origin(const std::vector<Boid>& start) {
    std::vector<double> excess;
    std::string numbers;
    for (const float shift : {0.0f, 120.0f, 2400.0f}) {
        std::vector<Boid> flock = start;
        for (Boid& boid : flock) {
            for (int k = 0; k < 2; ++k) boid.position[k] = boid.position[k] / 3.0f + shift;
        }
        const auto truncated = static_cast<double>(candidates_of(flock, CellRule::kTruncate));
        excess.push_back(truncated / static_cast<double>(candidates_of(flock, CellRule::kFloor)) - 1.0);
        numbers += fmt::format("{}{:+.0f} % at ({:g}, {:g})", numbers.empty() ? "" : ", ",
                               100.0 * excess.back(), shift, shift);
    }
    return verdict("truncation-origin",
                   "most of them with the flock over the origin, none more with it far away",
                   excess[0] > excess[1] && excess[1] >= excess[2] && excess[2] == 0.0, numbers);
}

Verdict healthy_grid(const std::vector<Boid>& start) {
    FlockGrid grid(kRadius);
    grid.rebuild(start);
    const auto cells = static_cast<double>(grid.cell_count());
    const double bucket = static_cast<double>(start.size()) / cells;
    return verdict(
        "healthy-grid", "a healthy grid has hundreds of buckets with a handful of agents each",
        cells >= 100.0 && bucket <= 8.0,
        fmt::format("{:.0f} cells, {:.2f} agents in the mean bucket of {}", cells, bucket, start.size()));
}

}  // namespace

std::vector<Verdict> count_verdicts(std::int64_t agents) {
    const std::vector<Boid> start = almanac_start(agents);
    return {searches_agree(start),     horde_agrees(start),
            quarter_cell_loses(start), quarter_cell_fragments(agents),
            horde_widens(agents),      wide_cells_climb(start),
            truncation_is_dear(start), truncation_is_dearest_over_origin(start),
            healthy_grid(start)};
}

}  // namespace horde::bench
