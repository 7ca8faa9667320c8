#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "cpu/executors.h"

namespace horde {
namespace {

class StdExecutor final : public Executor {
  public:
    explicit StdExecutor(int threads) {
        for (int k = 1; k < threads; ++k) workers_.emplace_back([this] { work(); });
    }

    ~StdExecutor() override {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    int threads() const override { return static_cast<int>(workers_.size()) + 1; }

    void run(std::int64_t chunks, Body body, void* context) override {
        const std::lock_guard one_loop(loop_);  // stages may overlap, their loops take turns
        {
            const std::lock_guard lock(mutex_);
            body_ = body;
            context_ = context;
            chunks_ = chunks;
            next_ = 0;
            busy_ = static_cast<int>(workers_.size());
            ++round_;
        }
        wake_.notify_all();
        take_chunks(chunks, body, context);
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

    // A thread for each task: the tasks are few, and this executor need not be quick.
    void run_tasks(std::span<const std::uint32_t> after, Body body, void* context) override {
        std::mutex mutex;
        std::condition_variable finished;
        std::uint32_t done = 0;
        std::vector<std::thread> tasks;
        for (std::size_t t = 0; t < after.size(); ++t) {
            tasks.emplace_back([&, t] {
                std::unique_lock lock(mutex);
                finished.wait(lock, [&] { return (after[t] & ~done) == 0; });
                lock.unlock();
                body(context, static_cast<std::int64_t>(t));
                lock.lock();
                done |= 1u << t;
                finished.notify_all();
            });
        }
        for (std::thread& task : tasks) task.join();
    }

  private:
    void take_chunks(std::int64_t chunks, Body body, void* context) {
        for (std::int64_t chunk = next_++; chunk < chunks; chunk = next_++) body(context, chunk);
    }

    void work() {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [&] { return stopping_ || round_ != seen; });
            if (stopping_) return;
            seen = round_;
            const auto chunks = chunks_;
            const auto body = body_;
            const auto context = context_;
            lock.unlock();
            take_chunks(chunks, body, context);
            lock.lock();
            if (--busy_ == 0) done_.notify_one();
        }
    }

    std::vector<std::thread> workers_;
    std::mutex loop_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::atomic<std::int64_t> next_{0};
    std::int64_t chunks_ = 0;
    Body body_ = nullptr;
    void* context_ = nullptr;
    std::uint64_t round_ = 0;
    int busy_ = 0;
    bool stopping_ = false;
};

}  // namespace

std::unique_ptr<Executor> make_std_executor(int threads) {
    return std::make_unique<StdExecutor>(threads);
}

}  // namespace horde
