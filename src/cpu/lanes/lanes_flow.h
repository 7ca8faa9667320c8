// The flow stage of a row, written once over lane operations: see lanes_copy.h. Twin of choose_row_steps.
#pragma once

#include <cstring>

#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

constexpr std::int32_t kStraight = 408;
constexpr std::int32_t kDiagonal = 577;

// By the lower and by the upper half of a set of directions: the first one in it, or 9 for none.
alignas(16) constexpr std::uint8_t kFirstOfLower[16] = {9, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
alignas(16) constexpr std::uint8_t kFirstOfUpper[16] = {9, 4, 5, 4, 6, 4, 5, 4, 7, 4, 5, 4, 6, 4, 5, 4};

// The directions, legal or not, in which each cell's own value is that of the neighbour and the step.
template <class L>
inline typename L::I best_steps(const FlowRow& row, std::size_t at) {
    const auto load = [](const std::uint32_t* p) {
        return L::load(reinterpret_cast<const std::int32_t*>(p));
    };
    const std::uint32_t* const here = row.here + at;
    const std::uint32_t* const above = row.above + at;
    const std::uint32_t* const below = row.below + at;
    const auto cost = L::load_bytes(row.cost + at);
    const auto straight = L::sub(load(here), L::mul_short(cost, kStraight));
    const auto diagonal = L::sub(load(here), L::mul_short(cost, kDiagonal));
    auto best = L::keep_int(L::same(straight, load(here + 1)), L::set(1));
    best = L::add_where(best, L::same(straight, load(below)), L::set(2));
    best = L::add_where(best, L::same(straight, load(here - 1)), L::set(4));
    best = L::add_where(best, L::same(straight, load(above)), L::set(8));
    best = L::add_where(best, L::same(diagonal, load(below + 1)), L::set(16));
    best = L::add_where(best, L::same(diagonal, load(below - 1)), L::set(32));
    best = L::add_where(best, L::same(diagonal, load(above - 1)), L::set(64));
    return L::add_where(best, L::same(diagonal, load(above + 1)), L::set(128));
}

template <class L>
void choose_flow(const FlowRow& row, std::size_t cells, Direction* flow) {
    constexpr std::size_t kVectors = kRowBlock / L::kWidth;
    auto* const out = reinterpret_cast<std::uint8_t*>(flow);
    for (std::size_t i = 0; i < cells; i += kRowBlock) {
        typename L::I best[kVectors];
        for (std::size_t v = 0; v < kVectors; ++v) best[v] = best_steps<L>(row, i + v * L::kWidth);
        if (cells - i >= kRowBlock) {
            L::first_steps(best, row.moves + i, out + i);
        } else {
            std::uint8_t whole[kRowBlock];
            L::first_steps(best, row.moves + i, whole);
            std::memcpy(out + i, whole, cells - i);
        }
    }
}

}  // namespace
}  // namespace horde
