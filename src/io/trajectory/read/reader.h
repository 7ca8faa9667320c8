/// The readers behind read_trajectory and load_start, and what they have in common.
#pragma once

#include <memory>
#include <string>

#include "horde/files.h"
#include "io/trajectory/read/rows.h"

namespace horde {

/// What the file says and what the options say, brought together. Throws Error for what neither says.
TrajectoryFacts resolve_facts(const std::string& path, const RowFacts& says, const ReadOptions& options);

/// Turns units of the file into metres and leaves out z in 2D.
void apply_facts(const TrajectoryFacts& facts, Snapshot& snapshot);

/// Without velocities where the file has none: those are zeros.
std::unique_ptr<TrajectoryReader> open_hdf5_frames(const std::string& path, const ReadOptions& options);
std::unique_ptr<TrajectoryReader> open_xyz_frames(const std::string& path, const ReadOptions& options);

/// The longest distance between two frames of a file that is no gap.
inline constexpr std::uint64_t kNoGaps = ~std::uint64_t{0};

/// .csv and .txt, whose rows may come in any order, and .sqlite.
struct RowFrames {
    std::unique_ptr<TrajectoryReader> reader;
    std::uint64_t usual_step = kNoGaps;
};
RowFrames open_row_frames(const std::string& path, const ReadOptions& options);

/// Fills in velocities from differences.
std::unique_ptr<TrajectoryReader> difference_velocities(std::unique_ptr<TrajectoryReader> frames,
                                                        std::uint64_t usual_step, const ReadOptions& options);

}  // namespace horde
