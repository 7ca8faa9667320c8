#include "bench/physics.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "bench/measure.h"
#include "bench/scenes.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr double kAlmanacRadius = 8.0;       // px, of its CircleShape2D
constexpr std::int64_t kAtOnce = 1'000'000;  // the near tier fills in a frame

struct Case {
    Physics physics;
    const char* name;
};
constexpr Case kCases[] = {{Physics::kOff, "off"}, {Physics::kNear, "near"}, {Physics::kAll, "all"}};

/// A viewpoint in the middle of the scene and a near tier around it; nothing is spared in any tier.
void watch_the_middle(Scene& scene, const World& world) {
    Bounds area;
    if (const Map* map = world.map()) {
        area.max = {map->columns * map->cell_size, map->rows * map->cell_size, 0.0};
    } else if (scene.world.bounds) {
        area = *scene.world.bounds;
    }
    const double side = std::min(area.max.x - area.min.x, area.max.y - area.min.y);
    SceneTiers& tiers = scene.tiers;
    tiers.viewpoints = {{0.5 * (area.min.x + area.max.x), 0.5 * (area.min.y + area.max.y), 0.0}};
    tiers.near_promote = std::max(0.25 * side, 1e-3);
    tiers.near_demote = 1.1 * tiers.near_promote;
    tiers.middle_promote = 1.2 * tiers.near_promote;
    tiers.middle_demote = 1.3 * tiers.near_promote;
    tiers.max_promotions = tiers.max_demotions = kAtOnce;
}

struct Seen {
    Repeats repeats;
    Measurement last;
    std::uint64_t hash = 0;
};

void run_once(const Scene& scene, const PhysicsBench& options, bool first, Seen& seen) {
    World world(scene, {.backend = options.backend, .threads = options.threads});
    seen.last = measure(world, options.warm_up, options.steps);
    seen.repeats.add(seen.last);
    const std::uint64_t hash = world.state_hash();
    if (!first && hash != seen.hash)
        throw std::runtime_error("bench physics: two runs of one scene ended in different states");
    seen.hash = hash;
}

}  // namespace

Scene physics_scene(std::int64_t agents) {
    Scene scene = almanac_scene(agents);
    scene.name = "almanac";
    scene.bodies.radius = kAlmanacRadius;
    return scene;
}

std::vector<Row> bench_physics(const Scene& wanted, const PhysicsBench& options) {
    Scene scenes[std::size(kCases)];
    Seen seen[std::size(kCases)];
    for (std::size_t k = 0; k < std::size(kCases); ++k) {
        scenes[k] = wanted;
        scenes[k].bodies.physics = kCases[k].physics;
        if (kCases[k].physics == Physics::kNear) watch_the_middle(scenes[k], World(wanted, {.threads = 1}));
    }
    for (int run = 0; run < options.repeat; ++run) {
        for (std::size_t k = 0; k < std::size(kCases); ++k) run_once(scenes[k], options, run == 0, seen[k]);
    }
    std::vector<Row> rows;
    for (std::size_t k = 0; k < std::size(kCases); ++k) {
        const World world(scenes[k], {.backend = options.backend, .threads = options.threads});
        Row row;
        row.name = std::string("physics-") + kCases[k].name;
        row.scene = wanted.name;
        row.dim = wanted.world.dim;
        row.agents = world.agent_count();
        row.backend = world.backend();
        row.threads = world.threads();
        if (const Map* map = world.map()) row.cells = std::int64_t{map->columns} * map->rows;
        seen[k].repeats.write(row);
        row.state_hash = seen[k].hash;
        const double off = rows.empty() ? row.ms.median : rows.front().ms.median;
        const auto mean = [&](std::int64_t total) {
            return static_cast<double>(total) / static_cast<double>(options.steps);
        };
        row.values = {{"bodies", mean(seen[k].last.bodies)},
                      {"contacts", mean(seen[k].last.contacts)},
                      {"bodiless", mean(seen[k].last.bodiless)},
                      {"times_off", row.ms.median / off}};
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace horde::bench
