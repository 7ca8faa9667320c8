/// The keys of [rule.NAME], by kind.
#pragma once

#include <array>

#include "io/scene_key.h"

namespace horde::scene_keys {

template <class S>
constexpr Key<S> kind_key(const char* kind, const char* example) {
    return {.name = "kind",
            .member = std::monostate{},
            .unit = "",
            .meaning = "the built-in rule that this one sets; default: NAME, if that is one",
            .words = kind,
            .example = example};
}

inline constexpr Key<CrowdRule> kCrowdKeys[] = {
    kind_key<CrowdRule>("crowd", "\"crowd\""),
    {"speed", &CrowdRule::speed, "m/s", "walking speed (Weidmann 1993)", kPositive},
    {"speed_spread", &CrowdRule::speed_spread, "m/s",
     "an agent's own speed is uniform in speed +- this; less than speed", kNotNegative},
    {"max_speed", &CrowdRule::max_speed, "m/s", "no agent is ever faster", kPositive},
    {"max_accel", &CrowdRule::max_accel, "m/s2", "no agent ever accelerates more", kPositive},
    {"tau", &CrowdRule::tau, "s", "time to take up the desired velocity", kPositive},
    {"radius", &CrowdRule::radius, "m", "radius of the body; two agents touch at the sum of their radii",
     kNotNegative},
    {"separation_radius", &CrowdRule::separation_radius, "m", "agents nearer than this push each other",
     kPositive},
    {"separation_gain", &CrowdRule::separation_gain, "m/s", "push at distance 0; it falls with (1 - d/R)^2",
     kNotNegative},
    {"arrival_radius", &CrowdRule::arrival_radius, "m",
     "an agent so near to the centre of a goal cell has arrived, as it has inside the cell", kNotNegative},
    {"stuck_after", &CrowdRule::stuck_after, "s",
     "an agent that comes not one cell nearer to its goal for so long is stuck", kPositive},
    {"on_arrival", &CrowdRule::on_arrival, "",
     "who arrives leaves the world (exit), stops there (stay), or starts again at a random free cell "
     "(respawn)"},
    {"time_gap", &CrowdRule::time_gap, "s",
     "if not 0: no faster than would reach the body ahead in this time (about 0.4 for people in a press)",
     kNotNegative},
    {"line_of_sight", &CrowdRule::line_of_sight, "",
     "go straight where the nearest goal cell is in sight, over ground of one cost and within 512 cells"},
};

/// The keys that every flocking rule has, behind those of its own.
template <class S, std::size_t N>
constexpr auto with_flock_keys(const std::array<Key<S>, N>& own) {
    const std::array<Key<S>, 7> shared = {{
        {"neighbours", &S::neighbours, "",
         "who of those in the radius counts: all, the nearest (by distance, then id), or the first that the "
         "scan "
         "meets (biased, and another set for another cell size)"},
        {"max_neighbours", &S::max_neighbours, "agents", "how many of the nearest or first", {1, 64}},
        {"half_angle",
         &S::half_angle,
         "degrees",
         "sight to either side of the heading; who stands still sees all round",
         {0, 180, true}},
        {"coincident", &S::coincident, "",
         "agents at one point part, each along a direction hashed from its id (separate), or not (ignore)"},
        {"update_every",
         &S::update_every,
         "frames",
         "an agent thinks in every such frame, staggered by id, and keeps its steering meanwhile",
         {1, 1000}},
        {"separation_every_frame", &S::separation_every_frame, "",
         "with update_every: stagger cohesion and alignment only"},
        {"speed_limit_spread", &S::speed_limit_spread, "m/s",
         "an agent's own speed limit is uniform in limit +- this; less than the limit", kNotNegative},
    }};
    std::array<Key<S>, N + 7> keys{};
    for (std::size_t k = 0; k < N; ++k) keys[k] = own[k];
    for (std::size_t k = 0; k < shared.size(); ++k) keys[N + k] = shared[k];
    return keys;
}

constexpr Range kGain{-1e6, 1e6};

inline constexpr auto kReynoldsKeys = with_flock_keys(std::array<Key<ReynoldsRule>, 8>{{
    kind_key<ReynoldsRule>("reynolds", "\"reynolds\""),
    {"perception_radius", &ReynoldsRule::perception_radius, "m", "agents within it are neighbours",
     kPositive},
    {"separation_distance", &ReynoldsRule::separation_distance, "m",
     "neighbours nearer than this push by -offset / d^2", kPositive},
    {"separation_gain", &ReynoldsRule::separation_gain, "m2/s2", "times the sum of the pushes", kGain},
    {"cohesion_gain", &ReynoldsRule::cohesion_gain, "1/s2", "times the mean offset of the neighbours", kGain},
    {"alignment_gain", &ReynoldsRule::alignment_gain, "1/s",
     "times their mean velocity relative to the agent", kGain},
    {"max_accel", &ReynoldsRule::max_accel, "m/s2", "largest acceleration, by norm", kPositive},
    {"max_speed", &ReynoldsRule::max_speed, "m/s", "largest speed, by norm", kPositive},
}});

inline constexpr auto kArcadeKeys = with_flock_keys(std::array<Key<ArcadeRule>, 8>{{
    kind_key<ArcadeRule>("arcade", "\"arcade\""),
    {"neighbour_radius", &ArcadeRule::neighbour_radius, "m", "agents within it are neighbours", kPositive},
    {"max_speed", &ArcadeRule::max_speed, "m/s", "limit of the speed and of each part of the steering",
     kPositive},
    {"max_force", &ArcadeRule::max_force, "m/s2", "largest change of velocity in a second", kPositive},
    {"cohesion_weight", &ArcadeRule::cohesion_weight, "1/s", "times the mean offset, limited to max_speed",
     kGain},
    {"alignment_weight", &ArcadeRule::alignment_weight, "", "times the mean velocity, limited to max_speed",
     kGain},
    {"separation_weight", &ArcadeRule::separation_weight, "",
     "times max_speed along the sum of the pushes offset / d^2", kGain},
    {"hold_speed", &ArcadeRule::hold_speed, "m/s", "a desired velocity shorter than this changes nothing",
     kNotNegative},
}});

inline constexpr auto kVicsekKeys = with_flock_keys(std::array<Key<VicsekRule>, 4>{{
    kind_key<VicsekRule>("vicsek", "\"vicsek\""),
    {"radius", &VicsekRule::radius, "m", "agents within it are neighbours", kPositive},
    {"speed", &VicsekRule::speed, "m/s", "of every agent, always", kPositive},
    {"noise",
     &VicsekRule::noise,
     "rad",
     "eta: the mean heading is turned by up to half of it to either side, uniformly; in 3D within a cone of "
     "that "
     "half angle",
     {0, 6.2831853071795865}},
}});

inline constexpr Table<CrowdRule> kCrowd{"rule", "[rule.crowd]",
                                         "Walkers who follow a flow field and keep apart. [rule.NAME] with "
                                         "kind = \"crowd\" is another such rule, for\n"
                                         "the groups that name it.",
                                         kCrowdKeys};
inline constexpr Table<ReynoldsRule> kReynolds{"rule", "[rule.reynolds]",
                                               "Boids with separation, cohesion and alignment as "
                                               "accelerations (Reynolds 1987; cuplan's FlockingParams).",
                                               kReynoldsKeys};
inline constexpr Table<ArcadeRule> kArcade{
    "rule", "[rule.arcade]",
    "Boids that steer by limited velocities, made for lengths in pixels (the almanac's flock).", kArcadeKeys};
inline constexpr Table<VicsekRule> kVicsek{
    "rule", "[rule.vicsek]",
    "Constant speed, the mean heading of all within the radius, and noise (Vicsek 1995).", kVicsekKeys};

/// Calls `visit(table)` for the table of each kind, in the order of kRuleKinds.
template <class Visit>
void each_rule(Visit&& visit) {
    visit(kCrowd);
    visit(kReynolds);
    visit(kArcade);
    visit(kVicsek);
}

}  // namespace horde::scene_keys
