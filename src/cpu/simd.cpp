// Steering in lanes. Agents are taken block by block: the candidates of a block are copied once, together and
// in lattice units, and each agent sums over them by a loop of fixed length. What the lanes cannot do, an
// agent does by the scalar routine.
#include "cpu/simd.h"

#include <algorithm>

#include "cpu/simd_blocks.h"
#include "cpu/simd_state.h"
#include "sim/steer_agent.h"

namespace horde {
namespace {

// Sums of an agent, wide enough for any number of neighbours.
struct WideSums {
    std::int64_t sum[16] = {};
    std::int64_t push[3] = {};
    std::int64_t hits = 0;
    std::int64_t coincident = 0;

    void add(const LaneSums& part) {
        for (int s = 0; s < 16; ++s) sum[s] += part.sum[s];
        for (int k = 0; k < 3; ++k) push[k] += part.push[k];
        hits += part.hits;
        coincident += part.coincident;
    }
};

// Steers the blocks of one chunk.
template <int D>
class BlockSteering {
  public:
    BlockSteering(Frame& frame, const SimdState& state, Scratch& scratch, StageCounts& counts)
        : frame_(frame), state_(state), scratch_(scratch), counts_(counts) {}

    void steer(std::int64_t begin, std::int64_t end) {
        if (state_.groups.size() == 1 && state_.groups[0].in_lanes && state_.groups[0].every_frame) {
            steer_members(0, {begin, nullptr, end - begin});
            return;
        }
        for (std::size_t g = 0; g < state_.groups.size(); ++g) {
            scratch_.list.clear();
            for (std::int64_t i = begin; i < end; ++i) {
                if (frame_.agents.group.now[i] != g) continue;
                if (for_lanes(g, i)) {
                    scratch_.list.push_back(static_cast<std::uint32_t>(i));
                } else {
                    steer_agent<D>(frame_, i, counts_);
                }
            }
            steer_members(g, {0, scratch_.list.data(), static_cast<std::int64_t>(scratch_.list.size())});
        }
    }

  private:
    bool for_lanes(std::size_t g, std::int64_t i) const {
        const LaneGroup& lane = state_.groups[g];
        if (!lane.in_lanes || lane.every_frame) return lane.in_lanes;
        return is_due(frame_.number, frame_.agents.id.now[i],
                      frame_.params.groups[g].flock.sight.update_every);
    }

    // Agents of one group: all at once if their offsets fit the lanes, else half by half.
    void steer_members(std::size_t g, const Members& members) {
        if (members.count == 0) return;
        const BlockBox box = box_of(frame_, members);
        if (fits_lanes(frame_, box, state_.groups[g].reach)) {
            steer_in_lanes(g, box, members);
        } else if (members.count == 1) {
            steer_agent<D>(frame_, members[0], counts_);
        } else {
            steer_members(g, members.part(0, members.count / 2));
            steer_members(g, members.part(members.count / 2, members.count));
        }
    }

    void steer_in_lanes(std::size_t g, const BlockBox& box, const Members& members) {
        const LaneGroup& lane = state_.groups[g];
        find_runs(frame_, box, lane.reach, scratch_.found);
        counts_.candidates += scratch_.found.candidates * members.count;
        const LaneBlock block = block_of(box, members);
        LaneCandidates candidates = room_for(scratch_.found.candidates, members.count);
        state_.lanes.copy(lane.rule, block, scratch_.found.runs.data(),
                          static_cast<std::int64_t>(scratch_.found.runs.size()), candidates);
        // 32 bits hold the sums of `most_summed` neighbours; agents with more are summed in parts.
        const bool dense = candidates.size > 4 * lane.most_summed;
        if (!dense) state_.lanes.sum(lane.rule, block, candidates, 0, candidates.size, scratch_.sums);
        if (!dense && lane.finish_in_lanes && members.list == nullptr) finish_in_lanes(lane, members);
        for (std::int64_t n = 0; n < members.count; ++n) {
            if (dense || scratch_.sums[n].hits > lane.most_summed) {
                finish(g, members[n], sum_in_parts(lane, block, candidates, n));
            } else if (!finished_in_lanes(lane, members, scratch_.sums[n])) {
                WideSums wide;
                wide.add(scratch_.sums[n]);
                finish(g, members[n], wide);
            }
        }
    }

    LaneBlock block_of(const BlockBox& box, const Members& members) {
        LaneBlock block{};
        const Agents& agents = frame_.agents;
        const float per_unit = frame_.params.position.per_unit;
        block.agents = members.count;
        for (int k = 0; k < D; ++k) {
            const float* x = agents.position[k].now.data();
            block.position[k] = x;
            block.velocity[k] = agents.velocity[k].now.data();
            block.centre[k] = box.centre[k];
            block.length[k] = frame_.grid.view().periodic.length[k];
            block.half[k] = std::max(box.hi[k] - box.centre[k], box.centre[k] - box.lo[k]);
            block.own[k] = scratch_.own[k];
            for (std::int64_t n = 0; n < members.count; ++n) {
                scratch_.own[k][n] = (x[members[n]] - box.centre[k]) * per_unit;
            }
        }
        return block;
    }

