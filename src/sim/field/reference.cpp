#include <queue>
#include <tuple>

#include "sim/field/directions.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

Cell neighbour_of(Cell c, int direction) {
    return {c.column + kColumnStep[static_cast<std::size_t>(direction)],
            c.row + kRowStep[static_cast<std::size_t>(direction)]};
}

bool is_legal_step(const Map& map, Cell from, int direction) {
    const Cell to = neighbour_of(from, direction);
    if (!map.is_free(from) || !map.is_free(to)) return false;
    if (!is_diagonal(direction)) return true;
    return map.is_free({to.column, from.row}) && map.is_free({from.column, to.row});
}

std::uint64_t step_cost(const Map& map, Cell from, int direction) {
    return std::uint64_t{map.cost[map.index(from)]} * step_length(direction);
}

void integrate_with_heap(const Map& map, Field& field) {
    using Entry = std::tuple<std::uint64_t, std::int32_t, std::int32_t>;  // value, column, row
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const Cell goal : field.goals) {
        field.wide_integration[map.index(goal)] = 0;
        open.emplace(0, goal.column, goal.row);
    }
    while (!open.empty()) {
        const auto [value, column, row] = open.top();
        const Cell here{column, row};
        open.pop();
        if (value != field.wide_integration[map.index(here)]) continue;
        for (int d = 0; d < kDirectionCount; ++d) {
            if (!is_legal_step(map, here, d)) continue;  // legal both ways or neither
            const Cell there = neighbour_of(here, d);
            const std::uint64_t next = value + step_cost(map, there, d);
            if (next >= field.wide_integration[map.index(there)]) continue;
            field.wide_integration[map.index(there)] = next;
            open.emplace(next, there.column, there.row);
        }
    }
}

Direction best_step(const Map& map, const Field& field, Cell here) {
    const std::uint64_t own = field.wide_integration[map.index(here)];
    if (own == 0) return Direction::kGoal;
    if (own == kUnreachable64) return Direction::kUnreachable;
    auto best = Direction::kUnreachable;
    std::uint64_t least = kUnreachable64;
    for (int d = 0; d < kDirectionCount; ++d) {
        if (!is_legal_step(map, here, d)) continue;
        const std::uint64_t sum =
            field.wide_integration[map.index(neighbour_of(here, d))] + step_cost(map, here, d);
        if (sum >= least) continue;
        least = sum;
        best = static_cast<Direction>(d);
    }
    return best;
}

}  // namespace

Field build_field_reference(const Map& map, std::span<const Cell> goals) {
    check_map(map);
    check_goals(map, goals);
    Field field;
    field.columns = map.columns;
    field.rows = map.rows;
    field.goals.assign(goals.begin(), goals.end());
    field.wide_integration.assign(map.cost.size(), kUnreachable64);
    integrate_with_heap(map, field);
    field.flow.resize(map.cost.size());
    for (Cell c; c.row < map.rows; ++c.row) {
        for (c.column = 0; c.column < map.columns; ++c.column)
            field.flow[map.index(c)] = best_step(map, field, c);
    }
    return field;
}

}  // namespace horde
