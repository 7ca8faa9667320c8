// The stage `combat`: effects that end, attacks, and what all of them together do to each agent.
#include "sim/combat/combat.h"

#include <algorithm>

#include "sim/frame.h"
#include "sim/sights.h"

namespace horde {
namespace {

// What ends in this frame, ends.
template <int D>
void end_effects(Frame& frame, std::int64_t i) {
    Agents& agents = frame.agents;
    CombatState& state = agents.combat.now[i];
    const bool over = frame.clock >= agents.until.now[i];
    if (state == CombatState::kDead) return;
    if (over) {
        state = CombatState::kFree;
    } else if (state == CombatState::kKnockedBack) {
        const Vec<D> velocity = load<D>(agents.velocity, i);
        if (!(dot(velocity, velocity) > 0.0f)) state = CombatState::kStunned;
    }
}

// Adds `speed` along `offset` to a hit, in whole units.
template <int D>
void add_knock(const Frame& frame, Vec<D> offset, float speed, AgentId target, Hit& hit) {
    if (!(speed > 0.0f)) return;
    constexpr float kMostUnits = 0x1p31f;  // 2^31 hits cannot overflow a sum
    const float units = std::min(speed * frame.params.velocity.per_unit, kMostUnits);
    const float length = norm(offset);
    const Vec<D> away = length > 0.0f ? offset / length : hashed_direction<D>(mix64(target));
    for (int k = 0; k < D; ++k) hit.knock[k] += static_cast<std::int64_t>(round_to_even(away[k] * units));
}

template <int D>
void hit_one(const Frame& frame, const CombatParams& combat, std::uint32_t target, Vec<D> offset,
             std::vector<Hit>& hits) {
    Hit hit;
    hit.target = target;
    hit.damage = combat.damage;
    hit.stun = combat.stun;
    add_knock<D>(frame, offset, combat.knockback, frame.agents.id.now[target], hit);
    hits.push_back(hit);
}

template <int D>
Vec<D> offset_of(const Watched& other) {
    Vec<D> offset;
    for (int k = 0; k < D; ++k) offset[k] = other.offset[k];
    return offset;
}

// The target of agent i: of all its groups the nearest in range, then that of the least id.
template <int D>
std::optional<Watched> find_target(const Frame& frame, const CombatParams& combat, std::int64_t i,
                                   std::int64_t& cut) {
    const Agents& agents = frame.agents;
    const Vec<D> from = load<D>(agents.position, i);
    const auto in_sight = [&](const Watched& other) { return sees_over_walls(frame, i, other.index); };
    std::optional<Watched> best;
    for (const std::uint8_t watch : combat.targets) {
        const auto found =
            combat.through_walls || !frame.ground
                ? nearest_watched<D>(frame.watches[watch], agents, from, combat.range, i)
                : nearest_seen<D>(frame.watches[watch], agents, from, combat.range, i, cut, in_sight);
        if (found && (!best || is_before(agents, *found, *best))) best = found;
    }
    return best;
}

template <int D>
void attack(Frame& frame, const Group& group, std::int64_t i, CombatChunk& chunk) {
    Agents& agents = frame.agents;
    const CombatParams& combat = group.combat;
    const std::optional<Watched> target = find_target<D>(frame, combat, i, chunk.cut);
    if (!target) return;
    ++chunk.attacks;
    agents.ready.now[i] = frame.clock + combat.cooldown;
    if (combat.attack_time > 0) {
        agents.combat.now[i] = CombatState::kAttacking;
        agents.until.now[i] = frame.clock + combat.attack_time;
    }
    if (!(combat.splash > 0.0f)) {
        return hit_one<D>(frame, combat, target->index, offset_of<D>(*target), chunk.hits);
    }
    const Vec<D> from = load<D>(agents.position, i);
    const Vec<D> at = load<D>(agents.position, target->index);
    for (const std::uint8_t watch : combat.targets) {
        for_each_watched<D>(frame.watches[watch], at, combat.splash, i, [&](const Watched& other) {
            const bool shielded =
                !combat.through_walls && !sees_over_walls(frame, target->index, other.index);
            if (shielded) return;
            const Vec<D> offset =
                offset_between<D>(frame.grid.view(), from, load<D>(agents.position, other.index));
            hit_one<D>(frame, combat, other.index, offset, chunk.hits);
        });
    }
}

template <int D>
void act(Frame& frame, std::int64_t begin, std::int64_t end, CombatChunk& chunk) {
    Agents& agents = frame.agents;
    for (std::int64_t i = begin; i < end; ++i) {
        const Group& group = frame.params.groups[agents.group.now[i]];
        if (!group.combat.present) continue;
        if (agents.combat.now[i] != CombatState::kFree) end_effects<D>(frame, i);
        if (agents.combat.now[i] != CombatState::kFree || !group.attacks || group.combat.targets.empty() ||
            frame.clock < agents.ready.now[i])
            continue;
        attack<D>(frame, group, i, chunk);
    }
}

// Blows of callers become hits, if their agent still lives.
void take_pending(Frame& frame) {
    Combat& combat = frame.combat;
    for (const PendingBlow& blow : combat.pending) {
        const std::optional<std::int64_t> i = find_agent(frame.agents, blow.id);
        if (!i) continue;
        combat.hits.push_back(blow.hit);
        combat.hits.back().target = static_cast<std::uint32_t>(*i);
    }
    combat.pending.clear();
}

void die(Frame& frame, const Group& group, std::int64_t i) {
    Agents& agents = frame.agents;
    agents.combat.now[i] = CombatState::kDead;
    agents.until.now[i] = frame.clock + group.combat.corpse_time;
    Fallen fallen{agents.id.now[i], frame.params.origin};
    double* const place[] = {&fallen.place.x, &fallen.place.y, &fallen.place.z};
    if (agents.dim == 2) fallen.place.z = 0.0;
    for (int k = 0; k < agents.dim; ++k) *place[k] += static_cast<double>(agents.position[k].now[i]);
    frame.combat.fallen.push_back(fallen);
}

// Adds a knock to the velocity of agent i, which makes it no faster than max_knockback or it was. Returns the
// time that friction needs to take all of it away.
template <int D>
std::uint64_t knock(Frame& frame, const CombatParams& combat, std::int64_t i,
                    const std::int64_t (&units)[3]) {
    Agents& agents = frame.agents;
    const Lattice& lattice = frame.params.velocity;
    const Vec<D> before = load<D>(agents.velocity, i);
    Vec<D> velocity;
    for (int k = 0; k < D; ++k) {
        velocity[k] = static_cast<float>(static_cast<double>(before[k]) +
                                         static_cast<double>(units[k]) * static_cast<double>(lattice.unit));
    }
    velocity = clamp_norm(velocity, std::max(combat.max_knockback, norm(before)));
    for (int k = 0; k < D; ++k) agents.velocity[k].now[i] = lattice.snap(velocity[k]);
    return to_clock(static_cast<double>(norm(velocity)) / static_cast<double>(combat.friction));
}

// All hits of one agent at once.
template <int D>
void suffer(Frame& frame, const Hit& sum, std::int64_t damage, std::int64_t healed) {
    Agents& agents = frame.agents;
    const std::int64_t i = sum.target;
    const Group& group = frame.params.groups[agents.group.now[i]];
    const CombatParams& combat = group.combat;
    const bool knocked = sum.knock[0] != 0 || sum.knock[1] != 0 || sum.knock[2] != 0;
    const std::uint64_t flight = knocked ? knock<D>(frame, combat, i, sum.knock) : 0;
    if (combat.health > 0) {
        const std::int64_t most = agents.health.now[i] + healed;
        frame.report.damage += std::min(damage, most);
        agents.health.now[i] =
            static_cast<std::int32_t>(std::clamp<std::int64_t>(most - damage, 0, combat.health));
        if (most <= damage) return die(frame, group, i);
    }
    if (!knocked && sum.stun == 0) return;
    CombatState& state = agents.combat.now[i];
    const bool was_down = state == CombatState::kStunned || state == CombatState::kKnockedBack;
    const std::uint64_t until = frame.clock + std::max(sum.stun, flight);
    agents.until.now[i] = was_down ? std::max(agents.until.now[i], until) : until;
    if (knocked) {
        state = CombatState::kKnockedBack;
    } else if (!was_down) {
        state = CombatState::kStunned;
    }
}

// Who died, in order of id.
void list_deaths(Combat& combat) {
    std::sort(combat.fallen.begin(), combat.fallen.end(),
              [](const Fallen& a, const Fallen& b) { return a.id < b.id; });
    combat.deaths.clear();
    combat.death_places.clear();
    for (const Fallen& fallen : combat.fallen) {
        combat.deaths.push_back(fallen.id);
        combat.death_places.push_back(fallen.place);
    }
    combat.fallen.clear();
}

void apply_hits(Frame& frame) {
    std::vector<Hit>& hits = frame.combat.hits;
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.target < b.target; });
    for (std::size_t n = 0; n < hits.size();) {
        Hit sum;
        sum.target = hits[n].target;
        std::int64_t damage = 0, healed = 0, count = 0;
        for (; n < hits.size() && hits[n].target == sum.target; ++n) {
            (hits[n].damage < 0 ? healed : damage) += hits[n].damage < 0 ? -hits[n].damage : hits[n].damage;
            sum.stun = std::max(sum.stun, hits[n].stun);
            for (int k = 0; k < 3; ++k) sum.knock[k] += hits[n].knock[k];
            count += hits[n].damage >= 0 ? 1 : 0;  // healing is a part of a blow
        }
        const Group& group = frame.params.groups[frame.agents.group.now[sum.target]];
        if (!group.combat.present || is_dead(frame.agents, sum.target)) continue;
        frame.report.hits += count;
        frame.params.dim == 2 ? suffer<2>(frame, sum, damage, healed) : suffer<3>(frame, sum, damage, healed);
    }
}

}  // namespace

