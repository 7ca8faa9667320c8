/// Repeated measurements of one scene's frames under one setting.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/frame.h"
#include "bench/measure.h"

namespace horde::bench {

class FrameRuns {
  public:
    FrameRuns(std::string name, const Scene& scene, const FrameBench& options);
    /// Makes a world and measures it once. Throws as bench_frame does.
    void run();
    /// Of at least one run.
    Row row() const;
    std::uint64_t state_hash() const { return *hash_; }

  private:
    Scene scene_;
    FrameBench options_;
    Row row_;
    Repeats repeats_;
    std::vector<double> each_;
    std::vector<double> busy_;
    std::optional<std::uint64_t> hash_;
    double bare_ = 0.0;
    double visible_ = 0.0;
    double near_ = 0.0;
    std::int64_t batches_ = 0;
};

}  // namespace horde::bench
