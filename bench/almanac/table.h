/// The almanac's table: its searches and horde at a few counts of agents, and what its claims about times
/// come to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/almanac/verdicts.h"
#include "bench/rows.h"

namespace horde::bench {

inline constexpr const char* kAlmanacColumns[] = {"three scans", "gather", "flock grid", "horde"};

struct AlmanacTable {
    std::vector<std::int64_t> agents = {100, 400, 1000, 1600};
    int prints = 5;  ///< windows of 60 frames that count; one before them warms up
};

/// One column of the table at one count of agents: microseconds a frame spent on finding neighbours and
/// steering.
struct AlmanacEntry {
    std::string search;  ///< one of kAlmanacColumns
    std::int64_t agents = 0;
    std::vector<double> average_us;  ///< of each print: a window of 60 frames
    double worst_us = 0.0;           ///< of all frames that count
    Spread rebuild_us, query_us,
        steering_us;  ///< of the prints; horde steers as it searches: all of it is query
    double candidates =
        0.0;  ///< a frame; every search's neighbours are counted at the same states only in frame 0
    double neighbours = 0.0;
    double cells = 0.0;            ///< occupied, in the last frame; 0 without a grid
    std::uint64_t state_hash = 0;  ///< of horde
    std::string line;              ///< of the meter, as the almanac prints it

    Spread us() const { return spread_of(average_us); }
};

/// Measured column by column, each from the same start.
std::vector<AlmanacEntry> measure_almanac(const AlmanacTable& settings);

/// The verdicts on the times of the table.
std::vector<Verdict> timing_verdicts(const std::vector<AlmanacEntry>& table);

/// Those on the flock grid's cells, which are no columns of the table: 400 agents, measured by turns here.
std::vector<Verdict> cell_timing_verdicts(int prints);

/// Rows for CSV and JSON. Values: worst_us, growth (against the count before), naive_ratio (three scans to
/// this).
std::vector<Row> rows_of(const std::vector<AlmanacEntry>& table);

}  // namespace horde::bench
