#include "sim/setup.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "horde/error.h"
#include "sim/goals.h"
#include "sim/life/spawners.h"
#include "sim/setup_rules.h"
#include "sim/spawn.h"

namespace horde {
namespace {

// Radii of one scene lie within this factor: offsets up to the largest are exact in float on the lattice of
// the smallest.
constexpr double kRadiusRatio = 32.0;

constexpr double kMostSpeed = 1e6;  // metres a second, as of the rules

}  // namespace

void read_goal(const Params& params, const std::string& goal, const std::string& key, Group& group) {
    const std::size_t set_count = params.scene_goals;
    group.any_goal = goal == "any";
    if (group.any_goal) return;
    if (goal == "nearest") {
        if (set_count == 0)
            throw Error(key + ".goal: \"nearest\", but [field] has no goals; add goals or goal_cells");
        group.goal = static_cast<std::uint16_t>(set_count);
        return;
    }
    const bool digits =
        !goal.empty() && goal.size() < 6 && goal.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t number = digits ? std::stoul(goal) : set_count;
    if (number >= set_count) {
        throw Error(key + ".goal: \"" + goal + "\" is none of \"any\", \"nearest\" and the " +
                    std::to_string(set_count) + " goal sets of [field], counted from 0");
    }
    group.goal = static_cast<std::uint16_t>(number);
}

namespace {

void set_up_groups(Params& params, const Scene& scene, const Map* map) {
    if (scene.agents.size() > 255) throw Error("agents: more than 255 groups; merge some");
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const SceneAgents& agents = scene.agents[g];
        const std::string key = "agents[" + std::to_string(g) + "]";
        const auto count = static_cast<double>(agents.count);
        require(agents.count >= 0 && agents.count <= 100'000'000, key + ".count", count,
                "between 0 and 100000000");
        require(agents.type >= 0 && agents.type <= 255, key + ".type", agents.type, "between 0 and 255");
        require(agents.agents_per_cell >= 1 && agents.agents_per_cell <= 1000, key + ".agents_per_cell",
                agents.agents_per_cell, "between 1 and 1000");
        require(agents.start_speed >= 0.0 && agents.start_speed <= kMostSpeed, key + ".start_speed",
                agents.start_speed, "between 0 and 1e6");
        require(std::isfinite(agents.start_speed_spread) && agents.start_speed_spread >= 0.0 &&
                    agents.start_speed_spread <= agents.start_speed,
                key + ".start_speed_spread", agents.start_speed_spread, "between 0 and start_speed");
        require(agents.start_component >= 0.0 && agents.start_component <= kMostSpeed,
                key + ".start_component", agents.start_component, "between 0 and 1e6");
        const Vec3 start = agents.start_velocity.value_or(Vec3{});
        for (const double part : {start.x, start.y, start.z}) {
            require(std::isfinite(part) && std::fabs(part) <= kMostSpeed, key + ".start_velocity", part,
                    "within 1e6");
        }
        require(std::isfinite(agents.half_side_per_root) && agents.half_side_per_root >= 0.0,
                key + ".half_side_per_root", agents.half_side_per_root, "finite and at least 0");
        Group group = make_group(agents.rule, find_rule(scene, agents.rule, key));
        group.type = static_cast<std::uint8_t>(agents.type);
        group.layer = find_layer(scene, agents.layer, key);
        if (map != nullptr) {
            read_goal(params, agents.goal, key, group);
            if (group.layer > 0)
                group.inset =
                    body_of(scene.layers[static_cast<std::size_t>(group.layer) - 1].clearance, map->cell_size)
                        .inset;
        } else if (group.layer > 0) {
            throw Error(key + ".layer: a layer is one of a map, and the scene has none; add a [map]");
        }
        group.scene_group = static_cast<std::uint8_t>(g);
        params.groups.push_back(group);
    }
    params.scene_groups = params.groups.size();
    for (const auto& [name, rule] : scene.rules) make_group(name, rule);  // also those that no group follows
    set_up_combat(params, scene);
    set_up_behaviours(params, scene);
    for (const Group& group : params.groups) {
        const bool stays = group.kind == RuleKind::kCrowd && group.on_arrival == OnArrival::kStay;
        params.any_stay = params.any_stay || (map != nullptr && stays);
    }
}

// "rule.NAME" of a group.
std::string rule_key(const Params& params, const Scene& scene, std::size_t g) {
    const SceneAgents& agents = scene.agents[params.groups[g].scene_group];
    if (params.groups[g].behaviour != kNoBehaviour) {
        const auto behaviour = std::next(scene.behaviours.begin(), params.groups[g].behaviour);
        if (!behaviour->second.rule.empty()) return "rule." + behaviour->second.rule;
    }
    return "rule." + agents.rule;
}

// "rule.NAME" of the group for which `value` is largest.
template <class Value>
std::string rule_with_largest(const Params& params, const Scene& scene, Value&& value) {
    std::size_t best = 0;
    for (std::size_t g = 1; g < params.groups.size(); ++g) {
        if (value(params.groups[g]) > value(params.groups[best])) best = g;
    }
    return rule_key(params, scene, best);
}

void check_separation(const Params& params, const Scene& scene, float largest) {
    for (std::size_t g = 0; g < params.groups.size(); ++g) {
        const Group& group = params.groups[g];
        if (group.kind != RuleKind::kCrowd || group.crowd.radius + largest <= group.crowd.separation_radius)
            continue;
        const std::string key = rule_key(params, scene, g);
        const auto rule =
            std::get<CrowdRule>(find_rule(scene, key.substr(std::string("rule.").size()), "agents"));
        const std::string other =
            rule_with_largest(params, scene, [](const Group& of) { return of.crowd.radius; });
        const std::string should = "at least the sum of its own radius " + digits(rule.radius) +
                                   " and the largest, that of " + other + ", " +
                                   digits(static_cast<double>(largest));
        require(false, key + ".separation_radius", rule.separation_radius, should.c_str());
    }
}

// Lattice and cell from the radii and speeds in use.
void set_up_scales(Params& params, const Scene& scene) {
    float least = 0.0f, most = 0.0f, body = 0.0f, speed = 0.0f;
    for (const Group& group : params.groups) {
        const float fine = finest_length(group);
        least = least == 0.0f ? fine : std::min(least, fine);
        most = std::max(most, neighbour_radius(group));
        body = std::max(body, group.crowd.radius);
        speed = std::max(speed, largest_speed(group));
    }
    speed = std::max(speed, params.max_knockback);
    check_separation(params, scene, body);
    if (most > kRadiusRatio * least) {
        const std::string fine =
            rule_with_largest(params, scene, [](const Group& group) { return -finest_length(group); });
        const std::string should = "at most 32 times the smallest radius or separation distance, " +
                                   digits(static_cast<double>(least)) + " of " + fine;
        require(false,
                rule_with_largest(params, scene, [](const Group& group) { return neighbour_radius(group); }) +
                    ": its neighbour radius",
                most, should.c_str());
    }
    params.reach = most > 0.0f ? most : 1.0f;
    params.position = lattice_for(least > 0.0f ? least : 1.0f);
    params.velocity = lattice_for(speed > 0.0f ? speed : 1.0f);
    require(std::isfinite(scene.grid.cell) &&
                (scene.grid.cell == 0.0 || (scene.grid.cell >= 1e-6 && scene.grid.cell <= 1e9)),
            "grid.cell", scene.grid.cell, "0 (the largest radius) or between 1e-6 and 1e9 metres");
    params.cell = scene.grid.cell > 0.0 ? static_cast<float>(scene.grid.cell) : params.reach;
    params.any_cell = !(scene.grid.cell > 0.0);
    params.search = scene.grid.search;
    params.brute_below = scene.grid.brute_below;
}

// The repeating box around the origin, its sides whole multiples of the lattice.
Periodic area_of(const Params& params, const Bounds& bounds) {
    const double min[3] = {bounds.min.x - params.origin.x, bounds.min.y - params.origin.y,
                           bounds.min.z - params.origin.z};
    const double max[3] = {bounds.max.x - params.origin.x, bounds.max.y - params.origin.y,
                           bounds.max.z - params.origin.z};
    Periodic area;
    area.on = true;
    for (int k = 0; k < params.dim; ++k) {
        area.min[k] = params.position.snap(static_cast<float>(min[k]));
        area.length[k] = params.position.snap(static_cast<float>(max[k])) - area.min[k];
        require(area.length[k] > 0.0, "world.bounds", max[k] - min[k], "wider than 0 on each axis");
    }
    return area;
}

void check_bounds(const Bounds& bounds, int dim, const std::string& key) {
    const double min[3] = {bounds.min.x, bounds.min.y, bounds.min.z};
    const double max[3] = {bounds.max.x, bounds.max.y, bounds.max.z};
    for (int k = 0; k < dim; ++k) {
        require(std::isfinite(min[k]) && std::fabs(min[k]) <= 1e12, key, min[k],
                "finite and within 1e12 metres");
        require(std::isfinite(max[k]) && std::fabs(max[k]) <= 1e12, key, max[k],
                "finite and within 1e12 metres");
        require(max[k] >= min[k], key, max[k], "given as minima, then maxima that are no less");
    }
}

Vec3 choose_origin(const Scene& scene, const Map* map, const Snapshot* start) {
    if (scene.world.origin) return *scene.world.origin;
    if (map != nullptr) return {0.5 * map->columns * map->cell_size, 0.5 * map->rows * map->cell_size, 0.0};
    Bounds box;
    if (scene.world.bounds) {
        box = *scene.world.bounds;
    } else if (start != nullptr && start->count() > 0) {
        box = {start->position[0], start->position[0]};
        for (const Vec3& p : start->position) {
            box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
            box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
        }
    }
    return {box.min.x + 0.5 * (box.max.x - box.min.x), box.min.y + 0.5 * (box.max.y - box.min.y),
            box.min.z + 0.5 * (box.max.z - box.min.z)};
}

void set_up_ground(Frame& frame, const Scene& scene, const Map& map) {
    require(frame.params.dim == 2, "world.dim", frame.params.dim, "2 with a map");
    require(scene.world.edge == Edge::kOpen, "world.edge", 1, "\"open\" with a map, whose border is a wall");
    // A coarser lattice would eat up the gap that agents keep from walls.
    if (frame.params.position.unit > map.cell_size * 0x1p-12) {
        require(
            false,
            rule_with_largest(frame.params, scene, [](const Group& group) { return finest_length(group); }) +
                ": its radius of neighbours",
            frame.params.reach, "less than 128 cells of the map");
    }
    const double farthest = std::max({std::fabs(frame.params.origin.x), std::fabs(frame.params.origin.y),
                                      std::fabs(map.columns * map.cell_size - frame.params.origin.x),
                                      std::fabs(map.rows * map.cell_size - frame.params.origin.y)});
    const auto coarsest = static_cast<float>(farthest);
    const double step = std::nextafter(coarsest, std::numeric_limits<float>::infinity()) - coarsest;
    require(step <= map.cell_size * 0x1p-12, "world.origin", farthest,
            "within 4096 cells of every corner of the map, or floats are too coarse for its walls");
    for (std::size_t g = 0; g < frame.params.groups.size(); ++g) {
        const Group& group = frame.params.groups[g];
        if (group.kind != RuleKind::kCrowd) continue;
        require(2.0 * static_cast<double>(group.speed - group.speed_spread) * frame.params.dt >= step,
                rule_key(frame.params, scene, g) + ": the slowest walking speed",
                group.speed - group.speed_spread,
                "enough to move by half a float's step at the far side of the map in a frame; use smaller "
                "cells or a "
                "longer dt");
    }
    frame.ground = std::make_unique<Ground>();
    Ground& ground = *frame.ground;
    ground.map = map;
    ground.left = -frame.params.origin.x;
    ground.top = -frame.params.origin.y;
    const Terrain& terrain = frame.land->terrain;
    ground.floors.resize(static_cast<std::size_t>(terrain.layer_count()));
    for (int layer = 0; layer < terrain.layer_count(); ++layer)
        ground.floors[static_cast<std::size_t>(layer)].set(terrain.grid(layer).map);
}

// Columns exist only where agents can differ in them. Without a map none has a goal or makes progress.
void share_columns(Frame& frame) {
    Agents& agents = frame.agents;
    const std::vector<Group>& groups = frame.params.groups;
    if (groups.size() <= 1) agents.group.now.share();
    const bool one_speed = std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
        return group.speed_spread == 0.0f && group.speed == groups[0].speed;
    });
    if (one_speed) agents.speed.now.share();
    agents.keeps_touch = frame.params.any_stay;
    if (frame.ground != nullptr) return;
    agents.goal.now.share();
    agents.state.now.share();
    agents.stall.now.share();
    agents.progress.now.share();
}

