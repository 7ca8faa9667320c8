// Spawners and sinks of a scene in the precision of the step.
#pragma once

#include <cstdint>
#include <vector>

#include "horde/scene.h"

namespace horde {

// Time and rates are whole numbers: ticks of 2^-32 s, and agents in 2^32 s. What is due by a time is then
// exact, and nothing is carried from frame to frame but the clock.
inline constexpr double kTicks = 0x1p32;

// The nearest tick of a time in seconds.
inline std::uint64_t to_clock(double seconds) {
    return static_cast<std::uint64_t>(seconds * kTicks + 0.5);
}

struct Spawner {
    std::uint8_t group = 0;
    SpawnPattern pattern = SpawnPattern::kBox;
    std::uint64_t rate = 0;
    std::uint64_t burst = 1;
    std::uint64_t start = 0;  // ticks
    std::uint64_t stop = 0;
    std::int64_t limit = 0;
    double low[3] = {0.0, 0.0, 0.0};  // of the box, or about the circle, local metres
    double high[3] = {0.0, 0.0, 0.0};
    std::vector<std::uint32_t> cells;
    SceneAgents agents;  // how they start
};

struct Sink {
    int group = -1;  // of all if less than 0
    double low[3] = {0.0, 0.0, 0.0};
    double high[3] = {0.0, 0.0, 0.0};
};

}  // namespace horde
