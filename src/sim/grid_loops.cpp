#include "sim/grid_loops.h"

#include <algorithm>

namespace horde {
namespace {

void cells(const float* x, std::int64_t count, double per_metre, std::int32_t base, std::int32_t* cell,
           std::int32_t (&range)[2]) {
    for (std::int64_t i = 0; i < count; ++i) {
        double scaled = static_cast<double>(x[i]) * per_metre;
        scaled = scaled > -kMostLoopCell ? scaled : -kMostLoopCell;
        scaled = scaled < kMostLoopCell ? scaled : kMostLoopCell;
        const auto truncated = static_cast<std::int32_t>(scaled);
        // A difference, not a choice: g++ would make that a branch, which cannot be foretold.
        cell[i] = truncated - static_cast<std::int32_t>(static_cast<double>(truncated) > scaled) - base;
    }
    std::int32_t lo = range[0], hi = range[1];
    for (std::int64_t i = 0; i < count; ++i) {
        lo = std::min(lo, cell[i]);
        hi = std::max(hi, cell[i]);
    }
    range[0] = lo;
    range[1] = hi;
}

template <class T>
void take(const std::uint32_t* order, std::int64_t count, const void* from, void* to, bool) {
    const auto* source = static_cast<const T*>(from);
    auto* destination = static_cast<T*>(to);
    for (std::int64_t i = 0; i < count; ++i) destination[i] = source[order[i]];
}

}  // namespace

const GridLoops& plain_grid_loops() {
    static constexpr GridLoops loops = {cells, take<std::uint32_t>, take<std::uint64_t>};
    return loops;
}

}  // namespace horde
