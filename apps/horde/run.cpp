/// horde run: a scene, frame by frame.
#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "checkpoints.h"
#include "horde/error.h"
#include "horde/files.h"
#include "horde/metrics.h"
#include "horde/world.h"
#include "interrupt.h"
#include "json.h"
#include "options.h"
#include "outputs.h"
#include "overrides.h"
#include "progress.h"
#include "statistics.h"

namespace horde {
namespace {

void verify_frame(World& world, RunStatistics& statistics) {
    const VerifyReport report = world.verify();
    if (!report.equal) {
        throw std::runtime_error(
            fmt::format("--verify: in frame {} grid and brute force found other neighbours for agent {}",
                        world.frame(), report.id));
    }
    statistics.add(report);
}

/// Files are those of multiples of their frames, so that a run in parts writes the same as one in one go.
bool is_multiple(const World& world, std::int64_t of) {
    return world.frame() % static_cast<std::uint64_t>(of) == 0;
}

/// Steps until `options.steps` frames are done or a signal came.
void walk(const RunOptions& options, World& world, Outputs& outputs, Checkpoints& checkpoints,
          RunStatistics& statistics) {
    Progress progress("frames", options.steps, !options.json);
    Meter meter;
    if (options.verify) verify_frame(world, statistics);
    for (std::int64_t done = 0; done < options.steps && interrupt_signal() == 0;) {
        world.step();
        ++done;
        statistics.add(world.report());
        outputs.watch(world);
        if (options.verify) verify_frame(world, statistics);
        if (is_multiple(world, options.every)) outputs.write(world);
        checkpoints.at(world);
        meter.add(world.report().frame_us);
        if (meter.end_frame() && options.verbose) progress.note(meter.line(world.agent_count()));
        progress.at(done);
    }
}

/// Distances across the border, and groups as far as agents see, as in the scene.
MetricSettings settings_of(const Scene& scene, const World& world) {
    MetricSettings settings;
    settings.radius =
        world.neighbour_radius() > 0.0 ? world.neighbour_radius() : 1.0;  // 0: there are no agents
    if (scene.world.edge == Edge::kPeriodic) settings.periodic = scene.world.bounds;
    return settings;
}

Json result(const World& world, const RunStatistics& statistics, std::int64_t started,
            const std::vector<std::string>& metrics) {
    const Scene& scene = world.scene();
    Json object;
    object["scene"] = scene.name;
    object["seed"] = scene.world.seed;
    object["agents"] = world.agent_count();
    object["agents_started"] = started;
    object["arrived_total"] = world.report().arrived_total;
    object["steps"] = statistics.steps();
    object["frame"] = world.frame();
    object["time"] = number_or_null(world.time());
    object["state_hash"] = hash_text(world.state_hash());
    object["precision"] = world.precision() == Precision::kDouble ? "double" : "float";
    object["backend"] = world.backend();
    object["threads"] = world.threads();
    statistics.write_json(object);
    object["fields"]["goals_not_reached"] = goals_not_reached(world, scene);
    object["metrics"] = measure(world, metrics, settings_of(scene, world));
    return object;
}

void print_summary(const Json& object, const RunStatistics& statistics, double seconds) {
    fmt::print("{}: {} agents, {} frames ({:.2f} s of their time) in {:.2f} s\n",
               object["scene"].get<std::string>(), object["agents_started"].get<std::int64_t>(),
               statistics.steps(), object["time"].get<double>(), seconds);
    std::string metrics;
    for (const auto& [name, value] : object["metrics"].items()) {
        metrics +=
            fmt::format("{}{} {}", metrics.empty() ? "" : ", ", name,
                        value.is_number_float() ? fmt::format("{:.3f}", value.get<double>()) : value.dump());
        if (name == "arrived") metrics += " since the start";
    }
    fmt::print("  at the end  {}\n{}", metrics, statistics.table());
    for (const auto& goal : object["fields"]["goals_not_reached"]) {
        fmt::print("  goal        set {} is {} for group {}: {} agents, {} of them stranded\n",
                   goal["set"].dump(), goal["state"].get<std::string>(), goal["group"].dump(),
                   goal["agents"].dump(), goal["stranded"].dump());
    }
    fmt::print("  state hash  {} ({}, {} thread{})\n", object["state_hash"].get<std::string>(),
               object["backend"].get<std::string>(), object["threads"].get<int>(),
               object["threads"].get<int>() == 1 ? "" : "s");
    for (const auto& file : object["files"]) fmt::print("  wrote       {}\n", file.get<std::string>());
    if (object.value("trace_slices_dropped", std::int64_t{0}) > 0) {
        fmt::print("  trace       {} slices left out at its end: trace fewer frames\n",
                   object["trace_slices_dropped"].get<std::int64_t>());
    }
    if (object["interrupted"].get<bool>()) fmt::print("  stopped     by a signal, all files are whole\n");
}

World make_world(const RunOptions& options) {
    WorldOptions world_options{
        .backend = options.backend, .threads = options.threads, .trace = !options.trace.empty()};
    if (!options.resume.empty()) {
        require_nothing_new(options);
        return World::load(newest_save(options.resume), world_options);
    }
    if (options.scene.empty())
        throw Error("run: a scene is missing; give a scene file, or --resume and a save");
    Scene scene = load_scene(options.scene);
    apply_overrides(options, scene);
    if (options.precision.value_or("float") == "double") world_options.precision = Precision::kDouble;
    if (options.start.empty()) return World(scene, world_options);
    if (options.agents)
        throw Error("--agents with --start: the agents come from the file; leave one of them out");
    const Snapshot start = load_start(options.start);
    world_options.start = &start;
    return World(scene, world_options);
}

/// The files of the world itself, at the end.
void save_world(const RunOptions& options, World& world, Json& files) {
    if (!options.record.empty()) {
        world.stop_recording();
        files.push_back(options.record);
    }
    if (options.save.empty()) return;
    world.save(options.save);
    files.push_back(options.save);
}

}  // namespace

int run(const RunOptions& options) {
    const auto began = std::chrono::steady_clock::now();
    catch_interrupts();
    const std::vector<std::string> metrics = chosen_metrics(options.metrics);
    check_outputs(options);
    Checkpoints checkpoints(options);
    World world = make_world(options);
    const std::int64_t started = world.agent_count();
    if (!options.record.empty()) world.record(options.record, options.record_every.value_or(10));
    Outputs outputs(options, world.scene(), world);
    RunStatistics statistics;
    statistics.start(world.report());

    outputs.write(world);
    outputs.watch(world);
    walk(options, world, outputs, checkpoints, statistics);
    outputs.close(world);
    if (!options.trace.empty()) write_trace(options.trace, world.trace(), world.trace_dropped());

    Json files = outputs.files();
    save_world(options, world, files);
    for (const std::string& file : checkpoints.files()) files.push_back(file);
    Json object = result(world, statistics, started, metrics);
    object["files"] = files;
    if (!options.trace.empty()) {
        object["files"].push_back(options.trace);
        object["trace_slices_dropped"] = world.trace_dropped();
    }
    object["interrupted"] = interrupt_signal() != 0;
    if (options.json) {
        print_json(object);
    } else {
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        print_summary(object, statistics, took.count());
    }
    return interrupt_signal() != 0 ? 128 + interrupt_signal() : 0;
}

}  // namespace horde
