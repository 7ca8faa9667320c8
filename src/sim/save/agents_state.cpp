// The store of agents, column by column, and the rows of a double flock.
#include <cmath>
#include <string>

#include "sim/save/visit.h"

namespace horde {
namespace {

constexpr float kFastest = 4e6f;  // m/s: more than any scene or call can give
constexpr std::uint32_t kSharedColumn = 1u << 31;

// Names a column and the type of its values, so that a file of other columns is not taken.
template <class Archive, class T>
void visit_name(Archive& a, std::uint32_t bit, const std::vector<T>&) {
    a.same(std::uint64_t{bit} << 8 | sizeof(T), "a column of the agents");
}

template <class Archive>
void visit_columns_of(Archive& a, Agents& agents) {
    const auto count = static_cast<std::size_t>(agents.count);
    visit_columns(
        agents,
        [&](auto& column, ColumnBit bit) {
            visit_name(a, bit, column.now);
            a.array(column.now.data(), count);
        },
        [&](auto& column, ColumnBit bit) {
            const bool shared = column.now.shared();
            visit_name(a, shared ? bit | kSharedColumn : bit, column.now.own());
            a.array(column.now.own().data(), shared ? 1 : count);
        });
    a.same(0, "the number of columns");
}

[[noreturn]] void refuse_agent(const Agents& agents, std::int64_t i, const char* what) {
    throw Error("agent " + std::to_string(agents.id.now[i]) + " has " + what);
}

// What the stages rely on.
void check_agents(const Frame& frame) {
    const Agents& agents = frame.agents;
    const Params& params = frame.params;
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (agents.group.now[i] >= params.groups.size()) refuse_agent(agents, i, "no group of the scene");
        const std::uint16_t goal = agents.goal.now[i];
        if (frame.ground && goal != kNoGoal && goal >= frame.fields.set_count())
            refuse_agent(agents, i, "no goal of the scene");
        if (agents.state.now[i] > AgentState::kStranded) refuse_agent(agents, i, "no state");
        if (agents.has_tiers && (agents.tier.now[i] & kTierBits) > static_cast<std::uint8_t>(Tier::kNear))
            refuse_agent(agents, i, "no tier");
        if (agents.has_combat && agents.combat.now[i] > CombatState::kDead)
            refuse_agent(agents, i, "no state of combat");
        for (int k = 0; k < agents.dim; ++k) {
            const float x = agents.position[k].now[i], v = agents.velocity[k].now[i];
            if (!std::isfinite(x) || params.position.snap(x) != x)
                refuse_agent(agents, i, "a position that is none");
            if (!(std::fabs(v) <= kFastest) || params.velocity.snap(v) != v)
                refuse_agent(agents, i, "a velocity that is none");
            if (agents.keeps_steering && !std::isfinite(agents.kept[k].now[i]))
                refuse_agent(agents, i, "a steering that is none");
        }
        if (!(agents.speed.now[i] >= 0.0f && agents.speed.now[i] <= kFastest && agents.stall.now[i] >= 0.0f))
            refuse_agent(agents, i, "a speed or a stall that is none");
        if (!frame.ground) continue;
        const double column = frame.ground->column_at(agents.position[0].now[i]);
        const double row = frame.ground->row_at(agents.position[1].now[i]);
        if (!(column >= 0.0 && row >= 0.0 && column < frame.ground->map.columns &&
              row < frame.ground->map.rows))
            refuse_agent(agents, i, "a position outside the map");
    }
}

// Bytes of one agent in the columns.
std::size_t bytes_of_agent(Agents& agents) {
    std::size_t bytes = 0;
    for_each_column(agents, [&](auto& now, auto&, ColumnBit) { bytes += sizeof(now[0]); });
    return bytes;
}

template <class Archive>
void visit_rows(Archive& a, std::vector<double>& rows) {
    a.array(rows.data(), rows.size());
    for (const double x : rows) {
        if (!std::isfinite(x)) throw Error("a number of the agents in double precision is not finite");
    }
}

}  // namespace

template <class Archive>
void visit_agents(Archive& a, WorldState& world) {
    Agents& agents = world.frame.agents;
    a.same(static_cast<std::uint64_t>(agents.dim), "world.dim");
    a.value(agents.keeps_steering);
    a.value(agents.has_tiers);
    a.same(agents.has_combat ? 1 : 0, "combat");
    a.same(agents.has_behaviours ? 1 : 0, "behaviours");
    visit_values(a, agents.generation, kMaxSlots, "slots");
    visit_values(a, agents.free_slots, agents.generation.size(), "free slots");
    std::int64_t count = agents.count;
    a.count(count, bytes_of_agent(agents));
    if constexpr (Archive::kReads) {
        fit_new_columns(agents);
        reserve_agents(agents, count);
        agents.count = count;
    }
    visit_columns_of(a, agents);
    if constexpr (Archive::kReads) {
        take_slots(agents);
        check_agents(world.frame);
    }
}

template <class Archive>
void visit_double(Archive& a, WorldState& world) {
    a.same(world.in_double != nullptr ? 1 : 0, "double precision");
    if (world.in_double == nullptr) return;
    DoubleFlock& flock = *world.in_double;
    a.same(flock.id.size(), "the number of agents in double precision");
    visit_rows(a, flock.limit);
    for (int k = 0; k < flock.dim; ++k) {
        visit_rows(a, flock.position[k]);
        visit_rows(a, flock.velocity[k]);
        visit_rows(a, flock.kept[k]);
    }
}

template void visit_agents(StateWriter&, WorldState&);
template void visit_agents(StateReader&, WorldState&);
template void visit_double(StateWriter&, WorldState&);
template void visit_double(StateReader&, WorldState&);

}  // namespace horde
