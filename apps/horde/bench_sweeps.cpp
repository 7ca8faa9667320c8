/// horde bench crossover and cell-size: sweeps of one setting, with plots.
#include <fmt/format.h>

#include <algorithm>

#include "bench/plot/plot.h"
#include "bench/sweeps/cap.h"
#include "bench/sweeps/cell_size.h"
#include "bench/sweeps/crossover.h"
#include "bench/sweeps/stagger.h"
#include "bench_commands.h"
#include "bench_output.h"
#include "horde/error.h"
#include "horde/scene.h"

namespace horde {
namespace {

using bench::CrossoverCurve;
using bench::Row;
using bench::SweepCurve;

void print_curve(const CrossoverCurve& curve) {
    fmt::print("{} ({})\n", curve.scene,
               curve.is_horde ? "horde, brute force and grid" : "against FlockGrid");
    fmt::print("{:>9}{:>14}{:>14}{:>10}   {}\n", "agents", "brute us", "grid us", "ratio", "quartiles");
    for (const bench::CrossoverPoint& point : curve.points) {
        fmt::print("{:>9}{:>14.2f}{:>14.2f}{:>10.2f}   {:.2f} to {:.2f}\n", point.agents,
                   point.brute_us.median, point.grid_us.median, point.ratio, point.ratio_low,
                   point.ratio_high);
    }
    fmt::print("  the grid is the cheaper from: {}\n", bench::crossing_text(curve));
}

Json crossing_json(const CrossoverCurve& curve) {
    return {{"scene", curve.scene},
            {"horde", curve.is_horde},
            {"crossing", number_or_null(curve.crossing)},
            {"low", number_or_null(curve.crossing_low)},
            {"high", number_or_null(curve.crossing_high)},
            {"text", bench::crossing_text(curve)}};
}

void print_sweep(const std::string& title, const std::vector<SweepCurve>& curves) {
    for (const SweepCurve& curve : curves) {
        fmt::print("{}: {}\n", title, curve.name);
        fmt::print("{:>12}{:>12}{:>12}{:>12}{:>12}", "min ms", "median ms", "max ms", "grid", "steer");
        for (const auto& [name, value] : curve.rows.front().values) fmt::print("  {:>12}", name);
        fmt::print("\n");
        for (const Row& row : curve.rows) {
            fmt::print("{:>12.4f}{:>12.4f}{:>12.4f}", row.ms.min, row.ms.median, row.ms.max);
            for (const char* stage : {"grid", "steer"}) {
                for (const auto& [name, ms] : row.stage_ms) {
                    if (name == stage) fmt::print("{:>12.4f}", ms.median);
                }
            }
            for (const auto& [name, value] : row.values)
                fmt::print("  {:>{}.4g}", value, std::max<std::size_t>(12, name.size()));
            fmt::print("\n");
        }
    }
}

}  // namespace

int bench_crossover(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::CrossoverBench settings;
    if (!options.agents.empty()) settings.agents = options.agents;
    if (options.repeat > 0) settings.repeat = options.repeat;
    const std::vector<CrossoverCurve> curves = bench::measure_crossover(settings);
    Json more;
    more["brute_below"] = SceneGrid{}.brute_below;
    more["crossings"] = Json::array();
    for (const CrossoverCurve& curve : curves) more["crossings"].push_back(crossing_json(curve));
    const bool done = write_rows(rows_of(curves), options, more);
    if (!done) {
        for (const CrossoverCurve& curve : curves) print_curve(curve);
        fmt::print("compiled in: brute force below {} agents\n", SceneGrid{}.brute_below);
        print_csv(options);
    }
    if (!options.plot.empty()) {
        bench::write_plots(plot_path(options, "crossover"), "Brute force against a grid",
                           "median of the repeats, band: quartiles, above the line the grid is the faster",
                           plots_of(curves));
    }
    return 0;
}

int bench_cell_size(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::SweepBench settings;
    if (options.agents.size() > 1) throw Error("bench cell-size: --agents takes one number here");
    if (!options.agents.empty()) settings.agents = options.agents.front();
    if (options.steps > 0) settings.steps = options.steps;
    if (options.repeat > 0) settings.repeat = options.repeat;
    const auto wants = [&](const char* part) { return options.part == "all" || options.part == part; };
    std::vector<SweepCurve> sides, staggers, caps;
    if (wants("cell-size")) sides = bench::sweep_cell_size(settings);
    if (wants("stagger")) staggers = bench::sweep_stagger(settings);
    if (wants("cap")) caps = bench::sweep_cap(settings);
    std::vector<Row> rows;
    for (const auto* part : {&sides, &staggers, &caps}) {
        for (const SweepCurve& curve : *part) rows.insert(rows.end(), curve.rows.begin(), curve.rows.end());
    }
    if (!write_rows(rows, options)) {
        print_sweep("side of a cell", sides);
        for (const SweepCurve& curve : sides) {
            const Row& least = least_of(curve);
            fmt::print("{}: least with cells of {:g} radii, {:.4f} ms\n", curve.name, value_of(least, "cell"),
                       least.ms.median);
        }
        print_sweep("staggered updates", staggers);
        print_sweep("cap on neighbours", caps);
        print_csv(options);
    }
    if (options.plot.empty()) return 0;
    const std::string who = fmt::format("horde, scalar, {} agents", settings.agents);
    if (!sides.empty()) {
        bench::write_plots(plot_path(options, "cell-size"), "How wide a cell should be",
                           who + ", the almanac's scene 1600, median of the repeats, band: down to the least",
                           plots_of_cell_size(sides));
    }
    if (!staggers.empty()) {
        bench::write_plots(plot_path(options, "stagger"), "Agents that do not think in every frame",
                           "horde, scalar, the almanac's scene with 1000 agents, 60 frames a second",
                           plots_of_stagger(staggers));
    }
    if (!caps.empty()) {
        bench::write_plots(plot_path(options, "cap"), "A cap on the number of neighbours",
                           who + " of rule reynolds in 2D, 30 neighbours within the radius",
                           plots_of_cap(caps));
    }
    return 0;
}

}  // namespace horde
