#include "statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>

#include "horde/error.h"

namespace horde {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// What only a world can tell, and what costs nothing. The first five are the default of --metrics.
constexpr const char* kCheap[] = {"agents", "arrived", "stuck", "stranded", "mean_speed", "dead", "died"};
constexpr std::size_t kDefaults = 5;

bool is_cheap(const std::string& name) {
    return std::find(std::begin(kCheap), std::end(kCheap), name) != std::end(kCheap);
}

std::vector<const char*> run_metric_names() {
    std::vector<const char*> names(std::begin(kCheap), std::end(kCheap));
    for (const char* name : metric_names()) {
        if (!is_cheap(name)) names.push_back(name);
    }
    return names;
}

bool is_count(const std::string& name) {
    return name == "moving_agents" || name == "clusters";
}

std::string time_text(double us) {
    return us < 1000.0 ? fmt::format("{:.1f} us", us) : fmt::format("{:.2f} ms", us / 1000.0);
}

}  // namespace

void RunStatistics::add(const FrameReport& report) {
    frame_us_.push_back(report.frame_us);
    field_us_ += report.field_us;
    busy_us_ += report.busy * report.frame_us;
    candidates_ += report.candidates;
    neighbours_ += report.neighbours;
    drops_ += report.drops;
    spawned_ += report.spawned;
    spawns_dropped_ += report.spawns_dropped;
    sunk_ += report.sunk;
    attacks_ += report.attacks;
    hits_ += report.hits;
    damage_ += report.damage;
    behaviours_changed_ += report.changed_behaviour;
    pushed_out_ += report.pushed_out;
    bodies_ += report.bodies;
    bodiless_ += report.bodiless;
    contacts_ += report.contacts;
    promotions_deferred_ += report.promotions_deferred;
    demotions_deferred_ += report.demotions_deferred;
    field_builds_ += report.field_builds;
    field_repairs_ += report.field_repairs;
    fields_late_ += report.fields_late;
    fields_waiting_ = std::max(fields_waiting_, report.fields_waiting);
    for (const StageTime& stage : report.stages) {
        auto known = std::find_if(stage_us_.begin(), stage_us_.end(),
                                  [&](const auto& entry) { return entry.first == stage.name; });
        if (known == stage_us_.end()) known = stage_us_.emplace(stage_us_.end(), stage.name, 0.0);
        known->second += stage.us;
    }
    last_ = report;
}

void RunStatistics::add(const VerifyReport& report) {
    ++verified_;
    verified_neighbours_ += report.neighbours;
    grid_candidates_ += report.grid_candidates;
    brute_candidates_ += report.brute_candidates;
}

double RunStatistics::mean_us() const {
    if (frame_us_.empty()) return kNone;
    return std::accumulate(frame_us_.begin(), frame_us_.end(), 0.0) / static_cast<double>(frame_us_.size());
}

double RunStatistics::quantile_us(double p) const {
    if (frame_us_.empty()) return kNone;
    std::vector<double> sorted = frame_us_;
    const double rank = std::ceil(p * static_cast<double>(sorted.size()));
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
}

