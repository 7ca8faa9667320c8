/// Numbers as text.
#pragma once

#include <charconv>

namespace horde {

/// Writes at most 32 characters, the fewest that read back exactly; where they end.
template <typename Number>
char* put_number(char* at, Number number) {
    return std::to_chars(at, at + 32, number).ptr;
}

}  // namespace horde
