// Tiers from the outside: their settings and the viewpoints.
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/random.h"
#include "horde/error.h"
#include "sim/frame.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

constexpr std::size_t kMostViewpoints = 1024;
constexpr double kFarthest = 1e15;  // metres

void check_distance(const char* key, double value) {
    require(std::isfinite(value) && value > 0.0 && value <= 1e6, std::string("tiers.") + key, value,
            "more than 0, at most 1e6 metres");
}

void check_limit(const char* key, std::int64_t value) {
    require(value >= 0 && value <= 100'000'000, std::string("tiers.") + key, static_cast<double>(value),
            "between 0 and 100000000");
}

void check_every(const char* key, int value) {
    require(value >= 1 && value <= 1000, std::string("tiers.") + key, value, "between 1 and 1000 frames");
}

}  // namespace

TierParams tier_params(const SceneTiers& tiers) {
    check_distance("near_promote", tiers.near_promote);
    check_distance("near_demote", tiers.near_demote);
    check_distance("middle_promote", tiers.middle_promote);
    check_distance("middle_demote", tiers.middle_demote);
    require(tiers.near_promote <= tiers.near_demote, "tiers.near_demote", tiers.near_demote,
            "at least near_promote, or agents would change for ever");
    require(tiers.middle_promote <= tiers.middle_demote, "tiers.middle_demote", tiers.middle_demote,
            "at least middle_promote, or agents would change for ever");
    require(tiers.near_promote <= tiers.middle_promote, "tiers.middle_promote", tiers.middle_promote,
            "at least near_promote: the way from far to near leads through middle");
    check_limit("max_near", tiers.max_near);
    check_limit("max_promotions", tiers.max_promotions);
    check_limit("max_demotions", tiers.max_demotions);
    check_every("far_every", tiers.far_every);
    check_every("middle_every", tiers.middle_every);
    check_every("near_every", tiers.near_every);
    TierParams params;
    params.promote[0] = static_cast<float>(tiers.middle_promote);
    params.promote[1] = static_cast<float>(tiers.near_promote);
    params.promote[2] = 0.0f;  // nobody is nearer
    params.demote[0] = std::numeric_limits<float>::infinity();
    params.demote[1] = static_cast<float>(tiers.middle_demote);
    params.demote[2] = static_cast<float>(tiers.near_demote);
    params.gap = params.demote[2] - params.promote[1];
    params.max_near = tiers.max_near;
    params.max_promotions = tiers.max_promotions;
    params.max_demotions = tiers.max_demotions;
    params.every[0] = tiers.far_every;
    params.every[1] = tiers.middle_every;
    params.every[2] = tiers.near_every;
    params.separation[0] = tiers.far_separation;
    params.separation[1] = tiers.middle_separation;
    return params;
}

void set_viewpoints(Frame& frame, std::span<const Vec3> points) {
    if (points.size() > kMostViewpoints) {
        throw Error("viewpoints: " + std::to_string(points.size()) + " are given; give at most " +
                    std::to_string(kMostViewpoints));
    }
    std::vector<std::array<float, 3>> local;
    const Vec3 origin = frame.params.origin;
    // On hills a viewpoint has a height, metres of the map's heights: they know no origin.
    const bool hilly = frame.params.dim == 2 && is_hilly(frame);
    for (std::size_t n = 0; n < points.size(); ++n) {
        const double place[3] = {points[n].x - origin.x, points[n].y - origin.y,
                                 hilly ? points[n].z : points[n].z - origin.z};
        std::array<float, 3>& point = local.emplace_back();
        for (int k = 0; k < (hilly ? 3 : frame.params.dim); ++k) {
            if (!std::isfinite(place[k]) || std::fabs(place[k]) > kFarthest) {
                throw Error("viewpoints: " + std::string(1, "xyz"[k]) + " of viewpoint " + std::to_string(n) +
                            " is not finite or too far away; give metres within 1e15 of the origin");
            }
            point[k] = frame.params.position.snap(static_cast<float>(place[k]));
            if (frame.params.periodic.on) point[k] = wrap_coordinate(frame.params.periodic, k, point[k]);
        }
    }
    frame.tiers.viewpoints.assign(points.begin(), points.end());
    frame.tiers.points = std::move(local);
    Agents& agents = frame.agents;
    if (agents.has_tiers || points.empty()) return;
    agents.has_tiers = true;
    for (const int every : frame.tiers.params.every)
        agents.keeps_steering = agents.keeps_steering || every > 1;
    fit_new_columns(agents);
}

// The nearest counts, so their order does not.
std::uint64_t viewpoints_hash(const Tiers& tiers) {
    constexpr std::uint64_t kUse = 0x76696577;  // "view"
    std::uint64_t sum = 0;
    for (const std::array<float, 3>& point : tiers.points) {
        std::uint64_t hash = mix64(kUse);
        for (const float x : point) hash = mix64(hash, std::bit_cast<std::uint32_t>(x == 0.0f ? 0.0f : x));
        sum += hash;
    }
    return sum;
}

}  // namespace horde