void RunStatistics::write_json(Json& object) const {
    object["frame_us"] = {{"mean", number_or_null(mean_us())},
                          {"p50", number_or_null(quantile_us(0.5))},
                          {"p99", number_or_null(quantile_us(0.99))},
                          {"worst", number_or_null(quantile_us(1.0))}};
    Json stages = Json::object();
    for (const auto& [name, us] : stage_us_) stages[name] = number_or_null(us / static_cast<double>(steps()));
    object["stage_us"] = stages;
    const double all_us = mean_us() * static_cast<double>(steps());
    object["busy"] = number_or_null(busy_us_ / all_us);
    object["candidates"] = candidates_;
    object["neighbours"] = neighbours_;
    object["drops"] = drops_;
    object["life"] = {{"spawned", spawned_},
                      {"spawns_dropped", spawns_dropped_},
                      {"sunk", sunk_},
                      {"pushed_out", pushed_out_},
                      {"walled_in", last_.walled_in}};
    object["combat"] = {{"attacks", attacks_},
                        {"hits", hits_},
                        {"damage", damage_},
                        {"died", last_.died_total},
                        {"dead", last_.dead},
                        {"stunned", last_.stunned},
                        {"knocked_back", last_.knocked_back},
                        {"behaviours_changed", behaviours_changed_}};
    const auto mean = [&](std::int64_t sum) {
        return static_cast<double>(sum) / static_cast<double>(steps());
    };
    object["bodies"] = {{"mean", number_or_null(mean(bodies_))},
                        {"mean_contacts", number_or_null(mean(contacts_))},
                        {"bodiless", bodiless_}};
    if (has_tiers()) {
        object["tiers"] = {{"far", last_.far},
                           {"middle", last_.middle},
                           {"near", last_.near},
                           {"promotions_deferred", promotions_deferred_},
                           {"demotions_deferred", demotions_deferred_}};
    }
    object["cells_occupied"] = last_.cells_occupied;
    const bool cells = last_.cells_occupied > 0;
    object["agents_per_cell"] = {{"mean", cells ? number_or_null(last_.agents_per_cell_mean) : Json(nullptr)},
                                 {"max", cells ? Json(last_.agents_per_cell_max) : Json(nullptr)}};
    object["field_us"] = number_or_null(field_us_);
    object["fields"] = {{"builds", field_builds_},
                        {"repairs", field_repairs_},
                        {"late", fields_late_},
                        {"most_waiting", fields_waiting_},
                        {"waiting", last_.fields_waiting}};
    if (verified_ == 0) return;
    object["verified"] = {{"frames", verified_},
                          {"neighbours", verified_neighbours_},
                          {"grid_candidates", grid_candidates_},
                          {"brute_candidates", brute_candidates_},
                          {"differences", 0}};
}

std::string RunStatistics::table() const {
    if (frame_us_.empty()) return fmt::format("  fields      {}\n", time_text(field_us_));
    std::string text =
        fmt::format("  frame       {} mean, {} p50, {} p99, {} worst\n", time_text(mean_us()),
                    time_text(quantile_us(0.5)), time_text(quantile_us(0.99)), time_text(quantile_us(1.0)));
    for (const auto& [name, us] : stage_us_) {
        const double mean = us / static_cast<double>(steps());
        text += fmt::format("    {:<10}{:>10}  {:5.1f} %\n", name, time_text(mean), 100.0 * mean / mean_us());
    }
    text += fmt::format("  fields      {}, {} built anew and {} repaired while agents walked\n",
                        time_text(field_us_), field_builds_, field_repairs_);
    if (fields_late_ > 0)
        text +=
            fmt::format("  late        {} fields were not ready when due, and waited for\n", fields_late_);
    if (fields_waiting_ > 0) {
        text += fmt::format(
            "  no room     for up to {} fields that agents wanted, {} at the end: raise field.cache_bytes\n",
            fields_waiting_, last_.fields_waiting);
    }
    text += fmt::format("  threads     busy for {:.0f} % of the frames\n",
                        100.0 * busy_us_ / (mean_us() * static_cast<double>(steps())));
    text += fmt::format(
        "  search      {} candidates, {} neighbours; at the end {} cells with {:.2f} agents each,"
        " at most {}\n",
        candidates_, neighbours_, last_.cells_occupied, last_.agents_per_cell_mean,
        last_.agents_per_cell_max);
    if (spawned_ + spawns_dropped_ + sunk_ > 0) {
        text += fmt::format("  life        {} spawned, {} given up for want of room, {} left in sinks\n",
                            spawned_, spawns_dropped_, sunk_);
    }
    if (hits_ + last_.died_total > 0) {
        text +=
            fmt::format("  combat      {} attacks, {} hits for {} points; {} died, {} of them lie there\n",
                        attacks_, hits_, damage_, last_.died_total, last_.dead);
    }
    if (behaviours_changed_ > 0) text += fmt::format("  behaviours  changed {} times\n", behaviours_changed_);
    if (pushed_out_ + last_.walled_in > 0) {
        text += fmt::format("  walls       {} agents pushed out of them, {} still in one at the end\n",
                            pushed_out_, last_.walled_in);
    }
    if (has_tiers()) {
        text += fmt::format(
            "  tiers       {} far, {} middle, {} near at the end; {} promotions and {} demotions put off\n",
            last_.far, last_.middle, last_.near, promotions_deferred_, demotions_deferred_);
    }
    if (bodies_ + bodiless_ > 0) {
        text += fmt::format(
            "  bodies      {:.1f} a frame, {:.1f} of their contacts; {} times one had none: in a wall, too "
            "fast or waiting too long\n",
            static_cast<double>(bodies_) / static_cast<double>(steps()),
            static_cast<double>(contacts_) / static_cast<double>(steps()), bodiless_);
    }
    if (drops_ > 0) text += fmt::format("  dropped     {}: a limit was met\n", drops_);
    if (verified_ > 0) {
        text += fmt::format(
            "  verified    {} agents, one a frame: grid and brute force found the same {} neighbours"
            " among {} and {} candidates\n",
            verified_, verified_neighbours_, grid_candidates_, brute_candidates_);
    }
    return text;
}

