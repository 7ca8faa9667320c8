// Work that goes on beside the frame, over as many frames as it takes.
#pragma once

#include <cstdint>
#include <exception>

namespace horde {

class Background {
  public:
    // One piece of work. Stays where it is from `start` until `finish` has returned.
    class Task {
      public:
        virtual ~Task() = default;
        // `worker` is 0 to workers(): the calling thread's own scratch memory may be kept under that number.
        virtual void run(int worker) = 0;

      private:
        friend class Background;
        enum class State : std::uint8_t { kIdle, kQueued, kRunning, kDone };
        State state_ = State::kIdle;
        std::exception_ptr thrown_;
    };

    virtual ~Background() = default;
    virtual int workers() const = 0;
    // Queues the task. Tasks are begun in the order in which they were started.
    virtual void start(Task& task) = 0;
    // Returns when the task is done, and throws what it threw; true if it was done before. One that nobody
    // has begun runs on the calling thread, as worker number workers(). One thread at a time may call this.
    virtual bool finish(Task& task) = 0;

  protected:
    using State = Task::State;
    static State& state_of(Task& task) { return task.state_; }
    static std::exception_ptr& thrown_of(Task& task) { return task.thrown_; }
};

}  // namespace horde
