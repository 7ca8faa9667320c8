/// What `horde bench` hands out: one row for each thing measured.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace horde::bench {

/// Least, middle and largest of a few measurements, in milliseconds. An even number of them has the mean of
/// the two in the middle.
struct Spread {
    double min = 0.0;
    double median = 0.0;
    double max = 0.0;
};

/// Of at least one value.
Spread spread_of(std::vector<double> values);

struct Row {
    std::string name;  ///< of the benchmark: "frame", "field-256"
    std::int64_t agents = 0;
    int dim = 2;
    int threads = 1;
    std::string backend;
    std::string scene;
    std::int64_t cells = 0;  ///< of the map
    Spread ms;               ///< of one frame, or of one field
    std::vector<std::pair<std::string, Spread>> stage_ms;
    std::int64_t candidates = 0;  ///< of one measurement
    std::int64_t neighbours = 0;
    std::uint64_t state_hash = 0;
    double bytes_per_agent = 0.0;  ///< beside fields and map; 0: not measured
    /// What else the benchmark tells, by name: keys of the JSON, columns at the end of the CSV. NaN is no
    /// value.
    std::vector<std::pair<std::string, double>> values = {};
};

/// Where a table of rows comes from.
struct Origin {
    std::string date;      ///< YYYY-MM-DD, UTC
    std::string commit;    ///< environment HORDE_COMMIT, or "unknown"
    std::string compiler;  ///< of the library, and its flags
    std::string flags;
    std::string machine;  ///< model and number of its processors, as the kernel names them
};

Origin origin_here();

/// Writes rows as CSV, a line for each whole and one for each stage. The header:
/// `date,commit,compiler,flags,machine,name,scene,backend,threads,agents,cells,stage,min_ms,median_ms,max_ms,`
/// `candidates,neighbours,bytes_per_agent,state_hash`, then the names of the rows' values. Makes missing
/// folders. Throws Error for a place that cannot be written.
void write_csv(const std::string& path, const Origin& origin, const std::vector<Row>& rows);

}  // namespace horde::bench
