#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <array>
#include <atomic>
#include <bit>

#include "cpu/executors.h"

namespace horde {
namespace {

class TbbExecutor final : public Executor {
  public:
    explicit TbbExecutor(int threads)
        : limit_(tbb::global_control::max_allowed_parallelism,
                 std::max<std::size_t>(threads, tbb::global_control::active_value(
                                                    tbb::global_control::max_allowed_parallelism))),
          arena_(threads) {}

    int threads() const override { return arena_.max_concurrency(); }

    void run(std::int64_t chunks, Body body, void* context) override {
        if (chunks == 1) return body(context, 0);
        const auto loop = [&] {
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(0, chunks, 1),
                [&](const tbb::blocked_range<std::int64_t>& range) {
                    for (std::int64_t chunk = range.begin(); chunk < range.end(); ++chunk)
                        body(context, chunk);
                },
                tbb::simple_partitioner());
        };
        // Isolated: a thread that waits for the last chunks of its loop must not start another stage
        // meanwhile.
        arena_.execute([&] { tbb::this_task_arena::isolate(loop); });
    }

    void run_tasks(std::span<const std::uint32_t> after, Body body, void* context) override {
        TaskRun run{after, body, context};
        arena_.execute([&] {
            for (std::size_t t = 0; t < after.size(); ++t) run.missing[t] = std::popcount(after[t]);
            for (std::size_t t = 0; t < after.size(); ++t) {
                if (after[t] == 0) run.group.run([&run, t] { run.go(t); });
            }
            run.group.wait();
        });
    }

  private:
    struct TaskRun {
        std::span<const std::uint32_t> after;
        Body body;
        void* context;
        std::array<std::atomic<int>, 32> missing{};  // tasks to wait for
        tbb::task_group group{};

        void go(std::size_t task) {
            body(context, static_cast<std::int64_t>(task));
            for (std::size_t t = task + 1; t < after.size(); ++t) {
                const bool waits = (after[t] >> task & 1u) != 0;
                if (waits && --missing[t] == 0) group.run([this, t] { go(t); });
            }
        }
    };

    tbb::global_control limit_;  // lets more threads than cores run, as --threads 8 on two cores asks for
    tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Executor> make_tbb_executor(int threads) {
    return std::make_unique<TbbExecutor>(threads);
}

}  // namespace horde
