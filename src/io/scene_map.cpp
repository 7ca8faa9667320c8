/// The map that a scene names.
#include <filesystem>
#include <string>

#include "horde/error.h"
#include "horde/files.h"
#include "io/scene_words.h"

namespace horde {
namespace {

[[noreturn]] void fail(const Scene& scene, const std::string& key, const std::string& what) {
    throw Error("scene " + scene.name + ": key `map." + key + "`: " + what);
}

Map parse_rows(const Scene& scene) {
    const std::vector<std::string>& rows = scene.map.rows;
    const std::size_t columns = rows[0].size();
    if (columns == 0) fail(scene, "rows", "row 0 is empty; give it a letter for each cell");
    if (rows.size() > kMaxMapSide || columns > kMaxMapSide) {
        fail(scene, "rows",
             "a side has more than " + std::to_string(kMaxMapSide) + " cells; make the map smaller");
    }
    Map map;
    map.columns = static_cast<std::int32_t>(columns);
    map.rows = static_cast<std::int32_t>(rows.size());
    map.cost.reserve(columns * rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string name = "row " + std::to_string(row);
        if (rows[row].size() != columns) {
            fail(scene, "rows",
                 name + " has " + std::to_string(rows[row].size()) + " cells, row 0 has " +
                     std::to_string(columns) + "; make them equal");
        }
        for (std::size_t column = 0; column < columns; ++column) {
            const char letter = rows[row][column];
            if (letter == '.') {
                map.cost.push_back(1);
            } else if (letter >= '1' && letter <= '9') {
                map.cost.push_back(static_cast<std::uint8_t>(letter - '0'));
            } else if (letter == '@') {
                map.cost.push_back(kWallCost);
            } else {
                fail(scene, "rows",
                     name + ", column " + std::to_string(column) + " is '" +
                         one_line(std::string(1, letter)) + "'; use '.', '1' to '9' or '@'");
            }
        }
    }
    return map;
}

}  // namespace

std::optional<Map> make_map(const Scene& scene) {
    if (scene.given_map) return scene.given_map;
    const SceneMap& wanted = scene.map;
    const bool file = !wanted.file.empty();
    const bool rows = !wanted.rows.empty();
    const bool generate = !wanted.generate.empty();
    if (file + rows + generate > 1) {
        fail(scene, file ? "file" : "generate",
             "stands beside another source of a map; keep one of file, rows and generate");
    }
    Map map;
    if (file) {
        map = load_map((std::filesystem::path(scene.folder) / wanted.file).string());
    } else if (rows) {
        map = parse_rows(scene);
    } else if (wanted.generate == "city") {
        return generate_city(wanted.width, wanted.height, wanted.seed, wanted.cell_size);
    } else if (generate) {
        fail(scene, "generate", "is \"" + one_line(wanted.generate, 60) + "\"; write \"city\"");
    } else {
        return std::nullopt;
    }
    map.cell_size = wanted.cell_size;
    return map;
}

}  // namespace horde
