// Neighbour lists in lanes.
#pragma once

#include "sim/list_search.h"

namespace horde {

// Sets what lanes do of a width: one of simd_widths(), or 0: the widest. Throws Error for another.
void set_simd_lists(int width, ListBackend& backend);

}  // namespace horde
