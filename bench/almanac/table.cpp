#include "bench/almanac/table.h"

#include <algorithm>
#include <cmath>

#include "bench/almanac/flock.h"
#include "bench/almanac/start.h"
#include "bench/scenes.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr int kWindow = 60;  // frames: the almanac's SAMPLE_FRAMES

/// The averages of prints, by phase.
struct Phases {
    std::vector<double> rebuild, query, steering;

    void read(const Meter& a, const Meter& b, const Meter& c) {
        rebuild.push_back(a.average_us());
        query.push_back(b.average_us());
        steering.push_back(c.average_us());
    }
    void write(AlmanacEntry& entry) const {
        entry.rebuild_us = spread_of(rebuild);
        entry.query_us = spread_of(query);
        entry.steering_us = spread_of(steering);
    }
};

AlmanacEntry measure_boids(const std::vector<Boid>& start, BoidSearch search, int prints) {
    AlmanacEntry entry;
    entry.search = kAlmanacColumns[static_cast<int>(search)];
    entry.agents = static_cast<std::int64_t>(start.size());
    BoidFlock flock(BoidRule{}, start, {.search = search});
    Phases phases;
    double candidates = 0.0, neighbours = 0.0;
    for (int frame = 0; frame < (prints + 1) * kWindow; ++frame) {
        const bool print = flock.step(1.0f / 60.0f);
        if (frame < kWindow) continue;
        candidates += static_cast<double>(flock.candidates());
        neighbours += static_cast<double>(flock.neighbours());
        if (!print) continue;
        entry.average_us.push_back(flock.whole().average_us());
        entry.worst_us = std::max(entry.worst_us, flock.whole().worst_us());
        phases.read(flock.rebuild(), flock.query(), flock.steering());
    }
    phases.write(entry);
    entry.candidates = candidates / (prints * kWindow);
    entry.neighbours = search == BoidSearch::kThreeScans ? std::nan("") : neighbours / (prints * kWindow);
    entry.cells = static_cast<double>(flock.grid().cell_count());
    entry.line = flock.whole().line(entry.agents);
    return entry;
}

/// horde's stages that find neighbours and steer by them; it moves in a stage of its own, which is not
/// counted here either.
AlmanacEntry measure_horde(std::int64_t agents, int prints) {
    AlmanacEntry entry;
    entry.search = kAlmanacColumns[3];
    entry.agents = agents;
    World world(almanac_scene(agents), {.backend = "scalar"});
    Meter rebuild, query, steering, whole;
    Phases phases;
    double candidates = 0.0, neighbours = 0.0;
    for (int frame = 0; frame < (prints + 1) * kWindow; ++frame) {
        world.step();
        double grid_us = 0.0, steer_us = 0.0;
        for (const StageTime& stage : world.report().stages) {
            if (std::string_view(stage.name) == "grid") grid_us = stage.us;
            if (std::string_view(stage.name) == "steer") steer_us = stage.us;
        }
        rebuild.add(grid_us);
        query.add(steer_us);
        whole.add(grid_us + steer_us);
        rebuild.end_frame();
        query.end_frame();
        steering.end_frame();
        const bool print = whole.end_frame();
        if (frame < kWindow) continue;
        candidates += static_cast<double>(world.report().candidates);
        neighbours += static_cast<double>(world.report().neighbours);
        if (!print) continue;
        entry.average_us.push_back(whole.average_us());
        entry.worst_us = std::max(entry.worst_us, whole.worst_us());
        phases.read(rebuild, query, steering);
    }
    phases.write(entry);
    entry.candidates = candidates / (prints * kWindow);
    entry.neighbours = neighbours / (prints * kWindow);
    entry.cells = static_cast<double>(world.report().cells_occupied);
    entry.state_hash = world.state_hash();
    entry.line = whole.line(agents);
    return entry;
}

}  // namespace

std::vector<AlmanacEntry> measure_almanac(const AlmanacTable& settings) {
    if (settings.prints < 2) throw Error("--repeat: must be 2 or more prints, else none can be compared");
    std::vector<AlmanacEntry> table;
    for (const std::int64_t agents : settings.agents) {
        const std::vector<Boid> start = almanac_start(agents);
        for (const BoidSearch search : {BoidSearch::kThreeScans, BoidSearch::kGather, BoidSearch::kGrid}) {
            table.push_back(measure_boids(start, search, settings.prints));
        }
        table.push_back(measure_horde(agents, settings.prints));
    }
    return table;
}

std::vector<Row> rows_of(const std::vector<AlmanacEntry>& table) {
    std::vector<Row> rows;
    const auto in_ms = [](Spread us) { return Spread{us.min / 1000.0, us.median / 1000.0, us.max / 1000.0}; };
    for (const AlmanacEntry& entry : table) {
        double before = std::nan(""), naive = std::nan("");
        for (const AlmanacEntry& other : table) {
            if (other.search == entry.search && other.agents < entry.agents) before = other.us().median;
            if (other.agents == entry.agents && other.search == kAlmanacColumns[0]) naive = other.us().median;
        }
        Row row;
        row.name = "almanac-" + entry.search;
        std::replace(row.name.begin(), row.name.end(), ' ', '-');
        row.scene = "almanac";
        row.agents = entry.agents;
        row.backend = "scalar";
        row.ms = in_ms(entry.us());
        row.stage_ms = {{"rebuild", in_ms(entry.rebuild_us)},
                        {"query", in_ms(entry.query_us)},
                        {"steering", in_ms(entry.steering_us)}};
        row.candidates = std::llround(entry.candidates);
        row.neighbours = std::isfinite(entry.neighbours) ? std::llround(entry.neighbours) : 0;
        row.state_hash = entry.state_hash;
        row.values = {{"worst_us", entry.worst_us},
                      {"growth", entry.us().median / before},
                      {"naive_ratio", naive / entry.us().median}};
        rows.push_back(row);
    }
    return rows;
}

}  // namespace horde::bench
