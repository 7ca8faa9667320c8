// The store of agents: equal-length columns, slots and generations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/executor.h"
#include "base/vec.h"
#include "horde/agents.h"

namespace horde {

// Two buffers of one property. A frame reads `now`; regrouping and moving write `spare` and swap.
template <class T>
struct Column {
    std::vector<T> now;
    std::vector<T> spare;
};

// A property in which the agents of many scenes cannot differ: then it is shared, and one element stands for
// all of them.
template <class T>
class Values {
  public:
    T& operator[](std::int64_t i) { return values_[static_cast<std::size_t>(i) & mask_]; }
    const T& operator[](std::int64_t i) const { return values_[static_cast<std::size_t>(i) & mask_]; }
    bool shared() const { return mask_ == 0; }
    std::vector<T>& own() { return values_; }  // one for each agent, unless shared
    const std::vector<T>& own() const { return values_; }

    // Of an empty store only.
    void share() {
        mask_ = 0;
        values_.assign(1, T{});
    }

  private:
    std::vector<T> values_;
    std::size_t mask_ = ~std::size_t{0};
};

template <class T>
struct SharedColumn {
    Values<T> now;
    Values<T> spare;
};

// Columns as bits, for the stages to declare what they touch.
enum ColumnBit : std::uint32_t {
    kPosition = 1u << 0,
    kVelocity = 1u << 1,
    kAccel = 1u << 2,
    kId = 1u << 3,
    kGoalSet = 1u << 4,
    kGroup = 1u << 5,
    kState = 1u << 6,
    kSpeed = 1u << 7,
    kStall = 1u << 8,
    kProgress = 1u << 9,
    kTouch = 1u << 10,
    kKept = 1u << 11,
    kTier = 1u << 12,
    kHealth = 1u << 13,
    kCombat = 1u << 14,
    kUntil = 1u << 15,
    kReady = 1u << 16,
    kSince = 1u << 17,
    kDrive = 1u << 18,
};

struct Agents {
    int dim = 2;
    std::int64_t count = 0;  // live agents: elements [0, count) of every column

    // Hot. Each axis is a column of its own; z is empty in 2D.
    Column<float> position[3];    // metres from the world's origin, on the position lattice
    Column<float> velocity[3];    // metres a second, on the velocity lattice
    std::vector<float> accel[3];  // m/s2, or what else the rule steers by; of this frame only
    bool keeps_steering = false;  // some agents do not think in every frame, so
    Column<float> kept[3];        // their last steering is a column too: a crowd's desired velocity

    // Warm.
    SharedColumn<std::uint16_t> goal;  // index of a goal set, or kNoGoal
    SharedColumn<std::uint8_t> group;  // index into the scene's [[agents]]
    SharedColumn<AgentState> state;
    SharedColumn<float> speed;  // metres a second, own walking speed
    SharedColumn<float> stall;  // seconds since the agent last came one cell nearer
    // Least integration value so far; of an arrived agent, where it arrived.
    SharedColumn<std::uint64_t> progress;
    bool has_tiers = false;       // once there was a viewpoint
    Column<std::uint8_t> tier;    // a Tier and kSettled
    bool has_combat = false;      // some group fights or can be hurt
    Column<std::int32_t> health;  // points
    Column<CombatState> combat;
    Column<std::uint64_t> until;  // ticks: when attack or stun ends, or a corpse leaves
    Column<std::uint64_t> ready;  // ticks: when it may attack again
    bool has_behaviours = false;
    Column<std::uint64_t> since;      // ticks: when its behaviour began
    std::vector<float> drive[3];      // length 1, or 0 for none; of this frame only
    std::vector<std::uint8_t> touch;  // bits kTouches and kHeld, of this frame only
    bool keeps_touch = true;          // where nobody stays at a goal there is no such column, and all are 0

    // Cold.
    Column<AgentId> id;

    // Slots: the generation that a slot's next (or present) agent has, which slots are free (a min-heap, so
    // that the order in which they were freed leaves no trace), and the sum of their mixes for the state
    // hash.
    std::vector<std::uint32_t> generation;
    std::vector<std::uint32_t> free_slots;
    std::uint64_t free_slots_hash = 0;

