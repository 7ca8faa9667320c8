#include "sim/ground.h"

#include <algorithm>
#include <cmath>

namespace horde {
namespace {

// Along one axis of a sweep: the cell that the point is in, and when it comes to the gap before the next one.
struct SweepAxis {
    double at;
    double delta;
    std::int64_t cell;
    std::int64_t step;

    SweepAxis(double from, double by)
        : at(from), delta(by), cell(static_cast<std::int64_t>(std::floor(from))), step(by > 0.0 ? 1 : -1) {}

    double gap_position() const {
        return step > 0 ? static_cast<double>(cell + 1) - kStopGap : static_cast<double>(cell) + kStopGap;
    }
    // Part of the motion after which the next cell counts as entered; over 1 if the motion ends before.
    double time_to_next() const {
        if (delta == 0.0) return 2.0;
        const double t = (gap_position() - at) / delta;
        return t > 0.0 ? t : 0.0;
    }
};

// Does a point that goes into column (or row) `next` meet a wall there? `other` is the axis across, at part t
// of the motion: what counts is the width of the side gap, and on the side that it moves to all up to the
// cell that counts as entered, since no later step looks at that corner again.
bool meets_wall(const Ground& ground, std::int64_t next, const SweepAxis& other, double t, bool next_is_row) {
    const double across = other.at + other.delta * t;
    auto lo = static_cast<std::int64_t>(std::floor(across - kSideGap));
    auto hi = static_cast<std::int64_t>(std::floor(across + kSideGap));
    if (other.delta != 0.0) {
        lo = std::min(lo, other.cell);
        hi = std::max(hi, other.cell);
    }
    for (std::int64_t cell = lo; cell <= hi; ++cell) {
        if (next_is_row ? ground.is_wall(cell, next) : ground.is_wall(next, cell)) return true;
    }
    return false;
}

// Sweeps until the first wall or the end. Returns the axis of the wall (0, 1), or -1; moves both axes there
// and leaves in `delta` what remains.
int sweep(const Ground& ground, SweepAxis& x, SweepAxis& y) {
    for (;;) {
        const double tx = x.time_to_next();
        const double ty = y.time_to_next();
        const double t = tx < ty ? tx : ty;
        if (!(t <= 1.0)) {
            x.at += x.delta;
            y.at += y.delta;
            return -1;
        }
        const bool along_x = tx <= ty;
        SweepAxis& axis = along_x ? x : y;
        SweepAxis& other = along_x ? y : x;
        if (!meets_wall(ground, axis.cell + axis.step, other, t, !along_x)) {
            axis.cell += axis.step;
            continue;
        }
        if (t > 0.0) axis.at = axis.gap_position();
        other.at += other.delta * t;
        other.delta *= 1.0 - t;
        axis.delta = 0.0;
        return along_x ? 0 : 1;
    }
}

// Rounding may have left the point a little nearer to a wall than the gap beside it: takes it back to the
// stop gap, so that the sweep does not meet that wall as if it stood in the way.
void keep_gap(const Ground& ground, double& column, double& row) {
    const auto c = static_cast<std::int64_t>(std::floor(column));
    const auto r = static_cast<std::int64_t>(std::floor(row));
    const double fx = column - static_cast<double>(c);
    const double fy = row - static_cast<double>(r);
    const std::int64_t side_x = fx < kSideGap ? -1 : (fx > 1.0 - kSideGap ? 1 : 0);
    const std::int64_t side_y = fy < kSideGap ? -1 : (fy > 1.0 - kSideGap ? 1 : 0);
    if (side_x == 0 && side_y == 0) return;
    const bool wall_x = side_x != 0 && ground.is_wall(c + side_x, r);
    const bool wall_y = side_y != 0 && ground.is_wall(c, r + side_y);
    const bool corner = side_x != 0 && side_y != 0 && ground.is_wall(c + side_x, r + side_y);
    if (wall_x || (corner && !wall_y))
        column = static_cast<double>(c) + (side_x < 0 ? kStopGap : 1.0 - kStopGap);
    if (wall_y) row = static_cast<double>(r) + (side_y < 0 ? kStopGap : 1.0 - kStopGap);
}

}  // namespace

Slide slide(const Ground& ground, double column, double row, double dx, double dy) {
    Slide result{column, row, false, false};
    keep_gap(ground, result.column, result.row);
    // Each wall takes one axis, so the third sweep at the latest runs freely or not at all.
    for (int round = 0; round < 3; ++round) {
        SweepAxis x(result.column, dx);
        SweepAxis y(result.row, dy);
        const int wall = sweep(ground, x, y);
        result.column = x.at;
        result.row = y.at;
        if (wall < 0) break;
        (wall == 0 ? result.blocked_x : result.blocked_y) = true;
        dx = x.delta;
        dy = y.delta;
    }
    return result;
}

void mark_open_cells(Ground& ground) {
    const Map& map = ground.map;
    ground.open.assign(map.cost.size(), 0);
    for (std::int32_t r = 0; r < map.rows; ++r) {
        for (std::int32_t c = 0; c < map.columns; ++c) {
            bool open = true;
            for (int dr = -1; dr <= 1 && open; ++dr) {
                for (int dc = -1; dc <= 1 && open; ++dc) open = !ground.is_wall(c + dc, r + dr);
            }
            ground.open[map.index({c, r})] = open ? 1 : 0;
        }
    }
}

}  // namespace horde
