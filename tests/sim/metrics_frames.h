// Snapshots for tests of metrics, and metrics by their definitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "horde/metrics.h"
#include "points.h"

namespace horde::test {

inline Snapshot snapshot_of(int dim, std::vector<Vec3> position, std::vector<Vec3> velocity = {}) {
    Snapshot out;
    out.dim = dim;
    velocity.resize(position.size());
    for (std::size_t i = 0; i < position.size(); ++i) out.id.push_back(i);
    out.position = std::move(position);
    out.velocity = std::move(velocity);
    out.goal.assign(out.count(), kNoGoal);
    out.type.assign(out.count(), 0);
    out.state.assign(out.count(), AgentState::kWalking);
    return out;
}

inline Snapshot snapshot_of(const Points& points) {
    std::vector<Vec3> position;
    for (std::size_t i = 0; i < points.size(); ++i) position.push_back(points.at(i));
    return snapshot_of(points.dim, std::move(position));
}

// |b - a|^2 with every image of a periodic world looked at.
inline double distance_squared(const Snapshot& s, const std::optional<Bounds>& periodic, std::size_t i,
                               std::size_t j) {
    const Vec3 &a = s.position[i], &b = s.position[j];
    const double plain[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    double length[3] = {};
    if (periodic) {
        length[0] = periodic->max.x - periodic->min.x;
        length[1] = periodic->max.y - periodic->min.y;
        length[2] = periodic->max.z - periodic->min.z;
    }
    double sum = 0.0;
    for (int k = 0; k < s.dim; ++k) {
        double nearest = plain[k];
        for (const int turn : {-1, 1}) {
            const double other = plain[k] + turn * length[k];
            if (std::fabs(other) < std::fabs(nearest)) nearest = other;
        }
        sum += nearest * nearest;
    }
    return sum;
}

// Groups by walking from agent to agent.
inline Clusters clusters_by_definition(const Snapshot& s, const MetricSettings& settings) {
    Clusters found;
    std::vector<bool> seen(s.count(), false);
    for (std::size_t first = 0; first < s.count(); ++first) {
        if (seen[first]) continue;
        ++found.count;
        std::vector<std::size_t> group = {first};
        seen[first] = true;
        for (std::size_t at = 0; at < group.size(); ++at) {
            for (std::size_t j = 0; j < s.count(); ++j) {
                if (seen[j] ||
                    distance_squared(s, settings.periodic, group[at], j) > settings.radius * settings.radius)
                    continue;
                seen[j] = true;
                group.push_back(j);
            }
        }
        found.largest = std::max(found.largest, static_cast<std::int64_t>(group.size()));
    }
    return found;
}

}  // namespace horde::test
