// Steering of one flocking agent on the scalar backend.
#pragma once

#include "sim/flock_gather.h"
#include "sim/frame.h"
#include "sim/thinks.h"

namespace horde {

// Where the float world's candidates are: runs of the grid.
template <int D>
struct LatticeStore {
    const Frame& frame;
    Vec<D> position;  // of the agent that asks

    template <class F>
    void for_candidates(std::int64_t, float radius, StageCounts& counts, F&& f) const {
        for_candidate_runs<D>(frame.grid.view(), position, radius,
                              [&](std::uint32_t begin, std::uint32_t end) {
                                  counts.candidates += end - begin;
                                  for (std::uint32_t j = begin; j < end; ++j) {
                                      if (!is_dead(frame.agents, j)) f(static_cast<std::int64_t>(j));
                                  }
                              });
    }
    Vec<D> offset(std::int64_t, std::int64_t j) const {
        return offset_between<D>(frame.grid.view(), position, load<D>(frame.agents.position, j));
    }
    Vec<D> velocity(std::int64_t j) const { return load<D>(frame.agents.velocity, j); }
    AgentId id(std::int64_t j) const { return frame.agents.id.now[j]; }
};

// Sums in whole lattice units, so that they have no order. 64 bits hold 2^39 neighbours at the largest
// offset, 2^24 units.
template <int D>
struct LatticeSums {
    const Lattice position, speed, push;
    std::int64_t offset_units[D] = {};
    std::int64_t velocity_units[D] = {};
    std::int64_t relative_units[D] = {};
    std::int64_t push_units[D] = {};
    std::int64_t count = 0;

    void add_social(Vec<D> offset, Vec<D> velocity, Vec<D> own) {
        for (int k = 0; k < D; ++k) {
            const auto units = static_cast<std::int64_t>(velocity[k] * speed.per_unit);
            offset_units[k] += static_cast<std::int64_t>(offset[k] * position.per_unit);
            velocity_units[k] += units;
            relative_units[k] += units - static_cast<std::int64_t>(own[k] * speed.per_unit);
        }
        ++count;
    }
    void add_self(Vec<D> own) {
        for (int k = 0; k < D; ++k) velocity_units[k] += static_cast<std::int64_t>(own[k] * speed.per_unit);
    }
    void add_push(Vec<D> p) {
        for (int k = 0; k < D; ++k) {
            push_units[k] += static_cast<std::int64_t>(round_to_even(p[k] * push.per_unit));
        }
    }
    FlockSums<D, float> sums() const {
        FlockSums<D, float> s;
        for (int k = 0; k < D; ++k) {
            s.offset[k] = static_cast<float>(offset_units[k]) * position.unit;
            s.velocity[k] = static_cast<float>(velocity_units[k]) * speed.unit;
            s.relative_velocity[k] = static_cast<float>(relative_units[k]) * speed.unit;
            s.push[k] = static_cast<float>(push_units[k]) * push.unit;
        }
        s.count = static_cast<float>(count);
        return s;
    }
};

// The steering of agent i with the drive of its behaviour.
template <int D>
Vec<D> with_drive(const Agents& agents, const Group& group, std::int64_t i, Vec<D> steering) {
    if (group.drive.kind == Drive::kNone) return steering;
    Vec<D> drive;
    for (int k = 0; k < D; ++k) drive[k] = agents.drive[k][i];
    if (group.kind == RuleKind::kArcade) return steering + drive * (group.drive.gain * agents.speed.now[i]);
    return clamp_norm(steering + drive * group.drive.gain, group.flock.reynolds.max_accel);
}

// Writes accel (and what is kept) of agent i from what was found around it. A rule that separates in every
// frame may not be due; then only the pushes are used.
template <int D>
void use_flock_sums(Frame& frame, const Group& group, std::int64_t i, bool due, const LatticeSums<D>& found) {
    Agents& agents = frame.agents;
    const FlockParams<float>& rule = group.flock;
    const float limit = agents.speed.now[i];
    const FlockSums<D, float> sums = found.sums();
    Vec<D> steering = agents.keeps_steering ? load<D>(agents.kept, i) : zero_vec<D>();
    if (rule.sight.separation_every_frame) {
        if (due) steering = flock_social(rule, sums, limit);
        for (int k = 0; k < D && agents.keeps_steering; ++k) agents.kept[k].now[i] = steering[k];
        steering = with_drive<D>(agents, group, i, flock_join(rule, steering, sums.push, limit));
    } else {
        Noise<float> noise;
        if (rule.kind == RuleKind::kVicsek) {
            noise = draw_noise<float>(frame.params.seed, agents.id.now[i], frame.number);
        }
        steering = flock_steering(rule, sums, load<D>(agents.velocity, i), limit, noise);
        steering = with_drive<D>(agents, group, i, steering);
        for (int k = 0; k < D && agents.keeps_steering; ++k) agents.kept[k].now[i] = steering[k];
    }
    set_touch(agents, i, 0);
    for (int k = 0; k < D; ++k) agents.accel[k][i] = steering[k];
}

// Steers agent i by neighbours that it looks for itself.
template <int D>
void steer_flocking_agent(Frame& frame, const Group& group, std::int64_t i, StageCounts& counts) {
    Agents& agents = frame.agents;
    if (is_dead(agents, i)) {
        set_touch(agents, i, 0);
        for (int k = 0; k < D; ++k) agents.accel[k][i] = 0.0f;
        return;
    }
    const FlockParams<float>& rule = group.flock;
    const bool vicsek = rule.kind == RuleKind::kVicsek;
    const bool due = thinks(frame, i, rule.sight.update_every);
    if (due || rule.sight.separation_every_frame) {
        const LatticeStore<D> store{frame, load<D>(agents.position, i)};
        LatticeSums<D> found{frame.params.position, frame.params.velocity, group.push};
        gather_flock<D>(store, rule.sight, i, {.social = due, .push = !vicsek, .self = vicsek}, found,
                        counts);
        use_flock_sums<D>(frame, group, i, due, found);
        return;
    }
    // Keeps its steering; a vicsek agent its heading, whatever it was.
    const Vec<D> steering = load<D>(vicsek ? agents.velocity : agents.kept, i);
    set_touch(agents, i, 0);
    for (int k = 0; k < D; ++k) agents.accel[k][i] = steering[k];
}

}  // namespace horde
