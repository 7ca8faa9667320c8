// The sweep of a body against the closed cells of its floor.
#include <algorithm>
#include <cmath>

#include "sim/walls/floor.h"

namespace horde {
namespace {

// Distances of a centre from a closed cell: where it stops, and how near it passes.
struct Gaps {
    double stop;
    double side;

    explicit Gaps(double inset) : stop(inset + kStopGap), side(inset + kSideGap) {}
};

// Along one axis of a sweep: the cell that the front of the body is in, and when it comes to the gap before
// the next one.
struct SweepAxis {
    double at;
    double delta;
    double stop_gap;
    double side_gap;
    std::int64_t cell;
    std::int64_t step;

    SweepAxis(double from, double by, const Gaps& gaps)
        : at(from),
          delta(by),
          stop_gap(gaps.stop),
          side_gap(gaps.side),
          cell(static_cast<std::int64_t>(std::floor(from))),
          step(by > 0.0 ? 1 : -1) {}

    double gap_position() const {
        return step > 0 ? static_cast<double>(cell + 1) - stop_gap : static_cast<double>(cell) + stop_gap;
    }
    // Part of the motion after which the next cell counts as entered, at once if the front is there already
    // and will come nearer than bodies pass; over 1 if the motion ends before. Else a drift of one step of
    // the lattice toward a wall beside it would hold a body for ever.
    double time_to_next() const {
        if (delta == 0.0) return 2.0;
        const double t = (gap_position() - at) / delta;
        if (t > 0.0) return t;
        const double end = at + delta;
        const double left = step > 0 ? static_cast<double>(cell + 1) - end : end - static_cast<double>(cell);
        return left > side_gap ? 2.0 : 0.0;
    }
};

// Does a body whose front comes into column (or row) `next` meet a closed cell there? `other` is the axis
// across, at part t of the motion: what counts is the width of the side gap, and on the side that it moves to
// all up to the cell that counts as entered, since no later step looks at that corner again.
bool meets_wall(const Floor& floor, std::int64_t next, const SweepAxis& other, double t, double side_gap,
                bool next_is_row) {
    const double across = other.at + other.delta * t;
    auto lo = static_cast<std::int64_t>(std::floor(across - side_gap));
    auto hi = static_cast<std::int64_t>(std::floor(across + side_gap));
    if (other.delta != 0.0) {
        lo = std::min(lo, other.cell);
        hi = std::max(hi, other.cell);
    }
    for (std::int64_t cell = lo; cell <= hi; ++cell) {
        if (next_is_row ? floor.is_closed(cell, next) : floor.is_closed(next, cell)) return true;
    }
    return false;
}

// Sweeps until the first wall or the end. Returns the axis of the wall (0, 1), or -1; moves both axes there
// and leaves in `delta` what remains.
int sweep(const Floor& floor, double side_gap, SweepAxis& x, SweepAxis& y) {
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
        if (!meets_wall(floor, axis.cell + axis.step, other, t, side_gap, !along_x)) {
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

// Rounding may have left the body a little nearer to a wall than the gap beside it: takes it back to the stop
// gap, so that the sweep does not meet that wall as if it stood in the way. One that is further in had the
// wall put on it, and leaves by the shortest way.
void keep_gap(const Floor& floor, double inset, const Gaps& gaps, Slide& body) {
    const auto c = static_cast<std::int64_t>(std::floor(body.column));
    const auto r = static_cast<std::int64_t>(std::floor(body.row));
    const double fx = body.column - static_cast<double>(c);
    const double fy = body.row - static_cast<double>(r);
    const std::int64_t side_x = fx < gaps.side ? -1 : (fx >= 1.0 - gaps.side ? 1 : 0);
    const std::int64_t side_y = fy < gaps.side ? -1 : (fy >= 1.0 - gaps.side ? 1 : 0);
    if (side_x == 0 && side_y == 0) return;
    const bool wall_x = side_x != 0 && floor.is_closed(c + side_x, r);
    const bool wall_y = side_y != 0 && floor.is_closed(c, r + side_y);
    const bool corner = side_x != 0 && side_y != 0 && floor.is_closed(c + side_x, r + side_y);
    if (!wall_x && !wall_y && !corner) return;
    const double in_x = side_x == 0 ? 0.0 : gaps.side - (side_x < 0 ? fx : 1.0 - fx);
    const double in_y = side_y == 0 ? 0.0 : gaps.side - (side_y < 0 ? fy : 1.0 - fy);
    const bool stands_in = (wall_x && in_x > kSideGap) || (wall_y && in_y > kSideGap) ||
                           (corner && in_x > kSideGap && in_y > kSideGap);
    if (stands_in) {
        const Place place = floor.place_in_cell(inset, static_cast<std::int32_t>(c),
                                                static_cast<std::int32_t>(r), body.column, body.row);
        body = {place.column, place.row, false, false, true};
        return;
    }
    const bool beside_corner = corner && !wall_x && !wall_y;
    const bool corner_by_row = beside_corner && in_x > kSideGap;
    if (wall_x || (beside_corner && !corner_by_row))
        body.column = static_cast<double>(c) + (side_x < 0 ? gaps.stop : 1.0 - gaps.stop);
    if (wall_y || corner_by_row)
        body.row = static_cast<double>(r) + (side_y < 0 ? gaps.stop : 1.0 - gaps.stop);
}

}  // namespace

Slide slide(const Floor& floor, double inset, double column, double row, double dx, double dy) {
    const Gaps gaps(inset);
    Slide result{column, row, false, false, false};
    keep_gap(floor, inset, gaps, result);
    // Each wall takes one axis, so the third sweep at the latest runs freely or not at all.
    for (int round = 0; round < 3; ++round) {
        SweepAxis x(result.column, dx, gaps);
        SweepAxis y(result.row, dy, gaps);
        const int wall = sweep(floor, gaps.side, x, y);
        result.column = x.at;
        result.row = y.at;
        if (wall < 0) break;
        (wall == 0 ? result.blocked_x : result.blocked_y) = true;
        dx = x.delta;
        dy = y.delta;
    }
    return result;
}

}  // namespace horde
