#include "cpu/simd_state.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "cpu/simd.h"
#include "horde/error.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

constexpr double kMostInt32 = 0x1p31 - 1.0;

// The largest component of any velocity, metres a second.
float largest_component(Frame& frame, SimdState& state) {
    Agents& agents = frame.agents;
    const std::int64_t grain = frame.executor->grain(agents.count);
    state.chunk_speed.assign(static_cast<std::size_t>((agents.count + grain - 1) / grain), 0.0f);
    frame.executor->for_chunks(
        agents.count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
            std::int32_t most = 0;  // bits of floats that are not negative have the order of the floats
            for (int k = 0; k < agents.dim; ++k) {
                const float* v = agents.velocity[k].now.data();
                for (std::int64_t i = begin; i < end; ++i) {
                    most = std::max(most, std::bit_cast<std::int32_t>(v[i]) & 0x7fffffff);
                }
            }
            state.chunk_speed[static_cast<std::size_t>(chunk)] = std::bit_cast<float>(most);
        });
    float most = 0.0f;
    for (const float speed : state.chunk_speed) most = std::max(most, speed);
    return most;
}

void set_finish(LaneGroup& lane, const Params& params, const Group& group) {
    const ReynoldsParams<float>& r = group.flock.reynolds;
    LaneFinish& finish = lane.finish;
    lane.finish_in_lanes = true;
    finish.dim = params.dim;
    finish.position_unit = params.position.unit;
    finish.velocity_unit = params.velocity.unit;
    finish.velocity_per_unit = params.velocity.per_unit;
    finish.push_unit = group.push.unit;
    finish.separation_gain = r.separation_gain;
    finish.cohesion_gain = r.cohesion_gain;
    finish.alignment_gain = r.alignment_gain;
    finish.max_accel = r.max_accel;
}

void set_flock(LaneGroup& lane, const Params& params, const Group& group, double largest) {
    const Sight<float>& sight = group.flock.sight;
    LaneRule& rule = lane.rule;
    const float unit2 = params.position.per_unit * params.position.per_unit;
    lane.in_lanes = sight.all_round && sight.choice == NeighbourChoice::kAll;
    lane.every_frame = sight.update_every <= 1;
    rule.velocities = 1;
    rule.push = LanePush::kNone;
    if (group.kind != RuleKind::kVicsek) {
        rule.push = LanePush::kFlock;
        const float reach2 = sight.separation_distance * sight.separation_distance * unit2;
        rule.near2 =
            std::min(rule.radius2, sight.separation_inclusive ? reach2 : std::nextafter(reach2, 0.0f));
        const float reach = std::min(sight.separation_distance, sight.radius);
        rule.keep_near2 = reach * reach * (1.0f + 0x1p-18f);
        rule.least2 = sight.least_distance * sight.least_distance * unit2;
        rule.push_scale = params.position.per_unit * group.push.per_unit;
        if (sight.part_coincident) rule.most_coincident = 1;
        const double push = static_cast<double>(group.push.per_unit) / sight.least_distance + 1.0;
        rule.most_pushers = static_cast<std::int32_t>(kMostInt32 / push);
    }
    rule.most_summed = static_cast<std::int32_t>(kMostInt32 / largest);
    const bool plain = lane.every_frame && !sight.separation_every_frame;
    if (group.kind == RuleKind::kReynolds && plain) set_finish(lane, params, group);
}

