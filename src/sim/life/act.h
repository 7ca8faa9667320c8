// What callers do to agents between frames.
#pragma once

#include <optional>

#include "sim/frame.h"

namespace horde {

// See World::teleport.
std::optional<Vec3> teleport_agent(Frame& frame, AgentId id, Vec3 position);

// See World::push.
bool push_agent(Frame& frame, AgentId id, Vec3 change);
std::int64_t push_circle(Frame& frame, Vec3 centre, double radius, double speed);

// Adds the pushes that wait to the velocities, in integers, so that their order leaves no trace.
void apply_pushes(Frame& frame);

// Of the pushes that wait for live agents, for the state hash.
std::uint64_t pushes_hash(const Frame& frame);

}  // namespace horde
