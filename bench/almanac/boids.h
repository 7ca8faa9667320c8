/// The almanac's boid: its rule, and what its searches have in common. Plain scalar code, as the almanac
/// writes it; the build keeps the compiler from vectorising this folder.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/vec.h"
#include "horde/scene.h"

namespace horde::bench {

struct Boid {
    Vec<2> position;
    Vec<2> velocity;
};

/// The exported variables of the almanac's Boid; lengths are its pixels.
struct BoidRule {
    float neighbour_radius = 60.0f;
    float max_speed = 180.0f;
    float max_force = 600.0f;
    float cohesion_weight = 1.0f;
    float alignment_weight = 1.2f;
    float separation_weight = 1.6f;
    Vec<2> area = {{1152.0f, 648.0f}};
};

inline bool within_by_root(const Boid& a, const Boid& b, float radius) {
    const Vec<2> offset = b.position - a.position;
    return std::sqrt(dot(offset, offset)) <= radius;
}

inline bool within_by_square(const Boid& a, const Boid& b, float radius_squared) {
    const Vec<2> offset = b.position - a.position;
    return dot(offset, offset) <= radius_squared;
}

/// The steering that three scans of the whole flock give, one for each rule, with a square root for each
/// distance.
Vec<2> steer_by_three_scans(const std::vector<Boid>& flock, std::size_t i, const BoidRule& rule);

/// The same from a list of neighbours.
Vec<2> steer_by_list(const std::vector<Boid>& flock, std::size_t i, const std::uint32_t* neighbours,
                     std::size_t count, const BoidRule& rule);

/// Adds the neighbours of boid i to `out`, found by one scan of the flock with squared distances.
void gather_all(const std::vector<Boid>& flock, std::size_t i, float radius, std::vector<std::uint32_t>& out);

/// A frame of `dt` seconds with this steering: move toward it, go on, wrap.
void move_boid(Boid& boid, Vec<2> steering, const BoidRule& rule, float dt);

}  // namespace horde::bench
