/// The priority queue of the integration: cells in a ring of buckets.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace horde {

/// Cells queued by bucket number. Numbers in the queue at one time must span less than the ring; the order
/// inside a bucket is that of the pushes. Memory is kept between uses.
class BucketQueue {
  public:
    /// Empties the queue and makes room for numbers up to `span` above the one being taken.
    void reset(std::size_t span) {
        for (Bucket& bucket : buckets_) bucket.count = 0;
        const std::size_t count = std::bit_ceil(span + 1);
        if (buckets_.size() < count) buckets_.resize(count);
        ring_mask_ = count - 1;
        queued_ = 0;
    }

    void push(std::uint64_t number, std::uint32_t cell) {
        Bucket& bucket = buckets_[number & ring_mask_];
        if (bucket.count == bucket.cells.size()) bucket.cells.resize(bucket.count * 2 + kFirstSize);
        bucket.cells[bucket.count++] = cell;
        ++queued_;
    }

    bool empty() const { return queued_ == 0; }

    /// The cells of bucket `number`, valid until that very bucket is pushed to.
    std::span<const std::uint32_t> cells(std::uint64_t number) const {
        const Bucket& bucket = buckets_[number & ring_mask_];
        return {bucket.cells.data(), bucket.count};
    }

    void drop(std::uint64_t number) {
        Bucket& bucket = buckets_[number & ring_mask_];
        queued_ -= bucket.count;
        bucket.count = 0;
    }

  private:
    static constexpr std::size_t kFirstSize = 16;

    struct Bucket {
        std::vector<std::uint32_t> cells;  // its size is room; `count` of them are queued
        std::size_t count = 0;
    };

    std::vector<Bucket> buckets_;
    std::size_t ring_mask_ = 0;
    std::size_t queued_ = 0;
};

}  // namespace horde
