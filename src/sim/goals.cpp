#include "sim/goals.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/timer.h"
#include "horde/error.h"
#include "sim/life/spawners.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

std::string in_words(Cell cell) {
    return "(" + std::to_string(cell.column) + ", " + std::to_string(cell.row) + ")";
}

void check_set(const Frame& frame, std::size_t set, const char* what) {
    if (set < frame.fields.set_count()) return;
    throw Error(std::string(what) + ": there is no goal set " + std::to_string(set) + "; the world has " +
                std::to_string(frame.fields.set_count()));
}

FieldStoreSettings settings_of(const Frame& frame, const SceneField& field) {
    require(field.field_cells_per_frame >= 1, "field.field_cells_per_frame",
            static_cast<double>(field.field_cells_per_frame), "at least 1");
    require(field.cache_bytes >= 1, "field.cache_bytes", static_cast<double>(field.cache_bytes),
            "at least 1");
    require(std::isfinite(field.goal_interval) && field.goal_interval >= 0.0 && field.goal_interval <= 1e6,
            "field.goal_interval", field.goal_interval, "between 0 and 1000000 seconds");
    FieldStoreSettings settings;
    settings.cells_per_frame = field.field_cells_per_frame;
    settings.cache_bytes = field.cache_bytes;
    // A hair less, so that 0.5 s at 0.05 s are 10 frames whichever way the quotient is rounded.
    const double frames = std::ceil(field.goal_interval / static_cast<double>(frame.params.dt) - 1e-6);
    settings.goal_interval = frames < 1.0 ? 1 : static_cast<std::uint64_t>(frames);
    settings.snap_goals = field.snap_goals;
    settings.left = frame.ground->left;
    settings.top = frame.ground->top;
    return settings;
}

// Calls f for each field that agents of the group may follow.
template <class F>
void for_each_field(const Params& params, const Group& group, F&& f) {
    if (!group.any_goal) {
        if (group.goal != kNoGoal) f(FieldKey{group.goal, group.layer});
        return;
    }
    for (std::uint16_t set = 0; set < params.scene_goals; ++set) f(FieldKey{set, group.layer});
}

// What agents of the start follow, or (`later`) only those that may come. Each once.
std::vector<FieldKey> fields_of_groups(const Params& params, const Scene& scene, bool later) {
    std::vector<FieldKey> keys;
    const auto layers = scene.layers.size() + 1;
    std::vector<std::uint8_t> seen((std::size_t{params.scene_goals} + 1) * layers, 0);
    for (std::size_t g = 0; g < params.groups.size(); ++g) {
        if ((scene.agents[params.groups[g].scene_group].count == 0) != later) continue;
        for_each_field(params, params.groups[g], [&](FieldKey key) {
            std::uint8_t& mark = seen[key.set * layers + static_cast<std::size_t>(key.layer)];
            if (mark == 0) keys.push_back(key);
            mark = 1;
        });
    }
    return keys;
}

void take_layers(Frame& frame) {
    const Terrain& terrain = frame.land->terrain;
    frame.layer_costs.resize(static_cast<std::size_t>(terrain.layer_count()));
    for (int l = 0; l < terrain.layer_count(); ++l)
        frame.layer_costs[static_cast<std::size_t>(l)] = terrain.layer(l);
}

void follow_scene(Frame& frame, const std::vector<double>& follow) {
    const std::size_t count = frame.params.scene_goals;
    if (follow.size() > count) {
        throw Error("field.follow: it names " + std::to_string(follow.size()) + " agents, but there are " +
                    std::to_string(count) + " goal sets; give one, or -1, for each");
    }
    for (std::size_t set = 0; set < follow.size(); ++set) {
        require(follow[set] >= -1.0 && follow[set] <= 9e15 && std::floor(follow[set]) == follow[set],
                "field.follow", follow[set], "the id of an agent, or -1");
        if (follow[set] >= 0.0) frame.fields.follow(set, static_cast<AgentId>(follow[set]));
    }
}

}  // namespace

void set_up_goals(Frame& frame, const Scene& scene, std::vector<std::vector<Cell>> sets, bool last_is_all) {
    take_layers(frame);
    frame.fields.lay_out(settings_of(frame, scene.field), frame.layer_costs, frame.land->layer_used,
                         std::move(sets), last_is_all, frame.background.get());
    follow_scene(frame, scene.field.follow);
}

void build_fields(Frame& frame, const Scene& scene) {
    const Timer timer;
    std::vector<FieldKey> first;
    for (const bool later : {false, true}) {
        const std::vector<FieldKey> keys = fields_of_groups(frame.params, scene, later);
        first.insert(first.end(), keys.begin(), keys.end());
    }
    frame.fields.build_start(first);
    frame.report.field_us = timer.us();
}

void check_followed(Frame& frame) {
    for (std::size_t set = 0; set < frame.fields.set_count(); ++set) {
        const std::optional<AgentId> id = frame.fields.followed(set);
        if (id && !find_agent(frame.agents, *id)) {
            throw Error("field.follow: there is no agent of id " + std::to_string(*id) +
                        " at the start for goal set " + std::to_string(set) + " to follow; name one, or -1");
        }
    }
}

