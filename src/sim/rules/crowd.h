// Walkers: follow the flow, keep apart, never be held up for long.
#pragma once

#include <cstdint>

#include "base/lattice.h"
#include "base/random.h"
#include "base/vec.h"

namespace horde {

// [rule.NAME] in the precision of the step.
struct CrowdParams {
    float max_speed = 0.0f;
    float max_accel = 0.0f;
    float tau = 0.0f;
    float radius = 0.0f;
    float separation_radius = 0.0f;
    float separation_gain = 0.0f;
    float arrival_radius = 0.0f;
    float stuck_after = 0.0f;
    float time_gap = 0.0f;
    bool line_of_sight = false;
};

// A separation term has length 0 to 1; it is added in steps of 2^-18, so that the sum has no order.
inline constexpr float kSeparationUnit = 0x1p-18f;
// Neighbours nearer than this part of the radius push as if they were this far away.
inline constexpr float kLeastDistance = 1.0f / 64.0f;
// Neighbours may take all of an agent's walking speed at first, less with every moment in which it comes no
// nearer, and this part of it once it has waited for 0.4 stuck_after: what is left then covers several metres
// before the agent would count as stuck.
inline constexpr float kLeastHold = 0.2f;

// An agent that keeps a time gap and has waited for stuck_after walks at this part of its speed all the same.
inline constexpr float kStuckPace = 0.2f;

template <int D>
struct SeparationSum {
    std::int64_t units[D];
};

// Adds `strength` (0 to 1) along a unit vector.
template <int D>
HORDE_HD inline void add_units(SeparationSum<D>& sum, Vec<D> away, float strength) {
    for (int k = 0; k < D; ++k) {
        sum.units[k] +=
            static_cast<std::int64_t>(round_to_even(strength * away[k] * (1.0f / kSeparationUnit)));
    }
}

// The push of one neighbour within `radius` R: (1 - d/R)^2 along the unit vector away from it. `offset` leads
// to the neighbour and has the squared length d2 <= R*R. From who stands at the very place an agent parts
// along a direction hashed from its own id, as in separation_push.
template <int D>
HORDE_HD inline void add_separation(SeparationSum<D>& sum, float radius, Vec<D> offset, float d2,
                                    std::uint64_t own_id) {
    Vec<D> away;
    float share = kLeastDistance;
    if (d2 > 0.0f) {
        const float d = std::sqrt(d2);
        for (int k = 0; k < D; ++k) away[k] = -offset[k] / d;
        const float part = d / radius;
        if (part > share) share = part;
    } else {
        away = hashed_direction<D>(mix64(own_id));
    }
    add_units<D>(sum, away, (1.0f - share) * (1.0f - share));
}

// The largest speed along the flow of a walker with `gap` metres to the body ahead: it keeps the time gap of
// its rule (Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016), but for
// one who has waited long.
HORDE_HD inline float pace_behind(const CrowdParams& rule, float speed, float stall, float gap) {
    if (!(rule.time_gap > 0.0f)) return speed;
    const float late = 2.0f * stall / rule.stuck_after - 1.0f;
    const float least = speed * kStuckPace * (late > 0.0f ? (late < 1.0f ? late : 1.0f) : 0.0f);
    const float pace = gap > 0.0f ? gap / rule.time_gap : 0.0f;
    if (pace < least) return least;
    return pace < speed ? pace : speed;
}

// Velocity wanted by a walker that would go `speed` along `flow` (length 1, or 0 without a goal). Neighbours
// may turn it, slow it and even hold it, but less and less the longer it has come no nearer (`stall`
// seconds): the drive wins, so that opposing walkers pass in any corridor. `pace` is the largest speed along
// the flow, from pace_behind.
template <int D>
HORDE_HD inline Vec<D> crowd_desired(const CrowdParams& rule, Vec<D> flow, float speed, float pace,
                                     float stall, const SeparationSum<D>& sum) {
    Vec<D> push;
    for (int k = 0; k < D; ++k) {
        push[k] = static_cast<float>(sum.units[k]) * kSeparationUnit * rule.separation_gain;
    }
    push = clamp_norm(push, speed);
    if (dot(flow, flow) > 0.0f) {
        const float patience = 1.0f - 2.0f * stall / rule.stuck_after;
        const float most = speed * (patience > kLeastHold ? patience : kLeastHold);
        const float against = dot(push, flow);
        if (against < -most) push = push + flow * (-most - against);
    }
    Vec<D> desired = flow * pace + push;
    if (pace < speed) {  // pushes from behind do not count
        const float along = dot(desired, flow);
        if (along > pace) desired = desired + flow * (pace - along);
    }
    return desired;
}

// Acceleration toward the desired velocity. A frame of `dt` longer than tau takes it up at once: more would
// swing about it.
template <int D>
HORDE_HD inline Vec<D> crowd_accel(const CrowdParams& rule, float dt, Vec<D> velocity, Vec<D> desired) {
    const float tau = rule.tau > dt ? rule.tau : dt;
    Vec<D> accel = desired - velocity;
    for (int k = 0; k < D; ++k) accel[k] = accel[k] / tau;
    return clamp_norm(accel, rule.max_accel);
}

}  // namespace horde
