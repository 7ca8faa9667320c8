/// The program horde: the command line, and what becomes of errors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "horde/error.h"
#include "horde/world.h"
#include "options.h"

namespace horde {
namespace {

constexpr int kBadInput = 2;
constexpr int kFailed = 1;
constexpr std::int64_t kMostAgents = 100'000'000;

/// A check for whole numbers that knows no octal and no overflow, unlike the conversion that follows it.
CLI::Validator whole(std::int64_t min, std::int64_t max) {
    const auto check = [min, max](std::string& text) -> std::string {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value >= min && value <= max) {
            text = std::to_string(value);
            return {};
        }
        return fmt::format("'{}' is not a whole number from {} to {}", text, min, max);
    };
    return CLI::Validator(check, fmt::format("[{}..{}]", min, max));
}

/// One of a few words; says which.
CLI::Validator word(std::vector<std::string> words) {
    const std::string list = fmt::format("{}", fmt::join(words, ", "));
    const auto check = [words = std::move(words), list](std::string& text) -> std::string {
        if (std::find(words.begin(), words.end(), text) != words.end()) return {};
        return fmt::format("'{}' is not in this build; there is {}", text, list);
    };
    return CLI::Validator(check, list);
}

CLI::Validator backend_word() {
    std::vector<std::string> names = backends();
    names.insert(names.begin(), "auto");
    return word(std::move(names));
}

void add_run(CLI::App& app, RunOptions& options, std::function<int()>& command) {
    CLI::App* run_app = app.add_subcommand("run", "run a scene");
    run_app->add_option("scene", options.scene, "scene file (TOML)")->required();
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
    run_app->add_option("--precision", options.precision, "of the state")
        ->capture_default_str()
        ->check(word({"float", "double"}));
    run_app->add_option("--search", options.search, "how neighbours are found")
        ->check(word({"auto", "grid", "brute"}));
    run_app->add_option("--start", options.start, "start from the first frame of this trajectory");
    run_app->add_option("--out", options.out, "trajectory: .h5, .txt or .csv; may be given again")
        ->allow_extra_args(false);
    run_app->add_option("--picture", options.picture, "picture of the last frame: .png");
    run_app->add_option("--every", options.every, "frames from one output to the next")
        ->capture_default_str()
        ->transform(whole(1, 1'000'000'000));
    run_app->add_option("--metrics", options.metrics, "of the last frame, with commas between; default: all");
    run_app->add_flag("--verify", options.verify, "compare one agent a frame with brute force");
    run_app->add_flag("--verbose", options.verbose, "a line about times every 60 frames, on stderr");
    run_app->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    run_app->callback([&] { command = [&] { return run(options); }; });
}

void add_field(CLI::App& app, FieldOptions& options, std::function<int()>& command) {
    CLI::App* field_app = app.add_subcommand("field", "integration and flow field of a map");
    field_app->add_option("map", options.map, "MovingAI .map")->required();
    field_app->add_option("--goal", options.goals, "column,row of a goal; may be given again")
        ->allow_extra_args(false);
    field_app->add_option("--scen", options.scen, "hold distances against this MovingAI .scen");
    field_app->add_option("--picture", options.picture, "picture of the field: .png");
    field_app->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    field_app->callback([&] { command = [&] { return field(options); }; });
}

void add_bench(CLI::App& app, BenchOptions& options, std::function<int()>& command) {
    CLI::App* bench_app = app.add_subcommand("bench", "measure times");
    bench_app->require_subcommand(1);
    CLI::App* frame_app = bench_app->add_subcommand("frame", "time of a whole frame, by stage");
    CLI::App* field_app = bench_app->add_subcommand("field", "time to build a field, by stage");
    for (CLI::App* each : {frame_app, field_app}) {
        each->add_option("--repeat", options.repeat, "measurements; default: 5 of frames, 11 of fields")
            ->transform(whole(1, 10'000));
        each->add_option("--csv", options.csv, "write the rows to this file");
        each->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
    }
    frame_app
        ->add_option("--agents", options.agents, "numbers of agents, with commas between; default: 10000")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(whole(1, kMostAgents));
    frame_app->add_option("--threads", options.threads, "0: all cores")
        ->capture_default_str()
        ->transform(whole(0, 256));
    frame_app->add_option("--backend", options.backend, "how to compute")
        ->capture_default_str()
        ->check(backend_word());
    frame_app->add_option("--steps", options.steps, "frames of one measurement")
        ->capture_default_str()
        ->transform(whole(1, 1'000'000));
    frame_app->add_option("--scene", options.scene, "default: scenes/city.toml");
    frame_app->callback([&] { command = [&] { return bench_frame(options); }; });
    field_app
        ->add_option("--sides", options.sides,
                     "sides of square maps, with commas between; default: 256,512,1024")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(whole(1, 8192));
    field_app->callback([&] { command = [&] { return bench_field(options); }; });
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
    FieldOptions field_options;
    BenchOptions bench_options;
    std::string new_path;
    bool info_json = false;
    std::function<int()> command;

    add_run(app, run_options, command);
    add_field(app, field_options, command);
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