// Throws Error for what only a map gives a meaning.
void require_no_map_needed(const Scene& scene) {
    const SceneField& field = scene.field;
    const auto refuse = [](bool present, const char* key, const char* what) {
        if (present)
            throw Error(std::string(key) + ": " + what +
                        ", and the scene has no map; add a [map] or take it out");
    };
    refuse(!scene.edits.empty(), "edit", "an edit is one of a map");
    refuse(!scene.layers.empty(), "layer", "a layer is one of a map");
    refuse(!scene.terrain.heights.empty() || scene.terrain.hills > 0.0 || scene.terrain.density_gain > 0.0 ||
               !scene.given_heights.empty(),
           "terrain", "heights and the cost of crowds belong to the cells of a map");
    refuse(field.goals > 0 || !field.goal_sets.empty() || field.snap_goals || !field.follow.empty(), "field",
           "goals are cells of a map");
}

void set_up(Frame& frame, const Scene& scene, const Map* map, Vec3 origin) {
    Params& params = frame.params;
    const SceneWorld& world = scene.world;
    require(world.dim == 2 || world.dim == 3, "world.dim", world.dim, "2 or 3");
    require(std::isfinite(world.dt) && world.dt > 0.0 && world.dt <= 10.0, "world.dt", world.dt,
            "more than 0, at most 10 seconds");
    require(scene.field.goals >= 0 && scene.field.goals <= 60000, "field.goals", scene.field.goals,
            "between 0 and 60000");
    if (scene.field.goal_sets.size() > 5000)
        throw Error("field.goal_cells: more than 5000 goal sets; merge some");
    if (world.bounds) check_bounds(*world.bounds, world.dim, "world.bounds");
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        if (scene.agents[g].box)
            check_bounds(*scene.agents[g].box, world.dim, "agents[" + std::to_string(g) + "].box");
    }
    params.dim = world.dim;
    params.dt = static_cast<float>(world.dt);
    params.seed = world.seed;
    params.origin = origin;
    for (const double x : {params.origin.x, params.origin.y, params.origin.z}) {
        require(std::isfinite(x), "world.origin", x, "finite");
    }
    const bool nearest = std::any_of(scene.agents.begin(), scene.agents.end(),
                                     [](const SceneAgents& agents) { return agents.goal == "nearest"; }) ||
                         std::any_of(scene.behaviours.begin(), scene.behaviours.end(),
                                     [](const auto& named) { return named.second.goal == "nearest"; });
    std::vector<std::vector<Cell>> sets;
    if (map != nullptr) {
        frame.land = make_land(scene, *map);
        sets = choose_goal_sets(scene, frame.land->terrain.grid(0).map, nearest);
    } else {
        require_no_map_needed(scene);
    }
    params.scene_goals = static_cast<std::uint16_t>(sets.size() - (nearest && map != nullptr ? 1 : 0));
    set_up_groups(params, scene, map);
    set_up_scales(params, scene);
    check_combat_scales(params, scene, map);
    frame.agents.dim = params.dim;
    if (map != nullptr) {
        set_up_ground(frame, scene, frame.land->terrain.grid(0).map);
        set_up_goals(frame, scene, std::move(sets), nearest);
    } else if (world.edge != Edge::kOpen) {
        if (!world.bounds) {
            throw Error(
                "world.edge: a world that repeats or wraps needs bounds; give world.bounds = [xmin, ymin, "
                "xmax, ymax]");
        }
        (world.edge == Edge::kPeriodic ? params.periodic : params.wrap) = area_of(params, *world.bounds);
    }
    for (const Group& group : params.groups) {
        if (group.kind != RuleKind::kCrowd && group.flock.sight.update_every > 1)
            frame.agents.keeps_steering = true;
    }
    frame.tiers.params = tier_params(scene.tiers);
    frame.bodies.params = body_params(scene);
    set_up_watches(frame);
    share_columns(frame);
    set_up_view(frame.view, scene);
    frame.grid.set(params.dim, params.cell, params.periodic);
    set_up_spawners(frame, scene);
}

}  // namespace

std::string with_place(const Scene& scene, const std::string& text) {
    const std::pair<const std::string, std::string>* longest = nullptr;
    for (const auto& place : scene.places) {
        const std::size_t end = place.first.size();
        if (!text.starts_with(place.first) || end == text.size() || !std::strchr(":.[ ", text[end])) continue;
        if (longest == nullptr || end > longest->first.size()) longest = &place;
    }
    return longest == nullptr ? text : longest->second + ": " + text;
}

void set_up_frame(Frame& frame, const Scene& scene, const Map* map, const Snapshot* start) {
    set_up(frame, scene, map, choose_origin(scene, map, start));
    if (map != nullptr) build_fields(frame, scene);
}

void set_up_to_restore(Frame& frame, const Scene& scene, const Map* map) {
    set_up(frame, scene, map, choose_origin(scene, map, nullptr));
}

}  // namespace horde
