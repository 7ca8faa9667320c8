/// The keys of a scene file: one table of names, members, units, meanings and ranges, from which come the
/// reader (scene_read.cpp), the template and docs/scenes.md (scene_text.cpp). A key that is added here is
/// everywhere.
#pragma once

#include "io/scene_key.h"
#include "io/scene_rule_keys.h"

namespace horde::scene_keys {

inline constexpr Key<SceneWorld> kWorldKeys[] = {
    {"dim", &SceneWorld::dim, "", "dimensions; a map needs 2", {2, 3}},
    {"dt", &SceneWorld::dt, "s", "length of a frame", {0, 10, true}},
    {"seed", &SceneWorld::seed, "", "seed of every random number", kSeeds},
    {"edge", &SceneWorld::edge, "",
     "beyond the bounds of a world without a map lies nothing (open), the world repeats (periodic), or who "
     "leaves comes "
     "in on the other side but is not seen across (wrap)"},
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
    {"cell_size", &SceneMap::cell_size, "m", "side of a cell", {1e-3, 1e3}},
};

inline constexpr Key<SceneAgents> kAgentsKeys[] = {
    {"count", &SceneAgents::count, "", "agents at the start", {0, kLargeCount}},
    {"rule", &SceneAgents::rule, "",
     "the NAME of a [rule.NAME], or a built-in rule with its defaults: crowd, reynolds, arcade or vicsek"},
    {"type", &SceneAgents::type, "", "a number that files hand through", {0, 255}},
    {"spawn", &SceneAgents::spawn, "",
     "start on free cells of the map from which the goal can be reached (free), or anywhere in a box"},
    {"agents_per_cell", &SceneAgents::agents_per_cell, "", "most agents that start in one cell", {1, 1000}},
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
    {"half_side_per_root",
     &SceneAgents::half_side_per_root,
     "m",
     "if not 0: the box is a square (cube) about the origin, its half side this times the root of count",
     {0, 1e4}},
    {"start_speed_spread",
     &SceneAgents::start_speed_spread,
     "m/s",
     "an agent's own start speed is uniform in start_speed +- this",
     {0, 1e4}},
    {"start_component",
     &SceneAgents::start_component,
     "m/s",
     "if not 0, instead of a start speed: each component of the velocity is uniform in +- this",
     {0, 1e4}},
    {.name = "goal",
     .member = &SceneAgents::goal,
     .unit = "",
     .meaning =
         "one drawn by seed for each agent (any), the nearest of all (nearest), or the number of one, from 0",
     .range = {0, kLargeGoalCount},
     .words = "any|nearest|#"},
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
     "draw so many goal cells by seed from the largest connected part of the map, or all that it has",
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
    each_rule(visit);
    visit(kGrid);
    visit(kField);
    visit(kView);
}

}  // namespace horde::scene_keys
