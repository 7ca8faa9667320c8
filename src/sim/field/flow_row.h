// One row of the flow stage. Lane files include this header: plain structs, nothing that compiles to code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace horde {

enum class Direction : std::uint8_t;

// Cells of a row that loops over lanes work on together.
inline constexpr std::size_t kRowBlock = 64;

// Cells of a row of a finished field and of the rows beside it: integration values, of wide ones the lower
// half. That half decides: the values of cells joined by a legal step differ by less than 2^18, or both are
// unreachable. Values are readable from one cell before the first to one beyond the last whole block; costs
// and legal moves (bit d: the step in direction d) to the end of that block.
struct FlowRow {
    const std::uint32_t* above;
    const std::uint32_t* here;
    const std::uint32_t* below;
    const std::uint8_t* cost;
    const std::uint8_t* moves;
};

// Writes the first of the best legal steps of `cells` cells, or kUnreachable. Goals are left to the caller.
using FlowKernel = void (*)(const FlowRow& row, std::size_t cells, Direction* flow);

// Any machine's, and the slow twin of the others.
void choose_row_steps(const FlowRow& row, std::size_t cells, Direction* flow);

// The fastest here, or that of the width in HORDE_LANES. Defined where the backends are known: world.cpp.
FlowKernel fastest_flow_kernel();

}  // namespace horde
