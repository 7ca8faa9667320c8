#include "bench/sweeps/cell_size.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bench/measure.h"
#include "bench/scenes.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr double kSides[] = {0.25, 0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 2.8, 4.0};  // radii

SweepCurve sweep(const StartedScene& started, const SweepBench& options) {
    SweepCurve curve{started.scene.name, {}};
    std::vector<Repeats> repeats(std::size(kSides));
    for (const double side : kSides) {
        Row row;
        row.name = "cell-size";
        row.scene = started.scene.name;
        row.dim = started.scene.world.dim;
        row.agents = started.scene.agents.front().count;
        row.values = {{"cell", side}};
        curve.rows.push_back(row);
    }
    std::optional<std::uint64_t> hash;
    Scene scene = started.scene;
    scene.grid.search = Search::kGrid;
    for (int run = 0; run < options.repeat; ++run) {
        for (std::size_t n = 0; n < std::size(kSides); ++n) {
            scene.grid.cell = kSides[n] * started.radius;
            World world(scene, {.backend = "scalar", .start = started.start ? &*started.start : nullptr});
            repeats[n].add(measure(world, 3, options.steps));
            if (hash && *hash != world.state_hash())
                throw std::runtime_error("bench cell-size: two sides of cells ended in different states");
            hash = world.state_hash();
            curve.rows[n].backend = world.backend();
        }
    }
    for (std::size_t n = 0; n < std::size(kSides); ++n) {
        Row& row = curve.rows[n];
        repeats[n].write(row);
        row.state_hash = *hash;
        const auto agent_steps = static_cast<double>(row.agents * options.steps);
        row.values.emplace_back("candidates_per_agent", static_cast<double>(row.candidates) / agent_steps);
    }
    return curve;
}

}  // namespace

std::vector<SweepCurve> sweep_cell_size(const SweepBench& options) {
    if (options.repeat < 1 || options.steps < 1)
        throw Error("bench cell-size: repeat and steps must be 1 or more");
    std::vector<SweepCurve> curves;
    for (const Distribution distribution : {Distribution::kUniform, Distribution::kClustered}) {
        for (const int dim : {2, 3}) {
            const StepScene wanted{.agents = options.agents, .dim = dim, .distribution = distribution};
            curves.push_back(sweep(make_step_scene(wanted), options));
        }
    }
    StartedScene almanac{.scene = almanac_scene(1600)};
    almanac.radius = 60.0;
    curves.push_back(sweep(almanac, options));
    return curves;
}

const Row& least_of(const SweepCurve& curve) {
    return *std::min_element(curve.rows.begin(), curve.rows.end(),
                             [](const Row& a, const Row& b) { return a.ms.median < b.ms.median; });
}

double value_of(const Row& row, const std::string& name) {
    for (const auto& [key, value] : row.values) {
        if (key == name) return value;
    }
    throw std::out_of_range("row " + row.name + " has no value " + name);
}

std::vector<Plot> plots_of_cell_size(const std::vector<SweepCurve>& curves) {
    Plot time{.title = "time, against that with cells of one radius"};
    time.x = {.label = "side of a cell / radius", .log = true, .ticks = {0.25, 0.5, 1, 2, 4}};
    time.y = {.label = "relative time of a frame", .log = true, .ticks = {0.7, 1, 1.5, 2, 3, 5, 8}};
    time.reference = 1.0;
    Plot candidates{.title = "agents looked at"};
    candidates.x = time.x;
    candidates.y = {.label = "candidates an agent", .log = true, .ticks = {30, 50, 100, 200, 500, 1000}};
    for (const SweepCurve& curve : curves) {
        PlotLine line{.name = curve.name};
        PlotLine looked{.name = curve.name};
        double unit = 0.0;
        for (const Row& row : curve.rows) {
            if (value_of(row, "cell") == 1.0) unit = row.ms.median;
        }
        for (const Row& row : curve.rows) {
            line.x.push_back(value_of(row, "cell"));
            line.y.push_back(row.ms.median / unit);
            line.low.push_back(row.ms.min / unit);
            line.high.push_back(row.ms.median / unit);
            looked.y.push_back(value_of(row, "candidates_per_agent"));
        }
        looked.x = line.x;
        time.lines.push_back(line);
        candidates.lines.push_back(looked);
    }
    return {time, candidates};
}

}  // namespace horde::bench
