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

std::unique_ptr<Executor> make_std_executor(int threads) { return std::make_unique<StdExecutor>(threads); }

}  // namespace horde
