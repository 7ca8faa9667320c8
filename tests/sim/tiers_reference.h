// The rules of tiers, written a second time: slow, by sorting everyone in every frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "horde/scene.h"
#include "horde/world.h"

namespace horde::test {

struct TierReference {
    SceneTiers rules;
    std::map<AgentId, Tier> tier;
    std::vector<TierEvent> events;
    std::int64_t promotions_deferred = 0;
    std::int64_t demotions_deferred = 0;

    // One frame of the agents at these places; those that are new are far.
    void step(const std::map<AgentId, Vec3>& place, const std::vector<Vec3>& viewpoints) {
        std::map<AgentId, Tier> before;
        std::map<AgentId, float> distance;
        for (const auto& [id, p] : place) {
            before[id] = tier.count(id) != 0 ? tier[id] : Tier::kFar;
            float least = std::numeric_limits<float>::infinity();
            for (const Vec3& v : viewpoints) {
                const float x = static_cast<float>(p.x - v.x), y = static_cast<float>(p.y - v.y);
                const float z = static_cast<float>(p.z - v.z);
                least = std::min(least, std::sqrt(x * x + y * y + z * z));
            }
            distance[id] = least;
        }
        tier = before;
        events.clear();
        std::vector<AgentId> leaving, residents, candidates;
        for (const auto& [id, t] : before) {
            if (t == Tier::kNear) residents.push_back(id);
            if (t == Tier::kMiddle && distance[id] < rules.near_promote) candidates.push_back(id);
        }
        const auto nearest_first = [&](AgentId a, AgentId b) {
            return distance[a] != distance[b] ? distance[a] < distance[b] : a < b;
        };
        const auto farthest_first = [&](AgentId a, AgentId b) {
            return distance[a] != distance[b] ? distance[a] > distance[b] : a < b;
        };
        std::sort(residents.begin(), residents.end(), farthest_first);
        std::sort(candidates.begin(), candidates.end(), nearest_first);
        std::int64_t promoted = 0, demoted = 0;
        const auto demote = [&] {
            change(residents.front(), Tier::kMiddle);
            residents.erase(residents.begin());
            ++demoted;
        };
        while (!residents.empty() && distance[residents.front()] > rules.near_demote &&
               demoted < rules.max_demotions)
            demote();
        for (const AgentId id : candidates) {
            if (promoted == rules.max_promotions) break;
            if (static_cast<std::int64_t>(residents.size()) + promoted >= rules.max_near) {
                const float gap =
                    static_cast<float>(rules.near_demote) - static_cast<float>(rules.near_promote);
                const bool swaps = !residents.empty() && demoted < rules.max_demotions &&
                                   distance[residents.front()] - distance[id] > gap;
                if (!swaps) break;
                demote();
            }
            change(id, Tier::kNear);
            ++promoted;
        }
        promotions_deferred = static_cast<std::int64_t>(candidates.size()) - promoted;
        demotions_deferred = std::count_if(residents.begin(), residents.end(),
                                           [&](AgentId id) { return distance[id] > rules.near_demote; });
        for (const auto& [id, t] : before) {
            if (t == Tier::kFar && distance[id] < rules.middle_promote) change(id, Tier::kMiddle);
            if (t == Tier::kMiddle && distance[id] > rules.middle_demote) change(id, Tier::kFar);
        }
    }

  private:
    void change(AgentId id, Tier to) {
        events.push_back({id, tier[id], to});
        tier[id] = to;
    }
};

}  // namespace horde::test
