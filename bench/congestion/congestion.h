/// `horde bench congestion`: how much gets through, and how long it takes.
#pragma once

#include <string>
#include <vector>

#include "bench/congestion/scenes.h"
#include "bench/rows.h"

namespace horde::bench {

struct CongestionBench {
    std::vector<std::string> scenes = {};  ///< names of congestion_scenes(); empty: all
    int threads = 1;
    std::string backend = "auto";
    std::string pictures = {};  ///< folder for NAME.png of each scene in the middle of its time; empty: none
};

/// Order of lanes, 0 to 1: the mean over agents of ((s - o) / (s + o))^2, s and o the numbers of agents of
/// the same and of another goal, itself included, whose y is within 0.4 m of its own (Rex and Loewen 2007, in
/// strips that follow the agent). NaN without agents.
double lane_order(const std::vector<double>& y, const std::vector<std::uint16_t>& goal);

/// Runs a scene until it is empty, or for 600 seconds. Values of the row: `throughput` in agents a second
/// (fed scenes: over the last half of the feed; others: between a fifth and four fifths of the arrivals),
/// `per_metre`, `published` (agents a second and metre), `clear_s` (from the end of the feed, or the start,
/// to the last arrival; NaN if some never came), `lane_order` and `mixed_order` (means over the last half of
/// the feed; what the order is when the same agents are told apart by chance), `most_stuck`, `left`. Its
/// times are those of the frames.
Row measure_congestion(const CongestionScene& scene, const CongestionBench& options);

/// All wanted scenes. Throws Error for a name that there is not.
std::vector<Row> bench_congestion(const CongestionBench& options);

}  // namespace horde::bench
