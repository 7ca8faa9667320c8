// The grid stage with its loops in lanes, and the move of flocks. Worlds with walls or bodies, and those
// where several rules mix, move by the scalar stage.
#include <algorithm>
#include <limits>

#include "cpu/simd.h"
#include "cpu/simd_state.h"
#include "sim/frame.h"

namespace horde {
namespace {

constexpr std::int64_t kMoveBlock = 512;  // agents

LaneMove lane_move(const Frame& frame) {
    const Params& params = frame.params;
    const FlockParams<float>& rule = params.groups[0].flock;
    LaneMove move{};
    move.dim = params.dim;
    move.motion = rule.kind == RuleKind::kReynolds ? LaneMotion::kReynolds
                  : rule.kind == RuleKind::kArcade ? LaneMotion::kArcade
                                                   : LaneMotion::kVicsek;
    move.dt = frame.dt;
    move.position_unit = params.position.unit;
    move.position_per_unit = params.position.per_unit;
    move.velocity_unit = params.velocity.unit;
    move.velocity_per_unit = params.velocity.per_unit;
    move.most_change = rule.arcade.max_force * frame.dt;
    move.hold2 = rule.arcade.hold_speed * rule.arcade.hold_speed;
    for (int k = 0; k < 3; ++k) {
        move.least[k] = -std::numeric_limits<float>::infinity();
        move.most[k] = std::numeric_limits<float>::infinity();
        for (const Periodic& area : {params.periodic, params.wrap}) {
            if (!area.on || k >= params.dim) continue;
            // A little inside the area: who is there certainly needs no wrapping.
            move.least[k] = std::nextafter(static_cast<float>(area.min[k]), move.most[k]);
            move.most[k] = std::nextafter(static_cast<float>(area.min[k] + area.length[k]), move.least[k]);
        }
    }
    return move;
}

void wrap_agent(Frame& frame, std::int64_t i) {
    for (int k = 0; k < frame.params.dim; ++k) {
        float& x = frame.agents.position[k].spare[i];
        if (frame.params.periodic.on) x = wrap_coordinate(frame.params.periodic, k, x);
        if (frame.params.wrap.on) x = wrap_once(frame.params.wrap, k, x);
    }
}

// `shared_limit` is the speed of all, kMoveBlock times, where that is shared.
void move_block(Frame& frame, const LaneSet& lanes, const LaneMove& move, const float* shared_limit,
                std::int64_t begin, std::int64_t end) {
    Agents& agents = frame.agents;
    LaneMotionColumns columns{};
    columns.limit = agents.speed.now.shared() ? shared_limit : agents.speed.now.own().data() + begin;
    for (int k = 0; k < frame.params.dim; ++k) {
        columns.position[k] = agents.position[k].now.data() + begin;
        columns.velocity[k] = agents.velocity[k].now.data() + begin;
        columns.steering[k] = agents.accel[k].data() + begin;
        columns.next_position[k] = agents.position[k].spare.data() + begin;
        columns.next_velocity[k] = agents.velocity[k].spare.data() + begin;
    }
    std::int32_t outside[kMoveBlock];
    const std::int64_t left = lanes.move(move, columns, end - begin, outside);
    for (std::int64_t n = 0; n < left; ++n) wrap_agent(frame, begin + outside[n]);
}

// Lanes fill with agents of one cell or of cells in a row, so cells that hold one or two waste them, while
// candidates too many cost little: they are culled against the box of the agents. Cells grow until they hold
// so many on average, and shrink again beyond, within these bounds.
constexpr double kFewInCell = 6.0;
constexpr double kManyInCell = 24.0;
constexpr float kCellStep = 1.5f;
constexpr float kMostTimes = 8.0f;  // the side that the scene's radii ask for

void choose_cell(Frame& frame, SimdState& state) {
    const Params& params = frame.params;
    if (!params.any_cell) return;
    const bool in_lanes =
        !state.groups.empty() && std::all_of(state.groups.begin(), state.groups.end(),
                                             [](const LaneGroup& group) { return group.in_lanes; });
    const float now = state.cell > 0.0f ? state.cell : params.cell;
    const double agents = frame.report.agents_per_cell_mean;  // of the frame before
    float next = now;
    if (!in_lanes) {
        next = params.cell;
    } else if (agents > 0.0 && agents < kFewInCell) {
        next = std::min(now * kCellStep, params.cell * kMostTimes);
    } else if (agents > kManyInCell) {
        next = std::max(now / kCellStep, params.cell);
    }
    if (next == now) return;
    state.cell = next;
    frame.grid.set(params.dim, next, params.periodic);
}

}  // namespace

void simd_grid_stage(Frame& frame) {
    choose_cell(frame, static_cast<SimdState&>(*frame.backend_state));
    const GridLoops& loops = static_cast<SimdState&>(*frame.backend_state).lanes.grid;
    regroup(frame, loops.cells != nullptr ? loops : plain_grid_loops());
}

void simd_move_stage(Frame& frame) {
    const bool plain = frame.ground == nullptr && frame.params.groups.size() == 1 &&
                       frame.params.groups[0].kind != RuleKind::kCrowd && !frame.bodies.on() &&
                       !frame.agents.has_combat;
    if (!plain) return move_stage(frame);
    Agents& agents = frame.agents;
    const LaneSet& lanes = static_cast<SimdState&>(*frame.backend_state).lanes;
    const LaneMove move = lane_move(frame);
    frame.executor->for_chunks(agents.count, frame.executor->grain(agents.count),
                               [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                                   float limit[kMoveBlock];
                                   std::fill_n(limit, kMoveBlock, agents.speed.now[begin]);
                                   for (std::int64_t block = begin; block < end; block += kMoveBlock) {
                                       move_block(frame, lanes, move, limit, block,
                                                  std::min(block + kMoveBlock, end));
                                   }
                               });
    for (int k = 0; k < agents.dim; ++k) {
        agents.position[k].now.swap(agents.position[k].spare);
        agents.velocity[k].now.swap(agents.velocity[k].spare);
    }
    frame.report.stuck = frame.report.stranded = frame.report.pushed_out = frame.report.walled_in = 0;
    frame.arrived.clear();
}

}  // namespace horde
