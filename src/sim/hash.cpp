#include <bit>

#include "sim/frame.h"
#include "sim/life/act.h"

namespace horde {
namespace {

std::uint64_t bits_of(float v) {
    return std::bit_cast<std::uint32_t>(v == 0.0f ? 0.0f : v);
}  // -0 counts as +0

std::uint64_t agent_hash(const Agents& agents, std::int64_t i) {
    std::uint64_t hash = mix64(agents.id.now[i]);
    for (int k = 0; k < agents.dim; ++k) {
        hash = mix64(hash, bits_of(agents.position[k].now[i]));
        hash = mix64(hash, bits_of(agents.velocity[k].now[i]));
    }
    for (int k = 0; k < agents.dim && agents.keeps_steering; ++k)
        hash = mix64(hash, bits_of(agents.kept[k].now[i]));
    hash = mix64(hash, agents.goal.now[i] | static_cast<std::uint64_t>(agents.group.now[i]) << 16 |
                           static_cast<std::uint64_t>(agents.state.now[i]) << 24);
    hash = mix64(hash, bits_of(agents.speed.now[i]) | bits_of(agents.stall.now[i]) << 32);
    if (agents.has_tiers) hash = mix64(hash, agents.tier.now[i]);
    if (agents.has_combat) {
        hash = mix64(hash, static_cast<std::uint32_t>(agents.health.now[i]) |
                               static_cast<std::uint64_t>(agents.combat.now[i]) << 32);
        hash = mix64(mix64(hash, agents.until.now[i]), agents.ready.now[i]);
    }
    if (agents.has_behaviours) hash = mix64(hash, agents.since.now[i]);
    return mix64(hash, agents.progress.now[i]);
}

}  // namespace

std::uint64_t state_hash(const Frame& frame) {
    constexpr std::uint64_t kFloat = 32;  // precision, in bits
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < frame.agents.count; ++i) sum += agent_hash(frame.agents, i);
    sum += mix64(mix64(mix64(frame.number), frame.params.seed), kFloat) + frame.agents.free_slots_hash;
    if (frame.land) sum += frame.land->terrain.hash();
    if (!frame.spawners.empty() || frame.agents.has_combat || frame.agents.has_behaviours)
        sum += mix64(frame.clock, 1);
    if (frame.agents.has_tiers) sum += viewpoints_hash(frame.tiers);
    return sum + contacts_hash(frame.bodies) + frame.fields.hash() + pushes_hash(frame) + blows_hash(frame);
}

}  // namespace horde
