// From a scene to what the step reads.
#pragma once

#include "sim/frame.h"

namespace horde {

// Checks the scene and turns it into parameters, ground, goal sets and an empty store; the fields are built,
// no agent is spawned. `map` is the scene's, or nullptr. `start`, or nullptr, only tells the origin here. The
// executor is left to the caller. Throws Error naming the key.
void set_up_frame(Frame& frame, const Scene& scene, const Map* map, const Snapshot* start);

}  // namespace horde
