/// The almanac's flock at the start of horde's scene, so that all searches begin with the same agents.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/almanac/boids.h"

namespace horde::bench {

std::vector<Boid> almanac_start(std::int64_t agents, std::uint64_t seed = 1);

/// Groups of boids linked by neighbours within `radius`; one on its own counts.
std::int64_t cluster_count(const std::vector<Boid>& flock, float radius);

}  // namespace horde::bench
