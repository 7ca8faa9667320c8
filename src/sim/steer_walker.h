// Steering of one walker on the scalar backend: where it would go, and the push of its neighbours.
#pragma once

#include <algorithm>
#include <limits>

#include "sim/field/sight.h"
#include "sim/frame.h"
#include "sim/rules/arrival.h"
#include "sim/thinks.h"

namespace horde {

// Part of stuck_after without progress from which an agent trusts the direction of its own cell, which always
// leads nearer, more than the smoother blend of four.
inline constexpr float kPlainFlowAfter = 0.3f;
// Parts of it from which a settled agent of its goal stops a walker: one that stands in its way (until then
// it looks for a way round it, which fills the goal), and one that it touches anywhere.
inline constexpr float kStopAfter = 0.2f;
inline constexpr float kAnyTouchAfter = 0.6f;

// How far ahead a wide body looks for walls that would stop it, in cells.
inline constexpr double kLookAhead = 0.5;

// Bits of the column `touch`.
inline constexpr std::uint8_t kTouches = 1;  // a walker: one that has settled at its goal is in its way
inline constexpr std::uint8_t kHeld = 2;     // an arrived agent: another one of its goal is in its way

// Where a wide body at (column, row) goes by its own cell: to the place nearest to it in the next cell of the
// way, which takes it clear of the corners that its centre alone would pass.
inline FlowVector body_flow(const Floor& floor, double inset, const FieldView& view, double column,
                            double row) {
    const FlowVector flow = nearest_flow(view, column, row);
    const auto sign = [](float x) { return x > 0.0f ? 1 : (x < 0.0f ? -1 : 0); };
    if (flow.x == 0.0f && flow.y == 0.0f) return flow;
    const Place next = floor.place_in_cell(inset, static_cast<std::int32_t>(column) + sign(flow.x),
                                           static_cast<std::int32_t>(row) + sign(flow.y), column, row);
    const double dx = next.column - column;
    const double dy = next.row - row;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!(length > 0.0)) return flow;
    return {static_cast<float>(dx / length), static_cast<float>(dy / length)};
}

// Where a walker at `position` would go: straight, where its rule says so and the goal is in sight, else with
// the flow, `plain` that of its own cell. A wide body that a wall would stop on that way takes the one of
// body_flow.
inline Vec<2> flow_at(const Frame& frame, const Group& group, std::uint16_t goal, Vec<2> position,
                      bool plain) {
    if (goal == kNoGoal || !frame.ground) return zero_vec<2>();
    const Ground& ground = *frame.ground;
    const Field& field = field_of(frame, goal, group);
    const Map& map = frame.land->terrain.grid(group.layer).map;
    const FieldView view{field.flow.data(), map.cost.data(), map.columns, map.rows};
    const double column = ground.column_at(position[0]);
    const double row = ground.row_at(position[1]);
    const std::size_t cell = ground.cell_index(column, row);
    FlowVector flow;
    if (group.crowd.line_of_sight) flow = straight_flow(view, field.goals, column, row, field.value(cell));
    if (flow.x == 0.0f && flow.y == 0.0f)
        flow = plain ? nearest_flow(view, column, row) : sample_flow(view, column, row);
    if (group.inset > 0.0) {
        const Floor& floor = ground.floors[static_cast<std::size_t>(group.layer)];
        if (!floor.is_wide_open(cell) && !floor.is_closed(cell)) {
            const Slide ahead =
                slide(floor, group.inset, column, row, kLookAhead * static_cast<double>(flow.x),
                      kLookAhead * static_cast<double>(flow.y));
            if (ahead.blocked_x || ahead.blocked_y) flow = body_flow(floor, group.inset, view, column, row);
        }
    }
    return {{flow.x, flow.y}};
}

// What a walker learns from its neighbours.
template <int D>
struct WalkerSums {
    SeparationSum<D> push{};
    std::uint8_t touch = 0;
    float gap = std::numeric_limits<float>::infinity();  // metres, to the nearest body ahead
};

// What an agent needs to know of itself to meet those who have arrived.
template <int D>
struct Arriving {
    bool arrived = false;
    std::uint16_t goal = kNoGoal;
    Vec<D> flow = zero_vec<D>();
    bool waited = false;    // long enough to be stopped by who is in its way
    bool any_side = false;  // and by any touch
    float braking = 0.0f;   // metres that it needs to stop
};

