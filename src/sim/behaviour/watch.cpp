#include "sim/behaviour/watch.h"

#include <algorithm>
#include <cmath>

#include "sim/frame.h"

namespace horde {
namespace {

constexpr std::int64_t kFew = 32;  // agents: fewer need no cells

constexpr double kMembersPerCell = 3.0;
constexpr float kLeastCells = 64.0f;  // cells are no smaller than this part of the reach

// Who belongs to which watch, and who lies dead.
void find_members(Frame& frame) {
    const Agents& agents = frame.agents;
    const Params& params = frame.params;
    for (Watch& watch : frame.watches) {
        for (int k = 0; k < agents.dim; ++k) watch.found[k].clear();
        watch.found_index.clear();
    }
    frame.combat.lying.clear();
    for (std::int64_t i = 0; i < agents.count; ++i) {
        const Group& group = params.groups[agents.group.now[i]];
        if (is_dead(agents, i)) {
            frame.combat.lying.push_back(static_cast<std::uint32_t>(i));
            continue;
        }
        if (group.watch == kNoWatch) continue;
        Watch& watch = frame.watches[group.watch];
        for (int k = 0; k < agents.dim; ++k) watch.found[k].push_back(agents.position[k].now[i]);
        watch.found_index.push_back(static_cast<std::uint32_t>(i));
    }
}

// Cells that hold a few members, if these are spread evenly. The old ones stay while they nearly do.
void choose_cell(Watch& watch, const Params& params) {
    double space = kMembersPerCell / static_cast<double>(watch.found_index.size());
    for (int k = 0; k < params.dim; ++k) {
        const auto [low, high] = std::minmax_element(watch.found[k].begin(), watch.found[k].end());
        space *= std::max(static_cast<double>(*high) - static_cast<double>(*low), 1e-6);
    }
    double cell = std::sqrt(space);
    if (params.dim == 3) {  // the cube root, near enough: which cells there are changes no result
        for (int n = 0; n < 60; ++n) cell -= (cell * cell * cell - space) / (3.0 * cell * cell);
    }
    const float reach = watch.reach > 0.0f ? watch.reach : params.reach;
    const float wanted = std::clamp(static_cast<float>(cell), reach / kLeastCells, reach);
    if (wanted < 2.0f * watch.cell && watch.cell < 2.0f * wanted) return;
    watch.cell = wanted;
    watch.grid.set(params.dim, wanted, params.periodic);
}

void sort_members(Watch& watch, const Params& params, Executor& executor) {
    const int dim = params.dim;
    const auto count = static_cast<std::int64_t>(watch.found_index.size());
    for (int k = 0; k < dim; ++k) watch.position[k].resize(watch.found_index.size());
    watch.index.resize(watch.found_index.size());
    if (count < kFew) {
        watch.grid.set_brute(count);
        for (int k = 0; k < dim; ++k) watch.position[k] = watch.found[k];
        watch.index = watch.found_index;
        return;
    }
    choose_cell(watch, params);
    watch.grid.sort({watch.found[0].data(), watch.found[1].data(), watch.found[2].data()}, count, executor);
    const std::vector<std::uint32_t>& order = watch.grid.order();
    for (std::size_t n = 0; n < watch.index.size(); ++n) {
        const std::uint32_t from = order[n];
        for (int k = 0; k < dim; ++k) watch.position[k][n] = watch.found[k][from];
        watch.index[n] = watch.found_index[from];
    }
}

// The mean place, from offsets to the agent of the least id: in whole lattice units, so that it has no order.
void find_centre(Watch& watch, const Params& params, const Agents& agents) {
    if (watch.index.empty()) return;
    std::uint32_t first = watch.index[0];
    for (const std::uint32_t i : watch.index) {
        if (agents.id.now[i] < agents.id.now[first]) first = i;
    }
    const auto count = static_cast<double>(watch.index.size());
    for (int k = 0; k < agents.dim; ++k) {
        const double own = agents.position[k].now[first];
        const double length = params.periodic.length[k];
        std::int64_t units = 0;
        for (const float x : watch.position[k]) {
            double offset = static_cast<double>(x) - own;
            if (params.periodic.on) {
                if (offset < -0.5 * length) offset += length;
                if (offset >= 0.5 * length) offset -= length;
            }
            units += static_cast<std::int64_t>(offset * static_cast<double>(params.position.per_unit));
        }
        auto centre = static_cast<float>(own + static_cast<double>(units) / count *
                                                   static_cast<double>(params.position.unit));
        if (params.periodic.on) centre = wrap_coordinate(params.periodic, k, centre);
        watch.centre[k] = centre;
    }
}

}  // namespace

void fill_watches(Frame& frame) {
    find_members(frame);
    for (Watch& watch : frame.watches) {
        sort_members(watch, frame.params, *frame.executor);
        if (watch.wants_centre) find_centre(watch, frame.params, frame.agents);
    }
}

}  // namespace horde
