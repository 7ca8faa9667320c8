// The nearest free cell of a grid, found without looking at those in between: counts of free cells in blocks
// of 4 x 4, 16 x 16, ... cells.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace horde {

class FreeCells {
  public:
    // What a search found: the squared distance of the best place, and its cell.
    struct Found {
        double distance2 = std::numeric_limits<double>::infinity();
        std::int64_t cell = -1;
    };

    // All cells of a grid of this size, none of them free.
    void set(std::int32_t columns, std::int32_t rows);
    void add(std::int32_t column, std::int32_t row) { count(column, row, 1); }
    void remove(std::int32_t column, std::int32_t row) { count(column, row, -1); }

    // The free cell whose `distance2(column, row)` is least, the lowest index among equals; none if that is
    // infinite everywhere. It is asked only for cells that can be best, closed ones among them (infinite),
    // and may be no less than the squared distance of (x, y) from the cell.
    template <class Distance2>
    Found nearest(double x, double y, const Distance2& distance2) const {
        Found best;
        if (!levels_.empty()) search(static_cast<int>(levels_.size()) - 1, 0, 0, x, y, distance2, best);
        return best;
    }

  private:
    static constexpr int kFan = 4;

    struct Level {
        std::int32_t columns;
        std::int32_t rows;
        std::int32_t side;  // of a block, in cells
        std::vector<std::uint32_t> free;
    };
    struct Block {
        double distance2;
        std::int32_t column;
        std::int32_t row;
    };

    void count(std::int32_t column, std::int32_t row, int change);

    static double outside(double x, std::int32_t block, std::int32_t side) {
        const double low = static_cast<double>(block) * side;
        if (x < low) return low - x;
        return x > low + side ? x - (low + side) : 0.0;
    }

    // The blocks one level below (level 0: cells) of a block that can beat `best`, the nearest first.
    int blocks_below(int level, std::int32_t column, std::int32_t row, double x, double y, const Found& best,
                     Block (&blocks)[kFan * kFan]) const;

    template <class Distance2>
    void search(int level, std::int32_t column, std::int32_t row, double x, double y,
                const Distance2& distance2, Found& best) const {
        Block blocks[kFan * kFan];
        const int n = blocks_below(level, column, row, x, y, best, blocks);
        for (int k = 0; k < n && blocks[k].distance2 <= best.distance2; ++k) {
            if (level > 0) {
                search(level - 1, blocks[k].column, blocks[k].row, x, y, distance2, best);
                continue;
            }
            const double d2 = distance2(blocks[k].column, blocks[k].row);
            const std::int64_t cell = std::int64_t{blocks[k].row} * columns_ + blocks[k].column;
            if (d2 < best.distance2 || (d2 == best.distance2 && best.cell >= 0 && cell < best.cell)) {
                best = {d2, cell};
            }
        }
    }

    std::int32_t columns_ = 0;
    std::int32_t rows_ = 0;
    std::vector<Level> levels_;  // the last has one block
};

}  // namespace horde
