#include "bodies/bodies.h"

#include <algorithm>

#include "bodies/body_world.h"
#include "bodies/choose.h"

namespace horde {
namespace {

void fill(Frame& frame, float scale, BodyWorld& world) {
    const Agents& agents = frame.agents;
    for (const std::uint32_t i : frame.bodies.moved) {
        const Group& group = frame.params.groups[agents.group.now[i]];
        world.add_circle({scale * agents.position[0].now[i], scale * agents.position[1].now[i]},
                         {scale * agents.velocity[0].spare[i], scale * agents.velocity[1].spare[i]},
                         scale * body_radius(frame, group));
    }
    if (!frame.ground) return;
    const Ground& ground = *frame.ground;
    find_walls(frame);
    for (const WallRun& run : frame.bodies.walls) {
        const auto row = static_cast<double>(run.row);
        world.add_wall(
            {scale * ground.x_at(static_cast<double>(run.first)), scale * ground.y_at(row)},
            {scale * ground.x_at(static_cast<double>(run.last + 1)), scale * ground.y_at(row + 1.0)});
    }
}

void note_contacts(Frame& frame, BodyWorld& world) {
    Bodies& bodies = frame.bodies;
    const auto id = [&](std::size_t circle) { return frame.agents.id.now[bodies.moved[circle]]; };
    world.each_contact([&](std::size_t a, std::size_t b) {
        const AgentId other = b == BodyWorld::kWall ? kWallContact : id(b);
        bodies.found.push_back({std::min(id(a), other), std::max(id(a), other)});
    });
}

}  // namespace

void bodies_stage(Frame& frame) {
    Agents& agents = frame.agents;
    Bodies& bodies = frame.bodies;
    const BodyScale scale = body_scale(frame);
    const int steps = choose_bodies(frame, scale);
    bodies.found.clear();
    if (!bodies.moved.empty()) {
        BodyWorld world(bodies.params);
        fill(frame, scale.scale, world);
        for (int step = 0; step < steps; ++step) {
            world.step(frame.dt / static_cast<float>(steps));
            note_contacts(frame, world);
        }
        world.each_circle([&](std::size_t circle, b2Vec2 centre, b2Vec2 velocity) {
            const std::uint32_t i = bodies.moved[circle];
            agents.position[0].spare[i] = centre.x / scale.scale;
            agents.position[1].spare[i] = centre.y / scale.scale;
            agents.velocity[0].spare[i] = velocity.x / scale.scale;
            agents.velocity[1].spare[i] = velocity.y / scale.scale;
        });
    }
    take_contacts(bodies);
    frame.report.contacts = static_cast<std::int64_t>(bodies.contacts.size());
}

}  // namespace horde
