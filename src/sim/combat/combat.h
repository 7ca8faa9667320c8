// Fighting: what agents can do to each other, and what callers do to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/vec.h"
#include "horde/agents.h"
#include "horde/scene.h"
#include "horde/vec.h"

namespace horde {

struct Blow;
struct Frame;
struct Map;
struct Params;

// [combat.NAME] in the precision of the step; times in ticks.
struct CombatParams {
    bool present = false;  // without: nobody can do anything to these agents
    std::int32_t health = 0;
    std::vector<std::uint8_t> targets;  // watches
    float range = 0.0f;
    float splash = 0.0f;
    std::int32_t damage = 0;
    std::uint64_t cooldown = 0;
    std::uint64_t attack_time = 0;
    std::uint64_t stun = 0;
    std::uint64_t corpse_time = 0;
    float knockback = 0.0f;
    float max_knockback = 0.0f;
    float friction = 0.0f;
    bool through_walls = false;
};

// What one attack, or one call, does to an agent. Sums of them have no order.
struct Hit {
    std::uint32_t target = 0;    // index
    std::int64_t damage = 0;     // points; less than 0 heals
    std::uint64_t stun = 0;      // ticks; the longest counts
    std::int64_t knock[3] = {};  // units of the velocity lattice
};

// A call that waits for the next step.
struct PendingBlow {
    AgentId id = 0;
    Hit hit;  // without target
};

// What a chunk of agents did.
struct CombatChunk {
    std::vector<Hit> hits;
    std::int64_t attacks = 0;
    std::int64_t cut = 0;  // searches that ended at kMostLooks
};

// An agent that died, for sorting.
struct Fallen {
    AgentId id = 0;
    Vec3 place;
};

struct Combat {
    std::vector<PendingBlow> pending;  // since the last frame, in any order
    std::vector<AgentId> deaths;       // of the last frame, ascending
    std::vector<Vec3> death_places;    // of these, world coordinates
    std::vector<Fallen> fallen;        // scratch: these, in any order
    std::vector<CombatChunk> chunks;   // scratch, as the rest
    std::vector<Hit> hits;
    std::vector<std::uint32_t> leaving;
    std::vector<std::uint32_t> lying;  // of this frame: the dead, ascending; no flock sees them
};

// A velocity that loses `loss` metres a second.
template <int D>
inline Vec<D> slowed(Vec<D> velocity, float loss) {
    const float speed = norm(velocity);
    return speed > loss ? velocity * ((speed - loss) / speed) : zero_vec<D>();
}

// Gives the groups of [[agents]] their [combat.NAME]. Throws Error naming the key, also of one that nobody
// has.
void set_up_combat(Params& params, const Scene& scene);

// Throws Error for speeds too far apart for one lattice, and ranges beyond sight.
void check_combat_scales(const Params& params, const Scene& scene, const Map* map);

// Takes the dead whose time is over out of the world.
void remove_dead(Frame& frame);

// World::strike.
bool strike_agent(Frame& frame, AgentId id, const Blow& blow);
std::int64_t strike_circle(Frame& frame, Vec3 centre, double radius, const Blow& blow, int group);

// Of the blows that wait for live agents, for the state hash.
std::uint64_t blows_hash(const Frame& frame);

}  // namespace horde
