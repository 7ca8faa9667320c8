/// A scene: everything that a world starts from. Plain data with the defaults in place; files are read and
/// written by `files.h`, and checked as a whole by the constructor of World. Each struct is one table of the
/// file, each member one key of the same name. SI units.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "horde/field.h"
#include "horde/vec.h"

namespace horde {

/// What lies beyond the bounds of a world without a map.
enum class Edge : std::uint8_t {
    kOpen,      ///< nothing: agents may leave the bounds, which only say where they start
    kPeriodic,  ///< the world repeats; offsets are to the nearest image
    kWrap  ///< who leaves by one side comes in by the other, but nobody sees across (the almanac's `_wrap`)
};

/// How neighbours are found. Every choice gives the same neighbours.
enum class Search : std::uint8_t { kAuto, kGrid, kBrute };

enum class OnArrival : std::uint8_t {
    kExit,    ///< the agent leaves the world
    kStay,    ///< it stops; agents of the same goal that it is in the way of have arrived too. Whom walkers
              ///< with other goals push off steps back, or walks and arrives again if it was far
    kRespawn  ///< it leaves, and a new one with the next generation starts at a random free cell
};

enum class SpawnArea : std::uint8_t {
    kFree,  ///< free cells of the map from which the goal can be reached
    kBox    ///< uniform in `box`, or in the world's bounds
};

/// Where a spawner puts its agents.
enum class SpawnPattern : std::uint8_t {
    kBox,     ///< uniform in `box`, or in the whole map or bounds
    kCells,   ///< in one of `cells`, near its centre
    kCircle,  ///< uniform within `radius` of `centre`; a ball in 3D
    kEdge     ///< on the border of `box`, or of the map or bounds
};

enum class ColourBy : std::uint8_t {
    kSpeed,
    kGoal,
    kType,      ///< the dead are grey
    kBehaviour  ///< in the order of the names of [behaviour.NAME]; who has none is grey
};

struct Bounds {
    Vec3 min;
    Vec3 max;
};

/// [world]
struct SceneWorld {
    int dim = 2;              ///< 2 or 3
    double dt = 0.05;         ///< seconds a frame
    std::uint64_t seed = 1;   ///< of every random number
    Edge edge = Edge::kOpen;  ///< "open" | "periodic"
    std::optional<Bounds> bounds =
        {};  ///< [xmin, ymin, xmax, ymax], or six numbers in 3D; with a map, the map's
    std::optional<Vec3> origin =
        {};  ///< where the world's floats are finest; default: the centre of bounds or map
};

/// [map]: at most one of `file`, `rows`, `generate`; none: a world without walls.
struct SceneMap {
    std::string file;               ///< a MovingAI .map, relative to the scene's folder
    std::vector<std::string> rows;  ///< the map itself: '.' cost 1, '1' to '9' that cost, '@' wall
    std::string generate;           ///< "city": made by seed
    int width = 256;                ///< columns of a generated map
    int height = 256;               ///< rows of a generated map
    std::uint64_t seed = 1;         ///< of a generated map
    double cell_size = 1.0;         ///< metres
};

/// [terrain]: heights, and what slopes and crowds add to the cost of a cell. Needs a map.
struct SceneTerrain {
    std::string heights;      ///< a file of heights in metres, a number for each cell, a line for each row
    double hills = 0.0;       ///< m; if not 0: hills so high, made by `seed`
    double hill_size = 30.0;  ///< m, from one hill to the next
    std::uint64_t seed = 1;   ///< of the hills
    /// Rise over run to the steepest of the four cells beside it: below the first limit a cell costs the
    /// first of `slope_costs` more, and so on; from the last limit on it is a wall. Ascending.
    std::vector<double> slope_limits = {0.3, 0.6, 1.0};
    std::vector<double> slope_costs = {0.0, 3.0, 8.0};  ///< whole numbers, 0 to 254, one for each limit
    double density_gain = 0.0;  ///< cost for each agent a square metre in the 3 x 3 cells around; 0: none
    int density_interval = 20;  ///< frames between two counts of the agents
    int density_cap = 60;       ///< most cost that a crowd adds, at most 254
};

/// [[layer]]: what the ground is to a kind of agent.
struct SceneLayer {
    std::string name;
    double clearance = 0.0;         ///< m, half side of the square that these agents take up
    std::map<int, int> costs = {};  ///< cost in this layer by cost in the map, 1 to 254; 255: never enter
};

enum class EditKind : std::uint8_t {
    kWall,   ///< a stamp: walls from `frame` until `until`
    kCost,   ///< a stamp: `cost` more
    kClear,  ///< the map's own cost becomes `cost`
};

/// [[edit]]: a change of the terrain while the world runs.
struct SceneEdit {
    std::int64_t frame = 0;  ///< the first that it is in force in
    EditKind kind = EditKind::kWall;
    std::optional<CellArea> cells = {};  ///< [first column, first row, last column, last row]
    int cost = 1;                        ///< for "cost" and "clear", 1 to 254
    std::int64_t until = 0;              ///< of a stamp: the first frame that it is gone in; 0: it stays
};

/// [[agents]]: one group.
struct SceneAgents {
    std::int64_t count = 0;
    std::string rule = "crowd";  ///< a [rule.NAME], or the name of a built-in rule with its defaults
    int type = 0;                ///< 0 to 255, handed through to files and instances
    SpawnArea spawn = SpawnArea::kFree;
    int agents_per_cell = 1;          ///< most agents that start in one cell ("free")
    std::optional<Bounds> box = {};   ///< for spawn "box"; default: the world's bounds
    double half_side_per_root = 0.0;  ///< m; if not 0: the box is a square (cube) about the origin, its half
                                      ///< side this times the square root of count (cuplan)
    double start_speed = 0.0;         ///< metres a second, heading drawn by seed
    double start_speed_spread = 0.0;  ///< metres a second, each agent's own start speed is uniform in +- this
    double start_component = 0.0;  ///< metres a second; if not 0, instead: each component uniform in +- this
    std::optional<Vec3> start_velocity = {};  ///< metres a second, added to it: a flock that has a heading
    double bound_radius = 2.0;  ///< m from its position that an agent of this type covers when drawn, at any
                                ///< heading and in any frame of its animation; a sphere,
    double bound_height = 0.0;  ///< m; if not 0, an upright box from 0 to here, bound_radius to each side
    std::string goal =
        "any";  ///< "any": drawn by seed; "nearest": all goals in one field; or the number of one
    std::string layer = {};   ///< the name of a [[layer]]; empty: plain costs and no clearance
    std::string combat = {};  ///< the name of a [combat.NAME]; empty: nobody can hurt, stun or knock them
    std::vector<std::string> behaviours = {};  ///< names of [behaviour.NAME], the first that they start with
};

/// [combat.NAME]: how agents fight, and what they stand; not for agents of a vicsek rule, who never stop.
/// Times count from the frame of an attack; who is stunned, knocked back, dead, or strikes for attack_time,
/// does not steer: it slows down by `friction`.
struct SceneCombat {
    std::int64_t health = 100;      ///< points, at the start and at most; 0: cannot be hurt
    std::vector<double> targets{};  ///< indices of the [[agents]] that they attack, each once
    double range = 1.5;  ///< m, inclusive; the nearest target counts, of equal ones that of the least id. On
                         ///< a map, 512 cells at most, and nobody behind a wall nor beyond the nearest 32,
                         ///< unless through_walls
    std::int64_t damage = 10;  ///< points of each attack
    double cooldown = 1.0;     ///< s, from one attack to the next
    double attack_time = 0.3;  ///< s for which an attacker stands
    double splash = 0.0;     ///< m; all targets within it of the one attacked, and in its sight, are hit too
    double knockback = 0.0;  ///< m/s that an attack adds to a target's velocity, away from the attacker
    double stun = 0.0;       ///< s for which an attack stuns
    bool through_walls = false;   ///< may walls stand between?
    double friction = 8.0;        ///< m/s2
    double max_knockback = 10.0;  ///< m/s; a knock makes nobody faster than this; at most 512 times the
                                  ///< largest speed of the slowest rule in use
    double corpse_time = 0.0;  ///< s for which the dead lie there; walkers go round them, flocks do not see
                               ///< them. Then they leave the world
};

/// What a behaviour adds to the rule of its agents (Reynolds, "Steering Behaviors For Autonomous Characters",
/// GDC 1999: pursuit and evasion).
enum class Drive : std::uint8_t {
    kNone,
    kHunt,  ///< towards the nearest agent of group `of` within `radius`; walkers see nobody behind a wall nor
            ///< beyond the nearest 32, and do not arrive while they hunt
    kFlee,  ///< away from it, walkers along walls that are in the way
    kRegroup  ///< towards the centre of the agent's own group from more than `radius` away; in a periodic
              ///< world that of the images nearest to its agent of the least id
};

/// [behaviour.NAME]: a set of rules that agents follow until a [[transition]] gives them another.
struct SceneBehaviour {
    std::string rule = {};  ///< a [rule.NAME] of the kind that the group has; empty: that of the group
    Drive drive = Drive::kNone;
    int of = -1;           ///< index of the [[agents]] that are hunted or fled from
    double radius = 20.0;  ///< m
    double gain =
        1.0;  ///< of the drive: reynolds: m/s2; arcade: times the speed limit; a crowd walks that
              ///< way instead of along its field, also who has arrived or is stranded, unless it is 0
    double lead = 0.0;      ///< s; the place that it will have then counts, at its velocity
    std::string goal = {};  ///< goal set from the transition on, as in [[agents]]; empty: none new
    bool attacks = true;    ///< do they, with a [combat.NAME]?
};

/// [[transition]]: agents with behaviour `from` go on with `to` in the first frame in which all that is asked
/// for holds. Of several that could, the first counts. All agents decide by the same frame. Two that lead to
/// and fro must not both hold at once (distance_below of one at most distance_above of the other, say),
/// unless one of them waits for a time.
struct SceneTransition {
    std::string from;  ///< a behaviour, or "any"
    std::string to;
    int group = -1;                   ///< index of the [[agents]] that distances and neighbours are of
    std::optional<Vec3> target = {};  ///< m; instead: distances are to this place
    double distance_below = 0.0;      ///< m, to the nearest; 0: not asked
    double distance_above = 0.0;      ///< m; 0: not asked. True too where there is nobody
    double health_below = 0.0;        ///< part of the full health, 0 to 1; 0: not asked
    double health_above = 0.0;        ///< likewise
    int neighbours_below = 0;         ///< fewer of the group than this within neighbour_radius; 0: not asked
    int neighbours_above = -1;        ///< more than this; -1: not asked
    double neighbour_radius = 5.0;    ///< m
    double after = 0.0;               ///< s in the behaviour before
};

/// [[spawner]]: agents that come while the world runs. By time t, floor(rate * (t - start)) are due, in whole
/// bursts; a frame adds those that became due in it. One that finds no free place from which its goal can be
/// reached, in 64 draws, or for which the group is full, is given up and counted in
/// FrameReport::spawns_dropped.
struct SceneSpawner {
    int group = 0;      ///< index of their [[agents]], from 0, which says all else of how they start
    double rate = 1.0;  ///< agents a second
    int burst = 1;      ///< come together, burst / rate seconds apart
    SpawnPattern pattern = SpawnPattern::kBox;
    std::optional<Bounds> box = {};             ///< for "box" and "edge"
    std::vector<std::vector<Cell>> cells = {};  ///< for "cells": [column, row] each, or lists of them
    std::optional<Vec3> centre = {};            ///< for "circle"
    double radius = 1.0;                        ///< m, for "circle"
    std::int64_t limit = 10000;                 ///< most agents of the group alive
    double start = 0.0;                         ///< s
    double stop = 0.0;                          ///< s; 0: never
};

/// [[sink]]: agents in the box, its border included, leave the world at the end of a frame.
struct SceneSink {
    std::optional<Bounds> box = {};
    int group = -1;  ///< index of the [[agents]] that leave here; -1: all
};

/// [rule.NAME] with kind = "crowd": walkers who follow a flow field and keep apart.
struct CrowdRule {
    double speed = 1.34;             ///< m/s, walking speed (Weidmann 1993)
    double speed_spread = 0.26;      ///< m/s, each agent's own speed is uniform in speed +- spread
    double max_speed = 2.0;          ///< m/s, no agent is ever faster
    double max_accel = 6.0;          ///< m/s2, by norm
    double tau = 0.5;                ///< s, time to take up the desired velocity
    double radius = 0.25;            ///< m, of the body; two agents touch at the sum of their radii
    double separation_radius = 1.0;  ///< m, agents nearer than this push each other
    double separation_gain = 2.0;    ///< m/s at distance 0, falling with (1 - d/R)^2
    double arrival_radius = 0.5;     ///< m from the centre of a goal cell; inside the cell is arrival too
    double stuck_after = 5.0;        ///< s without coming one cell nearer to the goal
    OnArrival on_arrival = OnArrival::kExit;
    double time_gap =
        0.0;  ///< s; if not 0, no faster than would reach the body ahead in this time, bodies within
              ///< separation_radius and not coming towards it: presses then flow as people do
    bool line_of_sight = false;  ///< go straight to the nearest goal cell that is in sight, over ground of
                                 ///< one cost and within 512 cells, where the field knows no cheaper way
};

/// Which of the agents within the radius count.
enum class NeighbourChoice : std::uint8_t {
    kAll,
    kNearest,  ///< the nearest `max_neighbours`, by squared distance, then id
    kFirst  ///< the first `max_neighbours` that the scan meets: biased, and not the same for other cell sizes
};

/// What agents at one point do to each other.
enum class Coincident : std::uint8_t {
    kSeparate,  ///< part along a direction hashed from both ids, as if at the least distance
    kIgnore     ///< nothing; they stay together until something else parts them
};

/// What the flocking rules have in common: whom an agent sees, and how often it thinks.
struct FlockRule {
    NeighbourChoice neighbours = NeighbourChoice::kAll;
    int max_neighbours = 7;  ///< for "nearest" and "first", 1 to 64
    double half_angle =
        180.0;  ///< degrees of sight to either side of the heading; still agents see all round
    Coincident coincident = Coincident::kSeparate;
    int update_every = 1;                 ///< frames between updates of an agent's steering, staggered by id
    bool separation_every_frame = false;  ///< with update_every: stagger cohesion and alignment only
    double speed_limit_spread = 0.0;      ///< m/s, each agent's own limit is uniform in limit +- this
};

/// kind = "reynolds": separation, cohesion and alignment as accelerations (Reynolds 1987, with the gains of
/// cuplan's FlockingParams).
struct ReynoldsRule : FlockRule {
    double perception_radius = 8.0;    ///< m, inclusive
    double separation_distance = 1.5;  ///< m, exclusive; only inside the perception radius
    double separation_gain = 6.0;      ///< times -offset / d^2, summed
    double cohesion_gain = 1.2;        ///< times the mean offset of the neighbours
    double alignment_gain = 2.5;       ///< times their mean velocity relative to the agent's
    double max_accel = 4.0;            ///< m/s2, by norm
    double max_speed = 2.5;            ///< m/s, by norm
};

/// kind = "arcade": the same three as velocities, each limited, and a move toward their sum (the almanac's
/// boid; its lengths are pixels).
struct ArcadeRule : FlockRule {
    double neighbour_radius = 60.0;
    double max_speed = 180.0;
    double max_force = 600.0;  ///< most change of velocity in a second
    double cohesion_weight = 1.0;
    double alignment_weight = 1.2;
    double separation_weight = 1.6;
    double hold_speed = 1.0;  ///< a desired velocity shorter than this is no wish: the agent keeps its own
};

/// kind = "vicsek": constant speed, the mean heading of the neighbours and one's own, and noise (Vicsek et
/// al., PRL 75, 1226, 1995).
struct VicsekRule : FlockRule {
    double radius = 1.0;
    double speed = 0.03;  ///< m/s
    double noise =
        0.1;  ///< radians, eta: uniform in +- eta/2 (2D), or on the cap of half angle eta/2 (3D); 0 to 2 pi
};

using Rule = std::variant<CrowdRule, ReynoldsRule, ArcadeRule, VicsekRule>;

/// "crowd", "reynolds", "arcade", "vicsek", in the order of the alternatives of Rule.
inline constexpr const char* kRuleKinds[] = {"crowd", "reynolds", "arcade", "vicsek"};

/// [grid]
struct SceneGrid {
    Search search = Search::kAuto;
    double cell = 0.0;  ///< metres; 0: the largest neighbour radius
    std::int64_t brute_below =
        32;  ///< "auto" compares all pairs below so many agents (`horde bench crossover`)
};

/// [field]
struct SceneField {
    int goals = 0;  ///< draw so many goal cells by seed from the largest connected part, or all of its cells
    std::vector<std::vector<Cell>>
        goal_sets;  ///< or name them: key `goal_cells`, a list of lists of [column, row]
    bool snap_goals =
        false;  ///< a goal in a wall stands for the nearest free cell, instead of being an error
    std::vector<double> follow = {};  ///< by goal set: the id of the agent that its goal follows, or -1
    double goal_interval = 0.5;  ///< s, least time between two moves of a goal set in its fields, counted in
                                 ///< frames of the scene's dt, also where steps of another are made
    std::int64_t field_cells_per_frame =
        32768;  ///< a field asked for in frame f goes live in f + max(1, ceil(cells of the map / this))
    std::int64_t cache_bytes = std::int64_t{1} << 30;  ///< of fields that are kept; 5 a cell of each. One
                                                       ///< that is made anew takes as much again meanwhile
};

/// [tiers]: levels of detail by distance to the nearest viewpoint. Off while there is no viewpoint.
struct SceneTiers {
    std::vector<Vec3> viewpoints;      ///< m, of the start; see World::set_viewpoints
    double near_promote = 20.0;        ///< m; a middle agent nearer than this becomes near
    double near_demote = 25.0;         ///< m; a near agent farther than this becomes middle
    double middle_promote = 50.0;      ///< m; a far agent nearer than this becomes middle
    double middle_demote = 55.0;       ///< m; a middle agent farther than this becomes far
    std::int64_t max_near = 300;       ///< near agents at once
    std::int64_t max_promotions = 10;  ///< to near, in a frame; the rest waits
    std::int64_t max_demotions = 10;   ///< from near, in a frame; the rest waits
    int far_every = 1;                 ///< frames between updates of a far agent's steering, staggered by id
    int middle_every = 1;              ///< of a middle agent's
    int near_every = 1;                ///< of a near agent's
    bool far_separation = true;        ///< do far walkers keep apart? (crowds; flocks always do)
    bool middle_separation = true;     ///< do middle walkers?
};

/// Who is a solid body: nobody, agents of the tier near, or everybody.
enum class Physics : std::uint8_t { kOff, kNear, kAll };

/// [bodies]: agents as circles of the physics library Box2D. They touch each other and the walls of the map
/// and cannot pass through either. In 2D, and not in a periodic world; all have the same density.
struct SceneBodies {
    Physics physics = Physics::kOff;
    double radius = 0.25;         ///< m; of agents whose rule has no radius of its own
    double restitution = 0.0;     ///< 0: they do not bounce, 1: like billiard balls
    double friction = 0.0;        ///< Coulomb's, of bodies and walls
    int velocity_iterations = 8;  ///< of the solver; more is stiffer and slower
    int position_iterations = 3;  ///< likewise, against what overlaps
};

/// [view]: how pictures are drawn.
struct SceneView {
    ColourBy colour = ColourBy::kSpeed;
    int width = 1600;     ///< pixels, of the longer side
    double trails = 0.0;  ///< s; if not 0, agents trail the way that they came in this time, in the colours
                          ///< of then; of more than 5,000 agents those of rare types alone
};

struct Scene {
    std::string name = "scene";  ///< the file's name without its ending
    std::string folder = ".";    ///< that `map.file` is relative to; not a key
    /// Where keys were read: "agents[1].layer" or "agents[1]" to "file:line". Not a key; World names the
    /// place in what it refuses.
    std::map<std::string, std::string> places;
    SceneWorld world;
    SceneMap map;
    SceneTerrain terrain;
    std::vector<SceneLayer> layers;  ///< `[[layer]]`
    std::vector<SceneAgents> agents;
    std::vector<SceneSpawner> spawners;
    std::vector<SceneSink> sinks;
    std::map<std::string, Rule> rules;                 ///< by NAME
    std::map<std::string, SceneCombat> combat;         ///< likewise
    std::map<std::string, SceneBehaviour> behaviours;  ///< likewise
    std::vector<SceneTransition> transitions;          ///< `[[transition]]`
    SceneGrid grid;
    SceneField field;
    std::vector<SceneEdit> edits;  ///< `[[edit]]`
    SceneTiers tiers;
    SceneBodies bodies;
    SceneView view;
    /// The map itself and the heights of its cells, in place of those that `map` and `terrain` name. No keys.
    std::optional<Map> given_map;
    std::vector<float> given_heights;
};

/// The map of a scene: loaded, parsed from its rows or generated; nullopt if it has none. Throws Error.
std::optional<Map> make_map(const Scene& scene);

/// Heights in metres at the centre of each cell of the scene's map, row-major: read or generated; empty if
/// the scene has none. Throws Error.
std::vector<float> make_heights(const Scene& scene, const Map& map);

/// A city of streets, blocks, squares, parks (cost 3), a river and bridges; every free cell is reachable from
/// every other. Sides 32 to kMaxMapSide, else Error. The same arguments give the same map everywhere.
Map generate_city(int columns, int rows, std::uint64_t seed, double cell_size);

/// Rolling hills over the cells of a map, in metres between 0 and `height`; hills are about `size` metres
/// apart. The same arguments give the same hills everywhere.
std::vector<float> generate_hills(const Map& map, double height, double size, std::uint64_t seed);

}  // namespace horde
