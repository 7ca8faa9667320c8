// What callers see of a World.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "sim/field/heights.h"
#include "sim/goals.h"
#include "sim/observe.h"
#include "sim/setup_rules.h"
#include "sim/view/view.h"
#include "world_impl.h"

namespace horde {

std::vector<TraceSlice> World::trace() const {
    impl_->require_rest();
    return impl_->frame.trace ? impl_->frame.trace->slices() : std::vector<TraceSlice>{};
}

std::int64_t World::trace_dropped() const {
    impl_->require_rest();
    return impl_->frame.trace ? impl_->frame.trace->dropped() : 0;
}

const FrameReport& World::report() const {
    impl_->require_rest();
    return impl_->frame.report;
}

std::span<const AgentId> World::arrivals() const {
    impl_->require_rest();
    return impl_->frame.arrivals;
}

std::uint64_t World::frame() const {
    impl_->require_rest();
    return impl_->frame.number;
}

double World::time() const {
    impl_->require_rest();
    return impl_->time();
}

std::int64_t World::agent_count() const {
    impl_->require_rest();
    return impl_->frame.agents.count;
}

std::uint64_t World::state_hash() const {
    impl_->require_rest();
    return impl_->hash();
}

std::uint64_t World::Impl::hash() const {
    if (in_double) return horde::state_hash(*in_double, frame.params.seed, frame.number);
    return horde::state_hash(frame);
}

Precision World::precision() const {
    return impl_->in_double ? Precision::kDouble : Precision::kFloat;
}

const Scene& World::scene() const {
    return impl_->scene;
}

void World::snapshot(Snapshot& out) const {
    impl_->require_rest();
    const FloatMode mode;
    write_snapshot(impl_->frame, out);
    out.time = impl_->time();
    if (impl_->in_double) write_rows(*impl_->in_double, out);
}

GoalStatus World::goal_status(std::size_t goal_set, int group) const {
    impl_->require_rest();
    return horde::goal_status(impl_->frame, goal_set, group);
}

double World::height_at(double x, double y) const {
    impl_->require_rest();
    const FloatMode mode;
    if (!std::isfinite(x) || !std::isfinite(y))
        throw Error(std::string("height_at: ") + (std::isfinite(x) ? "y" : "x") +
                    " is not finite; give metres");
    const Frame& frame = impl_->frame;
    if (!frame.land || frame.land->heights.empty()) return 0.0;
    const Map& map = frame.ground->map;
    return height_between(map, frame.land->heights, x / map.cell_size, y / map.cell_size);
}

std::int64_t World::capacity() const {
    impl_->require_rest();
    return capacity_of(impl_->frame.agents);
}

const std::vector<Vec3>& World::viewpoints() const {
    impl_->require_rest();
    return impl_->frame.tiers.viewpoints;
}

const std::vector<TierEvent>& World::tier_events() const {
    impl_->require_rest();
    return impl_->frame.tiers.events;
}

std::span<const AgentId> World::deaths() const {
    impl_->require_rest();
    return impl_->frame.combat.deaths;
}

std::span<const Vec3> World::death_places() const {
    impl_->require_rest();
    return impl_->frame.combat.death_places;
}

std::span<const ContactEvent> World::contact_events() const {
    impl_->require_rest();
    return impl_->frame.bodies.events;
}

void World::set_camera(const Camera& camera, const ViewOptions& options) {
    impl_->require_rest();
    if (impl_->in_double) throw Error("camera: nothing is drawn in double precision; use float");
    const FloatMode mode;
    horde::set_camera(impl_->frame, camera, options);
}

void World::clear_camera() {
    impl_->require_rest();
    impl_->frame.view.on = false;
    forget_visible(impl_->frame);
}

void World::set_bounds(int type, const TypeBounds& bounds) {
    impl_->require_rest();
    const FloatMode mode;
    horde::set_bounds(impl_->frame, type, bounds);
}

void World::refresh_view() {
    impl_->require_rest();
    const FloatMode mode;
    if (!impl_->frame.view.on) return;
    impl_->backend->cull(impl_->frame);
    impl_->backend->instances(impl_->frame);
}

std::span<const AgentId> World::visible(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    return of_type<AgentId>(view, view.id, type);
}

std::span<const InstancePacket> World::packets(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    if (!view.options.packets) return {};
    const std::span<const InstancePacket> lent = view.options.packet_buffer;
    return of_type<InstancePacket>(view, lent.empty() ? view.packets : lent, type);
}

std::span<const InstanceMatrix> World::matrices(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    if (!view.options.matrices) return {};
    const std::span<const InstanceMatrix> lent = view.options.matrix_buffer;
    return of_type<InstanceMatrix>(view, lent.empty() ? view.matrices : lent, type);
}

std::span<const InstanceState> World::instance_states(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    if (!view.options.states) return {};
    return of_type<InstanceState>(view, view.states, type);
}

std::optional<AgentInfo> World::find(AgentId id) {
    impl_->require_columns("find");
    return agent_info(impl_->frame, id);
}

Vec3 World::origin() const {
    return impl_->frame.params.origin;
}

const Map* World::map() const {
    impl_->require_rest();
    return impl_->frame.ground ? &impl_->frame.ground->map : nullptr;
}
std::size_t World::goal_set_count() const {
    return impl_->frame.fields.set_count();
}

const Field& World::field(std::size_t goal_set) const {
    impl_->require_rest();
    return field_of_set(impl_->frame, goal_set);
}

double World::neighbour_radius() const {
    float radius = 0.0f;
    for (const Group& group : impl_->frame.params.groups)
        radius = std::max(radius, horde::neighbour_radius(group));
    return radius;
}

}  // namespace horde
