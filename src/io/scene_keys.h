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

inline constexpr Key<SceneTerrain> kTerrainKeys[] = {
    {.name = "heights",
     .member = &SceneTerrain::heights,
     .unit = "",
     .meaning =
         "a file of heights in metres, relative to the folder of the scene: a line for each row of the "
         "map, in it a number for each cell, blanks or commas between them",
     .example = "\"hills.txt\""},
    {"hills", &SceneTerrain::hills, "m", "if not 0, instead: make hills so high by seed", {0, 1e4}},
    {"hill_size", &SceneTerrain::hill_size, "m", "from one such hill to the next", kPositive},
    {"seed", &SceneTerrain::seed, "", "seed of the hills", kSeeds},
    {"slope_limits", &SceneTerrain::slope_limits, "",
     "rise over run to the steepest of the four cells beside a cell: below the first limit the first of "
     "slope_costs is added to its cost, and so on; from the last on it is a wall",
     kNotNegative},
    {"slope_costs", &SceneTerrain::slope_costs, "", "whole numbers, one for each limit", {0, 254}},
    {"density_gain",
     &SceneTerrain::density_gain,
     "m2",
     "cost for each agent a square metre, over the free ones of the 3 x 3 cells around a cell: the crowd "
     "goes "
     "round a jam; 0: none",
     {0, 1e4}},
    {"density_interval",
     &SceneTerrain::density_interval,
     "frames",
     "between two counts of the agents",
     {1, 1e6}},
    {"density_cap", &SceneTerrain::density_cap, "", "most cost that a crowd adds", {0, 254}},
};

inline constexpr Key<SceneLayer> kLayerKeys[] = {
    {.name = "name",
     .member = &SceneLayer::name,
     .unit = "",
     .meaning = "by which groups ask for it",
     .example = "\"carts\""},
    {"clearance", &SceneLayer::clearance, "m",
     "half side of the square that these agents take up: they take no gap that it does not fit, and it clips "
     "no corner (the radius of their rule counts among agents, not at walls)",
     kNotNegative},
    {.name = "costs",
     .member = &SceneLayer::costs,
     .unit = "",
     .meaning = "cost in this layer by cost in the map; 255: these agents do not go there",
     .range = {1, 255},
     .example = "{ \"1\" = 2, \"3\" = 255 }"},
};

inline constexpr Key<SceneEdit> kEditKeys[] = {
    {"frame", &SceneEdit::frame, "", "the first that the change is in force in", {0, 1e15}},
    {"kind", &SceneEdit::kind, "",
     "walls (wall) or more cost (cost) that may go again, or another own cost of the "
     "map (clear)"},
    {.name = "cells",
     .member = &SceneEdit::cells,
     .unit = "cells",
     .meaning = "first column and row, then the last",
     .range = {0, kMaxMapSide - 1},
     .example = "[10, 4, 12, 6]"},
    {"cost", &SceneEdit::cost, "", "what cost adds, or what clear leaves; not for wall", {1, 254}},
    {"until",
     &SceneEdit::until,
     "",
     "the first frame that walls or cost are gone in; 0: they stay",
     {0, 1e15}},
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
    {.name = "start_velocity",
     .member = &SceneAgents::start_velocity,
     .unit = "m/s",
     .meaning = "added to the start velocity of all: a flock that has a heading",
     .range = {-1e4, 1e4},
     .example = "[8.0, 3.0]"},
    {"bound_radius", &SceneAgents::bound_radius, "m",
     "what an agent covers when drawn, in any frame of its animation: a sphere of this radius", kNotNegative},
    {"bound_height", &SceneAgents::bound_height, "m",
     "if not 0: an upright box instead, so high and bound_radius to each side", kNotNegative},
    {.name = "goal",
     .member = &SceneAgents::goal,
     .unit = "",
     .meaning =
         "one drawn by seed for each agent (any), the nearest of all (nearest), or the number of one, from 0",
     .range = {0, kLargeGoalCount},
     .words = "any|nearest|#"},
    {.name = "layer",
     .member = &SceneAgents::layer,
     .unit = "",
     .meaning = "name of the [[layer]] that these agents walk in; default: plain costs and no clearance",
     .example = "\"carts\""},
    {.name = "combat",
     .member = &SceneAgents::combat,
     .unit = "",
     .meaning = "NAME of the [combat.NAME] that says how they fight; default: nothing can happen to them",
     .example = "\"claws\""},
    {.name = "behaviours",
     .member = &SceneAgents::behaviours,
     .unit = "",
     .meaning = "NAMEs of [behaviour.NAME] tables between which a [[transition]] leads; they start with the "
                "first",
     .example = "[\"graze\", \"flee\"]"},
};

