// Rules of a scene in the precision of the step.
#pragma once

#include <string>

#include "sim/frame.h"

namespace horde {

// Throws Error "KEY is VALUE; it must be SHOULD" unless it holds.
void require(bool holds, const std::string& key, double value, const char* should);

// The fewest digits that read back as the value.
std::string digits(double value);

// The rule of that name: the scene's, or the built-in one with its defaults. Throws Error naming `key`.
Rule find_rule(const Scene& scene, const std::string& name, const std::string& key);

// Checks the rule and turns it into a group; type, goal and arrival are left to the caller. Throws Error
// naming the key of [rule.NAME].
Group make_group(const std::string& name, const Rule& rule);

// The flocking rule in either precision. In double, coincident agents ignore each other and the least
// distance is 1e-6, as in cuplan.
template <class Real>
FlockParams<Real> flock_params(const Rule& rule);

double rule_speed(const Rule& rule);  // walking speed or limit, without the spread

float neighbour_radius(const Group& group);
float finest_length(const Group& group);  // that the lattice must resolve
float largest_speed(const Group& group);

}  // namespace horde
