// Blocks of agents that lie together, and the runs of candidates around one.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/lanes/lanes.h"
#include "sim/frame.h"

namespace horde {

// The box around some agents, in metres, and a lattice point near its middle.
struct BlockBox {
    float lo[3];
    float hi[3];
    float centre[3];
};

// Cuts [begin, end) into blocks of neighbours in space, following the order of the grid.
class BlockWalk {
  public:
    BlockWalk(const Frame& frame, std::int64_t begin, std::int64_t end);

    // The next block, of 1 to kMostBlockAgents agents; false at the end.
    bool next(std::int64_t& begin, std::int64_t& end);

  private:
    std::int64_t end_in_row(std::int64_t begin) const;
    std::int64_t end_in_sparse_row(std::int64_t begin);

    const Frame& frame_;
    std::int64_t at_;
    std::int64_t end_;
    std::int64_t sparse_cell_ = 0;
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

// Can lanes tell all offsets within `reach` metres of the box apart? They have 2^22 units to either side of
// the centre, and in a periodic world no image may come twice.
bool fits_lanes(const Frame& frame, const BlockBox& box, double reach);

// Where the candidates of a block are.
struct CandidateRuns {
    std::vector<LaneRun> runs;
    std::int64_t candidates = 0;
};

// Cuts runs into batches of kCandidateRoom candidates at most.
class CandidateBatches {
  public:
    CandidateBatches(const std::vector<LaneRun>& runs, std::vector<LaneRun>& batch)
        : runs_(runs), batch_(batch) {}

    // Fills `batch` with the next one; false at the end.
    bool next();

  private:
    const std::vector<LaneRun>& runs_;
    std::vector<LaneRun>& batch_;
    std::size_t run_ = 0;
    std::int32_t done_ = 0;  // of that run
};

// Runs that together hold, once, every agent within `reach` of the box; beside it others.
void find_runs(const Frame& frame, const BlockBox& box, double reach, CandidateRuns& found);

}  // namespace horde
