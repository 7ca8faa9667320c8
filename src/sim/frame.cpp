#include "sim/frame.h"

#include <algorithm>
#include <cmath>

#include "base/timer.h"
#include "sim/life/act.h"

namespace horde {

namespace {

constexpr auto kAfter = [] {
    std::array<Touches, kStages.size()> touches{};
    for (std::size_t k = 0; k < kStages.size(); ++k) touches[k] = {kStages[k].reads, kStages[k].writes};
    return waits_for(touches);
}();

void run_stage(Frame& frame, const Backend& backend, std::size_t k) {
    if (kStages[k].runs != nullptr && !kStages[k].runs(frame)) return;
    const FloatMode mode;
    const StageSlice slice(frame.trace.get(), kStages[k].name);
    const Timer timer;
    (backend.*kStages[k].run)(frame);
    frame.report.stages[k] = {kStages[k].name, timer.us()};
}

void run_stages(Frame& frame, const Backend& backend) {
    // Handing stages out costs more than a small frame takes, unless a field is to be built beside it.
    constexpr std::int64_t kSmall = 1024;  // agents
    const bool small = frame.agents.count < kSmall && frame.fields.pending() == 0;
    if (frame.executor->threads() == 1 || small) {
        for (std::size_t k = 0; k < kStages.size(); ++k) run_stage(frame, backend, k);
        return;
    }
    struct Context {
        Frame& frame;
        const Backend& backend;
    } context{frame, backend};
    frame.executor->run_tasks(
        kAfter,
        [](void* self, std::int64_t k) {
            const auto& c = *static_cast<Context*>(self);
            run_stage(c.frame, c.backend, static_cast<std::size_t>(k));
        },
        &context);
}

}  // namespace

void run_frame(Frame& frame, const Backend& backend, double dt) {
    const FloatMode mode;
    if (frame.trace) frame.trace->set_frame(frame.number);
    const StageSlice slice(frame.trace.get(), "step");
    const Timer whole;
    FrameReport& report = frame.report;
    report.stages.assign(kStages.size(), {});
    report.candidates = 0;
    report.neighbours = 0;
    report.drops = 0;
    frame.dt = static_cast<float>(dt);
    frame.step_ticks = static_cast<std::uint64_t>(std::ceil(dt * kTicks));  // up: what is due is never late
    apply_pushes(frame);
    frame.executor->take_busy_us();
    run_stages(frame, backend);
    std::erase_if(report.stages,
                  [](const StageTime& stage) { return stage.name == nullptr; });  // did not run
    report.frame = ++frame.number;
    frame.clock += frame.step_ticks;
    report.agents = frame.agents.count;
    report.capacity = capacity_of(frame.agents);
    report.frame_us = whole.us();
    const int threads = frame.executor->threads();
    report.busy = threads == 1 ? 1.0 : frame.executor->take_busy_us() / (threads * report.frame_us);
}

void no_bodies(Frame& frame) {
    Bodies& bodies = frame.bodies;
    bodies.is_body.assign(static_cast<std::size_t>(frame.agents.count), 0);
    bodies.moved.clear();
    bodies.found.clear();
    take_contacts(bodies);
}

const Backend& scalar_backend() {
    static constexpr Backend backend = {"scalar",    terrain_stage, grid_stage,     field_stage, behave_stage,
                                        steer_stage, combat_stage,  no_bodies,      move_stage,  arrive_stage,
                                        tiers_stage, cull_stage,    instances_stage};
    return backend;
}

void clear_counts(Frame& frame, std::int64_t count, std::int64_t grain) {
    const auto needed = static_cast<std::size_t>((count + grain - 1) / grain);
    frame.counts.resize(std::max(frame.counts.size(), needed));  // the rest keep their memory
    for (StageCounts& counts : frame.counts) {
        counts.candidates = counts.neighbours = counts.dropped = counts.stuck = counts.stranded = 0;
        counts.pushed_out = counts.walled_in = counts.changed = counts.cut = 0;
        counts.arrived.clear();
        if (frame.ground)  // so that no later frame allocates
            counts.arrived.reserve(static_cast<std::size_t>(std::min(grain, count)));
    }
}

}  // namespace horde
