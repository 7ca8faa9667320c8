/// Measures of time.
#pragma once

#include <cstdint>
#include <string>

namespace horde {

/// A rolling meter of microseconds a frame, after the almanac's harness: add what parts of a frame took, end the
/// frame, and every `window` frames read the average and the worst of them.
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

}  // namespace horde
