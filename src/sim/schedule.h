// Which stages of the frame must wait for which: worked out from what each declares to read and write.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace horde {

// What one stage touches, as bits.
struct Touches {
    std::uint32_t reads;
    std::uint32_t writes;
};

// Must `later` wait for `earlier`? It must if one of them writes what the other touches.
constexpr bool in_order(const Touches& earlier, const Touches& later) {
    return (earlier.writes & (later.reads | later.writes)) != 0 || (earlier.reads & later.writes) != 0;
}

// For each stage a bit for each one before it that it must wait for. At most 32 stages.
template <std::size_t N>
constexpr std::array<std::uint32_t, N> waits_for(const std::array<Touches, N>& stages) {
    static_assert(N <= 32);
    std::array<std::uint32_t, N> after{};
    for (std::size_t k = 0; k < N; ++k) {
        for (std::size_t earlier = 0; earlier < k; ++earlier) {
            if (in_order(stages[earlier], stages[k])) after[k] |= std::uint32_t{1} << earlier;
        }
    }
    return after;
}

}  // namespace horde
