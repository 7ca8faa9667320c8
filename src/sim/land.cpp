#include "sim/land.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "horde/error.h"
#include "sim/field/heights.h"
#include "sim/frame.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

void check_terrain(const SceneTerrain& terrain) {
    const std::size_t count = terrain.slope_limits.size();
    require(count == terrain.slope_costs.size(), "terrain.slope_costs: their number",
            static_cast<double>(terrain.slope_costs.size()), "that of slope_limits");
    for (std::size_t k = 0; k < count; ++k) {
        const double limit = terrain.slope_limits[k], cost = terrain.slope_costs[k];
        require(std::isfinite(limit) && limit >= 0.0 && (k == 0 || limit > terrain.slope_limits[k - 1]),
                "terrain.slope_limits", limit, "at least 0, and more than the limit before it");
        require(cost >= 0.0 && cost <= 254.0 && std::floor(cost) == cost, "terrain.slope_costs", cost,
                "a whole number, 0 to 254");
    }
    require(std::isfinite(terrain.hills) && terrain.hills >= 0.0 && terrain.hills <= 1e4, "terrain.hills",
            terrain.hills, "between 0 and 10000 metres");
    require(std::isfinite(terrain.hill_size) && terrain.hill_size >= 1e-6, "terrain.hill_size",
            terrain.hill_size, "at least 1e-6 metres");
    require(std::isfinite(terrain.density_gain) && terrain.density_gain >= 0.0 && terrain.density_gain <= 1e4,
            "terrain.density_gain", terrain.density_gain, "between 0 and 10000");
    require(terrain.density_interval >= 1, "terrain.density_interval", terrain.density_interval,
            "at least 1 frame");
    require(terrain.density_cap >= 0 && terrain.density_cap <= 254, "terrain.density_cap",
            terrain.density_cap, "between 0 and 254");
}

LayerRule layer_rule(const Scene& scene, std::size_t k, double cell_size) {
    const SceneLayer& layer = scene.layers[k];
    const std::string key = "layer[" + std::to_string(k) + "]";
    if (layer.name.empty()) throw Error(key + ".name: is missing; give each [[layer]] a name");
    for (std::size_t other = 0; other < k; ++other) {
        if (scene.layers[other].name == layer.name)
            throw Error(key + ".name: \"" + layer.name + "\" is the name of another layer too; change one");
    }
    require(std::isfinite(layer.clearance) && layer.clearance >= 0.0 &&
                layer.clearance <= (kMaxClearance - 1) * cell_size,
            key + ".clearance", layer.clearance, "between 0 and 126 cells");
    LayerRule rule;
    rule.name = layer.name;
    rule.clearance = body_of(layer.clearance, cell_size).rings;
    for (const auto& [cost, own] : layer.costs) {
        require(cost >= 1 && cost <= 254, key + ".costs: a cost of the map", cost, "between 1 and 254");
        require(own >= 1 && own <= 255, key + ".costs", own, "between 1 and 255");
        rule.cost[static_cast<std::size_t>(cost)] = static_cast<std::uint8_t>(own);
    }
    return rule;
}

void schedule_edits(Land& land, const std::vector<SceneEdit>& edits) {
    for (std::size_t k = 0; k < edits.size(); ++k) {
        const SceneEdit& edit = edits[k];
        const std::string key = "edit[" + std::to_string(k) + "]";
        if (!edit.cells) throw Error(key + ".cells: is missing; give first column and row, then the last");
        land.terrain.check_area((key + ".cells").c_str(), *edit.cells);
        if (edit.kind == EditKind::kWall)
            require(edit.cost == SceneEdit{}.cost, key + ".cost", edit.cost, "left alone for a wall");
        else
            require(edit.cost >= 1 && edit.cost <= 254, key + ".cost", edit.cost,
                    "between 1 and 254; a wall is an edit of kind \"wall\"");
        require(edit.frame >= 0, key + ".frame", static_cast<double>(edit.frame), "at least 0");
        land.due.push_back({edit.frame, k, false});
        if (edit.until == 0) continue;
        require(edit.kind != EditKind::kClear, key + ".until", static_cast<double>(edit.until),
                "absent for \"clear\", which cannot be taken back");
        require(edit.until > edit.frame, key + ".until", static_cast<double>(edit.until), "after frame");
        land.due.push_back({edit.until, k, true});
    }
    std::stable_sort(land.due.begin(), land.due.end(),
                     [](const Land::Due& a, const Land::Due& b) { return a.frame < b.frame; });
    land.edits = edits;
    land.stamps.assign(edits.size(), 0);
}