inline constexpr Key<SceneSpawner> kSpawnerKeys[] = {
    {"group", &SceneSpawner::group, "", "number of the [[agents]] that they join, from 0", {0, 254}},
    {"rate", &SceneSpawner::rate, "1/s", "agents a second: floor(rate * time) are due by a time", {0, 1e6}},
    {"burst", &SceneSpawner::burst, "agents", "come together, burst / rate seconds apart", {1, 1e6}},
    {"pattern", &SceneSpawner::pattern, "",
     "anywhere in a box, in one of some cells, within a circle (in 3D a ball), or on the edge of a box"},
    {.name = "box",
     .member = &SceneSpawner::box,
     .unit = "m",
     .meaning = "least corner, then largest, for box and edge; default: the map or the bounds",
     .range = {-1e9, 1e9},
     .example = "[10.0, 10.0, 20.0, 20.0]"},
    {.name = "cells",
     .member = &SceneSpawner::cells,
     .unit = "cells",
     .meaning = "for cells: a list of [column, row]",
     .range = {0, kMaxMapSide - 1},
     .example = "[[0, 4], [0, 5]]"},
    {.name = "centre",
     .member = &SceneSpawner::centre,
     .unit = "m",
     .meaning = "of the circle",
     .range = {-1e9, 1e9},
     .example = "[15.0, 15.0]"},
    {"radius", &SceneSpawner::radius, "m", "of the circle", {0, 1e9}},
    {"limit",
     &SceneSpawner::limit,
     "agents",
     "most of the group alive; those beyond are given up and counted",
     {0, kLargeCount}},
    {"start", &SceneSpawner::start, "s", "when it begins", {0, 1e9}},
    {"stop", &SceneSpawner::stop, "s", "when it ends; 0: never", {0, 1e9}},
};

inline constexpr Key<SceneSink> kSinkKeys[] = {
    {.name = "box",
     .member = &SceneSink::box,
     .unit = "m",
     .meaning = "least corner, then largest",
     .range = {-1e9, 1e9},
     .example = "[90.0, 0.0, 100.0, 20.0]"},
    {"group", &SceneSink::group, "", "number of the [[agents]] that leave here, from 0; -1: all", {-1, 254}},
};

inline constexpr Key<SceneCombat> kCombatKeys[] = {
    {"health", &SceneCombat::health, "points", "at the start, and at most; 0: they cannot be hurt", {0, 1e9}},
    {.name = "targets",
     .member = &SceneCombat::targets,
     .unit = "",
     .meaning = "numbers of the [[agents]] that they attack, from 0",
     .range = {0, 254},
     .example = "[1]"},
    {"range", &SceneCombat::range, "m", "they attack the nearest target that is no farther away", kPositive},
    {"damage", &SceneCombat::damage, "points", "of each attack", {0, 1e9}},
    {"cooldown", &SceneCombat::cooldown, "s", "from one attack to the next", {0, 1e6}},
    {"attack_time", &SceneCombat::attack_time, "s", "for which an attacker stands", {0, 1e6}},
    {"splash", &SceneCombat::splash, "m",
     "all targets so near to the one attacked, and in its sight, are hit too", kNotNegative},
    {"knockback",
     &SceneCombat::knockback,
     "m/s",
     "that an attack adds to the velocity of a target, away from the attacker",
     {0, 1e4}},
    {"stun", &SceneCombat::stun, "s", "for which an attack stuns", {0, 1e6}},
    {"through_walls", &SceneCombat::through_walls, "", "attacks pass walls"},
    {"friction", &SceneCombat::friction, "m/s2", "by which those who do not steer lose speed", kPositive},
    {"max_knockback", &SceneCombat::max_knockback, "m/s", "no knock makes them faster than this", kPositive},
    {"corpse_time", &SceneCombat::corpse_time, "s", "for which the dead lie in the way", {0, 1e9}},
};

inline constexpr Key<SceneBehaviour> kBehaviourKeys[] = {
    {.name = "rule",
     .member = &SceneBehaviour::rule,
     .unit = "",
     .meaning = "a rule of the same kind as that of the group, which is the default",
     .example = "\"panic\""},
    {"drive", &SceneBehaviour::drive, "",
     "besides, towards the nearest of a group (hunt), away from it (flee), or to the centre of their own "
     "(regroup)"},
    {"of",
     &SceneBehaviour::of,
     "",
     "number of the [[agents]] that are hunted or fled from, from 0",
     {-1, 254}},
    {"radius", &SceneBehaviour::radius, "m",
     "hunt, flee: nobody farther away counts; regroup: nearer to the centre nobody is driven", kPositive},
    {"gain",
     &SceneBehaviour::gain,
     "",
     "of the drive, for reynolds in m/s2, for arcade in speed limits; a crowd walks that way if no wall is "
     "between",
     {0, 1e6}},
    {"lead", &SceneBehaviour::lead, "s", "where the other will be then counts", {0, 1e3}},
    {.name = "goal",
     .member = &SceneBehaviour::goal,
     .unit = "",
     .meaning = "their goal from then on, as in [[agents]]; default: the one that they have",
     .range = {0, kLargeGoalCount},
     .words = "any|nearest|#",
     .example = "1"},
    {"attacks", &SceneBehaviour::attacks, "", "those who can fight do"},
};

