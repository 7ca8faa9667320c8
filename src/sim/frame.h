// One frame: what the stages share, the table of stages, and the backends that fill it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/lattice.h"
#include "horde/scene.h"
#include "horde/world.h"
#include "sim/agents.h"
#include "sim/behaviour/behaviour.h"
#include "sim/behaviour/watch.h"
#include "sim/bodies.h"
#include "sim/combat/combat.h"
#include "sim/field/store.h"
#include "sim/grid.h"
#include "sim/ground.h"
#include "sim/land.h"
#include "sim/life/spawner.h"
#include "sim/rules/crowd.h"
#include "sim/rules/rules.h"
#include "sim/schedule.h"
#include "sim/tiers/tiers.h"
#include "sim/trace.h"
#include "sim/view/view.h"

namespace horde {

// What the agents of one [[agents]] have in common, while they have one behaviour.
struct Group {
    RuleKind kind = RuleKind::kCrowd;
    CrowdParams crowd;          // of a crowd
    FlockParams<float> flock;   // of any other kind
    Lattice push;               // of a flock's separation sums
    float speed = 0.0f;         // walking speed, or limit of a flock
    float speed_spread = 0.0f;  // each agent's own is uniform in speed +- this
    std::uint8_t type = 0;
    OnArrival on_arrival = OnArrival::kExit;
    int layer = 0;                 // of the terrain, and the floor of the ground that its bodies move on ...
    double inset = 0.0;            // ... this far inside of what is open there, in cells
    bool any_goal = false;         // draw a goal for each agent from the scene's sets
    std::uint16_t goal = kNoGoal;  // otherwise
    std::uint8_t scene_group = 0;  // index of the [[agents]], and of the group that its agents start in
    std::uint8_t behaviour = kNoBehaviour;
    bool new_goal = false;          // does taking up the behaviour give a goal?
    bool attacks = true;            // those who can
    std::uint8_t watch = kNoWatch;  // that its agents are in
    CombatParams combat;
    DriveParams drive;
    std::vector<TransitionParams> transitions;  // of several that hold the first counts
};

// The scene in the precision of the step. Fixed while a world lives.
struct Params {
    int dim = 2;
    float dt = 0.0f;  // seconds, of the scene
    std::uint64_t seed = 0;
    Vec3 origin;        // world coordinates of the local (0, 0, 0)
    Periodic periodic;  // on: the world repeats
    Periodic wrap;      // on: it only takes back who leaves
    Lattice position;
    Lattice velocity;
    float reach = 1.0f;    // metres, the largest neighbour radius
    float cell = 1.0f;     // metres
    bool any_cell = true;  // may a backend take larger ones?
    Search search = Search::kAuto;
    std::int64_t brute_below = 0;
    std::vector<Group> groups;     // those of [[agents]], then their further behaviours
    std::size_t scene_groups = 0;  // how many are of [[agents]]
    std::vector<WatchParams> watches;
    float max_knockback = 0.0f;     // m/s, the largest of any group
    bool any_stay = false;          // do agents of any group stay where they arrive?
    std::uint16_t scene_goals = 0;  // goal sets of the scene; one more follows if a group goes to the nearest
};

// Counts of a stage, one for each chunk, added up afterwards.
struct StageCounts {
    std::int64_t candidates = 0;
    std::int64_t neighbours = 0;
    std::int64_t dropped = 0;
    std::int64_t stuck = 0;
    std::int64_t stranded = 0;
    std::int64_t pushed_out = 0;
    std::int64_t walled_in = 0;
    std::int64_t changed = 0;            // behaviours
    std::int64_t cut = 0;                // searches that ended at kMostLooks
    std::vector<std::uint32_t> arrived;  // indices
};

// A change of velocity that waits for the next step, in units of the velocity lattice.
struct Push {
    AgentId id;
    std::int64_t units[3];
};

// What a backend keeps from one frame to the next for itself.
struct BackendState {
    virtual ~BackendState() = default;
};

// Everything that a stage sees.
struct Frame {
    Params params;
    std::unique_ptr<Ground> ground;          // nothing without a map
    std::unique_ptr<Land> land;              // likewise
    FieldStore fields;                       // of goal sets, by layer
    std::unique_ptr<Background> background;  // that works for `fields`; nothing: the field stage does it
    std::vector<LayerCosts> layer_costs;     // scratch of the field stage
    Agents agents;
    Tiers tiers;
    std::vector<Watch> watches;
    Combat combat;
    Bodies bodies;
    View view;
    Grid grid;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<Trace> trace;                 // nothing unless the frames are to be traced
    std::unique_ptr<BackendState> backend_state;  // nothing on scalar and threads
    std::vector<StageCounts> counts;
    std::vector<std::uint32_t> arrived;  // of this frame: indices
    std::vector<AgentId> arrivals;       // the ids that they arrived with, ascending
    std::vector<Push> pushes;            // since the last frame, in any order
    std::vector<Spawner> spawners;
    std::vector<Sink> sinks;
    std::uint64_t clock = 0;       // ticks since the start
    std::uint64_t number = 0;      // of the frame that the state belongs to
    float dt = 0.0f;               // of the running step
    std::uint64_t step_ticks = 0;  // likewise, on the clock
    FrameReport report;
};

// The field that leads agents of the group to a goal set, and where its goals are.
inline const GoalField& goal_field(const Frame& frame, std::uint16_t goal, const Group& group) {
    return frame.fields.find(goal, group.layer);
}
inline const Field& field_of(const Frame& frame, std::uint16_t goal, const Group& group) {
    return goal_field(frame, goal, group).field;
}

using StageFn = void (*)(Frame&);

// One function for each stage. A backend starts as a copy of `scalar_backend` and replaces what it does
// better.
struct Backend {
    const char* name;
    StageFn terrain;
    StageFn grid;
    StageFn field;
    StageFn behave;
    StageFn steer;
    StageFn combat;
    StageFn bodies;  // of the room `bodies`, if this build has it
    StageFn move;
    StageFn arrive;
    StageFn tiers;
    StageFn cull;
    StageFn instances;
};

struct Stage {
    const char* name;
    StageFn Backend::*run;
    std::uint32_t reads;  // ColumnBits and SharedBits
    std::uint32_t writes;
    bool (*runs)(const Frame&) = nullptr;  // in this frame? nullptr: in every one
};

// What stages hand on beside columns.
enum SharedBit : std::uint32_t {
    kWatches = 1u << 20,  // Frame::watches
    kNext = 1u << 21,     // the spare buffers of position and velocity
    kBodies = 1u << 22,   // Frame::bodies
    kGround = 1u << 23,   // Frame::land and Frame::ground
    kCells = 1u << 24,    // Frame::grid
    kFields = 1u << 25,   // Frame::fields
    kCounts = 1u << 26,   // Frame::counts, scratch of a stage
    kArrived = 1u << 27,  // Frame::arrived and arrivals
    kVisible = 1u << 28,  // the lists of Frame::view
    kDrawn = 1u << 29,    // its instances
};

// The frame, in order. `arrive` writes every column, since agents come and go there. Stages that touch
// nothing in common may run at the same time.
inline constexpr std::uint32_t kAllColumns = (kDrive << 1) - 1;
inline constexpr std::uint32_t kLastingColumns = kAllColumns & ~(kAccel | kTouch | kDrive);
inline constexpr std::array<Stage, 12> kStages = {{
    {"terrain", &Backend::terrain, kPosition, kGround},
    {"grid", &Backend::grid, kLastingColumns, kLastingColumns | kCells},
    {"field", &Backend::field, kGround, kFields},
    {"behave", &Backend::behave,
     kPosition | kVelocity | kId | kGoalSet | kGroup | kState | kSpeed | kStall | kProgress | kHealth |
         kCombat | kSince | kCells | kFields | kGround,
     kGroup | kSpeed | kGoalSet | kState | kStall | kProgress | kSince | kDrive | kWatches | kCounts,
     [](const Frame& frame) { return frame.agents.has_combat || frame.agents.has_behaviours; }},
    {"steer", &Backend::steer,
     kPosition | kVelocity | kId | kGoalSet | kGroup | kState | kSpeed | kStall | kProgress | kKept | kTier |
         kDrive | kCombat | kWatches | kCells | kFields | kGround,
     kAccel | kTouch | kKept | kTier | kCounts},
    {"combat", &Backend::combat,
     kPosition | kVelocity | kId | kGroup | kHealth | kCombat | kUntil | kReady | kWatches | kGround,
     kVelocity | kHealth | kCombat | kUntil | kReady,
     [](const Frame& frame) { return frame.agents.has_combat; }},
    {"bodies", &Backend::bodies,
     kPosition | kVelocity | kAccel | kId | kGroup | kState | kSpeed | kStall | kTier | kCombat | kCells |
         kGround,
     kNext | kBodies, [](const Frame& frame) { return frame.bodies.on(); }},
    {"move", &Backend::move,
     kPosition | kVelocity | kAccel | kId | kGoalSet | kGroup | kState | kSpeed | kStall | kProgress |
         kTouch | kCombat | kDrive | kFields | kGround | kNext | kBodies,
     kPosition | kVelocity | kState | kStall | kProgress | kCounts | kArrived},
    {"arrive", &Backend::arrive, kAllColumns | kFields | kGround | kArrived,
     kAllColumns | kFields | kArrived | kCounts},
    {"tiers", &Backend::tiers, kPosition | kId | kTier | kCells | kGround, kTier,
     [](const Frame& frame) { return frame.agents.has_tiers; }},
    {"cull", &Backend::cull, kPosition | kId | kGroup | kGround, kVisible,
     [](const Frame& frame) { return frame.view.on; }},
    {"instances", &Backend::instances,
     kPosition | kVelocity | kId | kTier | kGroup | kState | kHealth | kCombat | kUntil | kGround | kVisible,
     kDrawn, [](const Frame& frame) { return frame.view.on; }},
}};

// Runs the table once: the step from `number` to `number + 1`, `dt` seconds long.
void run_frame(Frame& frame, const Backend& backend, double dt);

const Backend& scalar_backend();

// The grid stage, by these loops.
void regroup(Frame& frame, const GridLoops& loops);

// The stages of the scalar backend, which other backends may keep. All of them take their loops to
// `frame.executor`.
void terrain_stage(Frame& frame);
void grid_stage(Frame& frame);
void field_stage(Frame& frame);
void steer_stage(Frame& frame);
void combat_stage(Frame& frame);
void no_bodies(Frame& frame);  // nobody is one
void move_stage(Frame& frame);
void arrive_stage(Frame& frame);
void tiers_stage(Frame& frame);
void cull_stage(Frame& frame);
void instances_stage(Frame& frame);

// Makes `frame.counts` hold a zeroed entry for each chunk, and maybe more of them.
void clear_counts(Frame& frame, std::int64_t count, std::int64_t grain);

// Adds the counts of steering up into the report, and marks all agents as steered.
void end_steering(Frame& frame);

// Sum over live agents of a mix of id and columns, and of what else later frames depend on.
std::uint64_t state_hash(const Frame& frame);

}  // namespace horde
