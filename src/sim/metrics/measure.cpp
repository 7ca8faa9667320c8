// Metrics by name.
#include <algorithm>

#include "horde/error.h"
#include "horde/metrics.h"

namespace horde {
namespace {

constexpr const char* kNames[] = {"agents",
                                  "moving_agents",
                                  "mean_speed",
                                  "polarization",
                                  "polarization_moving",
                                  "rotation",
                                  "mean_pair_distance",
                                  "nearest_neighbour_distance",
                                  "lowest_separation",
                                  "clusters",
                                  "largest_cluster",
                                  "density"};
constexpr const char* kCuplanName = "mean_neighbor_distance";

// The metrics of one snapshot; what two of them share is computed once.
class Measuring {
  public:
    Measuring(const Snapshot& snapshot, const MetricSettings& settings)
        : snapshot_(snapshot), settings_(settings) {}

    std::optional<double> value(const std::string& name) {
        const double n = static_cast<double>(snapshot_.count());
        if (name == "agents") return n;
        if (name == "moving_agents") return static_cast<double>(moving_agents(snapshot_));
        if (name == "mean_speed") return mean_speed(snapshot_);
        if (name == "polarization") return polarization(snapshot_);
        if (name == "polarization_moving") return polarization(snapshot_, StillAgents::kExclude);
        if (name == "rotation") return rotation(snapshot_, settings_);
        if (name == "mean_pair_distance" || name == kCuplanName)
            return mean_pair_distance(snapshot_, settings_);
        if (name == "nearest_neighbour_distance") return nearest().mean;
        if (name == "lowest_separation") return nearest().lowest;
        if (name == "density") return density(snapshot_, settings_);
        const Clusters& found = groups();
        if (snapshot_.count() == 0) return std::nullopt;
        return name == "clusters" ? static_cast<double>(found.count) : static_cast<double>(found.largest) / n;
    }

  private:
    const NearestDistances& nearest() {
        if (!has_nearest_) nearest_ = nearest_distances(snapshot_, settings_);
        has_nearest_ = true;
        return nearest_;
    }
    const Clusters& groups() {
        if (!has_clusters_) clusters_ = clusters(snapshot_, settings_);
        has_clusters_ = true;
        return clusters_;
    }

    const Snapshot& snapshot_;
    const MetricSettings& settings_;
    NearestDistances nearest_;
    Clusters clusters_;
    bool has_nearest_ = false;
    bool has_clusters_ = false;
};

}  // namespace

std::span<const char* const> metric_names() {
    return kNames;
}

bool is_metric(const std::string& name) {
    return name == kCuplanName || std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::vector<Metric> measure(const Snapshot& snapshot, std::span<const std::string> names,
                            const MetricSettings& settings) {
    Measuring measuring(snapshot, settings);
    std::vector<Metric> metrics;
    for (const std::string& name : names) {
        if (!is_metric(name)) {
            std::string known;
            for (const char* each : kNames) known += std::string(known.empty() ? "" : ", ") + each;
            throw Error("there is no metric '" + name + "'; use some of " + known);
        }
        metrics.push_back({name, measuring.value(name)});
    }
    return metrics;
}

}  // namespace horde
