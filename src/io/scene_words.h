/// Words in messages about scene files.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace horde {

/// The one of `known` that takes the fewest letters inserted, deleted or replaced to become `word`
/// (Levenshtein 1966); the first of several. Empty if `known` is.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

/// The text on one line: line ends and control characters become '?', and what is over `most` bytes "...".
std::string one_line(std::string_view text, std::size_t most = 200);

}  // namespace horde
