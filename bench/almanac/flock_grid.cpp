#include "bench/almanac/flock_grid.h"

namespace horde::bench {

std::int32_t FlockGrid::coordinate(float x) const {
    const float scaled = x / cell_;
    const auto truncated = static_cast<std::int32_t>(scaled);
    if (rule_ == CellRule::kTruncate) return truncated;
    return truncated - (static_cast<float>(truncated) > scaled ? 1 : 0);
}

void FlockGrid::rebuild(const std::vector<Boid>& flock) {
    cells_.clear();
    for (std::size_t i = 0; i < flock.size(); ++i) {
        cells_[cell_of(flock[i].position)].push_back(static_cast<std::uint32_t>(i));
    }
}

std::int64_t FlockGrid::query(const std::vector<Boid>& flock, std::size_t i, float radius,
                              std::vector<std::uint32_t>& out) const {
    const float radius_squared = radius * radius;
    const Key origin = cell_of(flock[i].position);
    std::int64_t candidates = 0;
    for (std::int32_t x = origin.x - 1; x <= origin.x + 1; ++x) {
        for (std::int32_t y = origin.y - 1; y <= origin.y + 1; ++y) {
            const auto found = cells_.find({x, y});
            if (found == cells_.end()) continue;
            candidates += static_cast<std::int64_t>(found->second.size());
            for (const std::uint32_t j : found->second) {
                if (j != i && within_by_square(flock[i], flock[j], radius_squared)) out.push_back(j);
            }
        }
    }
    return candidates;
}

}  // namespace horde::bench