// Comparisons in lattice units are those in metres: the unit is a power of two, so it scales squares and
// products without rounding, and nothing comes near the ends of a float's range (lengths are 1e-6 to 1e6 m
// and 2^24 units).
LaneGroup lane_group(const Params& params, const Group& group, bool stay_touches, double speed_units) {
    LaneGroup lane;
    LaneRule& rule = lane.rule;
    const float radius = neighbour_radius(group);
    rule.dim = params.dim;
    rule.per_unit = params.position.per_unit;
    rule.velocity_per_unit = params.velocity.per_unit;
    rule.radius = radius * params.position.per_unit;
    rule.radius2 = radius * radius * params.position.per_unit * params.position.per_unit;
    rule.keep2 = radius * radius * (1.0f + 0x1p-18f);
    rule.most_pushers = rule.most_coincident = std::numeric_limits<std::int32_t>::max();
    lane.reach = static_cast<double>(radius) * (1.0 + 0x1p-18);
    lane.most_half = static_cast<float>((0x1p22 - 32.0) / params.position.per_unit - lane.reach);
    for (int k = 0; k < params.dim; ++k) {
        lane.most_side[k] = params.periodic.on ? params.periodic.length[k] - 2.0 * lane.reach
                                               : std::numeric_limits<double>::infinity();
    }
    if (group.kind == RuleKind::kCrowd) {
        // Who has arrived pushes by a rule of its own, and time gaps ask who is ahead.
        lane.in_lanes = !stay_touches && !(group.crowd.time_gap > 0.0f);
        lane.every_frame = true;
        rule.push = LanePush::kCrowd;
        rule.near2 = rule.radius2;
        rule.most_coincident = 1;
        rule.most_summed = rule.most_pushers = static_cast<std::int32_t>(kMostInt32 / (0x1p18 + 1.0));
    } else {
        // Velocities relative to the agent's are up to twice the largest.
        const double largest = std::max(static_cast<double>(rule.radius), 2.0 * speed_units) + 1.0;
        set_flock(lane, params, group, largest);
        lane.in_lanes = lane.in_lanes && speed_units < 0x1p22;
    }
    return lane;
}

bool anybody_arrived(const Agents& agents) {
    if (agents.state.now.shared()) return agents.state.now[0] == AgentState::kArrived;
    const AgentState* state = agents.state.now.own().data();
    return std::any_of(state, state + agents.count, [](AgentState s) { return s == AgentState::kArrived; });
}

}  // namespace

std::unique_ptr<Scratch> SimdState::take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Scratch>();
    std::unique_ptr<Scratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return scratch;
}

void SimdState::give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scratch));
}

void set_lane_groups(Frame& frame, SimdState& state) {
    const Params& params = frame.params;
    const double speed_units =
        static_cast<double>(largest_component(frame, state)) * params.velocity.per_unit;
    const bool stay = std::any_of(params.groups.begin(), params.groups.end(),
                                  [](const Group& group) { return group.on_arrival == OnArrival::kStay; });
    const bool stay_touches = stay && anybody_arrived(frame.agents);
    state.groups.clear();
    for (const Group& group : params.groups) {
        state.groups.push_back(lane_group(params, group, stay_touches, speed_units));
        LaneGroup& lane = state.groups.back();
        lane.every_frame = lane.every_frame && !frame.tiers.spare_work();
        // Lanes keep nothing and know no drives.
        lane.finish_in_lanes =
            lane.finish_in_lanes && !frame.agents.keeps_steering && group.drive.kind == Drive::kNone;
        // The sums of a vector must fit at least.
        lane.in_lanes =
            lane.in_lanes && std::min(lane.rule.most_summed, lane.rule.most_pushers) >= state.lanes.width;
    }
}

std::vector<int> simd_widths() {
    std::vector<int> widths;
    for (int n = 0; n < lane_set_count(); ++n) widths.push_back(lane_set(n).width);
    return widths;
}

FlowKernel simd_flow_kernel() {
    const char* text = std::getenv("HORDE_LANES");
    for (int n = 0; n < lane_set_count() && text != nullptr; ++n) {
        if (std::to_string(lane_set(n).width) == text) return lane_set(n).flow;
    }
    return lane_set(0).flow;
}

std::unique_ptr<BackendState> make_simd_state(int width) {
    std::string list;
    for (int n = 0; n < lane_set_count(); ++n) {
        const LaneSet& lanes = lane_set(n);
        if (width == 0 || lanes.width == width) return std::make_unique<SimdState>(lanes);
        list += (n == 0 ? "" : ", ") + std::to_string(lanes.width);
    }
    throw Error("HORDE_LANES: this machine has no " + std::to_string(width) + " lanes; choose one of " +
                list);
}

int forced_lane_width() {
    const char* text = std::getenv("HORDE_LANES");
    if (text == nullptr || *text == '\0') return 0;
    int width = 0;
    const char* end = text + std::strlen(text);
    const auto [at, error] = std::from_chars(text, end, width);
    if (error != std::errc() || at != end || width <= 0) {
        throw Error("HORDE_LANES: \"" + std::string(text) +
                    "\" is no number of lanes; horde info lists them");
    }
    return width;
}

}  // namespace horde
