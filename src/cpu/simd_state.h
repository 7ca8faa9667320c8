// What the simd backend keeps between frames, and what its lanes need to know of each group.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cpu/lanes/lanes.h"
#include "cpu/simd_runs.h"
#include "sim/frame.h"

namespace horde {

// What the lanes need of a group.
struct LaneGroup {
    bool in_lanes = false;     // all of it that the lanes can sum
    bool every_frame = false;  // are all agents due in every frame?
    bool finish_in_lanes = false;
    LaneRule rule{};
    LaneFinish finish{};
    double reach = 0.0;  // metres
    // Largest halves and sides of a block's box whose offsets lanes can tell apart: they have 2^22 units to
    // either side of the centre, and in a periodic world no image may come twice. Metres.
    float most_half = 0.0f;
    double most_side[3] = {};
};

inline bool fits_lanes(const LaneGroup& lane, const BlockBox& box, int dim) {
    bool fits = true;
    for (int k = 0; k < dim; ++k) {
        fits = fits && box.half[k] <= lane.most_half &&
               static_cast<double>(box.hi[k]) - box.lo[k] < lane.most_side[k];
    }
    return fits;
}

// Agents of a group that wait, and which they are: ascending.
struct Waiting {
    LaneWaiting lanes{};
    std::int64_t agent[kWaiting] = {};
};

// Memory of one worker.
struct Scratch {
    std::vector<std::uint32_t> list;
    RunFinder finder;
    std::vector<LaneRun> batch;
    struct alignas(4 * kPage) {
        float number[kCandidateNumbers];
    } columns;
    alignas(64) float own[3][kMostBlockAgents] = {};
    std::vector<Waiting> waiting;  // by group
    LaneWaiting crowded{};         // one agent, part by part
    LaneSums sums{};
};

class SimdState final : public BackendState {
  public:
    explicit SimdState(const LaneSet& lanes) : lanes(lanes) {}

    // Memory for one chunk, to be given back after it: there is as much of it as chunks ran at once.
    std::unique_ptr<Scratch> take();
    void give_back(std::unique_ptr<Scratch> scratch);

    const LaneSet& lanes;
    std::vector<LaneGroup> groups;  // of this frame
    std::vector<float> chunk_speed;
    float cell = 0.0f;  // metres, of the grid; 0: that of the scene

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> idle_;
};

// Fills `state.groups` for this frame.
void set_lane_groups(Frame& frame, SimdState& state);

}  // namespace horde
