// What becomes of agents that reached their goal, who leaves in a sink, and who comes. In order of id, so
// that ids and slots are the same on any backend.
#include <algorithm>

#include "sim/frame.h"
#include "sim/goals.h"
#include "sim/life/spawners.h"
#include "sim/spawn.h"

namespace horde {

static void take_arrived(Frame& frame) {
    Agents& agents = frame.agents;
    std::vector<std::uint32_t>& arrived = frame.arrived;
    frame.report.arrived = static_cast<std::int64_t>(arrived.size());
    frame.report.arrived_total += frame.report.arrived;
    frame.arrivals.clear();
    if (arrived.empty()) return;
    std::sort(arrived.begin(), arrived.end(),
              [&](std::uint32_t a, std::uint32_t b) { return agents.id.now[a] < agents.id.now[b]; });
    frame.arrivals.reserve(arrived.capacity());
    for (const std::uint32_t i : arrived) frame.arrivals.push_back(agents.id.now[i]);
    std::erase_if(arrived, [&](std::uint32_t i) {
        const OnArrival then = frame.params.groups[agents.group.now[i]].on_arrival;
        if (then == OnArrival::kRespawn) {
            const AgentId before = agents.id.now[i];
            respawn_agent(frame, i);
            frame.fields.follow_on(before, agents.id.now[i]);
        }
        return then != OnArrival::kExit;
    });
    std::sort(arrived.begin(), arrived.end());
    remove_agents(agents, arrived);
}

// The move counted those too who have left since, or started again.
static void count_states(Frame& frame) {
    FrameReport& report = frame.report;
    if (!frame.ground || (report.arrived == 0 && report.sunk == 0 && report.died == 0)) return;
    const Agents& agents = frame.agents;
    report.stuck = report.stranded = 0;
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (is_dead(agents, i)) continue;
        report.stuck += agents.state.now[i] == AgentState::kStuck ? 1 : 0;
        report.stranded += agents.state.now[i] == AgentState::kStranded ? 1 : 0;
    }
}

void arrive_stage(Frame& frame) {
    take_arrived(frame);
    remove_dead(frame);
    run_sinks(frame);
    count_states(frame);
    run_spawners(frame, frame.step_ticks);
    note_goals(frame);
}

}  // namespace horde
