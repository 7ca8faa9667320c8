/// `horde bench lists`: the neighbours of all points, as lists.
#pragma once

#include <string>
#include <vector>

#include "bench/rows.h"
#include "bench/scenes.h"

namespace horde::bench {

struct ListBench {
    StepScene scene;  ///< whose agents are the points, in the order of their ids: no order in space
    int threads = 1;
    std::string backend = "auto";
    bool periodic = false;  ///< else the box has edges
    int repeat = 11;  ///< measurements; before each every point moves by up to a twentieth of the radius
};

/// Four rows: lists in the order of the grid and in the order given, and both again of points that are given
/// in the order of the grid, as a caller has them who sorts his columns now and then ("sorted"). A
/// measurement is one `build` and one `lists` into memory used before. Values: neighbours_per_agent,
/// candidates_per_agent, million_per_second (neighbours, by the median), reference_ms, references. The hash
/// is that of the lists. Throws Error for options out of range.
std::vector<Row> bench_lists(const ListBench& options);

}  // namespace horde::bench
