#include "sim/observe.h"

#include <algorithm>
#include <numeric>

#include "sim/setup_rules.h"

namespace horde {
namespace {

// Indices of the points within the radius, ascending, and how many were looked at.
template <int D, class Real>
std::int64_t gather_points(const GridView& grid, const std::vector<std::uint32_t>& index_at,
                           const Real* const (&position)[3], std::int64_t chosen, Real radius,
                           std::vector<std::uint32_t>& found) {
    const auto point = [&](std::int64_t i) {
        Vec<D, Real> p;
        for (int k = 0; k < D; ++k) p[k] = position[k][i];
        return p;
    };
    std::int64_t candidates = 0;
    found.clear();
    for_candidate_runs<D>(grid, point(chosen), radius, [&](std::uint32_t begin, std::uint32_t end) {
        candidates += end - begin;
        for (std::uint32_t place = begin; place < end; ++place) {
            const std::uint32_t j = index_at[place];
            if (j == chosen) continue;
            const Vec<D, Real> offset = offset_between<D>(grid, point(chosen), point(j));
            if (within(dot(offset, offset), radius)) found.push_back(j);
        }
    });
    std::sort(found.begin(), found.end());
    return candidates;
}

}  // namespace

std::vector<std::uint32_t> id_order(const Agents& agents) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(agents.count));
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return agents.id.now[a] < agents.id.now[b]; });
    return order;
}

std::optional<AgentInfo> agent_info(Frame& frame, AgentId id) {
    const std::optional<std::int64_t> found = find_agent(frame.agents, id);
    if (!found) return std::nullopt;
    const std::int64_t i = *found;
    const Agents& agents = frame.agents;
    const Group& group = frame.params.groups[agents.group.now[i]];
    const Vec3 origin = frame.params.origin;
    AgentInfo info;
    info.id = id;
    info.position = {origin.x + agents.position[0].now[i], origin.y + agents.position[1].now[i], 0.0};
    info.velocity = {agents.velocity[0].now[i], agents.velocity[1].now[i], 0.0};
    if (agents.dim == 3) {
        info.position.z = origin.z + agents.position[2].now[i];
        info.velocity.z = agents.velocity[2].now[i];
    }
    info.group = group.scene_group;
    info.type = group.type;
    info.goal = agents.goal.now[i];
    info.state = agents.state.now[i];
    if (agents.has_tiers) info.tier = static_cast<Tier>(agents.tier.now[i] & kTierBits);
    if (agents.has_combat) {
        info.combat = agents.combat.now[i];
        info.health = agents.health.now[i];
    }
    info.behaviour = group.behaviour;
    return info;
}

void write_snapshot(const Frame& frame, Snapshot& out) {
    const Agents& agents = frame.agents;
    const std::vector<std::uint32_t> order = id_order(agents);
    out.frame = frame.number;
    out.dim = agents.dim;
    out.id.resize(order.size());
    out.position.resize(order.size());
    out.velocity.resize(order.size());
    out.goal.resize(order.size());
    out.type.resize(order.size());
    out.state.resize(order.size());
    out.tier.resize(agents.has_tiers ? order.size() : 0);
    out.combat.resize(agents.has_combat ? order.size() : 0);
    out.health.resize(agents.has_combat ? order.size() : 0);
    out.behaviour.resize(agents.has_behaviours ? order.size() : 0);
    const Vec3 origin = frame.params.origin;
    for (std::size_t row = 0; row < order.size(); ++row) {
        const std::uint32_t i = order[row];
        out.id[row] = agents.id.now[i];
        out.position[row] = {origin.x + agents.position[0].now[i], origin.y + agents.position[1].now[i], 0.0};
        out.velocity[row] = {agents.velocity[0].now[i], agents.velocity[1].now[i], 0.0};
        if (agents.dim == 3) {
            out.position[row].z = origin.z + agents.position[2].now[i];
            out.velocity[row].z = agents.velocity[2].now[i];
        }
        out.goal[row] = agents.goal.now[i];
        out.type[row] = frame.params.groups[agents.group.now[i]].type;
        out.state[row] = agents.state.now[i];
        if (agents.has_combat) {
            out.combat[row] = agents.combat.now[i];
            out.health[row] = agents.health.now[i];
        }
        if (agents.has_behaviours) out.behaviour[row] = frame.params.groups[agents.group.now[i]].behaviour;
        if (agents.has_tiers) out.tier[row] = static_cast<Tier>(agents.tier.now[i] & kTierBits);
    }
}

std::int64_t choose_to_verify(const AgentId* id, std::int64_t count, std::uint64_t seed,
                              std::uint64_t frame) {
    std::int64_t chosen = 0;
    const auto draw = [&](std::int64_t i) { return random64(seed, id[i], frame, RandomUse::kVerify); };
    for (std::int64_t i = 1; i < count; ++i) {
        if (draw(i) < draw(chosen)) chosen = i;
    }
    return chosen;
}

template <class Real>
VerifyReport verify_search(const Params& params, const GridView& grid, const Real* const (&position)[3],
                           const AgentId* id, std::int64_t count, std::int64_t chosen, Real radius) {
    std::vector<std::uint32_t> found[2];
    std::vector<std::uint32_t> index_at(static_cast<std::size_t>(count));
    std::iota(index_at.begin(), index_at.end(), 0u);
    const auto gather = [&](const GridView& view, std::vector<std::uint32_t>& into) {
        return params.dim == 2 ? gather_points<2>(view, index_at, position, chosen, radius, into)
                               : gather_points<3>(view, index_at, position, chosen, radius, into);
    };
    Grid all;
    all.set(params.dim, params.cell, params.periodic);
    all.set_brute(count);
    VerifyReport report;
    report.id = id[chosen];
    report.brute_candidates = gather(all.view(), found[1]);
    if (grid.brute) {
        SerialExecutor executor;
        Grid own;
        own.set(params.dim, params.cell, params.periodic);
        own.sort(position, count, executor);
        index_at = own.order();
        report.grid_candidates = gather(own.view(), found[0]);
    } else {
        report.grid_candidates = gather(grid, found[0]);
    }
    report.neighbours = static_cast<std::int64_t>(found[1].size());
    report.equal = found[0] == found[1];
    return report;
}
template VerifyReport verify_search(const Params&, const GridView&, const float* const (&)[3], const AgentId*,
                                    std::int64_t, std::int64_t, float);
template VerifyReport verify_search(const Params&, const GridView&, const double* const (&)[3],
                                    const AgentId*, std::int64_t, std::int64_t, double);

VerifyReport verify_frame(Frame& frame, const Backend& backend) {
    backend.grid(frame);
    const Agents& agents = frame.agents;
    const std::int64_t chosen =
        choose_to_verify(agents.id.now.data(), agents.count, frame.params.seed, frame.number);
    return verify_search(
        frame.params, frame.grid.view(),
        {agents.position[0].now.data(), agents.position[1].now.data(), agents.position[2].now.data()},
        agents.id.now.data(), agents.count, chosen,
        neighbour_radius(frame.params.groups[agents.group.now[chosen]]));
}

}  // namespace horde
