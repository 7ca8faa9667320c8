#include <algorithm>
#include <array>
#include <string>

#include "horde/error.h"
#include "sim/field/directions.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

std::string text_of(Cell c) {
    return "column " + std::to_string(c.column) + ", row " + std::to_string(c.row);
}

[[noreturn]] void refuse_goal(std::size_t number, Cell goal, const std::string& why) {
    throw Error("goal " + std::to_string(number) + " (" + text_of(goal) + ") " + why);
}

// Marks the part that `first` belongs to with `mark` and returns its number of cells. Every diagonal step has
// two straight ones beside it, so straight steps alone reach the whole part.
std::size_t flood(const Map& map, std::uint32_t first, std::uint8_t mark, std::vector<std::uint8_t>& marks,
                  std::vector<std::uint32_t>& open) {
    const auto columns = static_cast<std::uint32_t>(map.columns);
    const auto cells = static_cast<std::uint32_t>(map.cost.size());
    std::size_t count = 0;
    const auto visit = [&](std::uint32_t cell) {
        if (map.cost[cell] == kWallCost || marks[cell] == mark) return;
        marks[cell] = mark;
        ++count;
        open.push_back(cell);
    };
    visit(first);
    while (!open.empty()) {
        const std::uint32_t cell = open.back();
        open.pop_back();
        const std::uint32_t column = cell % columns;
        if (column + 1 < columns) visit(cell + 1);
        if (column > 0) visit(cell - 1);
        if (cell + columns < cells) visit(cell + columns);
        if (cell >= columns) visit(cell - columns);
    }
    return count;
}

std::uint8_t bit_if_free(std::uint8_t cost, unsigned bit) {
    return cost != kWallCost ? static_cast<std::uint8_t>(bit) : std::uint8_t{0};
}

// The legal moves of a block of cells in a row. A diagonal bit stands where both
// straight bits beside it do; in bytes alone and of constant length, so that compilers use lanes.
void mark_block(const std::uint8_t* here, std::size_t stride, std::array<std::uint8_t, kRowBlock>& moves) {
    const std::uint8_t* const above = here - stride;
    const std::uint8_t* const below = here + stride;
    // Of the cells to the west; an index of -1 would be a huge unsigned one.
    const std::uint8_t* const west_here = here - 1;
    const std::uint8_t* const west_above = above - 1;
    const std::uint8_t* const west_below = below - 1;
    for (std::size_t i = 0; i < kRowBlock; ++i) {
        const std::uint8_t east = bit_if_free(here[i + 1], 1 | 16 | 128);
        const std::uint8_t south = bit_if_free(below[i], 2 | 16 | 32);
        const std::uint8_t west = bit_if_free(west_here[i], 4 | 32 | 64);
        const std::uint8_t north = bit_if_free(above[i], 8 | 64 | 128);
        const std::uint8_t straight = (east | south | west | north) & 15;
        const std::uint8_t south_east = east & south & bit_if_free(below[i + 1], 16);
        const std::uint8_t south_west = south & west & bit_if_free(west_below[i], 32);
        const std::uint8_t north_west = west & north & bit_if_free(west_above[i], 64);
        const std::uint8_t north_east = north & east & bit_if_free(above[i + 1], 128);
        moves[i] = (straight | south_east | south_west | north_west | north_east) & bit_if_free(here[i], 255);
    }
}

}  // namespace

void check_map(const Map& map) {
    const std::string size = std::to_string(map.columns) + " x " + std::to_string(map.rows);
    if (map.columns < 0 || map.rows < 0 || map.columns > kMaxMapSide || map.rows > kMaxMapSide)
        throw Error("map of " + size + " cells: each side must be 0 to " + std::to_string(kMaxMapSide));
    const std::size_t cells = static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows);
    if (map.cost.size() != cells)
        throw Error("map of " + size + " cells has " + std::to_string(map.cost.size()) + " costs: give " +
                    std::to_string(cells));
    const auto zero = std::find(map.cost.begin(), map.cost.end(), std::uint8_t{0});
    if (zero == map.cost.end()) return;
    const auto index = static_cast<std::int32_t>(zero - map.cost.begin());
    throw Error("map: cost 0 at " + text_of({index % map.columns, index / map.columns}) +
                ": give 1 to 254, or 255 for a wall");
}

void check_goals(const Map& map, std::span<const Cell> goals) {
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (!map.contains(goals[i])) refuse_goal(i, goals[i], "lies outside the map: choose a cell inside");
        if (!map.is_free(goals[i])) refuse_goal(i, goals[i], "lies in a wall: choose a free cell");
    }
}

void FieldBuilder::check_goals_inside(std::span<const Cell> goals) const {
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const Cell g = goals[i];
        if (g.column < 0 || g.row < 0 || g.column >= columns_ || g.row >= rows_)
            refuse_goal(i, g, "lies outside the map: choose a cell inside");
        if (cost_[padded_index(g)] == kWallCost) refuse_goal(i, g, "lies in a wall: choose a free cell");
    }
}

void FieldBuilder::set_map(const Map& map) {
    check_map(map);
    columns_ = map.columns;
    rows_ = map.rows;
    stride_ = static_cast<std::size_t>(columns_) + 2;
    cost_.assign(padded_cells() + kRowBlock, kWallCost);
    for (std::int32_t row = 0; row < rows_; ++row) {
        const auto from = map.cost.begin() + static_cast<std::ptrdiff_t>(map.index({0, row}));
        std::copy(from, from + columns_, cost_.begin() + static_cast<std::ptrdiff_t>(padded_index({0, row})));
    }
    std::uint8_t least = kWallCost;
    std::uint8_t greatest = 1;
    for (const std::uint8_t cost : map.cost) {
        least = std::min(least, cost);
        greatest = std::max(greatest, cost == kWallCost ? std::uint8_t{1} : cost);
    }
    least_cost_ = least == kWallCost ? 1u : least;
    greatest_cost_ = greatest;
    mark_moves();
}

void FieldBuilder::mark_moves() {
    moves_.assign(cost_.size(), 0);
    const auto columns = static_cast<std::size_t>(columns_);
    std::array<std::uint8_t, kRowBlock> block;
    for (std::int32_t row = 0; row < rows_; ++row) {
        const std::size_t first = padded_index({0, row});
        for (std::size_t i = 0; i < columns; i += kRowBlock) {
            mark_block(cost_.data() + first + i, stride_, block);
            std::copy_n(block.begin(), std::min(kRowBlock, columns - i), moves_.data() + first + i);
        }
    }
}

std::vector<std::uint32_t> largest_connected_part(const Map& map) {
    check_map(map);
    const auto cells = static_cast<std::uint32_t>(map.cost.size());
    constexpr std::uint8_t kSeen = 1;
    constexpr std::uint8_t kLargest = 2;
    std::vector<std::uint8_t> marks(cells, 0);
    std::vector<std::uint32_t> open;
    std::uint32_t largest_first = 0;
    std::size_t largest_count = 0;
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (map.cost[cell] == kWallCost || marks[cell] != 0) continue;
        const std::size_t count = flood(map, cell, kSeen, marks, open);
        if (count <= largest_count) continue;
        largest_count = count;
        largest_first = cell;
    }
    std::vector<std::uint32_t> part;
    if (largest_count == 0) return part;
    flood(map, largest_first, kLargest, marks, open);
    part.reserve(largest_count);
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (marks[cell] == kLargest) part.push_back(cell);
    }
    return part;
}

}  // namespace horde
