// What the flocking rules share: whom an agent sees, and sums over those it sees.
#pragma once

#include <cstdint>

#include "base/lattice.h"
#include "base/random.h"
#include "base/vec.h"
#include "horde/agents.h"
#include "horde/scene.h"

namespace horde {

inline constexpr int kMostNearest = 64;

// FlockRule in the precision of the step.
template <class Real>
struct Sight {
    Real radius = 0;
    Real cos_half_angle = -1;
    bool all_round = true;
    NeighbourChoice choice = NeighbourChoice::kAll;
    int most = 0;
    // Separation: inside `distance` (exclusive, unless it is the radius of an arcade agent, which is
    // inclusive).
    Real separation_distance = 0;
    bool separation_inclusive = false;
    Real least_distance = 0;  // nearer neighbours push as if this far away
    bool part_coincident = true;
    int update_every = 1;
    bool separation_every_frame = false;
};

// Inside the radius? Float compares squares, exact on the lattice; double compares roots, as NumPy does.
HORDE_HD inline bool within(float d2, float radius) {
    return d2 <= radius * radius;
}
HORDE_HD inline bool within(double d2, double radius) {
    return std::sqrt(d2) <= radius;
}

// Does an agent that moves with `velocity` see what lies at `offset`? One that stands still sees all round.
template <int D, class Real>
HORDE_HD inline bool sees(const Sight<Real>& sight, Vec<D, Real> velocity, Vec<D, Real> offset, Real d2) {
    if (sight.all_round) return true;
    const Real speed2 = dot(velocity, velocity);
    if (speed2 == Real(0)) return true;
    return dot(velocity, offset) >= sight.cos_half_angle * (std::sqrt(speed2) * std::sqrt(d2));
}

// The push of one neighbour, -offset / d^2; zero beyond the separation distance. Any neighbour at the very
// place pushes along a direction hashed from the agent's own id: of a pile each takes its own way, and n of
// them push n times as much as one.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> separation_push(const Sight<Real>& sight, Vec<D, Real> offset, Real d2,
                                             AgentId own_id) {
    if (d2 == Real(0)) {
        if (!sight.part_coincident) return zero_vec<D, Real>();
        return hashed_direction<D, Real>(mix64(own_id)) / sight.least_distance;
    }
    Real reach2 = sight.separation_distance * sight.separation_distance;
    Real least2 = sight.least_distance * sight.least_distance;
    bool inside = sight.separation_inclusive ? d2 <= reach2 : d2 < reach2;
    if constexpr (sizeof(Real) == 8) {  // NumPy's order: the root, then its square again
        const Real d = std::sqrt(d2);
        inside = sight.separation_inclusive ? d <= sight.separation_distance : d < sight.separation_distance;
        const Real safe = d > sight.least_distance ? d : sight.least_distance;
        d2 = safe * safe;
        least2 = d2;
    }
    if (!inside) return zero_vec<D, Real>();
    return offset / (d2 > least2 ? -d2 : -least2);
}

// What a rule makes its steering from.
template <int D, class Real>
struct FlockSums {
    Vec<D, Real> offset;             // sum of the offsets to the neighbours
    Vec<D, Real> velocity;           // sum of their velocities
    Vec<D, Real> relative_velocity;  // sum of their velocities relative to the agent's
    Vec<D, Real> push;               // sum of the separation pushes
    Real count;
};

}  // namespace horde
