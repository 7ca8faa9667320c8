// Random point sets for searches, and a brute force of their own.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "horde/neighbours.h"

namespace horde::test {

struct Points {
    int dim = 2;
    std::vector<float> axis[3];
    std::optional<Bounds> periodic;

    std::size_t size() const { return axis[0].size(); }
    void add(double x, double y, double z) {
        axis[0].push_back(static_cast<float>(x));
        axis[1].push_back(static_cast<float>(y));
        if (dim == 3) axis[2].push_back(static_cast<float>(z));
    }
    Vec3 at(std::size_t i) const { return {axis[0][i], axis[1][i], dim == 3 ? axis[2][i] : 0.0}; }
};

// Neighbours of point i by the definition, with every image of a periodic world looked at.
inline std::vector<std::uint32_t> by_definition(const Points& points, std::size_t i, float radius) {
    std::vector<std::uint32_t> found;
    const double length[3] = {points.periodic ? points.periodic->max.x - points.periodic->min.x : 0.0,
                              points.periodic ? points.periodic->max.y - points.periodic->min.y : 0.0,
                              points.periodic ? points.periodic->max.z - points.periodic->min.z : 0.0};
    for (std::size_t j = 0; j < points.size(); ++j) {
        if (j == i) continue;
        float d2 = 0.0f;
        for (int k = 0; k < points.dim; ++k) {
            float offset = points.axis[k][j] - points.axis[k][i];
            if (points.periodic) {
                const double plain =
                    static_cast<double>(points.axis[k][j]) - static_cast<double>(points.axis[k][i]);
                double nearest = plain;
                for (const int turn : {-1, 1}) {
                    if (std::fabs(plain + turn * length[k]) < std::fabs(nearest))
                        nearest = plain + turn * length[k];
                }
                offset = static_cast<float>(nearest);
            }
            d2 = k == 0 ? offset * offset : d2 + offset * offset;
        }
        if (d2 <= radius * radius) found.push_back(static_cast<std::uint32_t>(j));
    }
    return found;
}

// A world of 0 to 150 points: spread, clustered, stacked or in a row; around the origin, in one quadrant, or
// far away; bounded, boundless or periodic.
inline Points random_points(int dim, bool periodic) {
    Points points;
    points.dim = dim;
    const double side = *rc::gen::element(1.0, 7.0, 40.0, 1000.0);
    const double centre = periodic ? 0.0 : *rc::gen::element(0.0, 0.0, -500.0, 500.0, 1e6, -1e6);
    const int layout = *rc::gen::inRange(0, 4);
    const int count = *rc::gen::inRange(0, 150);
    const auto unit = [] { return *rc::gen::inRange(0, 1 << 20) * 0x1p-20; };
    if (periodic) {
        points.periodic =
            Bounds{{-0.5 * side, -0.5 * side, -0.5 * side}, {0.5 * side, 0.5 * side, 0.5 * side}};
    }
    for (int n = 0; n < count; ++n) {
        double at[3];
        for (double& x : at) x = centre + (unit() - 0.5) * side;
        if (layout == 1) {  // five tight clusters
            for (double& x : at) x = centre + ((n % 5) - 2) * 0.19 * side + (x - centre) * 0.02;
        } else if (layout == 2 && n % 3 != 0) {  // stacked on three places, the corner among them
            for (double& x : at) x = centre + ((n % 7) / 3 - 1) * 0.5 * side;
            if (periodic) {
                for (double& x : at) x = x >= 0.5 * side ? -0.5 * side : x;
            }
        } else if (layout == 3) {  // on a line along x
            at[1] = at[2] = centre;
        }
        points.add(at[0], at[1], at[2]);
    }
    return points;
}

}  // namespace horde::test