void combat_stage(Frame& frame) {
    Combat& combat = frame.combat;
    const std::int64_t count = frame.agents.count, grain = frame.executor->grain(count);
    const auto chunks = static_cast<std::size_t>((count + grain - 1) / grain);
    combat.chunks.resize(std::max(combat.chunks.size(), chunks));
    for (CombatChunk& chunk : combat.chunks) {
        chunk.hits.clear();
        chunk.attacks = chunk.cut = 0;
    }
    frame.executor->for_chunks(count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        CombatChunk& out = combat.chunks[static_cast<std::size_t>(chunk)];
        frame.params.dim == 2 ? act<2>(frame, begin, end, out) : act<3>(frame, begin, end, out);
    });
    FrameReport& report = frame.report;
    report.attacks = report.damage = report.hits = 0;
    combat.hits.clear();
    take_pending(frame);
    for (const CombatChunk& chunk : combat.chunks) {
        report.attacks += chunk.attacks;
        report.searches_cut += chunk.cut;
        combat.hits.insert(combat.hits.end(), chunk.hits.begin(), chunk.hits.end());
    }
    apply_hits(frame);
    list_deaths(combat);
    report.died = static_cast<std::int64_t>(combat.deaths.size());
    report.died_total += report.died;
}

void remove_dead(Frame& frame) {
    FrameReport& report = frame.report;
    report.stunned = report.knocked_back = report.dead = 0;
    Agents& agents = frame.agents;
    if (!agents.has_combat) return;
    std::vector<std::uint32_t>& leaving = frame.combat.leaving;
    leaving.clear();
    for (std::int64_t i = 0; i < agents.count; ++i) {
        const CombatState state = agents.combat.now[i];
        report.stunned += state == CombatState::kStunned ? 1 : 0;
        report.knocked_back += state == CombatState::kKnockedBack ? 1 : 0;
        if (state != CombatState::kDead) continue;
        if (agents.until.now[i] <= frame.clock) {
            leaving.push_back(static_cast<std::uint32_t>(i));
        } else {
            ++report.dead;
        }
    }
    remove_agents(agents, leaving);
}

}  // namespace horde
