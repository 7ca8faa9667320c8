/// horde bench: measurements as a table, as CSV and as JSON.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/field.h"
#include "bench/frame.h"
#include "bench/lists.h"
#include "bench/living_fields.h"
#include "bench/physics.h"
#include "bench/plot/trace_picture.h"
#include "bench/rows.h"
#include "bench/step/step.h"
#include "bench_commands.h"
#include "bench_output.h"
#include "horde/error.h"
#include "horde/files.h"
#include "options.h"
#include "outputs.h"
#include "overrides.h"

namespace horde {
namespace {

using bench::Row;
using bench::Spread;

/// scenes/city.toml here, or beside the source tree that the program was built in.
std::string showcase_scene() {
    const std::filesystem::path name = "scenes/city.toml";
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) return name.string();
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::filesystem::path beside = program.parent_path() / "../.." / name;
    if (!program.empty() && std::filesystem::exists(beside, ignored))
        return beside.lexically_normal().string();
    throw Error("bench frame: there is no scenes/city.toml here; name a scene with --scene FILE");
}

Spread spread_of(const FieldBenchTimes& times) {
    return {times.min, times.median, times.max};
}

/// Fields know no agents; the hash is that of integration values and directions.
Row row_of(const FieldBenchRow& measured) {
    Row row;
    row.name = measured.name;
    row.scene = "random";
    row.backend = "scalar";
    row.cells = std::int64_t{measured.columns} * measured.rows;
    row.ms = spread_of(measured.total_ms);
    row.stage_ms = {{"integrate", spread_of(measured.integrate_ms)},
                    {"flow", spread_of(measured.flow_ms)},
                    {"set_map", spread_of(measured.set_map_ms)}};
    row.state_hash = measured.checksum;
    return row;
}

/// Every backend with every number of threads; "scalar" has one and comes once.
std::vector<std::pair<std::string, int>> ways_to_compute(const BenchOptions& options) {
    std::vector<std::pair<std::string, int>> ways;
    for (const std::string& backend : options.backend_list) {
        for (const int threads : options.thread_list) {
            ways.emplace_back(backend, threads);
            if (backend == "scalar") break;
        }
    }
    return ways;
}

int hand_out(const std::vector<Row>& rows, const BenchOptions& options, const std::string& item) {
    if (write_rows(rows, options)) return 0;
    for (const Row& row : rows) print_row(row, item);
    print_csv(options);
    return 0;
}

/// The same, with what else the rows tell.
int hand_out_values(const std::vector<Row>& rows, const BenchOptions& options, const std::string& item) {
    if (write_rows(rows, options)) return 0;
    for (const Row& row : rows) {
        print_row(row, item);
        for (const auto& [name, value] : row.values) {
            if (std::isfinite(value)) fmt::print("  {:<22}{:>12.4f}\n", name, value);
        }
    }
    print_csv(options);
    return 0;
}

std::string frames_heading(const Scene& scene, const bench::FrameBench& settings) {
    std::int64_t agents = 0;
    for (const SceneAgents& group : scene.agents) agents += group.count;
    return fmt::format(
        "{}: {} agents, {}{}, three frames", scene.name, agents,
        settings.threads == 0 ? std::string("all cores") : fmt::format("{} threads", settings.threads),
        settings.tiers ? ", tiers" : "");
}

/// Fields kept up to date while the world changes.
int bench_living_fields(const BenchOptions& options) {
    bench::LivingFieldsBench settings;
    if (options.repeat > 0) settings.repeat = options.repeat;
    std::vector<Row> rows;
    if (options.repair) rows.push_back(bench::bench_repair(settings));
    if (options.moving) rows.push_back(bench::bench_moving_goal(settings));
    if (options.goals > 0) rows.push_back(bench::bench_goals(settings, options.goals));
    if (options.large) {
        for (const std::int32_t side :
             options.sides.empty() ? std::vector<std::int32_t>{4096} : options.sides)
            rows.push_back(bench::bench_large_field(settings, side));
    }
    return hand_out_values(rows, options, "cell");
}

}  // namespace

