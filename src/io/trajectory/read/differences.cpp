/// Velocities from the positions of one id in frames next to each other.
#include "io/trajectory/read/reader.h"
#include "sim/metrics/image.h"

namespace horde {
namespace {

class DifferencedReader : public TrajectoryReader {
  public:
    DifferencedReader(std::unique_ptr<TrajectoryReader> frames, std::uint64_t usual_step,
                      const ReadOptions& options)
        : frames_(std::move(frames)),
          usual_step_(usual_step),
          images_(frames_->facts().dim, options.periodic) {
        has_after_ = frames_->next(after_);
    }

    const TrajectoryFacts& facts() const override { return frames_->facts(); }

    bool next(TrajectoryFrame& out) override {
        if (!has_after_) return false;
        std::swap(now_, after_);
        has_after_ = frames_->next(after_);
        now_.velocity_known.assign(now_.snapshot.count(), 0);
        if (has_before_) take_differences(before_, -1.0);
        if (has_after_) take_differences(after_.snapshot, 1.0);
        out = now_;
        before_ = now_.snapshot;
        has_before_ = true;
        return true;
    }

  private:
    /// From the frame now to the other one, or back if `sign` is negative, for agents without a velocity.
    void take_differences(const Snapshot& other, double sign) {
        Snapshot& now = now_.snapshot;
        const std::uint64_t step = sign > 0.0 ? other.frame - now.frame : now.frame - other.frame;
        if (step == 0 || step > usual_step_) return;
        const double rate = facts().fps;
        const double frames = sign * static_cast<double>(step);
        std::size_t j = 0;
        for (std::size_t i = 0; i < now.count(); ++i) {
            while (j < other.count() && other.id[j] < now.id[i]) ++j;
            if (j == other.count()) return;
            if (now_.velocity_known[i] != 0 || other.id[j] != now.id[i]) continue;
            const Vec3 offset = images_.offset(now.position[i], other.position[j]);
            now.velocity[i] = {offset.x * rate / frames, offset.y * rate / frames, offset.z * rate / frames};
            now_.velocity_known[i] = 1;
        }
    }

    std::unique_ptr<TrajectoryReader> frames_;
    std::uint64_t usual_step_;
    Images images_;
    TrajectoryFrame now_;
    TrajectoryFrame after_;
    Snapshot before_;
    bool has_before_ = false;
    bool has_after_ = false;
};

}  // namespace

std::unique_ptr<TrajectoryReader> difference_velocities(std::unique_ptr<TrajectoryReader> frames,
                                                        std::uint64_t usual_step,
                                                        const ReadOptions& options) {
    return std::make_unique<DifferencedReader>(std::move(frames), usual_step, options);
}

}  // namespace horde
