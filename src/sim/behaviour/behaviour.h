// Behaviours: what drives an agent beside its rule, and when it takes up another. Each behaviour of each
// [[agents]] is a group of its own, so that an agent changes its rules by changing its group.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "horde/scene.h"

namespace horde {

struct Frame;
struct Group;
struct Params;

inline constexpr std::uint8_t kNoWatch = 0xff;

// The drive of [behaviour.NAME] in the precision of the step.
struct DriveParams {
    Drive kind = Drive::kNone;
    std::uint8_t watch = kNoWatch;  // of those who are hunted or fled from, or of the own [[agents]]
    float radius = 0.0f;
    float gain = 0.0f;
    float lead = 0.0f;
};

// [[transition]] likewise.
struct TransitionParams {
    std::uint8_t to = 0;  // group
    std::uint8_t watch = kNoWatch;
    bool to_target = false;
    float target[3] = {};  // local
    float below = 0.0f, above = 0.0f;
    float health_below = 0.0f, health_above = 0.0f;  // parts
    std::int64_t neighbours_below = 0, neighbours_above = -1;
    float neighbour_radius = 0.0f;
    std::uint64_t after = 0;  // ticks
};

// Whom somebody asks for.
struct WatchParams {
    std::uint8_t group = 0;  // of [[agents]]
    float reach = 0.0f;      // metres
    bool wants_centre = false;
};

// Adds a group for each behaviour beyond the first of each [[agents]], gives all groups their drives and
// transitions, and finds out who is to be watched. `params.groups` has those of [[agents]]. Throws Error
// naming the key.
void set_up_behaviours(Params& params, const Scene& scene);

// The watch of a group of the scene, from now on reaching at least so far. Throws Error naming `key`.
std::uint8_t watch_of(Params& params, const Scene& scene, double group, float reach, const std::string& key);

// What all that asks of the frame, once the lattice is known.
void set_up_watches(Frame& frame);

// Gives agent i the group of a behaviour, and with it speed and, if it has one, goal.
void take_behaviour(Frame& frame, std::int64_t i, std::uint8_t group);

// The part of the frame in which agents change their behaviours and find out where these drive them.
void behave_stage(Frame& frame);

}  // namespace horde
