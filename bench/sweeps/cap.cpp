#include "bench/sweeps/cap.h"

#include <algorithm>
#include <cmath>

#include "bench/measure.h"
#include "bench/scenes.h"
#include "horde/neighbours.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr int kCaps[] = {4, 7, 10, 16, 24};

struct Bias {
    double stretch = 1.0;
    double wrong = 0.0;
    double pull = 0.0;
};

/// Neighbours of one agent in the order of the scan.
struct Met {
    std::vector<Neighbour> all;
    static void take(void* context, Neighbour n) { static_cast<Met*>(context)->all.push_back(n); }
};

bool nearer(const Neighbour& a, const Neighbour& b) {
    return a.distance_squared != b.distance_squared ? a.distance_squared < b.distance_squared
                                                    : a.index < b.index;
}

double mean_distance(const std::vector<Neighbour>& some) {
    double sum = 0.0;
    for (const Neighbour& n : some) sum += std::sqrt(static_cast<double>(n.distance_squared));
    return sum / static_cast<double>(some.size());
}

/// The offset to the nearest image on one axis.
double offset_on(double from, double to, double side) {
    const double d = to - from;
    return d - side * std::round(d / side);
}

/// What a cap of k does at this state. The scan is that of horde's grid with cells of one radius.
Bias bias_of(const Snapshot& rows, const StartedScene& started, int k, bool nearest) {
    std::vector<float> x, y;
    for (const Vec3& p : rows.position) {
        x.push_back(static_cast<float>(p.x));
        y.push_back(static_cast<float>(p.y));
    }
    Neighbours neighbours(
        {.dim = 2, .cell = static_cast<float>(started.radius), .periodic = started.scene.world.bounds});
    neighbours.build(x, y);
    double stretch = 0.0, wrong = 0.0, pull[2] = {0.0, 0.0};
    std::int64_t capped = 0, asked = 0;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        Met met;
        neighbours.visit({x[i], y[i], 0.0}, static_cast<float>(started.radius), static_cast<std::int64_t>(i),
                         &Met::take, &met);
        if (met.all.empty()) continue;
        std::vector<Neighbour> best = met.all;
        std::sort(best.begin(), best.end(), nearer);
        const std::size_t kept_count =
            k > 0 ? std::min<std::size_t>(static_cast<std::size_t>(k), best.size()) : best.size();
        best.resize(kept_count);
        std::vector<Neighbour> kept(met.all.begin(),
                                    met.all.begin() + static_cast<std::ptrdiff_t>(kept_count));
        if (nearest) kept = best;
        double mean[2] = {0.0, 0.0};
        std::int64_t strangers = 0;
        for (const Neighbour& n : kept) {
            mean[0] += offset_on(x[i], x[n.index], started.side) / started.radius;
            mean[1] += offset_on(y[i], y[n.index], started.side) / started.radius;
            strangers += nearer(best.back(), n) ? 1 : 0;
        }
        for (int axis = 0; axis < 2; ++axis) pull[axis] += mean[axis] / static_cast<double>(kept_count);
        ++asked;
        if (kept_count == met.all.size()) continue;
        ++capped;
        stretch += mean_distance(kept) / mean_distance(best);
        wrong += static_cast<double>(strangers) / static_cast<double>(kept_count);
    }
    Bias bias;
    if (capped > 0) bias.stretch = stretch / static_cast<double>(capped);
    if (capped > 0) bias.wrong = wrong / static_cast<double>(capped);
    if (asked > 0) bias.pull = std::hypot(pull[0], pull[1]) / static_cast<double>(asked);
    return bias;
}

struct Setting {
    int cap = 0;
    bool nearest = false;
};

