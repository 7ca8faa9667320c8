// The clock, what waits for the next frame, and what the last one told: report and events.
#include <cmath>
#include <cstdlib>

#include "sim/save/visit.h"

namespace horde {
namespace {

constexpr std::size_t kMostViewpoints = 1024;
constexpr std::int64_t kMostUnits = std::int64_t{1} << 31;  // of a push or a blow
constexpr std::int64_t kMostPoints = 1'000'000'000;
constexpr std::uint64_t kMostStun = std::uint64_t{1'000'001} << 32;  // ticks

// What waits for an agent, which may be gone, in units of the velocity lattice.
void check_target(const Frame& frame, AgentId id, const std::int64_t (&units)[3]) {
    if (static_cast<std::uint32_t>(id) >= frame.agents.generation.size())
        throw Error("a push or a blow is for an agent that never was");
    for (const std::int64_t each : units) {
        if (each < -kMostUnits || each > kMostUnits)
            throw Error("a push or a blow is harder than there can be");
    }
}

template <class Archive>
void visit_pushes(Archive& a, Frame& frame) {
    a.size(frame.pushes, 32, kAnyNumber, "pushes");
    for (Push& push : frame.pushes) {
        a.value(push.id);
        for (std::int64_t& units : push.units) a.value(units);
        check_target(frame, push.id, push.units);
    }
}

template <class Archive>
void visit_blows(Archive& a, Frame& frame) {
    std::vector<PendingBlow>& pending = frame.combat.pending;
    a.size(pending, 48, frame.agents.has_combat ? kAnyNumber : 0, "blows");
    for (PendingBlow& blow : pending) {
        a.value(blow.id);
        a.value(blow.hit.damage);
        a.value(blow.hit.stun);
        for (std::int64_t& units : blow.hit.knock) a.value(units);
        check_target(frame, blow.id, blow.hit.knock);
        if (std::abs(blow.hit.damage) > kMostPoints || blow.hit.stun > kMostStun)
            throw Error("a blow is harder than there can be");
    }
    visit_values(a, frame.combat.deaths, kAnyNumber, "deaths");
}

template <class Archive>
void visit_tiers(Archive& a, Frame& frame) {
    std::vector<Vec3> points = frame.tiers.viewpoints;
    a.size(points, 24, kMostViewpoints, "viewpoints");
    for (Vec3& point : points) visit_point(a, point);
    a.size(frame.tiers.events, 10, kAnyNumber, "tier events");
    for (TierEvent& event : frame.tiers.events) {
        a.value(event.id);
        a.below(event.from, 3, "tier");
        a.below(event.to, 3, "tier");
    }
    if constexpr (Archive::kReads) {
        if (!points.empty() && !frame.agents.has_tiers) a.refuse("there are viewpoints but no tiers");
        set_viewpoints(frame, points);
    }
}

template <class Archive>
void visit_bodies(Archive& a, Frame& frame) {
    std::vector<BodyPair>& contacts = frame.bodies.contacts;
    a.size(contacts, 16, frame.bodies.on() ? kAnyNumber : 0, "contacts");
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        a.value(contacts[k].a);
        a.value(contacts[k].b);
        if (contacts[k].a >= contacts[k].b || (k > 0 && !(contacts[k - 1] < contacts[k])))
            throw Error("contacts of bodies are not in order");
    }
    a.size(frame.bodies.events, 17, kAnyNumber, "contact events");
    for (ContactEvent& event : frame.bodies.events) {
        a.value(event.a);
        a.value(event.b);
        a.value(event.begins);
    }
}

}  // namespace

template <class Archive>
void visit_life(Archive& a, WorldState& world) {
    Frame& frame = world.frame;
    a.value(frame.number);
    a.value(frame.clock);
    a.value(frame.dt);
    a.value(frame.step_ticks);
    a.value(world.scene_steps);
    a.value(world.other_time);
    if (!std::isfinite(frame.dt) || !std::isfinite(world.other_time)) throw Error("a time is not finite");
    visit_pushes(a, frame);
    visit_blows(a, frame);
    visit_values(a, frame.arrivals, kAnyNumber, "arrivals");
    visit_tiers(a, frame);
    visit_bodies(a, frame);
}

// Counts alone: times are those of another machine.
template <class Archive>
void visit_report(Archive& a, WorldState& world) {
    FrameReport& r = world.frame.report;
    a.value(r.frame);
    a.value(r.agents_per_cell_mean);
    for (std::int64_t* count : {&r.candidates,
                                &r.neighbours,
                                &r.cells_occupied,
                                &r.agents_per_cell_max,
                                &r.drops,
                                &r.arrived,
                                &r.arrived_total,
                                &r.stuck,
                                &r.stranded,
                                &r.pushed_out,
                                &r.walled_in,
                                &r.field_repairs,
                                &r.field_builds,
                                &r.fields_late,
                                &r.fields_waiting,
                                &r.spawned,
                                &r.spawns_dropped,
                                &r.sunk,
                                &r.far,
                                &r.middle,
                                &r.near,
                                &r.promotions_deferred,
                                &r.demotions_deferred,
                                &r.bodies,
                                &r.bodiless,
                                &r.changed_behaviour,
                                &r.attacks,
                                &r.hits,
                                &r.damage,
                                &r.died,
                                &r.died_total,
                                &r.searches_cut,
                                &r.stunned,
                                &r.knocked_back,
                                &r.dead,
                                &r.contacts,
                                &r.not_finite}) {
        a.value(*count);
    }
}

template void visit_life(StateWriter&, WorldState&);
template void visit_life(StateReader&, WorldState&);
template void visit_report(StateWriter&, WorldState&);
template void visit_report(StateReader&, WorldState&);

}  // namespace horde
