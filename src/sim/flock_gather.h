// One loop over the neighbours of a flocking agent, for either precision. A Store says where candidates are:
//   void for_candidates(i, radius, counts, f)   f(j) for a superset of those within the radius, i included
//   Vec offset(i, j), velocity(j);  AgentId id(j)
// and Sums takes what is found: add_social(offset, velocity, own velocity), add_self(own velocity),
// add_push(push).
#pragma once

#include "sim/rules/flock.h"

namespace horde {

// Does an agent think in this frame? A function of frame and id: nothing to store, and spread evenly.
inline bool is_due(std::uint64_t frame, AgentId id, int update_every) {
    return update_every <= 1 || (frame + id) % static_cast<std::uint64_t>(update_every) == 0;
}

// What a gather is for, in this frame.
struct GatherParts {
    bool social = true;
    bool push = true;
    bool self = false;  // the agent's own velocity counts among the sums (vicsek)
};

// The nearest `most` of the neighbours met so far, in order of distance, then id.
template <class Real>
class NearestNeighbours {
  public:
    explicit NearestNeighbours(int most) : most_(most) {}

    void meet(Real d2, AgentId id, std::int64_t j) {
        if (size_ == most_ && !before({d2, id, j}, nearest_[size_ - 1])) return;
        int place = size_ < most_ ? size_++ : size_ - 1;
        for (; place > 0 && before({d2, id, j}, nearest_[place - 1]); --place)
            nearest_[place] = nearest_[place - 1];
        nearest_[place] = {d2, id, j};
    }

    template <class F>
    void visit(F&& f) const {
        for (int n = 0; n < size_; ++n) f(nearest_[n].j, nearest_[n].d2);
    }

  private:
    struct Met {
        Real d2;
        AgentId id;
        std::int64_t j;
    };
    static bool before(const Met& a, const Met& b) { return a.d2 < b.d2 || (a.d2 == b.d2 && a.id < b.id); }

    Met nearest_[kMostNearest];
    int size_ = 0;
    int most_;
};

// Adds up what agent i sees. `counts` gets every candidate and every visible neighbour, also those that a
// choice of few leaves out; what kFirst leaves out counts as dropped.
template <int D, class Real, class Store, class Sums, class Counts>
void gather_flock(const Store& store, const Sight<Real>& sight, std::int64_t i, GatherParts parts, Sums& sums,
                  Counts& counts) {
    const Vec<D, Real> own_velocity = store.velocity(i);
    const AgentId own_id = store.id(i);
    std::int64_t taken = 0;
    const auto take = [&](std::int64_t j, Vec<D, Real> offset, Real d2) {
        if (parts.social) sums.add_social(offset, store.velocity(j), own_velocity);
        if (parts.push) sums.add_push(separation_push(sight, offset, d2, own_id));
        ++taken;
    };
    NearestNeighbours<Real> nearest(sight.most);
    store.for_candidates(i, sight.radius, counts, [&](std::int64_t j) {
        if (j == i) {
            if (parts.self) sums.add_self(own_velocity);
            return;
        }
        const Vec<D, Real> offset = store.offset(i, j);
        const Real d2 = dot(offset, offset);
        if (!within(d2, sight.radius) || !sees(sight, own_velocity, offset, d2)) return;
        ++counts.neighbours;
        switch (sight.choice) {
            case NeighbourChoice::kAll:
                take(j, offset, d2);
                break;
            case NeighbourChoice::kNearest:
                nearest.meet(d2, store.id(j), j);
                break;
            case NeighbourChoice::kFirst:
                taken < sight.most ? take(j, offset, d2) : void(++counts.dropped);
                break;
        }
    });
    nearest.visit([&](std::int64_t j, Real d2) { take(j, store.offset(i, j), d2); });
}

}  // namespace horde
