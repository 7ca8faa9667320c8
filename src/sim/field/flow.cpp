#include <algorithm>
#include <array>
#include <bit>

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

std::uint32_t when(bool condition, std::uint32_t bit) {
    return condition ? bit : 0;
}

// In a finished field the best steps are those whose sum gives the cell's own value: equality finds them
// without a minimum, and without fear of sums that wrap. (A legal neighbour's value is at most a step above
// the cell's own, so no wrapped sum can be equal.) One kind of operation and a constant length a loop, so
// that compilers use lanes.
void choose_block(const FlowRow& row, std::size_t at, std::array<std::uint8_t, kRowBlock>& best) {
    std::array<std::uint32_t, kRowBlock> cost;
    std::array<std::uint32_t, kRowBlock> bits;
    for (std::size_t i = 0; i < kRowBlock; ++i) cost[i] = row.cost[at + i];
    for (std::size_t i = 0; i < kRowBlock; ++i) {
        const std::uint32_t* const here = row.here + at + i;
        const std::uint32_t* const above = row.above + at + i;
        const std::uint32_t* const below = row.below + at + i;
        const std::uint32_t straight = here[0] - cost[i] * kStraightStep;
        const std::uint32_t diagonal = here[0] - cost[i] * kDiagonalStep;
        bits[i] = when(here[1] == straight, 1) | when(below[0] == straight, 2) |
                  when(here[-1] == straight, 4) | when(above[0] == straight, 8) |
                  when(below[1] == diagonal, 16) | when(below[-1] == diagonal, 32) |
                  when(above[-1] == diagonal, 64) | when(above[1] == diagonal, 128);
    }
    for (std::size_t i = 0; i < kRowBlock; ++i)
        best[i] = static_cast<std::uint8_t>(bits[i]) & row.moves[at + i];
}

// Values that a kernel reads of a row beyond the cells themselves, on either side.
std::size_t padded_row(std::size_t cells) {
    return (cells + kRowBlock - 1) / kRowBlock * kRowBlock + 2;
}

}  // namespace

void choose_row_steps(const FlowRow& row, std::size_t cells, Direction* flow) {
    std::array<std::uint8_t, kRowBlock> best;
    for (std::size_t i = 0; i < cells; i += kRowBlock) {
        choose_block(row, i, best);
        const std::size_t count = std::min(kRowBlock, cells - i);
        for (std::size_t k = 0; k < count; ++k) flow[i + k] = kFirstDirection[best[k]];
    }
}

// The values of a row from column `first` on as a kernel reads them: where they lie if it may read there,
// else from a copy in one of three buffers that rows take in turn. Beyond the map no step is legal, whatever
// is in the buffer.
template <typename Value>
const std::uint32_t* FieldBuilder::flow_row(const std::vector<Value>& values, std::int32_t row,
                                            std::int32_t first, std::size_t cells) {
    const std::size_t size = padded_row(cells);
    std::uint32_t* const copy = flow_rows_.data() + static_cast<std::size_t>(row + 3) % 3 * size + 1;
    if (row < 0 || row >= rows_) return copy;
    const std::size_t at = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + first;
    if constexpr (sizeof(Value) == sizeof(std::uint32_t)) {
        if (at > 0 && at - 1 + size <= values.size()) return values.data() + at;
    }
    const std::int32_t end = std::min(columns_, first + static_cast<std::int32_t>(cells) + 1);
    const std::int32_t begin = std::max(0, first - 1);
    const Value* const from = values.data() + at - first;
    for (std::int32_t c = begin; c < end; ++c) copy[c - first] = static_cast<std::uint32_t>(from[c]);
    return copy;
}

template <typename Value>
void FieldBuilder::choose_steps(const std::vector<Value>& values, Cell from, Cell to, Direction* flow) {
    const auto cells = static_cast<std::size_t>(to.column - from.column);
    flow_rows_.resize(std::max(flow_rows_.size(), 3 * padded_row(cells)));
    const std::uint32_t* above = flow_row(values, from.row - 1, from.column, cells);
    const std::uint32_t* here = flow_row(values, from.row, from.column, cells);
    for (std::int32_t row = from.row; row < to.row; ++row) {
        const std::uint32_t* const below = flow_row(values, row + 1, from.column, cells);
        const std::size_t p = padded_index({from.column, row});
        Direction* const out =
            flow + static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + from.column;
        flow_kernel_(FlowRow{above, here, below, &cost_[p], &moves_[p]}, cells, out);
        above = here;
        here = below;
    }
}

void FieldBuilder::flow(Field& field) {
    field.flow.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    flow(field, {0, 0}, {columns_, rows_});
}

void FieldBuilder::flow(Field& field, Cell from, Cell to) {
    if (from.column >= to.column || from.row >= to.row) return;
    if (field.wide())
        choose_steps(field.wide_integration, from, to, field.flow.data());
    else
        choose_steps(field.integration, from, to, field.flow.data());
    for (const Cell goal : field.goals) {
        if (goal.column < from.column || goal.column >= to.column || goal.row < from.row ||
            goal.row >= to.row)
            continue;
        field.flow[static_cast<std::size_t>(goal.row) * static_cast<std::size_t>(columns_) +
                   static_cast<std::size_t>(goal.column)] = Direction::kGoal;
    }
}

}  // namespace horde
