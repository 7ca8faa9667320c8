/// The time of a whole frame, by stage.
#pragma once

#include <cstdint>
#include <string>

#include "bench/rows.h"
#include "horde/scene.h"

namespace horde::bench {

struct FrameBench {
    int threads = 1;
    std::string backend = "auto";
    std::int64_t warm_up = 20;  ///< frames before the first that counts: capacities grow there
    std::int64_t steps = 60;    ///< frames of one measurement
    int repeat = 5;             ///< measurements, each from the start of the scene
};

/// Gives a generated map `factor` times as many cells, in the same shape: sides of at least 32 and at most
/// kMaxMapSide. Other maps stay.
void grow_map(Scene& scene, double factor);

/// Runs the scene `repeat` times; a measurement is the mean time of a frame over its steps. Throws Error as
/// World does, and std::runtime_error if two runs end in different states.
Row bench_frame(const Scene& scene, const FrameBench& options);

}  // namespace horde::bench
