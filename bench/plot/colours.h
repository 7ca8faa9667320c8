/// Colours that all plots of benchmarks share.
#pragma once

#include "io/picture/canvas.h"

namespace horde::bench {

inline constexpr Rgb kPaper{252, 252, 250};
inline constexpr Rgb kInk{38, 42, 48};
inline constexpr Rgb kFaint{110, 116, 124};
inline constexpr Rgb kRule{222, 224, 226};

}  // namespace horde::bench
