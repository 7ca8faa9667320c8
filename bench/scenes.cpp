#include "bench/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "horde/error.h"
#include "horde/neighbours.h"

namespace horde::bench {
namespace {

constexpr double kPi = 3.141592653589793;
constexpr int kBlobs = 50;
constexpr double kBlobDeviation = 1.0 / 64.0;  // of the side

Rule rule_of(const std::string& kind) {
    if (kind == "reynolds") return ReynoldsRule{};
    if (kind == "arcade") return ArcadeRule{};
    if (kind == "vicsek") return VicsekRule{};
    if (kind == "crowd") return CrowdRule{};
    throw Error("--rule: there is no \"" + kind + "\"; choose one of crowd, reynolds, arcade, vicsek");
}

double radius_of(const Rule& rule) {
    if (const auto* reynolds = std::get_if<ReynoldsRule>(&rule)) return reynolds->perception_radius;
    if (const auto* arcade = std::get_if<ArcadeRule>(&rule)) return arcade->neighbour_radius;
    if (const auto* vicsek = std::get_if<VicsekRule>(&rule)) return vicsek->radius;
    return std::get<CrowdRule>(rule).separation_radius;
}

double speed_of(const Rule& rule) {
    if (const auto* reynolds = std::get_if<ReynoldsRule>(&rule)) return reynolds->max_speed;
    if (const auto* arcade = std::get_if<ArcadeRule>(&rule)) return arcade->max_speed;
    if (const auto* vicsek = std::get_if<VicsekRule>(&rule)) return vicsek->speed;
    return std::get<CrowdRule>(rule).speed;
}

/// The frame that each rule is used with; nobody goes farther in it than a fifteenth of the radius.
double dt_of(const Rule& rule) {
    if (std::holds_alternative<ArcadeRule>(rule)) return 1.0 / 60.0;
    return std::holds_alternative<VicsekRule>(rule) ? 1.0 : 0.05;
}

double uniform(std::uint64_t& state) {
    return to_unit_interval<double>(state = mix64(state));
}

/// Mean 0, deviation 1: the sum of twelve uniform numbers, which needs no libm and so is the same everywhere.
double bell(std::uint64_t& state) {
    double sum = -6.0;
    for (int n = 0; n < 12; ++n) sum += uniform(state);
    return sum;
}

double into_unit(double x) {
    const double inside = x - std::floor(x);
    return inside < 1.0 ? inside : 0.0;
}

/// Blobs in the unit square or cube that repeats.
std::vector<Vec3> clustered_points(const StepScene& wanted) {
    std::uint64_t state = mix64(wanted.seed, 50);
    const auto place = [&](auto&& draw) {
        Vec3 p;
        p.x = draw();
        p.y = draw();
        if (wanted.dim == 3) p.z = draw();
        return p;
    };
    std::vector<Vec3> centres;
    for (int b = 0; b < kBlobs; ++b) centres.push_back(place([&] { return uniform(state); }));
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(wanted.agents));
    for (std::int64_t i = 0; i < wanted.agents; ++i) {
        const Vec3 centre = centres[mix64(state) % kBlobs];
        const Vec3 offset = place([&] { return bell(state) * kBlobDeviation; });
        points.push_back({into_unit(centre.x + offset.x), into_unit(centre.y + offset.y),
                          wanted.dim == 3 ? into_unit(centre.z + offset.z) : 0.0});
    }
    return points;
}

/// The radius in the unit box within which points spread evenly have the wanted mean number of neighbours.
double even_radius(const StepScene& wanted) {
    const double ball = wanted.dim == 2 ? kPi : kPi * 4.0 / 3.0;  // of radius 1
    const double share = wanted.neighbours / (ball * static_cast<double>(wanted.agents - 1));
    return wanted.dim == 2 ? std::sqrt(share) : std::cbrt(share);
}

/// The radius in the unit box at which points have the wanted mean number of neighbours: by bisection, over a
/// sample.
double radius_for(const std::vector<Vec3>& points, const StepScene& wanted) {
    std::vector<float> columns[3];
    for (const Vec3& p : points) {
        columns[0].push_back(static_cast<float>(p.x));
        columns[1].push_back(static_cast<float>(p.y));
        columns[2].push_back(static_cast<float>(p.z));
    }
    for (auto& column : columns) {
        for (float& x : column) x = x < 1.0f ? x : 0.0f;
    }
    const Bounds unit{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    const std::size_t stride = std::max<std::size_t>(1, points.size() / 2000);
    // Points in clusters find as many in a smaller radius than points spread evenly.
    const double even = even_radius(wanted);
    Neighbours neighbours(
        {.dim = wanted.dim, .cell = static_cast<float>(std::max(1.0 / 256.0, even / 8.0)), .periodic = unit});
    neighbours.build(columns[0], columns[1], columns[2]);
    std::vector<std::uint32_t> found;
    double low = 0.0, high = std::min(0.5, 2.0 * even);
    for (int round = 0; round < 24; ++round) {
        const double radius = 0.5 * (low + high);
        std::int64_t sum = 0, asked = 0;
        const auto most = static_cast<std::int64_t>(wanted.neighbours * 2000.0);
        for (std::size_t i = 0; i < points.size() && sum <= most; i += stride, ++asked) {
            sum +=
                neighbours.query(points[i], static_cast<float>(radius), static_cast<std::int64_t>(i), found)
                    .neighbours;
        }
        (static_cast<double>(sum) < wanted.neighbours * static_cast<double>(asked) ? low : high) = radius;
    }
    return 0.5 * (low + high);
}

Snapshot clustered_start(const std::vector<Vec3>& points, const StepScene& wanted, double side,
                         double speed) {
    Snapshot start;
    start.dim = wanted.dim;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::uint64_t key = mix64(mix64(wanted.seed, i), 51);
        Vec3 heading;
        if (wanted.dim == 2) {
            const Vec<2> v = hashed_direction<2>(key);
            heading = {v[0], v[1], 0.0};
        } else {
            const Vec<3> v = hashed_direction<3>(key);
            heading = {v[0], v[1], v[2]};
        }
        start.id.push_back(i);
        start.position.push_back({points[i].x * side, points[i].y * side, points[i].z * side});
        start.velocity.push_back({heading.x * speed, heading.y * speed, heading.z * speed});
    }
    return start;
}

}  // namespace

