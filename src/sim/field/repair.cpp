#include "sim/field/repair.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/field/directions.h"

namespace horde {
namespace {

enum Mark : std::uint8_t {
    kEdited = 1,
    kGoalMark = 2,
    kExamined = 4,  // queued to be examined, once
    kMoved = 8,     // has another value than before, or none
    kSettled = 16,
    kStepChosen = 32,
};

// No step is shorter than a bucket is wide, whatever the costs.
constexpr int kShift = 8;
static_assert(kStraightStep >= 1u << kShift);
constexpr std::size_t kBucketSpan = (254 * kDiagonalStep >> kShift) + 1;

// The legal steps out of a cell as bits, and where they lead.
class Moves {
  public:
    explicit Moves(const Map& map)
        : cost_(map.cost.data()),
          columns_(static_cast<std::uint32_t>(map.columns)),
          rows_(static_cast<std::uint32_t>(map.rows)) {
        for (std::size_t d = 0; d < offset_.size(); ++d)
            offset_[d] = static_cast<std::uint32_t>(kRowStep[d] * map.columns + kColumnStep[d]);
    }

    unsigned from(std::uint32_t cell) const {
        if (cost_[cell] == kWallCost) return 0;
        const std::uint32_t row = cell / columns_;
        const std::uint32_t column = cell - row * columns_;
        const bool at_edge = column == 0 || row == 0 || column + 1 == columns_ || row + 1 == rows_;
        const unsigned inside = at_edge ? inside_map(column, row) : 0xffu;
        unsigned free = 0;
        for (int d = 0; d < kDirectionCount; ++d) {
            // At an edge the cell itself stands for those outside, which the mask takes away again.
            const std::uint32_t there = (inside >> d & 1u) != 0 ? to(cell, d) : cell;
            free |= static_cast<unsigned>(cost_[there] != kWallCost) << d;
        }
        free &= inside;
        const unsigned straight = free & 0x0fu;
        const unsigned both = straight & (straight >> 1 | straight << 3);  // bit d: steps d and d + 1
        return free & (0x0fu | both << 4);
    }

    std::uint32_t to(std::uint32_t cell, int direction) const {
        return cell + offset_[static_cast<std::size_t>(direction)];  // wraps as it should
    }

    // Calls visit(direction, neighbour) for each legal step until it says true.
    template <class Visit>
    bool any(std::uint32_t cell, Visit&& visit) const {
        for (unsigned moves = from(cell); moves != 0; moves &= moves - 1) {
            const int d = std::countr_zero(moves);
            if (visit(d, to(cell, d))) return true;
        }
        return false;
    }

    std::uint64_t step(std::uint32_t out_of, int direction) const {
        return std::uint64_t{cost_[out_of]} * step_length(direction);
    }
    bool is_wall(std::uint32_t cell) const { return cost_[cell] == kWallCost; }

  private:
    unsigned inside_map(std::uint32_t column, std::uint32_t row) const {
        const unsigned east = column + 1 < columns_ ? 0xffu : 0xffu & ~(1u | 16u | 128u);
        const unsigned south = row + 1 < rows_ ? 0xffu : 0xffu & ~(2u | 16u | 32u);
        const unsigned west = column > 0 ? 0xffu : 0xffu & ~(4u | 32u | 64u);
        const unsigned north = row > 0 ? 0xffu : 0xffu & ~(8u | 64u | 128u);
        return east & south & west & north;
    }

    const std::uint8_t* cost_;
    std::uint32_t columns_;
    std::uint32_t rows_;
    std::array<std::uint32_t, kDirectionCount> offset_{};
};

template <class Visit>
void for_block(const Map& map, std::uint32_t cell, Visit&& visit) {
    const auto at = static_cast<std::int32_t>(cell);
    const std::int32_t row = at / map.columns;
    const std::int32_t column = at - row * map.columns;
    for (std::int32_t r = std::max(row - 1, 0); r <= std::min(row + 1, map.rows - 1); ++r) {
        for (std::int32_t c = std::max(column - 1, 0); c <= std::min(column + 1, map.columns - 1); ++c)
            visit(static_cast<std::uint32_t>(map.index({c, r})));
    }
}

}  // namespace

// What the parts of one repair share.
template <typename Value>
struct FieldRepairer::Work {
    static constexpr Value kNone = std::numeric_limits<Value>::max();

