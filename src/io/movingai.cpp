#include <string_view>

#include "horde/error.h"
#include "horde/files.h"
#include "io/movingai_words.h"

namespace horde {
namespace {

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
    result.length = read_length(reader, words.back());
    return result;
}

}  // namespace

Map load_map(const std::string& path) {
    LineReader reader(path);
    Map map;
    read_map_header(reader, map);
    read_map_rows(reader, map);
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
        if (without_blanks(line).empty()) continue;
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
