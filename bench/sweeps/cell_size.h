/// `horde bench cell-size`, first part: the time of a frame by the side of a cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/plot/plot.h"
#include "bench/rows.h"

namespace horde::bench {

struct SweepBench {
    std::int64_t agents = 10000;
    int repeat = 7;           ///< measurements of each setting, by turns, each of a new world
    std::int64_t steps = 10;  ///< frames of one measurement, after three that warm up
    int seeds = 5;            ///< runs that a mean over behaviour is of, where there is one
};

/// The settings of one scene, rows in the order of the setting's value.
struct SweepCurve {
    std::string name;
    std::vector<Row> rows;
};

/// Sides from a quarter to four times the radius, for rule reynolds in boxes that repeat (2D and 3D, uniform
/// and clustered, 30 neighbours) and for the almanac's scene. Values: `cell`, in radii;
/// `candidates_per_agent`. Throws std::runtime_error if two sides end in different states.
std::vector<SweepCurve> sweep_cell_size(const SweepBench& options);

/// The row with the least median.
const Row& least_of(const SweepCurve& curve);

/// The row's value of this name. Throws std::out_of_range if it has none.
double value_of(const Row& row, const std::string& name);

std::vector<Plot> plots_of_cell_size(const std::vector<SweepCurve>& curves);

}  // namespace horde::bench
