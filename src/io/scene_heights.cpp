/// The heights that a scene names.
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string>

#include "horde/error.h"
#include "horde/scene.h"
#include "io/line_reader.h"

namespace horde {
namespace {

constexpr std::size_t kMostCharacters = std::size_t{kMaxMapSide} * 32;  // of a line

// Appends the numbers of one line of the file.
void read_row(const LineReader& reader, std::string_view line, std::int32_t columns,
              std::vector<float>& heights) {
    constexpr std::string_view kBetween = " \t,;";
    std::int32_t count = 0;
    for (std::size_t at = line.find_first_not_of(kBetween); at != std::string_view::npos;
         at = line.find_first_not_of(kBetween, at)) {
        const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
        const std::string_view word = line.substr(at, end - at);
        float height = 0.0f;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), height);
        if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(height) ||
            std::fabs(height) > 1e6f) {
            reader.refuse("'" + printable(word) + "' is no height; write metres within 1000000 of 0");
        }
        if (++count > columns) break;
        heights.push_back(height);
        at = end;
    }
    if (count != columns) {
        reader.refuse("the line has " + std::string(count > columns ? "more than " : "") +
                      std::to_string(std::min(count, columns)) + " heights, but the map has " +
                      std::to_string(columns) + " columns; write one for each");
    }
}

std::vector<float> load_heights(const std::string& path, const Map& map) {
    LineReader reader(path);
    std::vector<float> heights;
    heights.reserve(map.cost.size());
    std::string line;
    std::int32_t rows = 0;
    while (reader.next(line, kMostCharacters)) {
        if (line.find_first_not_of(" \t") == std::string::npos || line[0] == '#') continue;
        if (rows++ == map.rows)
            reader.refuse("there are more lines of heights than the map's " + std::to_string(map.rows) +
                          " rows");
        read_row(reader, line, map.columns, heights);
    }
    if (rows != map.rows) {
        reader.refuse("the file ends after " + std::to_string(rows) + " lines of heights, but the map has " +
                      std::to_string(map.rows) + " rows; write one for each");
    }
    return heights;
}

}  // namespace

std::vector<float> make_heights(const Scene& scene, const Map& map) {
    const SceneTerrain& terrain = scene.terrain;
    if (!scene.given_heights.empty()) {
        const bool fit = scene.given_heights.size() == map.cost.size();
        for (const float height : scene.given_heights) {
            if (!fit || !std::isfinite(height) || std::fabs(height) > 1e6f)
                throw Error(
                    "scene " + scene.name +
                    ": given_heights: give a height for each cell of the map, within 1000000 metres of 0");
        }
        return scene.given_heights;
    }
    if (!terrain.heights.empty() && terrain.hills != 0.0) {
        throw Error("scene " + scene.name +
                    ": key `terrain.hills`: stands beside heights; keep one of the two");
    }
    if (!terrain.heights.empty())
        return load_heights((std::filesystem::path(scene.folder) / terrain.heights).string(), map);
    if (terrain.hills != 0.0) return generate_hills(map, terrain.hills, terrain.hill_size, terrain.seed);
    return {};
}

}  // namespace horde
