#include "sim/spawn.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "horde/error.h"
#include "sim/goals.h"

namespace horde {
namespace {

// Sums over two million neighbours of velocities so large fit 64 bits.
constexpr double kMostSpeedUnits = 0x1p41;
constexpr double kFarthest =
    1e15;  // metres from the origin; far beyond, floats would overflow on the lattice

double axis_of(Vec3 v, int axis) {
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

std::string in_words(Cell cell) {
    return "(" + std::to_string(cell.column) + ", " + std::to_string(cell.row) + ")";
}

}  // namespace

float own_speed(const Params& params, const Group& group, AgentId id, std::uint64_t frame) {
    const float u = random01(params.seed, id, frame, RandomUse::kSpeed);
    return group.speed + group.speed_spread * (u * 2.0f - 1.0f);
}

std::uint16_t own_goal(const Params& params, const Group& group, AgentId id, std::uint64_t frame) {
    if (!group.any_goal || params.scene_goals == 0) return group.goal;
    return static_cast<std::uint16_t>(
        bounded(random64(params.seed, id, frame, RandomUse::kGoal), params.scene_goals));
}

namespace {

// Goal, walking speed and clear timers of an agent that starts now.
void draw_agent(Frame& frame, std::int64_t i, std::uint8_t group_index) {
    Agents& agents = frame.agents;
    const Params& params = frame.params;
    const Group& group = params.groups[group_index];
    const AgentId id = agents.id.now[i];
    agents.group.now[i] = group_index;
    agents.goal.now[i] = own_goal(params, group, id, frame.number);
    // With behaviours by id alone: an agent that takes one up again has its old speed.
    const bool by_id = group.behaviour != kNoBehaviour;
    agents.speed.now[i] = own_speed(params, group, id, by_id ? 0 : frame.number);
    agents.state.now[i] = AgentState::kWalking;
    agents.stall.now[i] = 0.0f;
    if (agents.has_combat) {
        agents.health.now[i] = group.combat.health;
        agents.combat.now[i] = CombatState::kFree;
        agents.until.now[i] = agents.ready.now[i] = 0;
    }
    if (agents.has_behaviours) agents.since.now[i] = frame.clock;
}

// Progress starts at the value under the agent; where there is none it is stranded.
void start_progress(Frame& frame, std::int64_t i) {
    Agents& agents = frame.agents;
    const std::uint16_t goal = agents.goal.now[i];
    agents.progress.now[i] = 0;
    if (!frame.ground || goal == kNoGoal) return;
    const Ground& ground = *frame.ground;
    const Group& group = frame.params.groups[agents.group.now[i]];
    const std::uint64_t value = field_of(frame, goal, group)
                                    .value(ground.cell_index(ground.column_at(agents.position[0].now[i]),
                                                             ground.row_at(agents.position[1].now[i])));
    agents.progress.now[i] = value;
    if (value == kUnreachable64) agents.state.now[i] = AgentState::kStranded;
}

const Floor& floor_of(const Frame& frame, const Group& group) {
    return frame.ground->floors[static_cast<std::size_t>(group.layer)];
}

// Takes a local position whose cell is free to where the body of the group fits in that cell.
template <int D>
void fit_in_cell(const Frame& frame, const Group& group, Vec<D>& position) {
    if (group.inset == 0.0) return;
    const Ground& ground = *frame.ground;
    const double column = ground.column_at(position[0]), row = ground.row_at(position[1]);
    const Place place = floor_of(frame, group)
                            .place_in_cell(group.inset, static_cast<std::int32_t>(column),
                                           static_cast<std::int32_t>(row), column, row);
    position[0] = frame.params.position.snap(ground.x_at(place.column));
    position[1] = frame.params.position.snap(ground.y_at(place.row));
}

// At the centre of a cell, moved by up to a quarter of one.
void place_in_cell(Frame& frame, std::int64_t i, std::size_t cell) {
    const Ground& ground = *frame.ground;
    const Params& params = frame.params;
    const AgentId id = frame.agents.id.now[i];
    const double columns = ground.map.columns;
    const double row = std::floor(static_cast<double>(cell) / columns);
    const double column = static_cast<double>(cell) - row * columns;
    const double jitter_x = 0.5 * random01(params.seed, id, frame.number, RandomUse::kJitterX) - 0.25;
    const double jitter_y = 0.5 * random01(params.seed, id, frame.number, RandomUse::kJitterY) - 0.25;
    const double x = ground.left + (column + 0.5 + jitter_x) * ground.map.cell_size;
    const double y = ground.top + (row + 0.5 + jitter_y) * ground.map.cell_size;
    Vec<2> place{{params.position.snap(static_cast<float>(x)), params.position.snap(static_cast<float>(y))}};
    fit_in_cell(frame, params.groups[frame.agents.group.now[i]], place);
    for (int k = 0; k < 2; ++k) frame.agents.position[k].now[i] = place[k];
}

// Can an agent of the group be in the cell, and come to its goal from there?
bool leads_to(const Frame& frame, const Group& group, std::uint16_t goal, std::size_t cell) {
    if (floor_of(frame, group).is_closed(cell)) return false;
    return goal == kNoGoal || field_of(frame, goal, group).value(cell) != kUnreachable64;
}

bool is_goal(const Frame& frame, const Group& group, std::uint16_t goal, std::size_t cell) {
    return goal != kNoGoal && field_of(frame, goal, group).value(cell) == 0;
}

// Hands out the free cells of a map, in an order shuffled by seed, to agents whose goal they lead to.
class CellDealer {
  public:
    explicit CellDealer(const Frame& frame) : frame_(frame) {
        const Map& map = frame.ground->map;
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed;
        for (std::size_t c = 0; c < map.cost.size(); ++c) {
            if (map.cost[c] == kWallCost) continue;
            keyed.emplace_back(random64(frame.params.seed, c, 0, RandomUse::kCellOrder),
                               static_cast<std::uint32_t>(c));
        }
        std::sort(keyed.begin(), keyed.end());
        order_.reserve(keyed.size());
        for (const auto& [key, cell] : keyed) order_.push_back(cell);
        used_.assign(map.cost.size(), 0);
    }

