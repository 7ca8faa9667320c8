// Steering of one agent on the scalar backend, whatever its rule.
#pragma once

#include "sim/steer_flock.h"
#include "sim/steer_walker.h"

namespace horde {

template <int D>
void steer_agent(Frame& frame, std::int64_t i, StageCounts& counts) {
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    if (group.kind == RuleKind::kCrowd) {
        steer_walker<D>(frame, group.crowd, i, counts);
    } else {
        steer_flocking_agent<D>(frame, group, i, counts);
    }
}

}  // namespace horde
