// Agents that come and go while the world runs, as the scene says.
#pragma once

#include "horde/scene.h"
#include "sim/frame.h"

namespace horde {

// Turns the scene's spawners and sinks into those of the frame, whose ground and groups are set up. Throws
// Error naming the key.
void set_up_spawners(Frame& frame, const Scene& scene);

// Agents that a spawner owes from the start to a time on the clock: floor(rate * seconds), in whole bursts.
std::uint64_t due_by(const Spawner& spawner, std::uint64_t clock);

// Can agents of the spawner become due from that time on the clock on, or within `lead` ticks?
bool is_open(const Spawner& spawner, std::uint64_t clock, std::uint64_t lead);

// Takes out who stands in a sink.
void run_sinks(Frame& frame);

// Adds the agents that became due in the running step, `ticks` long, in the order of the spawners. What does
// not fit is counted and given up: it does not come later.
void run_spawners(Frame& frame, std::uint64_t ticks);

}  // namespace horde