template <int D>
Arriving<D> arriving(const Frame& frame, const CrowdParams& rule, Vec<D> position, std::int64_t i) {
    const Agents& agents = frame.agents;
    Arriving<D> me;
    if (!frame.params.any_stay && !(rule.time_gap > 0.0f)) return me;
    me.goal = agents.goal.now[i];
    me.arrived = agents.state.now[i] == AgentState::kArrived;
    const Vec<D> velocity = load<D>(agents.velocity, i);
    me.waited = agents.stall.now[i] > kStopAfter * rule.stuck_after;
    me.any_side = agents.stall.now[i] > kAnyTouchAfter * rule.stuck_after;
    me.braking = dot(velocity, velocity) / (2.0f * rule.max_accel);
    if constexpr (D == 2)
        me.flow = flow_at(frame, frame.params.groups[agents.group.now[i]], me.goal, position, true);
    return me;
}

// Does its behaviour lead walker i elsewhere than to its goal in this frame?
template <int D>
bool is_driven(const Agents& agents, std::int64_t i) {
    Vec<D> drive;
    for (int k = 0; k < D; ++k) drive[k] = agents.drive[k][i];
    return dot(drive, drive) > 0.0f;
}

inline std::uint64_t value_under(const Frame& frame, const Field& field, std::int64_t i) {
    const Ground& ground = *frame.ground;
    return field.value(ground.cell_index(ground.column_at(frame.agents.position[0].now[i]),
                                         ground.row_at(frame.agents.position[1].now[i])));
}

// Does a way no longer than the agents are apart join them? With a wall between, their integration values
// differ by more.
inline bool is_near_on_foot(const Frame& frame, std::uint16_t goal, std::int64_t i, std::int64_t j, float d) {
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    const Field& field = field_of(frame, goal, group);
    const std::uint64_t a = value_under(frame, field, i);
    const std::uint64_t b = value_under(frame, field, j);
    if (a == kUnreachable64 || b == kUnreachable64) return false;
    const Ground& ground = *frame.ground;
    const std::vector<std::uint8_t>& cost_of = frame.land->terrain.grid(group.layer).map.cost;
    const std::uint64_t cost =
        std::max(cost_of[ground.cell_index(ground.column_at(frame.agents.position[0].now[i]),
                                           ground.row_at(frame.agents.position[1].now[i]))],
                 cost_of[ground.cell_index(ground.column_at(frame.agents.position[0].now[j]),
                                           ground.row_at(frame.agents.position[1].now[j]))]);
    const auto cells = static_cast<std::uint64_t>(static_cast<double>(d) / ground.map.cell_size) + 2;
    const std::uint64_t most = cells * cost * kDiagonalStep;
    return (a > b ? a - b : b - a) <= most;
}

// Metres from a walker to the body of j, if that is in the way of its own and goes the same way: to the same
// goal, or at the moment, and not towards the walker. Who crosses the way is no one to queue behind.
template <int D>
void keep_gap(const Frame& frame, const CrowdParams& rule, const Arriving<D>& me, std::int64_t j,
              Vec<D> offset, float d2, float& gap) {
    const Agents& agents = frame.agents;
    if (is_dead(agents, j)) return;
    const float along = dot(offset, me.flow);
    const float contact = rule.radius + frame.params.groups[agents.group.now[j]].crowd.radius;
    if (!(along > 0.0f) || d2 - along * along > contact * contact) return;
    const Vec<D> velocity = load<D>(agents.velocity, j);
    const float with = dot(velocity, me.flow);
    if (with < 0.0f) return;
    const bool same_way = with > 0.0f && with * with >= kAheadCosine * kAheadCosine * dot(velocity, velocity);
    if (agents.goal.now[j] != me.goal && !same_way) return;
    const float between = std::sqrt(d2) - contact;
    if (between < gap) gap = between;
}

inline bool has_settled(const Agents& agents, int dim, std::int64_t j) {
    float speed2 = 0.0f;
    for (int k = 0; k < dim; ++k) speed2 = speed2 + agents.velocity[k].now[j] * agents.velocity[k].now[j];
    const float most = kSettledSpeed * agents.speed.now[j];
    return speed2 <= most * most;
}

