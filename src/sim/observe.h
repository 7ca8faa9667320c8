// What the outside may see of a frame: rows in order of id, and a search checked against brute force.
#pragma once

#include <optional>
#include <vector>

#include "horde/world.h"
#include "sim/frame.h"

namespace horde {

// Indices of the live agents in ascending order of id.
std::vector<std::uint32_t> id_order(const Agents& agents);

// See World::find.
std::optional<AgentInfo> agent_info(Frame& frame, AgentId id);

// Fills all of `out` but the time.
void write_snapshot(const Frame& frame, Snapshot& out);

// Gathers the neighbours of one point both ways. `grid` is a view of the points as they lie in the columns; a
// brute one is replaced by a grid of its own. `id` names the points.
template <class Real>
VerifyReport verify_search(const Params& params, const GridView& grid, const Real* const (&position)[3],
                           const AgentId* id, std::int64_t count, std::int64_t chosen, Real radius);

// The agent that `verify` looks at in a frame: the one with the least mix of its id and the frame.
std::int64_t choose_to_verify(const AgentId* id, std::int64_t count, std::uint64_t seed, std::uint64_t frame);

// Runs the grid stage and verifies the search that the next steer stage would use. There must be agents.
VerifyReport verify_frame(Frame& frame, const Backend& backend);

}  // namespace horde
