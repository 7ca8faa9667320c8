// The scalar steering of all agents.
#include "sim/steer_agent.h"

namespace horde {

void steer_stage(Frame& frame) {
    const std::int64_t count = frame.agents.count;
    const std::int64_t grain = frame.executor->grain(count);
    clear_counts(frame, count, grain);
    frame.executor->for_chunks(count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        StageCounts& counts = frame.counts[static_cast<std::size_t>(chunk)];
        for (std::int64_t i = begin; i < end; ++i) {
            frame.params.dim == 2 ? steer_agent<2>(frame, i, counts) : steer_agent<3>(frame, i, counts);
        }
    });
    end_steering(frame);
}

void end_steering(Frame& frame) {
    for (const StageCounts& counts : frame.counts) {
        frame.report.candidates += counts.candidates;
        frame.report.neighbours += counts.neighbours;
        frame.report.drops += counts.dropped;
    }
    Agents& agents = frame.agents;
    for (std::int64_t i = 0; i < agents.count && agents.has_tiers; ++i) agents.tier.now[i] |= kSettled;
}

}  // namespace horde
