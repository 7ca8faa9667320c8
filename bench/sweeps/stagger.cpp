#include "bench/sweeps/stagger.h"

#include <cmath>

#include "bench/measure.h"
#include "bench/scenes.h"
#include "horde/metrics.h"
#include "horde/neighbours.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr std::int64_t kAgents = 1000;
constexpr int kMostEvery = 4;
constexpr int kLagFrames = 30;  // 0.5 s: before neighbours become others
constexpr int kSettled = 60;    // frames
constexpr int kFrames = 600;
constexpr int kSampleEvery = 10;  // frames
constexpr float kBody = 16.0f;    // px: the almanac's circles have a radius of about 8

Scene scene_of(int update_every, bool separation, std::uint64_t seed) {
    Scene scene = almanac_scene(kAgents);
    scene.world.seed = seed;
    auto& rule = std::get<ArcadeRule>(scene.rules["arcade"]);
    rule.update_every = update_every;
    rule.separation_every_frame = separation;
    return scene;
}

/// Means over the samples of a run.
struct Behaviour {
    double lag = 0.0;
    double polarization = 0.0;
    double lowest = 0.0;
    double overlaps = 0.0;

    void add(const Behaviour& other, double share) {
        lag += other.lag * share;
        polarization += other.polarization * share;
        lowest += other.lowest * share;
        overlaps += other.overlaps * share;
    }
};

double overlapping_share(const Snapshot& rows) {
    std::vector<float> x, y;
    for (const Vec3& p : rows.position) {
        x.push_back(static_cast<float>(p.x));
        y.push_back(static_cast<float>(p.y));
    }
    Neighbours neighbours({.dim = 2, .cell = kBody});
    neighbours.build(x, y);
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    neighbours.lists(kBody, start, index);
    std::int64_t touching = 0;
    for (std::size_t i = 0; i + 1 < start.size(); ++i) touching += start[i] < start[i + 1] ? 1 : 0;
    return static_cast<double>(touching) / static_cast<double>(rows.count());
}

double mean_distance(const Snapshot& a, const Snapshot& b, const Bounds& area) {
    const auto gap = [](double from, double to, double length) {
        const double d = std::fabs(to - from);
        return std::min(d, length - d);  // one of the two may have gone over the edge
    };
    double sum = 0.0;
    for (std::size_t i = 0; i < a.count(); ++i) {
        const double dx = gap(a.position[i].x, b.position[i].x, area.max.x - area.min.x);
        const double dy = gap(a.position[i].y, b.position[i].y, area.max.y - area.min.y);
        sum += std::sqrt(dx * dx + dy * dy);
    }
    return sum / static_cast<double>(a.count());
}

/// `early` is the flock that thinks in every frame, after kLagFrames; it is filled in where it is empty.
Behaviour observe(const Scene& scene, Snapshot& early) {
    World world(scene, {.backend = "scalar"});
    Behaviour seen;
    Snapshot rows;
    int samples = 0;
    for (int frame = 1; frame <= kFrames; ++frame) {
        world.step();
        if (frame == kLagFrames) {
            world.snapshot(rows);
            if (early.count() == 0) early = rows;
            seen.lag = mean_distance(rows, early, *scene.world.bounds);
        }
        if (frame < kSettled || frame % kSampleEvery != 0) continue;
        world.snapshot(rows);
        ++samples;
        seen.polarization += polarization(rows).value_or(0.0);
        seen.lowest += nearest_distances(rows).lowest.value_or(0.0);
        seen.overlaps += overlapping_share(rows);
    }
    seen.polarization /= samples;
    seen.lowest /= samples;
    seen.overlaps /= samples;
    return seen;
}

}  // namespace

std::vector<SweepCurve> sweep_stagger(const SweepBench& options) {
    std::vector<SweepCurve> curves = {{"all rules staggered", {}}, {"separation every frame", {}}};
    std::vector<std::vector<Repeats>> repeats(2, std::vector<Repeats>(kMostEvery));
    for (int run = 0; run < options.repeat; ++run) {
        for (int split = 0; split < 2; ++split) {
            for (int every = 1; every <= kMostEvery; ++every) {
                World world(scene_of(every, split == 1, 1), {.backend = "scalar"});
                repeats[split][every - 1].add(measure(world, 12, 12 * options.steps));
            }
        }
    }
    std::vector<Snapshot> early(static_cast<std::size_t>(options.seeds));
    for (int split = 0; split < 2; ++split) {
        for (int every = 1; every <= kMostEvery; ++every) {
            Behaviour mean;
            for (int seed = 1; seed <= options.seeds; ++seed) {
                const Scene scene = scene_of(every, split == 1, static_cast<std::uint64_t>(seed));
                mean.add(observe(scene, early[static_cast<std::size_t>(seed - 1)]), 1.0 / options.seeds);
            }
            Row row;
            row.name = "stagger";
            row.scene = "almanac";
            row.agents = kAgents;
            row.backend = "scalar";
            repeats[split][every - 1].write(row);
            row.values = {{"update_every", every},    {"separation_every_frame", split},
                          {"lag_px", mean.lag},       {"polarization", mean.polarization},
                          {"lowest_px", mean.lowest}, {"overlaps", mean.overlaps}};
            curves[split].rows.push_back(row);
        }
    }
    return curves;
}

std::vector<Plot> plots_of_stagger(const std::vector<SweepCurve>& curves) {
    const PlotAxis every{.label = "update_every, frames", .ticks = {1, 2, 3, 4}};
    Plot cost{.title = "cost"}, lag{.title = "lag"}, overlap{.title = "bodies that overlap"};
    cost.x = lag.x = overlap.x = every;
    cost.y = {.label = "ms a frame", .from_zero = true};
    lag.y = {.label = "px from the flock that always thinks, after 0.5 s", .from_zero = true};
    overlap.y = {.label = "share of agents nearer than 16 px to another", .from_zero = true};
    for (const SweepCurve& curve : curves) {
        PlotLine lines[3];
        for (const Row& row : curve.rows) {
            for (PlotLine& line : lines) line.x.push_back(value_of(row, "update_every"));
            lines[0].y.push_back(row.ms.median);
            lines[1].y.push_back(value_of(row, "lag_px"));
            lines[2].y.push_back(value_of(row, "overlaps"));
        }
        Plot* plots[3] = {&cost, &lag, &overlap};
        for (int n = 0; n < 3; ++n) {
            lines[n].name = curve.name;
            plots[n]->lines.push_back(lines[n]);
        }
    }
    return {cost, lag, overlap};
}

}  // namespace horde::bench
