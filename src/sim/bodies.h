// Agents with solid bodies: what the stage `bodies` is told and what it leaves behind. The stage itself is
// the room of that name.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "horde/agents.h"
#include "horde/scene.h"

namespace horde {

struct Frame;

// [bodies] in the precision of the step.
struct BodyParams {
    Physics physics = Physics::kOff;
    float radius = 0.0f;  // metres, of agents whose rule has none
    float restitution = 0.0f;
    float friction = 0.0f;
    int velocity_iterations = 8;
    int position_iterations = 3;
};

// What an agent is to the stage: a body that nothing can touch in this frame, which moves as if it were none,
// or one that the stage moves.
inline constexpr std::uint8_t kAlone = 1;
inline constexpr std::uint8_t kTouching = 2;

// A wall: columns [first, last] of a row of the map.
struct WallRun {
    std::int64_t row;
    std::int64_t first;
    std::int64_t last;
};

// Two that touch: a < b, or an agent and kWallContact.
struct BodyPair {
    AgentId a = 0;
    AgentId b = 0;
    auto operator<=>(const BodyPair&) const = default;
};

struct Bodies {
    BodyParams params;
    std::vector<BodyPair> contacts;    // of the last frame, ascending: what later events depend on
    std::vector<ContactEvent> events;  // of the last frame
    std::vector<std::uint32_t>
        moved;  // of this frame: indices whose next state the stage makes, by ascending id
    std::vector<std::uint8_t> is_body;  // of this frame, by index: 0, kAlone or kTouching
    std::vector<BodyPair> found;        // scratch, as the rest
    std::vector<float> travel;          // by index: metres that a body may go in this frame
    std::vector<std::uint32_t> queue;
    std::vector<WallRun> walls;

    bool on() const { return params.physics != Physics::kOff; }
    bool moves(std::int64_t i) const { return on() && is_body[static_cast<std::size_t>(i)] == kTouching; }
};

// Checks [bodies] against the scene. Throws Error naming the key.
BodyParams body_params(const Scene& scene);

// Replaces the contacts by `found`, in any order and with repeats, and tells who began and who ceased to
// touch.
void take_contacts(Bodies& bodies);

std::uint64_t contacts_hash(const Bodies& bodies);

}  // namespace horde
