#include "bench/congestion/congestion.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/random.h"
#include "bench/measure.h"
#include "horde/error.h"
#include "horde/files.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMostSeconds = 600.0;
constexpr double kStrip = 0.4;  // metres, half the width of a lane
constexpr std::uint64_t kSeed = 1;

double share(std::uint64_t stream, std::uint64_t number, RandomUse use) {
    return random01(kSeed, stream, number, use);
}

// Rows of a stream that stands there at the start, as even as they fit.
void place_at_start(World& world, const CongestionStream& stream, std::uint64_t index) {
    const double width = stream.from.max.x - stream.from.min.x,
                 height = stream.from.max.y - stream.from.min.y;
    const double apart =
        std::sqrt(width * height / static_cast<double>(std::max<std::int64_t>(1, stream.at_start)));
    const auto columns = static_cast<std::int64_t>(std::ceil(width / apart));
    const auto rows = (stream.at_start + columns - 1) / columns;
    for (std::int64_t n = 0; n < stream.at_start; ++n) {
        const auto number = static_cast<std::uint64_t>(n);
        const double u = 0.3 + 0.4 * share(index, number, RandomUse::kJitterX);
        const double v = 0.3 + 0.4 * share(index, number, RandomUse::kJitterY);
        const double x =
            stream.from.min.x + width * (static_cast<double>(n / rows) + u) / static_cast<double>(columns);
        const double y =
            stream.from.min.y + height * (static_cast<double>(n % rows) + v) / static_cast<double>(rows);
        world.spawn({.position = {x, y, 0.0}, .goal = stream.goal});
    }
}

void enter(World& world, const CongestionStream& stream, std::uint64_t index, std::uint64_t number) {
    const Bounds& from = stream.from;
    const double x = from.min.x + (from.max.x - from.min.x) * share(index, number, RandomUse::kBox);
    const double y = from.min.y + (from.max.y - from.min.y) * share(index, number, RandomUse::kHeading);
    world.spawn({.position = {x, y, 0.0}, .goal = stream.goal});
}

// What is added up while a scene runs.
class Watch {
  public:
    explicit Watch(const CongestionScene& scene) : scene_(scene) {}

    bool in_window(double time) const {
        return time > 0.5 * scene_.feed_seconds && time <= scene_.feed_seconds;
    }

    void see(const World& world, double time) {
        const auto came = static_cast<std::int64_t>(world.arrivals().size());
        arrivals_.insert(arrivals_.end(), static_cast<std::size_t>(came), time);
        most_stuck_ = std::max(most_stuck_, world.report().stuck);
        frames_.push_back(world.report().frame_us / 1000.0);
        if (!in_window(time) || !(scene_.watched.max.x > scene_.watched.min.x)) return;
        if (world.frame() % 20 != 0) return;
        world.snapshot(rows_);
        std::vector<double> y;
        std::vector<std::uint16_t> goal, chance;
        for (std::size_t i = 0; i < rows_.count(); ++i) {
            if (rows_.position[i].x < scene_.watched.min.x || rows_.position[i].x > scene_.watched.max.x)
                continue;
            y.push_back(rows_.position[i].y);
            goal.push_back(rows_.goal[i]);
            chance.push_back(
                static_cast<std::uint16_t>(random64(kSeed, rows_.id[i], 0, RandomUse::kGoal) & 1));
        }
        if (y.empty()) return;
        order_.push_back(lane_order(y, goal));
        mixed_.push_back(lane_order(y, chance));
    }

    double throughput() const {
        if (scene_.feed_seconds > 0.0) {
            const auto in =
                std::count_if(arrivals_.begin(), arrivals_.end(), [&](double t) { return in_window(t); });
            return static_cast<double>(in) / (0.5 * scene_.feed_seconds);
        }
        const std::size_t first = arrivals_.size() / 5, last = arrivals_.size() * 4 / 5;
        if (last <= first || arrivals_[last] <= arrivals_[first]) return kNone;
        return static_cast<double>(last - first) / (arrivals_[last] - arrivals_[first]);
    }

