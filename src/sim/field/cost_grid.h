/// What fields are computed over: the costs of one layer, as of one commit of edits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "horde/field.h"

namespace horde {

/// Never changed once handed out: jobs beside the frame read it without a lock.
struct CostGrid {
    Map map;
    std::uint32_t version =
        0;  ///< 0 at the start, one more with each commit that changed a cost of the layer
};

using CostGridPtr = std::shared_ptr<const CostGrid>;

/// The costs of one layer after a commit, and how they differ from those before it. Borrowed until the next.
struct LayerCosts {
    CostGridPtr costs;
    std::span<const std::uint32_t> changed =
        {};  ///< indices of cells with another cost, ascending; each once
};

}  // namespace horde
