/// The vector of the public API.
#pragma once

namespace horde {

/// A point in metres or a velocity in metres a second, in world coordinates. z stays 0 in 2D.
struct Vec3 {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    bool operator==(const Vec3&) const = default;
};

}  // namespace horde
