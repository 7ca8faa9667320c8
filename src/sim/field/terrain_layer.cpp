#include "sim/field/terrain_layer.h"

namespace horde {

LayerRule::LayerRule() {
    for (std::size_t k = 0; k < cost.size(); ++k) cost[k] = static_cast<std::uint8_t>(k);
}

void CostGridPool::reset(Map map, std::uint32_t version) {
    current_.reset();
    grids_.clear();
    grids_.push_back({std::make_shared<CostGrid>(CostGrid{std::move(map), version}), {}, false});
    now_ = 0;
    current_ = grids_[0].grid;
}

// A grid that only the pool holds, or a new one.
std::size_t CostGridPool::take_free_grid() {
    for (std::size_t g = 0; g < grids_.size(); ++g) {
        if (g == now_ || grids_[g].grid.use_count() != 1) continue;
        // Whoever held it last may have let go on another thread: this decrement is ordered after that one,
        // and with it all that was read from the grid.
        std::shared_ptr<CostGrid>(grids_[g].grid).reset();
        return g;
    }
    grids_.push_back({std::make_shared<CostGrid>(), {}, true});
    return grids_.size() - 1;
}

void CostGridPool::commit(std::span<const std::uint32_t> cells, std::span<const std::uint8_t> costs) {
    const std::size_t g = take_free_grid();
    Pooled& next = grids_[g];
    const CostGrid& present = *grids_[now_].grid;
    if (next.all_behind) {
        next.grid->map = present.map;  // in the memory that it has
    } else {
        for (const std::uint32_t cell : next.behind) next.grid->map.cost[cell] = present.map.cost[cell];
    }
    next.behind.clear();
    next.all_behind = false;
    for (std::size_t k = 0; k < cells.size(); ++k) next.grid->map.cost[cells[k]] = costs[k];
    next.grid->version = present.version + 1;
    const std::size_t most_behind = present.map.cost.size() / 8;  // then copying it whole is as cheap
    for (std::size_t other = 0; other < grids_.size(); ++other) {
        Pooled& grid = grids_[other];
        if (other == g || grid.all_behind) continue;
        if (grid.behind.size() + cells.size() > most_behind) {
            grid.all_behind = true;
            grid.behind.clear();
        } else {
            grid.behind.insert(grid.behind.end(), cells.begin(), cells.end());
        }
    }
    now_ = g;
    current_ = next.grid;
}

// Blocked cells around each cell: sums along the rows, then along the columns, each by a window that moves.
void TerrainLayer::count_blocked(const Map& map) {
    const std::int32_t reach = rule_.clearance;
    const auto columns = static_cast<std::size_t>(columns_);
    near_.assign(blocked_.size(), 0);
    std::vector<std::uint16_t> along(blocked_.size());  // at most 255
    for (std::int32_t r = 0; r < rows_; ++r) {
        const auto outside_or_blocked = [&](std::int32_t c) {
            return c < 0 || c >= columns_ || blocked_[map.index({c, r})] != 0;
        };
        int count = 0;
        for (std::int32_t c = -reach; c < reach; ++c) count += outside_or_blocked(c);
        for (std::int32_t c = 0; c < columns_; ++c) {
            count += outside_or_blocked(c + reach);
            along[map.index({c, r})] = static_cast<std::uint16_t>(count);
            count -= outside_or_blocked(c - reach);
        }
    }
    const auto width = static_cast<std::uint16_t>(2 * reach + 1);
    std::vector<std::uint16_t> sum(columns, 0);
    const auto add_row = [&](std::int32_t r, bool add) {
        const bool outside = r < 0 || r >= rows_;
        const std::uint16_t* row = outside ? nullptr : along.data() + map.index({0, r});
        for (std::size_t c = 0; c < columns; ++c) {
            const std::uint16_t count = outside ? width : row[c];
            sum[c] = static_cast<std::uint16_t>(add ? sum[c] + count : sum[c] - count);
        }
    };
    for (std::int32_t r = -reach; r < reach; ++r) add_row(r, true);
    for (std::int32_t r = 0; r < rows_; ++r) {
        add_row(r + reach, true);
        std::copy(sum.begin(), sum.end(), near_.begin() + static_cast<std::ptrdiff_t>(map.index({0, r})));
        add_row(r - reach, false);
    }
}

void TerrainLayer::look_again(std::uint32_t cell) {
    if (listed_[cell] != 0) return;
    listed_[cell] = 1;
    again_.push_back(cell);
}

void TerrainLayer::block(std::uint32_t cell, bool blocked) {
    blocked_[cell] = blocked ? 1 : 0;
    if (rule_.clearance == 0) return;
    const auto column = static_cast<std::int32_t>(cell % static_cast<std::uint32_t>(columns_));
    const auto row = static_cast<std::int32_t>(cell / static_cast<std::uint32_t>(columns_));
    const std::int32_t last_row = std::min(row + rule_.clearance, rows_ - 1);
    const std::int32_t last_column = std::min(column + rule_.clearance, columns_ - 1);
    for (std::int32_t r = std::max(row - rule_.clearance, 0); r <= last_row; ++r) {
        for (std::int32_t c = std::max(column - rule_.clearance, 0); c <= last_column; ++c) {
            const auto at = static_cast<std::uint32_t>(r) * static_cast<std::uint32_t>(columns_) +
                            static_cast<std::uint32_t>(c);
            std::uint16_t& count = near_[at];
            count = static_cast<std::uint16_t>(blocked ? count + 1 : count - 1);
            if (count == (blocked ? 1 : 0)) look_again(at);
        }
    }
}

}  // namespace horde