inline constexpr Key<SceneTransition> kTransitionKeys[] = {
    {.name = "from",
     .member = &SceneTransition::from,
     .unit = "",
     .meaning = "NAME of a behaviour, or any",
     .example = "\"graze\""},
    {.name = "to",
     .member = &SceneTransition::to,
     .unit = "",
     .meaning = "NAME of the one that follows",
     .example = "\"flee\""},
    {"group",
     &SceneTransition::group,
     "",
     "number of the [[agents]] that distances and neighbours are of",
     {-1, 254}},
    {.name = "target",
     .member = &SceneTransition::target,
     .unit = "m",
     .meaning = "or a place that distances are to",
     .range = {-1e9, 1e9},
     .example = "[50.0, 50.0]"},
    {"distance_below", &SceneTransition::distance_below, "m", "the nearest is nearer; 0: not asked",
     kNotNegative},
    {"distance_above", &SceneTransition::distance_above, "m",
     "the nearest is farther, or there is none; 0: not asked", kNotNegative},
    {"health_below", &SceneTransition::health_below, "", "part of the full health; 0: not asked", {0, 1}},
    {"health_above", &SceneTransition::health_above, "", "likewise", {0, 1}},
    {"neighbours_below",
     &SceneTransition::neighbours_below,
     "agents",
     "fewer of the group within neighbour_radius; 0: not asked",
     {0, kLargeCount}},
    {"neighbours_above",
     &SceneTransition::neighbours_above,
     "agents",
     "more of them; -1: not asked",
     {-1, kLargeCount}},
    {"neighbour_radius", &SceneTransition::neighbour_radius, "m", "of these", kPositive},
    {"after", &SceneTransition::after, "s", "in the behaviour before", {0, 1e9}},
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
    {"snap_goals", &SceneField::snap_goals, "",
     "a goal in a wall stands for the free cell nearest to it; without it that is an error, and under a wall "
     "that rises later the goal is none"},
    {.name = "follow",
     .member = &SceneField::follow,
     .unit = "",
     .meaning = "for each goal set the id of an agent that its goal follows, or -1",
     .range = {-1, 9e15},
     .example = "[-1, 17]"},
    {"goal_interval",
     &SceneField::goal_interval,
     "s",
     "a goal that moves is followed by its field at most every so many seconds",
     {0, 1e6}},
    {"field_cells_per_frame",
     &SceneField::field_cells_per_frame,
     "cells",
     "a field asked for goes live as many frames later as the map has times so many cells; a repair after an "
     "edit in the next frame",
     {1, 1e9}},
    {"cache_bytes",
     &SceneField::cache_bytes,
     "bytes",
     "of the fields that are kept, 5 a cell for each goal set and layer; those that nobody follows go first",
     {1, 1e15}},
};

inline constexpr Key<SceneTiers> kTiersKeys[] = {
    {.name = "viewpoints",
     .member = &SceneTiers::viewpoints,
     .unit = "m",
     .meaning = "points from which agents are looked at; a program moves them",
     .range = {-1e9, 1e9},
     .example = "[[20.0, 30.0], [80.0, 30.0]]"},
    {"near_promote", &SceneTiers::near_promote, "m", "a middle agent nearer than this becomes near",
     kPositive},
    {"near_demote", &SceneTiers::near_demote, "m", "a near agent farther than this becomes middle",
     kPositive},
    {"middle_promote", &SceneTiers::middle_promote, "m", "a far agent nearer than this becomes middle",
     kPositive},
    {"middle_demote", &SceneTiers::middle_demote, "m", "a middle agent farther than this becomes far",
     kPositive},
    {"max_near", &SceneTiers::max_near, "", "most near agents", {0, kLargeCount}},
    {"max_promotions",
     &SceneTiers::max_promotions,
     "",
     "most promotions to near in a frame",
     {0, kLargeCount}},
    {"max_demotions",
     &SceneTiers::max_demotions,
     "",
     "most demotions from near in a frame",
     {0, kLargeCount}},
    {"far_every",
     &SceneTiers::far_every,
     "frames",
     "far agents update their steering every so often",
     {1, 1000}},
    {"middle_every", &SceneTiers::middle_every, "frames", "middle agents do", {1, 1000}},
    {"near_every", &SceneTiers::near_every, "frames", "near agents do", {1, 1000}},
    {"far_separation", &SceneTiers::far_separation, "", "far walkers of a crowd keep apart"},
    {"middle_separation", &SceneTiers::middle_separation, "", "middle walkers of a crowd keep apart"},
};

