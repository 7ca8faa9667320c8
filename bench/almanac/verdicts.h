/// What the almanac's checkpoints and stretch goals claim, held against counts and sets. Nothing here is
/// timed: every machine must find every one of these to hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace horde::bench {

struct Verdict {
    std::string name;     ///< short, for programs
    std::string text;     ///< the claim
    std::string numbers;  ///< what was found
    bool holds = false;
    bool timing = false;  ///< rests on clocks: may fail on a busy machine
};

/// The verdicts on counts and sets, from the almanac's scene with `agents` agents: some hundred frames each.
std::vector<Verdict> count_verdicts(std::int64_t agents = 400);

}  // namespace horde::bench