    const Map& map;
    Moves moves;
    std::uint64_t limit;  // largest value that Value may hold
    Value* values;

    bool has(std::uint32_t cell) const { return values[cell] != kNone; }
    std::uint64_t value(std::uint32_t cell) const { return values[cell]; }
};

bool FieldRepairer::mark(std::uint32_t cell, std::uint8_t bit) {
    std::uint8_t& marks = marks_[cell];
    if ((marks & bit) != 0) return false;
    if (marks == 0) marked_.push_back(cell);
    marks |= bit;
    return true;
}

void FieldRepairer::clear_marks() {
    for (const std::uint32_t cell : marked_) marks_[cell] = 0;
    marked_.clear();
    edited_.clear();
    broken_.clear();
    moved_.clear();
    seeds_.clear();
}

void FieldRepairer::note_edit(std::uint32_t cell) {
    if (mark(cell, kEdited)) edited_.push_back(cell);
}

// A wall also takes the steps between the cells around it, so they count as edited.
void FieldRepairer::mark_edits(const Map& map, std::span<const std::uint32_t> changed,
                               std::span<const Cell> goals, const Field& field) {
    marks_.resize(map.cost.size(), 0);
    for (const std::uint32_t cell : changed) {
        for_block(map, cell, [&](std::uint32_t around) { note_edit(around); });
    }
    for (const Cell goal : field.goals) note_edit(static_cast<std::uint32_t>(map.index(goal)));
    for (const Cell goal : goals) {
        note_edit(static_cast<std::uint32_t>(map.index(goal)));
        mark(static_cast<std::uint32_t>(map.index(goal)), kGoalMark);
    }
}

// Takes cells by bucket, seeds and what is pushed meanwhile, until visit(bucket, cell) says false.
template <class Visit>
bool FieldRepairer::in_order(Visit&& visit) {
    std::sort(seeds_.begin(), seeds_.end(), [](const Seed& a, const Seed& b) { return a.bucket < b.bucket; });
    queue_.reset(kBucketSpan);
    std::uint64_t bucket = 0;
    for (std::size_t next = 0; next < seeds_.size() || !queue_.empty(); ++bucket) {
        if (queue_.empty()) bucket = seeds_[next].bucket;
        for (; next < seeds_.size() && seeds_[next].bucket == bucket; ++next)
            queue_.push(bucket, seeds_[next].cell);
        for (const std::uint32_t cell : queue_.cells(bucket)) {
            if (!visit(bucket, cell)) return false;
        }
        queue_.drop(bucket);
    }
    return true;
}

// Finds the cells that have no way of at most their old length left. Whom a cell leans on has a lower bucket,
// so its fate is settled before.
template <typename Value>
bool FieldRepairer::invalidate(Work<Value>& work) {
    seeds_.clear();
    for (const std::uint32_t cell : edited_) {
        if (work.has(cell) && mark(cell, kExamined)) seeds_.push_back({work.value(cell) >> kShift, cell});
    }
    return in_order([&](std::uint64_t, std::uint32_t cell) {
        if (left_-- == 0) return false;
        const std::uint64_t value = work.value(cell);
        const bool stands =
            value == 0 ? (marks_[cell] & kGoalMark) != 0
                       : work.moves.any(cell, [&](int d, std::uint32_t there) {
                             return work.has(there) && work.value(there) + work.moves.step(cell, d) <= value;
                         });
        if (stands) return true;
        mark(cell, kMoved);
        broken_.push_back(cell);
        work.values[cell] = Work<Value>::kNone;
        // Who leaned on it; around a new wall all are edited, and are examined anyway.
        work.moves.any(cell, [&](int d, std::uint32_t there) {
            if (work.has(there) && work.value(there) == value + work.moves.step(there, d) &&
                mark(there, kExamined))
                queue_.push(work.value(there) >> kShift, there);
            return false;
        });
        return true;
    });
}

// Lowers the cell to the best that its neighbours offer, and makes it a seed. False past the limit.
template <typename Value>
bool FieldRepairer::offer_from_around(Work<Value>& work, std::uint32_t cell) {
    std::uint64_t best = kUnreachable64;
    work.moves.any(cell, [&](int d, std::uint32_t there) {
        if (work.has(there)) best = std::min(best, work.value(there) + work.moves.step(cell, d));
        return false;
    });
    if (best == kUnreachable64 || (work.has(cell) && best >= work.value(cell))) return true;
    if (best > work.limit) return false;
    work.values[cell] = static_cast<Value>(best);
    if (mark(cell, kMoved)) moved_.push_back(cell);
    seeds_.push_back({best >> kShift, cell});
    return true;
}

template <typename Value>
bool FieldRepairer::seed(Work<Value>& work, std::span<const Cell> goals) {
    seeds_.clear();
    for (const Cell goal : goals) {
        const auto cell = static_cast<std::uint32_t>(work.map.index(goal));
        if (work.values[cell] == 0) continue;
        work.values[cell] = 0;
        if (mark(cell, kMoved)) moved_.push_back(cell);
        seeds_.push_back({0, cell});
    }
    for (const std::vector<std::uint32_t>* cells : {&broken_, &edited_}) {
        for (const std::uint32_t cell : *cells) {
            if (!offer_from_around(work, cell)) return false;
        }
    }
    return true;
}

// The full build's label setting, from the seeds.
template <typename Value>
bool FieldRepairer::spread(Work<Value>& work) {
    return in_order([&](std::uint64_t bucket, std::uint32_t cell) {
        const std::uint64_t value = work.value(cell);
        if (value >> kShift != bucket || !mark(cell, kSettled)) return true;  // was nearer, or twice here
        if (left_-- == 0) return false;
        return !work.moves.any(cell, [&](int d, std::uint32_t there) {
            const std::uint64_t next = value + work.moves.step(there, d);
            const Value before = work.values[there];
            if (before != Work<Value>::kNone && next >= before) return false;
            if (next > work.limit) return true;
            work.values[there] = static_cast<Value>(next);
            const bool first = mark(there, kMoved);
            if (first) moved_.push_back(there);
            // One that was touched before is queued already, but for a broken one without an offer.
            if (first || before == Work<Value>::kNone || before >> kShift != next >> kShift)
                queue_.push(next >> kShift, there);
            return false;
        });
    });
}

template <typename Value>
void FieldRepairer::choose_steps(const Work<Value>& work, std::vector<Direction>& flow) {
    const auto choose = [&](std::uint32_t cell) {
        if (!mark(cell, kStepChosen)) return;
        if ((marks_[cell] & kGoalMark) != 0) {
            flow[cell] = Direction::kGoal;
            return;
        }
        flow[cell] = Direction::kUnreachable;
        if (!work.has(cell)) return;
        work.moves.any(cell, [&](int d, std::uint32_t there) {
            if (!work.has(there) || work.value(there) + work.moves.step(cell, d) != work.value(cell))
                return false;
            flow[cell] = static_cast<Direction>(d);
            return true;
        });
    };
    for (const std::uint32_t cell : edited_) choose(cell);
    for (const std::vector<std::uint32_t>* cells : {&broken_, &moved_}) {
        for (const std::uint32_t cell : *cells) for_block(work.map, cell, choose);
    }
}

template <typename Value>
bool FieldRepairer::mend(const Map& map, std::span<const Cell> goals, std::uint64_t limit,
                         std::vector<Value>& values, Field& field) {
    Work<Value> work{map, Moves(map), limit, values.data()};
    if (!invalidate(work) || !seed(work, goals) || !spread(work)) return false;
    choose_steps(work, field.flow);
    return true;
}

bool FieldRepairer::repair(const Map& map, std::span<const std::uint32_t> changed,
                           std::span<const Cell> goals, std::size_t budget, Field& field) {
    left_ = budget;
    mark_edits(map, changed, goals, field);
    const bool mended = field.wide() ? mend(map, goals, kUnreachable64 - 1, field.wide_integration, field)
                                     : mend(map, goals, narrow_limit_, field.integration, field);
    clear_marks();
    if (!mended) return false;
    field.goals.assign(goals.begin(), goals.end());
    if (!field.wide()) return true;
    std::uint64_t greatest = 0;
    for (const std::uint64_t value : field.wide_integration)
        greatest = std::max(greatest, value == kUnreachable64 ? 0 : value);
    if (greatest > narrow_limit_) return true;
    field.integration.resize(field.wide_integration.size());
    std::transform(field.wide_integration.begin(), field.wide_integration.end(), field.integration.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    field.wide_integration.clear();
    return true;
}

}  // namespace horde
