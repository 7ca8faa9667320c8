/// The first frame of a file, row by row, on its way to a Snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "horde/agents.h"

namespace horde {

/// Rows of the frame with the lowest number seen so far; rows of later frames are let go.
class StartRows {
  public:
    explicit StartRows(std::string path) : path_(std::move(path)) {}

    /// True if a row of this frame belongs here; a lower frame than before throws the earlier rows away.
    bool wants(std::uint64_t frame);
    /// Throws Error naming `line` if a number is not finite.
    void add(AgentId id, const Vec3& position, const Vec3& velocity, std::uint64_t line);
    /// In ascending order of id. Throws Error if two rows have the same id.
    Snapshot finish(int dim);

    const std::string& path() const { return path_; }

  private:
    struct Row {
        AgentId id;
        Vec3 position;
        Vec3 velocity;
        std::uint64_t line;
    };

    std::string path_;
    bool any_ = false;
    std::uint64_t frame_ = 0;
    std::vector<Row> rows_;
};

/// Lines of a text file, at most 64 kB long, without their ends (LF or CRLF).
class StartLines {
  public:
    explicit StartLines(const std::string& path);
    ~StartLines();
    StartLines(const StartLines&) = delete;
    StartLines& operator=(const StartLines&) = delete;

    /// False at the end. The line stays valid until the next call.
    bool next(std::string_view& line);
    std::uint64_t number() const { return number_; }  ///< of the last line, from 1
    /// Throws "PATH:LINE: text".
    [[noreturn]] void fail(const std::string& text) const;

  private:
    bool refill();

    std::string path_;
    int descriptor_ = -1;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool at_end_ = false;
    std::uint64_t number_ = 0;
};

Snapshot load_csv_start(const std::string& path);
Snapshot load_text_start(const std::string& path);
Snapshot load_hdf5_start(const std::string& path);

}  // namespace horde
