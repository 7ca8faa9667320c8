// Who pushes whom, written once over lane operations: see lanes_copy.h. Few candidates push an agent, so that
// a division in every lane would be wasted: pairs are found first, lane by lane, and their pushes worked out
// later with every lane in use.
#pragma once

#include "cpu/lanes/lanes_copy.h"

namespace horde {
namespace {

// What an agent sees of one vector of candidates.
template <class L, int D>
struct Seen {
    typename L::F position[D];
    typename L::F offset[D];
    typename L::F d2;
};

template <class L, int D>
inline Seen<L, D> look(const float* at, const typename L::F (&own)[D]) {
    Seen<L, D> seen;
    for (int k = 0; k < D; ++k) {
        seen.position[k] = L::load(at + k * kColumn);
        seen.offset[k] = L::sub(seen.position[k], own[k]);
    }
    seen.d2 = L::mul(seen.offset[0], seen.offset[0]);
    for (int k = 1; k < D; ++k) seen.d2 = L::add(seen.d2, L::mul(seen.offset[k], seen.offset[k]));
    return seen;
}

// Pushes of a vector of pairs in whole units, as separation_push and LatticeSums::add_push compute them.
template <class L, int D>
struct FlockPush {
    typename L::F least2, scale;

    explicit FlockPush(const LaneRule& rule) : least2(L::set(rule.least2)), scale(L::set(-rule.push_scale)) {}
    void operator()(const typename L::F (&offset)[D], typename L::F square, typename L::I (&push)[D]) const {
        const auto far = L::max(square, least2);
        for (int k = 0; k < D; ++k) push[k] = L::round(L::mul(L::div(offset[k], far), scale));
    }
};

// The same of walkers, as add_separation computes them.
template <class L, int D>
struct CrowdPush {
    typename L::F radius, least, one, scale;

    explicit CrowdPush(const LaneRule& rule)
        : radius(L::set(rule.radius)),
          least(L::set(1.0f / 64.0f)),
          one(L::set(1.0f)),
          scale(L::set(0x1p18f)) {}
    void operator()(const typename L::F (&offset)[D], typename L::F square, typename L::I (&push)[D]) const {
        const auto d = L::sqrt(square);
        const auto rest = L::sub(one, L::max(L::div(d, radius), least));
        const auto strength = L::mul(rest, rest);
        for (int k = 0; k < D; ++k) {
            const auto away = L::div(L::sub(L::zero(), offset[k]), d);
            push[k] = L::round(L::mul(L::mul(strength, away), scale));
        }
    }
};

// Works out the pairs that wait. Sums run on from pair to pair, modulo 2^32: an agent's are the difference of
// two.
template <class L, int D, class Push>
void push_pairs(const LaneRule& rule, LaneWaiting& waiting) {
    const Push push_of(rule);
    alignas(64) std::int32_t sum[D][kPairRoom + 32];  // of the pairs before
    typename L::I total[D];
    for (int k = 0; k < D; ++k) {
        total[k] = L::zero_int();
        sum[k][0] = 0;
    }
    for (std::int32_t i = 0; i < waiting.pairs; i += L::kWidth) {
        typename L::F offset[D];
        typename L::I push[D];
        for (int k = 0; k < D; ++k) offset[k] = L::load(waiting.pair_offset[k].pair + i);
        push_of(offset, L::load(waiting.pair_square.pair + i), push);
        for (int k = 0; k < D; ++k) {
            const auto running = L::add(total[k], L::running_sum(push[k]));
            L::store(sum[k] + i + 1, running);
            total[k] = L::last(running);
        }
    }
    for (int k = 0; k < D; ++k) {
        std::int32_t before = 0;
        for (std::int32_t slot = 0; slot < kWaiting; ++slot) {
            const std::int32_t end = waiting.pair_end[slot];
            const std::int32_t so_far = slot < waiting.count ? sum[k][end] : before;
            waiting.push[k][slot] = static_cast<std::int32_t>(
                static_cast<std::uint32_t>(waiting.push[k][slot]) + static_cast<std::uint32_t>(so_far) -
                static_cast<std::uint32_t>(before));
            before = so_far;
        }
    }
    for (std::int32_t& end : waiting.pair_end) end = 0;
    waiting.pairs = 0;
}

// How many push the agent, and how many lie at its very place, itself among them.
struct PairCounts {
    std::int32_t pushers = 0, coincident = 0;
};

// Lets the pairs of the agent that came last wait. Whole units: 1 is the least square but 0.
template <class L, int D, class Push>
inline PairCounts find_pairs(const LaneRule& rule, const float* first, const float* last,
                             const typename L::F (&own)[D], LaneWaiting& waiting) {
    const auto near2 = L::set(rule.near2);
    const auto one = L::set(1.0f);
    PairCounts counts;
    std::int32_t pairs = waiting.pairs;
    for (const float* at = first; at < last; at += L::kWidth) {
        const Seen<L, D> seen = look<L, D>(at, own);
        const auto near = L::le(seen.d2, near2);
        const auto apart = L::le_where(near, one, seen.d2);
        const auto order = L::order(apart);
        if (pairs > kPairRoom - L::kWidth) {
            waiting.pair_end[waiting.count - 1] = waiting.pairs = pairs;
            push_pairs<L, D, Push>(rule, waiting);
            pairs = 0;
        }
        for (int k = 0; k < D; ++k)
            L::store_ordered(order, waiting.pair_offset[k].pair + pairs, seen.offset[k]);
        L::store_ordered(order, waiting.pair_square.pair + pairs, seen.d2);
        const std::int32_t pushers = L::count(apart);
        pairs += pushers;
        counts.pushers += pushers;
        counts.coincident += L::count(near) - pushers;
    }
    waiting.pair_end[waiting.count - 1] = waiting.pairs = pairs;
    return counts;
}

}  // namespace
}  // namespace horde
