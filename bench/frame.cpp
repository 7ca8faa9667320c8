#include "bench/frame.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "horde/world.h"

namespace horde::bench {
namespace {

/// Bytes that the program has taken and not given back.
double bytes_in_use() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

int scaled_side(int side, double factor) {
    const double scaled = std::round(side * std::sqrt(factor));
    return static_cast<int>(std::clamp(scaled, 32.0, static_cast<double>(kMaxMapSide)));
}

/// What one run of the scene gave.
struct Measurement {
    double frame_ms = 0.0;
    std::vector<std::pair<std::string, double>> stage_ms;  ///< in the order of the frame
    std::int64_t candidates = 0;
    std::int64_t neighbours = 0;
};

void add_stages(const FrameReport& report, Measurement& m) {
    for (const StageTime& stage : report.stages) {
        auto known = std::find_if(m.stage_ms.begin(), m.stage_ms.end(),
                                  [&](const auto& entry) { return entry.first == stage.name; });
        if (known == m.stage_ms.end()) known = m.stage_ms.emplace(m.stage_ms.end(), stage.name, 0.0);
        known->second += stage.us / 1000.0;
    }
}

Measurement measure(World& world, const FrameBench& options) {
    for (std::int64_t frame = 0; frame < options.warm_up; ++frame) world.step();
    Measurement m;
    const auto began = std::chrono::steady_clock::now();
    for (std::int64_t frame = 0; frame < options.steps; ++frame) {
        world.step();
        add_stages(world.report(), m);
        m.candidates += world.report().candidates;
        m.neighbours += world.report().neighbours;
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    m.frame_ms = took.count() / static_cast<double>(options.steps);
    for (auto& [name, ms] : m.stage_ms) ms /= static_cast<double>(options.steps);
    return m;
}

/// Bytes of the scene's world without its agents: fields and map.
double bytes_without_agents(Scene scene, const WorldOptions& options) {
    for (SceneAgents& group : scene.agents) group.count = 0;
    const double before = bytes_in_use();
    const World world(scene, options);
    return bytes_in_use() - before;
}

}  // namespace

void grow_map(Scene& scene, double factor) {
    if (scene.map.generate.empty()) return;
    scene.map.width = scaled_side(scene.map.width, factor);
    scene.map.height = scaled_side(scene.map.height, factor);
}

Row bench_frame(const Scene& scene, const FrameBench& options) {
    const WorldOptions world_options{.backend = options.backend, .threads = options.threads};
    Row row;
    row.name = "frame";
    row.scene = scene.name;
    for (const SceneAgents& group : scene.agents) row.agents += group.count;
    row.dim = scene.world.dim;
    const double bare = bytes_without_agents(scene, world_options);

    std::vector<double> frames;
    std::vector<std::pair<std::string, std::vector<double>>> stages;
    std::optional<std::uint64_t> hash;
    for (int run = 0; run < options.repeat; ++run) {
        const double before = bytes_in_use();
        World world(scene, world_options);
        const Measurement m = measure(world, options);
        const double grown = bytes_in_use() - before - bare;
        row.bytes_per_agent = std::max(row.bytes_per_agent, grown / static_cast<double>(row.agents));
        if (hash && *hash != world.state_hash()) {
            throw std::runtime_error("bench frame: two runs of one scene ended in different states");
        }
        hash = world.state_hash();
        frames.push_back(m.frame_ms);
        stages.resize(m.stage_ms.size());
        for (std::size_t i = 0; i < stages.size(); ++i) {
            stages[i].first = m.stage_ms[i].first;
            stages[i].second.push_back(m.stage_ms[i].second);
        }
        row.candidates = m.candidates;
        row.neighbours = m.neighbours;
        row.threads = world.threads();
        row.backend = world.backend();
        row.cells = world.map() ? static_cast<std::int64_t>(world.map()->cost.size()) : 0;
    }
    row.ms = spread_of(frames);
    for (const auto& [name, ms] : stages) row.stage_ms.emplace_back(name, spread_of(ms));
    row.state_hash = *hash;
    return row;
}

}  // namespace horde::bench
