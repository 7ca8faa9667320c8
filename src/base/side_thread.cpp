#include "base/side_thread.h"

#include <utility>

#include "base/platform.h"

namespace horde {

SideThread::~SideThread() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void SideThread::start(std::function<void()> work) {
    HORDE_ASSERT(!busy_);
    // First: where there can be no thread, this throws and nothing is left running.
    if (!thread_.joinable()) thread_ = std::thread([this] { live(); });
    busy_ = true;
    {
        const std::lock_guard lock(mutex_);
        work_ = std::move(work);
        working_ = true;
    }
    wake_.notify_one();
}

void SideThread::wait() {
    HORDE_ASSERT(busy_);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return !working_; });
    busy_ = false;
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void SideThread::live() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return working_ || stopping_; });
        if (!working_) return;
        lock.unlock();
        std::exception_ptr thrown;
        try {
            work_();
        } catch (...) {
            thrown = std::current_exception();
        }
        lock.lock();
        thrown_ = thrown;
        working_ = false;
        done_.notify_one();
    }
}

}  // namespace horde
