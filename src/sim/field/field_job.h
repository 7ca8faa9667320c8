/// One field being repaired or built anew beside the frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/background.h"
#include "sim/field/cost_grid.h"
#include "sim/field/field_builder.h"
#include "sim/field/repair.h"

namespace horde {

/// The memory that a worker works in.
struct FieldWorker {
    FieldBuilder builder;
    CostGridPtr grid;  ///< that the builder has
    FieldRepairer repairer;

    void take_grid(const CostGridPtr& wanted);
};

enum class FieldJobKind : std::uint8_t { kRepair, kBuild };

/// Hashes of what a field is made of; 0 where that is as at the start. What is asked for and how depends on
/// these, never on how often goals and costs have changed, which the state hash does not see.
struct FieldContent {
    std::uint64_t goals = 0;
    std::uint64_t costs = 0;

    bool operator==(const FieldContent&) const = default;
};

/// Inputs that nobody changes while it works, and the field that comes of them.
class FieldJob final : public Background::Task {
  public:
    std::size_t key = 0;        ///< whose field it is to be
    std::uint64_t asked = 0;    ///< frame
    std::uint64_t due = 0;      ///< frame in which the field goes live
    std::uint64_t shelved = 0;  ///< frame, once its field is another's
    FieldContent content;       ///< of what it is made of
    FieldJobKind kind = FieldJobKind::kBuild;
    bool build_at_once = false;  ///< a repair that gives up builds the field anew in the same go
    bool gave_up = false;        ///< as a repair
    bool is_done = false;        ///< without a background: worked off
    CostGridPtr grid;
    const Field* live = nullptr;         ///< for a repair: what is repaired
    std::vector<std::uint32_t> changed;  ///< for a repair: cells with other costs than `live` was made of
    std::vector<Cell> goals;             ///< free cells
    Field out;
    std::vector<FieldWorker>* workers = nullptr;

    /// The whole of it, in the memory of that worker.
    void run(int worker) override;
    /// A part of about so many cells, which are counted down (a repair is always done at a go); true when it
    /// is done. A worker does one build at a time.
    bool work(FieldWorker& worker, std::size_t& cells);

  private:
    bool repair(FieldWorker& worker);

    bool has_begun_ = false;
};

}  // namespace horde