// Neighbour j of agent i, of which at least one has arrived.
template <int D>
void meet_arrived(const Frame& frame, const CrowdParams& rule, const Arriving<D>& me, std::int64_t i,
                  std::int64_t j, Vec<D> offset, float d2, WalkerSums<D>& sums) {
    const Agents& agents = frame.agents;
    const AgentId own = agents.id.now[i], other = agents.id.now[j];
    const AgentState state = agents.state.now[j];
    const bool same_goal = me.goal != kNoGoal && agents.goal.now[j] == me.goal && !is_dead(agents, j);
    if (!me.arrived) {
        add_separation<D>(sums.push, rule.separation_radius, offset, d2, own);
        if (!same_goal || !me.waited) return;
    }
    const bool walks = state != AgentState::kArrived && state != AgentState::kStranded && !is_dead(agents, j);
    if (me.arrived && !same_goal && walks) {
        return add_yield<D>(sums.push, rule.separation_radius, offset, d2, load<D>(agents.velocity, j), own,
                            other);
    }
    const float contact = rule.radius + frame.params.groups[agents.group.now[j]].crowd.radius;
    if (me.arrived && d2 <= contact * contact) {
        add_contact<D>(sums.push, rule.separation_radius, contact, offset, d2, own);
    }
    if (!same_goal || state != AgentState::kArrived) return;
    const bool ahead = is_ahead<D>(offset, d2, me.flow);
    if (me.arrived) {
        const float reach = kHoldReach * contact;
        if (ahead && d2 <= reach * reach) sums.touch |= kHeld;
        return;
    }
    const float touching = rule.time_gap > 0.0f ? kTouchReach * contact : contact;
    const float reach = touching + me.braking;
    if (d2 > reach * reach || !(ahead || me.any_side) || !has_settled(agents, D, j)) return;
    if (is_near_on_foot(frame, me.goal, i, j, std::sqrt(d2))) sums.touch |= kTouches;
}

template <int D>
WalkerSums<D> gather_walker(const Frame& frame, const CrowdParams& rule, Vec<D> position, std::int64_t i,
                            StageCounts& counts) {
    const Agents& agents = frame.agents;
    const GridView& grid = frame.grid.view();
    const float radius_squared = rule.separation_radius * rule.separation_radius;
    const AgentId own_id = agents.id.now[i];
    const Arriving<D> me = arriving<D>(frame, rule, position, i);
    WalkerSums<D> sums;
    for_candidate_runs<D>(
        grid, position, rule.separation_radius, [&](std::uint32_t begin, std::uint32_t end) {
            counts.candidates += end - begin;
            for (std::uint32_t j = begin; j < end; ++j) {
                if (j == i) continue;
                const Vec<D> offset = offset_between<D>(grid, position, load<D>(agents.position, j));
                const float d2 = dot(offset, offset);
                if (!(d2 <= radius_squared)) continue;
                ++counts.neighbours;
                if (rule.time_gap > 0.0f) keep_gap<D>(frame, rule, me, j, offset, d2, sums.gap);
                if (me.arrived || agents.state.now[j] == AgentState::kArrived) {
                    meet_arrived<D>(frame, rule, me, i, j, offset, d2, sums);
                } else {
                    add_separation<D>(sums.push, rule.separation_radius, offset, d2, own_id);
                }
            }
        });
    return sums;
}

// Acceleration of an agent that has arrived: it steps back if it was pushed off and nobody stands in its way.
template <int D>
Vec<D> stay(const Frame& frame, const CrowdParams& rule, std::int64_t i, const WalkerSums<D>& sums) {
    const Agents& agents = frame.agents;
    const float own_speed = agents.speed.now[i];
    Vec<D> flow = zero_vec<D>();
    float speed = 0.0f;
    if constexpr (D == 2) {
        const std::uint16_t goal = agents.goal.now[i];
        if (goal != kNoGoal && (sums.touch & kHeld) == 0) {
            const Group& group = frame.params.groups[agents.group.now[i]];
            const Ground& ground = *frame.ground;
            const std::size_t cell = ground.cell_index(ground.column_at(agents.position[0].now[i]),
                                                       ground.row_at(agents.position[1].now[i]));
            const std::uint64_t value = field_of(frame, goal, group).value(cell);
            const std::uint64_t home = agents.progress.now[i];
            const std::uint64_t cost = frame.land->terrain.grid(group.layer).map.cost[cell];
            if (value != kUnreachable64 && home != kUnreachable64 && value > home + kStepBackFrom * cost) {
                flow = flow_at(frame, group, goal, load<D>(agents.position, i), true);
                speed = own_speed;
            }
        }
    }
    return arrived_accel<D>(rule, frame.dt, load<D>(agents.velocity, i), flow, speed, own_speed, sums.push);
}

