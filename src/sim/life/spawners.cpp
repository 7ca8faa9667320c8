#include "sim/life/spawners.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/random.h"
#include "horde/error.h"
#include "sim/setup_rules.h"
#include "sim/spawn.h"

namespace horde {
namespace {

constexpr int kDraws = 64;  // of a place, before an agent is given up
constexpr std::int64_t kMostReserved = 65536;

double axis_of(Vec3 v, int axis) {
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

// The upper half of a product of two 64-bit numbers.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffffu)) >> 32);
}

std::uint64_t to_ticks(double value) {
    return static_cast<std::uint64_t>(std::ceil(value * kTicks));
}

void set_box(const Frame& frame, const Bounds& box, double (&low)[3], double (&high)[3]) {
    for (int k = 0; k < frame.params.dim; ++k) {
        low[k] = axis_of(box.min, k) - axis_of(frame.params.origin, k);
        high[k] = axis_of(box.max, k) - axis_of(frame.params.origin, k);
    }
}

void check_box(const Bounds& box, int dim, const std::string& key) {
    for (int k = 0; k < dim; ++k) {
        const double min = axis_of(box.min, k), max = axis_of(box.max, k);
        require(std::isfinite(min) && std::fabs(min) <= 1e12, key, min, "finite and within 1e12 metres");
        require(std::isfinite(max) && max <= 1e12 && max >= min, key, max,
                "finite, within 1e12 metres and no less than its minimum");
    }
}

// The box of a spawner, or the whole world.
Bounds whole_area(const Frame& frame, const Scene& scene, const std::optional<Bounds>& box,
                  const std::string& key) {
    if (box) {
        check_box(*box, frame.params.dim, key + ".box");
        return *box;
    }
    if (frame.ground) {
        const Map& map = frame.ground->map;
        return {{0.0, 0.0, 0.0}, {map.columns * map.cell_size, map.rows * map.cell_size, 0.0}};
    }
    if (scene.world.bounds) return *scene.world.bounds;
    throw Error(key + ".box: there is none, and no map and no world.bounds either; give one of them");
}

void set_up_area(const Frame& frame, const Scene& scene, const SceneSpawner& from, const std::string& key,
                 Spawner& to) {
    if (from.pattern == SpawnPattern::kCells) {
        if (!frame.ground || from.cells.empty())
            throw Error(key + ".cells: pattern \"cells\" needs a map and cells on it; name some");
        for (const std::vector<Cell>& some : from.cells) {
            for (const Cell cell : some) {
                if (frame.ground->map.contains(cell)) {
                    to.cells.push_back(static_cast<std::uint32_t>(frame.ground->map.index(cell)));
                    continue;
                }
                throw Error(key + ".cells: (" + std::to_string(cell.column) + ", " +
                            std::to_string(cell.row) + ") lies outside the map; give [column, row] on it");
            }
        }
    } else if (from.pattern == SpawnPattern::kCircle) {
        require(std::isfinite(from.radius) && from.radius >= 0.0 && from.radius <= 1e9, key + ".radius",
                from.radius, "between 0 and 1e9 metres");
        if (!from.centre) throw Error(key + ".centre: pattern \"circle\" needs one; give it in metres");
        const Vec3 c = *from.centre;
        const double r = from.radius;
        const Bounds box{{c.x - r, c.y - r, c.z - r}, {c.x + r, c.y + r, c.z + r}};
        check_box(box, frame.params.dim, key + ".centre");
        set_box(frame, box, to.low, to.high);
    } else {
        set_box(frame, whole_area(frame, scene, from.box, key), to.low, to.high);
    }
}

std::uint8_t group_of(const Frame& frame, int group, const std::string& key) {
    const auto groups = static_cast<int>(frame.params.scene_groups);
    if (group < 0 || group >= groups) {
        throw Error(key + ".group: there is no [[agents]] " + std::to_string(group) + "; the scene has " +
                    std::to_string(groups) + ", counted from 0");
    }
    return static_cast<std::uint8_t>(group);
}

// Columns, or rows, of the map that [low, high] touches: an empty range if it lies beside the map.
struct CellRange {
    std::int32_t first = 0;
    std::int32_t last = -1;
};
CellRange touched_cells(double low, double high, double origin, double cell_size, std::int32_t count) {
    const double first = std::floor((low - origin) / cell_size),
                 last = std::floor((high - origin) / cell_size);
    if (high < origin || first > count || (first == count && low > origin + count * cell_size)) return {};
    const auto in_map = [&](double c) {
        return static_cast<std::int32_t>(std::clamp(c, 0.0, static_cast<double>(count - 1)));
    };
    return {in_map(first), in_map(last)};
}

// The cells of the map that a box touches.
std::optional<CellArea> touched_area(const Frame& frame, const double (&low)[3], const double (&high)[3]) {
    const Ground& ground = *frame.ground;
    const Map& map = ground.map;
    if (map.cost.empty()) return std::nullopt;
    const CellRange x = touched_cells(low[0], high[0], ground.left, map.cell_size, map.columns);
    const CellRange y = touched_cells(low[1], high[1], ground.top, map.cell_size, map.rows);
    if (x.last < x.first || y.last < y.first) return std::nullopt;
    return CellArea{{x.first, y.first}, {x.last, y.last}};
}

// Does the circle about the middle of the box touch the cell?
bool circle_touches(const Frame& frame, const Spawner& spawner, Cell cell) {
    const Ground& ground = *frame.ground;
    const double size = ground.map.cell_size;
    const double at[2] = {ground.left + cell.column * size, ground.top + cell.row * size};
    double squared = 0.0;
    for (int k = 0; k < 2; ++k) {
        const double centre = 0.5 * (spawner.low[k] + spawner.high[k]);
        const double away = std::clamp(centre, at[k], at[k] + size) - centre;
        squared += away * away;
    }
    const double radius = 0.5 * (spawner.high[0] - spawner.low[0]);
    return squared <= radius * radius;
}

// Is a cell that the pattern covers free for bodies of the group?
bool has_free_cell(const Frame& frame, const Spawner& spawner) {
    const Ground& ground = *frame.ground;
    const Group& group = frame.params.groups[spawner.group];
    const Floor& floor = ground.floors[static_cast<std::size_t>(group.layer)];
    const auto is_open = [&](std::size_t cell) { return !floor.is_closed(cell); };
    if (spawner.pattern == SpawnPattern::kCells)
        return std::any_of(spawner.cells.begin(), spawner.cells.end(), is_open);
    const std::optional<CellArea> area = touched_area(frame, spawner.low, spawner.high);
    if (!area) return false;
    const double right = ground.left + ground.map.columns * ground.map.cell_size;
    const double bottom = ground.top + ground.map.rows * ground.map.cell_size;
    for (Cell c = area->first; c.row <= area->last.row; ++c.row) {
        for (c.column = area->first.column; c.column <= area->last.column; ++c.column) {
            if (!is_open(ground.map.index(c))) continue;
            const bool on_edge = (c.row == area->first.row && spawner.low[1] >= ground.top) ||
                                 (c.row == area->last.row && spawner.high[1] <= bottom) ||
                                 (c.column == area->first.column && spawner.low[0] >= ground.left) ||
                                 (c.column == area->last.column && spawner.high[0] <= right);
            if (spawner.pattern == SpawnPattern::kEdge && !on_edge) continue;
            if (spawner.pattern == SpawnPattern::kCircle && !circle_touches(frame, spawner, c)) continue;
            return true;
        }
    }
    return false;
}

// Throws Error for one that could never add an agent: beside the map, or on none but closed cells, unless an
// edit is to come that may open some.
void check_places(const Frame& frame, const Spawner& spawner, const std::string& key) {
    if (!frame.ground) return;
    const bool in_cells = spawner.pattern == SpawnPattern::kCells;
    const std::string where = key + (in_cells                                   ? ".cells"
                                     : spawner.pattern == SpawnPattern::kCircle ? ".centre"
                                                                                : ".box");
    if (!in_cells && !touched_area(frame, spawner.low, spawner.high))
        throw Error(where + ": all of it lies outside the map; give places on it, in metres");
    const std::vector<SceneEdit>& edits = frame.land->edits;
    const bool may_open = std::any_of(edits.begin(), edits.end(),
                                      [](const SceneEdit& edit) { return edit.kind == EditKind::kClear; });
    if (may_open || has_free_cell(frame, spawner)) return;
    throw Error(where + ": no cell of it is free for bodies of the group; move it off the walls");
}

Spawner make_spawner(const Frame& frame, const Scene& scene, const SceneSpawner& from,
                     const std::string& key) {
    require(std::isfinite(from.rate) && from.rate >= 0.0 && from.rate <= 1e6, key + ".rate", from.rate,
            "between 0 and 1000000 a second");
    require(from.burst >= 1 && from.burst <= 1'000'000, key + ".burst", from.burst, "between 1 and 1000000");
    require(from.limit >= 0 && from.limit <= 100'000'000, key + ".limit", static_cast<double>(from.limit),
            "between 0 and 100000000");
    require(std::isfinite(from.start) && from.start >= 0.0 && from.start <= 1e9, key + ".start", from.start,
            "between 0 and 1e9 seconds");
    require(from.stop == 0.0 || (from.stop > from.start && from.stop <= 1e9), key + ".stop", from.stop,
            "later than start, at most 1e9 seconds, or 0 for never");
    Spawner to;
    to.group = group_of(frame, from.group, key);
    to.pattern = from.pattern;
    to.rate = to_ticks(from.rate);
    to.burst = static_cast<std::uint64_t>(from.burst);
    to.limit = from.limit;
    to.start = to_ticks(from.start);
    to.stop = from.stop == 0.0 ? ~std::uint64_t{0} : to_ticks(from.stop);
    to.agents = scene.agents[static_cast<std::size_t>(from.group)];
    set_up_area(frame, scene, from, key, to);
    check_places(frame, to, key);
    return to;
}

std::uint64_t draw(const Frame& frame, AgentId id, int attempt, int which) {
    return random64(frame.params.seed, id, static_cast<std::uint64_t>(attempt),
                    static_cast<RandomUse>(static_cast<std::uint64_t>(RandomUse::kSpawner) +
                                           static_cast<std::uint64_t>(which)));
}

// A point on the border of the box, uniform by length (2D) or area (3D).
void draw_on_edge(const Frame& frame, const Spawner& spawner, AgentId id, int attempt, double (&at)[3]) {
    const int dim = frame.params.dim;
    double weight[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    for (int k = 0; k < dim; ++k) {
        weight[k] = 1.0;
        for (int other = 0; other < dim; ++other) {
            if (other != k) weight[k] *= spawner.high[other] - spawner.low[other];
        }
        sum += weight[k];
    }
    double along = 2.0 * sum * to_unit_interval<double>(draw(frame, id, attempt, 3));
    int axis = 0;
    while (axis + 1 < dim && along >= 2.0 * weight[axis]) along -= 2.0 * weight[axis++];
    at[axis] = along < weight[axis] ? spawner.low[axis] : spawner.high[axis];
}

// A place by the spawner's pattern, local metres.
void draw_place(const Frame& frame, const Spawner& spawner, AgentId id, int attempt, double (&at)[3]) {
    const int dim = frame.params.dim;
    double u[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < dim; ++k) u[k] = to_unit_interval<double>(draw(frame, id, attempt, k));
    if (spawner.pattern == SpawnPattern::kCells) {
        const Ground& ground = *frame.ground;
        const std::size_t chosen = bounded(draw(frame, id, attempt, 3), spawner.cells.size());
        const auto columns = static_cast<std::uint32_t>(ground.map.columns);
        const double column = spawner.cells[chosen] % columns, row = spawner.cells[chosen] / columns;
        at[0] = ground.left + (column + 0.25 + 0.5 * u[0]) * ground.map.cell_size;
        at[1] = ground.top + (row + 0.25 + 0.5 * u[1]) * ground.map.cell_size;
        return;
    }
    if (spawner.pattern == SpawnPattern::kCircle) {  // rejection from the box about it
        std::uint64_t key = draw(frame, id, attempt, 3);
        const auto outside = [&] {
            double squared = 0.0;
            for (int k = 0; k < dim; ++k) squared += (2.0 * u[k] - 1.0) * (2.0 * u[k] - 1.0);
            return squared > 1.0;
        };
        while (outside()) {
            for (int k = 0; k < dim; ++k) u[k] = to_unit_interval<double>(key = mix64(key));
        }
    }
    for (int k = 0; k < dim; ++k) at[k] = spawner.low[k] + u[k] * (spawner.high[k] - spawner.low[k]);
    if (spawner.pattern == SpawnPattern::kEdge) draw_on_edge(frame, spawner, id, attempt, at);
}

// On the lattice; on a map inside of its border, since a box may end there.
Vec<3> settle_place(const Frame& frame, const double (&at)[3]) {
    const Params& params = frame.params;
    Vec<3> local = zero_vec<3>();
    for (int k = 0; k < params.dim; ++k) {
        double x = at[k];
        if (frame.ground) {
            const Map& map = frame.ground->map;
            const double low = k == 0 ? frame.ground->left : frame.ground->top;
            const double gap = kStopGap * map.cell_size;
            const double side = (k == 0 ? map.columns : map.rows) * map.cell_size;
            if (x >= low && x <= low + side) x = std::clamp(x, low + gap, low + side - gap);
        }
        local[k] = params.position.snap(static_cast<float>(x));
        if (params.periodic.on) local[k] = wrap_coordinate(params.periodic, k, local[k]);
        if (params.wrap.on) local[k] = wrap_coordinate(params.wrap, k, local[k]);
    }
    return local;
}

// One agent; false if no place was found.
bool spawn_one(Frame& frame, const Spawner& spawner) {
    const std::int64_t i = add_drawn_agent(frame, spawner.group);
    const AgentId id = frame.agents.id.now[i];
    for (int attempt = 0; attempt < kDraws; ++attempt) {
        double at[3] = {0.0, 0.0, 0.0};
        draw_place(frame, spawner, id, attempt, at);
        Vec<3> local = settle_place(frame, at);
        if (!can_start_at(frame, i, local)) continue;
        start_agent(frame, i, spawner.agents, local);
        return true;
    }
    const auto last = static_cast<std::uint32_t>(i);
    remove_agents(frame.agents, {&last, 1});
    return false;
}

bool is_inside(const Sink& sink, const Frame& frame, std::int64_t i) {
    if (sink.group >= 0 && frame.params.groups[frame.agents.group.now[i]].scene_group != sink.group)
        return false;
    for (int k = 0; k < frame.params.dim; ++k) {
        const float x = frame.agents.position[k].now[i];
        if (x < sink.low[k] || x > sink.high[k]) return false;
    }
    return true;
}

std::int64_t alive_in(const Frame& frame, std::uint8_t group) {
    const Agents& agents = frame.agents;
    if (agents.group.now.shared() && !agents.has_combat) return agents.count;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < agents.count; ++i) {
        const bool of_group = frame.params.groups[agents.group.now[i]].scene_group == group;
        count += of_group && !is_dead(agents, i) ? 1 : 0;
    }
    return count;
}

}  // namespace

void set_up_spawners(Frame& frame, const Scene& scene) {
    std::int64_t room = 0;
    for (std::size_t s = 0; s < scene.spawners.size(); ++s) {
        const std::string key = "spawner[" + std::to_string(s) + "]";
        frame.spawners.push_back(make_spawner(frame, scene, scene.spawners[s], key));
        room += std::min(frame.spawners.back().limit, kMostReserved);
    }
    for (std::size_t s = 0; s < scene.sinks.size(); ++s) {
        const std::string key = "sink[" + std::to_string(s) + "]";
        const SceneSink& from = scene.sinks[s];
        if (!from.box) throw Error(key + ".box: there is none; give [xmin, ymin, xmax, ymax]");
        check_box(*from.box, frame.params.dim, key + ".box");
        Sink sink;
        sink.group = from.group < 0 ? -1 : group_of(frame, from.group, key);
        set_box(frame, *from.box, sink.low, sink.high);
        if (frame.ground && !touched_area(frame, sink.low, sink.high))
            throw Error(key + ".box: all of it lies outside the map; give a box on it, in metres");
        frame.sinks.push_back(sink);
    }
    if (room > 0) reserve_agents(frame.agents, room);
}

std::uint64_t due_by(const Spawner& spawner, std::uint64_t clock) {
    const std::uint64_t end = std::min(clock, spawner.stop);
    if (end <= spawner.start) return 0;
    return multiply_high(spawner.rate, end - spawner.start) / spawner.burst * spawner.burst;
}

bool is_open(const Spawner& spawner, std::uint64_t clock, std::uint64_t lead) {
    return spawner.rate > 0 && spawner.limit > 0 && clock + lead >= spawner.start && clock < spawner.stop;
}

void run_sinks(Frame& frame) {
    frame.report.sunk = 0;
    if (frame.sinks.empty()) return;
    const std::int64_t count = frame.agents.count, grain = frame.executor->grain(count);
    clear_counts(frame, count, grain);
    frame.executor->for_chunks(count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        std::vector<std::uint32_t>& leaving = frame.counts[static_cast<std::size_t>(chunk)].arrived;
        for (std::int64_t i = begin; i < end; ++i) {
            const bool sinks = std::any_of(frame.sinks.begin(), frame.sinks.end(),
                                           [&](const Sink& sink) { return is_inside(sink, frame, i); });
            if (sinks && !is_dead(frame.agents, i)) leaving.push_back(static_cast<std::uint32_t>(i));
        }
    });
    frame.arrived.clear();
    for (const StageCounts& counts : frame.counts) {
        frame.arrived.insert(frame.arrived.end(), counts.arrived.begin(), counts.arrived.end());
    }
    frame.report.sunk = static_cast<std::int64_t>(frame.arrived.size());
    remove_agents(frame.agents, frame.arrived);
}

void run_spawners(Frame& frame, std::uint64_t ticks) {
    frame.report.spawned = frame.report.spawns_dropped = 0;
    for (const Spawner& spawner : frame.spawners) {
        const std::uint64_t due = due_by(spawner, frame.clock + ticks) - due_by(spawner, frame.clock);
        if (due == 0) continue;
        const std::int64_t alive = alive_in(frame, spawner.group);
        const std::uint64_t room =
            spawner.limit > alive ? static_cast<std::uint64_t>(spawner.limit - alive) : 0;
        std::int64_t made = 0;
        for (std::uint64_t n = 0; n < std::min(due, room); ++n) made += spawn_one(frame, spawner) ? 1 : 0;
        frame.report.spawned += made;
        frame.report.spawns_dropped += static_cast<std::int64_t>(due) - made;
    }
}

}  // namespace horde
