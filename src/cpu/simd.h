// The backend `simd`: the stages of `threads`, with steering and moving in lanes.
#pragma once

#include <memory>
#include <vector>

#include "sim/frame.h"

namespace horde {

// Widths that this machine can run, widest first.
std::vector<int> simd_widths();

// What the backend needs in a frame. `width` is one of simd_widths(), or 0: the widest. Throws Error for
// another.
std::unique_ptr<BackendState> make_simd_state(int width);

// The width that the environment variable HORDE_LANES asks for, 0 without it. Throws Error if it is no
// number.
int forced_lane_width();

// Rows of the flow stage at the width in HORDE_LANES if that is one of simd_widths(), else at the widest.
FlowKernel simd_flow_kernel();

void simd_grid_stage(Frame& frame);
void simd_steer_stage(Frame& frame);
void simd_move_stage(Frame& frame);

}  // namespace horde