// What walker i goes on with in frames in which it does not think: its desired velocity.
template <int D>
void keep(Agents& agents, std::int64_t i, Vec<D> desired) {
    for (int k = 0; k < D && agents.keeps_steering; ++k) agents.kept[k].now[i] = desired[k];
}

// Is walker i a wide body beside a wall? There two that push each other aside would both stay before a gap
// that is just as wide as one.
inline bool is_at_gap(const Frame& frame, std::int64_t i) {
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    if (!frame.ground || !(group.inset > 0.0)) return false;
    const Ground& ground = *frame.ground;
    const Floor& floor = ground.floors[static_cast<std::size_t>(group.layer)];
    return !floor.is_wide_open(floor.cell_index(ground.column_at(frame.agents.position[0].now[i]),
                                                ground.row_at(frame.agents.position[1].now[i])));
}

// Writes accel and touch of walker i from what it learned.
template <int D>
void use_separation(Frame& frame, const CrowdParams& rule, std::int64_t i, const WalkerSums<D>& sums) {
    Agents& agents = frame.agents;
    set_touch(agents, i, sums.touch);
    const bool driven = agents.has_behaviours && is_driven<D>(agents, i);
    const AgentState state = driven ? AgentState::kWalking : agents.state.now[i];  // drives go before goals
    Vec<D> accel;
    if (state == AgentState::kArrived) {
        keep<D>(agents, i, zero_vec<D>());
        accel = stay<D>(frame, rule, i, sums);
    } else {
        SeparationSum<D> push = sums.push;
        Vec<D> flow = zero_vec<D>();
        float speed = agents.speed.now[i];
        if (state == AgentState::kStranded) {
            push = SeparationSum<D>{};  // stands still
            speed = 0.0f;
        } else if constexpr (D == 2) {
            const bool plain = agents.stall.now[i] > kPlainFlowAfter * rule.stuck_after;
            if (plain && is_at_gap(frame, i)) push = SeparationSum<D>{};
            flow = flow_at(frame, frame.params.groups[agents.group.now[i]], agents.goal.now[i],
                           load<D>(agents.position, i), plain);
        }
        if (driven) {
            for (int k = 0; k < D; ++k) flow[k] = agents.drive[k][i];
        }
        const float stall = agents.stall.now[i];
        const float pace = pace_behind(rule, speed, stall, sums.gap);
        const Vec<D> desired = crowd_desired<D>(rule, flow, speed, pace, stall, push);
        keep<D>(agents, i, desired);
        accel = crowd_accel<D>(rule, frame.dt, load<D>(agents.velocity, i), desired);
    }
    for (int k = 0; k < D; ++k) agents.accel[k][i] = accel[k];
}

// Walker i does not think in this frame: it goes on toward the velocity that it wanted. Who has arrived or is
// stranded stands, and stays what it is.
template <int D>
void follow_kept(Frame& frame, const CrowdParams& rule, std::int64_t i) {
    Agents& agents = frame.agents;
    const AgentState state = agents.state.now[i];
    const bool driven = agents.has_behaviours && is_driven<D>(agents, i);
    const bool stands = !driven && (state == AgentState::kArrived || state == AgentState::kStranded);
    const Vec<D> desired = stands ? zero_vec<D>() : load<D>(agents.kept, i);
    const Vec<D> accel = crowd_accel<D>(rule, frame.dt, load<D>(agents.velocity, i), desired);
    for (int k = 0; k < D; ++k) agents.accel[k][i] = accel[k];
    set_touch(agents, i, state == AgentState::kArrived ? kHeld : std::uint8_t{0});
}

// Steers walker i by neighbours that it looks for itself.
template <int D>
void steer_walker(Frame& frame, const CrowdParams& rule, std::int64_t i, StageCounts& counts) {
    if (!thinks(frame, i, 1)) return follow_kept<D>(frame, rule, i);
    WalkerSums<D> sums;
    if (keeps_apart(frame, i)) {
        sums = gather_walker<D>(frame, rule, load<D>(frame.agents.position, i), i, counts);
    }
    use_separation<D>(frame, rule, i, sums);
}

}  // namespace horde
