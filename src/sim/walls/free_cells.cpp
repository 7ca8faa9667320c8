#include "sim/walls/free_cells.h"

#include <algorithm>

namespace horde {

void FreeCells::set(std::int32_t columns, std::int32_t rows) {
    columns_ = columns;
    rows_ = rows;
    levels_.clear();
    for (std::int32_t side = kFan;; side *= kFan) {
        Level level{(columns + side - 1) / side, (rows + side - 1) / side, side, {}};
        level.free.assign(static_cast<std::size_t>(level.columns) * level.rows, 0);
        levels_.push_back(std::move(level));
        if (side >= columns && side >= rows) return;
    }
}

void FreeCells::count(std::int32_t column, std::int32_t row, int change) {
    for (Level& level : levels_) {
        level.free[static_cast<std::size_t>(row / level.side) * level.columns + column / level.side] +=
            static_cast<std::uint32_t>(change);
    }
}

int FreeCells::blocks_below(int level, std::int32_t column, std::int32_t row, double x, double y,
                            const Found& best, Block (&blocks)[kFan * kFan]) const {
    const Level* below = level > 0 ? &levels_[static_cast<std::size_t>(level) - 1] : nullptr;
    const std::int32_t columns = below ? below->columns : columns_, rows = below ? below->rows : rows_;
    const std::int32_t side = below ? below->side : 1;
    int n = 0;
    for (std::int32_t r = row * kFan; r < std::min(rows, (row + 1) * kFan); ++r) {
        for (std::int32_t c = column * kFan; c < std::min(columns, (column + 1) * kFan); ++c) {
            if (below && below->free[static_cast<std::size_t>(r) * columns + c] == 0) continue;
            const double dx = outside(x, c, side), dy = outside(y, r, side);
            const Block block{dx * dx + dy * dy, c, r};
            if (block.distance2 > best.distance2) continue;
            int at = n++;
            for (; at > 0 && blocks[at - 1].distance2 > block.distance2; --at) blocks[at] = blocks[at - 1];
            blocks[at] = block;
        }
    }
    return n;
}

}  // namespace horde
