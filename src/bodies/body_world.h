// One frame of Box2D: circles that move, squares that do not.
#pragma once

#include <box2d/box2d.h>

#include <cstddef>
#include <cstdint>

#include "sim/bodies.h"

namespace horde {

// Box2D is made for bodies between 0.1 and 10 units long, so a world is scaled, by a power of two, until the
// largest circle has a radius of 0.25 to 0.5. Everything below is in these units.
class BodyWorld {
  public:
    static constexpr std::size_t kWall = SIZE_MAX;  // in place of the number of a circle

    explicit BodyWorld(const BodyParams& params);

    // Circles are numbered from 0 in the order of their making.
    void add_circle(b2Vec2 centre, b2Vec2 velocity, float radius);
    // A wall is a body of its own each: Box2D walks all contacts of a body for every new one.
    void add_wall(b2Vec2 least, b2Vec2 largest);

    void step(float dt);

    // Calls f(circle, centre, velocity) for each, in no order.
    template <class F>
    void each_circle(F&& f) {
        for (b2Body* body = world_.GetBodyList(); body != nullptr; body = body->GetNext()) {
            const std::size_t circle = number(body);
            if (circle != kWall) f(circle, body->GetPosition(), body->GetLinearVelocity());
        }
    }

    // Calls f(a, b) for each two circles that touched as the step began, f(a, kWall) for one and a wall.
    template <class F>
    void each_contact(F&& f) {
        for (b2Contact* contact = world_.GetContactList(); contact != nullptr; contact = contact->GetNext()) {
            if (!contact->IsTouching()) continue;
            const std::size_t a = number(contact->GetFixtureA()->GetBody());
            const std::size_t b = number(contact->GetFixtureB()->GetBody());
            a == kWall ? f(b, a) : f(a, b);
        }
    }

  private:
    // Walls have 0 as their user data, which makes kWall of them.
    static std::size_t number(b2Body* body) {
        return static_cast<std::size_t>(body->GetUserData().pointer) - 1;
    }

    const BodyParams& params_;
    b2World world_;
    std::size_t circles_ = 0;
};

}  // namespace horde
