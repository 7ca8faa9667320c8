// The map under the agents: where walls are for bodies of every width.
#pragma once

#include <cstdint>
#include <vector>

#include "base/platform.h"
#include "horde/field.h"
#include "sim/walls/floor.h"

namespace horde {

// A map placed in the world's floats. Lengths of its functions are in cells, from the map's top left corner.
struct Ground {
    Map map;            // costs of layer 0
    double left = 0.0;  // local coordinates of that corner, metres
    double top = 0.0;
    std::vector<Floor> floors;           // by layer; the first is that of the map as it is
    std::vector<std::uint32_t> changed;  // scratch: cells of a floor that an edit closes or opens

    double column_at(float x) const { return (static_cast<double>(x) - left) / map.cell_size; }
    double row_at(float y) const { return (static_cast<double>(y) - top) / map.cell_size; }
    float x_at(double column) const { return static_cast<float>(left + column * map.cell_size); }
    float y_at(double row) const { return static_cast<float>(top + row * map.cell_size); }
    // Index of the cell at a point that is inside the map.
    std::size_t cell_index(double column, double row) const {
        HORDE_ASSERT(column >= 0.0 && row >= 0.0 && column < map.columns && row < map.rows);
        return static_cast<std::size_t>(row) * map.columns + static_cast<std::size_t>(column);
    }
};

}  // namespace horde
