// From acceleration to the next position: integrate, slide along walls, snap to the lattice, take stock of
// progress.
#include <algorithm>

#include "sim/motion.h"
#include "sim/steer_walker.h"

namespace horde {
namespace {

// A step shorter than this, in cells, from a cell without walls around it cannot come near one.
constexpr double kFreeStep = 0.9;  // less the inset of the body

// Steps of more than a cell are walked in parts of so many cells, at most so many; the part of the speed that
// must be along the flow.
constexpr double kPartOfCell = 0.5;
constexpr int kMostParts = 256;
constexpr float kAlongFlow = 0.7f;

constexpr std::int64_t kStockBlock = 64;  // agents

template <int D>
struct Motion {
    Vec<D> position;
    Vec<D> velocity;
};

// A body that a wall was put on leaves it and stands still; it counts its progress from there, but one that
// had arrived knows its old place. If there is no free cell on the map at all, it stays.
void leave_wall(Frame& frame, const Group& group, std::int64_t i, Motion<2>& motion, StageCounts& counts) {
    const Ground& ground = *frame.ground;
    const std::optional<Place> out = ground.floors[static_cast<std::size_t>(group.layer)].way_out(
        group.inset, ground.column_at(motion.position[0]), ground.row_at(motion.position[1]));
    motion.velocity = zero_vec<2>();
    ++(out ? counts.pushed_out : counts.walled_in);
    if (!out) return;
    motion.position = {{ground.x_at(out->column), ground.y_at(out->row)}};
    if (frame.agents.state.now[i] != AgentState::kArrived) frame.agents.progress.now[i] = kUnreachable64;
}

void move_on_ground(Frame& frame, const Group& group, std::int64_t i, Motion<2>& motion, Vec<2> step,
                    StageCounts& counts) {
    const Ground& ground = *frame.ground;
    const Floor& floor = ground.floors[static_cast<std::size_t>(group.layer)];
    const double column = ground.column_at(motion.position[0]);
    const double row = ground.row_at(motion.position[1]);
    const std::size_t cell = floor.cell_index(column, row);
    if (floor.is_closed(cell)) return leave_wall(frame, group, i, motion, counts);
    const double dx = static_cast<double>(step[0]) / ground.map.cell_size;
    const double dy = static_cast<double>(step[1]) / ground.map.cell_size;
    const double free_step = kFreeStep - group.inset;
    const bool short_step = dx < free_step && dx > -free_step && dy < free_step && dy > -free_step;
    if (short_step && floor.is_wide_open(cell)) {
        motion.position = motion.position + step;
        return;
    }
    const Slide end = slide(floor, group.inset, column, row, dx, dy);
    motion.position = {{ground.x_at(end.column), ground.y_at(end.row)}};
    counts.pushed_out += end.pushed ? 1 : 0;
    if (end.blocked_x) motion.velocity[0] = 0.0f;
    if (end.blocked_y) motion.velocity[1] = 0.0f;
}

std::uint64_t cost_under(const Frame& frame, const Group& group, Vec<2> position) {
    const Ground& ground = *frame.ground;
    return frame.land->terrain.grid(group.layer)
        .map.cost[ground.cell_index(ground.column_at(position[0]), ground.row_at(position[1]))];
}

// Has the agent come to a goal of its set: into its cell, or within the arrival radius of its centre with no
// long way round a wall left to go?
bool reaches_goal(const Frame& frame, const GoalField& goal, const Group& group, Vec<2> position,
                  std::uint64_t value) {
    if (value == 0) return true;
    const float radius = group.crowd.arrival_radius;
    const auto cells =
        static_cast<std::uint64_t>(static_cast<double>(radius) / frame.ground->map.cell_size) + 2;
    if (value > cells * kDiagonalStep * cost_under(frame, group, position)) return false;
    for (std::size_t g = 0; g < goal.centre_x.size(); ++g) {
        const Vec<2> offset{{goal.centre_x[g] - position[0], goal.centre_y[g] - position[1]}};
        if (dot(offset, offset) <= radius * radius) return true;
    }
    return false;
}

// A walker that goes more than a cell in a frame would overshoot the turns of its way and its goal: it
// follows the flow on the way, half a cell at a time, and ends at the goal. One that flies elsewhere just
// flies.
void walk_far(Frame& frame, const Group& group, std::int64_t i, Motion<2>& motion, StageCounts& counts) {
    const Ground& ground = *frame.ground;
    const std::uint16_t goal_index = frame.agents.goal.now[i];
    const GoalField& goal = goal_field(frame, goal_index, group);
    const float speed = norm(motion.velocity);
    const double parts = speed * frame.dt / (kPartOfCell * ground.map.cell_size);
    const int count = parts < kMostParts ? static_cast<int>(parts) + 1 : kMostParts;
    const float dt = frame.dt / static_cast<float>(count);
    for (int part = 0; part < count; ++part) {
        const Vec<2> flow = flow_at(frame, group, goal_index, motion.position, true);
        if (part == 0 && dot(flow, motion.velocity) < kAlongFlow * speed) {
            return move_on_ground(frame, group, i, motion, motion.velocity * frame.dt, counts);
        }
        if (part > 0 && dot(flow, flow) > 0.0f) motion.velocity = flow * speed;
        move_on_ground(frame, group, i, motion, motion.velocity * dt, counts);
        const std::size_t cell =
            ground.cell_index(ground.column_at(motion.position[0]), ground.row_at(motion.position[1]));
        if (reaches_goal(frame, goal, group, motion.position, goal.field.value(cell))) break;
    }
    for (int k = 0; k < 2; ++k) motion.velocity[k] = frame.params.velocity.snap(motion.velocity[k]);
}

// Is the agent about its goal, and nothing else, in this frame?
bool makes_its_way(const Agents& agents, std::int64_t i) {
    return is_free(agents, i) && !(agents.has_behaviours && is_driven<2>(agents, i));
}

bool walks_far(const Frame& frame, std::int64_t i, Vec<2> velocity) {
    const auto longest = static_cast<float>(frame.ground->map.cell_size);
    const Vec<2> step = velocity * frame.dt;
    if (!(dot(step, step) > longest * longest) || frame.agents.goal.now[i] == kNoGoal) return false;
    if (!makes_its_way(frame.agents, i)) return false;
    const AgentState state = frame.agents.state.now[i];
    return state == AgentState::kWalking || state == AgentState::kStuck;
}

// Where the agent goes: by its steering, or as the stage `bodies` has made its next state.
template <int D>
Motion<D> integrate(Frame& frame, const Group& group, std::int64_t i, StageCounts& counts) {
    const Agents& agents = frame.agents;
    Motion<D> motion{load<D>(agents.position, i), {}};
    const bool has_body = frame.bodies.moves(i);
    Vec<D> step;
    if (has_body) {
        for (int k = 0; k < D; ++k) {
            motion.velocity[k] = frame.params.velocity.snap(agents.velocity[k].spare[i]);
            step[k] = agents.position[k].spare[i] - motion.position[k];
        }
    } else {
        motion.velocity = next_velocity<D>(frame, group, i);
        step = motion.velocity * frame.dt;
    }
    bool on_ground = false;
    if constexpr (D == 2) {
        if (frame.ground) {
            if (group.kind == RuleKind::kCrowd && !has_body && walks_far(frame, i, motion.velocity)) {
                walk_far(frame, group, i, motion, counts);
            } else {
                move_on_ground(frame, group, i, motion, step, counts);
            }
            on_ground = true;
        }
    }
    if (!on_ground) {
        // The step is snapped by itself: then the sum is exact, and a flock elsewhere moves by the same bits.
        for (int k = 0; k < D; ++k) motion.position[k] += frame.params.position.snap(step[k]);
    }
    for (int k = 0; k < D; ++k) {
        motion.position[k] = frame.params.position.snap(motion.position[k]);
        if (frame.params.periodic.on)
            motion.position[k] = wrap_coordinate(frame.params.periodic, k, motion.position[k]);
        if (!frame.params.wrap.on) continue;
        motion.position[k] = is_free(agents, i) ? wrap_once(frame.params.wrap, k, motion.position[k])
                                                : wrap_coordinate(frame.params.wrap, k, motion.position[k]);
    }
    return motion;
}

// Progress when the field under an agent has become another: what it lacks to the next cell nearer stays.
// Where there was no way before it is `anew`.
std::uint64_t carried_over(std::uint64_t progress, std::uint64_t before, std::uint64_t now,
                           std::uint64_t anew) {
    if (now == kUnreachable64) return now;
    if (before == kUnreachable64 || progress == kUnreachable64) return anew;
    return progress + now < before ? now : progress + now - before;
}

// An arrived agent that was pushed far off, whose goal moved away, or whose way there was lost and found
// again is a walker again.
void rouse(Frame& frame, std::int64_t i, const GoalField& goal, const Group& group, std::uint64_t value) {
    Agents& agents = frame.agents;
    std::uint64_t& home = agents.progress.now[i];
    if (value == kUnreachable64) return;
    const bool elsewhere = goal.goal_moved || home == kUnreachable64;
    const Vec<2> position{{agents.position[0].spare[i], agents.position[1].spare[i]}};
    if (!elsewhere) {
        if (value <= home + kWalkAgainFrom * cost_under(frame, group, position)) return;
        if ((touch_of(agents, i) & kHeld) != 0) return;
    }
    const bool there = reaches_goal(frame, goal, group, position, value);
    if (!there) {
        agents.state.now[i] = AgentState::kWalking;
        agents.stall.now[i] = 0.0f;
    }
    if (!there || elsewhere) home = value;
}

// State of an agent with a goal after its move into `cell`, from the integration value there.
void take_stock(Frame& frame, std::int64_t i, std::size_t cell, StageCounts& counts) {
    Agents& agents = frame.agents;
    AgentState& state = agents.state.now[i];
    const std::uint16_t goal_index = agents.goal.now[i];
    if (goal_index == kNoGoal) return;
    const Group& group = frame.params.groups[agents.group.now[i]];
    const GoalField& goal = goal_field(frame, goal_index, group);
    const std::uint64_t value = goal.field.value(cell);
    if (goal.before != nullptr) {
        std::uint64_t& progress = agents.progress.now[i];
        const std::uint64_t anew = state == AgentState::kArrived ? kUnreachable64 : value;
        progress = carried_over(progress, goal.before->value(cell), value, anew);
    }
    if (is_dead(agents, i)) return;
    if (state == AgentState::kArrived) return rouse(frame, i, goal, group, value);
    if (value == kUnreachable64) {
        state = AgentState::kStranded;
        ++counts.stranded;
        return;
    }
    if (!is_free(agents, i)) {  // no progress is asked of it
        if (state == AgentState::kStranded) state = AgentState::kWalking;
        counts.stuck += state == AgentState::kStuck ? 1 : 0;
        return;
    }
    const bool touches = group.on_arrival == OnArrival::kStay && (touch_of(agents, i) & kTouches) != 0;
    const Vec<2> position{{agents.position[0].spare[i], agents.position[1].spare[i]}};
    const bool hunts = group.drive.kind == Drive::kHunt && is_driven<2>(agents, i);
    if (!hunts && (touches || reaches_goal(frame, goal, group, position, value))) {
        state = AgentState::kArrived;
        agents.progress.now[i] = value;
        counts.arrived.push_back(static_cast<std::uint32_t>(i));
        return;
    }
    if (value + kStraightStep <= agents.progress.now[i]) {
        agents.progress.now[i] = value;
        agents.stall.now[i] = 0.0f;
    } else if (makes_its_way(agents, i)) {
        agents.stall.now[i] += frame.dt;
    }
    state = agents.stall.now[i] >= group.crowd.stuck_after ? AgentState::kStuck : AgentState::kWalking;
    counts.stuck += state == AgentState::kStuck ? 1 : 0;
}

template <int D>
void move_agents(Frame& frame, std::int64_t begin, std::int64_t end, StageCounts& counts) {
    Agents& agents = frame.agents;
    for (std::int64_t i = begin; i < end; ++i) {
        const Motion<D> next = integrate<D>(frame, frame.params.groups[agents.group.now[i]], i, counts);
        for (int k = 0; k < D; ++k) {
            agents.position[k].spare[i] = next.position[k];
            agents.velocity[k].spare[i] = next.velocity[k];
        }
    }
}

// Integration values lie scattered over the fields of all goals, which outgrow the cache on a large map: a
// block of agents asks for all of its own first and waits for them once.
void take_stock_of_block(Frame& frame, std::int64_t begin, std::int64_t end, StageCounts& counts) {
    const Agents& agents = frame.agents;
    const Ground& ground = *frame.ground;
    std::size_t cell[kStockBlock];
    for (std::int64_t i = begin; i < end; ++i) {
        cell[i - begin] = ground.cell_index(ground.column_at(agents.position[0].spare[i]),
                                            ground.row_at(agents.position[1].spare[i]));
        const std::uint16_t goal = agents.goal.now[i];
        if (goal == kNoGoal) continue;
        const Field& field = field_of(frame, goal, frame.params.groups[agents.group.now[i]]);
        if (!field.wide()) prefetch(field.integration.data() + cell[i - begin]);
    }
    for (std::int64_t i = begin; i < end; ++i) take_stock(frame, i, cell[i - begin], counts);
}

}  // namespace

void move_stage(Frame& frame) {
    Agents& agents = frame.agents;
    const std::int64_t grain = frame.executor->grain(agents.count);
    clear_counts(frame, agents.count, grain);
    frame.executor->for_chunks(
        agents.count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
            StageCounts& counts = frame.counts[static_cast<std::size_t>(chunk)];
            frame.params.dim == 2 ? move_agents<2>(frame, begin, end, counts)
                                  : move_agents<3>(frame, begin, end, counts);
            if (!frame.ground) return;
            for (std::int64_t block = begin; block < end; block += kStockBlock) {
                take_stock_of_block(frame, block, std::min(block + kStockBlock, end), counts);
            }
        });
    for (int k = 0; k < agents.dim; ++k) {
        agents.position[k].now.swap(agents.position[k].spare);
        agents.velocity[k].now.swap(agents.velocity[k].spare);
    }
    FrameReport& report = frame.report;
    report.stuck = report.stranded = report.pushed_out = report.walled_in = 0;
    frame.arrived.clear();
    if (frame.ground) frame.arrived.reserve(static_cast<std::size_t>(agents.count));
    for (const StageCounts& counts : frame.counts) {
        report.stuck += counts.stuck;
        report.stranded += counts.stranded;
        report.pushed_out += counts.pushed_out;
        report.walled_in += counts.walled_in;
        frame.arrived.insert(frame.arrived.end(), counts.arrived.begin(), counts.arrived.end());
    }
}

}  // namespace horde
