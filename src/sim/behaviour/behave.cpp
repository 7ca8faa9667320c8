// The stage `behave`: who is where, who changes behaviour, and where that drives them. An agent decides by
// the state of this frame alone and writes only its own, so nobody's turn comes before another's.
#include <algorithm>

#include "sim/behaviour/behaviour.h"
#include "sim/frame.h"
#include "sim/sights.h"
#include "sim/spawn.h"
#include "sim/steer_walker.h"

namespace horde {
namespace {

// Squared metres from agent i to what the transition measures; nothing beyond the larger of its distances.
template <int D>
std::optional<float> measured(const Frame& frame, const TransitionParams& t, std::int64_t i) {
    const Vec<D> from = load<D>(frame.agents.position, i);
    if (t.to_target) {
        Vec<D> target;
        for (int k = 0; k < D; ++k) target[k] = t.target[k];
        const Vec<D> offset = offset_between<D>(frame.grid.view(), from, target);
        return dot(offset, offset);
    }
    const float radius = std::max(t.below, t.above);
    const auto nearest = nearest_watched<D>(frame.watches[t.watch], frame.agents, from, radius, i);
    if (!nearest) return std::nullopt;
    return nearest->d2;
}

template <int D>
bool distance_holds(const Frame& frame, const TransitionParams& t, std::int64_t i) {
    if (t.below == 0.0f && t.above == 0.0f) return true;
    const std::optional<float> d2 = measured<D>(frame, t, i);
    if (t.below > 0.0f && !(d2 && *d2 < t.below * t.below)) return false;
    return t.above == 0.0f || !d2 || *d2 > t.above * t.above;
}

template <int D>
bool neighbours_hold(const Frame& frame, const TransitionParams& t, std::int64_t i) {
    if (t.neighbours_below <= 0 && t.neighbours_above < 0) return true;
    std::int64_t count = 0;
    for_each_watched<D>(frame.watches[t.watch], load<D>(frame.agents.position, i), t.neighbour_radius, i,
                        [&](const Watched&) { ++count; });
    return (t.neighbours_below <= 0 || count < t.neighbours_below) && count > t.neighbours_above;
}

template <int D>
bool holds(const Frame& frame, const Group& group, const TransitionParams& t, std::int64_t i) {
    const Agents& agents = frame.agents;
    if (frame.clock - agents.since.now[i] < t.after) return false;
    if (t.health_below > 0.0f || t.health_above > 0.0f) {
        const float part = static_cast<float>(agents.health.now[i]) / static_cast<float>(group.combat.health);
        if (t.health_below > 0.0f && !(part < t.health_below)) return false;
        if (t.health_above > 0.0f && !(part > t.health_above)) return false;
    }
    return distance_holds<D>(frame, t, i) && neighbours_hold<D>(frame, t, i);
}

// Where the other will be, `lead` seconds from now.
template <int D>
Vec<D> led(const Frame& frame, const DriveParams& drive, const Watched& other) {
    Vec<D> offset;
    for (int k = 0; k < D; ++k) {
        offset[k] = other.offset[k];
        if (drive.lead > 0.0f) offset[k] += frame.agents.velocity[k].now[other.index] * drive.lead;
    }
    return offset;
}

// A walker whose way ends at a wall half a cell ahead goes along that; into a corner nobody is driven.
Vec<2> along_walls(const Frame& frame, std::int64_t i, Vec<2> way) {
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    if (!frame.ground || group.kind != RuleKind::kCrowd) return way;
    const Ground& ground = *frame.ground;
    const Floor& floor = ground.floors[static_cast<std::size_t>(group.layer)];
    const double column = ground.column_at(frame.agents.position[0].now[i]);
    const double row = ground.row_at(frame.agents.position[1].now[i]);
    const std::size_t cell = floor.cell_index(column, row);
    if (floor.is_wide_open(cell) || floor.is_closed(cell)) return way;
    const Slide ahead = slide(floor, group.inset, column, row, kLookAhead * static_cast<double>(way[0]),
                              kLookAhead * static_cast<double>(way[1]));
    if (!ahead.blocked_x && !ahead.blocked_y) return way;
    if (ahead.blocked_x) way[0] = 0.0f;
    if (ahead.blocked_y) way[1] = 0.0f;
    const float length = norm(way);
    return length > 0.0f ? way / length : way;
}

// The direction in which agent i is driven, or 0.
template <int D>
Vec<D> driven(const Frame& frame, const DriveParams& drive, std::int64_t i, StageCounts& counts) {
    const Vec<D> from = load<D>(frame.agents.position, i);
    const Watch& watch = frame.watches[drive.watch];
    Vec<D> way = zero_vec<D>();
    if (drive.kind == Drive::kRegroup) {
        if (watch.index.empty()) return way;
        Vec<D> centre;
        for (int k = 0; k < D; ++k) centre[k] = watch.centre[k];
        way = offset_between<D>(frame.grid.view(), from, centre);
        if (!(norm(way) > drive.radius)) return zero_vec<D>();
    } else {
        const bool walker = frame.params.groups[frame.agents.group.now[i]].kind == RuleKind::kCrowd;
        const auto in_sight = [&](const Watched& other) { return sees_over_walls(frame, i, other.index); };
        const auto nearest =
            walker && frame.ground && drive.kind == Drive::kHunt
                ? nearest_seen<D>(watch, frame.agents, from, drive.radius, i, counts.cut, in_sight)
                : nearest_watched<D>(watch, frame.agents, from, drive.radius, i);
        if (!nearest) return way;
        way = led<D>(frame, drive, *nearest);
        if (drive.kind == Drive::kFlee) way = zero_vec<D>() - way;
    }
    const float length = norm(way);
    way = length > 0.0f ? way / length : hashed_direction<D>(mix64(frame.agents.id.now[i]));
    if constexpr (D == 2) way = along_walls(frame, i, way);
    return way;
}

template <int D>
void behave(Frame& frame, std::int64_t i, StageCounts& counts) {
    Agents& agents = frame.agents;
    const Group* group = &frame.params.groups[agents.group.now[i]];
    Vec<D> drive = zero_vec<D>();
    if (!is_dead(agents, i)) {
        for (const TransitionParams& t : group->transitions) {
            if (!holds<D>(frame, *group, t, i)) continue;
            take_behaviour(frame, i, t.to);
            group = &frame.params.groups[t.to];
            ++counts.changed;
            break;
        }
        if (group->drive.kind != Drive::kNone) drive = driven<D>(frame, group->drive, i, counts);
    }
    for (int k = 0; k < D; ++k) agents.drive[k][i] = drive[k];
}

}  // namespace

void take_behaviour(Frame& frame, std::int64_t i, std::uint8_t to) {
    Agents& agents = frame.agents;
    const Group& group = frame.params.groups[to];
    agents.group.now[i] = to;
    agents.since.now[i] = frame.clock;
    if (!agents.speed.now.shared()) agents.speed.now[i] = own_speed(frame.params, group, agents.id.now[i], 0);
    if (!group.new_goal) return;
    const std::uint16_t goal = own_goal(frame.params, group, agents.id.now[i], frame.number);
    if (goal != agents.goal.now[i]) start_way(frame, i, goal);
}

void behave_stage(Frame& frame) {
    fill_watches(frame);
    frame.report.changed_behaviour = frame.report.searches_cut = 0;
    if (!frame.agents.has_behaviours) return;
    const std::int64_t count = frame.agents.count, grain = frame.executor->grain(count);
    clear_counts(frame, count, grain);
    frame.executor->for_chunks(count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        StageCounts& counts = frame.counts[static_cast<std::size_t>(chunk)];
        for (std::int64_t i = begin; i < end; ++i) {
            frame.params.dim == 2 ? behave<2>(frame, i, counts) : behave<3>(frame, i, counts);
        }
    });
    for (const StageCounts& counts : frame.counts) {
        frame.report.changed_behaviour += counts.changed;
        frame.report.searches_cut += counts.cut;
    }
}

}  // namespace horde
