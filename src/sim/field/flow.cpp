#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "sim/field/directions.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

constexpr std::array<Direction, 256> first_directions() {
    std::array<Direction, 256> first{};
    first[0] = Direction::kUnreachable;
    for (unsigned bits = 1; bits < 256; ++bits) first[bits] = static_cast<Direction>(std::countr_zero(bits));
    return first;
}

// The first direction of a set, as the ties ask.
constexpr std::array<Direction, 256> kFirstDirection = first_directions();

template <typename Value>
struct RowView {
    const Value* above;
    const Value* here;
    const Value* below;
    const std::uint8_t* cost;
    const std::uint8_t* moves;
};

template <typename Value>
Value when(bool condition, Value bit) {
    return condition ? bit : 0;
}

// In a finished field the best steps are those whose sum gives the cell's own value: equality finds them
// without a minimum, and without fear of sums that wrap. (A legal neighbour's value is at most a step above
// the cell's own, so no wrapped sum can be equal.) One kind of operation and a constant length a loop, so
// that compilers use lanes.
template <typename Value>
void choose_block(const RowView<Value>& row, std::array<std::uint8_t, kRowBlock>& best) {
    std::array<Value, kRowBlock> cost;
    std::array<Value, kRowBlock> bits;
    for (std::size_t i = 0; i < kRowBlock; ++i) cost[i] = row.cost[i];
    for (std::size_t i = 0; i < kRowBlock; ++i) {
        const Value straight = row.here[i] - cost[i] * kStraightStep;
        const Value diagonal = row.here[i] - cost[i] * kDiagonalStep;
        const Value* const here = row.here + i;
        const Value* const above = row.above + i;
        const Value* const below = row.below + i;
        bits[i] = when<Value>(here[1] == straight, 1) | when<Value>(below[0] == straight, 2) |
                  when<Value>(here[-1] == straight, 4) | when<Value>(above[0] == straight, 8) |
                  when<Value>(below[1] == diagonal, 16) | when<Value>(below[-1] == diagonal, 32) |
                  when<Value>(above[-1] == diagonal, 64) | when<Value>(above[1] == diagonal, 128);
    }
    for (std::size_t i = 0; i < kRowBlock; ++i) best[i] = static_cast<std::uint8_t>(bits[i]) & row.moves[i];
}

}  // namespace

template <typename Value>
void FieldBuilder::choose_steps(const std::vector<Value>& values, std::vector<Value>& rows,
                                Direction* flow) const {
    const auto columns = static_cast<std::size_t>(columns_);
    const std::size_t row_size = stride_ + kRowBlock;
    rows.assign(3 * row_size, std::numeric_limits<Value>::max());
    Value* above = rows.data() + 1;
    Value* here = above + row_size;
    Value* below = here + row_size;
    std::array<std::uint8_t, kRowBlock> best;
    std::memcpy(below, values.data(), columns * sizeof(Value));
    for (std::int32_t row = 0; row < rows_; ++row, flow += columns) {
        Value* const free_row = above;
        above = here;
        here = below;
        below = free_row;
        if (row + 1 < rows_)  // beyond the last row no step is legal, whatever is in the buffer
            std::memcpy(below, values.data() + (static_cast<std::size_t>(row) + 1) * columns,
                        columns * sizeof(Value));
        const std::size_t first = padded_index({0, row});
        for (std::size_t i = 0; i < columns; i += kRowBlock) {
            const std::size_t p = first + i;
            choose_block(RowView<Value>{above + i, here + i, below + i, &cost_[p], &moves_[p]}, best);
            const std::size_t count = std::min(kRowBlock, columns - i);
            for (std::size_t k = 0; k < count; ++k) flow[i + k] = kFirstDirection[best[k]];
        }
    }
}

void FieldBuilder::flow(Field& field) {
    field.flow.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    if (field.flow.empty()) return;
    if (field.wide())
        choose_steps(field.wide_integration, wide_rows_, field.flow.data());
    else
        choose_steps(field.integration, narrow_rows_, field.flow.data());
    for (const Cell goal : field.goals)
        field.flow[static_cast<std::size_t>(goal.row) * static_cast<std::size_t>(columns_) +
                   static_cast<std::size_t>(goal.column)] = Direction::kGoal;
}

}  // namespace horde
