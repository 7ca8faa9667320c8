#include "bench/frame.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "bench/measure.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

int scaled_side(int side, double factor) {
    const double scaled = std::round(side * std::sqrt(factor));
    return static_cast<int>(std::clamp(scaled, 32.0, static_cast<double>(kMaxMapSide)));
}

/// Bytes of the scene's world without its agents: fields and map.
double bytes_without_agents(Scene scene, const WorldOptions& options) {
    for (SceneAgents& group : scene.agents) group.count = 0;
    const double before = bytes_in_use();
    const World world(scene, options);
    return bytes_in_use() - before;
}

}  // namespace

void grow_map(Scene& scene, double factor) {
    if (scene.map.generate.empty()) return;
    scene.map.width = scaled_side(scene.map.width, factor);
    scene.map.height = scaled_side(scene.map.height, factor);
}

Row bench_frame(const Scene& scene, const FrameBench& options) {
    const WorldOptions world_options{.backend = options.backend, .threads = options.threads};
    Row row;
    row.name = "frame";
    row.scene = scene.name;
    for (const SceneAgents& group : scene.agents) row.agents += group.count;
    row.dim = scene.world.dim;
    const double bare = bytes_without_agents(scene, world_options);

    Repeats repeats;
    std::optional<std::uint64_t> hash;
    for (int run = 0; run < options.repeat; ++run) {
        const double before = bytes_in_use();
        World world(scene, world_options);
        repeats.add(measure(world, options.warm_up, options.steps));
        const double grown = bytes_in_use() - before - bare;
        row.bytes_per_agent = std::max(row.bytes_per_agent, grown / static_cast<double>(row.agents));
        if (hash && *hash != world.state_hash()) {
            throw std::runtime_error("bench frame: two runs of one scene ended in different states");
        }
        hash = world.state_hash();
        row.threads = world.threads();
        row.backend = world.backend();
        row.cells = world.map() ? static_cast<std::int64_t>(world.map()->cost.size()) : 0;
    }
    repeats.write(row);
    row.state_hash = *hash;
    return row;
}

}  // namespace horde::bench
