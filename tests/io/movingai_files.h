/// Where the tests of MovingAI files find their input.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../places.h"

namespace horde {

inline std::filesystem::path movingai_folder() {
    const char* const data = std::getenv("HORDE_DATA");
    const std::filesystem::path root = horde::test::kSourceDir;
    return (data != nullptr && *data != '\0' ? root / data : root / "../shared/data") / "movingai";
}

/// The scenario files directly in the folder, by name; none if the data is absent.
inline std::vector<std::filesystem::path> movingai_scens() {
    std::vector<std::filesystem::path> files;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(movingai_folder(), absent))
        if (entry.path().string().ends_with(".map.scen")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// X.map for X.map.scen.
inline std::string map_of_scen(const std::filesystem::path& scen) {
    return scen.string().substr(0, scen.string().size() - 5);
}

/// A file of this process with the given content, removed in the end.
class TemporaryFile {
  public:
    TemporaryFile(const std::string& ending, const std::string& content) {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "horde_test_XXXXXX").string() + ending;
        const int file = mkstemps(pattern.data(), static_cast<int>(ending.size()));
        if (file >= 0) close(file);
        path_ = pattern;
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace horde
