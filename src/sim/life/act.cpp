#include "sim/life/act.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "horde/error.h"
#include "sim/spawn.h"

namespace horde {
namespace {

// A push counts as no more than this times the unit of the velocity lattice: then 2^31 of them cannot
// overflow a sum.
constexpr double kMostUnits = 0x1p31;

double axis_of(Vec3 v, int axis) {
    return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

void add_push(Frame& frame, AgentId id, const double (&change)[3]) {
    const double unit = frame.params.velocity.unit, most = kMostUnits * unit;
    double largest = 0.0, squared = 0.0;
    for (int k = 0; k < frame.params.dim; ++k) largest = std::max(largest, std::fabs(change[k]));
    const double scale =
        largest > most ? most / largest : 1.0;  // by the norm only then: its square overflows
    for (int k = 0; k < frame.params.dim; ++k) squared += change[k] * scale * (change[k] * scale);
    const double length = std::sqrt(squared);
    Push push{id, {0, 0, 0}};
    for (int k = 0; k < frame.params.dim; ++k) {
        double part = change[k] * scale;
        if (length > most) part *= most / length;
        push.units[k] = static_cast<std::int64_t>(std::floor(part / unit + 0.5));
    }
    frame.pushes.push_back(push);
}

bool precedes(const Push& a, const Push& b) {
    return a.id < b.id;
}

// Calls f(sum) for each agent among `pushes`, which are in order of id, unless its pushes cancel.
template <class F>
void for_each_sum(const std::vector<Push>& pushes, F&& f) {
    for (std::size_t k = 0; k < pushes.size();) {
        Push sum = pushes[k++];
        for (; k < pushes.size() && pushes[k].id == sum.id; ++k) {
            for (int axis = 0; axis < 3; ++axis) sum.units[axis] += pushes[k].units[axis];
        }
        if (sum.units[0] != 0 || sum.units[1] != 0 || sum.units[2] != 0) f(sum);
    }
}

template <int D>
void add_to_velocity(Frame& frame, std::int64_t i, const Push& push) {
    const Lattice& lattice = frame.params.velocity;
    const Group& group = frame.params.groups[frame.agents.group.now[i]];
    float limit = group.kind == RuleKind::kCrowd ? group.crowd.max_speed : frame.agents.speed.now[i];
    if (!is_free(frame.agents, i)) limit = std::max(limit, group.combat.max_knockback);
    Vec<D> velocity;
    for (int k = 0; k < D; ++k) {
        const double own = static_cast<double>(frame.agents.velocity[k].now[i]) / lattice.unit;
        velocity[k] = static_cast<float>((own + static_cast<double>(push.units[k])) * lattice.unit);
    }
    velocity = clamp_norm(velocity, limit);
    for (int k = 0; k < D; ++k) frame.agents.velocity[k].now[i] = lattice.snap(velocity[k]);
}

}  // namespace

std::optional<Vec3> teleport_agent(Frame& frame, AgentId id, Vec3 position) {
    const std::optional<std::int64_t> index = find_agent(frame.agents, id);
    if (!index) return std::nullopt;
    const std::string what = "teleport: agent " + std::to_string(id);
    Vec<3> local = to_lattice(frame, position, what);
    const Params& params = frame.params;
    for (int k = 0; k < params.dim && params.wrap.on; ++k)
        local[k] = wrap_coordinate(params.wrap, k, local[k]);
    if (frame.ground) local = nearest_free(frame, params.groups[frame.agents.group.now[*index]], local, what);
    place_agent(frame, *index, local);
    Vec3 world = params.origin;
    world.x += local[0];
    world.y += local[1];
    world.z = params.dim == 3 ? world.z + local[2] : 0.0;
    return world;
}

bool push_agent(Frame& frame, AgentId id, Vec3 change) {
    if (!find_agent(frame.agents, id)) return false;
    double by[3];
    for (int k = 0; k < 3; ++k) {
        by[k] = axis_of(change, k);
        if (std::isfinite(by[k])) continue;
        throw Error("push: agent " + std::to_string(id) + ": velocity change " + "xyz"[k] +
                    " is not finite; give metres a second");
    }
    add_push(frame, id, by);
    return true;
}

std::int64_t for_each_in_circle(Frame& frame, const std::string& what, Vec3 centre, double radius,
                                const CircleCall& call) {
    const Params& params = frame.params;
    if (!std::isfinite(radius) || !(radius > 0.0))
        throw Error(what + ": radius is " + std::to_string(radius) + "; give metres, more than 0");
    double at[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < params.dim; ++k) {
        at[k] = axis_of(centre, k) - axis_of(params.origin, k);
        if (!std::isfinite(at[k])) throw Error(what + ": centre " + "xyz"[k] + " is not finite; give metres");
    }
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < frame.agents.count; ++i) {
        double away[3] = {0.0, 0.0, 0.0}, squared = 0.0;
        for (int k = 0; k < params.dim; ++k) {
            away[k] = frame.agents.position[k].now[i] - at[k];
            if (params.periodic.on) {  // from the nearest image, however far away the centre was given
                const double length = params.periodic.length[k];
                away[k] -= length * std::floor(away[k] / length + 0.5);
            }
            squared += away[k] * away[k];
        }
        // A distance whose square overflows is beyond any radius, whose square may do so too.
        if (!(squared <= radius * radius) || !std::isfinite(squared)) continue;
        const double distance = std::sqrt(squared);
        if (distance > 0.0) {
            for (double& x : away) x /= distance;
        } else {
            const std::uint64_t key =
                random64(params.seed, frame.agents.id.now[i], frame.number, RandomUse::kPush);
            const Vec<3> in_space = hashed_direction<3>(key);
            const Vec<2> in_plane = hashed_direction<2>(key);
            for (int k = 0; k < params.dim; ++k) away[k] = params.dim == 3 ? in_space[k] : in_plane[k];
        }
        count += call(i, distance, away) ? 1 : 0;
    }
    return count;
}

std::int64_t push_circle(Frame& frame, Vec3 centre, double radius, double speed) {
    if (!std::isfinite(speed)) throw Error("push: speed is not finite; give metres a second");
    return for_each_in_circle(frame, "push", centre, radius,
                              [&](std::int64_t i, double distance, const double(&away)[3]) {
                                  const double strength = speed * (1.0 - distance / radius);
                                  double change[3] = {0.0, 0.0, 0.0};
                                  for (int k = 0; k < frame.params.dim; ++k) change[k] = away[k] * strength;
                                  add_push(frame, frame.agents.id.now[i], change);
                                  return true;
                              });
}

void apply_pushes(Frame& frame) {
    if (frame.pushes.empty()) return;
    std::sort(frame.pushes.begin(), frame.pushes.end(), precedes);
    for_each_sum(frame.pushes, [&](const Push& sum) {
        const std::optional<std::int64_t> i = find_agent(frame.agents, sum.id);
        if (!i) return;  // gone since
        frame.params.dim == 2 ? add_to_velocity<2>(frame, *i, sum) : add_to_velocity<3>(frame, *i, sum);
    });
    frame.pushes.clear();
}

std::uint64_t pushes_hash(const Frame& frame) {
    if (frame.pushes.empty()) return 0;
    std::vector<Push> sorted = frame.pushes;
    std::sort(sorted.begin(), sorted.end(), precedes);
    std::uint64_t hash = 0;
    for_each_sum(sorted, [&](const Push& sum) {
        const auto slot = static_cast<std::uint32_t>(sum.id);
        if (frame.agents.generation[slot] != sum.id >> 32) return;  // gone since
        std::uint64_t mix = mix64(sum.id, 0x9u);
        for (const std::int64_t units : sum.units) mix = mix64(mix, static_cast<std::uint64_t>(units));
        hash += mix;
    });
    return hash;
}

}  // namespace horde
