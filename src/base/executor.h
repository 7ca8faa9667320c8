// Who runs the chunks of a loop: the calling thread, oneTBB, or plain threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "base/platform.h"

namespace horde {

class Executor {
  public:
    using Body = void (*)(void* context, std::int64_t chunk);

    virtual ~Executor() = default;
    virtual int threads() const = 0;
    // Calls body(context, c) once for each c in [0, chunks), in any order, and returns when all are done.
    virtual void run(std::int64_t chunks, Body body, void* context) = 0;

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
        } context{&f, count, grain};
        run((count + grain - 1) / grain,
            [](void* self, std::int64_t chunk) {
                const FloatMode mode;
                auto& c = *static_cast<Context*>(self);
                const std::int64_t begin = chunk * c.grain;
                (*c.f)(chunk, begin, std::min(begin + c.grain, c.count));
            },
            &context);
    }

  private:
    std::int64_t fixed_grain_ = 0;
};

class SerialExecutor final : public Executor {
  public:
    int threads() const override { return 1; }
    void run(std::int64_t chunks, Body body, void* context) override {
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) body(context, chunk);
    }
};

}  // namespace horde
