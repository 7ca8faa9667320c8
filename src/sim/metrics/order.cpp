// How far agents agree: polarization, rotation, speed.
#include <cmath>

#include "horde/metrics.h"
#include "sim/metrics/image.h"

namespace horde {
namespace {

constexpr double kTwoPi = 6.283185307179586477;
constexpr double kNoCentre =
    1e-9;  // a mean of unit vectors shorter than this has no direction but that of rounding

double component(const Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
double& component(Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

Vec3 flat(const Vec3& v, int dim) {
    return {v.x, v.y, dim == 3 ? v.z : 0.0};
}

// A zero vector if it is shorter than kStillSpeed (for offsets: metres).
Vec3 unit(const Vec3& v) {
    const double length = std::sqrt(length_squared(v));
    if (length < kStillSpeed) return {};
    return {v.x / length, v.y / length, v.z / length};
}

Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

Vec3& operator+=(Vec3& a, const Vec3& b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}

// Mean of positions on one axis of a periodic world, as the angle of the mean of the positions on a circle.
std::optional<double> circular_mean(const Snapshot& snapshot, const Images& images, int axis) {
    double sum_sin = 0.0, sum_cos = 0.0;
    for (const Vec3& position : snapshot.position) {
        const double angle = kTwoPi * ((component(position, axis) - images.min[axis]) / images.length[axis]);
        sum_sin += std::sin(angle);
        sum_cos += std::cos(angle);
    }
    const double n = static_cast<double>(snapshot.count());
    if (std::sqrt(sum_sin * sum_sin + sum_cos * sum_cos) < kNoCentre * n) return std::nullopt;
    return images.min[axis] + images.length[axis] * (std::atan2(sum_sin, sum_cos) / kTwoPi);
}

std::optional<Vec3> centre_of(const Snapshot& snapshot, const Images& images) {
    Vec3 centre = snapshot.position.front();
    for (int k = 0; images.periodic() && k < snapshot.dim; ++k) {
        const std::optional<double> mean = circular_mean(snapshot, images, k);
        if (!mean) return std::nullopt;
        component(centre, k) = *mean;
    }
    // Relative to a place among them: the digits of a far origin are not lost in the sum.
    Vec3 sum;
    for (const Vec3& position : snapshot.position) sum += images.offset(centre, position);
    const double n = static_cast<double>(snapshot.count());
    centre += {sum.x / n, sum.y / n, sum.z / n};
    return centre;
}

}  // namespace

std::int64_t moving_agents(const Snapshot& snapshot) {
    std::int64_t moving = 0;
    for (const Vec3& velocity : snapshot.velocity) {
        if (std::sqrt(length_squared(flat(velocity, snapshot.dim))) >= kStillSpeed) ++moving;
    }
    return moving;
}

std::optional<double> polarization(const Snapshot& snapshot, StillAgents still) {
    const std::int64_t counted =
        still == StillAgents::kCount ? static_cast<std::int64_t>(snapshot.count()) : moving_agents(snapshot);
    if (counted == 0) return std::nullopt;
    Vec3 sum;
    for (const Vec3& velocity : snapshot.velocity) sum += unit(flat(velocity, snapshot.dim));
    const double n = static_cast<double>(counted);
    return std::sqrt(length_squared({sum.x / n, sum.y / n, sum.z / n}));
}

std::optional<double> mean_speed(const Snapshot& snapshot) {
    if (snapshot.count() == 0) return std::nullopt;
    double sum = 0.0;
    for (const Vec3& velocity : snapshot.velocity)
        sum += std::sqrt(length_squared(flat(velocity, snapshot.dim)));
    return sum / static_cast<double>(snapshot.count());
}

std::optional<double> rotation(const Snapshot& snapshot, const MetricSettings& settings) {
    check_images(snapshot, settings);
    if (snapshot.count() < 2) return std::nullopt;
    const Images images(snapshot.dim, settings.periodic);
    const std::optional<Vec3> centre = centre_of(snapshot, images);
    if (!centre) return std::nullopt;
    Vec3 sum;
    for (std::size_t i = 0; i < snapshot.count(); ++i) {
        const Vec3 outward = unit(images.offset(*centre, snapshot.position[i]));
        sum += cross(outward, unit(flat(snapshot.velocity[i], snapshot.dim)));
    }
    return std::sqrt(length_squared(sum)) / static_cast<double>(snapshot.count());
}

}  // namespace horde
