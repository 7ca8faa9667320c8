/// What a crowd adds to the cost of the cells that it stands in.
#pragma once

#include <cstdint>
#include <vector>

#include "base/executor.h"
#include "sim/field/terrain.h"

namespace horde {

/// Places of agents in the cells of a map: local coordinates, and where the map's corner is among them.
struct CrowdPlaces {
    const float* x = nullptr;
    const float* y = nullptr;
    std::int64_t count = 0;
    double left = 0.0;
    double top = 0.0;
};

/// Adds to a cell `gain` times the agents a square metre in the free cells among the 3 x 3 around it, rounded
/// down, at most `cap`; nothing in walls. Agents are counted in integers, so the order of agents and the
/// number of threads do not matter.
class Density {
  public:
    /// `gain` in square metres; `cap` 0 to 254.
    Density(const Map& map, double gain, int cap);

    /// Counts the agents anew and tells the terrain, whose next commit puts it in force. All agents must be
    /// inside the map.
    void update(Terrain& terrain, const CrowdPlaces& places, Executor& executor);

    /// As if the terrain's densities came from an update that has just been made.
    void take(const Terrain& terrain);

  private:
    struct Change {
        std::uint32_t cell;
        std::uint8_t extra;
    };
    // What a chunk of rows works with.
    struct Scratch {
        std::vector<std::uint8_t> near;   // by block of a row: 1 if one beside it, or itself, is marked
        std::vector<std::uint32_t> sums;  // of three rows, by column
        std::vector<Change> changes;
    };
    std::size_t mark_index(std::int32_t row, std::int32_t block) const;
    void count_agents(const CrowdPlaces& places, Executor& executor);
    void find_near(std::int32_t row, std::vector<std::uint8_t>& near) const;
    void sum_block(const Terrain& terrain, std::int32_t row, std::int32_t block, Scratch& scratch) const;
    void clear_counts();

    std::int32_t columns_;
    std::int32_t rows_;
    std::int32_t blocks_;  // of a row
    double cell_size_;
    float gain_;  // cost for each agent a cell
    int cap_;
    std::vector<std::uint32_t> agents_;  // in each cell
    // By row and block, with a border of one: 1 if an agent is in it, now and at the last update. Elsewhere
    // nothing needs to be looked at.
    std::vector<std::uint8_t> marked_;
    std::vector<std::uint8_t> marked_before_;
    std::vector<Scratch> scratch_;
};

}  // namespace horde
