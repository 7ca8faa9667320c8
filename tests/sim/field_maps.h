/// Random maps for the tests of fields.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "horde/field.h"

namespace horde {

/// A map drawn from rows of text: '.' cost 1, '1' to '9' that cost, '#' a wall.
inline Map map_of(const std::vector<std::string>& rows) {
    Map map;
    map.rows = static_cast<std::int32_t>(rows.size());
    map.columns = rows.empty() ? 0 : static_cast<std::int32_t>(rows[0].size());
    for (const std::string& row : rows) {
        for (const char c : row)
            map.cost.push_back(c == '#' ? kWallCost : static_cast<std::uint8_t>(c == '.' ? 1 : c - '0'));
    }
    return map;
}

/// Walls with the given chance out of 100, other costs 1 to `greatest_cost`.
inline Map random_map(std::mt19937& random, std::int32_t columns, std::int32_t rows, unsigned wall_percent,
                      unsigned greatest_cost) {
    Map map{columns, rows, 1.0, {}};
    map.cost.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    for (auto& cost : map.cost)
        cost = random() % 100 < wall_percent ? kWallCost
                                             : static_cast<std::uint8_t>(1 + random() % greatest_cost);
    return map;
}

/// Up to `count` free cells, in random order and possibly the same one twice; none if there is no free cell.
inline std::vector<Cell> random_goals(std::mt19937& random, const Map& map, std::size_t count) {
    std::vector<Cell> free_cells;
    for (Cell c; c.row < map.rows; ++c.row) {
        for (c.column = 0; c.column < map.columns; ++c.column)
            if (map.is_free(c)) free_cells.push_back(c);
    }
    std::vector<Cell> goals;
    while (!free_cells.empty() && goals.size() < count)
        goals.push_back(free_cells[random() % free_cells.size()]);
    return goals;
}

}  // namespace horde
