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
    std::int64_t offset[3] = {};
    std::int64_t velocity[3] = {};
    std::int64_t push[3] = {};
    std::int64_t hits = 0;
    std::int64_t coincident = 0;

    void add(int dim, const LaneSums& part, int slot) {
        for (int k = 0; k < dim; ++k) {
            offset[k] += part.offset[k][slot];
            velocity[k] += part.velocity[k][slot];
            push[k] += part.push[k][slot];
        }
        hits += part.hits[slot];
    }
};

// Steers the blocks of one chunk.
template <int D>
class BlockSteering {
  public:
    BlockSteering(Frame& frame, const SimdState& state, Scratch& scratch, StageCounts& counts)
        : frame_(frame), state_(state), scratch_(scratch), counts_(counts) {
        if (scratch_.waiting.size() < state.groups.size()) scratch_.waiting.resize(state.groups.size());
        scratch_.finder.begin(frame.grid.view(), D);
    }

    // Are the agents of each block steered all together?
    bool together() const {
        return state_.groups.size() == 1 && state_.groups[0].in_lanes && state_.groups[0].every_frame &&
               frame_.combat.lying.empty();
    }

    // Then with the block's box.
    void steer(std::int64_t begin, std::int64_t end, const BlockBox& box) {
        steer_members(0, {begin, nullptr, end - begin}, box);
    }

