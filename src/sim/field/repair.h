/// Mends a field after edits of its map or its goals: what they did not reach is left alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "horde/field.h"
#include "sim/field/bucket_queue.h"

namespace horde {

/// Cells after which a repair gives up: so many cost about a quarter of a full build, which is then cheaper
/// than to go on (`horde bench field --repair`).
constexpr std::size_t repair_budget(std::size_t cells) {
    return cells / 48 + 256;
}

/// After Ramalingam and Reps (1996): cells whose way broke are found in ascending order of their value, so
/// that one with another way of the same length stays; they and what became nearer are then filled from
/// around by the buckets of the full build. Works on the field in place; nothing is allocated once the sizes
/// have been seen.
class FieldRepairer {
  public:
    /// `narrow_limit` as in FieldBuilder.
    explicit FieldRepairer(std::uint32_t narrow_limit = kUnreachable32 - 1) : narrow_limit_(narrow_limit) {}

    static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

    /// `field` is what FieldBuilder makes of field.goals and of `map` as it was before cells `changed` got
    /// other costs (indices in any order; may name more). Makes it, bit for bit, what FieldBuilder would make
    /// of `map` and `goals`, which must be free cells. False if more than `budget` cells had to be looked at,
    /// or a value passed what 32 bits hold: `field` is then worthless, but for its memory. The answer depends
    /// on the arguments alone.
    bool repair(const Map& map, std::span<const std::uint32_t> changed, std::span<const Cell> goals,
                std::size_t budget, Field& field);

  private:
    struct Seed {
        std::uint64_t bucket;
        std::uint32_t cell;
    };
    template <typename Value>
    struct Work;

    template <typename Value>
    bool mend(const Map& map, std::span<const Cell> goals, std::uint64_t limit, std::vector<Value>& values,
              Field& field);
    template <typename Value>
    bool invalidate(Work<Value>& work);
    template <typename Value>
    bool offer_from_around(Work<Value>& work, std::uint32_t cell);
    template <typename Value>
    bool seed(Work<Value>& work, std::span<const Cell> goals);
    template <typename Value>
    bool spread(Work<Value>& work);
    template <typename Value>
    void choose_steps(const Work<Value>& work, std::vector<Direction>& flow);
    template <class Visit>
    bool in_order(Visit&& visit);

    void mark_edits(const Map& map, std::span<const std::uint32_t> changed, std::span<const Cell> goals,
                    const Field& field);
    void note_edit(std::uint32_t cell);
    bool mark(std::uint32_t cell, std::uint8_t bit);
    void clear_marks();

    std::uint32_t narrow_limit_;
    std::size_t left_ = 0;               // of the budget
    std::vector<std::uint8_t> marks_;    // of cells; all 0 between repairs
    std::vector<std::uint32_t> marked_;  // cells with a mark
    std::vector<std::uint32_t> edited_;  // cells whose cost or moves may be others
    std::vector<std::uint32_t> broken_;  // cells without a way of their old length
    std::vector<std::uint32_t> moved_;   // cells that came nearer, and new goals
    std::vector<Seed> seeds_;            // to be taken into the queue when their bucket comes
    BucketQueue queue_;
};

}  // namespace horde
