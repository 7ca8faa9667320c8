// The scenes of the promise "one answer", each with the number of frames that are run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "horde/files.h"
#include "horde/scene.h"

namespace horde::test {

struct ConformanceScene {
    std::string name;
    int frames;
    std::function<Scene()> make;
};

inline Scene flock(int dim, Edge edge, std::int64_t count, double side, Vec3 centre) {
    Scene scene;
    scene.world.dim = dim;
    scene.world.edge = edge;
    scene.world.seed = 11;
    scene.world.bounds = Bounds{{centre.x - side / 2, centre.y - side / 2, centre.z - side / 2},
                                {centre.x + side / 2, centre.y + side / 2, centre.z + side / 2}};
    SceneAgents agents;
    agents.count = count;
    agents.spawn = SpawnArea::kBox;
    agents.start_speed = 1.1;
    scene.agents.push_back(agents);
    scene.rules["crowd"] = CrowdRule{};
    return scene;
}

inline Scene town(OnArrival on_arrival) {
    Scene scene;
    scene.world.seed = 5;
    scene.map.generate = "city";
    scene.map.width = 72;
    scene.map.height = 64;
    scene.map.seed = 3;
    scene.map.cell_size = 0.9;
    scene.field.goals = 4;
    SceneAgents walkers, nearest;
    walkers.count = 350;
    nearest.count = 150;
    nearest.type = 1;
    nearest.goal = "nearest";
    nearest.rule = "slow";
    scene.agents = {walkers, nearest};
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = on_arrival;
    scene.rules["slow"] = scene.rules["crowd"];
    std::get<CrowdRule>(scene.rules["slow"]).speed = 0.8;
    std::get<CrowdRule>(scene.rules["slow"]).separation_radius = 1.7;
    return scene;
}

inline std::vector<ConformanceScene> conformance_scenes() {
    const std::string folder = std::string(HORDE_SOURCE_DIR) + "/scenes/";
    return {
        {"plaza", 300, [=] { return load_scene(folder + "plaza.toml"); }},
        {"town-exit", 200, [] { return town(OnArrival::kExit); }},
        {"town-stay", 200, [] { return town(OnArrival::kStay); }},
        {"town-respawn", 200, [] { return town(OnArrival::kRespawn); }},
        {"open-2d", 100, [] { return flock(2, Edge::kOpen, 400, 16.0, {}); }},
        {"open-3d-far", 60, [] { return flock(3, Edge::kOpen, 400, 7.0, {1e6, -3e6, 5e5}); }},
        {"boundless-3d", 40, [] { return flock(3, Edge::kOpen, 400, 900.0, {}); }},
        {"periodic-2d", 100, [] { return flock(2, Edge::kPeriodic, 400, 15.3, {-3.0, 40.0, 0.0}); }},
        {"periodic-3d", 60, [] { return flock(3, Edge::kPeriodic, 400, 6.1, {}); }},
        {"periodic-2d-narrow", 60, [] { return flock(2, Edge::kPeriodic, 60, 1.6, {}); }},
    };
}

}  // namespace horde::test
