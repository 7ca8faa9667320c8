/// `horde bench physics`: what solid bodies cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/rows.h"
#include "horde/scene.h"

namespace horde::bench {

struct PhysicsBench {
    int threads = 1;
    std::string backend = "auto";
    std::int64_t warm_up = 120;  ///< frames: agents meet, and the tier near fills
    std::int64_t steps = 60;     ///< frames of one measurement
    int repeat = 7;              ///< measurements of each row, off, near and all in turn
};

/// The almanac's flock with the circles of its collision shapes: a radius of 8 px.
Scene physics_scene(std::int64_t agents);

/// Three rows: bodies off, near (up to 300 of those within a quarter of the scene's shorter side of its
/// middle) and all. Values, means over the frames: bodies, contacts, bodiless; and times_off, the median
/// frame over that with bodies off. Throws Error as World does, and std::runtime_error if two runs end in
/// different states.
std::vector<Row> bench_physics(const Scene& scene, const PhysicsBench& options);

}  // namespace horde::bench
