#include "sim/field/heights.h"

#include <algorithm>
#include <cmath>

#include "base/platform.h"
#include "base/random.h"
#include "horde/error.h"
#include "horde/scene.h"

namespace horde {
namespace {

// Noise between 0 and 1: a value for each point of a lattice, smoothly blended between them.
double smooth_noise(double x, double y, std::uint64_t key) {
    const auto column = static_cast<std::int64_t>(std::floor(x));
    const auto row = static_cast<std::int64_t>(std::floor(y));
    const double fx = x - static_cast<double>(column);
    const double fy = y - static_cast<double>(row);
    const double u = fx * fx * (3.0 - 2.0 * fx);
    const double v = fy * fy * (3.0 - 2.0 * fy);
    const auto at = [&](std::int64_t c, std::int64_t r) {
        const std::uint64_t bits =
            mix64(mix64(key, static_cast<std::uint64_t>(c)), static_cast<std::uint64_t>(r));
        return to_unit_interval<double>(bits);
    };
    const double above = at(column, row) + u * (at(column + 1, row) - at(column, row));
    const double below = at(column, row + 1) + u * (at(column + 1, row + 1) - at(column, row + 1));
    return above + v * (below - above);
}

}  // namespace

std::vector<std::uint8_t> slope_costs(const Map& map, std::span<const float> heights,
                                      std::span<const double> limits, std::span<const std::uint8_t> costs) {
    HORDE_ASSERT(heights.size() == map.cost.size() && limits.size() == costs.size());
    std::vector<std::uint8_t> added(heights.size());
    for (Cell c; c.row < map.rows; ++c.row) {
        for (c.column = 0; c.column < map.columns; ++c.column) {
            const double own = heights[map.index(c)];
            double rise = 0.0;
            for (const Cell beside : {Cell{c.column + 1, c.row}, Cell{c.column, c.row + 1},
                                      Cell{c.column - 1, c.row}, Cell{c.column, c.row - 1}}) {
                if (map.contains(beside)) rise = std::max(rise, std::fabs(heights[map.index(beside)] - own));
            }
            const double slope = rise / map.cell_size;
            const auto limit = std::upper_bound(limits.begin(), limits.end(), slope);
            added[map.index(c)] =
                limit == limits.end() ? kWallCost : costs[static_cast<std::size_t>(limit - limits.begin())];
        }
    }
    return added;
}

double height_between(const Map& map, std::span<const float> heights, double column, double row) {
    const double x = std::clamp(column - 0.5, 0.0, static_cast<double>(map.columns - 1));
    const double y = std::clamp(row - 0.5, 0.0, static_cast<double>(map.rows - 1));
    const auto c = std::min(static_cast<std::int32_t>(x), std::max(map.columns - 2, 0));
    const auto r = std::min(static_cast<std::int32_t>(y), std::max(map.rows - 2, 0));
    const std::int32_t right = std::min(c + 1, map.columns - 1);
    const std::int32_t under = std::min(r + 1, map.rows - 1);
    const auto at = [&](std::int32_t cell_column, std::int32_t cell_row) {
        return static_cast<double>(heights[map.index({cell_column, cell_row})]);
    };
    const double above = at(c, r) + (x - c) * (at(right, r) - at(c, r));
    const double below = at(c, under) + (x - c) * (at(right, under) - at(c, under));
    return above + (y - r) * (below - above);
}

std::vector<float> generate_hills(const Map& map, double height, double size, std::uint64_t seed) {
    if (!(size > 0.0) || !std::isfinite(size)) throw Error("hills: their size must be more than 0 metres");
    if (!std::isfinite(height) || height < 0.0) throw Error("hills: their height must be 0 metres or more");
    std::vector<float> heights(map.cost.size());
    for (Cell c; c.row < map.rows; ++c.row) {
        for (c.column = 0; c.column < map.columns; ++c.column) {
            const double x = (c.column + 0.5) * map.cell_size / size;
            const double y = (c.row + 0.5) * map.cell_size / size;
            const double noise = 0.7 * smooth_noise(x, y, mix64(seed, 1)) +
                                 0.3 * smooth_noise(2.0 * x, 2.0 * y, mix64(seed, 2));
            heights[map.index(c)] = static_cast<float>(height * noise);
        }
    }
    return heights;
}

}  // namespace horde
