#include "io/movingai_words.h"

#include <cmath>

namespace horde {
namespace {

constexpr std::string_view kBlanks = " \t";

std::uint8_t cost_of(const LineReader& reader, char c, std::int32_t column) {
    switch (c) {
        case '.':
        case 'G':
        case 'S':
            return 1;
        case '@':
        case 'O':
        case 'T':
        case 'W':
            return kWallCost;
        default:
            reader.refuse("character '" + printable({&c, 1}) + "' in column " + std::to_string(column) +
                          ": must be one of . G S @ O T W");
    }
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlanks, end);
    }
    return words;
}

std::int32_t read_side(const LineReader& reader, std::string_view word, const std::string& name) {
    std::int32_t side = 0;
    if (!read_number(word, side) || side < 1 || side > kMaxMapSide)
        reader.refuse(name + " is '" + printable(word) + "': must be 1 to " + std::to_string(kMaxMapSide));
    return side;
}

double read_length(const LineReader& reader, std::string_view word) {
    double length = 0.0;
    if (!read_number(word, length) || !std::isfinite(length) || length < 0.0)
        reader.refuse("length is '" + printable(word) + "': must be a number, 0 or more");
    return length;
}

void read_map_rows(LineReader& reader, Map& map) {
    std::string line;
    for (std::int32_t row = 0; row < map.rows; ++row) {
        if (!reader.next(line, kMaxMapSide))
            reader.refuse("the file ends after " + std::to_string(row) + " of " + std::to_string(map.rows) +
                          " rows: it is truncated, or its height is wrong");
        if (line.size() != static_cast<std::size_t>(map.columns))
            reader.refuse("row of " + std::to_string(line.size()) + " cells: the width is " +
                          std::to_string(map.columns));
        for (std::int32_t column = 0; column < map.columns; ++column)
            map.cost.push_back(cost_of(reader, line[static_cast<std::size_t>(column)], column));
    }
}

void expect_only_blank_lines(LineReader& reader, const std::string& what) {
    std::string line;
    while (reader.next(line, kMaxMapSide)) {
        if (!without_blanks(line).empty())
            reader.refuse("text after the " + what + ": remove it or correct the header");
    }
}

}  // namespace horde
