/// The almanac's flock with each of its searches, its three phases timed apart. Unlike the almanac's, all
/// boids move at once from the state of the frame before, so that the searches can be compared at equal
/// states.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/almanac/boids.h"
#include "bench/almanac/flock_grid.h"
#include "horde/metrics.h"

namespace horde::bench {

enum class BoidSearch : std::uint8_t {
    kThreeScans,  ///< every rule looks at every boid, with square roots
    kGather,      ///< one list by squared distances, then one steering
    kGrid,        ///< the list from a FlockGrid
};

/// How the flock searches. The cell counts for kGrid alone.
struct BoidSettings {
    BoidSearch search = BoidSearch::kGather;
    float cell = 60.0f;
    CellRule cell_rule = CellRule::kFloor;
};

/// Who neighbours whom: those of boid i are index[start[i]] to index[start[i + 1] - 1].
struct BoidLists {
    std::vector<std::size_t> start;
    std::vector<std::uint32_t> index;
    std::int64_t candidates = 0;  ///< boids looked at, the asking ones included
};

/// The neighbours of every boid as this search finds them, each list ascending.
BoidLists lists_of(const std::vector<Boid>& flock, float radius, const BoidSettings& settings);

class BoidFlock {
  public:
    BoidFlock(const BoidRule& rule, std::vector<Boid> start, const BoidSettings& settings)
        : rule_(rule),
          settings_(settings),
          grid_(settings.cell, settings.cell_rule),
          boids_(std::move(start)) {}

    /// One frame. True if it filled the meters' window.
    bool step(float dt);

    const std::vector<Boid>& boids() const { return boids_; }
    const FlockGrid& grid() const { return grid_; }

    /// Microseconds a frame of the three phases and their sum. Three scans sum up as they search: all of
    /// theirs is `query`. Moving is none of the phases, as in the almanac.
    const Meter& rebuild() const { return rebuild_; }
    const Meter& query() const { return query_; }
    const Meter& steering() const { return steering_; }
    const Meter& whole() const { return whole_; }

    /// Of the last frame. Three scans look at each boid three times.
    std::int64_t candidates() const { return candidates_; }
    std::int64_t neighbours() const { return neighbours_; }

  private:
    void gather();

    BoidRule rule_;
    BoidSettings settings_;
    FlockGrid grid_;
    std::vector<Boid> boids_;
    std::vector<Vec<2>> wish_;
    std::vector<std::size_t> start_;
    std::vector<std::uint32_t> found_;
    Meter rebuild_, query_, steering_, whole_;
    std::int64_t candidates_ = 0;
    std::int64_t neighbours_ = 0;
};

}  // namespace horde::bench
