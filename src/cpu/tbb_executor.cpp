#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

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
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::int64_t>(0, chunks, 1),
                [&](const tbb::blocked_range<std::int64_t>& range) {
                    for (std::int64_t chunk = range.begin(); chunk < range.end(); ++chunk) body(context, chunk);
                },
                tbb::simple_partitioner());
        });
    }

  private:
    tbb::global_control limit_;  // lets more threads than cores run, as --threads 8 on two cores asks for
    tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Executor> make_tbb_executor(int threads) { return std::make_unique<TbbExecutor>(threads); }

}  // namespace horde
