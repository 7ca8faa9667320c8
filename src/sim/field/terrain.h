/// What the ground costs, and what edits, slopes and crowds make of it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "horde/field.h"
#include "sim/field/terrain_layer.h"

namespace horde {

/// Composes for each layer the cost of each cell: the layer's cost for the map's own one, plus slope, stamps
/// and density, at most 254; kWallCost in a wall (of the map, too steep, or under a wall stamp), where the
/// layer must not go, and nearer to either than its clearance. Layer 0 has the plain costs and no clearance:
/// its walls are those that stop agents.
///
/// Edits gather until `commit` puts all of them in force at once. Whatever their order, costs and `hash`
/// depend only on the map's own costs, the stamps that live and the densities.
class Terrain {
  public:
    /// `slope`: what is added to each cell for its slope, kWallCost where it is too steep; or empty.
    /// `layers`: those beyond layer 0. Throws Error as check_map does.
    Terrain(Map map, std::vector<std::uint8_t> slope, std::vector<LayerRule> layers);

    int layer_count() const { return static_cast<int>(layers_.size()); }
    const LayerRule& rule(int layer) const { return layers_[static_cast<std::size_t>(layer)].rule(); }
    /// As of the last commit; `changed` is empty if that changed nothing in the layer.
    LayerCosts layer(int layer) const { return layers_[static_cast<std::size_t>(layer)].costs(); }
    /// The costs alone.
    const CostGrid& grid(int layer) const { return layers_[static_cast<std::size_t>(layer)].grid(); }

    /// Adds a wall (cost kWallCost) or extra cost (1 to 254). Throws Error for another cost, no cells, or
    /// cells outside the map; a cell named twice counts once.
    StampId stamp(const CellArea& area, int cost);
    StampId stamp(std::span<const Cell> cells, int cost);
    /// Takes a stamp away. Throws Error if there is none of that id.
    void unstamp(StampId id);
    /// Sets the map's own cost, 1 to 254, or kWallCost. Throws Error as `stamp` does.
    void set_cost(const CellArea& area, int cost);
    /// What a crowd adds to the cost of a cell, 0 to 254.
    void set_density(std::uint32_t cell, std::uint8_t extra);
    /// Makes `densities` hold a value for each cell, at first 0.
    void allow_densities();
    std::span<const std::uint8_t> densities() const { return density_; }

    /// Throws Error, with `what` as the one who asks, for an area or a cost that an edit must not have.
    void check_area(const char* what, const CellArea& area) const;
    static void check_cost(const char* what, int cost);

    bool is_pending() const { return !touched_.empty(); }
    /// Puts edits in force. True if a cost of any layer changed.
    bool commit();

    /// As edited, before `commit` too.
    bool is_wall(Cell cell) const { return !map_.contains(cell) || is_wall(map_.index(cell)); }

    /// Of all that differs from the start: 0 if nothing does.
    std::uint64_t hash() const { return stamps_hash_ + costs_hash_ + density_hash_; }

    /// With the costs that it had before any edit.
    Map start_map() const;

  private:
    friend struct TerrainState;  // that files keep

    struct CellRun {
        std::uint32_t first;
        std::uint32_t count;
    };
    struct Stamp {
        int cost;
        std::vector<CellRun> runs;
        std::uint64_t hash;
    };

    bool is_wall(std::size_t cell) const {
        return map_.cost[cell] == kWallCost || (!slope_.empty() && slope_[cell] == kWallCost) ||
               (!walls_.empty() && walls_[cell] != 0);
    }
    static std::uint64_t stamp_hash(int cost, std::span<const CellRun> runs);
    // Of a cell that has this cost, or this density, instead of what it had at the start.
    static std::uint64_t cost_hash(std::uint32_t cell, std::uint8_t value);
    static std::uint64_t density_hash(std::uint32_t cell, std::uint8_t value);

    TerrainLayer::CellNow cell_now(const LayerRule& rule, std::uint32_t cell) const;
    void touch(std::uint32_t cell);
    StampId add_stamp(int cost, std::vector<CellRun> runs);
    void apply(const Stamp& stamp, bool add);

    Map map_;  ///< with the map's own costs
    std::vector<std::uint8_t> slope_;
    std::vector<TerrainLayer> layers_;
    std::map<StampId, Stamp> stamps_;
    StampId next_stamp_ = 1;
    std::vector<std::uint8_t> start_cost_;  ///< what the map's costs were; from the first set_cost on
    std::vector<std::uint32_t> walls_;      ///< wall stamps on each cell; from the first one on
    std::vector<std::uint32_t> extra_;      ///< sum of the other stamps on each cell; likewise
    std::vector<std::uint8_t> density_;     ///< likewise
    std::vector<std::uint8_t> is_touched_;
    std::vector<std::uint32_t> touched_;
    std::uint64_t stamps_hash_ = 0;
    std::uint64_t costs_hash_ = 0;
    std::uint64_t density_hash_ = 0;
};

}  // namespace horde
