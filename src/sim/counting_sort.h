// Sorts points by the number of their cell, stably, on any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "base/executor.h"

namespace horde {

// A stretch of points that one thread counts and places. From frame to frame points lie nearly in order, so
// its numbers are a narrow window of all of them, and so is its table of counts.
struct SortPart {
    std::int64_t begin;
    std::int64_t end;
    std::uint32_t lo;  // numbers of its points lie in [lo, hi]
    std::uint32_t hi;
    std::int64_t table;  // where its counts begin
};

class CountingSort {
  public:
    // Makes room for `count` points and cuts them into parts, one or a few for each thread, of which the
    // caller fills `number` and the windows.
    void set_points(std::int64_t count, int threads);

    // Joins parts until their windows have little more than two numbers for each point in all, and gives each
    // its place in a table of as many elements, which it returns.
    std::int64_t join_parts();

    // Sorts by number, all of them below `cells`: fills start(), order() and the counts. The outcome does not
    // depend on the parts.
    void sort(std::int64_t cells, Executor& executor);

    std::vector<SortPart>& parts() { return parts_; }
    std::vector<std::uint32_t>& number() { return number_; }
    // Old place of the point that comes to each place.
    std::vector<std::uint32_t>& order() { return order_; }
    const std::vector<std::uint32_t>& order() const { return order_; }
    // First place of each cell, and one more.
    const std::vector<std::uint32_t>& start() const { return start_; }
    std::int64_t occupied() const { return occupied_; }  // cells
    std::int64_t largest() const { return largest_; }    // points in a cell

  private:
    struct Stretch {
        std::int64_t points = 0;
        std::int64_t occupied = 0;
        std::int64_t largest = 0;
    };

    void count_part(const SortPart& part);
    void place_part(const SortPart& part);
    std::int64_t count_stretch(std::int64_t first, std::int64_t last) const;
    void place_stretch(std::int64_t first, std::int64_t last, std::int64_t before, Stretch& stretch);

    std::vector<SortPart> parts_;
    std::vector<std::uint32_t> number_, order_, start_;
    std::vector<std::uint32_t> tables_;  // counts of each part, then the next place in each cell
    std::vector<Stretch> stretches_;
    std::int64_t occupied_ = 0;
    std::int64_t largest_ = 0;
};

}  // namespace horde
