/// Saves on the way, so that a run that is killed has not run for nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "horde/world.h"
#include "options.h"

namespace horde {

/// By turns to FILE.0 and FILE.1: while one is written the other is whole.
class Checkpoints {
  public:
    /// Throws Error for --checkpoint-every, or --record-every, without what it belongs to.
    explicit Checkpoints(const RunOptions& options);

    /// Saves the world if its frame is a multiple of --checkpoint-every.
    void at(const World& world);

    /// Those that this run has written.
    const std::vector<std::string>& files() const { return files_; }

  private:
    std::string path_;
    std::uint64_t every_;
    int next_ = 0;
    std::vector<std::string> files_;
};

/// With --resume the file says all of what is run: throws Error for a scene and options that would change it.
void require_nothing_new(const RunOptions& options);

}  // namespace horde
