// Small scenes for the tests of a world.
#pragma once

#include <string>
#include <vector>

#include "horde/scene.h"

namespace horde::test {

// Walkers on a map drawn in characters, all to goal cells of one set.
inline Scene map_scene(std::vector<std::string> rows, std::vector<Cell> goals, std::int64_t count) {
    Scene scene;
    scene.map.rows = std::move(rows);
    if (!goals.empty()) scene.field.goal_sets = {std::move(goals)};
    SceneAgents agents;
    agents.count = count;
    agents.goal = scene.field.goal_sets.empty() ? "any" : "0";
    scene.agents.push_back(agents);
    scene.rules["crowd"] = CrowdRule{};
    return scene;
}

// Agents without map or goal in a box around a centre: they only keep apart.
inline Scene box_scene(int dim, Edge edge, std::int64_t count, double side, Vec3 centre = {}) {
    Scene scene;
    scene.world.dim = dim;
    scene.world.edge = edge;
    scene.world.bounds = Bounds{{centre.x - side / 2, centre.y - side / 2, centre.z - side / 2},
                                {centre.x + side / 2, centre.y + side / 2, centre.z + side / 2}};
    SceneAgents agents;
    agents.count = count;
    agents.spawn = SpawnArea::kBox;
    agents.start_speed = 0.7;
    scene.agents.push_back(agents);
    scene.rules["crowd"] = CrowdRule{};
    return scene;
}

}  // namespace horde::test
