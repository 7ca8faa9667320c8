#include "bench/step/step.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bench/measure.h"
#include "bench/step/reference_kernel.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {

std::vector<Row> bench_step(const StepBench& options) {
    if (options.repeat < 1 || options.steps < 1 || options.warm_up < 1)
        throw Error("bench step: repeat, steps and warm_up must be 1 or more");
    const StartedScene started = make_step_scene(options.scene);
    Row row;
    row.name = "step";
    row.scene = started.scene.name;
    row.agents = options.scene.agents;
    row.dim = options.scene.dim;
    Repeats repeats;
    std::vector<double> first, reference;
    std::optional<std::uint64_t> hash;
    time_reference();  // makes its points
    for (int run = 0; run < options.repeat; ++run) {
        const double before = bytes_in_use();
        World world(started.scene, {.backend = options.backend,
                                    .threads = options.threads,
                                    .start = started.start ? &*started.start : nullptr});
        row.backend = world.backend();
        row.threads = world.threads();
        reference.push_back(time_reference());
        first.push_back(measure(world, 0, 1).frame_ms);
        repeats.add(measure(world, options.warm_up - 1, options.steps));
        row.bytes_per_agent =
            std::max(row.bytes_per_agent, (bytes_in_use() - before) / static_cast<double>(row.agents));
        reference.push_back(time_reference());
        if (hash && *hash != world.state_hash())
            throw std::runtime_error("bench step: two runs of one scene ended in different states");
        hash = world.state_hash();
    }
    repeats.write(row);
    row.state_hash = *hash;
    const auto agent_steps = static_cast<double>(row.agents * options.steps);
    Row kernel;
    kernel.name = "reference";
    kernel.scene = "8388608 pairs";
    kernel.backend = "scalar";
    kernel.ms = spread_of(reference);
    row.values = {{"neighbours_per_agent", static_cast<double>(row.neighbours) / agent_steps},
                  {"candidates_per_agent", static_cast<double>(row.candidates) / agent_steps},
                  {"side", started.side / started.radius},
                  {"first_ms", spread_of(first).median},
                  {"reference_ms", kernel.ms.median},
                  {"references", row.ms.median / kernel.ms.median}};
    return {row, kernel};
}

namespace {

PlotLine& line_of(Plot& plot, const std::string& name) {
    for (PlotLine& line : plot.lines) {
        if (line.name == name) return line;
    }
    return plot.lines.emplace_back(PlotLine{.name = name});
}

void add_point(Plot& plot, const std::string& name, const Row& row, const Spread& ms) {
    const double nanoseconds = 1e6 / static_cast<double>(row.agents);
    PlotLine& line = line_of(plot, name);
    line.x.push_back(static_cast<double>(row.agents));
    line.y.push_back(ms.median * nanoseconds);
    line.low.push_back(ms.min * nanoseconds);
    line.high.push_back(ms.median * nanoseconds);
}

}  // namespace

std::vector<Plot> plots_of_steps(const std::vector<Row>& rows) {
    const PlotAxis agents{.label = "agents", .log = true};
    const PlotAxis time{.label = "ns an agent", .from_zero = true};
    Plot whole{.title = "a step", .x = agents, .y = time};
    Plot stages{.title = "its stages", .x = agents, .y = time};
    std::string first;
    for (const Row& row : rows) {
        if (row.name != "step") continue;
        const std::string way =
            row.backend + ", " + std::to_string(row.threads) + (row.threads == 1 ? " thread" : " threads");
        if (first.empty()) first = way;
        add_point(whole, way, row, row.ms);
        if (way != first) continue;
        for (const auto& [stage, ms] : row.stage_ms) {
            if (ms.median > 0.005 * row.ms.median) add_point(stages, stage, row, ms);
        }
    }
    stages.title += ": " + first;
    return {whole, stages};
}

}  // namespace horde::bench
