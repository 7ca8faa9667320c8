// Cameras in double precision, and what they see by the book: by clipping in homogeneous coordinates, without
// planes.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "horde/render.h"

namespace horde::test {

using Matrix = std::array<double, 16>;  // column-major

inline Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix m{};
    for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) {
            for (int k = 0; k < 4; ++k) m[4 * c + r] += a[4 * k + r] * b[4 * c + k];
        }
    }
    return m;
}

inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 scaled(Vec3 a, double s) {
    return {a.x * s, a.y * s, a.z * s};
}
inline Vec3 sum(Vec3 a, Vec3 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 unit(Vec3 a) {
    return scaled(a, 1.0 / std::sqrt(dot(a, a)));
}

// Right-handed: looks along -z of its own axes.
inline Matrix look(Vec3 eye, Vec3 ahead, Vec3 up) {
    const Vec3 f = unit(ahead), s = unit(cross(f, up)), u = cross(s, f);
    return {s.x, u.x, -f.x, 0.0, s.y,          u.y,          -f.y,        0.0,
            s.z, u.z, -f.z, 0.0, -dot(s, eye), -dot(u, eye), dot(f, eye), 1.0};
}

struct Lens {
    double half_width = 1.0;  // tangents of half the angles of view; of an orthographic lens metres
    double half_height = 0.6;
    double near = 0.1;
    double far = 100.0;  // may be infinite
    bool reversed = false;
    bool orthographic = false;
    ClipDepth depth = ClipDepth::kZeroToOne;
};

// z of clip space is a * z + b, chosen so that the near distance maps to one end of the range and far to the
// other.
inline Matrix projection(const Lens& lens) {
    const double low = lens.depth == ClipDepth::kZeroToOne ? 0.0 : -1.0;
    const double at_near = lens.reversed ? 1.0 : low, at_far = lens.reversed ? low : 1.0;
    Matrix m{};
    m[0] = 1.0 / lens.half_width;
    m[5] = 1.0 / lens.half_height;
    if (lens.orthographic) {
        const double a = (at_far - at_near) / (lens.near - lens.far);
        m[10] = a;
        m[14] = at_near + a * lens.near;
        m[15] = 1.0;
        return m;
    }
    m[11] = -1.0;  // w is the distance ahead
    if (std::isinf(lens.far)) {
        m[10] = -at_far;
        m[14] = (at_near - at_far) * lens.near;
    } else {  // -a n + b = n at_near and -a f + b = f at_far
        const double a = (at_near * lens.near - at_far * lens.far) / (lens.far - lens.near);
        m[10] = a;
        m[14] = at_near * lens.near + a * lens.near;
    }
    return m;
}

struct TestCamera {
    Camera camera;
    Vec3 inside;  // a point in sight
};

inline TestCamera make_camera(Vec3 eye, Vec3 ahead, const Lens& lens, Vec3 up = {0.0, 0.0, 1.0}) {
    TestCamera made;
    made.camera.depth = lens.depth;
    made.camera.view_projection = multiply(projection(lens), look(eye, ahead, up));
    made.inside = sum(eye, scaled(unit(ahead), lens.near * 1.01));
    return made;
}

inline std::array<double, 4> to_clip(const Camera& camera, Vec3 p) {
    const Matrix& m = camera.view_projection;
    std::array<double, 4> c;
    for (int r = 0; r < 4; ++r) c[r] = m[r] * p.x + m[4 + r] * p.y + m[8 + r] * p.z + m[12 + r];
    return c;
}

// How far inside of one of the six conditions of clip space a point is; at least 0 if it is.
inline double inside_by(const Camera& camera, const std::array<double, 4>& c, int condition) {
    switch (condition) {
        case 0:
            return c[3] + c[0];
        case 1:
            return c[3] - c[0];
        case 2:
            return c[3] + c[1];
        case 3:
            return c[3] - c[1];
        case 4:
            return camera.depth == ClipDepth::kZeroToOne ? c[2] : c[3] + c[2];
        default:
            return c[3] - c[2];
    }
}

inline bool is_in_sight(const Camera& camera, Vec3 p) {
    const auto c = to_clip(camera, p);
    for (int k = 0; k < 6; ++k) {
        if (inside_by(camera, c, k) < 0.0) return false;
    }
    return true;
}

// Is any part of the box in sight? Clips its faces; if nothing is left of them, the box may still hold all
// that is in sight.
inline bool box_in_sight(const TestCamera& camera, Vec3 min, Vec3 max) {
    const Vec3 p = camera.inside;
    if (p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y && p.z >= min.z && p.z <= max.z)
        return true;
    const auto corner = [&](int n) {
        return to_clip(camera.camera, {(n & 1) != 0 ? max.x : min.x, (n & 2) != 0 ? max.y : min.y,
                                       (n & 4) != 0 ? max.z : min.z});
    };
    constexpr int kFaces[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                  {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    for (const auto& face : kFaces) {
        std::vector<std::array<double, 4>> polygon;
        for (const int n : face) polygon.push_back(corner(n));
        for (int k = 0; k < 6 && !polygon.empty(); ++k) {
            std::vector<std::array<double, 4>> left;
            for (std::size_t n = 0; n < polygon.size(); ++n) {
                const auto& a = polygon[n];
                const auto& b = polygon[(n + 1) % polygon.size()];
                const double da = inside_by(camera.camera, a, k), db = inside_by(camera.camera, b, k);
                if (da >= 0.0) left.push_back(a);
                if ((da < 0.0) == (db < 0.0)) continue;
                std::array<double, 4> cut;
                for (int r = 0; r < 4; ++r) cut[r] = a[r] + (b[r] - a[r]) * (da / (da - db));
                left.push_back(cut);
            }
            polygon = left;
        }
        if (!polygon.empty()) return true;
    }
    return false;
}

// Draws cameras of every kind.
class Cameras {
  public:
    explicit Cameras(std::uint32_t seed) : random_(seed) {}

    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    Vec3 in_box(double half) { return {uniform(-half, half), uniform(-half, half), uniform(-half, half)}; }

    Lens lens() {
        Lens lens;
        lens.half_width = std::exp(uniform(-2.5, 1.0));
        lens.half_height = lens.half_width * uniform(0.3, 2.0);
        lens.near = std::exp(uniform(-4.0, 1.0));
        lens.far = lens.near + std::exp(uniform(0.0, 6.0));
        lens.reversed = uniform(0.0, 1.0) < 0.5;
        lens.orthographic = uniform(0.0, 1.0) < 0.2;
        if (lens.orthographic) {
            lens.half_width *= 30.0;
            lens.half_height *= 30.0;
        } else if (uniform(0.0, 1.0) < 0.3) {
            lens.far = std::numeric_limits<double>::infinity();
        }
        lens.depth = uniform(0.0, 1.0) < 0.5 ? ClipDepth::kZeroToOne : ClipDepth::kMinusOneToOne;
        return lens;
    }

    // Somewhere in a cube, looking at some place near its middle.
    TestCamera camera(Vec3 about, double half) {
        const Vec3 eye = in_box(half);
        const Vec3 ahead = sum(in_box(0.3 * half), scaled(eye, -1.0));
        return make_camera(sum(about, eye), ahead, lens(), unit(in_box(1.0)));
    }

  private:
    std::mt19937 random_;
};

}  // namespace horde::test
