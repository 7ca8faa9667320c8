// Offsets between agents of a snapshot: plain, or to the nearest image.
#pragma once

#include <cmath>
#include <limits>

#include "horde/metrics.h"

namespace horde {

struct Images {
    static constexpr double kOpen =
        std::numeric_limits<double>::infinity();  // length of an axis that does not repeat

    int dim = 2;
    double min[3] = {};
    double length[3] = {kOpen, kOpen, kOpen};

    Images(int dim_of_snapshot, const std::optional<Bounds>& periodic) : dim(dim_of_snapshot) {
        if (!periodic) return;
        const double low[3] = {periodic->min.x, periodic->min.y, periodic->min.z};
        const double high[3] = {periodic->max.x, periodic->max.y, periodic->max.z};
        for (int k = 0; k < dim; ++k) {
            min[k] = low[k];
            length[k] = high[k] - low[k];
        }
    }

    bool periodic() const { return length[0] < kOpen; }

    double nearest(double offset, int axis) const {
        const double whole = length[axis];
        // Positions of a file may lie anywhere; those of a world take the line below, which has no branch.
        if (std::fabs(offset) >= 1.5 * whole) offset -= whole * std::rint(offset / whole);
        const double turned = offset - std::copysign(whole, offset);
        return std::fabs(turned) < std::fabs(offset) ? turned : offset;
    }

    // From a to b; z is 0 in 2D.
    Vec3 offset(const Vec3& a, const Vec3& b) const {
        return {nearest(b.x - a.x, 0), nearest(b.y - a.y, 1), dim == 3 ? nearest(b.z - a.z, 2) : 0.0};
    }

    // The place within [min, min + length) that a position stands for.
    double wrapped(double x, int axis) const {
        if (!(length[axis] < kOpen)) return x;
        const double inside = x - length[axis] * std::floor((x - min[axis]) / length[axis]);
        return inside < min[axis] || inside >= min[axis] + length[axis] ? min[axis] : inside;
    }
};

inline double length_squared(const Vec3& v) {
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

// Throws Error if the periodic bounds are not finite or empty on an axis of the snapshot.
void check_images(const Snapshot& snapshot, const MetricSettings& settings);

}  // namespace horde
