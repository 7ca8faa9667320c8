// Where agents come from: the scene's groups, a start, or a call.
#pragma once

#include <vector>

#include "horde/scene.h"
#include "sim/frame.h"

namespace horde {

// The goal sets of a scene on its map: drawn by seed from the largest connected part, or as named; and a last
// one of all goals if a group goes to the nearest. As many are drawn as there are cells, at the most. Throws
// Error for a goal outside the map or in a wall.
std::vector<std::vector<Cell>> choose_goal_sets(const Scene& scene, const Map& map, bool with_nearest);

// Adds the agents of the scene. The fields must have been built. Throws Error if they do not fit.
void spawn_scene(Frame& frame, const Scene& scene);

// Adds the agents of a start, each to the first group of its type, or else to the first. Throws Error naming
// the agent that cannot be.
void spawn_start(Frame& frame, const Snapshot& start);

// Adds one agent. Throws Error as World::spawn does.
AgentId spawn_agent(Frame& frame, const NewAgent& agent);

// Gives the agent at `index` a new id, goal, speed and place, at rest.
void respawn_agent(Frame& frame, std::int64_t index);

}  // namespace horde
