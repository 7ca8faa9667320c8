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
    for (int n = 0; n < kWaiting; n += L::kWidth) {
        const auto begin = L::load(waiting.pair_end + n), end = L::load(waiting.pair_end + n + 1);
        for (int k = 0; k < D; ++k) {
            const auto more = L::sub(L::look_up(sum[k], end), L::look_up(sum[k], begin));
            L::store(waiting.push[k] + n, L::add(L::load(waiting.push[k] + n), more));
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
            waiting.pair_end[waiting.count] = waiting.pairs = pairs;
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
    waiting.pair_end[waiting.count] = waiting.pairs = pairs;
    return counts;
}

// The same for agents [first, last) of a block, who take the slots from `waiting.count` on, where the
// candidates that may push them fill one vector. False, and nothing done, if there is no room.
template <class L, int D>
inline bool find_pairs_in_vector(const LaneRule& rule, const LaneBlock& block, const float* near,
                                 std::int64_t first, std::int64_t last, LaneWaiting& waiting) {
    std::int32_t pairs = waiting.pairs;
    if (pairs + (last - first) * L::kWidth > kPairRoom) return false;
    const auto near2 = L::set(rule.near2);
    const auto one = L::set(1.0f);
    typename L::F position[D];
    for (int k = 0; k < D; ++k) position[k] = L::load(near + k * kColumn);
    std::int32_t slot = waiting.count;
    for (std::int64_t agent = first; agent < last; ++agent, ++slot) {
        typename L::F offset[D];
        for (int k = 0; k < D; ++k) offset[k] = L::sub(position[k], L::set(block.own[k][agent]));
        auto d2 = L::mul(offset[0], offset[0]);
        for (int k = 1; k < D; ++k) d2 = L::add(d2, L::mul(offset[k], offset[k]));
        const auto close = L::le(d2, near2);
        const auto apart = L::le_where(close, one, d2);
        const auto order = L::order(apart);
        for (int k = 0; k < D; ++k) L::store_ordered(order, waiting.pair_offset[k].pair + pairs, offset[k]);
        L::store_ordered(order, waiting.pair_square.pair + pairs, d2);
        const std::int32_t pushers = L::count(apart);
        pairs += pushers;
        waiting.pair_end[slot + 1] = pairs;
        waiting.pushers[slot] = pushers;
        waiting.coincident[slot] = L::count(close) - pushers;
    }
    waiting.pairs = pairs;
    return true;
}

}  // namespace
}  // namespace horde
