#include "base/background.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cpu/executors.h"

namespace horde {
namespace {

// Plain threads: a field may take many frames, for which it would hold a worker of a pool that frames need.
class StdBackground final : public Background {
  public:
    explicit StdBackground(int workers) {
        for (int k = 0; k < workers; ++k) threads_.emplace_back([this, k] { live(k); });
    }

    // Leaves undone what nobody has begun.
    ~StdBackground() override {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    int workers() const override { return static_cast<int>(threads_.size()); }

    void start(Task& task) override {
        {
            const std::lock_guard lock(mutex_);
            state_of(task) = State::kQueued;
            queue_.push_back(&task);
        }
        wake_.notify_one();
    }

    bool finish(Task& task) override {
        std::unique_lock lock(mutex_);
        const bool done = state_of(task) == State::kDone;
        if (state_of(task) == State::kQueued) {
            queue_.erase(std::find(queue_.begin(), queue_.end(), &task));
            run(lock, task, workers());
        }
        done_.wait(lock, [&] { return state_of(task) == State::kDone; });
        state_of(task) = State::kIdle;
        if (thrown_of(task)) std::rethrow_exception(std::exchange(thrown_of(task), nullptr));
        return done;
    }

  private:
    void run(std::unique_lock<std::mutex>& lock, Task& task, int worker) {
        state_of(task) = State::kRunning;
        lock.unlock();
        std::exception_ptr thrown;
        try {
            task.run(worker);
        } catch (...) {
            thrown = std::current_exception();
        }
        lock.lock();
        thrown_of(task) = thrown;
        state_of(task) = State::kDone;
    }

    void live(int worker) {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (stopping_) return;
            Task& task = *queue_.front();
            queue_.erase(queue_.begin());
            run(lock, task, worker);
            done_.notify_all();
        }
    }

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::vector<Task*> queue_;
    bool stopping_ = false;
};

}  // namespace

std::unique_ptr<Background> make_background(int workers) {
    return std::make_unique<StdBackground>(workers);
}

}  // namespace horde
