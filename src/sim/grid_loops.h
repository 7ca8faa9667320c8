// Loops over columns that the grid stage spends its time in, so that a backend may do them in lanes.
#pragma once

#include <cstdint>

namespace horde {

// Cells beyond this are left to slower code: it is what all kinds of lanes can convert.
inline constexpr double kMostLoopCell = 0x1p30;

struct GridLoops {
    // cell[i] = floor(x[i] * per_metre) - base, the product taken as at most kMostLoopCell from 0 (and as
    // -kMostLoopCell if it is not a number). Widens range[0], the least cell, and range[1], the largest.
    void (*cells)(const float* x, std::int64_t count, double per_metre, std::int32_t base, std::int32_t* cell,
                  std::int32_t (&range)[2]);
    // to[i] = from[order[i]]. `stream`: past the caches, for columns that are larger than those.
    void (*take32)(const std::uint32_t* order, std::int64_t count, const void* from, void* to, bool stream);
    void (*take64)(const std::uint32_t* order, std::int64_t count, const void* from, void* to, bool stream);
};

const GridLoops& plain_grid_loops();

}  // namespace horde
