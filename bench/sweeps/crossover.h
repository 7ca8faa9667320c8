/// `horde bench crossover`: the count of agents below which looking at all of them is cheaper than a grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/plot/plot.h"
#include "bench/rows.h"

namespace horde::bench {

struct CrossoverBench {
    std::vector<std::int64_t> agents = {8,  12,  16,  24,  32,  40,  48,  64,  80,
                                        96, 128, 192, 256, 384, 512, 768, 1024};
    int repeat = 15;
};

/// Both ways at one count of agents, measured by turns from one state.
struct CrossoverPoint {
    std::int64_t agents = 0;
    Spread brute_us, grid_us;  ///< of a frame, over the repeats
    double ratio = 0.0;        ///< median of brute / grid, repeat by repeat, and its quartiles
    double ratio_low = 0.0;
    double ratio_high = 0.0;
    std::uint64_t state_hash = 0;  ///< of horde, both ways
};

struct CrossoverCurve {
    std::string scene;
    bool is_horde = true;  ///< false: of the almanac's own searches
    std::vector<CrossoverPoint> points;
    /// Where the ratio passes 1 for good, between two counts: interpolated on logarithms. NaN if it does not.
    double crossing = 0.0;
    double crossing_low = 0.0;   ///< the same of the upper quartile, and ...
    double crossing_high = 0.0;  ///< ... of the lower
};

/// Fills in the crossings from the points.
void find_crossing(CrossoverCurve& curve);

/// "14 agents (13 to 15)", "none above 8: ..." or "none up to 1024: ...".
std::string crossing_text(const CrossoverCurve& curve);

/// Scenes: the almanac's (arcade), a boundless flock of rule reynolds in 2D at cuplan's density (12.6
/// neighbours once it is large) and in 3D (30), on the scalar backend; and the almanac's three scans and
/// gather against its FlockGrid. Throws Error for options out of range, and std::runtime_error if the two
/// ways part.
std::vector<CrossoverCurve> measure_crossover(const CrossoverBench& options);

/// One row a point; the stages are `brute` and `grid`, the whole is the cheaper. Values: ratio, ratio_low,
/// ratio_high.
std::vector<Row> rows_of(const std::vector<CrossoverCurve>& curves);

/// The ratio, over agents: horde's curves and the almanac's.
std::vector<Plot> plots_of(const std::vector<CrossoverCurve>& curves);

}  // namespace horde::bench
