// Small flocks for tests.
#pragma once

#include <cmath>
#include <string>

#include "horde/world.h"

namespace horde::test {

// A world of one rule from rows of our own. The box is [-half, half).
struct Flock {
    Rule rule = ReynoldsRule{};
    int dim = 2;
    Edge edge = Edge::kOpen;
    double half = 500.0;
    double dt = 0.05;
    double cell = 0.0;
    std::uint64_t seed = 1;
    Snapshot start = {};

    void add(Vec3 position, Vec3 velocity = {}) {
        start.id.push_back(start.id.size());
        start.position.push_back(position);
        start.velocity.push_back(velocity);
    }
    Scene scene() {
        start.dim = dim;
        Scene scene;
        scene.world.dim = dim;
        scene.world.edge = edge;
        scene.world.dt = dt;
        scene.world.seed = seed;
        scene.world.bounds = Bounds{{-half, -half, -half}, {half, half, half}};
        scene.grid.search = Search::kGrid;
        scene.grid.cell = cell;
        SceneAgents agents;
        agents.rule = "rule";
        agents.spawn = SpawnArea::kBox;
        scene.agents.push_back(agents);
        scene.rules["rule"] = rule;
        return scene;
    }
    World world(Precision precision = Precision::kFloat, const std::string& backend = "scalar",
                int threads = 1) {
        return World(scene(),
                     {.backend = backend, .threads = threads, .precision = precision, .start = &start});
    }
    Snapshot after(int steps, Precision precision = Precision::kFloat) {
        World w = world(precision);
        for (int n = 0; n < steps; ++n) w.step();
        Snapshot rows;
        w.snapshot(rows);
        return rows;
    }
};

inline ReynoldsRule only(double separation, double cohesion, double alignment) {
    ReynoldsRule rule;
    rule.separation_gain = separation;
    rule.cohesion_gain = cohesion;
    rule.alignment_gain = alignment;
    rule.max_accel = 1000.0;
    rule.max_speed = 1000.0;
    return rule;
}

inline Vec3 heading(double degrees, double speed) {
    const double radians = degrees * std::acos(-1.0) / 180.0;
    return {speed * std::cos(radians), speed * std::sin(radians), 0};
}

}  // namespace horde::test
