/// `horde bench field --repair, --moving, --goals N, --large`: fields kept up to date while the world
/// changes.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/rows.h"

namespace horde::bench {

/// Times are core time of one thread: what else the machine does counts for little. Maps are square, 20 % of
/// their cells walls, costs from 1 to `greatest_cost`.
struct LivingFieldsBench {
    std::uint32_t greatest_cost = 10;
    std::uint64_t seed = 1;
    int repeat = 600;  ///< edits, or frames
};

/// Random edits of 3 x 3 cells, one goal in the middle of 512 x 512 cells: `ms` of a repair with all that it
/// needs, stage "full" of building anew. Values: how many times cheaper the median and the slowest are than
/// the median full build, and the part that gave up.
Row bench_repair(const LivingFieldsBench& bench);

/// A goal that moves in every frame of 60 a second on 256 x 256 cells, followed every half second: `ms` of
/// what a frame spends on fields. Values: the mean and the most of it as a part of the frame.
Row bench_moving_goal(const LivingFieldsBench& bench);

/// `goals` goal sets on 512 x 512 cells, all of which move at once: `ms` of a frame until all are live.
/// Values: frames that took, and core time together.
Row bench_goals(const LivingFieldsBench& bench, int goals);

/// One goal on side x side cells that moves, then an edit of 3 x 3 cells: `ms` of a frame until the field is
/// live. Values: frames that took, core time together, and the core time of the repair.
Row bench_large_field(const LivingFieldsBench& bench, std::int32_t side);

}  // namespace horde::bench
