// Sight between two agents over the map.
#pragma once

#include "sim/field/sight.h"
#include "sim/frame.h"

namespace horde {

// Is no wall between agents i and j? True without a map; false over more than kSightCells. Walls are those
// that stop bodies without width.
inline bool sees_over_walls(const Frame& frame, std::int64_t i, std::int64_t j) {
    if (!frame.ground) return true;
    const Ground& ground = *frame.ground;
    const Agents& agents = frame.agents;
    const auto point = [&](std::int64_t of) {
        return sight_point(ground.column_at(agents.position[0].now[of]),
                           ground.row_at(agents.position[1].now[of]));
    };
    const Map& map = frame.land->terrain.grid(0).map;
    return is_clear_line({nullptr, map.cost.data(), map.columns, map.rows}, point(i), point(j));
}

}  // namespace horde
