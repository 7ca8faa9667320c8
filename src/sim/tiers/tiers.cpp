// The stage that changes tiers. Distances and the far border are parallel over agents; the near border, which
// has room for few, is settled serially among the few that count.
#include "sim/tiers/tiers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/frame.h"

namespace horde {
namespace {

constexpr std::int64_t kBlock = 256;  // agents
constexpr auto kFar = static_cast<std::uint8_t>(Tier::kFar);
constexpr auto kMiddle = static_cast<std::uint8_t>(Tier::kMiddle);
constexpr auto kNear = static_cast<std::uint8_t>(Tier::kNear);

bool is_nearer(const TierCandidate& a, const TierCandidate& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
}

bool is_farther(const TierCandidate& a, const TierCandidate& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.id < b.id;
}

// Leaves the first `most` by `before`, in their order or in none. Ids differ, so it is no question which they
// are.
template <class Before>
void keep_first(std::vector<TierCandidate>& list, std::int64_t most, Before before) {
    if (static_cast<std::int64_t>(list.size()) <= most) return;
    std::nth_element(list.begin(), list.begin() + most, list.end(), before);
    list.resize(static_cast<std::size_t>(most));
}

// Distances of agents [begin, end), at most kBlock, to the nearest viewpoint. In 2D their z is the height of
// the ground.
template <int D>
void measure_distances(const Frame& frame, std::int64_t begin, std::int64_t end, float* distance) {
    const std::int64_t count = end - begin;
    std::fill_n(distance, count, std::numeric_limits<float>::infinity());
    const bool hilly = D == 2 && is_hilly(frame);  // a map, so that nothing is periodic
    float height[kBlock];
    for (std::int64_t n = 0; n < count && hilly; ++n) {
        height[n] = height_under(frame, frame.agents.position[0].now[begin + n],
                                 frame.agents.position[1].now[begin + n]);
    }
    for (const std::array<float, 3>& point : frame.tiers.points) {
        if (frame.params.periodic.on) {
            Vec<D> from;
            for (int k = 0; k < D; ++k) from[k] = point[k];
            for (std::int64_t n = 0; n < count; ++n) {
                const Vec<D> offset =
                    offset_between<D>(frame.grid.view(), from, load<D>(frame.agents.position, begin + n));
                distance[n] = std::min(distance[n], dot(offset, offset));
            }
            continue;
        }
        const float* x = frame.agents.position[0].now.data() + begin;
        const float* y = frame.agents.position[1].now.data() + begin;
        const float* z = D == 3 ? frame.agents.position[2].now.data() + begin : height;
        if (hilly) {
            for (std::int64_t n = 0; n < count; ++n) {
                const float dx = x[n] - point[0], dy = y[n] - point[1], dz = z[n] - point[2];
                distance[n] = std::min(distance[n], dx * dx + dy * dy + dz * dz);
            }
            continue;
        }
        for (std::int64_t n = 0; n < count; ++n) {
            const float dx = x[n] - point[0], dy = y[n] - point[1];
            float d2 = dx * dx + dy * dy;
            if constexpr (D == 3) d2 = d2 + (z[n] - point[2]) * (z[n] - point[2]);
            distance[n] = d2 < distance[n] ? d2 : distance[n];
        }
    }
    for (std::int64_t n = 0; n < count; ++n) distance[n] = std::sqrt(distance[n]);
}

// Sorts agents into those that cross the far border, which is done at once, and those of the near border.
void sort_block(Frame& frame, std::int64_t begin, std::int64_t end, const float* distance, TierChunk& chunk) {
    const TierParams& params = frame.tiers.params;
    const AgentId* id = frame.agents.id.now.data();
    std::uint8_t* tier = frame.agents.tier.now.data();
    for (std::int64_t i = begin; i < end; ++i) {
        const std::uint8_t now = tier[i] & kTierBits;
        const float d = distance[i - begin];
        const auto index = static_cast<std::uint32_t>(i);
        std::uint8_t next = now;
        if (now == kNear) {
            chunk.residents.push_back({d, id[i], index});
        } else if (d < params.promote[now]) {
            if (now == kFar) {
                next = kMiddle;
            } else {
                ++chunk.within;
                if (params.max_promotions > 0) chunk.candidates.push_back({d, id[i], index});
                // More than can be promoted need not be remembered.
                if (static_cast<std::int64_t>(chunk.candidates.size()) >= 2 * params.max_promotions) {
                    keep_first(chunk.candidates, params.max_promotions, is_nearer);
                }
            }
        } else if (d > params.demote[now]) {
            next = kFar;
        }
        if (next != now) chunk.crossed.push_back({id[i], static_cast<Tier>(now), static_cast<Tier>(next)});
        ++chunk.count[next];
        tier[i] = next | (tier[i] & kSettled);
    }
}

void clear_chunks(Tiers& tiers, std::int64_t count, std::int64_t grain) {
    const auto needed = static_cast<std::size_t>((count + grain - 1) / grain);
    // Chunks that are not needed now keep their memory: the next frame may have more again.
    tiers.chunks.resize(std::max(tiers.chunks.size(), needed));
    const auto most = static_cast<std::size_t>(std::min(grain, count));
    for (TierChunk& chunk : tiers.chunks) {
        std::fill_n(chunk.count, 3, 0);
        chunk.within = 0;
        chunk.candidates.clear();
        chunk.residents.clear();
        chunk.crossed.clear();
        // As many as there can be, so that no later frame allocates.
        chunk.candidates.reserve(std::min(most, static_cast<std::size_t>(2 * tiers.params.max_promotions)));
        chunk.residents.reserve(std::min(most, static_cast<std::size_t>(tiers.params.max_near)));
        chunk.crossed.reserve(most);
    }
}

void change_tier(Frame& frame, const TierCandidate& agent, std::uint8_t from, std::uint8_t to) {
    std::uint8_t& tier = frame.agents.tier.now[agent.index];
    tier = to | (tier & kSettled);
    frame.tiers.events.push_back({agent.id, static_cast<Tier>(from), static_cast<Tier>(to)});
}

// Demotions, promotions and swaps at the near border. Reads and updates the numbers of agents in the report.
void settle_near(Frame& frame, std::int64_t within) {
    Tiers& tiers = frame.tiers;
    const TierParams& params = tiers.params;
    const auto beyond =
        std::count_if(tiers.residents.begin(), tiers.residents.end(),
                      [&](const TierCandidate& r) { return r.distance > params.demote[kNear]; });
    std::int64_t near = static_cast<std::int64_t>(tiers.residents.size());
    keep_first(tiers.residents, params.max_demotions, is_farther);
    std::sort(tiers.residents.begin(), tiers.residents.end(), is_farther);
    keep_first(tiers.candidates, params.max_promotions, is_nearer);
    std::sort(tiers.candidates.begin(), tiers.candidates.end(), is_nearer);

    auto last = tiers.residents.begin();  // who is demoted next
    std::int64_t promoted = 0;
    for (; last != tiers.residents.end() && last->distance > params.demote[kNear]; ++last, --near) {
        change_tier(frame, *last, kNear, kMiddle);
    }
    for (const TierCandidate& candidate : tiers.candidates) {
        if (near >=
            params.max_near) {  // full: the next candidates are no nearer, so the first failure ends it
            if (last == tiers.residents.end() || !(last->distance - candidate.distance > params.gap)) break;
            change_tier(frame, *last++, kNear, kMiddle);
            --near;
        }
        change_tier(frame, candidate, kMiddle, kNear);
        ++near;
        ++promoted;
    }
    const std::int64_t demoted = last - tiers.residents.begin();
    frame.report.near += promoted - demoted;
    frame.report.middle += demoted - promoted;
    frame.report.promotions_deferred = within - promoted;
    frame.report.demotions_deferred = std::max<std::int64_t>(beyond - demoted, 0);
}

}  // namespace

void tiers_stage(Frame& frame) {
    Tiers& tiers = frame.tiers;
    const std::int64_t count = frame.agents.count;
    const std::int64_t grain = frame.executor->grain(count);
    clear_chunks(tiers, count, grain);
    frame.executor->for_chunks(count, grain, [&](std::int64_t c, std::int64_t begin, std::int64_t end) {
        float distance[kBlock];
        for (std::int64_t block = begin; block < end; block += kBlock) {
            const std::int64_t stop = std::min(block + kBlock, end);
            frame.params.dim == 2 ? measure_distances<2>(frame, block, stop, distance)
                                  : measure_distances<3>(frame, block, stop, distance);
            sort_block(frame, block, stop, distance, tiers.chunks[static_cast<std::size_t>(c)]);
        }
    });
    tiers.events.clear();
    tiers.candidates.clear();
    tiers.residents.clear();
    tiers.events.reserve(static_cast<std::size_t>(count));
    const auto chunks = static_cast<std::int64_t>(tiers.chunks.size());
    tiers.candidates.reserve(
        static_cast<std::size_t>(std::min(count, chunks * 2 * tiers.params.max_promotions)));
    tiers.residents.reserve(static_cast<std::size_t>(std::min(count, tiers.params.max_near)));
    std::int64_t tally[3] = {};
    std::int64_t within = 0;
    for (const TierChunk& chunk : tiers.chunks) {
        for (int t = 0; t < 3; ++t) tally[t] += chunk.count[t];
        within += chunk.within;
        tiers.candidates.insert(tiers.candidates.end(), chunk.candidates.begin(), chunk.candidates.end());
        tiers.residents.insert(tiers.residents.end(), chunk.residents.begin(), chunk.residents.end());
    }
    frame.report.far = tally[kFar];
    frame.report.middle = tally[kMiddle];
    frame.report.near = tally[kNear];
    settle_near(frame, within);
    const auto settled = static_cast<std::ptrdiff_t>(tiers.events.size());
    for (const TierChunk& chunk : tiers.chunks) {
        tiers.events.insert(tiers.events.end(), chunk.crossed.begin(), chunk.crossed.end());
    }
    std::sort(tiers.events.begin() + settled, tiers.events.end(),
              [](const TierEvent& a, const TierEvent& b) { return a.id < b.id; });
}

}  // namespace horde
