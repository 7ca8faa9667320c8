// What a World keeps behind its header. Its functions are in world.cpp (rooms, backends, steps),
// world_edits.cpp (what callers change), world_view.cpp (what they look at) and world_save.cpp (files of it).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/side_thread.h"
#include "horde/error.h"
#include "horde/world.h"
#include "sim/double_flock.h"
#include "sim/frame.h"
#include "world_inputs.h"

namespace horde {

struct World::Impl {
    Frame frame;
    std::unique_ptr<DoubleFlock> in_double;  // then the frame only holds parameters, executor and report
    Scene scene;                             // as given; the map itself is that of the terrain
    const Backend* backend = nullptr;
    std::string backend_name;
    double dt = 0.0;          // of the scene, seconds
    double other_time = 0.0;  // seconds in steps of another dt
    std::uint64_t scene_steps = 0;
    std::unique_ptr<Recorder> recorder;  // nothing unless World::record
    SideThread side;  // of start_step; last, so that a running step ends before what it works on goes

    // Backend, executor and a frame without agents for the scene; with `restores` for a state to be put into
    // it. Throws Error.
    void set_up(const Scene& from, const WorldOptions& options, bool restores);
    std::uint64_t hash() const;
    // All of the world, as World::save writes it.
    std::string to_bytes();
    // What such bytes hold. Throws Error, beginning with `name`.
    static std::unique_ptr<Impl> from_bytes(std::string_view bytes, const std::string& name,
                                            const WorldOptions& options);

    // Writes down, if there is a recording, the step that has been made, or the input that `make` gives.
    void record_step(double seconds, bool of_scene);
    template <class Make>
    void note(Make&& make) {
        if (recorder) write_down(make());
    }
    void write_down(Input input);

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

// A world from the bytes of a save. Throws Error, beginning with `name`.
World load_bytes(std::string_view bytes, const std::string& name, const WorldOptions& options);

}  // namespace horde
