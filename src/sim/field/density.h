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

  private:
    struct RowRange {
        std::int32_t first;
        std::int32_t last;  ///< before `first`: none
    };
    struct Change {
        std::uint32_t cell;
        std::uint8_t extra;
    };
    RowRange count_agents(const CrowdPlaces& places, Executor& executor);
    void sum_rows(const Terrain& terrain, RowRange rows, std::vector<std::uint32_t>& sums,
                  std::vector<Change>& changes) const;
    void clear_counts(RowRange rows);

    std::int32_t columns_;
    std::int32_t rows_;
    double cell_size_;
    float gain_;  ///< cost for each agent a cell
    int cap_;
    std::vector<std::uint32_t> agents_;             ///< in each cell
    std::vector<RowRange> ranges_;                  ///< of each chunk of agents
    std::vector<std::vector<std::uint32_t>> sums_;  ///< of each chunk of rows
    std::vector<std::vector<Change>> changes_;      ///< likewise
    RowRange before_{0, -1};                        ///< rows where densities may not be 0
};

}  // namespace horde
