/// The almanac's FlockGrid: a dictionary from cells to the boids in them, and a query of the fixed 3 x 3
/// block.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bench/almanac/boids.h"

namespace horde::bench {

/// How a coordinate becomes a cell.
enum class CellRule : std::uint8_t {
    kFloor,
    kTruncate  ///< toward zero, the almanac's bug on purpose: the cells at the origin are twice as wide
};

class FlockGrid {
  public:
    explicit FlockGrid(float cell, CellRule rule = CellRule::kFloor) : cell_(cell), rule_(rule) {}

    void rebuild(const std::vector<Boid>& flock);

    /// Adds the boids other than i within `radius` of it, among those in the 3 x 3 block around its cell, to
    /// `out`. A radius of more than a cell loses neighbours. Returns how many boids the block holds, i
    /// included.
    std::int64_t query(const std::vector<Boid>& flock, std::size_t i, float radius,
                       std::vector<std::uint32_t>& out) const;

    std::size_t cell_count() const { return cells_.size(); }  ///< that hold a boid

  private:
    struct Key {
        std::int32_t x;
        std::int32_t y;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.x)) << 32 |
                                       static_cast<std::uint32_t>(key.y);
            return static_cast<std::size_t>(bits * 0x9e3779b97f4a7c15ull >> 20);
        }
    };
    std::int32_t coordinate(float x) const;
    Key cell_of(Vec<2> point) const { return {coordinate(point[0]), coordinate(point[1])}; }

    float cell_;
    CellRule rule_;
    std::unordered_map<Key, std::vector<std::uint32_t>, KeyHash> cells_;
};

}  // namespace horde::bench
