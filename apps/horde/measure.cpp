/// horde measure: metrics of a trajectory, frame by frame and as means.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "horde/error.h"
#include "horde/files.h"
#include "horde/metrics.h"
#include "json.h"
#include "options.h"
#include "statistics.h"

namespace horde {
namespace {

constexpr const char* kOfVelocities[] = {"moving_agents", "mean_speed", "polarization", "polarization_moving",
                                         "rotation"};
constexpr const char* kOfRadius[] = {"clusters", "largest_cluster"};

template <std::size_t N>
bool is_among(const std::string& name, const char* const (&names)[N]) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// One metric over the frames of a file.
struct Series {
    std::string name;
    std::vector<std::optional<double>> values;

    std::int64_t defined() const {
        return std::count_if(values.begin(), values.end(),
                             [](const auto& value) { return value.has_value(); });
    }
    std::optional<double> mean() const {
        double sum = 0.0;
        for (const auto& value : values) sum += value.value_or(0.0);
        return defined() > 0 ? std::optional(sum / static_cast<double>(defined())) : std::nullopt;
    }
    /// The least value, or the greatest if `sign` is -1.
    std::optional<double> least(double sign) const {
        std::optional<double> found;
        for (const auto& value : values) {
            if (value && (!found || sign * *value < sign * *found)) found = value;
        }
        return found;
    }
};

/// What is known after the last frame.
struct Measured {
    TrajectoryFacts facts;
    std::vector<Series> series;
    std::vector<std::uint64_t> frames;  ///< their numbers
    std::vector<double> times;
    std::int64_t rows = 0;
    std::int64_t agents_seen = 0;
    std::int64_t velocities_unknown = 0;  ///< rows
};

Bounds parse_bounds(const std::string& text) {
    std::vector<double> numbers;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (bool more = true; more && numbers.size() < 7;) {
        double number = 0.0;
        const auto [stop, why] = std::from_chars(at, end, number);
        if (why != std::errc()) break;
        numbers.push_back(number);
        more = stop != end && *stop == ',';
        at = more ? stop + 1 : stop;
    }
    if (at == end && numbers.size() == 4)
        return {{numbers[0], numbers[1], 0.0}, {numbers[2], numbers[3], 0.0}};
    if (at == end && numbers.size() == 6) {
        return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
    }
    throw Error("--periodic " + text + ": is no box; write xmin,ymin,xmax,ymax, or in 3D six numbers");
}

ReadOptions read_options(const MeasureOptions& options) {
    ReadOptions read;
    read.fps = options.fps;
    if (options.unit != "" && options.unit != "m" && options.unit != "cm") {
        throw Error("--unit " + options.unit + ": there is no such unit; use m or cm");
    }
    if (options.unit != "") read.unit = options.unit == "m" ? 1.0 : 0.01;
    read.dim = options.dim;
    if (!options.periodic.empty()) read.periodic = parse_bounds(options.periodic);
    return read;
}

/// Those asked for; by default all, but those of a radius only if there is one.
std::vector<std::string> names_of(const MeasureOptions& options) {
    std::vector<std::string> names;
    if (options.metrics.empty()) {
        for (const std::string name : metric_names()) {
            if (options.radius || !is_among(name, kOfRadius)) names.push_back(name);
        }
        return names;
    }
    names = split_names(
        options.metrics, [](const std::string& name) { return is_metric(name); }, metric_names());
    for (const std::string& name : names) {
        if (is_among(name, kOfRadius) && !options.radius) {
            throw Error("--metrics " + options.metrics + ": " + name +
                        " needs a radius; give --radius R in metres");
        }
    }
    return names;
}

/// The agents whose velocities are known.
Snapshot with_velocities(const TrajectoryFrame& frame) {
    const Snapshot& all = frame.snapshot;
    Snapshot known;
    known.frame = all.frame;
    known.time = all.time;
    known.dim = all.dim;
    for (std::size_t i = 0; i < all.count(); ++i) {
        if (frame.velocity_known[i] == 0) continue;
        known.id.push_back(all.id[i]);
        known.position.push_back(all.position[i]);
        known.velocity.push_back(all.velocity[i]);
    }
    return known;
}

void measure_frame(const TrajectoryFrame& frame, const MetricSettings& settings, Measured& measured) {
    const auto unknown = std::count(frame.velocity_known.begin(), frame.velocity_known.end(), 0);
    std::vector<std::string> of_all, of_known;
    for (const Series& series : measured.series) {
        (unknown > 0 && is_among(series.name, kOfVelocities) ? of_known : of_all).push_back(series.name);
    }
    std::vector<Metric> metrics = measure(frame.snapshot, of_all, settings);
    if (!of_known.empty()) {
        const Snapshot known = with_velocities(frame);
        std::vector<Metric> more = measure(known, of_known, settings);
        for (Metric& metric : more) {
            if (known.count() == 0) metric.value = {};  // moving_agents: not none, but unknown
        }
        metrics.insert(metrics.end(), more.begin(), more.end());
    }
    for (Series& series : measured.series) {
        const auto metric = std::find_if(metrics.begin(), metrics.end(),
                                         [&](const Metric& each) { return each.name == series.name; });
        series.values.push_back(metric->value);
    }
    measured.frames.push_back(frame.snapshot.frame);
    measured.times.push_back(frame.snapshot.time);
    measured.rows += static_cast<std::int64_t>(frame.snapshot.count());
    measured.velocities_unknown += unknown;
}

Measured measure_file(const MeasureOptions& options) {
    Measured measured;
    for (const std::string& name : names_of(options)) measured.series.push_back({name, {}});
    const ReadOptions read = read_options(options);
    if (options.radius && (!(*options.radius > 0.0) || !std::isfinite(*options.radius))) {
        throw Error("--radius: must be a number of metres above 0");
    }
    MetricSettings settings;
    settings.radius = options.radius.value_or(0.0);
    settings.periodic = read.periodic;
    const std::unique_ptr<TrajectoryReader> reader = read_trajectory(options.trajectory, read);
    std::unordered_set<AgentId> ids;
    for (TrajectoryFrame frame; reader->next(frame);) {
        measure_frame(frame, settings, measured);
        ids.insert(frame.snapshot.id.begin(), frame.snapshot.id.end());
    }
    measured.facts = reader->facts();
    measured.agents_seen = static_cast<std::int64_t>(ids.size());
    return measured;
}

Json or_null(const std::optional<double>& value) {
    return value ? number_or_null(*value) : Json(nullptr);
}

void print_object(const MeasureOptions& options, const Measured& measured) {
    const TrajectoryFacts& facts = measured.facts;
    Json object;
    object["trajectory"] = options.trajectory;
    object["frames"] = measured.frames.size();
    object["rows"] = measured.rows;
    object["agents_seen"] = measured.agents_seen;
    object["dim"] = facts.dim;
    object["heights_left_out"] = facts.heights_left_out;
    object["fps"] = facts.fps > 0.0 ? Json(facts.fps) : Json(nullptr);
    object["unit"] = facts.unit == 1.0 ? "m" : "cm";
    object["unit_assumed"] = facts.unit_assumed;
    object["velocities"] = facts.velocities_in_file ? "file" : "differences";
    object["velocities_unknown"] = measured.velocities_unknown;
    object["radius"] = or_null(options.radius);
    if (options.per_frame) {
        object["frame"] = measured.frames;
        object["time"] = facts.fps > 0.0 ? Json(measured.times) : Json(nullptr);
    }
    for (const Series& series : measured.series) {
        Json& metric = object[series.name];
        metric["mean"] = or_null(series.mean());
        metric["min"] = or_null(series.least(1.0));
        metric["max"] = or_null(series.least(-1.0));
        metric["frames"] = series.defined();
        if (!options.per_frame) continue;
        metric["values"] = Json::array();
        for (const auto& value : series.values) metric["values"].push_back(or_null(value));
    }
    print_json(object);
}

std::string text_of(const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "-";
}

void print_table(const MeasureOptions& options, const Measured& measured) {
    const TrajectoryFacts& facts = measured.facts;
    fmt::print("{}: {} frames, {} agents, {} rows, {}D\n", options.trajectory, measured.frames.size(),
               measured.agents_seen, measured.rows, facts.dim);
    fmt::print("  frames      {}\n",
               facts.fps > 0.0 ? fmt::format("{:g} a second", facts.fps) : "of unknown rate");
    fmt::print("  lengths     {}{}\n", facts.unit == 1.0 ? "m" : "cm, measured in m",
               facts.unit_assumed ? ", assumed: the file names no unit (--unit)" : "");
    if (facts.heights_left_out)
        fmt::print("  z           a height: no agent ever changes it; left out (--dim 3)\n");
    fmt::print("  velocities  {}\n", facts.velocities_in_file
                                         ? std::string("from the file")
                                         : fmt::format("from differences, {} of {} unknown and left out",
                                                       measured.velocities_unknown, measured.rows));
    fmt::print("  {:<28}{:>12}{:>12}{:>12}{:>9}\n", "metric", "mean", "min", "max", "frames");
    for (const Series& series : measured.series) {
        fmt::print("  {:<28}{:>12}{:>12}{:>12}{:>9}\n", series.name, text_of(series.mean()),
                   text_of(series.least(1.0)), text_of(series.least(-1.0)), series.defined());
    }
    if (!options.per_frame) return;
    fmt::print("frame");
    for (const Series& series : measured.series) fmt::print("\t{}", series.name);
    for (std::size_t i = 0; i < measured.frames.size(); ++i) {
        fmt::print("\n{}", measured.frames[i]);
        for (const Series& series : measured.series) fmt::print("\t{}", text_of(series.values[i]));
    }
    fmt::print("\n");
}

}  // namespace

int measure(const MeasureOptions& options) {
    const Measured measured = measure_file(options);
    if (options.json) {
        print_object(options, measured);
    } else {
        print_table(options, measured);
    }
    return 0;
}

}  // namespace horde
