#include <cstdio>

#include "horde/metrics.h"

namespace horde {

bool Meter::end_frame() {
    sum_us_ += frame_us_;
    if (frame_us_ > running_worst_us_) running_worst_us_ = frame_us_;
    frame_us_ = 0.0;
    if (++frames_ < window_) return false;
    average_us_ = sum_us_ / frames_;
    worst_us_ = running_worst_us_;
    sum_us_ = running_worst_us_ = 0.0;
    frames_ = 0;
    return true;
}

void Meter::reset() {
    *this = Meter(window_);
}

std::string Meter::line(std::int64_t agents) const {
    char text[160];
    std::snprintf(text, sizeof text, "%lld agents | %.0f us/frame avg | %.0f us worst | %.2f ms avg",
                  static_cast<long long>(agents), average_us_, worst_us_, average_us_ / 1000.0);
    return text;
}

}  // namespace horde
