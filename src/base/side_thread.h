// One thread beside the caller's, for one piece of work at a time.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace horde {

// The thread is made by the first `start` and sleeps between pieces of work.
class SideThread {
  public:
    SideThread() = default;
    ~SideThread();  // waits for the work
    SideThread(const SideThread&) = delete;
    SideThread& operator=(const SideThread&) = delete;

    // Hands `work` to the thread. Not while it works.
    void start(std::function<void()> work);
    // Returns when the work is done; throws what the work threw. Not without a start.
    void wait();
    bool is_busy() const { return busy_; }  // for the thread that starts and waits

  private:
    void live();

    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::function<void()> work_;
    std::exception_ptr thrown_;
    bool busy_ = false;  // from start to wait; only the starting thread touches it
    bool working_ = false;
    bool stopping_ = false;
};

}  // namespace horde
