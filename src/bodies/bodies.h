// Agents as solid bodies, by Box2D 2.4.
#pragma once

namespace horde {

struct Frame;

// Gives agents bodies (all, or the near ones), lets them touch each other and the walls for one frame, and
// writes their next position and velocity. The Box2D world is made from the columns and thrown away: nothing
// of it reaches the next frame but the pairs in Frame::bodies.
void bodies_stage(Frame& frame);

}  // namespace horde
