#include "bench/sweeps/crossover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/almanac/flock.h"
#include "bench/almanac/start.h"
#include "bench/measure.h"
#include "bench/scenes.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr int kFrames = 60;  // of one measurement

/// A boundless flock of rule reynolds that starts in a box: inside a large one an agent has `neighbours`.
Scene reynolds_scene(int dim, double neighbours, std::int64_t agents) {
    const ReynoldsRule rule;
    const double r = rule.perception_radius;
    const double ball = dim == 2 ? 3.141592653589793 * r * r : 4.1887902047863905 * r * r * r;
    const double volume = static_cast<double>(agents) * ball / neighbours;
    const double side = dim == 2 ? std::sqrt(volume) : std::cbrt(volume);
    Scene scene;
    scene.name = fmt::format("reynolds-{}d", dim);
    scene.world.dim = dim;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {side, side, side}};
    scene.rules["reynolds"] = rule;
    scene.agents.push_back(
        {.count = agents, .rule = "reynolds", .spawn = SpawnArea::kBox, .start_speed = rule.max_speed});
    return scene;
}

/// Times both ways by turns and fills in the point. Each function runs kFrames frames and returns
/// microseconds a frame.
template <class Brute, class Grid>
CrossoverPoint by_turns(std::int64_t agents, int repeat, Brute&& brute, Grid&& grid) {
    brute();
    grid();
    std::vector<double> brute_us, grid_us, ratio;
    for (int run = 0; run < repeat; ++run) {
        brute_us.push_back(brute());
        grid_us.push_back(grid());
        ratio.push_back(brute_us.back() / grid_us.back());
    }
    CrossoverPoint point;
    point.agents = agents;
    point.brute_us = spread_of(brute_us);
    point.grid_us = spread_of(grid_us);
    point.ratio = quantile(ratio, 0.5);
    point.ratio_low = quantile(ratio, 0.25);
    point.ratio_high = quantile(ratio, 0.75);
    return point;
}

CrossoverPoint horde_point(Scene scene, int repeat) {
    scene.grid.search = Search::kBrute;
    World brute(scene, {.backend = "scalar"});
    scene.grid.search = Search::kGrid;
    World grid(scene, {.backend = "scalar"});
    CrossoverPoint point = by_turns(
        brute.agent_count(), repeat, [&] { return 1000.0 * measure(brute, 0, kFrames).frame_ms; },
        [&] { return 1000.0 * measure(grid, 0, kFrames).frame_ms; });
    if (brute.state_hash() != grid.state_hash())
        throw std::runtime_error("bench crossover: brute force and grid ended in different states");
    point.state_hash = grid.state_hash();
    return point;
}

CrossoverPoint almanac_point(BoidSearch search, std::int64_t agents, int repeat) {
    const std::vector<Boid> start = almanac_start(agents);
    BoidFlock brute(BoidRule{}, start, {.search = search});
    BoidFlock grid(BoidRule{}, start, {.search = BoidSearch::kGrid});
    const auto window = [](BoidFlock& flock) {  // kFrames is the window of its meter
        while (!flock.step(1.0f / 60.0f)) {
        }
        return flock.whole().average_us();
    };
    return by_turns(
        agents, repeat, [&] { return window(brute); }, [&] { return window(grid); });
}

/// Where a ratio passes 1 and stays above, or NaN.
double crossing_of(const std::vector<CrossoverPoint>& points, double CrossoverPoint::*ratio) {
    std::size_t last = points.size();
    for (std::size_t n = 0; n < points.size(); ++n) {
        if (points[n].*ratio <= 1.0) last = n;
    }
    if (last + 1 >= points.size()) return std::nan("");
    const double below = std::log(points[last].*ratio), above = std::log(points[last + 1].*ratio);
    const double from = std::log(static_cast<double>(points[last].agents));
    const double to = std::log(static_cast<double>(points[last + 1].agents));
    return std::exp(from + (to - from) * -below / (above - below));
}

}  // namespace

void find_crossing(CrossoverCurve& curve) {
    curve.crossing = crossing_of(curve.points, &CrossoverPoint::ratio);
    curve.crossing_low = crossing_of(curve.points, &CrossoverPoint::ratio_high);
    curve.crossing_high = crossing_of(curve.points, &CrossoverPoint::ratio_low);
}

