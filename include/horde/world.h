/// A world: agents, their map and fields, and the frame that moves them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "horde/agents.h"
#include "horde/field.h"
#include "horde/render.h"
#include "horde/scene.h"
#include "horde/trace.h"

namespace horde {

/// kDouble runs the rules reynolds, arcade and vicsek without a map, sums over neighbours in ascending id
/// with NumPy's operations, and exists to meet published references; agents cannot come or go. Its hashes are
/// its own.
enum class Precision : std::uint8_t { kFloat, kDouble };

/// How a world computes. Every choice but the precision gives the same state hash.
struct WorldOptions {
    std::string backend = "auto";  ///< one of backends()
    int threads = 0;               ///< 0: all cores; ignored by "scalar"
    std::int64_t grain = 0;  ///< agents in a chunk of a parallel loop; 0: by their number and the threads
    Precision precision = Precision::kFloat;
    bool trace = false;  ///< record who works when, see World::trace
    const Snapshot* start =
        nullptr;  ///< ids, positions and velocities instead of the scene's spawning; borrowed
};

struct StageTime {
    const char* name;  ///< as in the table of stages, see docs/tour.md
    double us;         ///< microseconds
};

/// What one frame did. Counts are of this frame unless they say otherwise.
struct FrameReport {
    std::uint64_t frame = 0;    ///< number of the frame that the step led to
    std::int64_t agents = 0;    ///< in the world after the step, the dead that lie there among them
    std::int64_t capacity = 0;  ///< agents that fit in memory before it grows, see World::reserve
    std::vector<StageTime> stages;
    double frame_us = 0.0;
    double busy = 1.0;  ///< part of the threads' time that went into chunks of work, 0 to 1; of one thread 1
    std::int64_t candidates =
        0;  ///< agents in visited cells, self included; may differ by backend and search
    std::int64_t neighbours = 0;  ///< pairs within the radius, counted from each side
    std::int64_t cells_occupied = 0;
    double agents_per_cell_mean = 0.0;  ///< over occupied cells
    std::int64_t agents_per_cell_max = 0;
    std::int64_t drops = 0;          ///< neighbours that `max_neighbours` of choice "first" left out
    std::int64_t arrived = 0;        ///< agents that arrived
    std::int64_t arrived_total = 0;  ///< since the start
    std::int64_t stuck = 0;          ///< agents in state kStuck
    std::int64_t stranded = 0;       ///< agents in state kStranded
    std::int64_t pushed_out = 0;     ///< agents that stood in a wall, or partly in one, and were taken out
    std::int64_t walled_in = 0;  ///< agents that stand in one still: no free cell is left for their bodies
    std::int64_t field_repairs = 0;   ///< fields that went live, repaired after an edit
    std::int64_t field_builds = 0;    ///< and built anew, for new goals or after an edit that changed much
    std::int64_t fields_late = 0;     ///< of both: not ready when due, so that the frame waited
    std::int64_t fields_waiting = 0;  ///< that agents want, but field.cache_bytes has no room for: raise it
    std::int64_t spawned = 0;         ///< agents that spawners added
    std::int64_t spawns_dropped = 0;  ///< agents that were due and gave up: group full, or no place
    std::int64_t sunk = 0;            ///< agents that left in sinks
    std::int64_t changed_behaviour = 0;  ///< agents that took up another
    std::int64_t attacks = 0;
    std::int64_t hits = 0;          ///< of attacks and strikes on those who can be struck
    std::int64_t damage = 0;        ///< points that they took, of what was left of them
    std::int64_t searches_cut = 0;  ///< agents that saw none of the 32 nearest targets for walls, and looked
                                    ///< no farther
    std::int64_t died = 0;          ///< agents that died
    std::int64_t died_total = 0;    ///< since the start
    std::int64_t stunned = 0;       ///< agents in these states after the step
    std::int64_t knocked_back = 0;
    std::int64_t dead = 0;
    std::int64_t far = 0;  ///< agents in each tier; all 0 while tiers are off
    std::int64_t middle = 0;
    std::int64_t near = 0;
    std::int64_t promotions_deferred = 0;  ///< middle agents within tiers.near_promote that had to stay:
                                           ///< raise tiers.max_promotions or tiers.max_near
    std::int64_t demotions_deferred = 0;  ///< near agents beyond tiers.near_demote: raise tiers.max_demotions
    std::int64_t bodies = 0;              ///< agents that were solid bodies in this step
    std::int64_t bodiless = 0;    ///< agents that would be but stood in a wall, had waited for three times
                                  ///< stuck_after (no two hold each other for ever), or were too fast: more
                                  ///< than a cell or two to four radii of the largest body in a frame
    std::int64_t contacts = 0;    ///< pairs of bodies, and bodies at a wall, that touched in it
    std::int64_t visible = 0;     ///< agents that the camera sees, or whose shadow it may; 0 without a camera
    std::int64_t not_finite = 0;  ///< agents whose position is no number: never visible; a bug of the rules
    std::int64_t instances_dropped = 0;  ///< that did not fit ViewOptions::packet_buffer or matrix_buffer
    double field_us = 0.0;  ///< that the frame spent on fields (all of them, at the start), waiting included;
                            ///< with more than one thread most of the work goes on beside the frame
};

/// What `verify` compared.
struct VerifyReport {
    AgentId id = 0;
    std::int64_t neighbours = 0;
    std::int64_t grid_candidates = 0;
    std::int64_t brute_candidates = 0;
    bool equal = true;  ///< the two sets of neighbours
};

/// Can a goal set be reached by the agents of a group?
enum class GoalState : std::uint8_t {
    kReachable,    ///< by some of its agents, or it has none
    kUnreachable,  ///< no way leads there from where its agents are; they keep still
    kEnclosed,     ///< each goal is a free cell with blocked ones on all four sides
    kInWall,       ///< every goal lies in a wall, or too close to one for the group's clearance
    kNoField       ///< there is none yet: see FrameReport::fields_waiting
};

/// What goal_status tells.
struct GoalStatus {
    GoalState state = GoalState::kReachable;
    std::int64_t agents = 0;    ///< of the group, bound for the set
    std::int64_t stranded = 0;  ///< of these: no way leads from where they are; they keep still
    std::uint32_t version = 0;  ///< of the field that they follow: 0 at the start, one more with each new one
    bool pending = false;       ///< is a newer field being made?
};

/// What World::strike does to an agent. Members left alone do nothing.
struct Blow {
    std::int64_t damage = 0;  ///< points, 0 to 1e9
    std::int64_t heal = 0;    ///< likewise; beyond its full health nobody is healed
    double stun = 0.0;        ///< s, 0 to 1e6; the longest of several counts
    Vec3 knock = {};          ///< m/s, added to its velocity; z only in 3D
    double knockback = 0.0;   ///< m/s away from the centre, of a strike within a circle; less than 0 pulls
};

/// A new agent. Fields left alone take what a group of the scene would.
struct NewAgent {
    Vec3 position = {};
    Vec3 velocity = {};
    int group = 0;                 ///< index into the scene's [[agents]]
    std::uint16_t goal = kNoGoal;  ///< index of a goal set
};

class World {
  public:
    /// Builds map and fields and spawns the agents. Throws Error for a scene, a start or an option that
    /// cannot be.
    explicit World(const Scene& scene, const WorldOptions& options = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    /// One frame of the scene's dt, or of `dt` seconds (more than 0, at most 10).
    void step();
    void step(double dt);

    /// The same beside the caller: `start_step` hands the frame to a thread of the world's own and returns at
    /// once, `finish_step` waits for it. Between the two every call about agents, map, fields or frames
    /// throws Error, and nothing that the world lent may be read. A frame that was started is finished by the
    /// destructor. `finish_step` without a start is an Error.
    void start_step();
    void start_step(double dt);
    void finish_step();
    bool is_stepping() const;

    /// With WorldOptions::trace: what every thread did so far, by track, then by begin; at most 4 million
    /// slices a thread.
    std::vector<TraceSlice> trace() const;
    /// Slices that were left out for that limit.
    std::int64_t trace_dropped() const;

    /// Writes all of the world to a file, from which `load` makes one that goes on as this one would: its scene
    /// and map, its agents, and all that later frames depend on. The file stands alone, is written beside its
    /// name and renamed, and is on the disk when this returns. The camera and its bounds are no part of a world.
    /// Throws Error, and leaves an older file of that name as it was, if it cannot be written.
    void save(const std::string& path) const;
    /// The world of such a file: in every later frame its hash, report and events are those that the saved one
    /// would have had, whatever the backend and the threads of either. Scene, precision and agents are the
    /// file's: `precision` is not looked at, and a `start` is refused. Throws Error, naming the file, for one
    /// that is cut off, damaged, of a newer format or no save at all, and for one with bodies where this build
    /// has none. A file makes this take no more memory than it is long, but for what its scene asks for.
    static World load(const std::string& path, const WorldOptions& options = {});
    Precision precision() const;
    /// As it was made from, but for the lines of its file.
    const Scene& scene() const;

    /// From now on writes down what is done to the world: every step, and every call that later frames depend
    /// on, with the frame that it came in, behind the world as it is now; and the state hash of every frame
    /// whose number is a multiple of `every`. `replay` does the same again. The file grows as the world goes
    /// on, so that what a killed program has written can be replayed; a file of that name is replaced at once.
    /// Calls that throw or find nobody are not written down. Throws Error if `every` is less than 1 or the
    /// file cannot be written; a later call may throw for that too: then it was done, but recording has ended.
    void record(const std::string& path, std::int64_t every = 10);
    /// Ends the recording with the hash of the present frame; does nothing if there is none. A log that nobody
    /// has stopped ends with the last hash before that. Throws Error if it cannot be written.
    void stop_recording();
    bool is_recording() const;

    const FrameReport& report() const;
    /// Who arrived in the last step, in ascending order of id: the ids that they arrived with, also of those
    /// that left the world or started again. Valid until the next step. An agent that was pushed far off its
    /// goal, or whose goal moved, can arrive again.
    std::span<const AgentId> arrivals() const;
    std::uint64_t frame() const;
    double time() const;  ///< seconds since the start
    std::int64_t agent_count() const;

    /// Sum over agents of a mix of id and every column that influences later frames, plus frame and seed
    /// (design: "One answer"). Equal worlds have equal hashes whatever backend, threads, search or cell size.
    /// What stamps there are is in it, not the ids that were handed out for them.
    std::uint64_t state_hash() const;

    /// Copies the live agents, in order of id, into `out`, whose memory is used again.
    void snapshot(Snapshot& out) const;

    /// The agent of that id as it is now; nothing if there is none. Constant time but for the first call
    /// after a step, which looks at all agents.
    std::optional<AgentInfo> find(AgentId id);

    /// Adds an agent for the next frame. Throws Error for a position that is not finite or in a wall, a speed
    /// that is not finite, or an unknown group or goal. Amortised constant time.
    AgentId spawn(const NewAgent& agent);
    /// Takes an agent out; false if there is none of that id.
    bool despawn(AgentId id);

    /// Edits of the map while the world runs; in force with the next step, and all at once. Agents that a
    /// wall is put on leave it in that step; fields follow. Each throws Error if there is no map, or an area
    /// or a cell lies outside it.
    ///
    /// A stamp is a wall (cost kWallCost) or adds 1 to 254 to the cost of its cells until it is taken away.
    /// Stamps may overlap, and go in any order. A cell that is named twice counts once.
    StampId stamp(const CellArea& area, int cost = kWallCost);
    StampId stamp(std::span<const Cell> cells, int cost = kWallCost);
    /// Throws Error if there is no stamp of that id, or if it is that of an [[edit]] of the scene.
    void unstamp(StampId id);
    /// What the map itself costs there from now on, below all stamps: 1 to 254, or kWallCost.
    void set_cost(const CellArea& area, int cost);

    /// Where the goals of a set are from now on; may be called in every frame. Fields follow at most every
    /// `goal_interval`, and the one before serves until the new one is ready. Ends a `follow`. Throws Error
    /// for an unknown set, no cells, and cells outside the map or, without `snap_goals`, in a wall as edited
    /// so far.
    void set_goal(std::size_t goal_set, std::span<const Cell> cells);
    /// The same with the cell that the agent is in, for as long as it lives, and with the one that starts in
    /// its place if it arrives and respawns. Throws Error for an unknown set or id.
    void follow(std::size_t goal_set, AgentId id);
    /// How the agents of a group of the scene stand to a goal set. Counts agents: linear time. Throws Error
    /// for an unknown set or group.
    GoalStatus goal_status(std::size_t goal_set, int group = 0) const;

    /// Height of the ground in metres, bilinear between the centres of cells and level beyond the outermost;
    /// 0 in a scene without heights. Throws Error for a place that is not finite.
    double height_at(double x, double y) const;

    /// Puts an agent somewhere else, at once, with its velocity; it counts its progress from there. In a
    /// wall, or too near to one for its body, it goes to the nearest place that is free (equal ones by the
    /// index of the cell). Returns where it is now; nothing if there is none of that id. Throws Error, naming
    /// the agent, for a position that is not finite or outside the map, or if the map has no free cell at
    /// all.
    std::optional<Vec3> teleport(AgentId id, Vec3 position);

    /// Adds to an agent's velocity at the start of the next step, which then steers, limits and stops it at
    /// walls as ever: its speed limit (crowd: max_speed) cuts the sum of all pushes, and a vicsek agent only
    /// turns its neighbours. Pushes may come in any order. A change of more than 8192 times the largest speed
    /// of the scene counts as that. False if there is none of that id; throws Error, naming the agent, if it
    /// is not finite.
    bool push(AgentId id, Vec3 change);
    /// Pushes every agent within `radius` of the centre straight away from it: by `speed` (m/s) at the
    /// centre, falling evenly to nothing at the radius; drawn by id if it stands on the centre. Less than 0
    /// pulls. Returns how many. Throws Error for what is not finite, or a radius that is not more than 0.
    std::int64_t push(Vec3 centre, double radius, double speed);

    /// Damages, heals, stuns or knocks back an agent, in the next step and together with all that befalls it
    /// in that: healing and damage are summed before anybody dies, so strikes may come in any order. What
    /// its group has no [combat.NAME] for is refused: false, as for an unknown id or a dead agent. Throws
    /// Error for a blow out of range and in a scene in which nobody can be struck.
    bool strike(AgentId id, const Blow& blow);
    /// The same for every agent, or those of one group of the scene, within `radius` metres of the centre; in
    /// a periodic world of its nearest image. Walls do not shield. Returns how many.
    std::int64_t strike(Vec3 centre, double radius, const Blow& blow, int group = -1);
    /// Who died in the last step, in ascending order of id. Valid until the next step.
    std::span<const AgentId> deaths() const;
    /// Where they died, in the same order: metres, world coordinates; z is 0 in 2D.
    std::span<const Vec3> death_places() const;

    /// Makes room for so many agents, so that their columns need not grow. Takes nothing away. Throws Error
    /// beyond 2^27.
    void reserve(std::int64_t agents);
    /// Agents that fit before memory grows.
    std::int64_t capacity() const;

    /// Sets the points, world coordinates in metres, whose nearest decides an agent's tier; the next step
    /// uses them. In 2D z counts where the ground has heights (agents stand on it, see height_at), else not;
    /// in a periodic world the nearest image does. They are inputs of the simulation: later frames depend on
    /// them, and the state hash with those. Without one, tiers are off: all agents are steered in every
    /// frame, and those above far go back one tier a frame, within the caps. Throws Error for a point that is
    /// not finite or farther than 1e15 m, for more than 1024, and in double precision.
    ///
    /// The rules are those of [tiers] (SceneTiers), applied after agents have moved. Everyone starts far and
    /// changes by at most one tier a frame. Demotions from near come first, farthest first; then promotions
    /// to near, nearest first; ties by id. Where near is full, a candidate takes the place of the farthest
    /// near agent if it is nearer by more than near_demote - near_promote; the swap counts as one of each.
    void set_viewpoints(std::span<const Vec3> points);
    const std::vector<Vec3>& viewpoints() const;
    /// Who changed tier in the last step: demotions from and promotions to near in the order in which they
    /// were decided, then the others by id. An agent that leaves the world leaves its tier without an event.
    const std::vector<TierEvent>& tier_events() const;

    /// Which solid bodies began and ceased to touch in the last step, ascending by a, then b. Who leaves
    /// the world, or is no body any more, ceases to touch. Valid until the next step.
    std::span<const ContactEvent> contact_events() const;

    /// From the next step on, the stages `cull` and `instances` list who is in sight and what to draw of
    /// them, after agents have moved. A camera changes nothing in the world: it is in no hash. Throws Error
    /// for a camera that cannot be, and in double precision.
    void set_camera(const Camera& camera, const ViewOptions& options = {});
    void clear_camera();
    /// What agents of a type, 0 to 255, can cover, instead of the scene's bound_radius and bound_height.
    /// Throws Error for bounds that are negative or not within 1e6 m.
    void set_bounds(int type, const TypeBounds& bounds);
    /// Runs the two stages again, on the world as it is: after a camera moved between two steps.
    void refresh_view();
    /// The agents of a type in sight, in order of id, and what to draw of each, in the same order. Empty
    /// without a camera and for types that no group has. Until the next step, refresh_view or change of
    /// agents.
    std::span<const AgentId> visible(int type) const;
    std::span<const InstancePacket> packets(int type) const;
    std::span<const InstanceMatrix> matrices(int type) const;
    std::span<const InstanceState> instance_states(int type) const;
    /// World coordinates of the point that instances are given from.
    Vec3 origin() const;

    /// Gathers the neighbours of one agent, drawn by frame, by grid and by brute force: sorts the agents as
    /// the next step will, which changes no state.
    VerifyReport verify();

    const Map* map() const;              ///< with the costs as of the last step; nullptr without one
    std::size_t goal_set_count() const;  ///< of the scene's goals; "nearest" adds one that holds them all
    /// The field that agents of the default layer follow now. Valid until the next step.
    const Field& field(std::size_t goal_set) const;

    double neighbour_radius() const;  ///< metres, the largest of the scene's groups; 0 without any

    const std::string& backend() const;  ///< the one chosen
    int threads() const;

  private:
    struct Impl;
    explicit World(std::unique_ptr<Impl> impl);
    friend World load_bytes(std::string_view bytes, const std::string& name, const WorldOptions& options);
    std::unique_ptr<Impl> impl_;
};

/// Where a run may go on that has saved to `path`, or in turn to `path`.0 and `path`.1: the one of these files
/// that is whole and was written last. Throws Error if there is none, saying what is wrong with the first.
std::string newest_save(const std::string& path);

/// What replaying a log has shown.
struct ReplayReport {
    std::uint64_t first_frame = 0;  ///< that the log begins with
    std::uint64_t last_frame = 0;   ///< that was reached
    std::int64_t inputs = 0;        ///< that were done again, steps among them
    std::int64_t hashes = 0;        ///< that were compared
    bool complete = false;  ///< false: the log has no end, since the run was cut off, or a hash differs
    bool differs = false;
    std::uint64_t last_equal = 0;       ///< the last frame that was compared and equal; at first the first one
    std::uint64_t first_different = 0;  ///< if `differs`: the first that was compared and is not, where replay
                                        ///< stopped; what went wrong did so after last_equal
    std::uint64_t recorded = 0;         ///< likewise: its hash in the log
    std::uint64_t found = 0;            ///< and here
    std::int64_t agents = 0;            ///< at the end
    std::uint64_t state_hash = 0;       ///< likewise
};

/// Does again what World::record has written down, and compares the hashes. Options as for World::load. Throws
/// Error, naming the file, for one that is no log, is damaged, or holds what cannot be done; one that ends
/// within a record is replayed up to it.
ReplayReport replay(const std::string& path, const WorldOptions& options = {});

/// Backends of this build that this machine can run, "auto" not among them.
std::vector<std::string> backends();

/// Lane widths that the backend "simd" has here, widest first; without it {1}. The environment variable
/// HORDE_LANES makes it take one that is not the widest: another in it is an Error when a World is made.
std::vector<int> lane_widths();

const char* version();      ///< "0.1.0"
const char* compiler();     ///< that built the library, with its version
const char* build_flags();  ///< that it was built with

}  // namespace horde