void require_field(const Frame& frame, const Scene& scene, std::int64_t i, const std::string& what) {
    const std::uint16_t goal = frame.agents.goal.now[i];
    if (goal == kNoGoal || !frame.ground) return;
    const int layer = frame.params.groups[frame.agents.group.now[i]].layer;
    if (frame.fields.has_field(goal, layer)) return;
    const auto needed = static_cast<std::int64_t>(fields_of_groups(frame.params, scene, false).size());
    throw Error(what + ": there is no room for the field of goal set " + std::to_string(goal) +
                ": field.cache_bytes is too small for the fields of the start; raise it to " +
                std::to_string(needed * frame.fields.field_bytes()) + " for all " + std::to_string(needed));
}

void field_stage(Frame& frame) {
    if (!frame.ground || frame.fields.set_count() == 0) return;
    const Timer timer;
    take_layers(frame);
    const FieldCounts counts = frame.fields.update(frame.number, frame.layer_costs);
    FrameReport& report = frame.report;
    report.field_repairs = counts.repairs;
    report.field_builds = counts.builds;
    report.fields_late = counts.late;
    report.fields_waiting = counts.waiting;
    report.field_us = timer.us();
}

void set_goal(Frame& frame, std::size_t set, std::span<const Cell> cells) {
    check_set(frame, set, "set_goal");
    if (set >= frame.params.scene_goals)
        throw Error("set_goal: goal set " + std::to_string(set) + " holds those of all others; set them");
    if (cells.empty()) throw Error("set_goal: no cell is given; name at least one");
    const Map& map = frame.ground->map;
    for (const Cell cell : cells) {
        const bool inside = map.contains(cell);
        if (inside && (frame.fields.snaps() || !frame.land->terrain.is_wall(cell))) continue;
        throw Error("set_goal: goal " + in_words(cell) + " of set " + std::to_string(set) +
                    (inside ? " lies in a wall" : " lies outside the map") + " of " +
                    std::to_string(map.columns) + " x " + std::to_string(map.rows) +
                    " cells; name a free cell" + (inside ? ", or set field.snap_goals" : ""));
    }
    frame.fields.follow(set, std::nullopt);
    frame.fields.set_goals(set, cells);
}

void follow_agent(Frame& frame, std::size_t set, AgentId id) {
    check_set(frame, set, "follow");
    if (set >= frame.params.scene_goals)
        throw Error("follow: goal set " + std::to_string(set) +
                    " holds those of all others; let them follow");
    if (!find_agent(frame.agents, id))
        throw Error("follow: there is no agent of id " + std::to_string(id) + "; name one that lives");
    frame.fields.follow(set, id);
}

GoalStatus goal_status(const Frame& frame, std::size_t set, int group) {
    check_set(frame, set, "goal_status");
    if (group < 0 || group >= static_cast<int>(frame.params.scene_groups)) {
        throw Error("goal_status: there is no group " + std::to_string(group) + "; the scene has " +
                    std::to_string(frame.params.scene_groups));
    }
    const Agents& agents = frame.agents;
    const int layer = frame.params.groups[static_cast<std::size_t>(group)].layer;
    GoalStatus status;
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (agents.goal.now[i] != set || frame.params.groups[agents.group.now[i]].scene_group != group)
            continue;
        ++status.agents;
        status.stranded += agents.state.now[i] == AgentState::kStranded ? 1 : 0;
    }
    status.version = frame.fields.version(set, layer);
    status.pending = frame.fields.is_pending(set, layer);
    const GoalPlace place = frame.fields.goal_place(set, layer);
    if (place == GoalPlace::kInWall) {
        status.state = GoalState::kInWall;
    } else if (place == GoalPlace::kEnclosed) {
        status.state = GoalState::kEnclosed;
    } else if (!frame.fields.has_field(set, layer)) {
        status.state = GoalState::kNoField;
    } else if (status.agents > 0 && status.stranded == status.agents) {
        status.state = GoalState::kUnreachable;
    }
    return status;
}

const Field& field_of_set(const Frame& frame, std::size_t set) {
    check_set(frame, set, "field");
    return frame.fields.find(set, 0).field;
}

void note_goals(Frame& frame) {
    if (!frame.ground || frame.fields.set_count() == 0) return;
    FieldStore& fields = frame.fields;
    Agents& agents = frame.agents;
    for (std::size_t set = 0; set < fields.set_count(); ++set) {
        const std::optional<AgentId> id = fields.followed(set);
        if (!id || !fields.may_move(set, frame.number + 1)) continue;
        const std::optional<std::int64_t> i = find_agent(agents, *id);
        if (!i) {  // gone: the goal stays where it is
            fields.follow(set, std::nullopt);
            continue;
        }
        const Ground& ground = *frame.ground;
        const Cell cell{static_cast<std::int32_t>(ground.column_at(agents.position[0].now[*i])),
                        static_cast<std::int32_t>(ground.row_at(agents.position[1].now[*i]))};
        const std::vector<Cell>& goals = fields.goals(set);
        if (goals.size() != 1 || goals[0] != cell) fields.set_goals(set, {&cell, 1});
    }
    if (!fields.is_short()) return;
    fields.begin_use(frame.number);
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (agents.goal.now[i] != kNoGoal)
            fields.use(agents.goal.now[i], frame.params.groups[agents.group.now[i]].layer);
    }
    const std::uint64_t clock = frame.clock + frame.step_ticks;  // of the frame that this one leads to
    const std::uint64_t lead = (fields.build_frames() + 2) * frame.step_ticks;
    for (const Spawner& spawner : frame.spawners) {
        if (!is_open(spawner, clock, lead)) continue;
        for_each_field(frame.params, frame.params.groups[spawner.group],
                       [&](FieldKey key) { fields.use(key.set, key.layer); });
    }
}

}  // namespace horde