Scene almanac_scene(std::int64_t agents) {
    Scene scene;
    scene.name = "almanac";
    scene.world.dt = 1.0 / 60.0;
    scene.world.edge = Edge::kWrap;
    scene.world.bounds = Bounds{{-576.0, -324.0, 0.0}, {576.0, 324.0, 0.0}};
    scene.agents.push_back(
        {.count = agents, .rule = "arcade", .spawn = SpawnArea::kBox, .start_speed = 180.0});
    ArcadeRule rule;
    rule.coincident = Coincident::kIgnore;
    scene.rules["arcade"] = rule;
    scene.grid.cell = 60.0;
    return scene;
}

StartedScene make_step_scene(const StepScene& wanted) {
    if (wanted.dim != 2 && wanted.dim != 3) throw Error("--dim: must be 2 or 3");
    if (wanted.agents < 2) throw Error("--agents: must be 2 or more, else nobody has a neighbour");
    if (!std::isfinite(wanted.neighbours) || !(wanted.neighbours > 0.0))
        throw Error("--neighbours: must be a number above 0");
    const Rule rule = rule_of(wanted.rule);
    StartedScene made;
    made.radius = radius_of(rule);
    Scene& scene = made.scene;
    const bool clustered = wanted.distribution == Distribution::kClustered;
    scene.name = fmt::format("{}-{}d-{}-{:g}", wanted.rule, wanted.dim, clustered ? "clustered" : "uniform",
                             wanted.neighbours);
    std::vector<Vec3> points;
    if (clustered) {
        points = clustered_points(wanted);
        made.side = made.radius / radius_for(points, wanted);
    } else {
        made.side = made.radius / even_radius(wanted);
    }
    // Whole parts of the radius: what roots round differently elsewhere changes no bit.
    made.side = std::ceil(made.side / made.radius * 1024.0) / 1024.0 * made.radius;
    if (made.side < 2.0 * made.radius) {
        throw Error(fmt::format(
            "--neighbours: {:g} of {} agents would need a box narrower than two radii; give fewer",
            wanted.neighbours, wanted.agents));
    }
    scene.world.dim = wanted.dim;
    scene.world.dt = dt_of(rule);
    scene.world.seed = wanted.seed;
    scene.world.edge = Edge::kPeriodic;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {made.side, made.side, made.side}};
    scene.rules[wanted.rule] = rule;
    scene.agents.push_back({.count = wanted.agents,
                            .rule = wanted.rule,
                            .spawn = SpawnArea::kBox,
                            .start_speed = speed_of(rule)});
    if (clustered) made.start = clustered_start(points, wanted, made.side, speed_of(rule));
    return made;
}

}  // namespace horde::bench
