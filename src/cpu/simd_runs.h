// Where the candidates of a block of agents are: runs of the grid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpu/lanes/lanes.h"
#include "cpu/simd_blocks.h"
#include "sim/grid.h"

namespace horde {

// Cells of one axis, those of the image `shift` lengths away.
struct AxisPart {
    std::int64_t lo;
    std::int64_t hi;
    std::int8_t shift;
};

struct AxisParts {
    AxisPart part[3];
    int count = 0;
};

// Finds the runs of one block after the other, quickest if they follow the order of the grid.
class RunFinder {
  public:
    // Before the first block of a grid.
    void begin(const GridView& grid, int dim);

    // Finds runs that together hold, once, every agent within `reach` of the box; beside it others.
    void find(const BlockBox& box, double reach);

    // Takes agents, ascending by index, out of the runs found.
    void leave_out(std::span<const std::uint32_t> agents);

    std::span<const LaneRun> runs() const { return {runs_.data(), run_count_}; }
    std::int64_t candidates() const { return candidates_; }

  private:
    // A row of sparse cells around the block.
    struct SparseRow {
        std::int64_t first, end;  // its cells
        std::int64_t at;          // none before this one has been met in the last block
        std::int8_t shift[2];     // along y and z
    };

    template <class F>
    void for_planes(F&& f);
    void find_in_rows();
    void find_dense();
    void find_sparse();
    void find_rows(const AxisPart& y, const AxisPart& z);
    void add_cells_of(SparseRow& row, const AxisPart& x, std::int64_t first);
    void make_room(std::int64_t runs);
    void add(std::uint32_t begin, std::uint32_t end, std::uint64_t shift);

    GridView grid_;
    int dim_ = 2;
    AxisParts parts_[3];
    std::vector<LaneRun> runs_;  // the first run_count_ of them
    std::size_t run_count_ = 0;
    std::vector<LaneRun> whole_;  // scratch of leave_out
    std::int64_t candidates_ = 0;
    std::vector<SparseRow> rows_;
    AxisParts rows_of_[2];     // the stretches of y and z that the rows are of
    std::int64_t from_x_ = 0;  // where the last block's stretch of x began
};

// Cuts runs into batches of kCandidateRoom candidates at most.
class CandidateBatches {
  public:
    CandidateBatches(std::span<const LaneRun> runs, std::vector<LaneRun>& batch)
        : runs_(runs), batch_(batch) {}

    // Fills `batch` with the next one; false at the end.
    bool next();

  private:
    std::span<const LaneRun> runs_;
    std::vector<LaneRun>& batch_;
    std::size_t run_ = 0;
    std::int32_t done_ = 0;  // of that run
};

}  // namespace horde
