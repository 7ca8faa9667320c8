/// The costs of one layer: what the ground costs a kind of agent, and how far it keeps from walls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/field/cost_grid.h"

namespace horde {

/// What tells a layer from the plain costs.
struct LayerRule {
    std::string name;
    std::int32_t clearance = 0;            ///< cells, diagonals counted as one; at most kMaxClearance
    std::array<std::uint8_t, 256> cost{};  ///< by the map's own cost; kWallCost: not for this layer

    LayerRule();  ///< as the map says
};

/// Beyond it the count of walls around a cell would not fit its type.
inline constexpr std::int32_t kMaxClearance = 127;

/// Hands out grids that never change, and makes the next one in the memory of one that nobody holds any more:
/// a commit costs as many steps as cells have changed since that grid was handed out.
class CostGridPool {
  public:
    /// Starts with this map as that version.
    void reset(Map map, std::uint32_t version = 0);
    const CostGridPtr& current() const { return current_; }

    /// The present costs but for `cells`, which get `costs`: version one higher. Each cell once.
    void commit(std::span<const std::uint32_t> cells, std::span<const std::uint8_t> costs);

  private:
    struct Pooled {
        std::shared_ptr<CostGrid> grid;
        std::vector<std::uint32_t> behind;  ///< cells that may differ from the present costs
        bool all_behind = false;            ///< instead: any may
    };
    std::size_t take_free_grid();

    std::vector<Pooled> grids_;
    std::size_t now_ = 0;
    CostGridPtr current_;
};

/// One layer of a Terrain, which tells it what its cells have become.
class TerrainLayer {
  public:
    /// `blocked` and `cost` of each cell as put in force by the last `commit`.
    struct CellNow {
        bool blocked = false;   ///< for the layer, without regard to clearance
        std::uint8_t cost = 1;  ///< of the cell if it is not
    };

    explicit TerrainLayer(LayerRule rule) : rule_(std::move(rule)) {}
    const LayerRule& rule() const { return rule_; }

    /// Takes all cells anew; `cell(index)` gives a CellNow. The costs are that version of them.
    template <class CellFn>
    void reset(const Map& map, CellFn&& cell, std::uint32_t version = 0);

    /// Takes those of `touched` that changed, each given once; true if the layer's costs did. `cell` as
    /// above.
    template <class CellFn>
    bool commit(std::span<const std::uint32_t> touched, CellFn&& cell);

    LayerCosts costs() const { return {pool_.current(), changed_}; }
    const CostGrid& grid() const { return *pool_.current(); }
    /// As put in force, without regard to clearance.
    bool is_blocked(std::uint32_t cell) const { return blocked_[cell] != 0; }

    /// Forgets what changed: nothing has since.
    void clear_changed() { changed_.clear(); }

  private:
    void count_blocked(const Map& map);
    void block(std::uint32_t cell, bool blocked);
    bool is_closed(std::uint32_t cell) const {
        return rule_.clearance == 0 ? blocked_[cell] != 0 : near_[cell] != 0;
    }
    void look_again(std::uint32_t cell);

    LayerRule rule_;
    std::int32_t columns_ = 0;
    std::int32_t rows_ = 0;
    std::vector<std::uint8_t> blocked_;
    std::vector<std::uint16_t> near_;  ///< blocked cells within the clearance, those outside the map too
    std::vector<std::uint8_t> listed_;
    std::vector<std::uint32_t> again_;  ///< cells whose cost may differ, in any order
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint8_t> changed_cost_;
    CostGridPool pool_;
};

template <class CellFn>
void TerrainLayer::reset(const Map& map, CellFn&& cell, std::uint32_t version) {
    columns_ = map.columns;
    rows_ = map.rows;
    const auto cells = static_cast<std::uint32_t>(map.cost.size());
    blocked_.resize(cells);
    listed_.assign(cells, 0);
    changed_.clear();
    Map costs{map.columns, map.rows, map.cell_size, std::vector<std::uint8_t>(cells)};
    for (std::uint32_t c = 0; c < cells; ++c) {
        const CellNow now = cell(c);
        blocked_[c] = now.blocked ? 1 : 0;
        costs.cost[c] = now.cost;
    }
    if (rule_.clearance > 0) count_blocked(map);
    for (std::uint32_t c = 0; c < cells; ++c) {
        if (is_closed(c)) costs.cost[c] = kWallCost;
    }
    pool_.reset(std::move(costs), version);
}

template <class CellFn>
bool TerrainLayer::commit(std::span<const std::uint32_t> touched, CellFn&& cell) {
    changed_.clear();
    changed_cost_.clear();
    again_.clear();
    for (const std::uint32_t c : touched) {
        const bool blocked = cell(c).blocked;
        if (blocked != (blocked_[c] != 0)) block(c, blocked);
        look_again(c);
    }
    const std::vector<std::uint8_t>& before = pool_.current()->map.cost;
    std::size_t kept = 0;
    for (const std::uint32_t c : again_) {
        listed_[c] = 0;
        const std::uint8_t cost = is_closed(c) ? kWallCost : cell(c).cost;
        if (cost != before[c]) again_[kept++] = c;
    }
    again_.resize(kept);
    if (again_.empty()) return false;
    std::sort(again_.begin(), again_.end());
    changed_.swap(again_);
    for (const std::uint32_t c : changed_) changed_cost_.push_back(is_closed(c) ? kWallCost : cell(c).cost);
    pool_.commit(changed_, changed_cost_);
    return true;
}

}  // namespace horde
