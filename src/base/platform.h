// The edge to compiler and machine: the only header with #if.
#pragma once

#include <cstdio>
#include <cstdlib>

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif
#include <cfenv>

// Marks a function that runs on the host and, under nvcc, on the device.
#if defined(__CUDACC__)
#define HORDE_HD __host__ __device__
#else
#define HORDE_HD
#endif

// A bug of the caller or of the library, never bad input (that throws Error).
#if defined(NDEBUG)
#define HORDE_ASSERT(condition) ((void)0)
#else
#define HORDE_ASSERT(condition) \
    ((condition) ? (void)0      \
                 : (std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), std::abort()))
#endif

namespace horde {

// Asks for the cache line at `address`, which a later instruction will read.
inline void prefetch(const void* address) {
    __builtin_prefetch(address);
}

// Default rounding, no flushing of denormals, for as long as it lives; then what the caller had. A host
// program may have set either (audio code does), and both change results.
class FloatMode {
  public:
#if defined(__x86_64__) || defined(_M_X64)
    FloatMode() : saved_(_mm_getcsr()) {
        _mm_setcsr(saved_ & ~kBits);
    }
    ~FloatMode() {
        _mm_setcsr(saved_);
    }

  private:
    static constexpr unsigned kBits = 0x8000u /*FTZ*/ | 0x0040u /*DAZ*/ | 0x6000u /*rounding*/;
    unsigned saved_;
#else
    FloatMode() : saved_(std::fegetround()) {
        std::fesetround(FE_TONEAREST);
    }
    ~FloatMode() {
        std::fesetround(saved_);
    }

  private:
    int saved_;
#endif
  public:
    FloatMode(const FloatMode&) = delete;
    FloatMode& operator=(const FloatMode&) = delete;
};

}  // namespace horde
