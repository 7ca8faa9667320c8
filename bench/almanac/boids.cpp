#include "bench/almanac/boids.h"

namespace horde::bench {
namespace {

// The three rules, each with a scan of its own.
Vec<2> cohesion(const std::vector<Boid>& flock, std::size_t i, const BoidRule& rule) {
    Vec<2> centre = zero_vec<2>();
    int count = 0;
    for (std::size_t j = 0; j < flock.size(); ++j) {
        if (j == i) continue;
        if (within_by_root(flock[i], flock[j], rule.neighbour_radius)) {
            centre = centre + flock[j].position;
            ++count;
        }
    }
    if (count == 0) return zero_vec<2>();
    return clamp_norm(centre / static_cast<float>(count) - flock[i].position, rule.max_speed);
}

Vec<2> alignment(const std::vector<Boid>& flock, std::size_t i, const BoidRule& rule) {
    Vec<2> heading = zero_vec<2>();
    int count = 0;
    for (std::size_t j = 0; j < flock.size(); ++j) {
        if (j == i) continue;
        if (within_by_root(flock[i], flock[j], rule.neighbour_radius)) {
            heading = heading + flock[j].velocity;
            ++count;
        }
    }
    if (count == 0) return zero_vec<2>();
    return clamp_norm(heading / static_cast<float>(count), rule.max_speed);
}

Vec<2> full_speed_along(Vec<2> push, float max_speed) {
    const float length = norm(push);
    return length > 0.0f ? push / length * max_speed : zero_vec<2>();
}

Vec<2> separation(const std::vector<Boid>& flock, std::size_t i, const BoidRule& rule) {
    Vec<2> push = zero_vec<2>();
    for (std::size_t j = 0; j < flock.size(); ++j) {
        if (j == i) continue;
        const Vec<2> offset = flock[i].position - flock[j].position;
        const float distance = norm(offset);
        if (distance > 0.0f && distance <= rule.neighbour_radius)
            push = push + offset / (distance * distance);
    }
    return full_speed_along(push, rule.max_speed);
}

float wrapped(float x, float length) {
    const float half = length * 0.5f;
    if (x < -half) return x + length;
    return x > half ? x - length : x;
}

}  // namespace

Vec<2> steer_by_three_scans(const std::vector<Boid>& flock, std::size_t i, const BoidRule& rule) {
    return cohesion(flock, i, rule) * rule.cohesion_weight +
           alignment(flock, i, rule) * rule.alignment_weight +
           separation(flock, i, rule) * rule.separation_weight;
}

Vec<2> steer_by_list(const std::vector<Boid>& flock, std::size_t i, const std::uint32_t* neighbours,
                     std::size_t count, const BoidRule& rule) {
    if (count == 0) return zero_vec<2>();
    Vec<2> centre = zero_vec<2>();
    Vec<2> heading = zero_vec<2>();
    Vec<2> push = zero_vec<2>();
    const Vec<2> own = flock[i].position;
    for (std::size_t n = 0; n < count; ++n) {
        const Boid& other = flock[neighbours[n]];
        centre = centre + other.position;
        heading = heading + other.velocity;
        const Vec<2> offset = own - other.position;
        const float distance_squared = dot(offset, offset);
        if (distance_squared > 0.0f) push = push + offset / distance_squared;
    }
    const auto many = static_cast<float>(count);
    return clamp_norm(centre / many - own, rule.max_speed) * rule.cohesion_weight +
           clamp_norm(heading / many, rule.max_speed) * rule.alignment_weight +
           full_speed_along(push, rule.max_speed) * rule.separation_weight;
}

void gather_all(const std::vector<Boid>& flock, std::size_t i, float radius,
                std::vector<std::uint32_t>& out) {
    const float radius_squared = radius * radius;
    for (std::size_t j = 0; j < flock.size(); ++j) {
        if (j == i) continue;
        if (within_by_square(flock[i], flock[j], radius_squared))
            out.push_back(static_cast<std::uint32_t>(j));
    }
}

void move_boid(Boid& boid, Vec<2> steering, const BoidRule& rule, float dt) {
    const Vec<2> desired = clamp_norm(steering, rule.max_speed);
    if (dot(desired, desired) >= 1.0f) {  // a shorter wish is none
        const Vec<2> change = desired - boid.velocity;
        const float length = norm(change);
        const float most = rule.max_force * dt;
        boid.velocity = length <= most ? desired : boid.velocity + change / length * most;
    }
    boid.position = boid.position + boid.velocity * dt;
    for (int k = 0; k < 2; ++k) boid.position[k] = wrapped(boid.position[k], rule.area[k]);
}

}  // namespace horde::bench
