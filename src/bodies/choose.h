// Who is a solid body in a frame, and what is in its reach.
#pragma once

#include "sim/frame.h"

namespace horde {

float body_radius(const Frame& frame, const Group& group);  // metres

struct BodyScale {
    float scale = 1.0f;  // from metres to the units of the Box2D world: a power of two that takes the largest
                         // radius of the scene to between a quarter and a half of one
    float largest = 0.0f;  // radius, metres
};
BodyScale body_scale(const Frame& frame);

// Fills Bodies::is_body and `moved`, and the next velocity of all that have a body with what steering leads
// to. Returns in how many steps the Box2D world is to make the frame, so that nobody covers half the least
// radius in one.
int choose_bodies(Frame& frame, const BodyScale& scale);

// Fills Bodies::walls with those in reach of moved bodies, each cell once, in runs along rows.
void find_walls(Frame& frame);

}  // namespace horde
