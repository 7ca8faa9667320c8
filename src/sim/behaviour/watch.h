// Watches: the living agents of one [[agents]] in a grid of their own, for those who hunt, flee, attack or
// count them. What they tell does not depend on how many others there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/agents.h"
#include "sim/grid.h"

namespace horde {

struct Frame;

struct Watch {
    std::uint8_t group = 0;  // of [[agents]]
    bool wants_centre = false;
    float reach = 0.0f;  // metres, the farthest that anybody asks for
    float cell = 0.0f;   // metres, of the grid: it holds a few agents

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
void fill_watches(Frame& frame);

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

// Is a nearer than b, or as near and of a lesser id?
inline bool is_before(const Agents& agents, const Watched& a, const Watched& b) {
    return a.d2 < b.d2 || (a.d2 == b.d2 && agents.id.now[a.index] < agents.id.now[b.index]);
}

// The nearest within `radius`, of equally near ones that of the least id. Looks in circles that grow twofold:
// who is found in one is nearer than all beyond it.
template <int D>
std::optional<Watched> nearest_watched(const Watch& watch, const Agents& agents, Vec<D> from, float radius,
                                       std::int64_t self) {
    std::optional<Watched> nearest;
    for (float r = std::min(watch.cell, radius);; r = std::min(2.0f * r, radius)) {
        for_each_watched<D>(watch, from, r, self, [&](const Watched& other) {
            if (!nearest || is_before(agents, other, *nearest)) nearest = other;
        });
        if (nearest || !(r < radius)) return nearest;
    }
}

// Who wants one in sight looks at so many of the nearest, and no farther.
inline constexpr int kMostLooks = 32;

// The nearest of the first kMostLooks within `radius` for whom `sees` holds. Adds to `cut` if none of them
// is seen and there may be more.
template <int D, class Sees>
std::optional<Watched> nearest_seen(const Watch& watch, const Agents& agents, Vec<D> from, float radius,
                                    std::int64_t self, std::int64_t& cut, Sees&& sees) {
    Watched nearest[kMostLooks];
    int count = 0;
    for (float r = std::min(watch.cell, radius);; r = std::min(2.0f * r, radius)) {
        count = 0;
        for_each_watched<D>(watch, from, r, self, [&](const Watched& other) {
            if (count == kMostLooks && !is_before(agents, other, nearest[count - 1])) return;
            int place = count < kMostLooks ? count++ : count - 1;
            for (; place > 0 && is_before(agents, other, nearest[place - 1]); --place)
                nearest[place] = nearest[place - 1];
            nearest[place] = other;
        });
        if (count == kMostLooks || !(r < radius)) break;
    }
    for (int n = 0; n < count; ++n) {
        if (sees(nearest[n])) return nearest[n];
    }
    cut += count == kMostLooks ? 1 : 0;
    return std::nullopt;
}

}  // namespace horde
