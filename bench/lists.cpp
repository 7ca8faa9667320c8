#include "bench/lists.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/random.h"
#include "bench/step/reference_kernel.h"
#include "horde/error.h"
#include "horde/neighbours.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

struct PointSet {
    std::vector<float> axis[3];
    float side = 0.0f;
    float radius = 0.0f;
    int dim = 2;

    std::span<const float> column(int k) const {
        return k < dim ? std::span<const float>(axis[k]) : std::span<const float>();
    }
};

PointSet points_of(const StepScene& wanted) {
    const StartedScene started = make_step_scene(wanted);
    const World world(started.scene,
                      {.backend = "scalar", .start = started.start ? &*started.start : nullptr});
    Snapshot rows;
    world.snapshot(rows);
    PointSet points;
    points.dim = wanted.dim;
    points.side = static_cast<float>(started.side);
    points.radius = static_cast<float>(started.radius);
    for (const Vec3& p : rows.position) {
        const double place[3] = {p.x, p.y, p.z};
        for (int k = 0; k < wanted.dim; ++k) points.axis[k].push_back(static_cast<float>(place[k]));
    }
    return points;
}

void stir(PointSet& points, std::uint64_t seed) {
    const float last = std::nextafter(points.side, 0.0f);
    for (int k = 0; k < points.dim; ++k) {
        for (float& x : points.axis[k]) {
            const auto part = static_cast<float>(to_unit_interval<double>(seed = mix64(seed)));
            x = std::clamp(x + (part - 0.5f) * 0.1f * points.radius, 0.0f, last);
        }
    }
}

void give_in_order(PointSet& points, std::span<const std::uint32_t> order) {
    for (int k = 0; k < points.dim; ++k) {
        const std::vector<float> before = points.axis[k];
        for (std::size_t r = 0; r < order.size(); ++r) points.axis[k][r] = before[order[r]];
    }
}

std::uint64_t hash_of(const std::vector<std::uint64_t>& start, const std::vector<std::uint32_t>& index) {
    std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a over words
    for (const std::uint64_t word : start) hash = (hash ^ word) * 0x100000001b3ull;
    for (const std::uint32_t word : index) hash = (hash ^ word) * 0x100000001b3ull;
    return hash;
}

Row measure(const ListBench& options, PointSet points, Neighbours& neighbours, ListOrder order) {
    using Clock = std::chrono::steady_clock;
    const auto ms = [](Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double, std::milli>(to - from).count();
    };
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    std::vector<double> total, build, lists, reference;
    SearchCounts counts;
    for (int run = -1; run < options.repeat; ++run) {
        stir(points, static_cast<std::uint64_t>(run + 2));
        const double kernel = time_reference();
        const auto began = Clock::now();
        neighbours.build(points.column(0), points.column(1), points.column(2));
        const auto built = Clock::now();
        counts = neighbours.lists(points.radius, start, index, order);
        const auto done = Clock::now();
        if (run < 0) continue;  // memory grows there
        total.push_back(ms(began, done));
        build.push_back(ms(began, built));
        lists.push_back(ms(built, done));
        reference.push_back(kernel);
    }
    Row row;
    row.name = "lists";
    row.agents = options.scene.agents;
    row.dim = options.scene.dim;
    row.threads = neighbours.threads();
    row.backend = neighbours.backend();
    row.ms = spread_of(total);
    row.stage_ms = {{"build", spread_of(build)}, {"lists", spread_of(lists)}};
    row.candidates = counts.candidates;
    row.neighbours = counts.neighbours;
    row.state_hash = hash_of(start, index);
    const auto points_count = static_cast<double>(row.agents);
    const double kernel = spread_of(reference).median;
    row.values = {{"neighbours_per_agent", static_cast<double>(row.neighbours) / points_count},
                  {"candidates_per_agent", static_cast<double>(row.candidates) / points_count},
                  {"million_per_second", static_cast<double>(row.neighbours) / row.ms.median * 1e-3},
                  {"reference_ms", kernel},
                  {"references", row.ms.median / kernel}};
    return row;
}

}  // namespace

std::vector<Row> bench_lists(const ListBench& options) {
    if (options.repeat < 1) throw Error("bench lists: repeat must be 1 or more");
    PointSet points = points_of(options.scene);
    NeighbourSettings settings;
    settings.dim = options.scene.dim;
    settings.cell = points.radius;
    settings.backend = options.backend;
    settings.threads = options.threads;
    if (options.periodic) settings.periodic = Bounds{{}, {points.side, points.side, points.side}};
    Neighbours neighbours(settings);
    time_reference();  // makes its points
    const std::string scene =
        std::to_string(options.scene.dim) + "d-" +
        (options.scene.distribution == Distribution::kClustered ? "clustered" : "uniform") +
        (options.periodic ? "-periodic" : "");
    std::vector<Row> rows;
    rows.push_back(measure(options, points, neighbours, ListOrder::kGrid));
    rows.back().scene = scene + "-grid-order";
    rows.push_back(measure(options, points, neighbours, ListOrder::kGiven));
    rows.back().scene = scene + "-given-order";
    neighbours.build(points.column(0), points.column(1), points.column(2));
    give_in_order(points, neighbours.grid_order());
    rows.push_back(measure(options, points, neighbours, ListOrder::kGrid));
    rows.back().scene = scene + "-sorted-grid-order";
    rows.push_back(measure(options, points, neighbours, ListOrder::kGiven));
    rows.back().scene = scene + "-sorted-given-order";
    return rows;
}

}  // namespace horde::bench
