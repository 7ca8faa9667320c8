/// Reading text files line by line, with a limit on what one line may take.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace horde {

/// Lines of a file without their LF or CRLF.
class LineReader {
  public:
    /// Throws Error if the file cannot be opened.
    explicit LineReader(const std::string& path);

    /// The next line, or false at the end of the file. Throws Error if it cannot be read, is longer than
    /// `most` characters or contains a NUL.
    bool next(std::string& line, std::size_t most);

    std::int64_t line_number() const { return line_number_; }

    /// Throws Error that begins with file:line of the line read last.
    [[noreturn]] void refuse(const std::string& text) const;

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
    std::int64_t line_number_ = 0;
};

/// Text of a file as it may stand in a one-line message: short, without control characters.
std::string printable(std::string_view text);

}  // namespace horde
