// The grid stage: agents sorted by cell, and their columns brought into that order.
#include <algorithm>

#include "sim/frame.h"

namespace horde {
namespace {

// Brings elements [begin, end) of a column into the order of the grid.
template <class T>
void take(const GridLoops& loops, const std::uint32_t* order, std::int64_t begin, std::int64_t end,
          const T* from, T* to, bool stream) {
    if constexpr (sizeof(T) == 4) {
        loops.take32(order + begin, end - begin, from, to + begin, stream);
    } else if constexpr (sizeof(T) == 8) {
        loops.take64(order + begin, end - begin, from, to + begin, stream);
    } else {
        for (std::int64_t i = begin; i < end; ++i) to[i] = from[order[i]];
    }
}

void regroup_columns(Frame& frame, const GridLoops& loops) {
    constexpr std::int64_t kBlock = 1024;  // agents: the order of a block stays in the first cache
    constexpr std::int64_t kStreamFrom =
        1'000'000;  // agents: the columns of fewer may be cached until they are read
    Agents& agents = frame.agents;
    const std::uint32_t* order = frame.grid.order().data();
    const std::int64_t count = agents.count;
    const bool stream = count >= kStreamFrom;
    frame.executor->for_chunks(
        count, frame.executor->grain(count), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t block = begin; block < end; block += kBlock) {
                const std::int64_t block_end = std::min(block + kBlock, end);
                for_each_column(agents, [&](auto& now, auto& spare, ColumnBit) {
                    take(loops, order, block, block_end, now.data(), spare.data(), stream);
                });
            }
        });
    for_each_column(agents, [&](auto& now, auto& spare, ColumnBit) { now.swap(spare); });
}

}  // namespace

void regroup(Frame& frame, const GridLoops& loops) {
    Agents& agents = frame.agents;
    const Params& params = frame.params;
    const std::int64_t count = agents.count;
    agents.knows_index = false;
    const bool brute =
        params.search == Search::kBrute || (params.search == Search::kAuto && count < params.brute_below);
    if (brute) {
        frame.grid.set_brute(count);
    } else {
        const auto& position = agents.position;
        frame.grid.sort({position[0].now.data(), position[1].now.data(), position[2].now.data()}, count,
                        *frame.executor, loops);
        regroup_columns(frame, loops);
    }
    const std::int64_t occupied = frame.grid.occupied_cells();
    frame.report.cells_occupied = occupied;
    frame.report.agents_per_cell_mean =
        occupied > 0 ? static_cast<double>(count) / static_cast<double>(occupied) : 0.0;
    frame.report.agents_per_cell_max = frame.grid.largest_cell();
}

void grid_stage(Frame& frame) {
    regroup(frame, plain_grid_loops());
}

}  // namespace horde
