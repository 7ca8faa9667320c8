#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "horde/error.h"
#include "horde/files.h"
#include "io/line_reader.h"

namespace horde {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kMostHeader = 200;
constexpr std::size_t kMostScenLine = 4000;
constexpr std::size_t kMostScenLines = 5'000'000;  // ten times the longest list; keeps memory bounded

std::string_view trimmed(std::string_view text) {
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

template <typename Number>
bool read_number(std::string_view word, Number& number) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc{} && end == word.data() + word.size();
}

std::int32_t read_side(const LineReader& reader, std::string_view word, const std::string& name) {
    std::int32_t side = 0;
    if (!read_number(word, side) || side < 1 || side > kMaxMapSide)
        reader.refuse(name + " is '" + printable(word) + "': must be 1 to " + std::to_string(kMaxMapSide));
    return side;
}

// The lines up to "map". Sizes are checked here, before anything is allocated for them.
void read_map_header(LineReader& reader, Map& map) {
    std::string line;
    bool has_type = false;
    while (true) {
        if (!reader.next(line, kMostHeader)) reader.refuse("the file ends before a line 'map'");
        const auto words = words_of(line);
        const bool is_pair = words.size() == 2;
        if (words.size() == 1 && words[0] == "map") break;
        if (is_pair && words[0] == "type" && !has_type) {
            if (words[1] != "octile")
                reader.refuse("type is '" + printable(words[1]) + "': only octile maps can be read");
            has_type = true;
        } else if (is_pair && words[0] == "height" && map.rows == 0) {
            map.rows = read_side(reader, words[1], "height");
        } else if (is_pair && words[0] == "width" && map.columns == 0) {
            map.columns = read_side(reader, words[1], "width");
        } else {
            reader.refuse("'" + printable(line) +
                          "': expected one each of 'type octile', 'height N', 'width N', " + "then 'map'");
        }
    }
    if (!has_type || map.rows == 0 || map.columns == 0)
        reader.refuse("'map' comes before all of 'type octile', 'height N' and 'width N'");
}

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

void expect_only_blank_lines(LineReader& reader, const std::string& what) {
    std::string line;
    while (reader.next(line, kMaxMapSide)) {
        if (!trimmed(line).empty())
            reader.refuse("text after the " + what + ": remove it or correct the header");
    }
}

ScenLine read_scen_line(const LineReader& reader, std::string_view text) {
    // The name is whatever stands between the first word and the last seven.
    const auto words = words_of(text);
    if (words.size() < 9)
        reader.refuse(std::to_string(words.size()) +
                      " fields: a problem has 9 (bucket, map, width, height, start x, y, goal x, y, length)");
    const auto number = [&](std::size_t from_end, const char* name, std::int32_t most) {
        const std::string_view word = words[words.size() - from_end];
        std::int32_t value = -1;
        if (!read_number(word, value) || value < 0 || value > most)
            reader.refuse(std::string(name) + " is '" + printable(word) + "': must be 0 to " +
                          std::to_string(most));
        return value;
    };
    ScenLine result;
    result.line = reader.line_number();
    if (!read_number(words[0], result.bucket) || result.bucket < 0)
        reader.refuse("bucket is '" + printable(words[0]) + "': must be a whole number, 0 or more");
    const std::string_view last_of_name = words[words.size() - 8];
    result.map.assign(words[1].data(), last_of_name.data() + last_of_name.size());
    result.columns = read_side(reader, words[words.size() - 7], "map width");
    result.rows = read_side(reader, words[words.size() - 6], "map height");
    result.start = {number(5, "start x", result.columns - 1), number(4, "start y", result.rows - 1)};
    result.goal = {number(3, "goal x", result.columns - 1), number(2, "goal y", result.rows - 1)};
    if (!read_number(words.back(), result.length) || !std::isfinite(result.length) || result.length < 0.0)
        reader.refuse("length is '" + printable(words.back()) + "': must be a number, 0 or more");
    return result;
}

}  // namespace

Map load_map(const std::string& path) {
    LineReader reader(path);
    Map map;
    read_map_header(reader, map);
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
    expect_only_blank_lines(reader, "last row");
    return map;
}

std::vector<ScenLine> load_scen(const std::string& path) {
    LineReader reader(path);
    std::string line;
    reader.next(line, kMostScenLine);
    const auto words = words_of(line);
    double version = 0.0;
    if (words.size() != 2 || words[0] != "version" || !read_number(words[1], version) || version != 1.0)
        reader.refuse("'" + printable(line) + "': a scenario file begins with 'version 1'");
    std::vector<ScenLine> lines;
    while (reader.next(line, kMostScenLine)) {
        if (trimmed(line).empty()) continue;
        if (lines.size() == kMostScenLines)
            reader.refuse("more than " + std::to_string(kMostScenLines) + " problems: split the file");
        lines.push_back(read_scen_line(reader, line));
    }
    return lines;
}

Map scale_map(const Map& map, std::int32_t columns, std::int32_t rows) {
    const auto factor_of = [](std::int32_t from, std::int32_t to) {
        return from > 0 && to <= kMaxMapSide && to % from == 0 ? to / from : 0;
    };
    const std::int32_t across = factor_of(map.columns, columns);
    const std::int32_t down = factor_of(map.rows, rows);
    if (across < 1 || down < 1) {
        const auto size = [](std::int32_t c, std::int32_t r) {
            return std::to_string(c) + " x " + std::to_string(r);
        };
        throw Error("a map of " + size(map.columns, map.rows) + " cells cannot become " +
                    size(columns, rows) + ": each side must be a whole multiple of the map's, at most " +
                    std::to_string(kMaxMapSide));
    }
    Map scaled{columns, rows, map.cell_size, {}};
    scaled.cost.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    for (Cell c; c.row < rows; ++c.row) {
        for (c.column = 0; c.column < columns; ++c.column)
            scaled.cost[scaled.index(c)] = map.cost[map.index({c.column / across, c.row / down})];
    }
    return scaled;
}

}  // namespace horde
