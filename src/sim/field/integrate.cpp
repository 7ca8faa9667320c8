#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "sim/field/directions.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

// Cells worked on together: enough for their memory accesses to overlap, few enough for the nearest cache.
constexpr std::size_t kBatch = 64;

template <typename Value>
struct Offer {
    Value value;
    std::uint32_t cell;
};

template <typename Value>
using Offers =
    std::array<Offer<Value>, kBatch * kDirectionCount + 1>;  // one more, written before it is counted

// Appends what the cell offers to those around it that would take it. Which would is as good as random, so
// there is no branch on it; a neighbour offered twice is sorted out later.
template <typename Value>
std::size_t make_offers(const Value* values, const std::uint8_t* costs, std::uint32_t cell, unsigned moves,
                        std::ptrdiff_t stride, Offers<Value>& offers, std::size_t count) {
    const Value here = values[cell];
    const auto offer = [&](int direction, std::ptrdiff_t offset) {
        const std::ptrdiff_t there = static_cast<std::ptrdiff_t>(cell) + offset;
        const Value next = here + costs[there] * step_length(direction);
        offers[count] = {next, static_cast<std::uint32_t>(there)};
        count += moves >> direction & static_cast<unsigned>(next < values[there]) & 1u;
    };
    offer(0, 1);  // in the order of enum Direction
    offer(1, stride);
    offer(2, -1);
    offer(3, -stride);
    offer(4, stride + 1);
    offer(5, stride - 1);
    offer(6, -stride - 1);
    offer(7, -stride + 1);
    return count;
}

}  // namespace

template <typename Value>
void FieldBuilder::seed(std::span<const Cell> goals, std::vector<Value>& distance) {
    distance.assign(padded_cells(), std::numeric_limits<Value>::max());
    queue_.reset((kDiagonalStep * greatest_cost_ >> bucket_shift()) + 1);
    next_bucket_ = 0;
    for (const Cell goal : goals) {
        const std::size_t cell = padded_index(goal);
        if (distance[cell] != 0) queue_.push(0, static_cast<std::uint32_t>(cell));
        distance[cell] = 0;
    }
}

int FieldBuilder::bucket_shift() const {
    return std::bit_width(kStraightStep * least_cost_) - 1;  // a power of two: no division
}

// Label setting with buckets (Dial 1969, Denardo and Fox 1979): no step is shorter than a bucket is wide, so
// a cell cannot improve any more while its bucket is being worked off, and the order inside a bucket is free.
// Stops after the bucket in which `cells` are spent; kTooFar if a value might pass the limit, `distance` is
// then worthless.
template <typename Value>
FieldBuilder::Spread FieldBuilder::spread(std::uint64_t limit, std::vector<Value>& distance,
                                          std::size_t& cells_left) {
    const int shift = bucket_shift();
    const std::uint32_t longest_step = kDiagonalStep * greatest_cost_;
    const auto last_safe = static_cast<Value>(limit - std::min<std::uint64_t>(limit, longest_step));
    const auto stride = static_cast<std::ptrdiff_t>(stride_);
    Value* const values = distance.data();
    Offers<Value> offers;
    for (auto number = static_cast<Value>(next_bucket_); !queue_.empty(); ++number) {
        if (cells_left == 0) {
            next_bucket_ = number;
            return Spread::kGoesOn;
        }
        const std::span<const std::uint32_t> cells = queue_.cells(number);
        for (std::size_t first = 0; first < cells.size(); first += kBatch) {
            std::size_t count = 0;
            for (const std::uint32_t cell : cells.subspan(first, std::min(kBatch, cells.size() - first))) {
                if (values[cell] > last_safe) return Spread::kTooFar;
                // A cell that went on to a lower bucket after it was queued here has nothing left to offer.
                const unsigned moves = values[cell] >> shift == number ? moves_[cell] : 0u;
                count = make_offers(values, cost_.data(), cell, moves, stride, offers, count);
            }
            for (const auto& [value, cell] : std::span(offers).first(count)) {
                const Value before = values[cell];
                if (value >= before) continue;
                values[cell] = value;
                if (before >> shift != value >> shift) queue_.push(value >> shift, cell);
            }
        }
        cells_left -= std::min(cells_left, cells.size());
        queue_.drop(number);
    }
    return Spread::kDone;
}

template <typename Value>
void FieldBuilder::copy_inside(const std::vector<Value>& distance, std::vector<Value>& values) const {
    const auto columns = static_cast<std::size_t>(columns_);
    values.resize(columns * static_cast<std::size_t>(rows_));
    if (values.empty()) return;
    for (std::int32_t row = 0; row < rows_; ++row)
        std::memcpy(values.data() + static_cast<std::size_t>(row) * columns,
                    distance.data() + padded_index({0, row}), columns * sizeof(Value));
}

void FieldBuilder::begin(Field& field) {
    check_goals_inside(field.goals);
    field.columns = columns_;
    field.rows = rows_;
    part_ = Part::kNarrow;
    next_row_ = 0;
    seed<std::uint32_t>(field.goals, narrow_);
}

// The values of a field are in place when this leaves the parts that integrate.
void FieldBuilder::integrate_some(Field& field, std::size_t& cells_left) {
    if (part_ == Part::kNarrow) {
        const Spread end = spread<std::uint32_t>(narrow_limit_, narrow_, cells_left);
        if (end == Spread::kGoesOn) return;
        if (end == Spread::kDone) {
            field.wide_integration.clear();
            copy_inside(narrow_, field.integration);
            part_ = Part::kFlow;
            return;
        }
        seed<std::uint64_t>(field.goals, wide_);
        part_ = Part::kWide;
    }
    if (spread<std::uint64_t>(kUnreachable64 - 1, wide_, cells_left) == Spread::kGoesOn) return;
    part_ = Part::kFlow;
    std::uint64_t greatest = 0;
    for (const std::uint64_t value : wide_)
        greatest = std::max(greatest, value == kUnreachable64 ? 0 : value);
    if (greatest > narrow_limit_) {
        field.integration.clear();
        copy_inside(wide_, field.wide_integration);
        return;
    }
    // Close to the limit but not past it.
    std::transform(wide_.begin(), wide_.end(), narrow_.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    field.wide_integration.clear();
    copy_inside(narrow_, field.integration);
}

void FieldBuilder::integrate(Field& field) {
    begin(field);
    for (std::size_t all = std::numeric_limits<std::size_t>::max(); part_ != Part::kFlow;)
        integrate_some(field, all);
}

bool FieldBuilder::build_some(Field& field, std::size_t& cells) {
    while (cells > 0 && part_ != Part::kFlow) integrate_some(field, cells);
    if (part_ != Part::kFlow) return false;
    if (next_row_ == 0)
        field.flow.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    const std::size_t row_cells = static_cast<std::size_t>(columns_) / kFlowPerCell + 1;
    std::int32_t end = next_row_;
    for (; cells > 0 && end < rows_; ++end) cells -= std::min(cells, row_cells);
    flow(field, {0, next_row_}, {columns_, end});
    next_row_ = end;
    return next_row_ == rows_;
}

}  // namespace horde
