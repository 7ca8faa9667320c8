// The move of flocking agents, written once over lane operations: see lanes_copy.h.
#pragma once

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

template <class L, int D>
typename L::F norm(const typename L::F (&v)[D]) {
    typename L::F square = L::mul(v[0], v[0]);
    for (int k = 1; k < D; ++k) square = L::add(square, L::mul(v[k], v[k]));
    return L::sqrt(square);
}

// clamp_norm in lanes: the product with 1 leaves all bits.
template <class L, int D>
void clamp_length(typename L::F (&v)[D], typename L::F limit) {
    const auto length = norm<L, D>(v);
    const auto scale = L::choose(L::lt(limit, length), L::div(limit, length), L::set(1.0f));
    for (int k = 0; k < D; ++k) v[k] = L::mul(v[k], scale);
}

// arcade_velocity in lanes: `desired` becomes the velocity.
template <class L, int D>
void change_toward(typename L::F (&desired)[D], const typename L::F (&velocity)[D], const LaneMove& rule) {
    typename L::F change[D];
    auto square = L::mul(desired[0], desired[0]);
    for (int k = 1; k < D; ++k) square = L::add(square, L::mul(desired[k], desired[k]));
    for (int k = 0; k < D; ++k) change[k] = L::sub(desired[k], velocity[k]);
    const auto length = norm<L, D>(change);
    const auto most = L::set(rule.most_change);
    const auto hold = L::lt(square, L::set(rule.hold2));
    const auto met = L::le(length, most);
    for (int k = 0; k < D; ++k) {
        const auto part = L::add(velocity[k], L::mul(L::div(change[k], length), most));
        desired[k] = L::choose(hold, velocity[k], L::choose(met, desired[k], part));
    }
}

// Nearest multiples of a unit, see Lattice::snap; never -0.
template <class L>
typename L::F snap(typename L::F v, float per_unit, float unit) {
    return L::mul(L::add(L::round_float(L::mul(v, L::set(per_unit))), L::zero()), L::set(unit));
}

// Moves one vector of agents from number `i` on. Returns those that are outside.
template <class L, int D, LaneMotion kMotion>
typename L::M move_vector(const LaneMove& rule, const LaneMotionColumns& columns, std::int64_t i,
                          typename L::M valid) {
    using F = typename L::F;
    F old[D], next[D];
    const F limit = L::load_where(valid, columns.limit + i);
    for (int k = 0; k < D; ++k) {
        old[k] = L::load_where(valid, columns.velocity[k] + i);
        next[k] = L::load_where(valid, columns.steering[k] + i);
        if constexpr (kMotion == LaneMotion::kReynolds)
            next[k] = L::add(old[k], L::mul(next[k], L::set(rule.dt)));
    }
    if constexpr (kMotion != LaneMotion::kVicsek) clamp_length<L, D>(next, limit);
    if constexpr (kMotion == LaneMotion::kArcade) change_toward<L, D>(next, old, rule);
    auto inside = valid;
    for (int k = 0; k < D; ++k) {
        const F velocity = snap<L>(next[k], rule.velocity_per_unit, rule.velocity_unit);
        const F step = snap<L>(L::mul(velocity, L::set(rule.dt)), rule.position_per_unit, rule.position_unit);
        const F there = L::add(L::load_where(valid, columns.position[k] + i), step);
        const F place = snap<L>(there, rule.position_per_unit, rule.position_unit);
        L::store_where(valid, columns.next_velocity[k] + i, velocity);
        L::store_where(valid, columns.next_position[k] + i, place);
        inside = L::le_where(inside, L::set(rule.least[k]), place);
        inside = L::le_where(inside, place, L::set(rule.most[k]));
    }
    return L::without(valid, inside);
}

template <class L, int D, LaneMotion kMotion>
std::int64_t move_agents(const LaneMove& rule, const LaneMotionColumns& columns, std::int64_t count,
                         std::int32_t* outside) {
    std::int64_t left = 0;
    for (std::int64_t i = 0; i < count; i += L::kWidth) {
        const auto valid = L::first(static_cast<std::int32_t>(count - i < L::kWidth ? count - i : L::kWidth));
        for (std::uint32_t bits = L::mask(move_vector<L, D, kMotion>(rule, columns, i, valid)); bits != 0;
             bits &= bits - 1) {
            outside[left++] = static_cast<std::int32_t>(i) + __builtin_ctz(bits);
        }
    }
    return left;
}

template <class L, int D>
std::int64_t move_in(const LaneMove& rule, const LaneMotionColumns& columns, std::int64_t count,
                     std::int32_t* outside) {
    switch (rule.motion) {
        case LaneMotion::kReynolds:
            return move_agents<L, D, LaneMotion::kReynolds>(rule, columns, count, outside);
        case LaneMotion::kArcade:
            return move_agents<L, D, LaneMotion::kArcade>(rule, columns, count, outside);
        case LaneMotion::kVicsek:
            return move_agents<L, D, LaneMotion::kVicsek>(rule, columns, count, outside);
    }
    return 0;
}

template <class L>
std::int64_t move(const LaneMove& rule, const LaneMotionColumns& columns, std::int64_t count,
                  std::int32_t* outside) {
    return (rule.dim == 2 ? move_in<L, 2> : move_in<L, 3>)(rule, columns, count, outside);
}

}  // namespace
}  // namespace horde
