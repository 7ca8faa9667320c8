/// Heights of the ground, and what slopes cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "horde/field.h"

namespace horde {

/// What is added to the cost of each cell for its slope. The slope of a cell is the rise over run to the
/// steepest of the four cells beside it, up or down. Below limits[0] it adds costs[0], else below limits[1]
/// costs[1], and so on; from the last limit on, kWallCost. `heights` in metres, one for each cell of the map;
/// `limits` ascend, and `costs` has as many.
std::vector<std::uint8_t> slope_costs(const Map& map, std::span<const float> heights,
                                      std::span<const double> limits, std::span<const std::uint8_t> costs);

/// The height at a point in cell units: bilinear between cell centres, level beyond the outermost ones.
double height_between(const Map& map, std::span<const float> heights, double column, double row);

}  // namespace horde