    void write(const World& world, Row& row) const {
        const double flow = throughput();
        const bool clear = world.agent_count() == 0 && !arrivals_.empty();
        const auto mean = [](const std::vector<double>& values) {
            double sum = 0.0;
            for (const double value : values) sum += value;
            return values.empty() ? kNone : sum / static_cast<double>(values.size());
        };
        row.ms = spread_of(frames_);
        row.values = {{"throughput", flow},
                      {"per_metre", flow / scene_.width},
                      {"published", scene_.published},
                      {"clear_s", clear ? arrivals_.back() - scene_.feed_seconds : kNone},
                      {"lane_order", mean(order_)},
                      {"mixed_order", mean(mixed_)},
                      {"most_stuck", static_cast<double>(most_stuck_)},
                      {"left", static_cast<double>(world.agent_count())}};
    }

  private:
    const CongestionScene& scene_;
    std::vector<double> arrivals_;  // times, ascending
    std::vector<double> frames_;    // milliseconds
    std::vector<double> order_, mixed_;
    std::int64_t most_stuck_ = 0;
    Snapshot rows_;
};

void draw(const World& world, const CongestionScene& scene, const std::string& folder) {
    std::vector<const Field*> fields;
    for (std::size_t g = 0; g < world.goal_set_count(); ++g) fields.push_back(&world.field(g));
    Snapshot rows;
    world.snapshot(rows);
    write_picture((std::filesystem::path(folder) / (scene.name + ".png")).string(), world.map(), fields, rows,
                  scene.scene.view);
}

}  // namespace

double lane_order(const std::vector<double>& y, const std::vector<std::uint16_t>& goal) {
    if (y.empty()) return kNone;
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        double same = 0.0, other = 0.0;
        for (std::size_t j = 0; j < y.size(); ++j) {
            if (std::fabs(y[j] - y[i]) <= kStrip) (goal[j] == goal[i] ? same : other) += 1.0;
        }
        const double part = (same - other) / (same + other);
        sum += part * part;
    }
    return sum / static_cast<double>(y.size());
}

Row measure_congestion(const CongestionScene& scene, const CongestionBench& options) {
    World world(scene.scene, {.backend = options.backend, .threads = options.threads});
    Row row;
    std::vector<std::uint64_t> entered(scene.streams.size(), 0);
    for (std::size_t s = 0; s < scene.streams.size(); ++s) {
        place_at_start(world, scene.streams[s], s);
        row.agents += scene.streams[s].at_start;
    }
    Watch watch(scene);
    bool drawn = options.pictures.empty();
    while (world.time() < kMostSeconds) {
        const double time = world.time();
        for (std::size_t s = 0; s < scene.streams.size() && time < scene.feed_seconds; ++s) {
            const auto due = static_cast<std::uint64_t>(scene.streams[s].rate * time);
            for (; entered[s] < due; ++row.agents) enter(world, scene.streams[s], s, entered[s]++);
        }
        world.step();
        watch.see(world, world.time());
        const bool half = scene.feed_seconds > 0.0 ? time >= 0.75 * scene.feed_seconds
                                                   : world.report().arrived_total * 2 >= row.agents;
        if (!drawn && half) {
            draw(world, scene, options.pictures);
            drawn = true;
        }
        if (world.agent_count() == 0 && world.time() > scene.feed_seconds) break;
    }
    row.name = "congestion-" + scene.name;
    row.scene = scene.name;
    row.threads = world.threads();
    row.backend = world.backend();
    row.cells = static_cast<std::int64_t>(world.map()->cost.size());
    row.state_hash = world.state_hash();
    watch.write(world, row);
    return row;
}

std::vector<Row> bench_congestion(const CongestionBench& options) {
    const std::vector<CongestionScene> all = congestion_scenes();
    std::string names;
    for (const CongestionScene& scene : all) names += (names.empty() ? "" : ", ") + scene.name;
    for (const std::string& name : options.scenes) {
        const bool known =
            std::any_of(all.begin(), all.end(), [&](const auto& scene) { return scene.name == name; });
        if (!known) throw Error("bench congestion: there is no scene \"" + name + "\"; choose from " + names);
    }
    std::vector<Row> rows;
    for (const CongestionScene& scene : all) {
        const bool wanted = options.scenes.empty() ||
                            std::count(options.scenes.begin(), options.scenes.end(), scene.name) > 0;
        if (wanted) rows.push_back(measure_congestion(scene, options));
    }
    return rows;
}

}  // namespace horde::bench
