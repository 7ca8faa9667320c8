#include <algorithm>
#include <cmath>
#include <string>

#include "horde/error.h"
#include "sim/behaviour/behaviour.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

std::string group_key(std::size_t g) {
    return "agents[" + std::to_string(g) + "]";
}

const SceneBehaviour& find_behaviour(const Scene& scene, const std::string& name, const std::string& key) {
    const auto found = scene.behaviours.find(name);
    if (found == scene.behaviours.end()) {
        throw Error(key + ": there is no behaviour \"" + name + "\"; add a [behaviour." + name + "] table");
    }
    return found->second;
}

void set_drive(Params& params, const Scene& scene, const std::string& name, const SceneBehaviour& from,
               std::size_t g, Group& group) {
    const std::string key = "behaviour." + name;
    require(std::isfinite(from.radius) && from.radius >= 1e-6 && from.radius <= 1e6, key + ".radius",
            from.radius, "between 1e-6 and 1e6");
    require(std::isfinite(from.gain) && from.gain >= 0.0 && from.gain <= 1e6, key + ".gain", from.gain,
            "between 0 and 1e6");
    require(std::isfinite(from.lead) && from.lead >= 0.0 && from.lead <= 1e3, key + ".lead", from.lead,
            "between 0 and 1000 seconds");
    group.attacks = from.attacks;
    if (from.drive == Drive::kNone || from.gain == 0.0) return;
    if (group.kind == RuleKind::kVicsek) {
        throw Error(key + ".drive: agents of a vicsek rule only turn to their neighbours; give " +
                    group_key(g) + " another rule, or the drive \"none\"");
    }
    DriveParams& drive = group.drive;
    drive.kind = from.drive;
    drive.radius = static_cast<float>(from.radius);
    drive.gain = static_cast<float>(from.gain);
    drive.lead = static_cast<float>(from.lead);
    if (from.drive == Drive::kRegroup) {
        drive.watch = watch_of(params, scene, static_cast<double>(g), 0.0f, key);
        params.watches[drive.watch].wants_centre = true;
    } else {
        drive.watch = watch_of(params, scene, from.of, drive.radius, key + ".of");
    }
}

// The group of a behaviour of [[agents]] number g, whose own group is `base`.
Group behaviour_group(Params& params, const Scene& scene, std::size_t g, const Group& base,
                      const std::string& name) {
    const SceneBehaviour& from = find_behaviour(scene, name, group_key(g) + ".behaviours");
    Group group = base;
    const std::string key = "behaviour." + name;
    if (!from.rule.empty()) {
        const Group ruled = make_group(from.rule, find_rule(scene, from.rule, key));
        if (ruled.kind != base.kind) {
            throw Error(key + ".rule: \"" + from.rule + "\" is of kind \"" +
                        kRuleKinds[static_cast<std::size_t>(ruled.kind)] + "\", but " + group_key(g) +
                        ".rule of kind \"" + kRuleKinds[static_cast<std::size_t>(base.kind)] +
                        "\"; behaviours of a group have rules of one kind");
        }
        group.crowd = ruled.crowd;
        group.flock = ruled.flock;
        group.push = ruled.push;
        group.speed = ruled.speed;
        group.speed_spread = ruled.speed_spread;
        group.on_arrival = ruled.on_arrival;
    }
    if (!from.goal.empty()) {
        if (params.scene_goals == 0)
            throw Error(key + ".goal: the scene has no goals; give [field] some, on a [map]");
        read_goal(params, from.goal, key, group);
    }
    group.new_goal = !from.goal.empty();
    group.behaviour =
        static_cast<std::uint8_t>(std::distance(scene.behaviours.begin(), scene.behaviours.find(name)));
    set_drive(params, scene, name, from, g, group);
    return group;
}

