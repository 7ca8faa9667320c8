// Microseconds from a clock that never goes back.
#pragma once

#include <chrono>

namespace horde {

class Timer {
  public:
    double us() const {
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace horde
