/// The keys of a scene file: one table of names, members, units, meanings and ranges, from which come the
/// reader (scene_read.cpp), the template and docs/scenes.md (scene_text.cpp). A key that is added here is
/// everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "horde/scene.h"

namespace horde::scene_keys {

/// Numbers that a key takes: min to max, or above min to max. All numbers are finite besides.
struct Range {
    double min = 0.0;
    double max = 0.0;
    bool above_min = false;
};

constexpr double kLargeLength = 1e6;   // m; a float there still resolves 6 cm, and World narrows it further
constexpr double kLargeSeed = 9.3e18;  // a TOML integer ends at 2^63 - 1, which is the true limit
constexpr double kLargeCount = 1e8;    // agents of one group: about 20 GB of columns
constexpr double kLargeGoalCount = 65533.0;  // kNoGoal, and the field that holds all goals, are no goal sets

constexpr Range kSeeds{0.0, kLargeSeed};
constexpr Range kPositive{0.0, kLargeLength, true};
constexpr Range kNotNegative{0.0, kLargeLength};

/// Where a key's value goes. std::monostate: it is no member, its table is read by hand.
template <class S>
using Member = std::variant<std::monostate, int S::*, std::int64_t S::*, std::uint64_t S::*, double S::*,
                            std::string S::*, std::vector<std::string> S::*, std::optional<Bounds> S::*,
                            std::optional<Vec3> S::*, std::vector<std::vector<Cell>> S::*, Edge S::*,
                            Search S::*, OnArrival S::*, SpawnArea S::*, ColourBy S::*>;

template <class S>
struct Key {
    const char* name;
    Member<S> member;
    const char* unit;
    const char* meaning;
    Range range{};
    const char* words = nullptr;    ///< texts that it takes, '|' between; "#" stands for a whole number
    const char* example = nullptr;  ///< for keys whose default is to be absent
};

template <class S>
struct Table {
    const char* name;     ///< "world"
    const char* heading;  ///< "[world]"
    const char* meaning;
    std::span<const Key<S>> keys;
};

inline constexpr Key<SceneWorld> kWorldKeys[] = {
    {"dim", &SceneWorld::dim, "", "dimensions; a map needs 2", {2, 3}},
    {"dt", &SceneWorld::dt, "s", "length of a frame", {0, 10, true}},
    {"seed", &SceneWorld::seed, "", "seed of every random number", kSeeds},
    {"edge", &SceneWorld::edge, "",
     "beyond the bounds of a world without a map lies nothing (open), or the world repeats (periodic)"},
    {.name = "bounds",
     .member = &SceneWorld::bounds,
     .unit = "m",
     .meaning = "least corner, then largest; six numbers in 3D; where there is a map, it gives the bounds",
     .range = {-1e9, 1e9},
     .example = "[0.0, 0.0, 100.0, 100.0]"},
    {.name = "origin",
     .member = &SceneWorld::origin,
     .unit = "m",
     .meaning = "where the world's floats are finest; default: the centre of the bounds or of the map",
     .range = {-1e9, 1e9},
     .example = "[50.0, 50.0]"},
};

inline constexpr Key<SceneMap> kMapKeys[] = {
    {.name = "file",
     .member = &SceneMap::file,
     .unit = "",
     .meaning = "a MovingAI .map, relative to the folder of the scene",
     .example = "\"town.map\""},
    {.name = "rows",
     .member = &SceneMap::rows,
     .unit = "",
     .meaning = "the map itself, from the top: '.' costs 1, '1' to '9' cost that much, '@' is a wall",
     .example = "[\"..@.\", \".1@9\"]"},
    {.name = "generate",
     .member = &SceneMap::generate,
     .unit = "",
     .meaning = "make a map: a city of streets, squares, parks and a river",
     .words = "city",
     .example = "\"city\""},
    {"width", &SceneMap::width, "cells", "columns of a generated map", {32, kMaxMapSide}},
    {"height", &SceneMap::height, "cells", "rows of a generated map", {32, kMaxMapSide}},
    {"seed", &SceneMap::seed, "", "seed of a generated map", kSeeds},
    {"cell_size", &SceneMap::cell_size, "m", "side of a cell", kPositive},
};

inline constexpr Key<SceneAgents> kAgentsKeys[] = {
    {"count", &SceneAgents::count, "", "agents at the start", {0, kLargeCount}},
    {"rule", &SceneAgents::rule, "",
     "the NAME of a [rule.NAME], or a built-in rule with its defaults: crowd"},
    {"type", &SceneAgents::type, "", "a number that files hand through", {0, 255}},
    {"spawn", &SceneAgents::spawn, "",
     "start on free cells of the map from which the goal can be reached (free), or anywhere in a box"},
    {"agents_per_cell", &SceneAgents::agents_per_cell, "", "most agents that start in one cell", {1, 1e6}},
    {.name = "box",
     .member = &SceneAgents::box,
     .unit = "m",
     .meaning = "least corner, then largest, for spawn = \"box\"; six numbers in 3D; default: the bounds",
     .range = {-1e9, 1e9},
     .example = "[10.0, 10.0, 20.0, 20.0]"},
    {"start_speed",
     &SceneAgents::start_speed,
     "m/s",
     "speed at the start, in a direction drawn by seed",
     {0, 1e4}},
    {.name = "goal",
     .member = &SceneAgents::goal,
     .unit = "",
     .meaning =
         "one drawn by seed for each agent (any), the nearest of all (nearest), or the number of one, from 0",
     .range = {0, kLargeGoalCount},
     .words = "any|nearest|#"},
};

inline constexpr Key<CrowdRule> kCrowdKeys[] = {
    {.name = "kind",
     .member = std::monostate{},
     .unit = "",
     .meaning = "the built-in rule that this one sets; default: NAME, if that is one",
     .words = "crowd",
     .example = "\"crowd\""},
    {"speed", &CrowdRule::speed, "m/s", "walking speed (Weidmann 1993)", {0, 1e4}},
    {"speed_spread",
     &CrowdRule::speed_spread,
     "m/s",
     "an agent's own speed is uniform in speed +- this",
     {0, 1e4}},
    {"max_speed", &CrowdRule::max_speed, "m/s", "no agent is ever faster", {0, 1e4, true}},
    {"max_accel", &CrowdRule::max_accel, "m/s2", "no agent ever accelerates more", {0, 1e6, true}},
    {"tau", &CrowdRule::tau, "s", "time to take up the desired velocity", {0, 1e4, true}},
    {"radius", &CrowdRule::radius, "m", "radius of the body; two agents touch at the sum of their radii",
     kPositive},
    {"separation_radius", &CrowdRule::separation_radius, "m", "agents nearer than this push each other",
     kPositive},
    {"separation_gain",
     &CrowdRule::separation_gain,
     "m/s",
     "push at distance 0; it falls with (1 - d/R)^2",
     {0, 1e4}},
    {"arrival_radius", &CrowdRule::arrival_radius, "m",
     "an agent so near to the centre of a goal cell has arrived, as it has inside the cell", kNotNegative},
    {"stuck_after",
     &CrowdRule::stuck_after,
     "s",
     "an agent that comes not one cell nearer to its goal for so long is stuck",
     {0, 1e6, true}},
    {"on_arrival", &CrowdRule::on_arrival, "",
     "who arrives leaves the world (exit), stops there (stay), or starts again at a random free cell "
     "(respawn)"},
};

inline constexpr Key<SceneGrid> kGridKeys[] = {
    {"search", &SceneGrid::search, "", "how neighbours are found; each way finds the same ones"},
    {"cell", &SceneGrid::cell, "m", "side of a cell; 0: the largest neighbour radius", kNotNegative},
    {"brute_below",
     &SceneGrid::brute_below,
     "agents",
     "auto compares all pairs below so many",
     {0, kLargeCount}},
};

inline constexpr Key<SceneField> kFieldKeys[] = {
    {"goals",
     &SceneField::goals,
     "",
     "draw so many goal cells by seed from the largest connected part of the map",
     {0, kLargeGoalCount}},
    {.name = "goal_cells",
     .member = &SceneField::goal_sets,
     .unit = "cells",
     .meaning = "or name them: a list of goals, each a [column, row] or a list of them",
     .range = {0, kMaxMapSide - 1},
     .example = "[[[3, 4], [3, 5]], [[20, 4]]]"},
};

inline constexpr Key<SceneView> kViewKeys[] = {
    {"colour", &SceneView::colour, "", "what colours the agents in a picture"},
    {"width", &SceneView::width, "pixels", "longer side of a picture", {16, 16384}},
};

inline constexpr Table<SceneWorld> kWorld{"world", "[world]", "Space, time and chance.", kWorldKeys};
inline constexpr Table<SceneMap> kMap{
    "map", "[map]",
    "Walls and costs: at most one of file, rows and generate. Without one there are no walls.", kMapKeys};
inline constexpr Table<SceneAgents> kAgents{"agents", "[[agents]]",
                                            "A group of agents; write it again for the next.", kAgentsKeys};
inline constexpr Table<CrowdRule> kCrowd{"rule", "[rule.crowd]",
                                         "Walkers who follow a flow field and keep apart. [rule.NAME] with "
                                         "kind = \"crowd\" is another such rule, for\n"
                                         "the groups that name it.",
                                         kCrowdKeys};
inline constexpr Table<SceneGrid> kGrid{"grid", "[grid]",
                                        "The neighbour search. It changes times, never results.", kGridKeys};
inline constexpr Table<SceneField> kField{"field", "[field]", "Where agents go; needs a map.", kFieldKeys};
inline constexpr Table<SceneView> kView{"view", "[view]", "How pictures are drawn.", kViewKeys};

/// Calls `visit(table)` for every table, in the order of the file.
template <class Visit>
void each_table(Visit&& visit) {
    visit(kWorld);
    visit(kMap);
    visit(kAgents);
    visit(kCrowd);
    visit(kGrid);
    visit(kField);
    visit(kView);
}

/// The texts of an enum, by value.
inline std::span<const char* const> choices(Edge) {
    static constexpr const char* kNames[] = {"open", "periodic"};
    return kNames;
}
inline std::span<const char* const> choices(Search) {
    static constexpr const char* kNames[] = {"auto", "grid", "brute"};
    return kNames;
}
inline std::span<const char* const> choices(OnArrival) {
    static constexpr const char* kNames[] = {"exit", "stay", "respawn"};
    return kNames;
}
inline std::span<const char* const> choices(SpawnArea) {
    static constexpr const char* kNames[] = {"free", "box"};
    return kNames;
}
inline std::span<const char* const> choices(ColourBy) {
    static constexpr const char* kNames[] = {"speed", "goal"};
    return kNames;
}

/// "2 to 3", "more than 0, at most 10"
std::string range_text(const Range& range);

/// The number in its fewest digits: "3", "0.05"
std::string number_text(double value);

/// The same as a TOML float: "3.0", "0.05"
std::string float_text(double value);

/// `"open" | "periodic"`, from the texts of an enum or from a key's words.
std::string choice_text(std::span<const char* const> names);
std::string choice_text(const char* words);

}  // namespace horde::scene_keys
