/// A scene: everything that a world starts from. Plain data with the defaults in place; files are read and
/// written by `files.h`, and checked as a whole by the constructor of World. Each struct is one table of the file,
/// each member one key of the same name. SI units.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "horde/field.h"
#include "horde/vec.h"

namespace horde {

/// What lies beyond the bounds of a world without a map.
enum class Edge : std::uint8_t {
    kOpen,     ///< nothing: agents may leave the bounds, which only say where they start
    kPeriodic  ///< the world repeats; offsets are to the nearest image
};

/// How neighbours are found. Every choice gives the same neighbours.
enum class Search : std::uint8_t { kAuto, kGrid, kBrute };

enum class OnArrival : std::uint8_t {
    kExit,    ///< the agent leaves the world
    kStay,    ///< it stops; agents of the same goal that touch it have arrived too
    kRespawn  ///< it leaves, and a new one with the next generation starts at a random free cell
};

enum class SpawnArea : std::uint8_t {
    kFree,  ///< free cells of the map from which the goal can be reached
    kBox    ///< uniform in `box`, or in the world's bounds
};

enum class ColourBy : std::uint8_t { kSpeed, kGoal };

struct Bounds {
    Vec3 min;
    Vec3 max;
};

/// [world]
struct SceneWorld {
    int dim = 2;                   ///< 2 or 3
    double dt = 0.05;              ///< seconds a frame
    std::uint64_t seed = 1;        ///< of every random number
    Edge edge = Edge::kOpen;       ///< "open" | "periodic"
    std::optional<Bounds> bounds = {};  ///< [xmin, ymin, xmax, ymax], or six numbers in 3D; with a map, the map's
    std::optional<Vec3> origin = {};    ///< where the world's floats are finest; default: the centre of bounds or map
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

/// [[agents]]: one group.
struct SceneAgents {
    std::int64_t count = 0;
    std::string rule = "crowd";  ///< a [rule.NAME], or the name of a built-in rule with its defaults
    int type = 0;                ///< 0 to 255, handed through to files and instances
    SpawnArea spawn = SpawnArea::kFree;
    int agents_per_cell = 1;     ///< most agents that start in one cell ("free")
    std::optional<Bounds> box = {};   ///< for spawn "box"; default: the world's bounds
    double start_speed = 0.0;    ///< metres a second, heading drawn by seed
    std::string goal = "any";    ///< "any": drawn by seed; "nearest": all goals in one field; or the number of one
};

/// [rule.NAME] with kind = "crowd": walkers who follow a flow field and keep apart.
struct CrowdRule {
    double speed = 1.34;              ///< m/s, walking speed (Weidmann 1993)
    double speed_spread = 0.26;       ///< m/s, each agent's own speed is uniform in speed +- spread
    double max_speed = 2.0;           ///< m/s, no agent is ever faster
    double max_accel = 6.0;           ///< m/s2, by norm
    double tau = 0.5;                 ///< s, time to take up the desired velocity
    double radius = 0.25;             ///< m, of the body; two agents touch at the sum of their radii
    double separation_radius = 1.0;   ///< m, agents nearer than this push each other
    double separation_gain = 2.0;     ///< m/s at distance 0, falling with (1 - d/R)^2
    double arrival_radius = 0.5;      ///< m from the centre of a goal cell; inside the cell is arrival too
    double stuck_after = 5.0;         ///< s without coming one cell nearer to the goal
    OnArrival on_arrival = OnArrival::kExit;
};

/// [grid]
struct SceneGrid {
    Search search = Search::kAuto;
    double cell = 0.0;             ///< metres; 0: the largest neighbour radius
    std::int64_t brute_below = 48; ///< "auto" compares all pairs below so many agents
};

/// [field]
struct SceneField {
    int goals = 0;                             ///< draw so many goal cells by seed from the largest connected part
    std::vector<std::vector<Cell>> goal_sets;  ///< or name them: key `goal_cells`, a list of lists of [column, row]
};

/// [view]: how pictures are drawn.
struct SceneView {
    ColourBy colour = ColourBy::kSpeed;
    int width = 1600;  ///< pixels, of the longer side
};

struct Scene {
    std::string name = "scene";  ///< the file's name without its ending
    std::string folder = ".";    ///< that `map.file` is relative to; not a key
    SceneWorld world;
    SceneMap map;
    std::vector<SceneAgents> agents;
    std::map<std::string, CrowdRule> rules;  ///< by NAME
    SceneGrid grid;
    SceneField field;
    SceneView view;
};

/// The map of a scene: loaded, parsed from its rows or generated; nullopt if it has none. Throws Error.
std::optional<Map> make_map(const Scene& scene);

/// A city of streets, blocks, squares, parks (cost 3), a river and bridges; every free cell is reachable from
/// every other. Sides 32 to kMaxMapSide, else Error. The same arguments give the same map everywhere.
Map generate_city(int columns, int rows, std::uint64_t seed, double cell_size);

}  // namespace horde