inline constexpr Key<SceneBodies> kBodyKeys[] = {
    {"physics", &SceneBodies::physics, "",
     "who is a solid body: nobody, the near agents of [tiers] (none without viewpoints), or all"},
    {"radius", &SceneBodies::radius, "m", "of agents whose rule has no radius of its own", {1e-6, 1e6}},
    {"restitution", &SceneBodies::restitution, "", "0: bodies do not bounce; 1: like billiard balls", {0, 1}},
    {"friction", &SceneBodies::friction, "", "Coulomb's, of bodies and walls", {0, 10}},
    {"velocity_iterations",
     &SceneBodies::velocity_iterations,
     "",
     "of the solver; more is stiffer and slower",
     {1, 100}},
    {"position_iterations", &SceneBodies::position_iterations, "", "against what overlaps", {1, 100}},
};

inline constexpr Key<SceneView> kViewKeys[] = {
    {"colour", &SceneView::colour, "", "what colours the agents in a picture"},
    {"width", &SceneView::width, "pixels", "longer side of a picture", {16, 16384}},
    {"trails",
     &SceneView::trails,
     "s",
     "0: short strokes; else the way of each agent in this time; of more than 5,000 that of rare types",
     {0, 1e6}},
};

inline constexpr Table<SceneWorld> kWorld{"world", "[world]", "Space, time and chance.", kWorldKeys};
inline constexpr Table<SceneMap> kMap{
    "map", "[map]",
    "Walls and costs: at most one of file, rows and generate. Without one there are no walls.", kMapKeys};
inline constexpr Table<SceneTerrain> kTerrain{
    "terrain", "[terrain]", "Heights, and what slopes and crowds add to the cost of a cell; needs a map.",
    kTerrainKeys};
inline constexpr Table<SceneLayer> kLayer{
    "layer", "[[layer]]", "What the ground is to a kind of agent; write it again for the next.", kLayerKeys,
    true};
inline constexpr Table<SceneEdit> kEdit{
    "edit", "[[edit]]", "A change of the terrain while the world runs; write it again for the next.",
    kEditKeys, true};
inline constexpr Table<SceneAgents> kAgents{"agents", "[[agents]]",
                                            "A group of agents; write it again for the next.", kAgentsKeys};
inline constexpr Table<SceneSpawner> kSpawner{
    "spawner", "[[spawner]]", "Agents that come while the world runs; write it again for the next.",
    kSpawnerKeys, true};
inline constexpr Table<SceneSink> kSink{
    "sink", "[[sink]]", "Agents in the box leave the world; write it again for the next.", kSinkKeys, true};
inline constexpr Table<SceneCombat> kCombat{
    "combat", "[combat.NAME]", "How the groups that name it fight, and what they stand.", kCombatKeys, true};
inline constexpr Table<SceneBehaviour> kBehaviour{
    "behaviour", "[behaviour.NAME]",
    "A set of rules that agents follow until a [[transition]] gives them another.", kBehaviourKeys, true};
inline constexpr Table<SceneTransition> kTransition{
    "transition", "[[transition]]",
    "When agents change their behaviour: if all that is asked for holds; of several the first counts.",
    kTransitionKeys, true};
inline constexpr Table<SceneGrid> kGrid{"grid", "[grid]",
                                        "The neighbour search. It changes times, never results.", kGridKeys};
inline constexpr Table<SceneField> kField{"field", "[field]", "Where agents go; needs a map.", kFieldKeys};
inline constexpr Table<SceneTiers> kTiers{
    "tiers", "[tiers]", "Levels of detail by distance to the nearest viewpoint: far, middle, near.",
    kTiersKeys};
inline constexpr Table<SceneBodies> kBodies{
    "bodies", "[bodies]",
    "Agents as solid circles (Box2D): they touch each other and the walls. In 2D, not in a periodic world.",
    kBodyKeys};
inline constexpr Table<SceneView> kView{"view", "[view]", "How pictures are drawn.", kViewKeys};

/// Calls `visit(table)` for every table, in the order of the file.
template <class Visit>
void each_table(Visit&& visit) {
    visit(kWorld);
    visit(kMap);
    visit(kTerrain);
    visit(kLayer);
    visit(kAgents);
    visit(kSpawner);
    visit(kSink);
    each_rule(visit);
    visit(kCombat);
    visit(kBehaviour);
    visit(kTransition);
    visit(kGrid);
    visit(kField);
    visit(kEdit);
    visit(kTiers);
    visit(kBodies);
    visit(kView);
}

}  // namespace horde::scene_keys
