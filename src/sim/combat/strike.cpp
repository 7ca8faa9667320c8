// What callers do to agents between frames: blows that wait for the next one.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "horde/error.h"
#include "horde/world.h"
#include "sim/combat/combat.h"
#include "sim/frame.h"
#include "sim/life/act.h"

namespace horde {
namespace {

constexpr std::int64_t kMostPoints = 1'000'000'000;
constexpr double kMostStun = 1e6;      // seconds
constexpr double kMostKnock = 1e6;     // metres a second
constexpr double kMostUnits = 0x1p31;  // of the velocity lattice: 2^31 blows cannot overflow a sum

void check_blow(const Frame& frame, const Blow& blow) {
    if (!frame.agents.has_combat)
        throw Error(
            "strike: no [[agents]] of the scene has a combat, so nobody can be struck; add a [combat.NAME]");
    const auto refuse = [](const char* member, double value, const char* should) {
        throw Error(std::string("strike: ") + member + " is " + std::to_string(value) + "; give " + should);
    };
    if (blow.damage < 0 || blow.damage > kMostPoints)
        refuse("damage", static_cast<double>(blow.damage), "points, 0 to 1e9");
    if (blow.heal < 0 || blow.heal > kMostPoints)
        refuse("heal", static_cast<double>(blow.heal), "points, 0 to 1e9");
    if (!(blow.stun >= 0.0 && blow.stun <= kMostStun)) refuse("stun", blow.stun, "seconds, 0 to 1e6");
    for (const double part : {blow.knock.x, blow.knock.y, blow.knock.z, blow.knockback}) {
        if (!(std::fabs(part) <= kMostKnock)) refuse("a knock", part, "metres a second within 1e6");
    }
}

// Adds what the blow does whatever lies between, and `away` times its knockback.
void add_blow(Frame& frame, std::int64_t i, const Blow& blow, const double (&away)[3]) {
    const double knock[3] = {blow.knock.x, blow.knock.y, blow.knock.z};
    const double unit = frame.params.velocity.unit;
    PendingBlow pending;
    pending.id = frame.agents.id.now[i];
    pending.hit.stun = to_clock(blow.stun);
    for (int k = 0; k < frame.params.dim; ++k) {
        const double units = (knock[k] + away[k] * blow.knockback) / unit;
        pending.hit.knock[k] =
            static_cast<std::int64_t>(std::floor(std::clamp(units, -kMostUnits, kMostUnits) + 0.5));
    }
    pending.hit.damage = blow.damage;
    frame.combat.pending.push_back(pending);
    if (blow.heal == 0) return;
    pending = {pending.id, {}};
    pending.hit.damage = -blow.heal;
    frame.combat.pending.push_back(pending);
}

bool can_be_struck(const Frame& frame, std::int64_t i) {
    return frame.params.groups[frame.agents.group.now[i]].combat.present && !is_dead(frame.agents, i);
}

}  // namespace

bool strike_agent(Frame& frame, AgentId id, const Blow& blow) {
    check_blow(frame, blow);
    const std::optional<std::int64_t> i = find_agent(frame.agents, id);
    if (!i || !can_be_struck(frame, *i)) return false;
    add_blow(frame, *i, blow, {0.0, 0.0, 0.0});
    return true;
}

std::int64_t strike_circle(Frame& frame, Vec3 centre, double radius, const Blow& blow, int group) {
    check_blow(frame, blow);
    if (group < -1 || group >= static_cast<int>(frame.params.scene_groups)) {
        throw Error("strike: there is no group " + std::to_string(group) + "; the scene has " +
                    std::to_string(frame.params.scene_groups) + ", and -1 stands for all");
    }
    return for_each_in_circle(frame, "strike", centre, radius,
                              [&](std::int64_t i, double distance, const double(&away)[3]) {
                                  const Group& of = frame.params.groups[frame.agents.group.now[i]];
                                  if (!can_be_struck(frame, i) || (group >= 0 && of.scene_group != group))
                                      return false;
                                  (void)distance;
                                  add_blow(frame, i, blow, away);
                                  return true;
                              });
}

std::uint64_t blows_hash(const Frame& frame) {
    if (frame.combat.pending.empty()) return 0;
    std::vector<PendingBlow> sorted = frame.combat.pending;
    std::sort(sorted.begin(), sorted.end(),
              [](const PendingBlow& a, const PendingBlow& b) { return a.id < b.id; });
    std::uint64_t hash = 0;
    for (std::size_t n = 0; n < sorted.size();) {
        PendingBlow sum{sorted[n].id, {}};
        std::int64_t healed = 0;
        for (; n < sorted.size() && sorted[n].id == sum.id; ++n) {
            const Hit& hit = sorted[n].hit;
            (hit.damage < 0 ? healed : sum.hit.damage) += hit.damage < 0 ? -hit.damage : hit.damage;
            sum.hit.stun = std::max(sum.hit.stun, hit.stun);
            for (int k = 0; k < 3; ++k) sum.hit.knock[k] += hit.knock[k];
        }
        if (frame.agents.generation[static_cast<std::uint32_t>(sum.id)] != sum.id >> 32) continue;  // gone
        std::uint64_t mix = mix64(mix64(sum.id, 0xau), static_cast<std::uint64_t>(sum.hit.damage));
        mix = mix64(mix64(mix, static_cast<std::uint64_t>(healed)), sum.hit.stun);
        for (const std::int64_t units : sum.hit.knock) mix = mix64(mix, static_cast<std::uint64_t>(units));
        hash += mix;
    }
    return hash;
}

}  // namespace horde
