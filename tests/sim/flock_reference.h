// One step of the flocking rules, written from their definitions in double, without a grid and without
// sharing a line with the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "horde/scene.h"
#include "horde/world.h"

namespace horde::test {

struct ReferenceWorld {
    int dim = 2;
    Edge edge = Edge::kOpen;
    double length = 0.0;  // of the box [-length/2, length/2), for periodic and wrap
    double dt = 0.05;
    double least_share =
        0.0;  // of the separation distance: nearer neighbours push as from there (float: 1/64)

    // Set where rounding to float could tip the balance: somebody at the edge of what counts, or a direction
    // taken from a sum that nearly cancels. No fault of either side, so such agents are not compared in
    // float.
    mutable bool close_call = false;
    void note(bool close) const { close_call = close_call || close; }
};

using Triple = std::vector<double>;

inline double length_of(const Triple& v) {
    double sum = 0.0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
}
inline Triple scaled(Triple v, double s) {
    for (double& x : v) x *= s;
    return v;
}
inline Triple plus(Triple a, const Triple& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    return a;
}
inline Triple limited(const Triple& v, double most) {
    const double length = length_of(v);
    return length > most ? scaled(v, most / length) : v;
}

struct Seen {
    std::size_t j;
    Triple offset;
    double distance;
};

// Who agent i takes into account. Coincident agents are left to the caller: their offset is zero.
inline std::vector<Seen> seen_by(const ReferenceWorld& world, const std::vector<Triple>& x,
                                 const std::vector<Triple>& v, std::size_t i, double radius,
                                 const FlockRule& rule) {
    std::vector<Seen> all;
    for (std::size_t j = 0; j < x.size(); ++j) {
        if (j == i) continue;
        Triple offset(x[i].size());
        for (std::size_t k = 0; k < offset.size(); ++k) {
            offset[k] = x[j][k] - x[i][k];
            if (world.edge == Edge::kPeriodic)
                offset[k] -= world.length * std::floor(offset[k] / world.length + 0.5);
        }
        const double distance = length_of(offset);
        world.note(std::fabs(distance - radius) < 1e-4);
        if (distance > radius) continue;
        const double speed = length_of(v[i]);
        if (rule.half_angle < 180.0 && speed > 0.0 && distance > 0.0) {
            double along = 0.0;
            for (std::size_t k = 0; k < offset.size(); ++k) along += v[i][k] * offset[k];
            const double edge = std::cos(rule.half_angle * std::acos(-1.0) / 180.0) * speed * distance;
            world.note(std::fabs(along - edge) < 1e-4 * speed * distance);
            if (along < edge) continue;
        }
        all.push_back({j, offset, distance});
    }
    if (rule.neighbours == NeighbourChoice::kNearest) {
        std::stable_sort(all.begin(), all.end(),
                         [](const Seen& a, const Seen& b) { return a.distance < b.distance; });
        if (all.size() > static_cast<std::size_t>(rule.max_neighbours)) {
            const std::size_t cut = static_cast<std::size_t>(rule.max_neighbours);
            world.note(all[cut].distance - all[cut - 1].distance < 1e-4);
            all.resize(static_cast<std::size_t>(rule.max_neighbours));
        }
    }
    return all;
}

// Velocity of agent i after a step; noise must be zero.
inline Triple next_velocity(const ReferenceWorld& world, const std::vector<Triple>& x,
                            const std::vector<Triple>& v, std::size_t i, const Rule& any) {
    const Triple zero(x[i].size(), 0.0);
    const auto mean = [&](const std::vector<Seen>& seen, auto&& of) {
        Triple sum = zero;
        for (const Seen& s : seen) sum = plus(sum, of(s));
        return seen.empty() ? zero : scaled(sum, 1.0 / static_cast<double>(seen.size()));
    };
    const auto push = [&](const std::vector<Seen>& seen, double inside) {
        Triple sum = zero;
        for (const Seen& s : seen) {
            world.note(std::fabs(s.distance - inside) < 1e-4);
            if (s.distance == 0.0 || s.distance >= inside) continue;
            const double d = std::max(s.distance, world.least_share * inside);
            sum = plus(sum, scaled(s.offset, -1.0 / (d * d)));
        }
        return sum;
    };
    if (const auto* r = std::get_if<ReynoldsRule>(&any)) {
        const auto seen = seen_by(world, x, v, i, r->perception_radius, *r);
        Triple a = scaled(push(seen, r->separation_distance), r->separation_gain);
        a = plus(a, scaled(mean(seen, [](const Seen& s) { return s.offset; }), r->cohesion_gain));
        if (!seen.empty()) {
            a = plus(a, scaled(plus(mean(seen, [&](const Seen& s) { return v[s.j]; }), scaled(v[i], -1.0)),
                               r->alignment_gain));
        }
        return limited(plus(v[i], scaled(limited(a, r->max_accel), world.dt)), r->max_speed);
    }
    if (const auto* r = std::get_if<ArcadeRule>(&any)) {
        const auto seen = seen_by(world, x, v, i, r->neighbour_radius, *r);
        const Triple away = push(seen, std::nextafter(r->neighbour_radius, 1e9));
        Triple wish = scaled(limited(mean(seen, [](const Seen& s) { return s.offset; }), r->max_speed),
                             r->cohesion_weight);
        wish = plus(wish, scaled(limited(mean(seen, [&](const Seen& s) { return v[s.j]; }), r->max_speed),
                                 r->alignment_weight));
        if (length_of(away) > 0.0)
            wish = plus(wish, scaled(away, r->max_speed / length_of(away) * r->separation_weight));
        Triple desired = limited(wish, r->max_speed);
        world.note(length_of(away) < 0.05 || std::fabs(length_of(desired) - r->hold_speed) < 1e-3);
        if (length_of(desired) < r->hold_speed) desired = v[i];
        const Triple change = plus(desired, scaled(v[i], -1.0));
        const double most = r->max_force * world.dt;
        return length_of(change) <= most ? desired : plus(v[i], scaled(change, most / length_of(change)));
    }
    const auto& r = std::get<VicsekRule>(any);
    const auto seen = seen_by(world, x, v, i, r.radius, r);
    Triple sum = v[i];
    for (const Seen& s : seen) sum = plus(sum, v[s.j]);
    world.note(length_of(sum) < 0.05);
    if (length_of(sum) == 0.0) sum = v[i];
    return length_of(sum) == 0.0 ? sum : scaled(sum, r.speed / length_of(sum));
}

inline std::vector<Triple> triples(const std::vector<Vec3>& rows, int dim) {
    std::vector<Triple> all;
    for (const Vec3& r : rows) all.push_back(dim == 2 ? Triple{r.x, r.y} : Triple{r.x, r.y, r.z});
    return all;
}

}  // namespace horde::test
