#include "bench/frame.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "bench/frame_runs.h"
#include "bench/measure.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

int scaled_side(int side, double factor) {
    const double scaled = std::round(side * std::sqrt(factor));
    return static_cast<int>(std::clamp(scaled, 32.0, static_cast<double>(kMaxMapSide)));
}

/// Bytes of the scene's world without its agents: fields and map.
double bytes_without_agents(Scene scene, const WorldOptions& options) {
    for (SceneAgents& group : scene.agents) group.count = 0;
    const double before = bytes_in_use();
    const World world(scene, options);
    return bytes_in_use() - before;
}

/// Above the middle of the world, upright and looking down, far plane at infinity: sees `part` of its area.
Camera camera_above(const World& world, const Scene& scene, double part) {
    double side = 100.0;
    if (world.map() != nullptr) {
        side = std::max(world.map()->columns, world.map()->rows) * world.map()->cell_size;
    } else if (scene.world.bounds) {
        side = scene.world.bounds->max.x - scene.world.bounds->min.x;
    }
    const Vec3 middle = world.origin();
    const double height = 0.5 * side * std::sqrt(part);
    Camera camera;
    camera.view_projection = {1.0, 0.0, 0.0, 0.0,  0.0,       1.0,       0.0, 0.0,
                              0.0, 0.0, 0.0, -1.0, -middle.x, -middle.y, 0.1, middle.z + height};
    return camera;
}

World make_world(const Scene& scene, const FrameBench& options) {
    Scene searched = scene;
    if (options.all_pairs) searched.grid.search = Search::kBrute;
    World world(searched, {.backend = options.backend, .threads = options.threads, .trace = options.trace});
    if (options.camera > 0.0) world.set_camera(camera_above(world, scene, options.camera));
    const Vec3 middle = world.origin();
    if (options.tiers) world.set_viewpoints({&middle, 1});
    return world;
}

std::int64_t agents_of(const Scene& scene) {
    std::int64_t count = 0;
    for (const SceneAgents& group : scene.agents) count += group.count;
    return count;
}

}  // namespace

FrameRuns::FrameRuns(std::string name, const Scene& scene, const FrameBench& options)
    : scene_(scene), options_(options) {
    row_.name = std::move(name);
    row_.scene = scene.name;
    row_.agents = agents_of(scene);
    row_.dim = scene.world.dim;
    bare_ = bytes_without_agents(scene, {.backend = options.backend, .threads = options.threads});
}

void FrameRuns::run() {
    const double before = bytes_in_use();
    World world = make_world(scene_, options_);
    const Measurement m = measure(world, options_.warm_up, options_.steps);
    repeats_.add(m);
    each_.insert(each_.end(), m.each_ms.begin(), m.each_ms.end());
    busy_.push_back(m.busy);
    const double grown = bytes_in_use() - before - bare_;
    row_.bytes_per_agent = std::max(row_.bytes_per_agent, grown / static_cast<double>(row_.agents));
    if (hash_ && *hash_ != world.state_hash()) {
        throw std::runtime_error("bench frame: two runs of one scene ended in different states");
    }
    hash_ = world.state_hash();
    row_.threads = world.threads();
    row_.backend = world.backend();
    row_.cells = world.map() ? static_cast<std::int64_t>(world.map()->cost.size()) : 0;
    visible_ = options_.camera > 0.0 ? static_cast<double>(world.report().visible) : kNone;
    near_ = options_.tiers ? static_cast<double>(world.report().near) : kNone;
    batches_ = 0;
    for (int type = 0; type < 256 && options_.camera > 0.0; ++type)
        batches_ += static_cast<std::int64_t>(batch_count(world.packets(type).size(), 1023));
}

Row FrameRuns::row() const {
    Row row = row_;
    repeats_.write(row);
    row.state_hash = *hash_;
    const auto agents = static_cast<double>(row.agents);
    row.values = {
        {"p50_ms", quantile(each_, 0.5)},
        {"p99_ms", quantile(each_, 0.99)},
        {"worst_ms", quantile(each_, 1.0)},
        {"busy", quantile(busy_, 0.5)},
        {"pairs", 0.5 * agents * (agents - 1.0)},
        {"candidates_a_frame", static_cast<double>(row.candidates) / static_cast<double>(options_.steps)},
        {"visible", visible_},
        {"batches", options_.camera > 0.0 ? static_cast<double>(batches_) : kNone},
        {"near", near_}};
    return row;
}

void grow_map(Scene& scene, double factor) {
    if (scene.map.generate.empty()) return;
    scene.map.width = scaled_side(scene.map.width, factor);
    scene.map.height = scaled_side(scene.map.height, factor);
}

Row bench_frame(const Scene& scene, const FrameBench& options) {
    FrameRuns runs("frame", scene, options);
    for (int run = 0; run < options.repeat; ++run) runs.run();
    return runs.row();
}

std::vector<TraceSlice> trace_frames(const Scene& scene, const FrameBench& options, int frames) {
    FrameBench traced = options;
    traced.trace = true;
    World world = make_world(scene, traced);
    for (std::int64_t n = 0; n < options.warm_up + options.steps; ++n) world.step();
    std::vector<TraceSlice> slices = world.trace();
    std::vector<TraceSlice> steps;
    for (const TraceSlice& slice : slices) {
        if (std::string_view(slice.stage) == "step") steps.push_back(slice);
    }
    std::sort(steps.begin(), steps.end(),
              [](const TraceSlice& a, const TraceSlice& b) { return a.frame < b.frame; });
    const auto last = static_cast<std::size_t>(frames - 1);
    std::size_t best = static_cast<std::size_t>(options.warm_up);
    for (std::size_t n = best; n + last < steps.size(); ++n) {
        const auto length = [&](std::size_t k) { return steps[k + last].end_us - steps[k].begin_us; };
        if (length(n) < length(best)) best = n;
    }
    std::erase_if(slices, [&](const TraceSlice& slice) {
        return slice.frame < steps[best].frame || slice.frame > steps[best + last].frame;
    });
    return slices;
}

}  // namespace horde::bench
