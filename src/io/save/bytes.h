// Numbers as bytes, the least significant first, in the heads of saves and logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace horde {

// Appends the lowest `bytes` bytes of x, at most 8.
inline void put(std::string& out, std::uint64_t x, std::size_t bytes) {
    for (std::size_t k = 0; k < bytes; ++k) out.push_back(static_cast<char>(x >> (8 * k) & 0xff));
}

// Reads `count` bytes back, which must be there.
inline std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t x = 0;
    for (std::size_t k = 0; k < count; ++k)
        x |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[at + k])) << (8 * k);
    return x;
}

}  // namespace horde
