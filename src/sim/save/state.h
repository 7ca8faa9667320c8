// All that later frames depend on, as bytes: what a world needs beside its scene and map to go on as if it
// had never stopped.
#pragma once

#include <cstdint>
#include <span>

#include "sim/double_flock.h"
#include "sim/frame.h"
#include "sim/save/archive.h"

namespace horde {

// A world, seen by the parts of its state.
struct WorldState {
    Frame& frame;
    DoubleFlock* in_double = nullptr;  // nothing in float
    double& other_time;                // as in World::Impl
    std::uint64_t& scene_steps;
};

// A part of the state. They are read in the order of the table, into a frame that set_up_to_restore has set
// up for the same scene; each throws Error for bytes that it cannot have written.
struct StatePart {
    const char* name;
    void (*write)(StateWriter&, WorldState&);
    void (*read)(StateReader&, WorldState&);
    bool needs_double =
        false;  // WorldState::in_double must be made of the agents before, if there is to be one
};

std::span<const StatePart> state_parts();

}  // namespace horde