std::string crossing_text(const CrossoverCurve& curve) {
    const auto whole = [](double v, const char* otherwise) {
        return std::isfinite(v) ? fmt::format("{:.0f}", v) : std::string(otherwise);
    };
    if (std::isfinite(curve.crossing)) {
        return fmt::format("{:.0f} agents ({} to {})", curve.crossing, whole(curve.crossing_low, "fewer"),
                           whole(curve.crossing_high, "more"));
    }
    if (curve.points.back().ratio > 1.0) {
        return fmt::format("none above {}: the grid is the cheaper throughout", curve.points.front().agents);
    }
    return fmt::format("none up to {}: brute force is the cheaper there", curve.points.back().agents);
}

std::vector<CrossoverCurve> measure_crossover(const CrossoverBench& options) {
    if (options.repeat < 1) throw Error("--repeat: must be 1 or more");
    if (options.agents.empty() || !std::is_sorted(options.agents.begin(), options.agents.end()) ||
        options.agents.front() < 2) {
        throw Error("--agents: must be numbers of 2 or more, in rising order");
    }
    std::vector<CrossoverCurve> curves(5);
    curves[0].scene = "almanac";
    curves[1].scene = "reynolds-2d";
    curves[2].scene = "reynolds-3d";
    curves[3].scene = "almanac-three-scans";
    curves[4].scene = "almanac-gather";
    curves[3].is_horde = curves[4].is_horde = false;
    for (const std::int64_t n : options.agents) {
        curves[0].points.push_back(horde_point(almanac_scene(n), options.repeat));
        curves[1].points.push_back(horde_point(reynolds_scene(2, 12.566, n), options.repeat));
        curves[2].points.push_back(horde_point(reynolds_scene(3, 30.0, n), options.repeat));
        curves[3].points.push_back(almanac_point(BoidSearch::kThreeScans, n, options.repeat));
        curves[4].points.push_back(almanac_point(BoidSearch::kGather, n, options.repeat));
    }
    for (CrossoverCurve& curve : curves) find_crossing(curve);
    return curves;
}

std::vector<Row> rows_of(const std::vector<CrossoverCurve>& curves) {
    std::vector<Row> rows;
    const auto in_ms = [](Spread us) { return Spread{us.min / 1000.0, us.median / 1000.0, us.max / 1000.0}; };
    for (const CrossoverCurve& curve : curves) {
        for (const CrossoverPoint& point : curve.points) {
            Row row;
            row.name = "crossover";
            row.scene = curve.scene;
            row.agents = point.agents;
            row.dim = curve.scene == "reynolds-3d" ? 3 : 2;
            row.backend = "scalar";
            row.ms = in_ms(point.ratio <= 1.0 ? point.brute_us : point.grid_us);
            row.stage_ms = {{"brute", in_ms(point.brute_us)}, {"grid", in_ms(point.grid_us)}};
            row.state_hash = point.state_hash;
            row.values = {
                {"ratio", point.ratio}, {"ratio_low", point.ratio_low}, {"ratio_high", point.ratio_high}};
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<Plot> plots_of(const std::vector<CrossoverCurve>& curves) {
    std::vector<Plot> plots(2);
    plots[0].title = "horde, scalar: whole frames";
    plots[1].title = "the almanac's searches against its FlockGrid";
    for (Plot& plot : plots) {
        plot.x = {.label = "agents", .log = true, .ticks = {8, 16, 32, 64, 128, 256, 512, 1024}};
        plot.y = {.label = "time of brute force / time of the grid",
                  .log = true,
                  .ticks = {0.25, 0.5, 1, 2, 4, 8, 16, 32}};
        plot.reference = 1.0;
    }
    for (const CrossoverCurve& curve : curves) {
        PlotLine line{.name = curve.scene};
        for (const CrossoverPoint& point : curve.points) {
            line.x.push_back(static_cast<double>(point.agents));
            line.y.push_back(point.ratio);
            line.low.push_back(point.ratio_low);
            line.high.push_back(point.ratio_high);
        }
        plots[curve.is_horde ? 0 : 1].lines.push_back(line);
    }
    return plots;
}

}  // namespace horde::bench