TransitionParams transition_params(Params& params, const Scene& scene, std::size_t t) {
    const SceneTransition& from = scene.transitions[t];
    const std::string key = "transition[" + std::to_string(t) + "]";
    const auto part = [&](const char* name, double value, double most, const char* should) {
        require(std::isfinite(value) && value >= 0.0 && value <= most, key + name, value, should);
        return static_cast<float>(value);
    };
    TransitionParams to;
    to.below = part(".distance_below", from.distance_below, 1e6, "between 0 and 1e6");
    to.above = part(".distance_above", from.distance_above, 1e6, "between 0 and 1e6");
    to.health_below = part(".health_below", from.health_below, 1.0, "between 0 and 1");
    to.health_above = part(".health_above", from.health_above, 1.0, "between 0 and 1");
    to.neighbour_radius = part(".neighbour_radius", from.neighbour_radius, 1e6, "between 0 and 1e6");
    part(".after", from.after, 1e9, "between 0 and 1e9 seconds");
    to.after = to_clock(from.after);
    require(from.neighbours_below >= 0, key + ".neighbours_below", from.neighbours_below, "at least 0");
    require(from.neighbours_above >= -1, key + ".neighbours_above", from.neighbours_above, "at least -1");
    to.neighbours_below = from.neighbours_below;
    to.neighbours_above = from.neighbours_above;
    const bool far = to.below > 0.0f || to.above > 0.0f;
    const bool counts = to.neighbours_below > 0 || to.neighbours_above >= 0;
    if (from.target) {
        const double at[3] = {from.target->x - params.origin.x, from.target->y - params.origin.y,
                              from.target->z - params.origin.z};
        for (int k = 0; k < params.dim; ++k) {
            require(std::isfinite(at[k]) && std::fabs(at[k]) <= 1e12, key + ".target", at[k],
                    "finite and within 1e12 metres");
            to.target[k] = static_cast<float>(at[k]);
        }
        if (!far) throw Error(key + ".target: no distance to it is asked for; give distance_below or _above");
        to.to_target = true;
    }
    if ((far && !from.target) || counts) {
        const float reach = std::max(
            {from.target ? 0.0f : std::max(to.below, to.above), counts ? to.neighbour_radius : 0.0f});
        to.watch = watch_of(params, scene, from.group, reach, key + ".group");
    }
    if (!far && !counts && to.health_below == 0.0f && to.health_above == 0.0f && to.after == 0) {
        throw Error(key + ": it asks for nothing; give it a distance, health, neighbours or time");
    }
    return to;
}

void check_names(const Scene& scene) {
    for (std::size_t t = 0; t < scene.transitions.size(); ++t) {
        const std::string key = "transition[" + std::to_string(t) + "]";
        const SceneTransition& from = scene.transitions[t];
        if (from.from != "any") find_behaviour(scene, from.from, key + ".from");
        find_behaviour(scene, from.to, key + ".to");
    }
}

// The values of a measure for which a transition asks: more than `above`, less than `below`.
struct Asked {
    double above;
    double below;
};
constexpr double kAny = 1e300;

Asked both(const Asked& a, const Asked& b) {
    return {std::max(a.above, b.above), std::min(a.below, b.below)};
}
// `step`: the least difference between two values.
bool is_possible(const Asked& asked, double step = 0.0) {
    return asked.above + step < asked.below;
}

Asked distance_of(const SceneTransition& t) {
    return {t.distance_above > 0.0 ? t.distance_above : -kAny,
            t.distance_below > 0.0 ? t.distance_below : kAny};
}
Asked health_of(const SceneTransition& t) {
    return {t.health_above > 0.0 ? t.health_above : -kAny, t.health_below > 0.0 ? t.health_below : kAny};
}
Asked neighbours_of(const SceneTransition& t) {
    return {t.neighbours_above >= 0 ? t.neighbours_above : -kAny,
            t.neighbours_below > 0 ? t.neighbours_below : kAny};
}

// May both hold in one frame, as far as can be told?
bool may_both_hold(const SceneTransition& a, const SceneTransition& b) {
    const bool same_place = a.target && b.target && a.target->x == b.target->x &&
                            a.target->y == b.target->y && a.target->z == b.target->z;
    const bool same_distance = same_place || (!a.target && !b.target && a.group == b.group);
    if (same_distance && !is_possible(both(distance_of(a), distance_of(b)))) return false;
    if (!is_possible(both(health_of(a), health_of(b)))) return false;
    const bool same_count = a.group == b.group && a.neighbour_radius == b.neighbour_radius;
    return !same_count || is_possible(both(neighbours_of(a), neighbours_of(b)), 1.0);
}

// Each transition must be able to hold, and two that lead to and fro not both at once, or agents for which
// they do would change in every frame.
void check_hysteresis(const Scene& scene) {
    const auto key = [](std::size_t t) { return "transition[" + std::to_string(t) + "]"; };
    for (std::size_t a = 0; a < scene.transitions.size(); ++a) {
        const SceneTransition& in = scene.transitions[a];
        if (in.from == in.to) throw Error(key(a) + ".to: it leads to where it comes from; take it out");
        if (!may_both_hold(in, in))
            throw Error(key(a) +
                        ": no agent can be both below and above what it asks for; make one of them "
                        "a transition back");
        for (std::size_t b = 0; b < a; ++b) {
            const SceneTransition& out = scene.transitions[b];
            const bool to_and_fro = (in.from == out.to || in.from == "any") &&
                                    (out.from == in.to || out.from == "any") && in.to != out.to;
            if (!to_and_fro || in.after > 0.0 || out.after > 0.0 || !may_both_hold(in, out)) continue;
            throw Error(key(a) + ": it can hold together with " + key(b) +
                        ", which leads the other way, and agents would change in every frame; leave a gap "
                        "between what they ask for, or give one of them a time (after)");
        }
    }
}

