// Floors drawn in characters, and a slow second opinion on what a body meets on its way.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/walls/floor.h"

namespace horde::test {

inline Map map_of(const std::vector<std::string>& rows) {
    Map map;
    map.rows = static_cast<std::int32_t>(rows.size());
    map.columns = static_cast<std::int32_t>(rows[0].size());
    for (const std::string& row : rows) {
        for (const char c : row) map.cost.push_back(c == '@' ? kWallCost : 1);
    }
    return map;
}

inline Floor floor_of(const Map& map) {
    Floor floor;
    floor.set(map);
    return floor;
}

// Distance, in cells and by the larger axis, from the nearest wall or border of the map; at most `reach`.
inline double gap_to_walls(const Map& map, double column, double row, std::int32_t reach = 1) {
    const auto c = static_cast<std::int32_t>(std::floor(column)),
               r = static_cast<std::int32_t>(std::floor(row));
    double gap = reach;
    for (std::int32_t y = r - reach; y <= r + reach; ++y) {
        for (std::int32_t x = c - reach; x <= c + reach; ++x) {
            if (map.is_free({x, y})) continue;
            const double dx = std::max({x - column, column - (x + 1), 0.0});
            const double dy = std::max({y - row, row - (y + 1), 0.0});
            gap = std::min(gap, std::max(dx, dy));
        }
    }
    return gap;
}

struct SlowSlide {
    double column;
    double row;
    bool blocked_x;
    bool blocked_y;
};

// The same motion by another way: every wall of the map, and a ring around it, is a square widened by the
// half side of the body, and the earliest time at which a point comes into one of them is taken (slabs: the
// latest entry of the two axes before the earliest exit). What the wall takes is dropped, and so on.
inline SlowSlide slow_slide(const Map& map, double half, double column, double row, double dx, double dy) {
    SlowSlide at{column, row, false, false};
    for (int round = 0; round < 3; ++round) {
        double first = 1.0, contact = 0.0;
        int axis = -1;
        for (std::int32_t r = -1; r <= map.rows; ++r) {
            for (std::int32_t c = -1; c <= map.columns; ++c) {
                if (map.is_free({c, r})) continue;
                const double low[2] = {c - half, r - half}, high[2] = {c + 1 + half, r + 1 + half};
                const double from[2] = {at.column, at.row}, by[2] = {dx, dy};
                double in = -1e30, out = 1e30;
                int in_axis = -1;
                for (int k = 0; k < 2; ++k) {
                    if (by[k] == 0.0) {
                        if (from[k] <= low[k] || from[k] >= high[k]) out = -1e30;
                        continue;
                    }
                    const double enter = ((by[k] > 0 ? low[k] : high[k]) - from[k]) / by[k];
                    const double leave = ((by[k] > 0 ? high[k] : low[k]) - from[k]) / by[k];
                    if (enter > in) in = enter, in_axis = k;
                    out = std::min(out, leave);
                }
                if (in_axis < 0 || in >= out || in < -1e-9 || in >= first) continue;
                first = std::max(in, 0.0);
                axis = in_axis;
                contact = by[axis] > 0 ? low[axis] : high[axis];
            }
        }
        at.column += dx * first;
        at.row += dy * first;
        if (axis < 0) break;
        (axis == 0 ? at.blocked_x : at.blocked_y) = true;
        (axis == 0 ? at.column : at.row) = contact;  // not a rounding inside
        dx = axis == 0 ? 0.0 : dx * (1.0 - first);
        dy = axis == 1 ? 0.0 : dy * (1.0 - first);
    }
    return at;
}

}  // namespace horde::test
