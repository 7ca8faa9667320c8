// The sums over candidates, written once over lane operations: see lanes_copy.h.
#pragma once

#include "cpu/lanes/lanes_copy.h"
#include "cpu/lanes/lanes_finish.h"

namespace horde {
namespace {

// Bits that a mask takes in LaneCandidates::near.
template <class L>
constexpr int kMaskBits = L::kWidth == 16 ? 16 : 8;

// What an agent sees of one vector of candidates.
template <class L, int D>
struct Seen {
    typename L::F position[D];
    typename L::F offset[D];
    typename L::F d2;
};

template <class L, int D>
inline Seen<L, D> look(const float* const (&columns)[D], const typename L::F (&own)[D], std::int64_t j) {
    Seen<L, D> seen;
    for (int k = 0; k < D; ++k) {
        seen.position[k] = L::load(columns[k] + j);
        seen.offset[k] = L::sub(seen.position[k], own[k]);
    }
    seen.d2 = L::mul(seen.offset[0], seen.offset[0]);
    for (int k = 1; k < D; ++k) seen.d2 = L::add(seen.d2, L::mul(seen.offset[k], seen.offset[k]));
    return seen;
}

// Sums in lanes, and what one agent needs for them. Each kind of push is a struct of its own.
//
// No push at all.
template <class L, int D>
struct NoPush {
    NoPush(const LaneRule&, const LaneCandidates&, std::int64_t) {}
    void add(const Seen<L, D>&, typename L::M) {}
    void finish(LaneSums& out) const { out.coincident = out.pushers = 0; }
};

// Who is near is written down, for push_by_pair.
template <class L, int D>
struct PairPush {
    typename L::F near2;
    std::uint8_t* near;

    PairPush(const LaneRule& rule, const LaneCandidates& candidates, std::int64_t agent)
        : near2(L::set(rule.near2)), near(candidates.near + agent * candidates.near_stride) {}
    void add(const Seen<L, D>& seen, typename L::M hit) {
        near = L::store_mask(near, L::le_where(hit, seen.d2, near2));
    }
    void finish(LaneSums&) const { std::memset(near, 0, 8); }  // the last word is read whole
};

// -offset / d2 in units of the push, as separation_push and LatticeSums::add_push compute it. Who is at
// distance 0 pushes by 0.
template <class L, int D>
struct FlockPush {
    typename L::F near2, least2, scale;
    typename L::I sum[D];
    std::int32_t coincident = 0, pushers = 0;

    FlockPush(const LaneRule& rule, const LaneCandidates&, std::int64_t)
        : near2(L::set(rule.near2)), least2(L::set(rule.least2)), scale(L::set(-rule.push_scale)) {
        for (int k = 0; k < D; ++k) sum[k] = L::zero_int();
    }
    void add(const Seen<L, D>& seen, typename L::M hit) {
        const auto near = L::le_where(hit, seen.d2, near2);
        const auto square = L::max(seen.d2, least2);
        for (int k = 0; k < D; ++k) {
            sum[k] = L::add_where(sum[k], near, L::round(L::mul(L::div(seen.offset[k], square), scale)));
        }
        coincident += L::count(L::le(seen.d2, L::zero()));
        pushers += L::count(near);
    }
    void finish(LaneSums& out) const {
        L::reduce(sum, out.sum + 8);
        out.coincident = coincident;
        out.pushers = pushers;
    }
};

// The push of walkers, as add_separation computes it.
template <class L, int D>
struct CrowdPush {
    typename L::F radius, least, one, scale;
    typename L::I sum[D];
    std::int32_t coincident = 0, pushers = 0;

