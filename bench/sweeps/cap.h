/// `horde bench cell-size`, third part: what a cap on the number of neighbours saves, and whom it leaves out.
#pragma once

#include <vector>

#include "bench/sweeps/cell_size.h"

namespace horde::bench {

/// Rule reynolds in 2D with 30 neighbours, uniform and clustered: all neighbours (cap 0), the first k in the
/// order of the scan, the nearest k. Values:
///   cap           k, or 0;
///   nearest       1 if the nearest were kept, 0 if the first;
///   stretch       mean distance of the neighbours kept / mean distance of the nearest k;
///   wrong         share of those kept that are not among the nearest k;
///   pull          length of the mean, over all agents, of the mean offset of the neighbours kept, in radii:
///   a cap
///                 without bias has about 0, one that keeps those scanned first pulls everybody one way.
/// The last three are of the first frame, for agents in the order of ids.
std::vector<SweepCurve> sweep_cap(const SweepBench& options);

std::vector<Plot> plots_of_cap(const std::vector<SweepCurve>& curves);

}  // namespace horde::bench
