/// A fixed piece of work whose time tells how fast the machine was while something else was measured.
#pragma once

#include <cstdint>

namespace horde::bench {

/// Looks at 2^23 pairs of points in scalar floats, a few milliseconds on one core: no code of the library,
/// kept from vectorising, and never changed, so that times can be quoted as multiples of it. Returns how many
/// pairs are near.
std::int64_t reference_kernel();

/// What it returns everywhere.
inline constexpr std::int64_t kReferencePairs = 368255;

/// Milliseconds that one call takes. Throws std::runtime_error if the count is wrong.
double time_reference();

}  // namespace horde::bench
