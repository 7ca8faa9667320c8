// Collects slices of time from any number of threads.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "horde/trace.h"

namespace horde {

// Each thread writes to a list of its own, so that recording disturbs the frame little.
class Trace final : public WorkObserver {
  public:
    // At most so many slices of a thread are kept; those after them are counted.
    explicit Trace(std::size_t most_slices = std::size_t{1} << 22) : most_(most_slices) {}

    // `chunk` -1: the whole stage, as its caller saw it.
    void worked(const char* stage, std::int64_t chunk, WorkClock::time_point begin,
                WorkClock::time_point end) override;

    // The number of the frame that slices belong to from now on. Not while threads record, nor are the rest.
    void set_frame(std::uint64_t frame) { frame_ = frame; }
    std::vector<TraceSlice> slices() const;  // by track, then by begin; what holds others comes first
    std::int64_t dropped() const;

  private:
    struct Track {
        std::thread::id thread;
        std::vector<TraceSlice> slices;
        std::int64_t dropped = 0;
    };

    Track& track_of_this_thread();

    const WorkClock::time_point start_ = WorkClock::now();
    const std::size_t most_;
    std::uint64_t frame_ = 0;
    mutable std::mutex mutex_;  // of the list of tracks
    std::vector<std::unique_ptr<Track>> tracks_;
};

// Tells the observer of a stage as a whole, and the executor of the stage's name, while it lives.
class StageSlice {
  public:
    StageSlice(Trace* trace, const char* stage) : trace_(trace), outside_(running_stage), stage_(stage) {
        running_stage = stage;
        if (trace_ != nullptr) begin_ = WorkClock::now();
    }
    ~StageSlice() {
        running_stage = outside_;
        if (trace_ != nullptr) trace_->worked(stage_, -1, begin_, WorkClock::now());
    }
    StageSlice(const StageSlice&) = delete;
    StageSlice& operator=(const StageSlice&) = delete;

  private:
    Trace* trace_;
    const char* outside_;
    const char* stage_;
    WorkClock::time_point begin_;
};

}  // namespace horde
