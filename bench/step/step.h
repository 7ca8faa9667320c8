/// `horde bench step`: a whole step of a flock in a box, by stage. The yardstick of the neighbour search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/plot/plot.h"
#include "bench/rows.h"
#include "bench/scenes.h"

namespace horde::bench {

struct StepBench {
    StepScene scene;
    int threads = 1;
    std::string backend = "auto";
    std::int64_t warm_up = 3;  ///< steps before the first that counts
    std::int64_t steps = 10;   ///< of one measurement
    int repeat = 7;            ///< measurements, each of a new world from the same unsorted start
};

/// Two rows: the step, and the reference kernel (before and after each measurement). A measurement is the
/// mean time of its steps. Values: neighbours_per_agent, candidates_per_agent (means over agents and steps),
/// side (of the box, in radii), first_ms (median of the very first steps, from unsorted agents and cold
/// memory), reference_ms (median), references (median step over it). Throws Error for options out of range,
/// and std::runtime_error if two worlds end in different states.
std::vector<Row> bench_step(const StepBench& options);

/// Nanoseconds an agent over the number of agents: a line for each way to compute, and the stages of the
/// first of them. Of rows of bench_step, of one scene, ascending in agents.
std::vector<Plot> plots_of_steps(const std::vector<Row>& rows);

}  // namespace horde::bench
