// What callers do to a World between frames.
#include <optional>
#include <span>
#include <string>

#include "sim/goals.h"
#include "sim/life/act.h"
#include "sim/spawn.h"
#include "sim/view/view.h"
#include "world_impl.h"

namespace horde {

AgentId World::spawn(const NewAgent& agent) {
    impl_->require_rest();
    const FloatMode mode;
    if (impl_->in_double) throw Error("spawn: agents cannot come or go in double precision; use float");
    const AgentId id = spawn_agent(impl_->frame, agent);
    impl_->note([&] { return SpawnInput{agent}; });
    return id;
}

bool World::despawn(AgentId id) {
    impl_->require_rest();
    if (impl_->in_double) throw Error("despawn: agents cannot come or go in double precision; use float");
    const std::optional<std::int64_t> index = find_agent(impl_->frame.agents, id);
    if (index) {
        const auto i = static_cast<std::uint32_t>(*index);
        remove_agents(impl_->frame.agents, {&i, 1});
        impl_->note([&] { return DespawnInput{id}; });
    }
    return index.has_value();
}

static Terrain& terrain_of(Frame& frame, const char* what) {
    if (!frame.land) throw Error(std::string(what) + ": the world has no map; give the scene a [map]");
    return frame.land->terrain;
}

StampId World::stamp(const CellArea& area, int cost) {
    impl_->require_rest();
    const StampId id = terrain_of(impl_->frame, "stamp").stamp(area, cost);
    impl_->note([&] { return StampAreaInput{area, cost}; });
    return id;
}

StampId World::stamp(std::span<const Cell> cells, int cost) {
    impl_->require_rest();
    const StampId id = terrain_of(impl_->frame, "stamp").stamp(cells, cost);
    impl_->note([&] { return StampCellsInput{{cells.begin(), cells.end()}, cost}; });
    return id;
}

void World::unstamp(StampId id) {
    impl_->require_rest();
    terrain_of(impl_->frame, "unstamp");
    horde::unstamp(*impl_->frame.land, id);
    impl_->note([&] { return UnstampInput{id}; });
}

void World::set_cost(const CellArea& area, int cost) {
    impl_->require_rest();
    terrain_of(impl_->frame, "set_cost").set_cost(area, cost);
    impl_->note([&] { return SetCostInput{area, cost}; });
}

void World::set_goal(std::size_t goal_set, std::span<const Cell> cells) {
    impl_->require_rest();
    horde::set_goal(impl_->frame, goal_set, cells);
    impl_->note([&] { return SetGoalInput{goal_set, {cells.begin(), cells.end()}}; });
}

void World::follow(std::size_t goal_set, AgentId id) {
    impl_->require_rest();
    follow_agent(impl_->frame, goal_set, id);
    impl_->note([&] { return FollowInput{goal_set, id}; });
}

std::optional<Vec3> World::teleport(AgentId id, Vec3 position) {
    impl_->require_columns("teleport");
    const FloatMode mode;
    const std::optional<Vec3> place = teleport_agent(impl_->frame, id, position);
    if (place) impl_->note([&] { return TeleportInput{id, position}; });
    return place;
}

bool World::push(AgentId id, Vec3 change) {
    impl_->require_columns("push");
    const FloatMode mode;
    const bool found = push_agent(impl_->frame, id, change);
    if (found) impl_->note([&] { return PushInput{id, change}; });
    return found;
}

std::int64_t World::push(Vec3 centre, double radius, double speed) {
    impl_->require_columns("push");
    const FloatMode mode;
    const std::int64_t count = push_circle(impl_->frame, centre, radius, speed);
    if (count > 0) impl_->note([&] { return PushCircleInput{centre, radius, speed}; });
    return count;
}

bool World::strike(AgentId id, const Blow& blow) {
    impl_->require_columns("strike");
    const FloatMode mode;
    const bool found = strike_agent(impl_->frame, id, blow);
    if (found) impl_->note([&] { return StrikeInput{id, blow}; });
    return found;
}

std::int64_t World::strike(Vec3 centre, double radius, const Blow& blow, int group) {
    impl_->require_columns("strike");
    const FloatMode mode;
    const std::int64_t count = strike_circle(impl_->frame, centre, radius, blow, group);
    if (count > 0) impl_->note([&] { return StrikeCircleInput{centre, radius, blow, group}; });
    return count;
}

void World::reserve(std::int64_t agents) {
    impl_->require_rest();
    if (agents < 0 || agents > kMaxSlots) {
        throw Error("reserve: " + std::to_string(agents) + " agents; give 0 to " + std::to_string(kMaxSlots));
    }
    reserve_agents(impl_->frame.agents, agents);
    impl_->frame.report.capacity = capacity_of(impl_->frame.agents);
}

void World::set_viewpoints(std::span<const Vec3> points) {
    impl_->require_rest();
    const FloatMode mode;
    if (impl_->in_double) throw Error("viewpoints: there are no tiers in double precision; use float");
    horde::set_viewpoints(impl_->frame, points);
    impl_->note([&] { return ViewpointsInput{{points.begin(), points.end()}}; });
}

}  // namespace horde
