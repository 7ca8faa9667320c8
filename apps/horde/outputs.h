/// The files that a run leaves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "horde/files.h"
#include "horde/world.h"
#include "options.h"

namespace horde {

/// Throws Error if no file can be made at `path`, which the option named. A missing folder is fine below the
/// working folder, where writers make it, and nowhere else. Leaves nothing behind.
void require_writable(const std::string& path, const std::string& option);

/// The same for --picture, whose name must end in .png.
void check_picture(const std::string& path);

/// The same for every file of a run, before its world is built; no two may be the same.
void check_outputs(const RunOptions& options);

/// Trajectories and the picture of a run. Destroyed without `close` it leaves nothing behind.
class Outputs {
  public:
    /// Opens all trajectories. Throws Error where one cannot be.
    Outputs(const RunOptions& options, const Scene& scene, const World& world);

    /// Adds the world's frame to every trajectory; one between two multiples of --every not to PedPy text.
    void write(const World& world);
    /// Looks at a frame for the picture: who died in it, and the ways that agents come. After each step.
    void watch(const World& world);
    /// Adds the last frame unless it is there already, draws it, and gives all files their names.
    void close(const World& world);

    const std::vector<std::string>& files() const { return files_; }

  private:
    struct Writer {
        std::unique_ptr<TrajectoryWriter> trajectory;
        bool evenly;  ///< its frames have no numbers of their own
    };
    std::vector<Writer> writers_;
    std::vector<std::string> files_;
    std::string picture_;
    SceneView view_;
    PictureStory story_;
    std::uint64_t trail_every_ = 1;  ///< frames between two points of a trail
    std::int64_t every_;
    Snapshot snapshot_;
    bool written_ = false;
    std::uint64_t last_frame_ = 0;  ///< written; only if `written_`
};

}  // namespace horde
