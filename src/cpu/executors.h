// Executors on more than one thread, and threads beside the frame.
#pragma once

#include <memory>

#include "base/background.h"
#include "base/executor.h"

namespace horde {

// oneTBB in an arena of its own, so that neither the host program's tasks nor its limits mix with ours.
std::unique_ptr<Executor> make_tbb_executor(int threads);

// Plain threads that sleep between loops. For ThreadSanitizer, which oneTBB is not instrumented for.
std::unique_ptr<Executor> make_std_executor(int threads);

// `workers` threads, at least 1, that sleep while there is nothing to do.
std::unique_ptr<Background> make_background(int workers);

}  // namespace horde
