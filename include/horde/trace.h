/// Who worked when in the frames of a world.
#pragma once

#include <cstdint>

namespace horde {

/// A stretch of time in which one thread worked for a stage. Times are microseconds since the world was made.
struct TraceSlice {
    const char* stage = "";  ///< name of the stage, or "step" for a whole frame; lives as long as the program
    std::int64_t block = -1;  ///< number of the chunk of the stage's loop; -1: the stage as a whole
    int track = 0;            ///< the thread, numbered from 0 in the order of their first slices
    std::uint64_t frame = 0;  ///< that the step started from
    double begin_us = 0.0;
    double end_us = 0.0;
};

}  // namespace horde