int bench_frame(const BenchOptions& options) {
    check_bench_outputs(options);
    if (!options.picture.empty()) require_writable(options.picture, "--trace-picture");
    const Scene scene = load_scene(options.scene.empty() ? showcase_scene() : options.scene);
    std::int64_t before = 0;
    for (const SceneAgents& group : scene.agents) before += group.count;
    bench::FrameBench settings;
    settings.threads = options.threads;
    settings.backend = options.backend;
    settings.camera = options.camera;
    settings.tiers = options.tiers;
    if (options.steps > 0) settings.steps = options.steps;
    if (options.repeat > 0) settings.repeat = options.repeat;
    std::vector<Row> rows;
    for (const std::int64_t agents :
         options.agents.empty() ? std::vector<std::int64_t>{10000} : options.agents) {
        Scene scaled = scene;
        share_agents(scaled.agents, agents);
        if (before > 0) bench::grow_map(scaled, static_cast<double>(agents) / static_cast<double>(before));
        if (!options.picture.empty()) {
            bench::write_trace_picture(options.picture, frames_heading(scaled, settings),
                                       bench::trace_frames(scaled, settings, 3));
            return 0;
        }
        if (options.before_after) {
            for (Row& row : bench::bench_before_after(scaled, settings)) rows.push_back(std::move(row));
        } else {
            rows.push_back(bench::bench_frame(scaled, settings));
        }
    }
    return hand_out_values(rows, options, "agent");
}

int bench_physics(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::PhysicsBench settings;
    settings.threads = options.threads;
    settings.backend = options.backend;
    if (options.steps > 0) settings.steps = options.steps;
    if (options.repeat > 0) settings.repeat = options.repeat;
    std::vector<Scene> scenes;
    if (options.scene.empty()) {
        for (const std::int64_t agents :
             options.agents.empty() ? std::vector<std::int64_t>{400} : options.agents)
            scenes.push_back(bench::physics_scene(agents));
    } else {
        scenes.push_back(load_scene(options.scene));
        if (options.agents.size() > 1)
            throw Error("--agents: give one number with --scene, whose map is as large as it is");
        if (!options.agents.empty()) share_agents(scenes[0].agents, options.agents[0]);
    }
    std::vector<Row> rows;
    for (const Scene& scene : scenes) {
        for (Row& row : bench::bench_physics(scene, settings)) rows.push_back(std::move(row));
    }
    return hand_out_values(rows, options, "agent");
}

int bench_step(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::StepBench settings;
    settings.scene.dim = options.dim;
    settings.scene.neighbours = options.neighbours;
    settings.scene.rule = options.rule;
    if (options.distribution == "clustered") settings.scene.distribution = bench::Distribution::kClustered;
    if (options.steps > 0) settings.steps = options.steps;
    if (options.repeat > 0) settings.repeat = options.repeat;
    std::vector<Row> rows;
    for (const std::int64_t agents :
         options.agents.empty() ? std::vector<std::int64_t>{10000} : options.agents) {
        settings.scene.agents = agents;
        for (const auto& [backend, threads] : ways_to_compute(options)) {
            settings.backend = backend;
            settings.threads = threads;
            for (Row& row : bench::bench_step(settings)) rows.push_back(std::move(row));
        }
    }
    if (!options.plot.empty()) {
        bench::write_plots(plot_path(options, fmt::format("step-{}d", options.dim)), rows.front().scene,
                           "median of the repeats, band: down to the least", bench::plots_of_steps(rows));
    }
    return hand_out_values(rows, options, "agent");
}

int bench_lists(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::ListBench settings;
    settings.scene.dim = options.dim;
    settings.scene.neighbours = options.neighbours;
    if (options.distribution == "clustered") settings.scene.distribution = bench::Distribution::kClustered;
    settings.threads = options.threads;
    settings.backend = options.backend;
    settings.periodic = options.periodic;
    if (options.repeat > 0) settings.repeat = options.repeat;
    std::vector<Row> rows;
    for (const std::int64_t agents :
         options.agents.empty() ? std::vector<std::int64_t>{100000} : options.agents) {
        settings.scene.agents = agents;
        for (Row& row : bench::bench_lists(settings)) rows.push_back(std::move(row));
    }
    return hand_out(rows, options, "agent");
}

int bench_field(const BenchOptions& options) {
    check_bench_outputs(options);
    if (options.repair || options.moving || options.large || options.goals > 0)
        return bench_living_fields(options);
    FieldBenchOptions settings;
    if (options.repeat > 0) settings.runs = options.repeat;
    if (!options.sides.empty()) settings.sides = options.sides;
    std::vector<Row> rows;
    for (const FieldBenchRow& measured : run_field_bench(settings)) rows.push_back(row_of(measured));
    return hand_out(rows, options, "cell");
}

}  // namespace horde
