// What steering makes of an agent's velocity.
#pragma once

#include "sim/combat/combat.h"
#include "sim/frame.h"

namespace horde {

// The velocity that agent i would move with if nothing were in its way, on the velocity lattice.
template <int D>
inline Vec<D> next_velocity(const Frame& frame, const Group& group, std::int64_t i) {
    const Agents& agents = frame.agents;
    Vec<D> velocity = load<D>(agents.velocity, i);
    Vec<D> accel;
    for (int k = 0; k < D; ++k) accel[k] = agents.accel[k][i];
    if (!is_free(agents, i)) {
        // By two units at least, or the lattice would give back what a short step takes.
        const float loss = group.combat.friction * frame.dt, least = 2.0f * frame.params.velocity.unit;
        velocity = slowed(velocity, loss > least ? loss : least);
    } else if (group.kind == RuleKind::kCrowd) {
        velocity = clamp_norm(velocity + accel * frame.dt, group.crowd.max_speed);
    } else {
        velocity = flock_velocity(group.flock, velocity, accel, agents.speed.now[i], frame.dt);
    }
    for (int k = 0; k < D; ++k) velocity[k] = frame.params.velocity.snap(velocity[k]);
    return velocity;
}

}  // namespace horde
