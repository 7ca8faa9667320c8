// What a World keeps behind its header. Its functions are in world.cpp (rooms, backends, steps),
// world_edits.cpp (what callers change) and world_view.cpp (what they look at).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/side_thread.h"
#include "horde/error.h"
#include "horde/world.h"
#include "sim/double_flock.h"
#include "sim/frame.h"

namespace horde {

struct World::Impl {
    Frame frame;
    std::unique_ptr<DoubleFlock> in_double;  // then the frame only holds parameters, executor and report
    const Backend* backend = nullptr;
    std::string backend_name;
    double dt = 0.0;          // of the scene, seconds
    double other_time = 0.0;  // seconds in steps of another dt
    std::uint64_t scene_steps = 0;
    SideThread side;  // of start_step; last, so that a running step ends before what it works on goes

    void step(double seconds);
    void count_step(double seconds, bool of_scene);
    void start_step(double seconds, bool of_scene);
    bool started_of_scene = false;
    double started_seconds = 0.0;
    // For every call but finish_step: the frame belongs to the step while it runs.
    void require_rest() const {
        if (side.is_busy()) throw Error("a step is running; call finish_step first");
    }
    // For calls that need the columns, which a world in double precision lacks.
    void require_columns(const std::string& call) const {
        require_rest();
        if (in_double) throw Error(call + ": agents only follow their rule in double precision; use float");
    }
    double time() const { return static_cast<double>(scene_steps) * dt + other_time; }  // a sum would drift
};

}  // namespace horde
