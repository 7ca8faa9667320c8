// The scenes of the promise "one answer", each with the number of frames that are run.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../places.h"
#include "horde/files.h"
#include "horde/scene.h"

namespace horde::test {

struct ConformanceScene {
    std::string name;
    int frames;
    std::function<Scene()> make;
};

inline Scene flock(int dim, Edge edge, std::int64_t count, double side, Vec3 centre) {
    Scene scene;
    scene.world.dim = dim;
    scene.world.edge = edge;
    scene.world.seed = 11;
    scene.world.bounds = Bounds{{centre.x - side / 2, centre.y - side / 2, centre.z - side / 2},
                                {centre.x + side / 2, centre.y + side / 2, centre.z + side / 2}};
    SceneAgents agents;
    agents.count = count;
    agents.spawn = SpawnArea::kBox;
    agents.start_speed = 1.1;
    scene.agents.push_back(agents);
    scene.rules["crowd"] = CrowdRule{};
    return scene;
}

// A flock of one rule, dense enough that agents have a dozen neighbours.
inline Scene rule_flock(const Rule& rule, int dim, Edge edge, double side) {
    Scene scene = flock(dim, edge, 300, side, {2.0, -1.0, 0.5});
    scene.agents[0].rule = "rule";
    scene.rules["rule"] = rule;
    return scene;
}

inline Rule reynolds_rule(NeighbourChoice choice = NeighbourChoice::kAll, double half_angle = 180.0,
                          int update_every = 1) {
    ReynoldsRule rule;
    rule.perception_radius = 2.0;
    rule.separation_distance = 0.8;
    rule.neighbours = choice;
    rule.half_angle = half_angle;
    rule.update_every = update_every;
    rule.separation_every_frame = update_every > 2;
    rule.speed_limit_spread = 0.3;
    return rule;
}

inline Rule arcade_rule(NeighbourChoice choice = NeighbourChoice::kAll, double half_angle = 180.0,
                        int update_every = 1) {
    ArcadeRule rule;
    rule.neighbour_radius = 1.9;
    rule.max_speed = 3.0;
    rule.max_force = 9.0;
    rule.hold_speed = 0.1;
    rule.neighbours = choice;
    rule.half_angle = half_angle;
    rule.update_every = update_every;
    return rule;
}

inline Rule vicsek_rule(NeighbourChoice choice = NeighbourChoice::kAll, double half_angle = 180.0,
                        int update_every = 1) {
    VicsekRule rule;
    rule.radius = 1.7;
    rule.speed = 1.0;
    rule.noise = 0.8;
    rule.neighbours = choice;
    rule.half_angle = half_angle;
    rule.update_every = update_every;
    return rule;
}

inline Scene town(OnArrival on_arrival) {
    Scene scene;
    scene.world.seed = 5;
    scene.map.generate = "city";
    scene.map.width = 72;
    scene.map.height = 64;
    scene.map.seed = 3;
    scene.map.cell_size = 0.9;
    scene.field.goals = 4;
    SceneAgents walkers, nearest;
    walkers.count = 350;
    nearest.count = 150;
    nearest.type = 1;
    nearest.goal = "nearest";
    nearest.rule = "slow";
    scene.agents = {walkers, nearest};
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = on_arrival;
    scene.rules["slow"] = scene.rules["crowd"];
    std::get<CrowdRule>(scene.rules["slow"]).speed = 0.8;
    std::get<CrowdRule>(scene.rules["slow"]).separation_radius = 1.7;
    return scene;
}

// Two crowds meet at their goals, one in sight of it, and a third passes through them.
inline Scene gathering() {
    Scene scene;
    scene.world.seed = 9;
    scene.map.rows.assign(40, "@" + std::string(58, '.') + "@");
    scene.map.rows.front() = scene.map.rows.back() = std::string(60, '@');
    for (std::size_t r = 12; r < 28; ++r) scene.map.rows[r][20] = '@';
    scene.field.goal_sets = {{{30, 20}}, {{34, 20}, {34, 21}}, {{2, 20}}};
    SceneAgents first, second, passing;
    first.count = second.count = passing.count = 150;
    first.goal = "0";
    second.goal = "1";
    second.rule = "sees";
    passing.goal = "2";
    passing.rule = "passes";
    scene.agents = {first, second, passing};
    scene.rules["crowd"] = CrowdRule{.on_arrival = OnArrival::kStay};
    scene.rules["sees"] = CrowdRule{.on_arrival = OnArrival::kStay, .line_of_sight = true};
    scene.rules["passes"] = CrowdRule{.time_gap = 0.4, .line_of_sight = true};
    return scene;
}

// All that changes costs: slopes, a layer of wide bodies, a crowd that costs, walls and mud that come and go.
inline Scene living() {
    Scene scene = town(OnArrival::kRespawn);
    scene.terrain.hills = 7.0;
    scene.terrain.hill_size = 18.0;
    scene.terrain.density_gain = 1.5;
    scene.terrain.density_interval = 7;
    scene.layers = {{.name = "wide", .clearance = 0.6, .costs = {{1, 2}, {3, 1}}}};
    scene.agents[1].layer = "wide";
    const auto area = [](int c0, int r0, int c1, int r1) { return CellArea{{c0, r0}, {c1, r1}}; };
    scene.edits = {
        {.frame = 20, .cells = area(20, 20, 50, 26), .until = 120},
        {.frame = 31, .kind = EditKind::kCost, .cells = area(10, 5, 40, 60), .cost = 6, .until = 90},
        {.frame = 47, .cells = area(30, 10, 34, 50), .until = 100},
        {.frame = 60, .kind = EditKind::kClear, .cells = area(0, 40, 71, 43)},
        {.frame = 60, .cells = area(5, 41, 7, 41)}};
    return scene;
}

// The same, with goals that follow agents, fields that take frames to build, and some that no cache holds.
inline Scene pursuit() {
    Scene scene = living();
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    for (SceneAgents& group : scene.agents) group.goal = group.goal == "nearest" ? "1" : "0";
    scene.field.goals = 6;
    scene.field.follow = {200, 17};
    scene.field.goal_interval = 0.3;
    scene.field.snap_goals = true;
    scene.field.field_cells_per_frame = 900;
    scene.field.cache_bytes = 4 * 72 * 64 * 5;  // of 12 fields
    return scene;
}

// Spawners of every pattern, a sink, a limit that is met and a place where nobody can start.
inline Scene busy_town() {
    Scene scene = town(OnArrival::kExit);
    for (const SpawnPattern pattern :
         {SpawnPattern::kBox, SpawnPattern::kCells, SpawnPattern::kCircle, SpawnPattern::kEdge}) {
        SceneSpawner spawner;
        spawner.group = pattern == SpawnPattern::kCircle ? 1 : 0;
        spawner.rate = 23.7;
        spawner.burst = pattern == SpawnPattern::kCells ? 9 : 1;
        spawner.pattern = pattern;
        spawner.cells = {{{3, 4}}, {{30, 30}, {31, 30}}};
        spawner.centre = Vec3{30.0, 30.0, 0.0};
        spawner.radius = 12.0;
        spawner.start = 0.4;
        spawner.stop = pattern == SpawnPattern::kBox ? 7.0 : 0.0;
        spawner.limit = 420;
        scene.spawners.push_back(spawner);
    }
    scene.sinks = {{.box = Bounds{{20.0, 10.0, 0.0}, {26.0, 40.0, 0.0}}},
                   {.box = Bounds{{40.0, 0.0, 0.0}, {70.0, 20.0, 0.0}}, .group = 1}};
    // What would open the cells, which are walls, comes too late.
    scene.edits = {{.frame = 1'000'000, .kind = EditKind::kClear, .cells = CellArea{{3, 4}, {3, 4}}}};
    return scene;
}

// Tiers that spare work, with a full near tier in the middle of things.
inline Scene with_tiers(Scene scene, std::vector<Vec3> viewpoints, double near) {
    SceneTiers& tiers = scene.tiers;
    tiers.viewpoints = std::move(viewpoints);
    tiers.near_promote = near;
    tiers.near_demote = near * 1.25;
    tiers.middle_promote = near * 2.5;
    tiers.middle_demote = near * 2.75;
    tiers.max_near = 40;
    tiers.max_promotions = tiers.max_demotions = 3;
    tiers.far_every = 4;
    tiers.middle_every = 2;
    tiers.far_separation = false;
    return scene;
}

inline Scene with_bodies(Scene scene, Physics physics) {
    scene.bodies.physics = physics;
    scene.bodies.radius = 0.3;
    scene.bodies.restitution = 0.4;
    scene.bodies.friction = 0.2;
    return scene;
}

// The scenes of fights, smaller and at close quarters, so that they begin at once.
inline Scene fight(const std::string& name) {
    Scene scene = load_scene(std::string(horde::test::kSourceDir) + "/scenes/" + name + ".toml");
    std::vector<SceneAgents>& agents = scene.agents;
    if (name == "hunt") {
        agents[0].count = 300;
        agents[0].box = Bounds{{2.0, 60.0, 0.0}, {50.0, 100.0, 0.0}};
        agents[1].count = 20;
        agents[1].box = Bounds{{220.0, 55.0, 0.0}, {238.0, 105.0, 0.0}};  // beyond the seam
    } else if (name == "murmuration") {
        agents[0].count = 500;
        agents[0].box = Bounds{{2.0, 60.0, 40.0}, {22.0, 80.0, 50.0}};
        agents[1].count = 6;
        agents[1].box = Bounds{{300.0, 60.0, 40.0}, {318.0, 80.0, 50.0}};
        scene.combat["talons"].range = 12.0;
        scene.combat["talons"].cooldown = 0.3;
    } else {
        agents[0].box = Bounds{{22.0, 14.0, 0.0}, {36.0, 34.0, 0.0}};
        agents[1].box = Bounds{{37.0, 21.5, 0.0}, {45.0, 26.5, 0.0}};
        for (SceneSpawner& spawner : scene.spawners) spawner.rate = 0.4 * spawner.burst;
    }
    return scene;
}

inline std::vector<ConformanceScene> conformance_scenes() {
    const std::string folder = std::string(horde::test::kSourceDir) + "/scenes/";
    std::vector<ConformanceScene> all = {
        {"plaza", 300, [=] { return load_scene(folder + "plaza.toml"); }},
        {"town-exit", 200, [] { return town(OnArrival::kExit); }},
        {"town-stay", 200, [] { return town(OnArrival::kStay); }},
        {"gathering", 400, gathering},
        {"town-stay-dense", 200,
         [] {
             Scene scene = town(OnArrival::kStay);
             scene.terrain.density_gain = 3.0;
             scene.layers = {{.name = "wide", .clearance = 0.4}};
             scene.agents[1].layer = "wide";
             return scene;
         }},
        {"town-respawn", 200, [] { return town(OnArrival::kRespawn); }},
        {"living", 150, [] { return living(); }},
        {"pursuit", 150, [] { return pursuit(); }},
        {"town-spawners", 200, busy_town},
        {"spawners-3d", 60,
         [] {
             Scene scene = rule_flock(reynolds_rule(), 3, Edge::kPeriodic, 6.0);
             SceneSpawner spawner;
             spawner.rate = 90.0;
             spawner.pattern = SpawnPattern::kEdge;
             scene.spawners = {spawner};
             scene.sinks = {{.box = Bounds{{1.0, -2.0, -1.0}, {3.0, 0.0, 2.0}}}};
             return scene;
         }},
        {"town-tiers", 200,
         [] {
             return with_tiers(town(OnArrival::kRespawn), {{20.0, 20.0}, {50.0, 30.0}}, 7.0);
         }},
        {"town-stay-tiers", 200,
         [] {
             return with_tiers(town(OnArrival::kStay), {{30.0, 25.0}}, 9.0);
         }},
        {"reynolds-tiers-3d", 60,
         [] {
             return with_tiers(rule_flock(reynolds_rule(), 3, Edge::kPeriodic, 5.5), {{1.0, 0.0, 2.5}}, 1.0);
         }},
        {"arcade-tiers-2d", 60,
         [] {
             const Rule rule = arcade_rule(NeighbourChoice::kAll, 180.0, 2);
             return with_tiers(rule_flock(rule, 2, Edge::kWrap, 9.0), {{1.0, 0.0}}, 2.0);
         }},
        {"vicsek-tiers-2d", 60,
         [] {
             return with_tiers(rule_flock(vicsek_rule(), 2, Edge::kPeriodic, 9.3), {{5.0, 1.0}}, 1.7);
         }},
        {"town-bodies", 120, [] { return with_bodies(town(OnArrival::kStay), Physics::kAll); }},
        {"living-bodies", 100,
         [] {
             return with_bodies(with_tiers(living(), {{30.0, 25.0}}, 9.0), Physics::kNear);
         }},
        {"arcade-bodies-wrap", 60,
         [] { return with_bodies(rule_flock(arcade_rule(), 2, Edge::kWrap, 9.0), Physics::kAll); }},
        {"hunt", 200, [] { return fight("hunt"); }},
        {"murmuration", 120, [] { return fight("murmuration"); }},
        {"siege", 200, [] { return fight("siege"); }},
        {"siege-bodies", 150, [] { return with_bodies(fight("siege"), Physics::kAll); }},
        {"siege-tiers", 150,
         [] {
             return with_tiers(fight("siege"), {{42.0, 24.0}}, 6.0);
         }},
        {"open-2d", 100, [] { return flock(2, Edge::kOpen, 400, 16.0, {}); }},
        {"open-3d-far", 60,
         [] {
             return flock(3, Edge::kOpen, 400, 7.0, {1e6, -3e6, 5e5});
         }},
        {"boundless-3d", 40, [] { return flock(3, Edge::kOpen, 400, 900.0, {}); }},
        {"periodic-2d", 100,
         [] {
             return flock(2, Edge::kPeriodic, 400, 15.3, {-3.0, 40.0, 0.0});
         }},
        {"periodic-3d", 60, [] { return flock(3, Edge::kPeriodic, 400, 6.1, {}); }},
        {"periodic-2d-narrow", 60, [] { return flock(2, Edge::kPeriodic, 60, 1.6, {}); }},
        {"almanac", 60, [=] { return load_scene(folder + "almanac.toml"); }},
        {"cuplan", 40, [=] { return load_scene(folder + "cuplan.toml"); }},
    };
    const auto nearest = NeighbourChoice::kNearest;
    const std::vector<std::pair<std::string, std::vector<Rule>>> rules = {
        {"reynolds", {reynolds_rule(), reynolds_rule(nearest, 140.0, 2), reynolds_rule(nearest, 180.0, 3)}},
        {"arcade", {arcade_rule(), arcade_rule(nearest, 140.0, 2)}},
        {"vicsek", {vicsek_rule(), vicsek_rule(nearest, 140.0, 2)}},
    };
    const std::vector<std::tuple<std::string, Edge, double>> spaces = {{"open", Edge::kOpen, 9.0},
                                                                       {"boundless", Edge::kOpen, 400.0},
                                                                       {"periodic", Edge::kPeriodic, 9.3},
                                                                       {"wrap", Edge::kWrap, 9.0}};
    for (const auto& [name, variants] : rules) {
        for (const auto& [space, edge, side] : spaces) {
            for (const int dim : {2, 3}) {
                for (std::size_t v = 0; v < variants.size(); ++v) {
                    if (v > 0 && edge != Edge::kPeriodic) continue;  // one space is enough for the variants
                    const std::string full = name + (v > 0 ? "-v" + std::to_string(v) : "") + "-" + space +
                                             "-" + std::to_string(dim) + "d";
                    const Rule rule = variants[v];
                    const double box = dim == 2 ? side : side * 0.6;
                    all.push_back({full, 30, [=, e = edge] { return rule_flock(rule, dim, e, box); }});
                }
            }
        }
    }
    return all;
}

}  // namespace horde::test
