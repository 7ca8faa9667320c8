/// The time of whole frames, by stage, and what each of their optimisations is worth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/rows.h"
#include "horde/scene.h"
#include "horde/trace.h"

namespace horde::bench {

struct FrameBench {
    int threads = 1;
    std::string backend = "auto";
    std::int64_t warm_up = 20;  ///< frames before the first that counts: capacities grow there
    std::int64_t steps = 60;    ///< frames of one measurement
    int repeat = 5;             ///< measurements, each from the start of the scene
    double camera = 0.0;        ///< part of the map that a camera above it sees, 0 to 1; 0: no camera
    bool tiers = false;         ///< with a viewpoint in the middle of the map
    bool all_pairs = false;     ///< with brute force instead of the grid
    bool trace = false;
};

/// Gives a generated map `factor` times as many cells, in the same shape: sides of at least 32 and at most
/// kMaxMapSide. Other maps stay.
void grow_map(Scene& scene, double factor);

/// Runs the scene `repeat` times; a measurement is the mean time of a frame over its steps. Throws Error as
/// World does, and std::runtime_error if two runs end in different states. Values of the row: `p50_ms`,
/// `p99_ms` and `worst_ms` over single frames of all runs; `busy`, the share of the threads' time in which
/// they worked; `pairs`, N (N - 1) / 2; and of the last frame `visible`, `batches` of 1,023 that draw them,
/// and `near`, NaN without a camera or tiers.
Row bench_frame(const Scene& scene, const FrameBench& options);

/// Rows of frames measured in turn, and of sorts: `full` (tiers, a camera that sees a quarter, on all cores),
/// and that without one thing each: `no-tiers`, `no-culling` (the camera sees all), `one-thread`,
/// `all-pairs`; `staggered`, where far agents steer in every fourth frame and middle ones in every second;
/// `separation`, the same walkers on open ground without goals, one thread: grid and push alone;
/// then `sort-pairs`, std::sort of pairs (cell, agent) by cell on the calling thread, `sort-cells`, the
/// grid's sort of the same places. All pairs take fewer frames, and none beyond 100,000 agents. Throws
/// std::runtime_error if a setting that must not changes the state.
std::vector<Row> bench_before_after(const Scene& scene, const FrameBench& options);

/// A trace of `frames` frames that follow each other: of all that are run, the quickest, since other programs
/// take their share of a machine. At most options.steps.
std::vector<TraceSlice> trace_frames(const Scene& scene, const FrameBench& options, int frames);

}  // namespace horde::bench
