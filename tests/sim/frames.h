// A frame without a world around it, for tests that reach inside.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "horde/scene.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/spawn.h"

namespace horde::test {

inline std::unique_ptr<Frame> frame_of(const Scene& scene) {
    auto frame = std::make_unique<Frame>();
    frame->executor = std::make_unique<SerialExecutor>();
    const std::optional<Map> map = make_map(scene);
    set_up_frame(*frame, scene, map ? &*map : nullptr, nullptr);
    spawn_scene(*frame, scene);
    return frame;
}

// Puts walls (or takes them away: cost 1) in force at once, on the floor that `group` moves on.
inline void change_walls(Frame& frame, const std::vector<std::uint32_t>& cells, std::uint8_t cost) {
    const std::int32_t columns = frame.ground->map.columns;
    for (const std::uint32_t index : cells) {
        const Cell cell{static_cast<std::int32_t>(index) % columns,
                        static_cast<std::int32_t>(index) / columns};
        frame.land->terrain.set_cost({cell, cell}, cost);
    }
    put_edits_in_force(frame);
}

inline std::vector<std::uint32_t> cells_in(const Map& map, Cell first, Cell last) {
    std::vector<std::uint32_t> cells;
    for (std::int32_t r = first.row; r <= last.row; ++r) {
        for (std::int32_t c = first.column; c <= last.column; ++c) {
            cells.push_back(static_cast<std::uint32_t>(map.index({c, r})));
        }
    }
    return cells;
}

inline double column_of(const Frame& frame, std::int64_t i) {
    return frame.ground->column_at(frame.agents.position[0].now[i]);
}
inline double row_of(const Frame& frame, std::int64_t i) {
    return frame.ground->row_at(frame.agents.position[1].now[i]);
}

// Agents whose centre is in a wall.
inline int in_walls(const Frame& frame) {
    int count = 0;
    for (std::int64_t i = 0; i < frame.agents.count; ++i) {
        count += frame.ground->floors[0].is_free_at(column_of(frame, i), row_of(frame, i)) ? 0 : 1;
    }
    return count;
}

}  // namespace horde::test
