/// Everything at once, for long.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "crowds.h"

namespace horde::test {

/// Menge #159: agents turn to NaN and vanish in long runs. Agents come, go, are pushed and walled in; in
/// every tenth frame all rows are looked at, and none but those that left are missing.
inline void soak(int frames) {
    Scene scene = map_scene(room(60, 40), {{5, 20}}, 120);
    scene.field.goal_sets.push_back({{54, 20}});
    scene.agents[0].goal = "any";
    crowd_rule(scene).on_arrival = OnArrival::kRespawn;
    scene.agents.push_back({.count = 0, .goal = "nearest"});
    scene.spawners = {{.group = 1, .rate = 4.0, .box = Bounds{{20, 2, 0}, {30, 10, 0}}, .limit = 60}};
    scene.sinks = {{.box = Bounds{{40, 30, 0}, {45, 35, 0}}, .group = 1}};
    scene.terrain.density_gain = 2.0;
    scene.field.goal_interval = 1.0;
    World world(scene);
    StampId wall = 0;
    Snapshot rows;
    std::int64_t alive = world.agent_count();
    for (int n = 0; n < frames; ++n) {
        if (n % 200 == 50) wall = world.stamp(CellArea{{25, 12}, {32, 28}});
        if (n % 200 == 150) world.unstamp(wall);
        if (n % 90 == 0) world.set_goal(0, std::vector<Cell>{{5 + n % 17, 5 + n % 29}});
        if (n % 70 == 0) world.push({30, 20, 0}, 8.0, 5.0);
        world.step();
        const FrameReport& report = world.report();
        alive += report.spawned - report.sunk;
        ASSERT_EQ(world.agent_count(), alive) << "frame " << n;
        if (n % 10 != 0) continue;
        world.snapshot(rows);
        for (std::size_t k = 0; k < rows.count(); ++k) {
            const Vec3 p = rows.position[k], v = rows.velocity[k];
            ASSERT_TRUE(p.x > 0.0 && p.y > 0.0 && p.x < 60.0 && p.y < 40.0) << "frame " << n;
            ASSERT_TRUE(std::hypot(v.x, v.y) <= 2.0 + 1e-3) << "frame " << n;
            if (report.walled_in == 0) {
                ASSERT_TRUE(world.map()->is_free({static_cast<int>(p.x), static_cast<int>(p.y)}))
                    << "frame " << n;
            }
        }
    }
    EXPECT_GT(world.report().arrived_total, frames / 20);
}

}  // namespace horde::test