std::vector<std::string> split_names(const std::string& list, bool (*is_known)(const std::string&),
                                     std::span<const char* const> known) {
    std::vector<std::string> chosen;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) {
        if (!is_known(name)) {
            throw Error(fmt::format("--metrics {}: there is no metric '{}'; use some of {}", list, name,
                                    fmt::join(known, ",")));
        }
        if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
    }
    return chosen;
}

std::vector<std::string> chosen_metrics(const std::string& list) {
    if (list.empty()) return {std::begin(kCheap), std::begin(kCheap) + kDefaults};
    return split_names(
        list, [](const std::string& name) { return is_cheap(name) || is_metric(name); }, run_metric_names());
}

Json measure(const World& world, const std::vector<std::string>& metrics, const MetricSettings& settings) {
    Snapshot snapshot;
    world.snapshot(snapshot);
    const auto in_state = [&](AgentState state) {
        return std::count(snapshot.state.begin(), snapshot.state.end(), state);
    };
    std::vector<std::string> of_snapshot;
    for (const std::string& name : metrics) {
        if (is_metric(name)) of_snapshot.push_back(name);
    }
    const std::vector<Metric> measured = measure(snapshot, of_snapshot, settings);
    auto next = measured.begin();
    Json values = Json::object();
    for (const std::string& name : metrics) {
        if (name == "arrived") values[name] = world.report().arrived_total;
        if (name == "died") values[name] = world.report().died_total;
        if (name == "dead") values[name] = world.report().dead;
        if (name == "stuck") values[name] = in_state(AgentState::kStuck);
        if (name == "stranded") values[name] = in_state(AgentState::kStranded);
        if (!is_metric(name)) continue;
        const std::optional<double> value = next++->value;
        if (name == "agents") {
            values[name] = world.agent_count();
        } else if (value && is_count(name)) {
            values[name] = static_cast<std::int64_t>(*value);
        } else {
            values[name] = value ? number_or_null(*value) : Json(nullptr);
        }
    }
    return values;
}

Json goals_not_reached(const World& world, const Scene& scene) {
    constexpr const char* kWords[] = {"reachable", "unreachable", "enclosed", "in wall", "no field"};
    constexpr std::size_t kMostSets = 1000;  // each takes a look at every agent
    Json list = Json::array();
    const std::size_t sets = world.goal_set_count();
    if (sets > kMostSets) return nullptr;
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const std::string& goal = scene.agents[g].goal;
        for (std::size_t set = 0; set < sets; ++set) {
            const bool is_its_own =
                goal == "any" || goal == std::to_string(set) || (goal == "nearest" && set + 1 == sets);
            if (!is_its_own) continue;
            const GoalStatus status = world.goal_status(set, static_cast<int>(g));
            const bool unused = status.state == GoalState::kNoField && status.agents == 0;
            if (status.state == GoalState::kReachable || unused) continue;
            list.push_back({{"set", set},
                            {"group", g},
                            {"state", kWords[static_cast<std::size_t>(status.state)]},
                            {"agents", status.agents},
                            {"stranded", status.stranded}});
        }
    }
    return list;
}

}  // namespace horde
