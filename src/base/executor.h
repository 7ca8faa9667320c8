// Who runs the chunks of a loop: the calling thread, oneTBB, or plain threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "base/platform.h"

namespace horde {

// Name of the stage that the calling thread works for; an executor hands it on to its workers.
inline thread_local const char* running_stage = "";

using WorkClock = std::chrono::steady_clock;

// Is told, by the thread that did it, of each chunk of work. `stage` as running_stage.
class WorkObserver {
  public:
    virtual ~WorkObserver() = default;
    virtual void worked(const char* stage, std::int64_t chunk, WorkClock::time_point begin,
                        WorkClock::time_point end) = 0;
};

class Executor {
  public:
    using Body = void (*)(void* context, std::int64_t chunk);

    virtual ~Executor() = default;
    virtual int threads() const = 0;
    // Calls body(context, c) once for each c in [0, chunks), in any order, and returns when all are done.
    virtual void run(std::int64_t chunks, Body body, void* context) = 0;
    // Calls body(context, t) once for each task t, after the tasks before it that `after[t]` has a bit for
    // (bit 0: task 0), and returns when all are done. At most 32 tasks. Those without an order between them
    // may overlap.
    virtual void run_tasks(std::span<const std::uint32_t> after, Body body, void* context) {
        for (std::size_t t = 0; t < after.size(); ++t) body(context, static_cast<std::int64_t>(t));
    }

    // Size of the chunks of a loop over `count` agents: as set, or a few for each thread and none so small
    // that handing it out costs more than it does.
    std::int64_t grain(std::int64_t count) const {
        if (fixed_grain_ > 0) return fixed_grain_;
        if (threads() == 1) return std::max<std::int64_t>(count, 1);
        return std::max<std::int64_t>(512, count / (threads() * 8) + 1);
    }

    void set_grain(std::int64_t grain) { fixed_grain_ = grain; }

    // f(chunk, begin, end) over [0, count) in chunks of `grain`, each in the float mode of the promise.
    template <class F>
    void for_chunks(std::int64_t count, std::int64_t grain, F&& f) {
        if (count <= 0) return;
        struct Context {
            std::remove_reference_t<F>* f;
            std::int64_t count, grain;
            Executor* executor;
            const char* stage;
        } context{&f, count, grain, this, running_stage};
        run((count + grain - 1) / grain,
            [](void* self, std::int64_t chunk) {
                const FloatMode mode;
                auto& c = *static_cast<Context*>(self);
                const std::int64_t begin = chunk * c.grain;
                const auto work = [&] { (*c.f)(chunk, begin, std::min(begin + c.grain, c.count)); };
                c.executor->watches() ? c.executor->watch(c.stage, chunk, work) : work();
            },
            &context);
    }

    // Every chunk from now on is told to `observer` (nullptr: no more).
    void set_observer(WorkObserver* observer) { observer_ = observer; }
    // Microseconds that threads spent in chunks since the last call, all together. 0 of a single thread,
    // which is always busy.
    double take_busy_us() { return static_cast<double>(busy_ns_.exchange(0)) * 1e-3; }

  private:
    bool watches() const { return observer_ != nullptr || threads() > 1; }
    template <class Work>
    void watch(const char* stage, std::int64_t chunk, Work&& work) {
        const char* const outside = running_stage;
        running_stage = stage;
        const WorkClock::time_point begin = WorkClock::now();
        work();
        const WorkClock::time_point end = WorkClock::now();
        running_stage = outside;
        busy_ns_ += std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
        if (observer_ != nullptr) observer_->worked(stage, chunk, begin, end);
    }

    std::int64_t fixed_grain_ = 0;
    WorkObserver* observer_ = nullptr;
    std::atomic<std::int64_t> busy_ns_{0};
};

class SerialExecutor final : public Executor {
  public:
    int threads() const override { return 1; }
    void run(std::int64_t chunks, Body body, void* context) override {
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) body(context, chunk);
    }
};

}  // namespace horde
