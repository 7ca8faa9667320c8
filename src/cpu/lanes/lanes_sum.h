// The sums over candidates, written once over lane operations: see lanes_copy.h.
#pragma once

#include "cpu/lanes/lanes_copy.h"
#include "cpu/lanes/lanes_pairs.h"

namespace horde {
namespace {

// The sums of what neighbours have in common: offsets (first D of the parts) and velocities (last D).
template <class L, int D, bool kPlaces>
inline std::int32_t sum_social(const LaneRule& rule, const LaneCandidates& candidates,
                               const typename L::F (&own)[D], const LaneRange& range, LaneWaiting& waiting) {
    typename L::I offsets[D], velocities[D];
    for (int k = 0; k < D; ++k) offsets[k] = velocities[k] = L::zero_int();
    const float* const end = candidates.columns + range.last;
    const auto radius2 = L::set(rule.radius2);
    std::int32_t hits = 0;
    for (const float* at = candidates.columns + range.first; at < end; at += L::kWidth) {
        const Seen<L, D> seen = look<L, D>(at, own);
        const auto hit = L::le(seen.d2, radius2);
        hits += L::count(hit);
        for (int k = 0; k < D && kPlaces; ++k) {
            offsets[k] = L::add_where(offsets[k], hit, L::bits(seen.position[k]));
        }
        for (int k = 0; k < D; ++k) {
            const auto velocity = L::load(at + kVelocities + k * kColumn);
            velocities[k] = L::add_where(velocities[k], hit, L::bits(velocity));
        }
    }
    const std::int32_t row = (waiting.count - 1) * L::kWidth;
    for (int k = 0; k < D; ++k) {
        if constexpr (kPlaces) L::store(waiting.part[k].row + row, offsets[k]);
        L::store(waiting.part[3 + k].row + row, velocities[k]);
    }
    return hits;
}

template <class L, int D, LanePush kPush>
bool sum_block(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
               const LaneRange& range, std::int64_t first, std::int64_t last, LaneWaiting& waiting) {
    std::int32_t most_hits = 0, most_pushers = 0, most_coincident = 0;
    const float* const near = candidates.columns + (kPush == LanePush::kCrowd ? kOffsets : kNear);
    const bool paired =
        kPush == LanePush::kFlock && range.last_near - range.first_near == L::kWidth &&
        find_pairs_in_vector<L, D>(rule, block, near + range.first_near, first, last, waiting);
    for (std::int64_t agent = first; agent < last; ++agent) {
        const std::int32_t slot = waiting.count++;
        typename L::F own[D];
        for (int k = 0; k < D; ++k) {
            own[k] = L::set(block.own[k][agent]);
            waiting.own[k][slot] = bits_of(block.own[k][agent]);
            waiting.push[k][slot] = 0;
        }
        PairCounts pairs;
        if (paired) {
            pairs = {waiting.pushers[slot], waiting.coincident[slot]};
        } else if constexpr (kPush == LanePush::kFlock) {
            pairs = find_pairs<L, D, FlockPush<L, D>>(rule, near + range.first_near, near + range.last_near,
                                                      own, waiting);
        } else if constexpr (kPush == LanePush::kCrowd) {
            pairs = find_pairs<L, D, CrowdPush<L, D>>(rule, near + range.first_near, near + range.last_near,
                                                      own, waiting);
        }
        std::int32_t hits = pairs.pushers + pairs.coincident;
        if constexpr (kPush != LanePush::kCrowd) {
            hits = sum_social<L, D, kPush != LanePush::kNone>(rule, candidates, own, range, waiting);
        }
        waiting.hits[slot] = hits;
        waiting.pushers[slot] = pairs.pushers;
        waiting.coincident[slot] = pairs.coincident;
        most_hits = most_hits < hits ? hits : most_hits;
        most_pushers = most_pushers < pairs.pushers ? pairs.pushers : most_pushers;
        most_coincident = most_coincident < pairs.coincident ? pairs.coincident : most_coincident;
    }
    return most_hits > rule.most_summed || most_pushers > rule.most_pushers ||
           most_coincident > rule.most_coincident;
}

template <class L, int D>
bool sum_in(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
            const LaneRange& range, std::int64_t first, std::int64_t last, LaneWaiting& waiting) {
    switch (rule.push) {
        case LanePush::kFlock:
            return sum_block<L, D, LanePush::kFlock>(rule, block, candidates, range, first, last, waiting);
        case LanePush::kCrowd:
            return sum_block<L, D, LanePush::kCrowd>(rule, block, candidates, range, first, last, waiting);
        default:
            return sum_block<L, D, LanePush::kNone>(rule, block, candidates, range, first, last, waiting);
    }
}

template <class L>
bool sum(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
         const LaneRange& range, std::int64_t first, std::int64_t last, LaneWaiting& waiting) {
    return (rule.dim == 2 ? sum_in<L, 2> : sum_in<L, 3>)(rule, block, candidates, range, first, last,
                                                         waiting);
}

// From rows of lanes to sums of offsets and velocities: those of bits, less the bits of as many times the
// agent's own place, or the magic number.
template <class L, int D>
void reduce_in(const LaneRule& rule, LaneWaiting& waiting, LaneSums& sums) {
    if (rule.push == LanePush::kFlock) push_pairs<L, D, FlockPush<L, D>>(rule, waiting);
    if (rule.push == LanePush::kCrowd) push_pairs<L, D, CrowdPush<L, D>>(rule, waiting);
    const auto magic = L::set(bits_of(kMagic));
    for (int n = 0; n < kWaiting; n += L::kWidth) {
        const auto hits = L::load(waiting.hits + n);
        L::store(sums.hits + n, hits);
        for (int k = 0; k < D; ++k) {
            L::store(sums.push[k] + n, L::load(waiting.push[k] + n));
            if (!rule.velocities) continue;
            const auto velocity = L::sum_rows(waiting.part[3 + k].row + n * L::kWidth);
            L::store(sums.velocity[k] + n, L::sub(velocity, L::mul(hits, magic)));
            if (rule.push == LanePush::kNone) continue;
            const auto offset = L::sum_rows(waiting.part[k].row + n * L::kWidth);
            L::store(sums.offset[k] + n, L::sub(offset, L::mul(hits, L::load(waiting.own[k] + n))));
        }
    }
    waiting.count = 0;
}

template <class L>
void reduce(const LaneRule& rule, LaneWaiting& waiting, LaneSums& sums) {
    (rule.dim == 2 ? reduce_in<L, 2> : reduce_in<L, 3>)(rule, waiting, sums);
}

}  // namespace
}  // namespace horde
