// Who is steered in a frame, and how much of it.
#pragma once

#include <algorithm>

#include "sim/flock_gather.h"
#include "sim/frame.h"

namespace horde {

// Does agent i think in this frame? As often as its rule and its tier let it: the rarer counts.
inline bool thinks(const Frame& frame, std::int64_t i, int update_every) {
    if (frame.tiers.on()) {
        const std::uint8_t tier = frame.agents.tier.now[i];
        if ((tier & kSettled) == 0) return true;
        update_every = std::max(update_every, frame.tiers.params.every[tier & kTierBits]);
    }
    return is_due(frame.number, frame.agents.id.now[i], update_every);
}

// Do neighbours push walker i?
inline bool keeps_apart(const Frame& frame, std::int64_t i) {
    return !frame.tiers.on() || frame.tiers.params.separation[frame.agents.tier.now[i] & kTierBits];
}

}  // namespace horde
