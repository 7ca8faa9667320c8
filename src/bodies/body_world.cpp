#include "bodies/body_world.h"

namespace horde {

BodyWorld::BodyWorld(const BodyParams& params) : params_(params), world_(b2Vec2(0.0f, 0.0f)) {
    world_.SetAllowSleeping(false);      // nobody lives long enough to
    world_.SetWarmStarting(false);       // nothing is left from the frame before
    world_.SetContinuousPhysics(false);  // walls are swept by the stage `move`
}

void BodyWorld::add_circle(b2Vec2 centre, b2Vec2 velocity, float radius) {
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = centre;
    def.linearVelocity = velocity;
    def.fixedRotation = true;
    def.userData.pointer = ++circles_;
    b2CircleShape circle;
    circle.m_radius = radius;
    b2FixtureDef fixture;
    fixture.shape = &circle;
    fixture.density = 1.0f;
    fixture.friction = params_.friction;
    fixture.restitution = params_.restitution;
    world_.CreateBody(&def)->CreateFixture(&fixture);
}

void BodyWorld::add_wall(b2Vec2 least, b2Vec2 largest) {
    b2PolygonShape box;
    box.SetAsBox(0.5f * (largest.x - least.x), 0.5f * (largest.y - least.y), 0.5f * (least + largest), 0.0f);
    b2FixtureDef fixture;
    fixture.shape = &box;
    fixture.friction = params_.friction;
    fixture.restitution = params_.restitution;
    const b2BodyDef still;
    world_.CreateBody(&still)->CreateFixture(&fixture);  // each its own: Box2D walks all contacts of a body
}

void BodyWorld::step(float dt) {
    world_.Step(dt, params_.velocity_iterations, params_.position_iterations);
}

}  // namespace horde
