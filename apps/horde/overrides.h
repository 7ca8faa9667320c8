/// What the command line changes of a scene.
#pragma once

#include <cstdint>

#include "horde/scene.h"
#include "options.h"

namespace horde {

/// --map, --agents, --seed and --search. Throws Error.
void apply_overrides(const RunOptions& options, Scene& scene);

/// Changes the counts of the groups so that they sum to `agents` in the old proportions (largest remainder);
/// equal shares if all were 0. Throws Error if there is no group to put them in.
void share_agents(std::vector<SceneAgents>& groups, std::int64_t agents);

}  // namespace horde