SweepCurve sweep(const StartedScene& started, const std::string& name, const std::vector<Setting>& settings,
                 const SweepBench& options) {
    SweepCurve curve{name, {}};
    std::vector<Repeats> repeats(settings.size());
    std::vector<std::uint64_t> hashes(settings.size());
    const WorldOptions world_options{.backend = "scalar", .start = started.start ? &*started.start : nullptr};
    Snapshot rows;
    World(started.scene, world_options).snapshot(rows);
    for (int run = 0; run < options.repeat; ++run) {
        for (std::size_t n = 0; n < settings.size(); ++n) {
            Scene scene = started.scene;
            scene.grid.search = Search::kGrid;
            auto& rule = std::get<ReynoldsRule>(scene.rules["reynolds"]);
            if (settings[n].cap > 0) {
                rule.neighbours = settings[n].nearest ? NeighbourChoice::kNearest : NeighbourChoice::kFirst;
                rule.max_neighbours = settings[n].cap;
            }
            World world(scene, world_options);
            repeats[n].add(measure(world, 3, options.steps));
            hashes[n] = world.state_hash();
        }
    }
    for (std::size_t n = 0; n < settings.size(); ++n) {
        const Bias bias = bias_of(rows, started, settings[n].cap, settings[n].nearest);
        Row row;
        row.name = "cap";
        row.scene = started.scene.name;
        row.agents = options.agents;
        row.backend = "scalar";
        repeats[n].write(row);
        row.state_hash = hashes[n];
        row.values = {{"cap", settings[n].cap},
                      {"nearest", settings[n].nearest ? 1.0 : 0.0},
                      {"stretch", bias.stretch},
                      {"wrong", bias.wrong},
                      {"pull", bias.pull}};
        curve.rows.push_back(row);
    }
    return curve;
}

}  // namespace

std::vector<SweepCurve> sweep_cap(const SweepBench& options) {
    std::vector<SweepCurve> curves;
    for (const Distribution distribution : {Distribution::kUniform, Distribution::kClustered}) {
        const StartedScene started =
            make_step_scene({.agents = options.agents, .distribution = distribution});
        const std::string where = distribution == Distribution::kUniform ? "uniform" : "clustered";
        for (const bool nearest : {false, true}) {
            std::vector<Setting> settings;
            for (const int cap : kCaps) settings.push_back({cap, nearest});
            settings.push_back({});
            curves.push_back(
                sweep(started, where + (nearest ? ", nearest k" : ", first k"), settings, options));
        }
    }
    return curves;
}

std::vector<Plot> plots_of_cap(const std::vector<SweepCurve>& curves) {
    Plot cost{.title = "cost, against all neighbours"}, wrong{.title = "not among the nearest k"},
        pull{.title = "one-sidedness"};
    cost.x = wrong.x = pull.x = {.label = "k", .ticks = {4, 7, 10, 16, 24}};
    cost.y = {.label = "relative time of a frame", .from_zero = true};
    cost.reference = 1.0;
    wrong.y = {.label = "share of the neighbours kept", .from_zero = true};
    pull.y = {.label = "mean offset of the neighbours kept, in radii", .from_zero = true};
    for (std::size_t c = 0; c < curves.size(); ++c) {
        PlotLine lines[3];
        const double all = curves[c].rows.back().ms.median;
        for (const Row& row : curves[c].rows) {
            if (value_of(row, "cap") == 0.0) continue;
            for (PlotLine& line : lines) line.x.push_back(value_of(row, "cap"));
            lines[0].y.push_back(row.ms.median / all);
            lines[1].y.push_back(value_of(row, "wrong"));
            lines[2].y.push_back(value_of(row, "pull"));
        }
        Plot* plots[3] = {&cost, &wrong, &pull};
        for (int n = 0; n < 3; ++n) {
            lines[n].name = curves[c].name;
            lines[n].colour = static_cast<int>(c / 2);
            lines[n].dashed = c % 2 == 1;
            plots[n]->lines.push_back(lines[n]);
        }
    }
    return {cost, wrong, pull};
}

}  // namespace horde::bench
