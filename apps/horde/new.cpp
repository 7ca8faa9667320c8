/// horde new: a commented scene to start from.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "horde/error.h"
#include "horde/files.h"
#include "options.h"
#include "outputs.h"

namespace horde {

int new_scene(const std::string& path) {
    if (std::filesystem::path(path).extension() != ".toml") {
        throw Error("new " + path + ": a scene's name ends in .toml; add that");
    }
    if (std::error_code ignored; std::filesystem::exists(path, ignored)) {
        throw Error("new " + path + ": is there already and stays as it is; choose another name");
    }
    require_writable(path, "new");
    std::error_code ignored;  // what cannot be made, cannot be written to either
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    const std::string temporary = path + ".part-" + std::to_string(getpid());
    std::ofstream out(temporary, std::ios::binary);
    out << scene_template();
    out.close();
    if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) {
        std::remove(temporary.c_str());
        throw Error("new " + path + ": writing stopped half-way; make room on the disk");
    }
    fmt::print("wrote {}; try: horde run {}\n", path, path);
    return 0;
}

}  // namespace horde
