/// horde bench: its commands and their options.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "options.h"

namespace horde {

/// Adds `bench` and all below it; `command` then runs the one that the command line names.
void add_bench(CLI::App& app, BenchOptions& options, std::function<int()>& command);

/// Each returns the exit code, and throws Error for bad input.
int bench_frame(const BenchOptions& options);
int bench_field(const BenchOptions& options);
int bench_almanac(const BenchOptions& options);
int bench_crossover(const BenchOptions& options);
int bench_cell_size(const BenchOptions& options);
int bench_congestion(const BenchOptions& options);
int bench_physics(const BenchOptions& options);
int bench_step(const BenchOptions& options);
int bench_lists(const BenchOptions& options);

}  // namespace horde
