/// The writers behind open_trajectory, and what they have in common.
#pragma once

#include <memory>
#include <string>

#include "horde/files.h"

namespace horde {

std::unique_ptr<TrajectoryWriter> open_csv_trajectory(const std::string& path, const TrajectoryInfo& info);
std::unique_ptr<TrajectoryWriter> open_text_trajectory(const std::string& path, const TrajectoryInfo& info);
std::unique_ptr<TrajectoryWriter> open_hdf5_trajectory(const std::string& path, const TrajectoryInfo& info);
std::unique_ptr<TrajectoryWriter> open_xyz_trajectory(const std::string& path, const TrajectoryInfo& info);
std::unique_ptr<TrajectoryWriter> open_sqlite_trajectory(const std::string& path, const TrajectoryInfo& info);

/// Throws Error if the snapshot's columns differ in length, it has another dim than the file, or `closed`.
void check_snapshot(const std::string& path, int dim, const Snapshot& snapshot, bool closed);

/// What follows the last dot of the last part of a path, in lower case; empty if there is none.
std::string file_ending(const std::string& path);

}  // namespace horde
