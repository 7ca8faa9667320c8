/// A picture of a trace, for who has no Perfetto at hand.
#pragma once

#include <string>
#include <vector>

#include "horde/trace.h"

namespace horde::bench {

/// One track for each thread, from left to right in time: above the stages that it ran, below the blocks of
/// their loops that it worked on; a line where a frame begins. Throws Error for a place that cannot be
/// written. At least one slice.
void write_trace_picture(const std::string& path, const std::string& heading,
                         const std::vector<TraceSlice>& slices);

}  // namespace horde::bench