    // The next cell for `goal` and a body of the group that fewer than `most` agents have got, or -1: goal
    // cells last, since who starts there has arrived. `next` is the caller's place in the order, which only
    // ever moves on: one for each goal, group and number of agents a cell.
    std::int64_t deal(const Group& group, std::uint16_t goal, int most, std::size_t& next) {
        const std::size_t pass = order_.size() * static_cast<std::size_t>(most);
        for (; next < 2 * pass; ++next) {
            const std::uint32_t cell = order_[next % order_.size()];
            const int round = static_cast<int>(next % pass / order_.size());
            if (used_[cell] > round || !leads_to(frame_, group, goal, cell)) continue;
            if (next < pass && is_goal(frame_, group, goal, cell)) continue;
            ++used_[cell];
            return cell;
        }
        return -1;
    }

  private:
    const Frame& frame_;
    std::vector<std::uint32_t> order_;
    std::vector<int> used_;
};

Bounds box_of(const Scene& scene, const SceneAgents& agents, const std::string& name) {
    if (agents.box) return *agents.box;
    if (agents.half_side_per_root > 0.0) {
        const double half = agents.half_side_per_root * std::sqrt(static_cast<double>(agents.count));
        return {{-half, -half, -half}, {half, half, half}};
    }
    if (scene.world.bounds) return *scene.world.bounds;
    throw Error(name + ": no place to start; give the group a box, or the world bounds or a map");
}

// A place on the lattice where a body of the group fits. Throws Error as to_lattice does, and for a place in
// a wall or outside the map.
Vec<3> local_position(const Frame& frame, const Group& group, Vec3 place, const std::string& what) {
    Vec<3> local = to_lattice(frame, place, what);
    if (!frame.ground) return local;
    const Ground& ground = *frame.ground;
    if (!floor_of(frame, group).is_free_at(ground.column_at(local[0]), ground.row_at(local[1]))) {
        throw Error(what + ": position (" + std::to_string(place.x) + ", " + std::to_string(place.y) +
                    ") lies in a wall or outside the map; give a place in a free cell");
    }
    fit_in_cell(frame, group, local);
    return local;
}

Vec<3> local_velocity(const Frame& frame, Vec3 velocity, const std::string& what) {
    Vec<3> local = zero_vec<3>();
    for (int k = 0; k < frame.params.dim; ++k) {
        const double v = axis_of(velocity, k);
        if (!std::isfinite(v) ||
            std::fabs(v) > static_cast<double>(frame.params.velocity.unit) * kMostSpeedUnits) {
            throw Error(what + ": velocity " + "xyz"[k] +
                        " is not finite or too large; give metres a second, at most four million times the "
                        "largest speed limit");
        }
        local[k] = frame.params.velocity.snap(static_cast<float>(v));
    }
    return local;
}

void store(Column<float> (&column)[3], int dim, std::int64_t i, Vec<3> v) {
    for (int k = 0; k < dim; ++k) column[k].now[i] = v[k];
}

void spawn_in_box(Frame& frame, const Bounds& box, std::int64_t i, const std::string& name) {
    const Params& params = frame.params;
    const Group& group = params.groups[frame.agents.group.now[i]];
    const AgentId id = frame.agents.id.now[i];
    for (std::uint64_t attempt = 0; attempt < 1000; ++attempt) {
        Vec3 place;
        double* axes[3] = {&place.x, &place.y, &place.z};
        for (int k = 0; k < params.dim; ++k) {
            const auto use = static_cast<RandomUse>(static_cast<std::uint64_t>(RandomUse::kBox) + k);
            const double u = random01(params.seed, id, attempt, use);
            *axes[k] = axis_of(box.min, k) + u * (axis_of(box.max, k) - axis_of(box.min, k));
        }
        if (frame.ground) {  // as it will be on the lattice
            const float x = params.position.snap(static_cast<float>(place.x - params.origin.x));
            const float y = params.position.snap(static_cast<float>(place.y - params.origin.y));
            const double column = frame.ground->column_at(x), row = frame.ground->row_at(y);
            if (!floor_of(frame, group).is_free_at(column, row)) continue;
            const std::size_t cell = frame.ground->cell_index(column, row);
            if (!leads_to(frame, group, frame.agents.goal.now[i], cell)) continue;
        }
        store(frame.agents.position, params.dim, i, local_position(frame, group, place, name));
        return;
    }
    throw Error(name + ": no free cell found in the box in 1000 draws; move the box or use spawn = \"free\"");
}

// Velocity at the start, as the group says. A vicsek agent always moves: without a start speed at its own.
template <int D>
void start_moving(Frame& frame, std::int64_t i, const SceneAgents& agents, const Group& group) {
    const std::uint64_t seed = frame.params.seed;
    const AgentId id = frame.agents.id.now[i];
    Vec<D> velocity = zero_vec<D>();
    if (agents.start_component > 0.0) {
        for (int k = 0; k < D; ++k) {
            const auto use =
                static_cast<RandomUse>(static_cast<std::uint64_t>(RandomUse::kStartComponent) + k);
            const float u = random01(seed, id, frame.number, use);
            velocity[k] = static_cast<float>(agents.start_component) * (u * 2.0f - 1.0f);
        }
    } else {
        auto speed = static_cast<float>(agents.start_speed);
        if (agents.start_speed_spread > 0.0) {
            const float u = random01(seed, id, frame.number, RandomUse::kStartSpeed);
            speed = speed + static_cast<float>(agents.start_speed_spread) * (u * 2.0f - 1.0f);
        }
        if (group.kind == RuleKind::kVicsek && speed == 0.0f) speed = frame.agents.speed.now[i];
        velocity = hashed_direction<D>(random64(seed, id, frame.number, RandomUse::kHeading)) * speed;
    }
    for (int k = 0; k < D; ++k) {
        if (agents.start_velocity) velocity[k] += static_cast<float>(axis_of(*agents.start_velocity, k));
        frame.agents.velocity[k].now[i] = frame.params.velocity.snap(velocity[k]);
    }
}

}  // namespace

Vec<3> to_lattice(const Frame& frame, Vec3 place, const std::string& what) {
    const Params& params = frame.params;
    Vec<3> local = zero_vec<3>();
    for (int k = 0; k < params.dim; ++k) {
        const double x = axis_of(place, k) - axis_of(params.origin, k);
        if (!std::isfinite(x) || std::fabs(x) > kFarthest) {
            throw Error(what + ": position " + "xyz"[k] + " = " + std::to_string(axis_of(place, k)) +
                        " is not finite or too far away; give metres within 1e15 of the origin");
        }
        local[k] = params.position.snap(static_cast<float>(x));
        if (params.periodic.on) local[k] = wrap_coordinate(params.periodic, k, local[k]);
    }
    return local;
}

Vec<3> nearest_free(const Frame& frame, const Group& group, Vec<3> local, const std::string& what) {
    const Ground& ground = *frame.ground;
    const double column = ground.column_at(local[0]), row = ground.row_at(local[1]);
    if (!(column >= 0.0 && row >= 0.0 && column < ground.map.columns && row < ground.map.rows)) {
        throw Error(what + ": its new position lies outside the map of " +
                    std::to_string(ground.map.columns) + " x " + std::to_string(ground.map.rows) +
                    " cells; give a place on it");
    }
    const Floor& floor = floor_of(frame, group);
    if (!floor.is_closed(floor.cell_index(column, row))) {
        fit_in_cell(frame, group, local);
        return local;
    }
    const std::optional<Place> place = floor.nearest_place(group.inset, column, row);
    if (!place) throw Error(what + ": no cell of the map is free for its body; take a wall away first");
    local[0] = frame.params.position.snap(ground.x_at(place->column));
    local[1] = frame.params.position.snap(ground.y_at(place->row));
    return local;
}

void place_agent(Frame& frame, std::int64_t index, Vec<3> local) {
    Agents& agents = frame.agents;
    store(agents.position, agents.dim, index, local);
    agents.state.now[index] = AgentState::kWalking;
    agents.stall.now[index] = 0.0f;
    start_progress(frame, index);
}

std::int64_t add_drawn_agent(Frame& frame, std::uint8_t group) {
    const std::int64_t i = add_agent(frame.agents);
    draw_agent(frame, i, group);
    return i;
}

bool can_start_at(const Frame& frame, std::int64_t index, Vec<3> local) {
    if (!frame.ground) return true;
    const Ground& ground = *frame.ground;
    const Group& group = frame.params.groups[frame.agents.group.now[index]];
    const double column = ground.column_at(local[0]), row = ground.row_at(local[1]);
    if (!floor_of(frame, group).is_free_at(column, row)) return false;
    const std::size_t cell = ground.cell_index(column, row);
    const std::uint16_t goal = frame.agents.goal.now[index];
    return leads_to(frame, group, goal, cell) && !is_goal(frame, group, goal, cell);
}

void start_agent(Frame& frame, std::int64_t index, const SceneAgents& agents, Vec<3> local) {
    const Group& group = frame.params.groups[frame.agents.group.now[index]];
    if (frame.ground) fit_in_cell(frame, group, local);
    place_agent(frame, index, local);
    frame.params.dim == 2 ? start_moving<2>(frame, index, agents, group)
                          : start_moving<3>(frame, index, agents, group);
}

std::vector<std::vector<Cell>> choose_goal_sets(const Scene& scene, const Map& map, bool with_nearest) {
    std::vector<std::vector<Cell>> sets;
    for (std::size_t g = 0; g < scene.field.goal_sets.size(); ++g) {
        for (const Cell cell : scene.field.goal_sets[g]) {
            if (map.is_free(cell) || (scene.field.snap_goals && map.contains(cell))) continue;
            const char* where = map.contains(cell) ? "lies in a wall" : "lies outside the map";
            throw Error("field.goal_cells: goal " + in_words(cell) + " of set " + std::to_string(g) + " " +
                        where + " of " + std::to_string(map.columns) + " x " + std::to_string(map.rows) +
                        " cells; name a free cell as [column, row], or draw goals by number");
        }
        sets.push_back(scene.field.goal_sets[g]);
    }
    const std::vector<std::uint32_t> part =
        scene.field.goals > 0 ? largest_connected_part(map) : std::vector<std::uint32_t>();
    const std::size_t wanted =
        std::min(static_cast<std::size_t>(scene.field.goals), part.size());  // any map will do
    std::vector<std::uint8_t> taken(part.size(), 0);
    for (std::size_t g = 0; g < wanted; ++g) {
        std::size_t k = bounded(random64(scene.world.seed, g, 0, RandomUse::kGoalCell), part.size());
        while (taken[k] != 0) k = (k + 1) % part.size();
        taken[k] = 1;
        const auto columns = static_cast<std::uint32_t>(map.columns);
        sets.push_back(
            {{static_cast<std::int32_t>(part[k] % columns), static_cast<std::int32_t>(part[k] / columns)}});
    }
    if (with_nearest) {
        std::vector<Cell> all;
        for (const auto& set : sets) all.insert(all.end(), set.begin(), set.end());
        sets.push_back(all);
    }
    return sets;
}

// Throws Error for the agent of index i, the n-th of its group: no cell is left for it, and says why.
[[noreturn]] static void refuse_count(const Frame& frame, std::int64_t i, const SceneAgents& agents,
                                      const std::string& name, std::int64_t n) {
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    const Floor& floor = floor_of(frame, group);
    const std::uint16_t goal = frame.agents.goal.now[i];
    std::int64_t open = 0, leading = 0;
    for (std::size_t c = 0; c < frame.ground->map.cost.size(); ++c) {
        open += floor.is_closed(c) ? 0 : 1;
        leading += leads_to(frame, group, goal, c) ? 1 : 0;
    }
    if (open == 0)
        throw Error(name +
                    ".count: no cell of the map is free for its bodies, by walls, slopes or the clearance of "
                    "its layer; take some of them away, or agents");
    if (leading == 0)
        throw Error(name + ".count: from no free cell a way leads to goal set " + std::to_string(goal) +
                    (agents.layer.empty() ? "" : ", with the clearance and costs of its layer") +
                    "; move the goal or open a way");
    throw Error(name + ".count: " + std::to_string(agents.count) + " agents do not fit, none of the " +
                std::to_string(leading) + " free cells that lead to its goal is left for agent " +
                std::to_string(n) + "; lower count or raise agents_per_cell");
}

void spawn_scene(Frame& frame, const Scene& scene) {
    std::int64_t total = 0;
    for (const SceneAgents& group : scene.agents) total += group.count;
    reserve_agents(frame.agents, total);
    std::unique_ptr<CellDealer> dealer;
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const SceneAgents& group = scene.agents[g];
        const std::string name = "agents[" + std::to_string(g) + "]";
        const bool in_cells = group.spawn == SpawnArea::kFree && frame.ground != nullptr;
        if (in_cells && !dealer) dealer = std::make_unique<CellDealer>(frame);
        std::vector<std::size_t> next(frame.fields.set_count() + 1, 0);
        for (std::int64_t n = 0; n < group.count; ++n) {
            const std::int64_t i = add_agent(frame.agents);
            draw_agent(frame, i, static_cast<std::uint8_t>(g));
            require_field(frame, scene, i, name);
            if (in_cells) {
                const std::uint16_t goal = frame.agents.goal.now[i];
                const std::size_t place = goal == kNoGoal ? frame.fields.set_count() : goal;
                const std::int64_t cell =
                    dealer->deal(frame.params.groups[g], goal, group.agents_per_cell, next[place]);
                if (cell < 0) refuse_count(frame, i, group, name, n);
                place_in_cell(frame, i, static_cast<std::size_t>(cell));
            } else {
                spawn_in_box(frame, box_of(scene, group, name), i, name);
            }
            const Group& params = frame.params.groups[g];
            frame.params.dim == 2 ? start_moving<2>(frame, i, group, params)
                                  : start_moving<3>(frame, i, group, params);
            start_progress(frame, i);
        }
    }
}

namespace {

std::uint8_t group_of_type(const Params& params, std::uint8_t type) {
    for (std::size_t g = 0; g < params.scene_groups; ++g) {
        if (params.groups[g].type == type) return static_cast<std::uint8_t>(g);
    }
    return 0;
}

}  // namespace

void spawn_start(Frame& frame, const Snapshot& start) {
    if (start.count() > 0 && frame.params.groups.empty()) {
        throw Error("start: the scene has no [[agents]] table whose rule the agents could follow; add one");
    }
    if (start.position.size() != start.count() || start.velocity.size() != start.count()) {
        throw Error("start: ids, positions and velocities differ in number; give one of each an agent");
    }
    if (start.dim != frame.params.dim) {
        throw Error("start: it has " + std::to_string(start.dim) + " dimensions, but world.dim is " +
                    std::to_string(frame.params.dim) + "; make them the same");
    }
    add_agents_with_ids(frame.agents, start.id);
    for (std::size_t n = 0; n < start.count(); ++n) {
        const auto i = static_cast<std::int64_t>(n);
        const std::string what = "start: agent " + std::to_string(start.id[n]);
        draw_agent(frame, i, group_of_type(frame.params, n < start.type.size() ? start.type[n] : 0));
        const Group& group = frame.params.groups[frame.agents.group.now[i]];
        store(frame.agents.position, frame.params.dim, i,
              local_position(frame, group, start.position[n], what));
        store(frame.agents.velocity, frame.params.dim, i, local_velocity(frame, start.velocity[n], what));
        start_progress(frame, i);
    }
}

AgentId spawn_agent(Frame& frame, const NewAgent& agent) {
    if (agent.group < 0 || agent.group >= static_cast<int>(frame.params.scene_groups)) {
        throw Error("spawn: there is no group " + std::to_string(agent.group) + "; the scene has " +
                    std::to_string(frame.params.scene_groups));
    }
    if (agent.goal != kNoGoal && agent.goal >= frame.fields.set_count()) {
        throw Error("spawn: there is no goal set " + std::to_string(agent.goal) + "; the scene has " +
                    std::to_string(frame.fields.set_count()));
    }
    const Vec<3> position = local_position(frame, frame.params.groups[static_cast<std::size_t>(agent.group)],
                                           agent.position, "spawn");
    const Vec<3> velocity = local_velocity(frame, agent.velocity, "spawn");
    const std::int64_t i = add_agent(frame.agents);
    draw_agent(frame, i, static_cast<std::uint8_t>(agent.group));
    if (agent.goal != kNoGoal) frame.agents.goal.now[i] = agent.goal;
    store(frame.agents.position, frame.params.dim, i, position);
    store(frame.agents.velocity, frame.params.dim, i, velocity);
    start_progress(frame, i);
    return frame.agents.id.now[i];
}

void start_way(Frame& frame, std::int64_t index, std::uint16_t goal) {
    Agents& agents = frame.agents;
    agents.goal.now[index] = goal;
    agents.state.now[index] = AgentState::kWalking;
    agents.stall.now[index] = 0.0f;
    start_progress(frame, index);
}

void respawn_agent(Frame& frame, std::int64_t index) {
    Agents& agents = frame.agents;
    const std::uint8_t group = frame.params.groups[agents.group.now[index]].scene_group;
    renew_id(agents, index);
    draw_agent(frame, index, group);
    if (agents.has_tiers) agents.tier.now[index] = 0;
    for (int k = 0; k < agents.dim && agents.keeps_steering; ++k) agents.kept[k].now[index] = 0.0f;
    for (int k = 0; k < agents.dim; ++k) agents.velocity[k].now[index] = 0.0f;
    const std::uint16_t goal = agents.goal.now[index];
    const std::size_t cells = frame.ground->map.cost.size();
    const Group& rule = frame.params.groups[group];
    const auto is_start = [&](std::size_t c) {
        return leads_to(frame, rule, goal, c) && !is_goal(frame, rule, goal, c);
    };
    std::uint64_t bits =
        random64(frame.params.seed, agents.id.now[index], frame.number, RandomUse::kRespawnCell);
    std::size_t cell = bounded(bits, cells);
    for (int attempt = 0; attempt < 64 && !is_start(cell); ++attempt) {
        bits = mix64(bits);
        cell = bounded(bits, cells);
    }
    for (std::size_t n = 0; n < cells && !is_start(cell); ++n) cell = (cell + 1) % cells;
    // Only goals lead there: one of them. Or nothing does: any cell, where it will be stranded.
    for (std::size_t n = 0; n < cells && !leads_to(frame, rule, goal, cell); ++n) cell = (cell + 1) % cells;
    if (!leads_to(frame, rule, goal, cell)) {
        const Floor& floor = floor_of(frame, rule);
        for (std::size_t n = 0; n < cells && floor.is_closed(cell); ++n) cell = (cell + 1) % cells;
    }
    place_in_cell(frame, index, cell);
    start_progress(frame, index);
}

}  // namespace horde
