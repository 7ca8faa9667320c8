/// The scenes that benchmarks are run on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "horde/agents.h"
#include "horde/scene.h"

namespace horde::bench {

/// scenes/almanac.toml with so many agents, without its file.
Scene almanac_scene(std::int64_t agents);

enum class Distribution : std::uint8_t {
    kUniform,
    kClustered  ///< 50 round blobs of equal size, their centres uniform, their standard deviation 1/64 of the
                ///< side
};

struct StepScene {
    std::int64_t agents = 10000;
    int dim = 2;
    double neighbours = 30.0;  ///< wanted mean number of neighbours within the rule's radius, at the start
    Distribution distribution = Distribution::kUniform;
    std::string rule = "reynolds";  ///< one of kRuleKinds, with its defaults
    std::uint64_t seed = 1;
};

/// A scene and, where spawning cannot make it, its start.
struct StartedScene {
    Scene scene;
    std::optional<Snapshot> start = {};
    double radius = 0.0;  ///< of the rule
    double side = 0.0;    ///< of the box
};

/// A square or cube that repeats, just so wide that its agents have the wanted number of neighbours; they
/// start in no order, at the rule's speed. Throws Error if no box can be: unless dim is 2 or 3, there are two
/// agents or more and the wanted number is above 0 and leaves the box wider than two radii.
StartedScene make_step_scene(const StepScene& wanted);

}  // namespace horde::bench
