/// One measurement of a world's frames.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/rows.h"
#include "horde/world.h"

namespace horde::bench {

/// Means over the frames of one measurement; counts are totals.
struct Measurement {
    double frame_ms = 0.0;
    std::vector<std::pair<std::string, double>> stage_ms;  ///< in the order of the frame
    std::int64_t candidates = 0;
    std::int64_t neighbours = 0;
    std::int64_t bodies = 0;
    std::int64_t contacts = 0;
    std::int64_t bodiless = 0;
    std::vector<double> each_ms;  ///< of single frames
    double busy = 0.0;            ///< share of the threads' time in which they worked
};

/// Runs `warm_up` frames that do not count, then `steps` that do.
Measurement measure(World& world, std::int64_t warm_up, std::int64_t steps);

/// Bytes that the program has taken and not given back.
double bytes_in_use();

/// Measurements of one thing, gathered into the times of a row.
class Repeats {
  public:
    void add(const Measurement& m);
    /// Writes ms, stage_ms and the counts of the last measurement. Of at least one.
    void write(Row& row) const;
    const std::vector<double>& frames() const { return frames_; }

  private:
    std::vector<double> frames_;
    std::vector<std::pair<std::string, std::vector<double>>> stages_;
    Measurement last_;
};

/// The value between the values of which `share` (0 to 1) are no larger, interpolated. Of at least one value.
double quantile(std::vector<double> values, double share);

}  // namespace horde::bench
