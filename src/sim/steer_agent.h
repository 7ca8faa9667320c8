// Steering of one agent on the scalar backend: where it would go, and the push of its neighbours.
#pragma once

#include "sim/field/sample.h"
#include "sim/frame.h"
#include "sim/steer_flock.h"

namespace horde {

// Part of stuck_after without progress from which an agent trusts the direction of its own cell, which always
// leads nearer, more than the smoother blend of four.
inline constexpr float kPlainFlowAfter = 0.3f;

inline Vec<2> flow_at(const Frame& frame, std::uint16_t goal, Vec<2> position, bool plain) {
    if (goal == kNoGoal || !frame.ground) return zero_vec<2>();
    const Ground& ground = *frame.ground;
    const FieldView view{frame.goals[goal].field.flow.data(), ground.map.cost.data(), ground.map.columns,
                         ground.map.rows};
    const double column = ground.column_at(position[0]);
    const double row = ground.row_at(position[1]);
    const FlowVector flow = plain ? nearest_flow(view, column, row) : sample_flow(view, column, row);
    return {{flow.x, flow.y}};
}

template <int D>
SeparationSum<D> gather_walker(Frame& frame, const CrowdParams& rule, Vec<D> position, std::int64_t i,
                               StageCounts& counts) {
    Agents& agents = frame.agents;
    const GridView& grid = frame.grid.view();
    const float radius_squared = rule.separation_radius * rule.separation_radius;
    const AgentId own_id = agents.id.now[i];
    const std::uint16_t goal = agents.goal.now[i];
    SeparationSum<D> sum{};
    std::uint8_t touches = 0;
    for_candidate_runs<D>(
        grid, position, rule.separation_radius, [&](std::uint32_t begin, std::uint32_t end) {
            counts.candidates += end - begin;
            for (std::uint32_t j = begin; j < end; ++j) {
                if (j == i) continue;
                const Vec<D> offset = offset_between<D>(grid, position, load<D>(agents.position, j));
                const float d2 = dot(offset, offset);
                if (!(d2 <= radius_squared)) continue;
                ++counts.neighbours;
                add_separation<D>(sum, rule, offset, d2, own_id, agents.id.now[j]);
                if (agents.state.now[j] == AgentState::kArrived && agents.goal.now[j] == goal) {
                    const float contact = rule.radius + frame.params.groups[agents.group.now[j]].crowd.radius;
                    if (d2 <= contact * contact) touches = 1;
                }
            }
        });
    agents.touch[i] = touches;
    return sum;
}

// Writes accel of walker i from the pushes of its neighbours.
template <int D>
void use_separation(Frame& frame, const CrowdParams& rule, std::int64_t i, SeparationSum<D> sum) {
    Agents& agents = frame.agents;
    Vec<D> flow = zero_vec<D>();
    float speed = agents.speed.now[i];
    const AgentState state = agents.state.now[i];
    if (state == AgentState::kArrived || state == AgentState::kStranded) {
        sum = SeparationSum<D>{};  // stands still
        speed = 0.0f;
    } else if constexpr (D == 2) {
        const bool plain = agents.stall.now[i] > kPlainFlowAfter * rule.stuck_after;
        flow = flow_at(frame, agents.goal.now[i], load<D>(agents.position, i), plain);
    }
    const Vec<D> velocity = load<D>(agents.velocity, i);
    const Vec<D> accel = crowd_accel<D>(rule, velocity, flow, speed, agents.stall.now[i], sum);
    for (int k = 0; k < D; ++k) agents.accel[k][i] = accel[k];
}

// Steers agent i, of any rule.
template <int D>
void steer_agent(Frame& frame, std::int64_t i, StageCounts& counts) {
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    if (group.kind == RuleKind::kCrowd) {
        const Vec<D> position = load<D>(frame.agents.position, i);
        use_separation<D>(frame, group.crowd, i, gather_walker<D>(frame, group.crowd, position, i, counts));
    } else {
        steer_flocking_agent<D>(frame, group, i, counts);
    }
}

}  // namespace horde
