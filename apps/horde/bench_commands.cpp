#include "bench_commands.h"

#include <iterator>

#include "checks.h"

namespace horde {
namespace {

void add_agents(CLI::App& app, BenchOptions& options, const std::string& defaults) {
    app.add_option("--agents", options.agents, "numbers of agents, with commas between; default: " + defaults)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(whole(1, kMostAgents));
}

void add_steps(CLI::App& app, BenchOptions& options, const std::string& defaults) {
    app.add_option("--steps", options.steps, "frames of one measurement; default: " + defaults)
        ->transform(whole(1, 1'000'000));
}

void add_backend(CLI::App& app, BenchOptions& options) {
    app.add_option("--threads", options.threads, "0: all cores")
        ->capture_default_str()
        ->transform(whole(0, 256));
    app.add_option("--backend", options.backend, "how to compute")
        ->capture_default_str()
        ->check(backend_word());
}

void add_plot(CLI::App& app, BenchOptions& options) {
    app.add_option("--plot", options.plot, "folder for plots: NAME.png in it");
}

void add_box(CLI::App& app, BenchOptions& options) {
    app.add_option("--dim", options.dim, "2 or 3")->capture_default_str()->transform(whole(2, 3));
    app.add_option("--neighbours", options.neighbours, "wanted mean number within the rule's radius")
        ->capture_default_str();
    app.add_option("--distribution", options.distribution, "how the agents start")
        ->capture_default_str()
        ->check(word({"uniform", "clustered"}));
}

void add_step(CLI::App& app, BenchOptions& options) {
    add_agents(app, options, "10000");
    add_steps(app, options, "10");
    app.add_option("--threads", options.thread_list, "numbers of threads, with commas between; 0: all cores")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str()
        ->transform(whole(0, 256));
    app.add_option("--backend", options.backend_list, "how to compute; several with commas between")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str()
        ->check(backend_word());
    add_box(app, options);
    app.add_option("--rule", options.rule, "with its defaults")
        ->capture_default_str()
        ->check(word({"crowd", "reynolds", "arcade", "vicsek"}));
    add_plot(app, options);
}

void add_lists(CLI::App& app, BenchOptions& options) {
    add_agents(app, options, "100000");
    add_backend(app, options);
    add_box(app, options);
    app.add_flag("--periodic", options.periodic, "the box repeats");
}

}  // namespace

void add_bench(CLI::App& app, BenchOptions& options, std::function<int()>& command) {
    CLI::App* bench_app = app.add_subcommand("bench", "measure times");
    bench_app->require_subcommand(1);
    struct Command {
        const char* name;
        const char* about;
        const char* repeats;
        std::int64_t least_repeats;
        int (*run)(const BenchOptions&);
    };
    const Command commands[] = {
        {"almanac", "the almanac's table and checkpoints", "prints of 60 frames; default: 5", 1,
         bench_almanac},
        {"crossover", "the count of agents below which brute force wins", "measurements; default: 15", 1,
         bench_crossover},
        {"cell-size", "side of cells, staggered updates, cap on neighbours", "measurements; default: 7", 1,
         bench_cell_size},
        {"step", "time of a step in a box, by stage", "measurements; default: 7", 1, bench_step},
        {"frame", "time of a whole frame, by stage", "measurements; default: 5", 1, bench_frame},
        {"field", "time to build a field, by stage", "measurements; default: 11 (edits or frames: 600)", 7,
         bench_field},
        {"lists", "time to list all neighbours", "measurements; default: 11", 1, bench_lists},
        {"congestion", "throughput and time to clear of crowds in each other's way", nullptr, 0,
         bench_congestion},
        {"physics", "what solid bodies cost: none, the near ones, all", "measurements; default: 7", 1,
         bench_physics}};
    CLI::App* apps[std::size(commands)];
    for (std::size_t n = 0; n < std::size(commands); ++n) {
        apps[n] = bench_app->add_subcommand(commands[n].name, commands[n].about);
        if (commands[n].repeats != nullptr) {
            apps[n]
                ->add_option("--repeat", options.repeat, commands[n].repeats)
                ->transform(whole(commands[n].least_repeats, 10'000));
        }
        apps[n]->add_option("--csv", options.csv, "write the rows to this file");
        apps[n]->add_flag("--json", options.json, "one JSON object on stdout, nothing else");
        apps[n]->callback([&, run = commands[n].run] { command = [&options, run] { return run(options); }; });
    }
    add_agents(*apps[0], options, "100,400,1000,1600");
    add_agents(*apps[1], options, "8 to 1024");
    add_plot(*apps[1], options);
    add_agents(*apps[2], options, "10000");
    add_steps(*apps[2], options, "10");
    add_plot(*apps[2], options);
    apps[2]
        ->add_option("--part", options.part, "what to measure")
        ->capture_default_str()
        ->check(word({"all", "cell-size", "stagger", "cap"}));
    add_step(*apps[3], options);
    add_agents(*apps[4], options, "10000");
    add_steps(*apps[4], options, "60");
    add_backend(*apps[4], options);
    apps[4]->add_option("--scene", options.scene, "default: scenes/city.toml");
    apps[4]
        ->add_option("--camera", options.camera,
                     "cull and make instances for a camera that sees this part of the map")
        ->check(CLI::Range(0.0, 1.0));
    apps[4]->add_flag("--tiers", options.tiers, "levels of detail about the middle of the map");
    apps[4]->add_flag("--before-after", options.before_after,
                      "instead: what each optimisation is worth, on all cores, with tiers and a camera");
    apps[4]->add_option("--trace-picture", options.picture,
                        "instead: the quickest three frames, traced, as PNG");
    apps[5]
        ->add_option("--sides", options.sides,
                     "sides of square maps, with commas between; default: 256,512,1024")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(whole(1, 8192));
    apps[5]->add_flag("--repair", options.repair, "instead: repair after random edits of 3 x 3 cells");
    apps[5]->add_flag("--moving", options.moving, "instead: what a frame spends on a goal that moves");
    apps[5]
        ->add_option("--goals", options.goals, "instead: so many goals that move at once")
        ->transform(whole(1, 1000));
    apps[5]->add_flag("--large", options.large,
                      "instead: a goal that moves on 4096 x 4096 cells, or --sides");
    add_lists(*apps[6], options);
    apps[7]
        ->add_option("--scenes", options.scenes, "names with commas between; default: all")
        ->delimiter(',')
        ->allow_extra_args(false);
    add_backend(*apps[7], options);
    apps[7]->add_option("--picture", options.plot, "folder for a picture of each scene: NAME.png in it");
    add_agents(*apps[8], options, "400, or those of the scene");
    add_steps(*apps[8], options, "60");
    add_backend(*apps[8], options);
    apps[8]->add_option("--scene", options.scene, "default: the almanac's flock, with bodies of 8 px");
}

}  // namespace horde
