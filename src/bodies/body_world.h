// One frame of Box2D: circles that move, squares that do not.
#pragma once

#include <box2d/box2d.h>

#include <cstdint>
#include <vector>

#include "sim/bodies.h"

namespace horde {

// Box2D is made for bodies between 0.1 and 10 units long, so a world is scaled, by a power of two, until the
// largest circle has a radius of 0.25 to 0.5. Everything below is in these units.
class BodyWorld {
  public:
    explicit BodyWorld(const BodyParams& params);

    // Circles are numbered from 0 in the order of their making.
    void add_circle(b2Vec2 centre, b2Vec2 velocity, float radius);
    // A wall is a body of its own each: Box2D walks all contacts of a body for every new one.
    void add_wall(b2Vec2 least, b2Vec2 largest);

    void step(float dt);

    b2Vec2 centre(std::size_t circle) const { return circles_[circle]->GetPosition(); }
    b2Vec2 velocity(std::size_t circle) const { return circles_[circle]->GetLinearVelocity(); }

    // Calls f(a, b) for each two circles that touched as the step began, f(a, kWall) for one and a wall.
    static constexpr std::size_t kWall = SIZE_MAX;
    template <class F>
    void each_contact(F&& f) const {
        for (const b2Contact* contact = world_.GetContactList(); contact != nullptr;
             contact = contact->GetNext()) {
            if (!contact->IsTouching()) continue;
            const std::size_t a = number(contact->GetFixtureA());
            const std::size_t b = number(contact->GetFixtureB());
            a == kWall ? f(b, a) : f(a, b);
        }
    }

  private:
    static std::size_t number(const b2Fixture* fixture) {
        return static_cast<std::size_t>(const_cast<b2Fixture*>(fixture)->GetBody()->GetUserData().pointer) -
               1;
    }

    const BodyParams& params_;
    b2World world_;
    std::vector<b2Body*> circles_;
};

}  // namespace horde