// Group of the behaviour among those of [[agents]] number g.
std::optional<std::uint8_t> group_with(const Params& params, std::size_t g, std::uint8_t behaviour) {
    for (std::size_t n = 0; n < params.groups.size(); ++n) {
        const Group& group = params.groups[n];
        if (group.scene_group == g && group.behaviour == behaviour) return static_cast<std::uint8_t>(n);
    }
    return std::nullopt;
}

void add_transitions(Params& params, const Scene& scene) {
    const auto number = [&](const std::string& name) {
        return static_cast<std::uint8_t>(
            std::distance(scene.behaviours.begin(), scene.behaviours.find(name)));
    };
    for (std::size_t t = 0; t < scene.transitions.size(); ++t) {
        const SceneTransition& from = scene.transitions[t];
        TransitionParams to = transition_params(params, scene, t);
        const bool asks_health = to.health_below > 0.0f || to.health_above > 0.0f;
        bool has_user = false;
        for (std::size_t n = 0; n < params.groups.size(); ++n) {
            Group& group = params.groups[n];
            if (group.behaviour == kNoBehaviour || group.behaviour == number(from.to)) continue;
            if (from.from != "any" && group.behaviour != number(from.from)) continue;
            const auto next = group_with(params, group.scene_group, number(from.to));
            if (!next) continue;
            if (asks_health && group.combat.health == 0) {
                throw Error("transition[" + std::to_string(t) + "]: it asks for the health of " +
                            group_key(group.scene_group) + ", which has none; give it a combat");
            }
            to.to = *next;
            group.transitions.push_back(to);
            has_user = true;
        }
        if (!has_user)
            throw Error("transition[" + std::to_string(t) + "]: no [[agents]] has both behaviours, \"" +
                        from.from + "\" and \"" + from.to + "\"; add them, or take it out");
    }
}

}  // namespace

std::uint8_t watch_of(Params& params, const Scene& scene, double group, float reach, const std::string& key) {
    const auto count = static_cast<double>(scene.agents.size());
    if (!(group >= 0.0 && group < count) || group != std::floor(group)) {
        throw Error(key + ": there is no [[agents]] " + digits(group) + "; the scene has " +
                    std::to_string(scene.agents.size()) + ", counted from 0");
    }
    const auto wanted = static_cast<std::uint8_t>(group);
    std::size_t w = 0;
    while (w < params.watches.size() && params.watches[w].group != wanted) ++w;
    if (w == params.watches.size()) params.watches.push_back({wanted, 0.0f, false});
    params.watches[w].reach = std::max(params.watches[w].reach, reach);
    return static_cast<std::uint8_t>(w);
}

void set_up_behaviours(Params& params, const Scene& scene) {
    check_names(scene);
    check_hysteresis(scene);
    const std::size_t count = scene.agents.size();
    if (scene.behaviours.count("any") != 0)
        throw Error("behaviour.any: the name stands for all behaviours in a [[transition]]; choose another");
    if (scene.behaviours.size() >= kNoBehaviour) throw Error("behaviour: more than 254; merge some");
    for (std::size_t g = 0; g < count; ++g) {
        const std::vector<std::string>& names = scene.agents[g].behaviours;
        const Group base = params.groups[g];
        for (std::size_t b = 0; b < names.size(); ++b) {
            if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(b), names[b]) !=
                names.begin() + static_cast<std::ptrdiff_t>(b))
                throw Error(group_key(g) + ".behaviours: \"" + names[b] + "\" stands there twice");
            Group group = behaviour_group(params, scene, g, base, names[b]);
            if (b == 0) {
                params.groups[g] = group;
            } else {
                params.groups.push_back(group);
            }
        }
    }
    if (params.groups.size() > 255)
        throw Error("agents: more than 255 groups, each further behaviour counted as one; merge some");
    add_transitions(params, scene);
}

void set_up_watches(Frame& frame) {
    Agents& agents = frame.agents;
    for (const Group& group : frame.params.groups) {
        agents.has_combat = agents.has_combat || group.combat.present;
        agents.has_behaviours = agents.has_behaviours || group.behaviour != kNoBehaviour;
    }
    for (const WatchParams& from : frame.params.watches) {
        Watch& watch = frame.watches.emplace_back();
        watch.group = from.group;
        watch.wants_centre = from.wants_centre;
        watch.reach = from.reach;
        watch.cell = from.reach > 0.0f ? from.reach : frame.params.reach;
        watch.grid.set(frame.params.dim, watch.cell, frame.params.periodic);
    }
    for (Group& group : frame.params.groups) {
        for (std::size_t w = 0; w < frame.watches.size(); ++w) {
            if (frame.watches[w].group == group.scene_group) group.watch = static_cast<std::uint8_t>(w);
        }
        for (TransitionParams& t : group.transitions) {
            for (int k = 0; k < frame.params.dim && frame.params.periodic.on; ++k)
                t.target[k] = wrap_coordinate(frame.params.periodic, k, t.target[k]);
        }
    }
}

}  // namespace horde
