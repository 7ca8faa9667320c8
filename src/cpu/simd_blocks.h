// Blocks of agents that lie together.
#pragma once

#include <cstdint>

#include "cpu/lanes/lanes.h"
#include "sim/frame.h"

namespace horde {

// The box around some agents, in metres, and a lattice point near its middle.
struct BlockBox {
    float lo[3];
    float hi[3];
    float centre[3];
    float half[3];  // nobody is farther than this from the centre
};

// Cuts [begin, end) into blocks of neighbours in space, following the order of the grid.
class BlockWalk {
  public:
    BlockWalk(const Frame& frame, std::int64_t begin, std::int64_t end);

    // The next block, of 1 to kMostBlockAgents agents; false at the end.
    bool next(std::int64_t& begin, std::int64_t& end);

  private:
    std::int64_t end_in_row(std::int64_t begin);
    std::int64_t end_in_sparse_row(std::int64_t begin);

    GridView grid_;
    std::int64_t at_;
    std::int64_t end_;
    std::int64_t cell_ = 0;  // a number of a dense or an occupied cell, none before which is needed any more
    std::int64_t row_ = 0;   // not of sparse grids
    std::int64_t row_end_ = 0;  // the first cell of the next row
    std::int64_t most_cells_ = 1;
};

// Some agents: `list`, or without one those from `first` on.
struct Members {
    std::int64_t first;
    const std::uint32_t* list;
    std::int64_t count;

    std::int64_t operator[](std::int64_t n) const { return list == nullptr ? first + n : list[n]; }
    Members part(std::int64_t begin, std::int64_t end) const {
        return {first + begin, list == nullptr ? nullptr : list + begin, end - begin};
    }
};

BlockBox box_of(const Frame& frame, const LaneSet& lanes, const Members& members);

}  // namespace horde