void edit_on_schedule(Land& land, std::uint64_t frame) {
    for (; land.next_due < land.due.size(); ++land.next_due) {
        const Land::Due& due = land.due[land.next_due];
        if (static_cast<std::uint64_t>(due.frame) > frame) break;
        const SceneEdit& edit = land.edits[due.edit];
        if (due.ends) {
            land.terrain.unstamp(std::exchange(land.stamps[due.edit], 0));
        } else if (edit.kind == EditKind::kClear) {
            land.terrain.set_cost(*edit.cells, edit.cost);
        } else {
            const int cost = edit.kind == EditKind::kWall ? kWallCost : edit.cost;
            land.stamps[due.edit] = land.terrain.stamp(*edit.cells, cost);
        }
    }
}

}  // namespace

int find_layer(const Scene& scene, const std::string& name, const std::string& key) {
    if (name.empty()) return 0;
    for (std::size_t k = 0; k < scene.layers.size(); ++k) {
        if (scene.layers[k].name == name) return static_cast<int>(k) + 1;
    }
    throw Error(key + ".layer: there is no layer \"" + name + "\"; add a [[layer]] of that name");
}

std::unique_ptr<Land> make_land(const Scene& scene, const Map& map) {
    require(std::isfinite(map.cell_size) && map.cell_size >= 1e-3 && map.cell_size <= 1e3, "map.cell_size",
            map.cell_size, "between 0.001 and 1000 metres");
    check_terrain(scene.terrain);
    if (scene.layers.size() > 64) throw Error("layer: more than 64 layers; merge some");
    std::vector<float> heights = make_heights(scene, map);
    std::vector<std::uint8_t> slope;
    if (!heights.empty()) {
        const std::vector<std::uint8_t> costs(scene.terrain.slope_costs.begin(),
                                              scene.terrain.slope_costs.end());
        slope = slope_costs(map, heights, scene.terrain.slope_limits, costs);
    }
    std::vector<LayerRule> layers;
    for (std::size_t k = 0; k < scene.layers.size(); ++k)
        layers.push_back(layer_rule(scene, k, map.cell_size));
    auto land = std::make_unique<Land>(Terrain(map, std::move(slope), std::move(layers)));
    land->heights = std::move(heights);
    land->layer_used.assign(static_cast<std::size_t>(land->terrain.layer_count()), 0);
    land->layer_used[0] = 1;
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const int layer = find_layer(scene, scene.agents[g].layer, "agents[" + std::to_string(g) + "]");
        land->layer_used[static_cast<std::size_t>(layer)] = 1;
    }
    if (scene.terrain.density_gain > 0.0 && scene.terrain.density_cap > 0) {
        land->density = std::make_unique<Density>(map, scene.terrain.density_gain, scene.terrain.density_cap);
        land->density_interval = static_cast<std::uint64_t>(scene.terrain.density_interval);
    }
    schedule_edits(*land, scene.edits);
    return land;
}

void unstamp(Land& land, StampId id) {
    const auto made = std::find(land.stamps.begin(), land.stamps.end(), id);
    if (id != 0 && made != land.stamps.end()) {
        throw Error("unstamp: stamp " + std::to_string(id) + " is that of edit[" +
                    std::to_string(made - land.stamps.begin()) +
                    "] of the scene; give the id of one that `stamp` returned");
    }
    land.terrain.unstamp(id);
}

void put_edits_in_force(Frame& frame) {
    Terrain& terrain = frame.land->terrain;
    if (!terrain.commit()) return;
    Ground& ground = *frame.ground;
    for (int layer = 0; layer < terrain.layer_count(); ++layer) {
        const LayerCosts now = terrain.layer(layer);
        const Map& map = now.costs->map;
        Floor& floor = ground.floors[static_cast<std::size_t>(layer)];
        ground.changed.clear();
        for (const std::uint32_t cell : now.changed) {
            if (floor.is_closed(std::size_t{cell}) != (map.cost[cell] == kWallCost))
                ground.changed.push_back(cell);
            if (layer == 0) ground.map.cost[cell] = map.cost[cell];
        }
        if (!ground.changed.empty()) floor.change(ground.changed, map);
    }
}

void terrain_stage(Frame& frame) {
    if (!frame.land) return;
    Land& land = *frame.land;
    edit_on_schedule(land, frame.number);
    if (land.density && frame.number > 0 && frame.number % land.density_interval == 0) {
        const Agents& agents = frame.agents;
        const Ground& ground = *frame.ground;
        land.density->update(land.terrain,
                             {agents.position[0].now.data(), agents.position[1].now.data(), agents.count,
                              ground.left, ground.top},
                             *frame.executor);
    }
    if (land.terrain.is_pending()) put_edits_in_force(frame);
}

bool is_hilly(const Frame& frame) {
    return frame.land && !frame.land->heights.empty();
}

float height_under(const Frame& frame, float x, float y) {
    if (!is_hilly(frame)) return 0.0f;
    const Ground& ground = *frame.ground;
    return static_cast<float>(
        height_between(ground.map, frame.land->heights, ground.column_at(x), ground.row_at(y)));
}

}  // namespace horde
