// From a scene to what the step reads.
#pragma once

#include <string>

#include "sim/frame.h"

namespace horde {

// Checks the scene and turns it into parameters, ground, goal sets and an empty store; the fields are built,
// no agent is spawned. `map` is the scene's, or nullptr. `start`, or nullptr, only tells the origin here. The
// executor is left to the caller. Throws Error naming the key.
void set_up_frame(Frame& frame, const Scene& scene, const Map* map, const Snapshot* start);

// The same but for the fields, which are not built, for a state that is to be put into it.
void set_up_to_restore(Frame& frame, const Scene& scene, const Map* map);

// What an Error about the scene says, led by the place that its key was read from, if it has one.
std::string with_place(const Scene& scene, const std::string& text);

// What `goal` of [[agents]] or a behaviour says: any, nearest, or a number. Throws Error naming `key`.
void read_goal(const Params& params, const std::string& goal, const std::string& key, Group& group);

}  // namespace horde
