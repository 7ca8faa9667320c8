#include <algorithm>
#include <cmath>
#include <string>

#include "horde/error.h"
#include "sim/behaviour/behaviour.h"
#include "sim/combat/combat.h"
#include "sim/field/sight.h"
#include "sim/frame.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

CombatParams combat_params(const std::string& name, const SceneCombat& from) {
    const std::string key = "combat." + name + ".";
    const auto within = [&](const char* member, double value, double least, double most, const char* should) {
        require(std::isfinite(value) && value >= least && value <= most, key + member, value, should);
        return value;
    };
    constexpr const char* kLength = "between 0 and 1e6";
    constexpr const char* kAboveNothing = "between 1e-6 and 1e6";
    constexpr const char* kTime = "between 0 and 1e9 seconds";
    constexpr const char* kPoints = "between 0 and 1e9";
    CombatParams to;
    to.present = true;
    to.health =
        static_cast<std::int32_t>(within("health", static_cast<double>(from.health), 0, 1e9, kPoints));
    to.damage =
        static_cast<std::int32_t>(within("damage", static_cast<double>(from.damage), 0, 1e9, kPoints));
    to.range = static_cast<float>(within("range", from.range, 1e-6, 1e6, kAboveNothing));
    to.splash = static_cast<float>(within("splash", from.splash, 0, 1e6, kLength));
    to.cooldown = to_clock(within("cooldown", from.cooldown, 0, 1e9, kTime));
    to.attack_time = to_clock(within("attack_time", from.attack_time, 0, 1e9, kTime));
    to.stun = to_clock(within("stun", from.stun, 0, 1e9, kTime));
    to.corpse_time = to_clock(within("corpse_time", from.corpse_time, 0, 1e9, kTime));
    to.knockback = static_cast<float>(within("knockback", from.knockback, 0, 1e6, kLength));
    to.max_knockback =
        static_cast<float>(within("max_knockback", from.max_knockback, 1e-6, 1e6, kAboveNothing));
    to.friction = static_cast<float>(within("friction", from.friction, 1e-6, 1e6, kAboveNothing));
    to.through_walls = from.through_walls;
    return to;
}

void set_combat(Params& params, const Scene& scene, std::size_t g) {
    const SceneAgents& agents = scene.agents[g];
    const std::string key = "agents[" + std::to_string(g) + "]";
    if (agents.combat.empty()) return;
    const auto found = scene.combat.find(agents.combat);
    if (found == scene.combat.end()) {
        throw Error(key + ".combat: there is no combat \"" + agents.combat + "\"; add a [combat." +
                    agents.combat + "] table");
    }
    CombatParams& combat = params.groups[g].combat;
    combat = combat_params(agents.combat, found->second);
    const float reach = std::max(combat.range, combat.splash);
    if (params.groups[g].kind == RuleKind::kVicsek)
        throw Error(key +
                    ".combat: agents of a vicsek rule never stop; give them another rule, or no combat");
    for (const double target : found->second.targets)
        combat.targets.push_back(
            watch_of(params, scene, target, reach, "combat." + agents.combat + ".targets"));
    params.max_knockback = std::max(params.max_knockback, combat.max_knockback);
}

}  // namespace

void set_up_combat(Params& params, const Scene& scene) {
    for (const auto& [name, combat] : scene.combat) combat_params(name, combat);  // also what nobody has
    for (std::size_t g = 0; g < scene.agents.size(); ++g) set_combat(params, scene, g);
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        std::vector<std::uint8_t> targets = params.groups[g].combat.targets;
        const std::string key = "combat." + scene.agents[g].combat + ".targets: [[agents]] ";
        std::sort(targets.begin(), targets.end());
        for (std::size_t n = 0; n < targets.size(); ++n) {
            const std::uint8_t target = params.watches[targets[n]].group;
            if (n > 0 && targets[n] == targets[n - 1])
                throw Error(key + std::to_string(target) + " stands there twice; name each once");
            if (!params.groups[target].combat.present)
                throw Error(key + std::to_string(target) +
                            " has no combat, so nothing can happen to it; give it one, if with health 0");
        }
    }
}

void check_combat_scales(const Params& params, const Scene& scene, const Map* map) {
    float slowest = 0.0f;
    for (const Group& group : params.groups) {
        const float speed = largest_speed(group);
        slowest = slowest == 0.0f ? speed : std::min(slowest, speed);
    }
    constexpr double kSpeedRatio = 512.0;
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const CombatParams& combat = params.groups[g].combat;
        if (!combat.present) continue;
        const std::string key = "combat." + scene.agents[g].combat;
        require(combat.max_knockback <= kSpeedRatio * static_cast<double>(slowest), key + ".max_knockback",
                combat.max_knockback,
                ("at most 512 times the largest speed of the slowest rule, " +
                 digits(static_cast<double>(slowest)) + " m/s, or that would be lost in rounding")
                    .c_str());
        if (map == nullptr || combat.through_walls || combat.targets.empty()) continue;
        require(combat.range <= static_cast<double>(kSightCells) * map->cell_size, key + ".range",
                combat.range, "at most 512 cells of the map, beyond which nobody sees, or through_walls");
    }
}

}  // namespace horde
