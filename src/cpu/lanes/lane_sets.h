// The tables that the lane files define.
#pragma once

namespace horde {

struct LaneSet;
extern const LaneSet kAvx512Lanes;
extern const LaneSet kAvx2Lanes;
extern const LaneSet kPortableLanes;

}  // namespace horde
