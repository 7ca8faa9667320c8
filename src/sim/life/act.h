// What callers do to agents between frames.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/frame.h"

namespace horde {

// See World::teleport.
std::optional<Vec3> teleport_agent(Frame& frame, AgentId id, Vec3 position);

// Calls call(index, metres from the centre, direction away from it, length 1) for each agent within the
// radius, of one on the very centre a direction drawn by id; in a periodic world from the nearest image.
// Returns for how many it was true. Throws Error, with `what` as the one who asks.
using CircleCall = std::function<bool(std::int64_t, double, const double (&)[3])>;
std::int64_t for_each_in_circle(Frame& frame, const std::string& what, Vec3 centre, double radius,
                                const CircleCall& call);

// See World::push.
bool push_agent(Frame& frame, AgentId id, Vec3 change);
std::int64_t push_circle(Frame& frame, Vec3 centre, double radius, double speed);

// Adds the pushes that wait to the velocities, in integers, so that their order leaves no trace.
void apply_pushes(Frame& frame);

// Of the pushes that wait for live agents, for the state hash.
std::uint64_t pushes_hash(const Frame& frame);

}  // namespace horde