    CrowdPush(const LaneRule& rule, const LaneCandidates&, std::int64_t)
        : radius(L::set(rule.radius)),
          least(L::set(1.0f / 64.0f)),
          one(L::set(1.0f)),
          scale(L::set(0x1p18f)) {
        for (int k = 0; k < D; ++k) sum[k] = L::zero_int();
    }
    void add(const Seen<L, D>& seen, typename L::M hit) {
        const auto apart = L::le_where(hit, L::set(1.0f), seen.d2);  // whole units: 1 is the least but 0
        const auto d = L::sqrt(seen.d2);
        const auto rest = L::sub(one, L::max(L::div(d, radius), least));
        const auto strength = L::mul(rest, rest);
        for (int k = 0; k < D; ++k) {
            const auto away = L::div(L::sub(L::zero(), seen.offset[k]), d);
            sum[k] = L::add_where(sum[k], apart, L::round(L::mul(L::mul(strength, away), scale)));
        }
        coincident += L::count(L::le(seen.d2, L::zero()));
        pushers += L::count(apart);
    }
    void finish(LaneSums& out) const {
        L::reduce(sum, out.sum + 8);
        out.coincident = coincident;
        out.pushers = pushers;
    }
};

// The sum of what neighbours have in common with no push: offsets (first D) and velocities (last D).
template <class L, int D, bool kOffsets, bool kVelocities>
struct Social {
    static constexpr int kFirstVelocity = kOffsets ? D : 0;
    static constexpr int kCount = kFirstVelocity + (kVelocities ? D : 0);
    typename L::I sum[kCount > 0 ? kCount : 1];
    const std::int32_t* velocity[D];

    explicit Social(const LaneCandidates& candidates) {
        for (typename L::I& each : sum) each = L::zero_int();
        for (int k = 0; k < D; ++k) velocity[k] = candidates.velocity[k];
    }
    void add(const Seen<L, D>& seen, typename L::M hit, std::int64_t j) {
        for (int k = 0; k < D && kOffsets; ++k) sum[k] = L::add_where(sum[k], hit, L::bits(seen.position[k]));
        for (int k = 0; k < D && kVelocities; ++k) {
            sum[kFirstVelocity + k] = L::add_where(sum[kFirstVelocity + k], hit, L::load(velocity[k] + j));
        }
    }
    // From sums of bits to sums of offsets and velocities, modulo 2^32.
    void finish(LaneSums& out, const float (&own)[D], std::int32_t hits) const {
        if constexpr (kCount > 0) L::reduce(sum, out.sum + (kOffsets ? 0 : D));
        for (int k = 0; k < D && kOffsets; ++k) take_off(out.sum[k], hits, bits_of(own[k]));
        for (int k = 0; k < D && kVelocities; ++k) take_off(out.sum[D + k], hits, bits_of(kMagic));
    }
    static void take_off(std::int32_t& sum, std::int32_t times, std::int32_t each) {
        sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) -
                                        static_cast<std::uint32_t>(times) * static_cast<std::uint32_t>(each));
    }
};

// Sums of one agent over candidates [first, last). The pointers are copies: a store of a mask might change
// any other.
template <class L, int D, class Push, bool kOffsets, bool kVelocities>
inline __attribute__((always_inline)) void sum_agent(const LaneRule& rule, const LaneBlock& block,
                                                     const LaneCandidates& candidates, std::int64_t first,
                                                     std::int64_t last, std::int64_t agent, LaneSums& out) {
    const float* columns[D];
    float own_offset[D];
    typename L::F own[D];
    for (int k = 0; k < D; ++k) {
        columns[k] = candidates.offset[k];
        own_offset[k] = block.own[k][agent] + kMagic;
        own[k] = L::set(own_offset[k]);
    }
    const auto radius2 = L::set(rule.radius2);
    Social<L, D, kOffsets, kVelocities> social(candidates);
    Push push(rule, candidates, agent);
    std::int32_t hits = 0;
    for (std::int64_t j = first; j < last; j += L::kWidth) {
        const Seen<L, D> seen = look<L, D>(columns, own, j);
        const auto hit = L::le(seen.d2, radius2);
        hits += L::count(hit);
        social.add(seen, hit, j);
        push.add(seen, hit);
    }
    out.hits = hits;
    social.finish(out, own_offset, hits);
    push.finish(out);
}

