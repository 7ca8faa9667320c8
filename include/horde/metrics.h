/// Measures: of time, and of the order, the spacing and the groups of a frame's agents.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "horde/agents.h"
#include "horde/scene.h"

namespace horde {

/// A rolling meter of microseconds a frame, after the almanac's harness: add what parts of a frame took, end
/// the frame, and every `window` frames read the average and the worst of them.
class Meter {
  public:
    explicit Meter(int window = 60) : window_(window) {}

    void add(double us) { frame_us_ += us; }
    /// Ends the frame; true if a window is full, whose figures then stand until the next one is.
    bool end_frame();
    void reset();

    double average_us() const { return average_us_; }
    double worst_us() const { return worst_us_; }
    /// `N agents | X us/frame avg | Y us worst | Z ms avg`
    std::string line(std::int64_t agents) const;

  private:
    int window_;
    int frames_ = 0;
    double frame_us_ = 0.0;
    double sum_us_ = 0.0;
    double running_worst_us_ = 0.0;
    double average_us_ = 0.0;
    double worst_us_ = 0.0;
};

/// What the metrics of a frame depend on beside the frame.
///
/// All metrics below compute in double from a snapshot's positions and velocities (dim 2 ignores z) and sum
/// in its order, which is that of ids: the answer doesn't depend on how agents lie in memory. A value that is
/// not defined, such as a distance between fewer than two agents, is nullopt. Positions and velocities must
/// be finite.
struct MetricSettings {
    double radius = 0.0;  ///< metres, of `clusters`
    /// The world repeats beyond these: every offset is to the nearest image, whatever side its ends lie on.
    /// Without them distances are plain, also in a world that wraps.
    std::optional<Bounds> periodic = {};
    /// Up to so many agents `mean_pair_distance` looks at every pair; beyond, at `sampled_pairs` of them.
    std::int64_t exact_pairs_up_to = 20'000;
    std::int64_t sampled_pairs = 4'000'000;
};

/// An agent slower than this, in metres a second, stands still: it has no heading (cuplan's rule).
inline constexpr double kStillSpeed = 1e-12;

/// What becomes of still agents in a mean over headings.
enum class StillAgents : std::uint8_t {
    kCount,   ///< zero vectors that stay in the number of agents (cuplan)
    kExclude  ///< left out of it
};

/// Length of the mean unit velocity: 1 if all head one way, 0 if the headings cancel. N random headings have
/// a mean of about sqrt(pi / (4 N)) in 2D and sqrt(8 / (3 pi N)) in 3D, not 0. Undefined if nobody counts.
std::optional<double> polarization(const Snapshot& snapshot, StillAgents still = StillAgents::kCount);

/// Agents of at least kStillSpeed.
std::int64_t moving_agents(const Snapshot& snapshot);

/// Mean of the agents' speeds, metres a second. Undefined without agents.
std::optional<double> mean_speed(const Snapshot& snapshot);

/// Milling: length of the mean, over all agents, of (unit offset from the centre) x (unit velocity). 1 if all
/// circle one way, 0 if none does or as many circle either way. The centre is the mean position; in a
/// periodic world the circular mean on each axis, refined by the mean offset from it. An agent at the centre,
/// or still, adds a zero vector and stays in the number. Undefined below two agents, and where a periodic
/// world has no centre.
std::optional<double> rotation(const Snapshot& snapshot, const MetricSettings& settings = {});

/// Mean distance over all pairs, metres; cuplan calls it `mean_neighbor_distance`. Above
/// `settings.exact_pairs_up_to` agents it is the mean over `sampled_pairs` pairs of two agents, every ordered
/// pair as likely as any other, drawn by counter from a fixed seed: unbiased, the same every time, with a
/// standard error of the distances' spread / sqrt(sampled_pairs), about 0.03 % of the mean. Undefined below
/// two agents.
std::optional<double> mean_pair_distance(const Snapshot& snapshot, const MetricSettings& settings = {});

/// Distances to the nearest other agent, metres.
struct NearestDistances {
    std::optional<double> mean;    ///< over agents
    std::optional<double> lowest;  ///< of all pairs
};

/// By a k-d tree: n log n, clustered or not. Both undefined below two agents.
NearestDistances nearest_distances(const Snapshot& snapshot, const MetricSettings& settings = {});

/// Groups of agents: two are in one group if they are within `settings.radius` of each other (inclusive), or
/// joined by a chain of such.
struct Clusters {
    std::int64_t count = 0;
    std::int64_t largest = 0;  ///< agents in it
};

/// By a grid of cells so small that whoever shares one shares the group. Throws Error if the radius is not
/// finite and more than 0.
Clusters clusters(const Snapshot& snapshot, const MetricSettings& settings);

/// Agents a square metre (2D), or a cubic metre, of the smallest box along the axes that holds them all; of
/// the bounds in a periodic world. Agents spread evenly over a region give too high a density: the box that
/// the outermost touch has about (N - 1) / (N + 1) of each side. Undefined if the box is empty: below two
/// agents, or all on a line along an axis.
std::optional<double> density(const Snapshot& snapshot, const MetricSettings& settings = {});

/// A metric by its name.
struct Metric {
    std::string name;
    std::optional<double> value;
};

/// Names that `measure` knows, in the order in which they are shown: agents, moving_agents, mean_speed,
/// polarization, polarization_moving (still agents excluded), rotation, mean_pair_distance,
/// nearest_neighbour_distance, lowest_separation, clusters, largest_cluster (its share of the agents),
/// density.
std::span<const char* const> metric_names();

/// True for those names and for `mean_neighbor_distance`, cuplan's name of mean_pair_distance.
bool is_metric(const std::string& name);

/// The metrics named, in that order. `clusters` and `largest_cluster` are undefined without agents. Throws
/// Error for a name that is none, and for a radius that is not finite and more than 0 if one of these two is
/// among them.
std::vector<Metric> measure(const Snapshot& snapshot, std::span<const std::string> names,
                            const MetricSettings& settings = {});

}  // namespace horde
