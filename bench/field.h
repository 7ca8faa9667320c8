/// `horde bench field`: integration and flow of seeded maps, timed apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace horde {

struct FieldBenchOptions {
    std::vector<std::int32_t> sides = {256, 512, 1024};
    std::uint32_t wall_percent = 20;
    std::uint32_t greatest_cost = 254;  ///< costs are drawn from 1 to this
    std::uint64_t seed = 1;
    int runs = 11;  ///< at least 7; a run before them warms up
};

struct FieldBenchTimes {
    double min = 0.0;
    double median = 0.0;
    double max = 0.0;
};

/// One square map with one goal in its middle; times are milliseconds on one thread.
struct FieldBenchRow {
    std::string name;
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::int64_t walls = 0;      ///< cells
    FieldBenchTimes set_map_ms;  ///< copying the map and finding the legal moves; not part of a rebuild
    FieldBenchTimes integrate_ms;
    FieldBenchTimes flow_ms;
    FieldBenchTimes total_ms;       ///< integration and flow of one run
    double flow_ns_per_cell = 0.0;  ///< from the median, over all cells
    std::uint64_t checksum = 0;     ///< of integration values and directions: equal on every machine
};

/// Throws Error for options out of range.
std::vector<FieldBenchRow> run_field_bench(const FieldBenchOptions& options);

}  // namespace horde
