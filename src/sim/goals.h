// Goal sets in a world: their fields from frame to frame, goals that move, and how agents stand to them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "horde/scene.h"
#include "sim/frame.h"

namespace horde {

// Gives the frame the goal sets of the scene, the last of them with the goals of all if `last_is_all`. Ground
// and land must be in place. Throws Error naming the key.
void set_up_goals(Frame& frame, const Scene& scene, std::vector<std::vector<Cell>> sets, bool last_is_all);

// Builds their fields.
void build_fields(Frame& frame, const Scene& scene);

// Throws Error, naming the key, unless agents of the start are there for the goals that follow one.
void check_followed(Frame& frame);

// Throws Error, with `what` as the one who asks, unless there is a field for the agent at the start.
void require_field(const Frame& frame, const Scene& scene, std::int64_t i, const std::string& what);

// The functions of World of these names.
void set_goal(Frame& frame, std::size_t set, std::span<const Cell> cells);
void follow_agent(Frame& frame, std::size_t set, AgentId id);
GoalStatus goal_status(const Frame& frame, std::size_t set, int group);
const Field& field_of_set(const Frame& frame, std::size_t set);

// At the end of a frame: goals go where the agents that they follow are, and fields learn who follows them.
void note_goals(Frame& frame);

}  // namespace horde
