/// The program horde: the command line, and what becomes of errors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "bench_commands.h"
#include "checks.h"
#include "horde/error.h"
#include "horde/world.h"
#include "options.h"

namespace horde {
namespace {

constexpr int kBadInput = 2;
constexpr int kFailed = 1;

void add_run(CLI::App& app, RunOptions& options, std::function<int()>& command) {
    CLI::App* run_app = app.add_subcommand("run", "run a scene");
    run_app->option_defaults()->multi_option_policy(
        CLI::MultiOptionPolicy::TakeLast);  // for `./dev run OPTIONS`
    run_app->add_option("scene", options.scene, "scene file (TOML)");
    run_app->add_option("--map", options.map, "MovingAI map in place of the scene's");
    run_app->add_option("--agents", options.agents, "agents in all, in the scene's proportions")
        ->transform(whole(0, kMostAgents));
    run_app->add_option("--steps", options.steps, "frames to run")
        ->capture_default_str()
        ->transform(whole(0, 1'000'000'000));
    run_app->add_option("--seed", options.seed, "seed of every random number")
        ->transform(whole(0, INT64_MAX));
    run_app->add_option("--threads", options.threads, "0: all cores")
        ->capture_default_str()
        ->transform(whole(0, 256));
    run_app->add_option("--backend", options.backend, "how to compute, never what")
        ->capture_default_str()
        ->check(backend_word());
    run_app->add_option("--precision", options.precision, "of the state; default: float")
        ->check(word({"float", "double"}));
    run_app->add_option("--search", options.search, "how neighbours are found")
        ->check(word({"auto", "grid", "brute"}));
    run_app->add_option("--physics", options.physics, "who is a solid body")
        ->check(word({"off", "near", "all"}));
    run_app->add_option("--start", options.start, "start from the first frame of this trajectory");
    run_app->add_option("--out", options.out, "trajectory: .h5, .txt, .csv, .xyz or .sqlite; may be given again")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    run_app->add_option("--picture", options.picture, "picture of the last frame: .png");
    run_app->add_option("--every", options.every, "frames from one output to the next")
        ->capture_default_str()
        ->transform(whole(1, 1'000'000'000));
    run_app->add_option("--metrics", options.metrics,
                        "of the last frame, with commas between; default: those that cost nothing");
    run_app->add_option("--save", options.save, "write the world at the end to this file");
    run_app->add_option("--resume", options.resume,
                        "in place of a scene: go on from a save, or from the newer of two checkpoints");
    run_app->add_option("--checkpoint", options.checkpoint, "save on the way, by turns to FILE.0 and FILE.1");
    run_app->add_option("--checkpoint-every", options.checkpoint_every, "frames; default: 1000")
        ->transform(whole(1, 1'000'000'000));
    run_app->add_option("--record", options.record, "log what is done, for horde replay");
    run_app
        ->add_option("--record-every", options.record_every, "frames from one hash to the next; default: 10")
        ->transform(whole(1, 1'000'000'000));
    run_app->add_flag("--verify", options.verify, "compare one agent a frame with brute force");
    run_app->add_option("--trace", options.trace,
                        "write who worked when to this .json, for Perfetto or chrome://tracing");
    run_app->add_flag("--verbose", options.verbose, "a line about times every 60 frames, on stderr");
    run_app->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    run_app->callback([&] { command = [&] { return run(options); }; });
}

void add_replay(CLI::App& app, ReplayOptions& options, std::function<int()>& command) {
    CLI::App* replay_app = app.add_subcommand("replay", "do again what run --record has logged, and compare");
    replay_app->add_option("log", options.log, "log of a run")->required();
    replay_app->add_option("--threads", options.threads, "0: all cores")
        ->capture_default_str()
        ->transform(whole(0, 256));
    replay_app->add_option("--backend", options.backend, "how to compute, never what")
        ->capture_default_str()
        ->check(backend_word());
    replay_app->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    replay_app->callback([&] { command = [&] { return replay_log(options); }; });
}

void add_measure(CLI::App& app, MeasureOptions& options, std::function<int()>& command) {
    CLI::App* measure_app = app.add_subcommand("measure", "metrics of a trajectory");
    measure_app->add_option("trajectory", options.trajectory, ".txt (PedPy), .csv, .h5, .xyz or .sqlite (JuPedSim)")->required();
    measure_app->add_option("--fps", options.fps, "frames a second, as the file counts them");
    measure_app->add_option("--unit", options.unit, "of length in the file: m or cm");
    measure_app->add_option("--dim", options.dim, "2: leave out z")->transform(whole(2, 3));
    measure_app->add_option("--periodic", options.periodic,
                            "distances in a world that repeats: xmin,ymin,xmax,ymax");
    measure_app->add_option("--radius", options.radius, "metres, of clusters");
    measure_app->add_option("--metrics", options.metrics, "with commas between; default: all");
    measure_app->add_flag("--per-frame", options.per_frame, "the values of every frame, too");
    measure_app->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    measure_app->callback([&] { command = [&] { return measure(options); }; });
}

void add_field(CLI::App& app, FieldOptions& options, std::function<int()>& command) {
    CLI::App* field_app = app.add_subcommand("field", "integration and flow field of a map");
    field_app->add_option("map", options.map, "MovingAI .map, or a .patch with its --scen")->required();
    field_app->add_option("--goal", options.goals, "column,row of a goal; may be given again")
        ->allow_extra_args(false);
    field_app->add_option("--scen", options.scen, "hold distances against this MovingAI .scen");
    field_app->add_option("--picture", options.picture, "picture of the field: .png");
    field_app->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    field_app->callback([&] { command = [&] { return field(options); }; });
}

/// Names the commands there are, which the parser's own words do not.
void check_command(const CLI::App& app, const std::string& place, const char* given) {
    const std::string name = given ? given : "";
    if (name.starts_with("-")) return;
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == name) return;
        known.push_back(command->get_name());
    }
    const std::string problem = name.empty() ? "a command is missing" : "there is no command '" + name + "'";
    throw Error(fmt::format("{}{}; use one of {}", place, problem, fmt::join(known, ", ")));
}

/// Errors are one line, whatever text they carry.
int fail(const std::string& text, int code) {
    std::string line = text;
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20; }, ' ');
    fmt::print(stderr, "horde: {}\n", line);
    return code;
}

int parse_and_run(int argc, char** argv) {
    CLI::App app("Massive flocks and crowds: the same answer on every backend.", "horde");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("horde ") + version());
    RunOptions run_options;
    ReplayOptions replay_options;
    MeasureOptions measure_options;
    FieldOptions field_options;
    BenchOptions bench_options;
    std::string new_path;
    bool info_json = false;
    std::function<int()> command;

    add_run(app, run_options, command);
    add_measure(app, measure_options, command);
    add_field(app, field_options, command);
    add_replay(app, replay_options, command);
    add_bench(app, bench_options, command);
    CLI::App* new_app = app.add_subcommand("new", "a commented scene to start from");
    new_app->add_option("file", new_path, "where to write it: FILE.toml")->required();
    new_app->callback([&] { command = [&] { return new_scene(new_path); }; });
    CLI::App* info_app = app.add_subcommand("info", "version, compiler, backends, lane widths, threads");
    info_app->add_flag("--json", info_json, "one JSON object on stdout, nothing else");
    info_app->callback([&] { command = [&] { return info(info_json); }; });

    check_command(app, "", argc > 1 ? argv[1] : nullptr);
    if (argc > 1 && std::string(argv[1]) == "bench") {
        check_command(*app.get_subcommand("bench"), "bench: ", argc > 2 ? argv[2] : nullptr);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
        const bool known = argc > 1 && argv[1][0] != '-';
        return fail(
            fmt::format("{}; see horde{} --help", error.what(), known ? std::string(" ") + argv[1] : ""),
            kBadInput);
    }
    return command();
}

}  // namespace
}  // namespace horde

int main(int argc, char** argv) {
    try {
        return horde::parse_and_run(argc, argv);
    } catch (const horde::Error& error) {
        return horde::fail(error.what(), horde::kBadInput);
    } catch (const std::bad_alloc&) {
        return horde::fail("memory is used up; ask for fewer agents or a smaller map", horde::kFailed);
    } catch (const std::exception& error) {
        return horde::fail(error.what(), horde::kFailed);
    }
}
