// Watches: the living agents of one [[agents]] in a grid of their own, for those who hunt, flee, attack or
// count them. What they tell does not depend on how many others there are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/agents.h"
#include "sim/grid.h"

namespace horde {

struct Params;

struct Watch {
    std::uint8_t group = 0;  // of [[agents]]
    bool wants_centre = false;

    Grid grid;
    std::vector<float> found[3];             // positions in the order of the agents
    std::vector<std::uint32_t> found_index;  // and their indices
    std::vector<float> position[3];          // the same in the order of the grid
    std::vector<std::uint32_t> index;
    float centre[3] = {};  // local metres
};

// One that a watch knows.
struct Watched {
    std::uint32_t index = 0;  // of the agent
    float offset[3] = {};     // metres from who asks
    float d2 = 0.0f;
};

// Takes stock of the agents as they are.
void fill_watches(std::vector<Watch>& watches, const Params& params, const Agents& agents,
                  Executor& executor);

// f(Watched) for each one within `radius` of a place, inclusive, but agent `self`.
template <int D, class F>
void for_each_watched(const Watch& watch, Vec<D> from, float radius, std::int64_t self, F&& f) {
    const GridView& view = watch.grid.view();
    for_candidate_runs<D>(view, from, radius, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t n = begin; n < end; ++n) {
            if (watch.index[n] == self) continue;
            Vec<D> at;
            for (int k = 0; k < D; ++k) at[k] = watch.position[k][n];
            const Vec<D> offset = offset_between<D>(view, from, at);
            Watched other;
            other.d2 = dot(offset, offset);
            if (!(other.d2 <= radius * radius)) continue;
            other.index = watch.index[n];
            for (int k = 0; k < D; ++k) other.offset[k] = offset[k];
            f(other);
        }
    });
}

// The nearest of those for which `counts` holds, of equally near ones that of the least id.
template <int D, class Counts>
std::optional<Watched> nearest_watched(const Watch& watch, const Agents& agents, Vec<D> from, float radius,
                                       std::int64_t self, Counts&& counts) {
    std::optional<Watched> nearest;
    for_each_watched<D>(watch, from, radius, self, [&](const Watched& other) {
        if (nearest &&
            (other.d2 > nearest->d2 ||
             (other.d2 == nearest->d2 && agents.id.now[other.index] > agents.id.now[nearest->index])))
            return;
        if (counts(other)) nearest = other;
    });
    return nearest;
}

}  // namespace horde
