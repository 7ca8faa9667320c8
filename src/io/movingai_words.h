/// What the readers of MovingAI files have in common.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "horde/field.h"
#include "io/line_reader.h"

namespace horde {

inline constexpr std::size_t kMostHeader = 200;           // characters of a line
inline constexpr std::size_t kMostScenLine = 4000;        // likewise
inline constexpr std::size_t kMostScenLines = 5'000'000;  // ten times the longest list; bounds memory

/// Without blanks around it.
std::string_view without_blanks(std::string_view text);

std::vector<std::string_view> words_of(std::string_view text);

/// False unless the whole word is a number of that kind.
template <typename Number>
bool read_number(std::string_view word, Number& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size();
}

/// A side of a map, 1 to kMaxMapSide. Throws Error naming file, line and `name`.
std::int32_t read_side(const LineReader& reader, std::string_view word, const std::string& name);

/// A length of a way, finite and 0 or more. Throws Error likewise.
double read_length(const LineReader& reader, std::string_view word);

/// Reads map.rows rows of map.columns characters into `map.cost`. Throws Error likewise.
void read_map_rows(LineReader& reader, Map& map);

void expect_only_blank_lines(LineReader& reader, const std::string& what);

}  // namespace horde
