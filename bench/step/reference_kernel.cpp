#include "bench/step/reference_kernel.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace horde::bench {
namespace {

constexpr int kPoints = 4096;
constexpr int kAsking = 2048;

struct Points {
    std::vector<float> x, y;
};

// Points of the unit square from a 32-bit linear congruence (Knuth's MMIX would need 64 bits; Numerical
// Recipes' does).
Points make_points() {
    Points points;
    std::uint32_t state = 1;
    const auto draw = [&state] {
        state = state * 1664525u + 1013904223u;
        return static_cast<float>(state >> 8) * 0x1p-24f;
    };
    for (int i = 0; i < kPoints; ++i) {
        points.x.push_back(draw());
        points.y.push_back(draw());
    }
    return points;
}

}  // namespace

std::int64_t reference_kernel() {
    static const Points points = make_points();
    constexpr float kRadius = 0.125f;
    std::int64_t near = 0;
    for (int i = 0; i < kAsking; ++i) {
        for (int j = 0; j < kPoints; ++j) {
            const float dx = points.x[j] - points.x[i];
            const float dy = points.y[j] - points.y[i];
            if (dx * dx + dy * dy <= kRadius * kRadius) ++near;
        }
    }
    return near;
}

double time_reference() {
    const auto began = std::chrono::steady_clock::now();
    const std::int64_t near = reference_kernel();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    if (near != kReferencePairs) {
        throw std::runtime_error("the reference kernel counts " + std::to_string(near) +
                                 " pairs; this build miscounts");
    }
    return took.count();
}

}  // namespace horde::bench
