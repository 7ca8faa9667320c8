// Levels of detail: far, middle, near, by distance to the nearest viewpoint (World::set_viewpoints has the
// rules).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "horde/agents.h"
#include "horde/scene.h"
#include "horde/vec.h"

namespace horde {

struct Frame;

// [tiers] in the precision of the step. Arrays are by Tier.
struct TierParams {
    float promote[3] = {};  // metres; nearer than this: one tier up
    float demote[3] = {};   // farther than this: one tier down
    float gap = 0.0f;       // of the near border
    std::int64_t max_near = 0;
    std::int64_t max_promotions = 0;
    std::int64_t max_demotions = 0;
    int every[3] = {1, 1, 1};
    bool separation[3] = {true, true, true};
};

// An agent that may cross the near border.
struct TierCandidate {
    float distance;  // metres
    AgentId id;
    std::uint32_t index;
};

// What a chunk of agents found.
struct TierChunk {
    std::int64_t count[3] = {};             // agents in each tier before the near border is settled
    std::int64_t within = 0;                // middle agents that would be near
    std::vector<TierCandidate> candidates;  // the nearest of those
    std::vector<TierCandidate> residents;   // near agents
    std::vector<TierEvent> crossed;         // the other border, in no order
};

struct Tiers {
    TierParams params;
    std::vector<Vec3> viewpoints;              // world coordinates
    std::vector<std::array<float, 3>> points;  // the same, from the origin
    std::vector<TierEvent> events;             // of the last frame

    // Memory of the stage.
    std::vector<TierChunk> chunks;
    std::vector<TierCandidate> candidates, residents;

    bool on() const { return !viewpoints.empty(); }
    bool spare_work() const {  // may some agents not be steered in full in every frame?
        for (int t = 0; t < 3 && on(); ++t) {
            if (params.every[t] > 1 || !params.separation[t]) return true;
        }
        return false;
    }
};

// Checks [tiers]. Throws Error naming the key.
TierParams tier_params(const SceneTiers& tiers);

// Replaces the viewpoints. The first one ever gives the world its tier column, everyone far. Throws Error.
void set_viewpoints(Frame& frame, std::span<const Vec3> points);

std::uint64_t viewpoints_hash(const Tiers& tiers);

}  // namespace horde
