/// What a run measured, gathered frame by frame.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "horde/metrics.h"
#include "horde/world.h"
#include "json.h"

namespace horde {

class RunStatistics {
  public:
    /// The report that a world has before its first step: what its fields cost.
    void start(const FrameReport& report) { field_us_ += report.field_us; }
    void add(const FrameReport& report);
    void add(const VerifyReport& report);

    std::int64_t steps() const { return static_cast<std::int64_t>(frame_us_.size()); }
    double mean_us() const;
    double field_us() const { return field_us_; }

    /// The keys of `run --json` that tell of frames: from `frame_us` to `field_us`.
    void write_json(Json& object) const;
    /// The same for people: lines that end in '\n'.
    std::string table() const;

  private:
    /// Time that the p-th part of all frames did not pass: the nearest rank. NaN without frames.
    double quantile_us(double p) const;
    bool has_tiers() const { return last_.far + last_.middle + last_.near > 0; }

    std::vector<double> frame_us_;
    std::vector<std::pair<std::string, double>> stage_us_;  ///< sums, in the order of the frame
    double field_us_ = 0.0;
    double busy_us_ = 0.0;  // of all threads, divided by their number
    std::int64_t candidates_ = 0;
    std::int64_t neighbours_ = 0;
    std::int64_t drops_ = 0;
    std::int64_t spawned_ = 0;
    std::int64_t spawns_dropped_ = 0;
    std::int64_t sunk_ = 0;
    std::int64_t attacks_ = 0;
    std::int64_t hits_ = 0;
    std::int64_t damage_ = 0;
    std::int64_t behaviours_changed_ = 0;
    std::int64_t pushed_out_ = 0;
    std::int64_t bodies_ = 0;  // sums over frames, as the next two
    std::int64_t bodiless_ = 0;
    std::int64_t contacts_ = 0;
    std::int64_t promotions_deferred_ = 0;  // agents, summed over the frames in which they had to wait
    std::int64_t demotions_deferred_ = 0;
    std::int64_t field_builds_ = 0;
    std::int64_t field_repairs_ = 0;
    std::int64_t fields_late_ = 0;
    std::int64_t fields_waiting_ = 0;  // most in a frame
    FrameReport last_;
    std::int64_t verified_ = 0;  ///< frames
    std::int64_t verified_neighbours_ = 0;
    std::int64_t grid_candidates_ = 0;
    std::int64_t brute_candidates_ = 0;
};

/// The names in `list` of --metrics, with commas between. Throws Error for one that `is_known` does not know;
/// it then shows `known`.
std::vector<std::string> split_names(const std::string& list, bool (*is_known)(const std::string&),
                                     std::span<const char* const> known);

/// Names of `run --metrics`: those in `list`, or those that cost nothing if it is empty. Throws Error for
/// others.
std::vector<std::string> chosen_metrics(const std::string& list);

/// The goal sets that agents of a group are to reach, or may be, and cannot: a list of objects with set,
/// group, state, agents and stranded; null in a world of more than a thousand sets.
Json goals_not_reached(const World& world, const Scene& scene);

/// The metrics of the world's frame, by name; null where undefined.
Json measure(const World& world, const std::vector<std::string>& metrics, const MetricSettings& settings);

}  // namespace horde
