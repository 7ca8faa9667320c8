// The lane widths of a machine that we have no own code for.
#include "cpu/lanes/lane_sets.h"
#include "cpu/lanes/lanes.h"

namespace horde {

int lane_set_count() {
    return 1;
}
const LaneSet& lane_set(int) {
    return kPortableLanes;
}

}  // namespace horde
