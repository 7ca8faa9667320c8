// What the tests of crowds share: maps in characters, states and speeds.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "horde/world.h"
#include "scenes.h"

namespace horde::test {

inline CrowdRule& crowd_rule(Scene& scene) {
    return std::get<CrowdRule>(scene.rules["crowd"]);
}

// A rectangle of free cells with a rim of walls; `holes` in its rim are opened by the caller.
inline std::vector<std::string> room(int columns, int rows) {
    const auto width = static_cast<std::size_t>(columns);
    std::vector<std::string> map(static_cast<std::size_t>(rows), "@" + std::string(width - 2, '.') + "@");
    map.front() = map.back() = std::string(width, '@');
    return map;
}

inline void put(std::vector<std::string>& map, int column, int row, int columns, int rows, char c) {
    for (int r = row; r < row + rows; ++r) {
        for (int k = column; k < column + columns; ++k)
            map[static_cast<std::size_t>(r)][static_cast<std::size_t>(k)] = c;
    }
}

inline Snapshot rows_of(const World& world) {
    Snapshot rows;
    world.snapshot(rows);
    return rows;
}

inline void run(World& world, int frames) {
    for (int n = 0; n < frames; ++n) world.step();
}

inline double speed_at(const Snapshot& rows, std::size_t i) {
    return std::hypot(rows.velocity[i].x, rows.velocity[i].y);
}

inline double mean_speed(const Snapshot& rows) {
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.count(); ++i) sum += speed_at(rows, i);
    return rows.count() > 0 ? sum / static_cast<double>(rows.count()) : 0.0;
}

inline std::int64_t count_of(const Snapshot& rows, AgentState state) {
    return std::count(rows.state.begin(), rows.state.end(), state);
}

inline double distance(Vec3 a, Vec3 b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

// Runs until nobody is left or `frames` have passed; returns the frames.
inline int run_until_empty(World& world, int frames) {
    int n = 0;
    for (; n < frames && world.agent_count() > 0; ++n) world.step();
    return n;
}

}  // namespace horde::test