    LaneCandidates room_for(std::int64_t candidates, std::int64_t count) {
        const std::int64_t column = candidates + kLanePadding;
        LaneCandidates c{};
        c.near_stride = column / 4 + 16;  // at most a byte for each four candidates
        const auto size = static_cast<std::size_t>(column * 2 * D);
        if (scratch_.columns.size() < size) scratch_.columns.resize(size + size / 2);
        const auto bytes = static_cast<std::size_t>(c.near_stride * count);
        if (scratch_.near.size() < bytes) scratch_.near.resize(bytes + bytes / 2);
        for (int k = 0; k < D; ++k) {
            c.offset[k] = scratch_.columns.data() + k * column;
            c.velocity[k] = reinterpret_cast<std::int32_t*>(scratch_.columns.data() + (D + k) * column);
        }
        c.near = scratch_.near.data();
        return c;
    }

    WideSums sum_in_parts(const LaneGroup& lane, const LaneBlock& block, const LaneCandidates& candidates,
                          std::int64_t n) {
        const std::int64_t part = lane.most_summed / state_.lanes.width * state_.lanes.width;
        LaneBlock one = block;
        one.agents = 1;
        for (int k = 0; k < D; ++k) one.own[k] = block.own[k] + n;
        WideSums wide;
        for (std::int64_t first = 0; first < candidates.size; first += part) {
            LaneSums sums{};
            state_.lanes.sum(lane.rule, one, candidates, first, std::min(first + part, candidates.size),
                             &sums);
            wide.add(sums);
        }
        return wide;
    }

    // Accelerations of all members, those among them that want more care too: they are done again.
    void finish_in_lanes(const LaneGroup& lane, const Members& members) {
        Agents& agents = frame_.agents;
        const float* velocity[3] = {};
        float* accel[3] = {};
        for (int k = 0; k < D; ++k) {
            velocity[k] = agents.velocity[k].now.data() + members.first;
            accel[k] = agents.accel[k].data() + members.first;
        }
        state_.lanes.finish(lane.finish, scratch_.sums, velocity, members.count, accel);
        std::fill_n(agents.touch.begin() + members.first, members.count, std::uint8_t{0});
    }

    bool finished_in_lanes(const LaneGroup& lane, const Members& members, const LaneSums& sums) {
        if (!lane.finish_in_lanes || members.list != nullptr || sums.pushers > lane.most_pushers)
            return false;
        if (lane.coincident && sums.coincident > 1) return false;
        counts_.neighbours += sums.hits - 1;
        return true;
    }

    void finish(std::size_t g, std::int64_t i, const WideSums& wide) {
        const LaneGroup& lane = state_.groups[g];
        if (lane.coincident &&
            wide.coincident > 1) {  // rare: a direction for each such pair, hashed from their ids
            steer_agent<D>(frame_, i, counts_);
            return;
        }
        counts_.neighbours += wide.hits - 1;
        const Group& group = frame_.params.groups[g];
        if (group.kind == RuleKind::kCrowd) {
            WalkerSums<D> sums;
            for (int k = 0; k < D; ++k) sums.push.units[k] = wide.sum[8 + k];
            use_separation<D>(frame_, group.crowd, i, sums);
        } else {
            finish_flock(group, lane.rule.push, i, wide);
        }
    }

    void finish_flock(const Group& group, LanePush push, std::int64_t i, const WideSums& wide) {
        const Params& params = frame_.params;
        LatticeSums<D> found{params.position, params.velocity, group.push};
        found.count = wide.hits - 1;
        for (int k = 0; k < D; ++k) {
            const float v = frame_.agents.velocity[k].now[i];
            const auto own = static_cast<std::int64_t>(v * params.velocity.per_unit);
            const std::int64_t others = wide.sum[D + k] - own;
            found.offset_units[k] = push == LanePush::kNone ? 0 : wide.sum[k];
            found.velocity_units[k] = others + (group.kind == RuleKind::kVicsek ? own : 0);
            found.relative_units[k] = others - found.count * own;
            found.push_units[k] = push == LanePush::kInLanes  ? wide.sum[8 + k]
                                  : push == LanePush::kByPair ? wide.push[k]
                                                              : 0;
        }
        use_flock_sums<D>(frame_, group, i, true, found);
    }

    Frame& frame_;
    const SimdState& state_;
    Scratch& scratch_;
    StageCounts& counts_;
};

template <int D>
void steer_chunk(Frame& frame, const SimdState& state, Scratch& scratch, std::int64_t begin, std::int64_t end,
                 StageCounts& counts) {
    BlockWalk walk(frame, begin, end);
    BlockSteering<D> steering(frame, state, scratch, counts);
    for (std::int64_t first = 0, last = 0; walk.next(first, last);) steering.steer(first, last);
}

}  // namespace

void simd_steer_stage(Frame& frame) {
    auto& state = static_cast<SimdState&>(*frame.backend_state);
    const std::int64_t count = frame.agents.count;
    const std::int64_t grain = frame.executor->grain(count);
    clear_counts(frame, count, grain);
    set_lane_groups(frame, state);
    frame.executor->for_chunks(count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        std::unique_ptr<Scratch> scratch = state.take();
        StageCounts& counts = frame.counts[static_cast<std::size_t>(chunk)];
        if (frame.params.dim == 2) {
            steer_chunk<2>(frame, state, *scratch, begin, end, counts);
        } else {
            steer_chunk<3>(frame, state, *scratch, begin, end, counts);
        }
        state.give_back(std::move(scratch));
    });
    report_steering(frame);
}

}  // namespace horde
