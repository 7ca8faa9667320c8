#include "bodies/choose.h"

#include <algorithm>
#include <cmath>

#include "sim/motion.h"

namespace horde {
namespace {

// A body covers at most so many units of the Box2D world in a frame, and that part of the least radius in one
// of its steps, of which there are at most so many.
constexpr float kLongestStep = 1.0f;
constexpr float kPartOfRadius = 0.5f;
constexpr int kMostSteps = 8;

constexpr float kLargestRadius = 0.5f;  // in those units
constexpr float kMargin = 0.05f;        // of the largest radius: the skin that Box2D gives a shape, and more

// Two solid walkers who meet head on may stand so for ever: one that has waited so many times stuck_after has
// no body until it comes nearer to its goal.
constexpr float kPatience = 3.0f;

bool wants_body(const Frame& frame, std::int64_t i) {
    if (frame.bodies.params.physics == Physics::kAll) return true;
    return frame.tiers.on() && static_cast<Tier>(frame.agents.tier.now[i] & kTierBits) == Tier::kNear;
}

// Walkers that a wall was put on leave it by themselves, and those that go more than a cell follow the flow.
bool may_have_body(const Frame& frame, const Group& group, std::int64_t i, float step, float scale) {
    if (step * scale > kLongestStep) return false;
    if (group.kind == RuleKind::kCrowd && frame.agents.stall.now[i] > kPatience * group.crowd.stuck_after)
        return false;
    if (!frame.ground) return true;
    const Ground& ground = *frame.ground;
    if (step > static_cast<float>(ground.map.cell_size)) return false;
    const Floor& floor = ground.floors[static_cast<std::size_t>(group.layer)];
    const auto place = load<2>(frame.agents.position, i);
    return !floor.is_closed(floor.cell_index(ground.column_at(place[0]), ground.row_at(place[1])));
}

// A body that a heavier one strikes goes up to twice as fast.
constexpr float kThrow = 2.0f;

float radius_at(const Frame& frame, std::int64_t i) {
    return body_radius(frame, frame.params.groups[frame.agents.group.now[i]]);
}

// How far from where it is an agent may touch something in this frame, in metres.
float reach_of(const Frame& frame, std::int64_t i) {
    return radius_at(frame, i) * (1.0f + kMargin) + frame.bodies.travel[static_cast<std::size_t>(i)];
}

bool is_wall(const Map& map, std::int64_t column, std::int64_t row) {
    if (column < 0 || row < 0 || column >= map.columns || row >= map.rows) return true;
    return map.cost[static_cast<std::size_t>(row) * map.columns + static_cast<std::size_t>(column)] ==
           kWallCost;
}

// f(column, row) for each wall in reach; stops when it returns true, and tells.
template <class F>
bool any_wall(const Frame& frame, std::int64_t i, F&& f) {
    const Ground& ground = *frame.ground;
    const double reach = reach_of(frame, i) / ground.map.cell_size;
    const double column = ground.column_at(frame.agents.position[0].now[i]);
    const double row = ground.row_at(frame.agents.position[1].now[i]);
    const auto last_row = static_cast<std::int64_t>(std::floor(row + reach));
    const auto last_column = static_cast<std::int64_t>(std::floor(column + reach));
    for (auto r = static_cast<std::int64_t>(std::floor(row - reach)); r <= last_row; ++r) {
        for (auto c = static_cast<std::int64_t>(std::floor(column - reach)); c <= last_column; ++c) {
            if (is_wall(ground.map, c, r) && f(c, r)) return true;
        }
    }
    return false;
}

// f(j) for each body j that i may touch, as far as both may go; stops when it returns true.
template <class F>
void each_met(const Frame& frame, std::int64_t i, float most_reach, F&& f) {
    const Agents& agents = frame.agents;
    const auto place = load<2>(agents.position, i);
    const float own = reach_of(frame, i);
    bool done = false;
    for_candidate_runs<2>(frame.grid.view(), place, own + most_reach,
                          [&](std::uint32_t begin, std::uint32_t end) {
                              for (std::int64_t j = begin; j < end && !done; ++j) {
                                  if (j == i || frame.bodies.is_body[static_cast<std::size_t>(j)] == 0)
                                      continue;
                                  const Vec<2> offset = load<2>(agents.position, j) - place;
                                  const float reach = own + reach_of(frame, j);
                                  done = dot(offset, offset) <= reach * reach && f(j);
                              }
                          });
}

// A body that may be struck may go as far as the one that strikes it, and so on along a chain. What comes out
// does not depend on the order: it is the least that is true of all.
void pass_travel_on(Frame& frame, float most_reach) {
    Bodies& bodies = frame.bodies;
    bodies.queue.clear();
    for (std::int64_t i = 0; i < frame.agents.count; ++i) {
        if (bodies.is_body[static_cast<std::size_t>(i)] != 0)
            bodies.queue.push_back(static_cast<std::uint32_t>(i));
    }
    while (!bodies.queue.empty()) {
        const std::uint32_t i = bodies.queue.back();
        bodies.queue.pop_back();
        each_met(frame, i, most_reach, [&](std::int64_t j) {
            float& travel = bodies.travel[static_cast<std::size_t>(j)];
            if (travel < bodies.travel[i]) {
                travel = bodies.travel[i];
                bodies.queue.push_back(static_cast<std::uint32_t>(j));
            } else if (bodies.travel[i] < travel) {
                bodies.travel[i] = travel;  // its own reach is longer now
                bodies.queue.push_back(i);
            }
            return false;
        });
    }
}

}  // namespace

float body_radius(const Frame& frame, const Group& group) {
    if (group.kind != RuleKind::kCrowd) return frame.bodies.params.radius;
    const double clearance = frame.ground ? group.inset * frame.ground->map.cell_size : 0.0;
    return std::max(group.crowd.radius, static_cast<float>(clearance));
}

BodyScale body_scale(const Frame& frame) {
    BodyScale found;
    for (const Group& group : frame.params.groups)
        found.largest = std::max(found.largest, body_radius(frame, group));
    if (!(found.largest > 0.0f)) return found;
    while (found.largest * found.scale > kLargestRadius) found.scale *= 0.5f;
    while (found.largest * found.scale <= 0.5f * kLargestRadius) found.scale *= 2.0f;
    return found;
}

int choose_bodies(Frame& frame, const BodyScale& scale) {
    Agents& agents = frame.agents;
    Bodies& bodies = frame.bodies;
    FrameReport& report = frame.report;
    bodies.is_body.assign(static_cast<std::size_t>(agents.count), 0);
    bodies.moved.clear();
    report.bodies = report.bodiless = 0;
    const bool differ =
        std::any_of(frame.params.groups.begin(), frame.params.groups.end(),
                    [&](const Group& group) { return body_radius(frame, group) < scale.largest; });
    bodies.travel.assign(static_cast<std::size_t>(agents.count), 0.0f);
    float most_travel = 0.0f;
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (!wants_body(frame, i)) continue;
        const Group& group = frame.params.groups[agents.group.now[i]];
        const Vec<2> velocity = next_velocity<2>(frame, group, i);
        const float step = norm(velocity) * frame.dt;
        if (!may_have_body(frame, group, i, step, scale.scale)) {
            ++report.bodiless;
            continue;
        }
        ++report.bodies;
        bodies.is_body[static_cast<std::size_t>(i)] = kAlone;
        for (int k = 0; k < 2; ++k) agents.velocity[k].spare[i] = velocity[k];
        bodies.travel[static_cast<std::size_t>(i)] = differ ? kThrow * step : step;
        most_travel = std::max(most_travel, bodies.travel[static_cast<std::size_t>(i)]);
    }
    const float most_reach = scale.largest * (1.0f + kMargin) + most_travel;
    pass_travel_on(frame, most_reach);
    float longest = 0.0f;
    float least = scale.largest;
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (bodies.is_body[static_cast<std::size_t>(i)] == 0) continue;
        bool meets = frame.ground && any_wall(frame, i, [](std::int64_t, std::int64_t) { return true; });
        if (!meets) each_met(frame, i, most_reach, [&](std::int64_t) { return meets = true; });
        if (!meets) continue;
        bodies.is_body[static_cast<std::size_t>(i)] = kTouching;
        bodies.moved.push_back(static_cast<std::uint32_t>(i));
        least = std::min(least, radius_at(frame, i));
        longest = std::max(longest, bodies.travel[static_cast<std::size_t>(i)]);
    }
    std::sort(bodies.moved.begin(), bodies.moved.end(),
              [&](std::uint32_t a, std::uint32_t b) { return agents.id.now[a] < agents.id.now[b]; });
    const float steps = longest / (kPartOfRadius * least);
    return steps < kMostSteps ? static_cast<int>(steps) + 1 : kMostSteps;
}

void find_walls(Frame& frame) {
    std::vector<WallRun>& runs = frame.bodies.walls;
    runs.clear();
    for (const std::uint32_t i : frame.bodies.moved) {
        any_wall(frame, i, [&](std::int64_t column, std::int64_t row) {
            runs.push_back({row, column, column});
            return false;
        });
    }
    std::sort(runs.begin(), runs.end(), [](const WallRun& a, const WallRun& b) {
        return a.row != b.row ? a.row < b.row : a.first < b.first;
    });
    std::size_t count = 0;
    for (const WallRun& cell : runs) {
        if (count > 0 && runs[count - 1].row == cell.row && runs[count - 1].last + 1 >= cell.first) {
            runs[count - 1].last = cell.last;
        } else {
            runs[count++] = cell;
        }
    }
    runs.resize(count);
}

}  // namespace horde
