// Agents that have arrived and stay: they keep off each other's bodies, make way for walkers who go
// elsewhere, and step back when they were pushed away.
#pragma once

#include "horde/field.h"
#include "sim/rules/crowd.h"

namespace horde {

// Cosine of the angle to either side of its flow in which an agent takes another to be in its way.
inline constexpr float kAheadCosine = 0.5f;
// An arrived agent holds those behind it that are within so many times the sum of their radii.
inline constexpr float kHoldReach = 1.5f;
// A walker that keeps a time gap only comes near to the body ahead: it touches at so many times that sum.
inline constexpr float kTouchReach = 1.1f;
// Who moves faster than this part of its walking speed has not settled, and stops nobody.
inline constexpr float kSettledSpeed = 0.25f;
// A wish slower than this part of the walking speed is none: agents come to rest.
inline constexpr float kRestSpeed = 0.01f;
// Arrived agents take up their velocity so many times as fast as walkers.
inline constexpr float kArrivedHaste = 5.0f;
// How much farther from the goal than where it arrived, times the cost of the cell that it is in: from the
// first an agent steps back, from the second it is a walker again.
inline constexpr std::uint64_t kStepBackFrom = kStraightStep + kStraightStep / 2;
inline constexpr std::uint64_t kWalkAgainFrom = 6 * kStraightStep;

// Does an agent at `offset`, `d2` its squared length, stand in the way along `flow` (length 1)?
template <int D>
HORDE_HD inline bool is_ahead(Vec<D> offset, float d2, Vec<D> flow) {
    const float along = dot(offset, flow);
    return along > 0.0f && along * along >= kAheadCosine * kAheadCosine * d2;
}

// The push that a walker within R makes an arrived agent give way by: 1 - d/R along the unit vector away from
// it, bent to the side of its path. Straight in front of it both ids decide on the side.
template <int D>
HORDE_HD inline void add_yield(SeparationSum<D>& sum, float radius, Vec<D> offset, float d2, Vec<D> walking,
                               std::uint64_t own_id, std::uint64_t other_id) {
    const float speed2 = dot(walking, walking);
    if (!(d2 > 0.0f) || !(speed2 > 0.0f)) return add_separation<D>(sum, radius, offset, d2, own_id);
    const float d = std::sqrt(d2);
    Vec<D> away = offset / -d;
    const Vec<D> heading = walking / std::sqrt(speed2);
    const float along = dot(away, heading);
    if (along > 0.0f) {
        Vec<D> side = away - heading * along;
        const float width = norm(side);
        if (width > 0x1p-8f) {
            side = side / width;
        } else {
            side = zero_vec<D>();
            const float turn = (mix64(own_id, other_id) & 1) != 0 ? 1.0f : -1.0f;
            side[0] = -turn * heading[1];
            side[1] = turn * heading[0];
        }
        const Vec<D> bent = side + away * 0.25f;
        away = bent / norm(bent);
    }
    const float part = d / radius;
    add_units<D>(sum, away, 1.0f - (part > kLeastDistance ? part : kLeastDistance));
}

// The push of a neighbour whose body an arrived agent touches: 1 - d/C, C the sum of their radii. Linear, so
// that overlaps vanish fast, and less for bodies that are small against the separation radius R.
template <int D>
HORDE_HD inline void add_contact(SeparationSum<D>& sum, float radius, float contact, Vec<D> offset, float d2,
                                 std::uint64_t own_id) {
    if (!(d2 > 0.0f)) return add_separation<D>(sum, contact, offset, d2, own_id);
    const float d = std::sqrt(d2);
    const float part = d / contact;
    const float size = 2.0f * contact / radius;
    const float strength = 1.0f - (part > kLeastDistance ? part : kLeastDistance);
    add_units<D>(sum, offset / -d, size < 1.0f ? strength * size : strength);
}

// Acceleration of an arrived agent that would go `speed` along `flow`, 0 if it may stay. In a long frame
// pushes count for less: bodies that part by more than they overlap would never come to rest.
template <int D>
HORDE_HD inline Vec<D> arrived_accel(const CrowdParams& rule, float dt, Vec<D> velocity, Vec<D> flow,
                                     float speed, float own_speed, const SeparationSum<D>& sum) {
    const float most_gain = rule.separation_radius / (8.0f * dt);
    const float gain = rule.separation_gain < most_gain ? rule.separation_gain : most_gain;
    Vec<D> desired;
    for (int k = 0; k < D; ++k) desired[k] = static_cast<float>(sum.units[k]) * kSeparationUnit * gain;
    desired = flow * speed + clamp_norm(desired, own_speed);
    const float rest = kRestSpeed * own_speed;
    if (dot(desired, desired) < rest * rest) desired = zero_vec<D>();
    const float brisk = rule.tau / kArrivedHaste;
    const float tau = brisk > dt ? brisk : dt;
    Vec<D> accel = desired - velocity;
    for (int k = 0; k < D; ++k) accel[k] = accel[k] / tau;
    return clamp_norm(accel, rule.max_accel);
}

}  // namespace horde