// The pushes of those that the lanes found near, for one agent: one quotient at a time.
template <class L, int D>
inline void push_by_pair(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
                         std::int64_t first, std::int64_t last, std::int64_t agent, LaneSums& out) {
    const std::uint8_t* near = candidates.near + agent * candidates.near_stride;
    float own[D];
    for (int k = 0; k < D; ++k) own[k] = block.own[k][agent] + kMagic;
    std::int64_t push[D] = {};
    std::int32_t coincident = 0, pushers = 0;
    const std::int64_t bytes = (last - first) / L::kWidth * (kMaskBits<L> / 8);
    for (std::int64_t byte = 0; byte < bytes; byte += 8) {
        std::uint64_t word;
        std::memcpy(&word, near + byte, sizeof word);
        for (; word != 0; word &= word - 1) {
            const std::int64_t bit = byte * 8 + __builtin_ctzll(word);
            const std::int64_t j = first + bit / kMaskBits<L> * L::kWidth + bit % kMaskBits<L>;
            float offset[D];
            for (int k = 0; k < D; ++k) offset[k] = candidates.offset[k][j] - own[k];
            float d2 = offset[0] * offset[0];
            for (int k = 1; k < D; ++k) d2 = d2 + offset[k] * offset[k];
            coincident +=
                d2 == 0.0f ? 1 : 0;  // pushes by 0: a branch here would be guessed wrongly half the time
            ++pushers;
            const float square = d2 > rule.least2 ? -d2 : -rule.least2;
            for (int k = 0; k < D; ++k) push[k] += L::round_one(offset[k] / square * rule.push_scale);
        }
    }
    for (int k = 0; k < D; ++k) {
        out.push[k] = push[k];
        out.push32[k] = static_cast<std::int32_t>(push[k]);
    }
    out.pushers = pushers;
    out.coincident = coincident;
}

template <class L, int D, class Push, bool kOffsets, bool kVelocities>
void sum_block(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
               std::int64_t first, std::int64_t last, LaneSums* out) {
    for (std::int64_t a = 0; a < block.agents; ++a) {
        sum_agent<L, D, Push, kOffsets, kVelocities>(rule, block, candidates, first, last, a, out[a]);
    }
}

template <class L>
void copy_candidates(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs,
                     std::int64_t run_count, LaneCandidates& candidates) {
    if (rule.dim == 2) {
        (rule.velocities ? copy_runs<L, 2, true> : copy_runs<L, 2, false>)(rule, block, runs, run_count,
                                                                           candidates);
    } else {
        (rule.velocities ? copy_runs<L, 3, true> : copy_runs<L, 3, false>)(rule, block, runs, run_count,
                                                                           candidates);
    }
}

template <class L, int D>
void sum_in(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
            std::int64_t first, std::int64_t last, LaneSums* out) {
    switch (rule.push) {
        case LanePush::kNone:
            return sum_block<L, D, NoPush<L, D>, false, true>(rule, block, candidates, first, last, out);
        case LanePush::kByPair:
            sum_block<L, D, PairPush<L, D>, true, true>(rule, block, candidates, first, last, out);
            for (std::int64_t a = 0; a < block.agents; ++a) {
                push_by_pair<L, D>(rule, block, candidates, first, last, a, out[a]);
            }
            return;
        case LanePush::kInLanes:
            return sum_block<L, D, FlockPush<L, D>, true, true>(rule, block, candidates, first, last, out);
        case LanePush::kCrowd:
            return sum_block<L, D, CrowdPush<L, D>, false, false>(rule, block, candidates, first, last, out);
    }
}

template <class L>
void sum_candidates(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
                    std::int64_t first, std::int64_t last, LaneSums* out) {
    (rule.dim == 2 ? sum_in<L, 2> : sum_in<L, 3>)(rule, block, candidates, first, last, out);
}

}  // namespace
}  // namespace horde
