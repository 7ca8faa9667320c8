// What each optimisation of the frame is worth: the frame with all of them, and without one at a time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "base/executor.h"
#include "bench/frame.h"
#include "bench/frame_runs.h"
#include "horde/world.h"
#include "sim/grid.h"

namespace horde::bench {
namespace {

/// Places of all agents in order of id, which is none in space.
struct Places {
    std::vector<float> x, y;
    float cell = 1.0f;
};

Places places_of(const Scene& scene) {
    World world(scene, {.threads = 1});
    for (int n = 0; n < 5; ++n) world.step();
    Snapshot rows;
    world.snapshot(rows);
    Places places;
    const Vec3 origin = world.origin();
    for (const Vec3& p : rows.position) {
        places.x.push_back(static_cast<float>(p.x - origin.x));
        places.y.push_back(static_cast<float>(p.y - origin.y));
    }
    const auto crowd = scene.rules.find(scene.agents[0].rule);
    if (crowd != scene.rules.end() && std::holds_alternative<CrowdRule>(crowd->second))
        places.cell = static_cast<float>(std::get<CrowdRule>(crowd->second).separation_radius);
    return places;
}

struct CellAgent {
    std::int32_t cell;
    std::int32_t agent;
};

/// As an engine does it whose agents stay where they are in memory. Returns a number that depends on all of
/// it.
std::int64_t sort_pairs(const Places& places, std::vector<CellAgent>& pairs) {
    const auto [left, right] = std::minmax_element(places.x.begin(), places.x.end());
    const float low = *left, bottom = *std::min_element(places.y.begin(), places.y.end());
    const auto columns = static_cast<std::int32_t>((*right - low) / places.cell) + 1;
    pairs.resize(places.x.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto column = static_cast<std::int32_t>((places.x[i] - low) / places.cell);
        const auto row = static_cast<std::int32_t>((places.y[i] - bottom) / places.cell);
        pairs[i] = {row * columns + column, static_cast<std::int32_t>(i)};
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const CellAgent& a, const CellAgent& b) { return a.cell < b.cell; });
    return pairs.front().cell + std::int64_t{pairs.back().agent};
}

/// Median and range of `repeat` calls, after one that does not count.
Row time_calls(std::string name, const Row& like, int repeat, const std::function<void()>& call) {
    std::vector<double> times;
    for (int n = 0; n <= repeat; ++n) {
        const auto began = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
        if (n > 0) times.push_back(took.count());
    }
    Row row;
    row.name = std::move(name);
    row.agents = like.agents;
    row.scene = like.scene;
    row.backend = "scalar";
    row.ms = spread_of(times);
    for (const auto& [value, unused] : like.values) row.values.emplace_back(value, std::nan(""));
    return row;
}

std::vector<Row> sort_rows(const Scene& scene, const Row& like, int repeat) {
    const Places places = places_of(scene);
    std::vector<CellAgent> pairs;
    std::vector<Row> rows;
    std::int64_t kept = 0;
    rows.push_back(time_calls("sort-pairs", like, repeat, [&] { kept += sort_pairs(places, pairs); }));
    if (kept < 0) throw std::runtime_error("bench frame: cells before the first");
    Grid grid;
    grid.set(2, places.cell, {});
    SerialExecutor serial;
    const float* const position[3] = {places.x.data(), places.y.data(), nullptr};
    const auto count = static_cast<std::int64_t>(places.x.size());
    rows.push_back(time_calls("sort-cells", like, repeat, [&] { grid.sort(position, count, serial); }));
    for (std::int64_t n = 0; n < count; ++n) {  // both found the same cells
        const auto agent = static_cast<std::size_t>(grid.order()[static_cast<std::size_t>(n)]);
        if (n > 0 &&
            places.y[agent] < places.y[grid.order()[static_cast<std::size_t>(n - 1)]] - 2 * places.cell)
            throw std::runtime_error("bench frame: the grid's rows are out of order");
    }
    return rows;
}

/// The same walkers at the same density on open ground, without goals: what is left is the grid and the push
/// of neighbours.
Scene open_ground(const Scene& scene) {
    const World world(scene, {.threads = 1});
    double area = 0.0;
    if (world.map() != nullptr) {
        const Map& map = *world.map();
        const auto open = std::count_if(map.cost.begin(), map.cost.end(),
                                        [](std::uint8_t cost) { return cost != kWallCost; });
        area = static_cast<double>(open) * map.cell_size * map.cell_size;
    }
    Scene ground;
    ground.name = scene.name;
    ground.world.dt = scene.world.dt;
    ground.rules = scene.rules;
    const double half = 0.5 * std::sqrt(std::max(area, 1.0));
    ground.world.bounds = Bounds{{-half, -half, 0.0}, {half, half, 0.0}};
    for (const SceneAgents& group : scene.agents) {
        SceneAgents& walkers = ground.agents.emplace_back();
        walkers.count = group.count;
        walkers.rule = group.rule;
        walkers.spawn = SpawnArea::kBox;
    }
    return ground;
}

}  // namespace

std::vector<Row> bench_before_after(const Scene& scene, const FrameBench& options) {
    constexpr double kMostPairs = 2e10;  // looked at in one measurement by brute force
    FrameBench full = options;
    full.tiers = true;
    full.camera = 0.25;
    full.threads = 0;
    FrameBench no_tiers = full, no_culling = full, one_thread = full, brute = full;
    no_tiers.tiers = false;
    no_culling.camera = 1.0;
    one_thread.threads = 1;
    brute.all_pairs = true;
    Scene staggered = scene;
    staggered.tiers.far_every = 4;
    staggered.tiers.middle_every = 2;
    std::vector<FrameRuns> runs;
    runs.emplace_back("full", scene, full);
    runs.emplace_back("no-culling", scene, no_culling);
    runs.emplace_back("one-thread", scene, one_thread);
    runs.emplace_back("no-tiers", scene, no_tiers);
    runs.emplace_back("staggered", staggered, full);
    FrameBench separation = options;
    separation.threads = 1;
    runs.emplace_back("separation", open_ground(scene), separation);
    for (int run = 0; run < options.repeat; ++run) {
        for (FrameRuns& one : runs) one.run();
    }
    std::vector<Row> rows;
    for (const FrameRuns& one : runs) rows.push_back(one.row());
    if (rows[1].state_hash != rows[0].state_hash || rows[2].state_hash != rows[0].state_hash)
        throw std::runtime_error("bench frame: a camera or a thread changed the state");
    const auto agents = static_cast<double>(rows[0].agents);
    if (agents <= 1e5) {
        brute.warm_up = 1;
        brute.steps = static_cast<std::int64_t>(
            std::clamp(kMostPairs / (agents * agents), 1.0, static_cast<double>(options.steps)));
        FrameBench grid = brute;
        grid.all_pairs = false;
        FrameRuns by_brute("all-pairs", scene, brute), by_grid("full", scene, grid);
        by_brute.run();
        by_grid.run();
        if (by_brute.state_hash() != by_grid.state_hash())
            throw std::runtime_error("bench frame: brute force and grid ended in different states");
        rows.push_back(by_brute.row());
    }
    for (Row& row : sort_rows(scene, rows[0], options.repeat)) rows.push_back(std::move(row));
    return rows;
}

}  // namespace horde::bench
