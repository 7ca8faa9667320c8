/// Agents as the outside sees them: ids, states and rows in id order.
#pragma once

#include <cstdint>
#include <vector>

#include "horde/vec.h"

namespace horde {

/// Names one agent for as long as a world lives: a 32-bit generation above a 32-bit slot. Slots are used
/// again, ids are not: a respawned agent keeps its slot and gets the next generation. The first agents have
/// generation 0, so their ids are 0, 1, 2, ...
using AgentId = std::uint64_t;

enum class AgentState : std::uint8_t {
    kWalking,  ///< has a goal that can be reached, or none at all
    kArrived,  ///< reached its goal and stays there
    kStuck,    ///< has not come one cell nearer to its goal within `stuck_after`
    kStranded  ///< no way leads from here to its goal; keeps still
};

/// What fighting has made of an agent. Only who is kFree steers; all others slow down
/// (SceneCombat::friction).
enum class CombatState : std::uint8_t {
    kFree,
    kAttacking,    ///< stands and strikes, for attack_time
    kStunned,      ///< for the time of the stun
    kKnockedBack,  ///< as long as friction needs to stop it; who is stopped sooner is stunned for the rest
    kDead          ///< lies there for corpse_time
};

/// Level of detail of an agent, by its distance to the nearest viewpoint (World::set_viewpoints).
enum class Tier : std::uint8_t { kFar, kMiddle, kNear };

/// An agent that changed its tier, always by one.
struct TierEvent {
    AgentId id = 0;
    Tier from = Tier::kFar;
    Tier to = Tier::kFar;

    bool promoted() const { return to > from; }
    bool operator==(const TierEvent&) const = default;
};

/// Stands for the walls where a contact names two.
inline constexpr AgentId kWallContact = ~AgentId{0};

/// Two solid bodies that began or ceased to touch: a < b, or an agent and kWallContact.
struct ContactEvent {
    AgentId a = 0;
    AgentId b = 0;
    bool begins = false;

    bool operator==(const ContactEvent&) const = default;
};

inline constexpr std::uint16_t kNoGoal = 0xffff;
inline constexpr std::uint8_t kNoBehaviour = 0xff;

/// One agent, see World::find.
struct AgentInfo {
    AgentId id = 0;
    Vec3 position = {};  ///< metres, world coordinates
    Vec3 velocity = {};  ///< metres a second
    int group = 0;       ///< index into the scene's [[agents]]
    std::uint8_t type = 0;
    std::uint16_t goal = kNoGoal;
    AgentState state = AgentState::kWalking;
    Tier tier = Tier::kFar;
    CombatState combat = CombatState::kFree;
    std::int32_t health = 0;  ///< points; 0 too where its group has none
    std::uint8_t behaviour = kNoBehaviour;
};

/// A copy of the agents of one frame, in ascending order of id. All vectors up to `state` have `count()`
/// elements.
struct Snapshot {
    std::uint64_t frame = 0;  ///< 0 is the start
    double time = 0.0;        ///< seconds since the start
    int dim = 2;              ///< 2 or 3; z is 0 in 2D
    std::vector<AgentId> id;
    std::vector<Vec3> position;       ///< metres, world coordinates
    std::vector<Vec3> velocity;       ///< metres a second
    std::vector<std::uint16_t> goal;  ///< index of the goal set, kNoGoal if none
    std::vector<std::uint8_t> type;   ///< as in the scene's [[agents]]
    std::vector<AgentState> state;
    std::vector<Tier> tier;               ///< empty unless the world has had a viewpoint
    std::vector<CombatState> combat;      ///< empty unless a group has a [combat.NAME]
    std::vector<std::int32_t> health;     ///< points; likewise
    std::vector<std::uint8_t> behaviour;  ///< in the order of the names of [behaviour.NAME], kNoBehaviour if
                                          ///< none; empty unless a group has behaviours

    std::size_t count() const { return id.size(); }
};

}  // namespace horde
