#include "sim/behaviour/watch.h"

#include <cmath>

#include "sim/frame.h"

namespace horde {
namespace {

constexpr std::int64_t kFew = 32;  // agents: fewer need no cells

void find_members(Watch& watch, const Params& params, const Agents& agents) {
    for (int k = 0; k < agents.dim; ++k) watch.found[k].clear();
    watch.found_index.clear();
    for (std::int64_t i = 0; i < agents.count; ++i) {
        if (params.groups[agents.group.now[i]].scene_group != watch.group || is_dead(agents, i)) continue;
        for (int k = 0; k < agents.dim; ++k) watch.found[k].push_back(agents.position[k].now[i]);
        watch.found_index.push_back(static_cast<std::uint32_t>(i));
    }
}

void sort_members(Watch& watch, int dim, Executor& executor) {
    const auto count = static_cast<std::int64_t>(watch.found_index.size());
    for (int k = 0; k < dim; ++k) watch.position[k].resize(watch.found_index.size());
    watch.index.resize(watch.found_index.size());
    if (count < kFew) {
        watch.grid.set_brute(count);
        for (int k = 0; k < dim; ++k) watch.position[k] = watch.found[k];
        watch.index = watch.found_index;
        return;
    }
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

void fill_watches(std::vector<Watch>& watches, const Params& params, const Agents& agents,
                  Executor& executor) {
    for (Watch& watch : watches) {
        find_members(watch, params, agents);
        sort_members(watch, agents.dim, executor);
        if (watch.wants_centre) find_centre(watch, params, agents);
    }
}

}  // namespace horde
