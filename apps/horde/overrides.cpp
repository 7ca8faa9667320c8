#include "overrides.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "horde/error.h"

namespace horde {
namespace {

Search search_named(const std::string& name) {
    if (name == "auto") return Search::kAuto;
    if (name == "grid") return Search::kGrid;
    if (name == "brute") return Search::kBrute;
    throw Error("--search " + name + ": there is no such search; use auto, grid or brute");
}

Physics physics_named(const std::string& name) {
    if (name == "off") return Physics::kOff;
    if (name == "near") return Physics::kNear;
    if (name == "all") return Physics::kAll;
    throw Error("--physics " + name + ": there is no such choice; use off, near or all");
}

}  // namespace

void share_agents(std::vector<SceneAgents>& groups, std::int64_t agents) {
    if (groups.empty()) {
        if (agents == 0) return;
        throw Error("--agents " + std::to_string(agents) +
                    ": the scene has no [[agents]] to add them to; add one");
    }
    std::vector<std::int64_t> weights;
    for (const SceneAgents& group : groups) weights.push_back(group.count);
    std::int64_t sum = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    if (sum == 0) {
        std::fill(weights.begin(), weights.end(), 1);
        sum = static_cast<std::int64_t>(weights.size());
    }
    // At most 1e8 agents of at most 1e8 by weight: the products fit into 64 bits.
    std::int64_t left = agents;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].count = agents * weights[i] / sum;
        left -= groups[i].count;
    }
    std::vector<std::size_t> order(groups.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return agents * weights[a] % sum > agents * weights[b] % sum;
    });
    for (std::size_t i = 0; left > 0; ++i, --left) ++groups[order[i]].count;
}

void apply_overrides(const RunOptions& options, Scene& scene) {
    if (!options.map.empty()) {
        scene.map.rows.clear();
        scene.map.generate.clear();
        scene.map.file = std::filesystem::absolute(options.map).lexically_normal().string();
    }
    if (options.agents) share_agents(scene.agents, *options.agents);
    if (options.seed) scene.world.seed = *options.seed;
    if (options.search) scene.grid.search = search_named(*options.search);
    if (options.physics) scene.bodies.physics = physics_named(*options.physics);
    if (scene.bodies.physics == Physics::kNear && scene.tiers.viewpoints.empty()) {
        throw Error(std::string(options.physics ? "--physics near" : "bodies.physics = \"near\"") +
                    ": nobody is near without a viewpoint; give the scene tiers.viewpoints, or use \"all\"");
    }
}

}  // namespace horde
