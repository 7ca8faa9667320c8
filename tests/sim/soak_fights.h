/// Fights for long, in which agents die and are replaced.
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "../places.h"
#include "horde/files.h"
#include "horde/world.h"

namespace horde::test {

inline Scene siege() {
    return load_scene(std::string(kSourceDir) + "/scenes/siege.toml");
}

/// Of 2,000 agents, in frames of a sixtieth of a second.
inline Scene large_siege() {
    Scene scene = siege();
    scene.world.dt = 1.0 / 60.0;
    const std::int64_t counts[] = {1450, 150, 400};
    for (std::size_t g = 0; g < 3; ++g) {
        scene.agents[g].count = counts[g];
        scene.spawners[g].limit = counts[g];
        scene.spawners[g].rate *= 5.0;
    }
    scene.agents[0].box = Bounds{{1.5, 1.5, 0.0}, {34.0, 46.0, 0.0}};
    scene.agents[2].box = Bounds{{42.0, 4.0, 0.0}, {58.0, 44.0, 0.0}};
    return scene;
}

/// Likewise.
inline Scene small_murmuration() {
    Scene scene = load_scene(std::string(kSourceDir) + "/scenes/murmuration.toml");
    scene.world.dt = 1.0 / 60.0;
    scene.agents[0].count = 2000;
    scene.agents[0].box = Bounds{{120.0, 100.0, 45.0}, {180.0, 130.0, 60.0}};
    scene.combat["talons"].range = 3.0;  // so few are harder to meet
    SceneSpawner spawner;
    spawner.rate = 0.5;
    spawner.pattern = SpawnPattern::kCircle;
    spawner.centre = Vec3{150.0, 115.0, 50.0};
    spawner.radius = 20.0;
    spawner.limit = 2000;
    scene.spawners = {spawner};
    return scene;
}

struct MemoryUse {
    std::int64_t heap = 0;      ///< bytes that are allocated
    std::int64_t resident = 0;  ///< bytes of the process
};

inline MemoryUse memory_use() {
    const struct mallinfo2 info = mallinfo2();
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return {static_cast<std::int64_t>(info.uordblks + info.hblkhd), resident * sysconf(_SC_PAGESIZE)};
}

/// Are those who arrived still there? Only who stays at a goal is.
inline std::int64_t gone(const World& world, const Snapshot& rows) {
    std::int64_t count = 0;
    for (const AgentId id : world.arrivals())
        count += std::binary_search(rows.id.begin(), rows.id.end(), id) ? 0 : 1;
    return count;
}

inline void expect_sound(const Snapshot& rows, double fastest) {
    for (std::size_t i = 0; i < rows.count(); ++i) {
        const Vec3 &p = rows.position[i], &v = rows.velocity[i];
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) << rows.frame;
        ASSERT_LE(std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z), fastest) << rows.frame;
        ASSERT_GE(rows.health[i], 0);
    }
}

/// So many agents came by time t as were due: in whole bursts.
inline std::int64_t due_by(const Scene& scene, double time) {
    double due = 0.0;
    for (const SceneSpawner& spawner : scene.spawners) {
        const double bursts = std::floor(spawner.rate * (time - spawner.start) / spawner.burst + 1e-6);
        due += bursts * spawner.burst;
    }
    return static_cast<std::int64_t>(due);
}

/// All who are gone are counted, rows stay finite, and after `warm_up` frames memory grows no more.
inline void soak_fight(const Scene& scene, int frames, int warm_up, double fastest,
                       std::int64_t least_deaths) {
    World world(scene, {.threads = 1});
    std::int64_t agents = world.agent_count(), given = 0, changed = 0;
    const int tenth = frames / 10;
    double first_us = 0.0, last_us = 0.0;
    MemoryUse warm;
    Snapshot rows;
    for (int n = 0; n < frames; ++n) {
        const std::int64_t dead_before = world.report().dead;
        world.step();
        const FrameReport& report = world.report();
        if (!world.arrivals().empty() || n % 10 == 0) world.snapshot(rows);
        // Who died lies there first, or leaves at once.
        const std::int64_t corpses_left = report.died + dead_before - report.dead;
        agents += report.spawned - report.sunk - corpses_left - gone(world, rows);
        ASSERT_EQ(world.agent_count(), agents) << "frame " << n;
        given += report.spawned + report.spawns_dropped;
        changed += report.changed_behaviour;
        if (n % 10 == 0) {
            ASSERT_NO_FATAL_FAILURE(expect_sound(rows, fastest));
        }
        if (n < tenth) first_us += report.frame_us / tenth;
        if (n >= frames - tenth) last_us += report.frame_us / tenth;
        if (n == warm_up) warm = memory_use();
    }
    const MemoryUse end = memory_use();
    const FrameReport& report = world.report();
    std::printf(
        "%s: %d frames, %lld agents at the end, %lld came or found no room, %lld died, %lld arrived, "
        "%lld changes of behaviour\n  heap %lld bytes when warm, %lld at the end; resident %lld, "
        "%lld\n  %.1f us a frame in the first tenth, %.1f in the last\n",
        scene.name.c_str(), frames, static_cast<long long>(report.agents), static_cast<long long>(given),
        static_cast<long long>(report.died_total), static_cast<long long>(report.arrived_total),
        static_cast<long long>(changed), static_cast<long long>(warm.heap), static_cast<long long>(end.heap),
        static_cast<long long>(warm.resident), static_cast<long long>(end.resident), first_us, last_us);
    EXPECT_EQ(given, due_by(scene, world.time()));
    EXPECT_GE(report.died_total, least_deaths);
    EXPECT_GT(changed, 100);
    EXPECT_LE(end.heap - warm.heap, 256 << 10);
#ifndef __SANITIZE_ADDRESS__
    EXPECT_LE(end.resident - warm.resident, 4 << 20);
#endif
}

}  // namespace horde::test
