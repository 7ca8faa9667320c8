#include "bench/almanac/start.h"

#include "bench/scenes.h"
#include "horde/metrics.h"
#include "horde/world.h"

namespace horde::bench {

std::vector<Boid> almanac_start(std::int64_t agents, std::uint64_t seed) {
    Scene scene = almanac_scene(agents);
    scene.world.seed = seed;
    const World world(scene, {.backend = "scalar"});
    Snapshot rows;
    world.snapshot(rows);
    std::vector<Boid> flock;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        const auto in_float = [](const Vec3& v) {
            return Vec<2>{{static_cast<float>(v.x), static_cast<float>(v.y)}};
        };
        flock.push_back({in_float(rows.position[i]), in_float(rows.velocity[i])});
    }
    return flock;
}

std::int64_t cluster_count(const std::vector<Boid>& flock, float radius) {
    Snapshot rows;
    for (std::size_t i = 0; i < flock.size(); ++i) {
        rows.id.push_back(i);
        rows.position.push_back({flock[i].position[0], flock[i].position[1], 0.0});
    }
    return clusters(rows, {.radius = radius}).count;
}

}  // namespace horde::bench
