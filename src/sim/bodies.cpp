#include "sim/bodies.h"

#include <algorithm>

#include "base/random.h"
#include "horde/error.h"
#include "sim/setup_rules.h"

namespace horde {

BodyParams body_params(const Scene& scene) {
    const SceneBodies& bodies = scene.bodies;
    if (bodies.physics == Physics::kOff) return {};
    require(scene.world.dim == 2, "world.dim", scene.world.dim,
            "2 with bodies, or set bodies.physics = \"off\"");
    if (scene.world.edge == Edge::kPeriodic)
        throw Error(
            "world.edge: bodies do not touch across the border of a periodic world; use \"wrap\" or "
            "\"open\", or "
            "set bodies.physics = \"off\"");
    require(bodies.radius >= 1e-6 && bodies.radius <= 1e6, "bodies.radius", bodies.radius,
            "between 1e-6 and 1e6 metres");
    require(bodies.restitution >= 0.0 && bodies.restitution <= 1.0, "bodies.restitution", bodies.restitution,
            "between 0 and 1");
    require(bodies.friction >= 0.0 && bodies.friction <= 10.0, "bodies.friction", bodies.friction,
            "between 0 and 10");
    require(bodies.velocity_iterations >= 1 && bodies.velocity_iterations <= 100,
            "bodies.velocity_iterations", bodies.velocity_iterations, "between 1 and 100");
    require(bodies.position_iterations >= 1 && bodies.position_iterations <= 100,
            "bodies.position_iterations", bodies.position_iterations, "between 1 and 100");
    return {.physics = bodies.physics,
            .radius = static_cast<float>(bodies.radius),
            .restitution = static_cast<float>(bodies.restitution),
            .friction = static_cast<float>(bodies.friction),
            .velocity_iterations = bodies.velocity_iterations,
            .position_iterations = bodies.position_iterations};
}

void take_contacts(Bodies& bodies) {
    std::vector<BodyPair>& found = bodies.found;
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    bodies.events.clear();
    auto before = bodies.contacts.begin();
    auto now = found.begin();
    while (before != bodies.contacts.end() || now != found.end()) {
        if (now == found.end() || (before != bodies.contacts.end() && *before < *now)) {
            bodies.events.push_back({before->a, before->b, false});
            ++before;
        } else if (before == bodies.contacts.end() || *now < *before) {
            bodies.events.push_back({now->a, now->b, true});
            ++now;
        } else {
            ++before;
            ++now;
        }
    }
    bodies.contacts.swap(found);
}

std::uint64_t contacts_hash(const Bodies& bodies) {
    std::uint64_t sum = 0;
    for (const BodyPair& pair : bodies.contacts) sum += mix64(mix64(pair.a, 5), pair.b);
    return sum;
}

}  // namespace horde