    void steer(std::int64_t begin, std::int64_t end) {
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

    // To be called after the last block.
    void finish_all() {
        for (std::size_t g = 0; g < state_.groups.size(); ++g) finish_waiting(g);
    }

  private:
    bool for_lanes(std::size_t g, std::int64_t i) const {
        const LaneGroup& lane = state_.groups[g];
        const Group& group = frame_.params.groups[g];
        if (group.kind != RuleKind::kCrowd && is_dead(frame_.agents, i)) return false;
        if (!lane.in_lanes || lane.every_frame) return lane.in_lanes;
        if (group.kind == RuleKind::kCrowd) return thinks(frame_, i, 1) && keeps_apart(frame_, i);
        return thinks(frame_, i, group.flock.sight.update_every);
    }

    // Agents of one group: all at once if their offsets fit the lanes, else half by half.
    void steer_members(std::size_t g, const Members& members) {
        if (members.count > 0) steer_members(g, members, box_of(frame_, state_.lanes, members));
    }

    void steer_members(std::size_t g, const Members& members, const BlockBox& box) {
        if (fits_lanes(state_.groups[g], box, D)) {
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
        scratch_.finder.find(box, lane.reach);
        if (frame_.params.groups[g].kind != RuleKind::kCrowd) scratch_.finder.leave_out(frame_.combat.lying);
        counts_.candidates += scratch_.finder.candidates() * members.count;
        const LaneBlock block = block_of(lane, box, members);
        const LaneRule& rule = lane.rule;
        if (scratch_.finder.candidates() > kCandidateRoom)
            return steer_crowded(g, block, members, 0, members.count);
        LaneCandidates candidates{scratch_.columns.number, 0, 0};
        state_.lanes.copy(rule, block, scratch_.finder.runs().data(),
                          static_cast<std::int64_t>(scratch_.finder.runs().size()), candidates);
        if (candidates.near_size > std::int64_t{4} * rule.most_pushers) {
            return steer_crowded(g, block, members, 0, members.count);
        }
        Waiting& waiting = scratch_.waiting[g];
        const LaneRange all{0, candidates.size, 0, candidates.near_size};
        for (std::int64_t first = 0, last = 0; first < members.count; first = last) {
            const std::int32_t slot = waiting.lanes.count;
            last = std::min<std::int64_t>(members.count, first + kWaiting - slot);
            const bool crowded = state_.lanes.sum(rule, block, candidates, all, first, last, waiting.lanes);
            for (std::int64_t n = first; n < last; ++n) waiting.agent[slot + n - first] = members[n];
            if (crowded) {
                finish_crowded(g, block, members, first, slot);
            } else if (waiting.lanes.count == kWaiting) {
                finish_waiting(g);
            }
        }
    }

    LaneBlock block_of(const LaneGroup& lane, const BlockBox& box, const Members& members) {
        LaneBlock block{};
        const Agents& agents = frame_.agents;
        const float* position[3] = {};
        float* own[3] = {};
        for (int k = 0; k < D; ++k) {
            block.position[k] = agents.position[k].now.data();
            block.velocity[k] = agents.velocity[k].now.data();
            block.centre[k] = box.centre[k];
            block.length[k] = frame_.grid.view().periodic.length[k];
            block.half[k] = box.half[k];
            block.own[k] = own[k] = scratch_.own[k];
            position[k] = block.position[k] + members.first;
        }
        if (members.list == nullptr) {
            state_.lanes.place(lane.rule, position, block.centre, members.count, own);
            return block;
        }
        for (int k = 0; k < D; ++k) {
            for (std::int64_t n = 0; n < members.count; ++n) {
                own[k][n] = (block.position[k][members[n]] - block.centre[k]) * lane.rule.per_unit + kMagic;
            }
        }
        return block;
    }

    // Some of the agents that wait from `slot` on have too many neighbours for sums of 32 bits: those of the
    // block from number `first` on.
    void finish_crowded(std::size_t g, const LaneBlock& block, const Members& members, std::int64_t first,
                        std::int32_t slot) {
        const LaneRule& rule = state_.groups[g].rule;
        LaneWaiting& lanes = scratch_.waiting[g].lanes;
        const std::int32_t end = lanes.count;
        bool crowded[kWaiting] = {};
        for (std::int32_t s = slot; s < end; ++s) {
            crowded[s] = lanes.hits[s] > rule.most_summed || lanes.pushers[s] > rule.most_pushers ||
                         lanes.coincident[s] > rule.most_coincident;
            if (crowded[s]) lanes.hits[s] = 1;  // counted when it is done again
        }
        finish_waiting(g);
        for (std::int32_t s = slot; s < end; ++s) {
            const std::int64_t n = first + s - slot;
            if (crowded[s]) steer_crowded(g, block, members, n, n + 1);
        }
    }

    // Steers members [first, last) of a block by sums over parts of their candidates, each small enough for
    // 32 bits and for the columns.
    void steer_crowded(std::size_t g, const LaneBlock& block, const Members& members, std::int64_t first,
                       std::int64_t last) {
        const LaneRule& rule = state_.groups[g].rule;
        for (std::int64_t end = 0; first < last; first = end) {
            end = std::min(last, first + kWaiting);
            WideSums wide[kWaiting];
            CandidateBatches batches(scratch_.finder.runs(), scratch_.batch);
            while (batches.next()) sum_parts(rule, block, first, end, wide);
            for (std::int64_t n = first; n < end; ++n) {
                WideSums& sums = wide[n - first];
                if (sums.coincident > rule.most_coincident) part_from_coincident(g, members[n], sums);
                counts_.neighbours += sums.hits - 1;
                finish(g, members[n], sums);
            }
        }
    }

    // Each agent at the very place of agent i pushes it by the same.
    void part_from_coincident(std::size_t g, std::int64_t i, WideSums& sums) const {
        const Group& group = frame_.params.groups[g];
        const AgentId id = frame_.agents.id.now[i];
        LatticeSums<D> one{frame_.params.position, frame_.params.velocity, group.push};
        SeparationSum<D> walker{};
        if (group.kind == RuleKind::kCrowd) {
            add_separation<D>(walker, group.crowd.separation_radius, zero_vec<D>(), 0.0f, id);
        } else {
            one.add_push(separation_push<D, float>(group.flock.sight, zero_vec<D>(), 0.0f, id));
        }
        for (int k = 0; k < D; ++k)
            sums.push[k] += (sums.coincident - 1) * (walker.units[k] + one.push_units[k]);
    }

    // Adds the sums of members [first, end) over the candidates in `scratch_.batch`.
    void sum_parts(const LaneRule& rule, const LaneBlock& block, std::int64_t first, std::int64_t end,
                   WideSums (&wide)[kWaiting]) {
        const std::int64_t width = state_.lanes.width;
        const std::int64_t part = rule.most_summed / width * width;
        const std::int64_t near_part = rule.most_pushers / width * width;
        LaneCandidates candidates{scratch_.columns.number, 0, 0};
        state_.lanes.copy(rule, block, scratch_.batch.data(),
                          static_cast<std::int64_t>(scratch_.batch.size()), candidates);
        LaneWaiting& waiting = scratch_.crowded;
        LaneRange range{};
        while (range.first < candidates.size || range.first_near < candidates.near_size) {
            range.last = std::min(range.first + part, candidates.size);
            range.last_near = std::min(range.first_near + near_part, candidates.near_size);
            state_.lanes.sum(rule, block, candidates, range, first, end, waiting);
            for (int s = 0; s < end - first; ++s) wide[s].coincident += waiting.coincident[s];
            state_.lanes.reduce(rule, waiting, scratch_.sums);
            for (int s = 0; s < end - first; ++s) wide[s].add(D, scratch_.sums, s);
            range.first = range.last;
            range.first_near = range.last_near;
        }
    }

    void finish_waiting(std::size_t g) {
        const LaneGroup& lane = state_.groups[g];
        Waiting& waiting = scratch_.waiting[g];
        const std::int32_t count = waiting.lanes.count;
        if (count == 0) return;
        state_.lanes.reduce(lane.rule, waiting.lanes, scratch_.sums);
        for (std::int32_t s = 0; s < count; ++s) counts_.neighbours += scratch_.sums.hits[s] - 1;
        const std::int64_t first = waiting.agent[0];
        const bool together = waiting.agent[count - 1] - first == count - 1;
        if (lane.finish_in_lanes && together && !frame_.agents.keeps_steering) {
            finish_in_lanes(lane, first, count);
            return;
        }
        for (std::int32_t s = 0; s < count; ++s) {
            WideSums wide;
            wide.add(D, scratch_.sums, s);
            finish(g, waiting.agent[s], wide);
        }
    }

    void finish_in_lanes(const LaneGroup& lane, std::int64_t first, std::int64_t count) {
        Agents& agents = frame_.agents;
        const float* velocity[3] = {};
        float* accel[3] = {};
        for (int k = 0; k < D; ++k) {
            velocity[k] = agents.velocity[k].now.data() + first;
            accel[k] = agents.accel[k].data() + first;
        }
        state_.lanes.finish(lane.finish, scratch_.sums, velocity, count, accel);
        if (agents.keeps_touch) std::fill_n(agents.touch.begin() + first, count, std::uint8_t{0});
    }

    void finish(std::size_t g, std::int64_t i, const WideSums& wide) {
        const Group& group = frame_.params.groups[g];
        if (group.kind == RuleKind::kCrowd) {
            WalkerSums<D> sums;
            for (int k = 0; k < D; ++k) sums.push.units[k] = wide.push[k];
            use_separation<D>(frame_, group.crowd, i, sums);
        } else {
            finish_flock(group, i, wide);
        }
    }

    void finish_flock(const Group& group, std::int64_t i, const WideSums& wide) {
        const Params& params = frame_.params;
        const bool vicsek = group.kind == RuleKind::kVicsek;
        LatticeSums<D> found{params.position, params.velocity, group.push};
        found.count = wide.hits - 1;
        for (int k = 0; k < D; ++k) {
            const float v = frame_.agents.velocity[k].now[i];
            const auto own = static_cast<std::int64_t>(v * params.velocity.per_unit);
            const std::int64_t others = wide.velocity[k] - own;
            found.offset_units[k] = vicsek ? 0 : wide.offset[k];
            found.velocity_units[k] = others + (vicsek ? own : 0);
            found.relative_units[k] = others - found.count * own;
            found.push_units[k] = vicsek ? 0 : wide.push[k];
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
    if (!steering.together()) {
        for (std::int64_t first = 0, last = 0; walk.next(first, last);) steering.steer(first, last);
        return steering.finish_all();
    }
    // Boxes take many steps that wait for each other: those of some blocks are found side by side.
    constexpr int kAtOnce = 8;
    std::int64_t first[kAtOnce], last[kAtOnce];
    BlockBox box[kAtOnce];
    for (int count = kAtOnce; count == kAtOnce;) {
        count = 0;
        while (count < kAtOnce && walk.next(first[count], last[count])) ++count;
        for (int n = 0; n < count; ++n)
            box[n] = box_of(frame, state.lanes, {first[n], nullptr, last[n] - first[n]});
        for (int n = 0; n < count; ++n) steering.steer(first[n], last[n], box[n]);
    }
    steering.finish_all();
}

}  // namespace

void simd_steer_stage(Frame& frame) {
    constexpr std::int64_t kFew = 8;  // agents: fewer are not worth a block
    auto& state = static_cast<SimdState&>(*frame.backend_state);
    const std::int64_t count = frame.agents.count;
    if (count < kFew) return steer_stage(frame);
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
    end_steering(frame);
}

}  // namespace horde
