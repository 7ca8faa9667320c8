#include "bench/almanac/flock.h"

#include <algorithm>

#include "base/timer.h"

namespace horde::bench {

BoidLists lists_of(const std::vector<Boid>& flock, float radius, const BoidSettings& settings) {
    BoidLists lists;
    FlockGrid grid(settings.cell, settings.cell_rule);
    if (settings.search == BoidSearch::kGrid) grid.rebuild(flock);
    for (std::size_t i = 0; i < flock.size(); ++i) {
        lists.start.push_back(lists.index.size());
        if (settings.search == BoidSearch::kGrid) {
            lists.candidates += grid.query(flock, i, radius, lists.index);
        } else if (settings.search == BoidSearch::kGather) {
            gather_all(flock, i, radius, lists.index);
        } else {
            for (std::size_t j = 0; j < flock.size(); ++j) {
                if (j != i && within_by_root(flock[i], flock[j], radius))
                    lists.index.push_back(static_cast<std::uint32_t>(j));
            }
        }
        std::sort(lists.index.begin() + static_cast<std::ptrdiff_t>(lists.start.back()), lists.index.end());
    }
    lists.start.push_back(lists.index.size());
    const auto count = static_cast<std::int64_t>(flock.size());
    if (settings.search != BoidSearch::kGrid) lists.candidates = count * count;
    return lists;
}

void BoidFlock::gather() {
    const float radius = rule_.neighbour_radius;
    start_.clear();
    found_.clear();
    candidates_ = 0;
    for (std::size_t i = 0; i < boids_.size(); ++i) {
        start_.push_back(found_.size());
        if (settings_.search == BoidSearch::kGrid) {
            candidates_ += grid_.query(boids_, i, radius, found_);
        } else {
            gather_all(boids_, i, radius, found_);
            candidates_ += static_cast<std::int64_t>(boids_.size());
        }
    }
    start_.push_back(found_.size());
    neighbours_ = static_cast<std::int64_t>(found_.size());
}

bool BoidFlock::step(float dt) {
    const auto count = static_cast<std::int64_t>(boids_.size());
    wish_.resize(boids_.size());
    double rebuild_us = 0.0, query_us = 0.0, steering_us = 0.0;
    if (settings_.search == BoidSearch::kGrid) {
        const Timer timer;
        grid_.rebuild(boids_);
        rebuild_us = timer.us();
    }
    if (settings_.search == BoidSearch::kThreeScans) {
        const Timer timer;
        for (std::size_t i = 0; i < boids_.size(); ++i) wish_[i] = steer_by_three_scans(boids_, i, rule_);
        query_us = timer.us();
        candidates_ = 3 * count * count;
        neighbours_ = 0;  // sums only: nobody counts them
    } else {
        const Timer searching;
        gather();
        query_us = searching.us();
        const Timer steering;
        for (std::size_t i = 0; i < boids_.size(); ++i) {
            wish_[i] = steer_by_list(boids_, i, found_.data() + start_[i], start_[i + 1] - start_[i], rule_);
        }
        steering_us = steering.us();
    }
    for (std::size_t i = 0; i < boids_.size(); ++i) move_boid(boids_[i], wish_[i], rule_, dt);
    rebuild_.add(rebuild_us);
    query_.add(query_us);
    steering_.add(steering_us);
    whole_.add(rebuild_us + query_us + steering_us);
    rebuild_.end_frame();
    query_.end_frame();
    steering_.end_frame();
    return whole_.end_frame();
}

}  // namespace horde::bench
