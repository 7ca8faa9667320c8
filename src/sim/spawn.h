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

// A place on the lattice, local and, in a periodic world, wrapped. Throws Error, with `what` as the one who
// asks, if it is not finite or too far away.
Vec<3> to_lattice(const Frame& frame, Vec3 place, const std::string& what);

// The place itself if a body of the group fits there, or the nearest where it does. Throws Error likewise if
// it is outside the map, or the group's bodies fit nowhere. The world must have a map.
Vec<3> nearest_free(const Frame& frame, const Group& group, Vec<3> local, const std::string& what);

// Puts the agent there, where it must be free, to start its way anew.
void place_agent(Frame& frame, std::int64_t index, Vec<3> local);

// Adds an agent of the group, with its goal and speed drawn, but neither place nor velocity. Returns its
// index.
std::int64_t add_drawn_agent(Frame& frame, std::uint8_t group);

// May that agent start at a local place: free for its body, and its goal elsewhere and within reach?
bool can_start_at(const Frame& frame, std::int64_t index, Vec<3> local);

// Puts it there, with a velocity as agents of its group start with.
void start_agent(Frame& frame, std::int64_t index, const SceneAgents& agents, Vec<3> local);

// The walking speed, or limit, and the goal of an agent of the group, drawn as of a frame.
float own_speed(const Params& params, const Group& group, AgentId id, std::uint64_t frame);
std::uint16_t own_goal(const Params& params, const Group& group, AgentId id, std::uint64_t frame);

// Sends the agent on its way to another goal set.
void start_way(Frame& frame, std::int64_t index, std::uint16_t goal);

// Gives the agent at `index` a new id, goal, speed and place, at rest.
void respawn_agent(Frame& frame, std::int64_t index);

}  // namespace horde
