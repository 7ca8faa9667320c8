/// `horde bench cell-size`, second part: what staggered updates save, and what they do to a flock.
#pragma once

#include <vector>

#include "bench/sweeps/cell_size.h"

namespace horde::bench {

/// The almanac's scene with 1,000 agents and `update_every` 1 to 4, once with all three rules staggered and
/// once with separation in every frame. Values, each a mean over the seeds:
///   update_every, separation_every_frame (0 or 1);
///   lag_px        mean distance of an agent from the one of the same id that thinks in every frame, after
///   0.5 s from
///                 the same start;
/// and over every tenth frame from 60 to 600:
///   polarization;
///   lowest_px     lowest separation of the frame;
///   overlaps      share of agents nearer than 16 px to another: two of the almanac's bodies.
std::vector<SweepCurve> sweep_stagger(const SweepBench& options);

std::vector<Plot> plots_of_stagger(const std::vector<SweepCurve>& curves);

}  // namespace horde::bench