    // Index of each slot's agent, for callers between frames. Regrouping makes it worthless; the next call
    // that needs it fills it again, and agents that come and go until then keep it up.
    std::vector<std::uint32_t> index_of_slot;
    bool knows_index = false;
};

// Bits of the tier column. An agent is settled once a frame has steered it; before, it is due in any frame.
inline constexpr std::uint8_t kTierBits = 3;
inline constexpr std::uint8_t kSettled = 4;

// Calls plain(column, bit) or shared(column, bit), for a Column or a SharedColumn, for each double-buffered
// column that the world has: all that agents are between frames.
template <class Plain, class Shared>
void visit_columns(Agents& agents, Plain&& plain, Shared&& shared) {
    for (int k = 0; k < agents.dim; ++k) plain(agents.position[k], kPosition);
    for (int k = 0; k < agents.dim; ++k) plain(agents.velocity[k], kVelocity);
    for (int k = 0; k < agents.dim && agents.keeps_steering; ++k) plain(agents.kept[k], kKept);
    plain(agents.id, kId);
    shared(agents.goal, kGoalSet);
    shared(agents.group, kGroup);
    shared(agents.state, kState);
    shared(agents.speed, kSpeed);
    shared(agents.stall, kStall);
    shared(agents.progress, kProgress);
    if (agents.has_tiers) plain(agents.tier, kTier);
    if (agents.has_combat) {
        plain(agents.health, kHealth);
        plain(agents.combat, kCombat);
        plain(agents.until, kUntil);
        plain(agents.ready, kReady);
    }
    if (agents.has_behaviours) plain(agents.since, kSince);
}

// Does agent i steer, strike and make its way?
inline bool is_free(const Agents& agents, std::int64_t i) {
    return !agents.has_combat || agents.combat.now[i] == CombatState::kFree;
}
inline bool is_dead(const Agents& agents, std::int64_t i) {
    return agents.has_combat && agents.combat.now[i] == CombatState::kDead;
}

// Calls f(values now, spare values, bit), both vectors, for each of them in which agents can differ; all of
// those regroup together.
template <class F>
void for_each_column(Agents& agents, F&& f) {
    visit_columns(
        agents, [&](auto& column, ColumnBit bit) { f(column.now, column.spare, bit); },
        [&](auto& column, ColumnBit bit) {
            if (!column.now.shared()) f(column.now.own(), column.spare.own(), bit);
        });
}

inline std::uint8_t touch_of(const Agents& agents, std::int64_t i) {
    return agents.keeps_touch ? agents.touch[i] : std::uint8_t{0};
}
inline void set_touch(Agents& agents, std::int64_t i, std::uint8_t touches) {
    if (agents.keeps_touch) agents.touch[i] = touches;
}

// Makes room for `capacity` agents in every column. Shrinks nothing.
void reserve_agents(Agents& agents, std::int64_t capacity);

inline std::int64_t capacity_of(const Agents& agents) {
    return static_cast<std::int64_t>(agents.id.now.size());
}

// Gives columns that have just come into use, all zero, the size of the others.
void fit_new_columns(Agents& agents);

// Adds one agent at the end with every column of its own zero but its id, which takes the lowest free slot or
// a new one.
// Returns its index.
std::int64_t add_agent(Agents& agents);

// Fills an empty store with agents of these ids, in their order. Throws Error for an id that comes twice or
// whose slot is kMaxSlots or more.
void add_agents_with_ids(Agents& agents, std::span<const AgentId> ids);
inline constexpr std::uint32_t kMaxSlots = 1u << 27;

// Makes all that is known of slots follow from the ids of the agents, `generation` and the free slots, as a
// file has them. Throws Error unless each slot is either free or that of one agent, in its generation.
void take_slots(Agents& agents);

// Takes out the agents at `indices` (ascending) and frees their slots; the last agents take their places.
void remove_agents(Agents& agents, std::span<const std::uint32_t> indices);

// Gives the agent at `index` the next generation of its slot: a new id.
void renew_id(Agents& agents, std::int64_t index);

// Index of a live agent, or nothing. Constant time but for the first call after a frame, which looks at all.
std::optional<std::int64_t> find_agent(Agents& agents, AgentId id);

template <int D>
inline Vec<D> load(const Column<float> (&column)[3], std::int64_t i) {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = column[k].now[i];
    return v;
}

}  // namespace horde
