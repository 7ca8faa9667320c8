#include "sim/setup_rules.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/trig.h"
#include "horde/error.h"

namespace horde {
namespace {

constexpr double kTwoPi = 6.283185307179586;

// Checks members of one rule, naming them.
class RuleCheck {
  public:
    explicit RuleCheck(const std::string& name) : prefix_("rule." + name + ".") {}

    void positive(const char* member, double value) const {
        require(std::isfinite(value) && value >= 1e-6 && value <= 1e6, prefix_ + member, value,
                "between 1e-6 and 1e6");
    }
    void not_negative(const char* member, double value) const {
        require(std::isfinite(value) && value >= 0.0 && value <= 1e6, prefix_ + member, value,
                "between 0 and 1e6");
    }
    void finite(const char* member, double value) const {
        require(std::isfinite(value) && std::fabs(value) <= 1e6, prefix_ + member, value,
                "between -1e6 and 1e6");
    }
    void holds(bool condition, const char* member, double value, const char* should) const {
        require(condition, prefix_ + member, value, should);
    }

  private:
    std::string prefix_;
};

void check(const RuleCheck& rule, const CrowdRule& r) {
    rule.positive("speed", r.speed);
    rule.not_negative("speed_spread", r.speed_spread);
    rule.holds(r.speed_spread < r.speed, "speed_spread", r.speed_spread, "less than speed");
    rule.positive("max_speed", r.max_speed);
    rule.positive("max_accel", r.max_accel);
    rule.positive("tau", r.tau);
    rule.not_negative("radius", r.radius);
    rule.positive("separation_radius", r.separation_radius);
    rule.not_negative("separation_gain", r.separation_gain);
    rule.not_negative("arrival_radius", r.arrival_radius);
    rule.positive("stuck_after", r.stuck_after);
    rule.not_negative("time_gap", r.time_gap);
}

void check_flock(const RuleCheck& rule, const FlockRule& r, double limit) {
    rule.holds(r.max_neighbours >= 1 && r.max_neighbours <= kMostNearest, "max_neighbours", r.max_neighbours,
               "between 1 and 64");
    rule.holds(r.half_angle > 0.0 && r.half_angle <= 180.0, "half_angle", r.half_angle,
               "more than 0, at most 180 degrees");
    rule.holds(r.update_every >= 1 && r.update_every <= 1000, "update_every", r.update_every,
               "between 1 and 1000 frames");
    rule.not_negative("speed_limit_spread", r.speed_limit_spread);
    rule.holds(r.speed_limit_spread < limit, "speed_limit_spread", r.speed_limit_spread,
               "less than the speed limit");
}

void check(const RuleCheck& rule, const ReynoldsRule& r) {
    rule.positive("perception_radius", r.perception_radius);
    rule.positive("separation_distance", r.separation_distance);
    rule.finite("separation_gain", r.separation_gain);
    rule.finite("cohesion_gain", r.cohesion_gain);
    rule.finite("alignment_gain", r.alignment_gain);
    rule.positive("max_accel", r.max_accel);
    rule.positive("max_speed", r.max_speed);
    check_flock(rule, r, r.max_speed);
}

void check(const RuleCheck& rule, const ArcadeRule& r) {
    rule.positive("neighbour_radius", r.neighbour_radius);
    rule.positive("max_speed", r.max_speed);
    rule.positive("max_force", r.max_force);
    rule.finite("cohesion_weight", r.cohesion_weight);
    rule.finite("alignment_weight", r.alignment_weight);
    rule.finite("separation_weight", r.separation_weight);
    rule.not_negative("hold_speed", r.hold_speed);
    check_flock(rule, r, r.max_speed);
}

void check(const RuleCheck& rule, const VicsekRule& r) {
    rule.positive("radius", r.radius);
    rule.positive("speed", r.speed);
    rule.holds(r.noise >= 0.0 && r.noise <= kTwoPi + 1e-9, "noise", r.noise, "between 0 and 2 pi radians");
    check_flock(rule, r, r.speed);
}

CrowdParams in_float(const CrowdRule& rule) {
    CrowdParams p;
    p.max_speed = static_cast<float>(rule.max_speed);
    p.max_accel = static_cast<float>(rule.max_accel);
    p.tau = static_cast<float>(rule.tau);
    p.radius = static_cast<float>(rule.radius);
    p.separation_radius = static_cast<float>(rule.separation_radius);
    p.separation_gain = static_cast<float>(rule.separation_gain);
    p.arrival_radius = static_cast<float>(rule.arrival_radius);
    p.stuck_after = static_cast<float>(rule.stuck_after);
    p.time_gap = static_cast<float>(rule.time_gap);
    p.line_of_sight = rule.line_of_sight;
    return p;
}

template <class Real>
Sight<Real> sight_of(const FlockRule& rule, double radius, double separation_distance, bool inclusive) {
    constexpr bool kDouble = sizeof(Real) == 8;
    Sight<Real> sight;
    sight.radius = static_cast<Real>(radius);
    sight.all_round = rule.half_angle >= 180.0;
    sight.cos_half_angle = static_cast<Real>(sin_cos_turns(rule.half_angle / 360.0).cos);
    sight.choice = rule.neighbours;
    sight.most = rule.max_neighbours;
    sight.separation_distance = static_cast<Real>(separation_distance);
    sight.separation_inclusive = inclusive;
    sight.least_distance = kDouble ? Real(1e-6) : static_cast<Real>(separation_distance / 64.0);
    sight.part_coincident = !kDouble && rule.coincident == Coincident::kSeparate;
    sight.update_every = rule.update_every;
    sight.separation_every_frame = rule.separation_every_frame;
    return sight;
}

template <class Real>
void fill(FlockParams<Real>& p, const ReynoldsRule& rule) {
    p.kind = RuleKind::kReynolds;
    p.sight = sight_of<Real>(rule, rule.perception_radius, rule.separation_distance, false);
    p.reynolds = {static_cast<Real>(rule.separation_gain), static_cast<Real>(rule.cohesion_gain),
                  static_cast<Real>(rule.alignment_gain), static_cast<Real>(rule.max_accel)};
}

template <class Real>
void fill(FlockParams<Real>& p, const ArcadeRule& rule) {
    p.kind = RuleKind::kArcade;
    p.sight = sight_of<Real>(rule, rule.neighbour_radius, rule.neighbour_radius, true);
    p.arcade = {static_cast<Real>(rule.max_force), static_cast<Real>(rule.cohesion_weight),
                static_cast<Real>(rule.alignment_weight), static_cast<Real>(rule.separation_weight),
                static_cast<Real>(rule.hold_speed)};
}

template <class Real>
void fill(FlockParams<Real>& p, const VicsekRule& rule) {
    p.kind = RuleKind::kVicsek;
    p.sight = sight_of<Real>(rule, rule.radius, rule.radius, true);
    p.sight.separation_every_frame = false;  // it has none
    const double turns = std::min(rule.noise / kTwoPi, 1.0);
    p.vicsek = {static_cast<Real>(turns), static_cast<Real>(1.0 - sin_cos_turns(0.5 * turns).cos)};
}

template <class Real>
void fill(FlockParams<Real>& p, const CrowdRule&) {
    p.kind = RuleKind::kCrowd;
}

// Speed or speed limit, and how far an agent's own may be from it.
struct SpeedRange {
    double speed;
    double spread;
};
SpeedRange speed_of(const CrowdRule& r) {
    return {r.speed, r.speed_spread};
}
SpeedRange speed_of(const ReynoldsRule& r) {
    return {r.max_speed, r.speed_limit_spread};
}
SpeedRange speed_of(const ArcadeRule& r) {
    return {r.max_speed, r.speed_limit_spread};
}
SpeedRange speed_of(const VicsekRule& r) {
    return {r.speed, r.speed_limit_spread};
}

}  // namespace

void require(bool holds, const std::string& key, double value, const char* should) {
    if (!holds) throw Error(key + " is " + digits(value) + "; it must be " + should);
}

std::string digits(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

Rule find_rule(const Scene& scene, const std::string& name, const std::string& key) {
    const auto found = scene.rules.find(name);
    if (found != scene.rules.end()) return found->second;
    if (name == "crowd") return CrowdRule{};
    if (name == "reynolds") return ReynoldsRule{};
    if (name == "arcade") return ArcadeRule{};
    if (name == "vicsek") return VicsekRule{};
    throw Error(key + ".rule: there is no rule \"" + name +
                "\"; use crowd, reynolds, arcade or vicsek, or add a [rule." + name + "] table");
}

template <class Real>
FlockParams<Real> flock_params(const Rule& rule) {
    FlockParams<Real> p;
    std::visit([&](const auto& r) { fill(p, r); }, rule);
    return p;
}
template FlockParams<float> flock_params<float>(const Rule&);
template FlockParams<double> flock_params<double>(const Rule&);

Group make_group(const std::string& name, const Rule& rule) {
    Group group;
    std::visit(
        [&](const auto& r) {
            check(RuleCheck(name), r);
            group.speed = static_cast<float>(speed_of(r).speed);
            group.speed_spread = static_cast<float>(speed_of(r).spread);
        },
        rule);
    group.flock = flock_params<float>(rule);
    group.kind = group.flock.kind;
    if (const auto* crowd = std::get_if<CrowdRule>(&rule)) {
        group.crowd = in_float(*crowd);
        group.on_arrival = crowd->on_arrival;
    } else {
        group.push = lattice_for(1.0f / group.flock.sight.separation_distance);
    }
    return group;
}

double rule_speed(const Rule& rule) {
    return std::visit([](const auto& r) { return speed_of(r).speed; }, rule);
}

float neighbour_radius(const Group& group) {
    return group.kind == RuleKind::kCrowd ? group.crowd.separation_radius : group.flock.sight.radius;
}

float finest_length(const Group& group) {
    if (group.kind == RuleKind::kCrowd) return group.crowd.separation_radius;
    return std::min(group.flock.sight.radius, group.flock.sight.separation_distance);
}

float largest_speed(const Group& group) {
    return group.kind == RuleKind::kCrowd ? group.crowd.max_speed : group.speed + group.speed_spread;
}

}  // namespace horde
