// How far apart agents are: over all pairs, and by the room they take.
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "horde/error.h"
#include "horde/metrics.h"
#include "sim/metrics/image.h"

namespace horde {
namespace {

constexpr std::uint64_t kSampleSeed = 0x686f726465;  // any number, as long as it stays

double distance(const Images& images, const Vec3& a, const Vec3& b) {
    return std::sqrt(length_squared(images.offset(a, b)));
}

// Sum over the pairs of agent i with later ones. Four sums side by side, since one would wait for each
// addition.
double distances_from(const Snapshot& snapshot, const Images& images, std::size_t i) {
    const Vec3* position = snapshot.position.data();
    const std::size_t count = snapshot.count();
    double sum[4] = {};
    std::size_t j = i + 1;
    for (; j + 4 <= count; j += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane)
            sum[lane] += distance(images, position[i], position[j + lane]);
    }
    for (; j < count; ++j) sum[0] += distance(images, position[i], position[j]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double mean_over_all(const Snapshot& snapshot, const Images& images) {
    double sum = 0.0;
    for (std::size_t i = 0; i < snapshot.count(); ++i) sum += distances_from(snapshot, images, i);
    const double n = static_cast<double>(snapshot.count());
    return sum / (0.5 * n * (n - 1.0));
}

std::size_t draw_below(std::uint64_t n, std::uint64_t draw, std::uint64_t side) {
    const double unit = to_unit_interval<double>(mix64(mix64(kSampleSeed, draw), side));
    return static_cast<std::size_t>(unit * static_cast<double>(n));  // below n: unit is at most 1 - 2^-53
}

double mean_over_sample(const Snapshot& snapshot, const Images& images, std::int64_t pairs) {
    const std::uint64_t n = snapshot.count();
    double sum = 0.0;
    for (std::int64_t draw = 0; draw < pairs; ++draw) {
        const auto key = static_cast<std::uint64_t>(draw);
        const std::size_t i = draw_below(n, key, 0);
        std::size_t j = draw_below(n - 1, key, 1);
        if (j >= i) ++j;
        sum += distance(images, snapshot.position[i], snapshot.position[j]);
    }
    return sum / static_cast<double>(pairs);
}

}  // namespace

void check_images(const Snapshot& snapshot, const MetricSettings& settings) {
    if (!settings.periodic) return;
    const Images images(snapshot.dim, settings.periodic);
    for (int k = 0; k < snapshot.dim; ++k) {
        if (!std::isfinite(images.min[k]) || !std::isfinite(images.length[k]) || !(images.length[k] > 0.0)) {
            throw Error(
                "metrics: the periodic bounds are empty or not finite; max must exceed min on each axis");
        }
    }
}

std::optional<double> mean_pair_distance(const Snapshot& snapshot, const MetricSettings& settings) {
    check_images(snapshot, settings);
    if (snapshot.count() < 2) return std::nullopt;
    const Images images(snapshot.dim, settings.periodic);
    if (static_cast<std::int64_t>(snapshot.count()) <= settings.exact_pairs_up_to) {
        return mean_over_all(snapshot, images);
    }
    if (settings.sampled_pairs < 1) throw Error("metrics: sampled_pairs must be at least 1");
    return mean_over_sample(snapshot, images, settings.sampled_pairs);
}

std::optional<double> density(const Snapshot& snapshot, const MetricSettings& settings) {
    check_images(snapshot, settings);
    if (snapshot.count() == 0) return std::nullopt;
    Vec3 low = snapshot.position.front(), high = low;
    for (const Vec3& p : snapshot.position) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    if (settings.periodic) {
        low = settings.periodic->min;
        high = settings.periodic->max;
    }
    double size = (high.x - low.x) * (high.y - low.y);
    if (snapshot.dim == 3) size *= high.z - low.z;
    const double value = static_cast<double>(snapshot.count()) / size;
    if (!(size > 0.0) || !std::isfinite(size) || !std::isfinite(value)) return std::nullopt;
    return value;
}

}  // namespace horde
