#include "bodies/bodies.h"

#include <algorithm>
#include <vector>

#include "bodies/body_world.h"
#include "bodies/choose.h"

namespace horde {
namespace {

void fill(const Frame& frame, float scale, BodyWorld& world) {
    const Agents& agents = frame.agents;
    for (const std::uint32_t i : frame.bodies.moved) {
        const Group& group = frame.params.groups[agents.group.now[i]];
        world.add_circle({scale * agents.position[0].now[i], scale * agents.position[1].now[i]},
                         {scale * agents.velocity[0].spare[i], scale * agents.velocity[1].spare[i]},
                         scale * body_radius(frame, group));
    }
    if (!frame.ground) return;
    const Ground& ground = *frame.ground;
    std::vector<WallRun> walls;
    find_walls(frame, walls);
    for (const WallRun& run : walls) {
        const auto row = static_cast<double>(run.row);
        world.add_wall(
            {scale * ground.x_at(static_cast<double>(run.first)), scale * ground.y_at(row)},
            {scale * ground.x_at(static_cast<double>(run.last + 1)), scale * ground.y_at(row + 1.0)});
    }
}

void note_contacts(Frame& frame, const BodyWorld& world) {
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
    const BodyPlan plan = choose_bodies(frame, scale);
    bodies.found.clear();
    if (!bodies.moved.empty()) {
        BodyWorld world(bodies.params);
        fill(frame, scale.scale, world);
        for (int step = 0; step < plan.steps; ++step) {
            world.step(frame.dt / static_cast<float>(plan.steps));
            note_contacts(frame, world);
        }
        for (std::size_t k = 0; k < bodies.moved.size(); ++k) {
            const std::uint32_t i = bodies.moved[k];
            const b2Vec2 centre = world.centre(k);
            const b2Vec2 velocity = world.velocity(k);
            agents.position[0].spare[i] = centre.x / scale.scale;
            agents.position[1].spare[i] = centre.y / scale.scale;
            agents.velocity[0].spare[i] = velocity.x / scale.scale;
            agents.velocity[1].spare[i] = velocity.y / scale.scale;
        }
    }
    take_contacts(bodies);
    frame.report.contacts = static_cast<std::int64_t>(bodies.contacts.size());
}

}  // namespace horde
