/// Lines of a text trajectory, and the numbers in them.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace horde {

/// Lines of a text file, at most 64 kB long, without their ends (LF or CRLF).
class TextLines {
  public:
    explicit TextLines(const std::string& path);
    ~TextLines();
    TextLines(const TextLines&) = delete;
    TextLines& operator=(const TextLines&) = delete;

    /// False at the end. The line stays valid until the next call.
    bool next(std::string_view& line);
    std::uint64_t number() const { return number_; }  ///< of the last line, from 1
    const std::string& path() const { return path_; }
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

/// What a name or a value looks like in an error: short, and on one line.
std::string shown(std::string_view text);

/// Without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// Cuts a line at every `,`, or at runs of spaces and tabs. `fields` is used again.
void split_commas(std::string_view line, std::vector<std::string_view>& fields);
void split_blanks(std::string_view line, std::vector<std::string_view>& fields);

/// The number that `text` is as a whole; else an error that names the line and the column.
template <typename Number>
Number parse_number(const TextLines& lines, std::string_view text, const char* column) {
    Number number{};
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (why == std::errc::result_out_of_range) {
        lines.fail(std::string(column) + " " + shown(text) + " is too large; correct it");
    }
    if (why != std::errc() || end != text.data() + text.size() || text.empty()) {
        lines.fail(std::string(column) + " " + shown(text) + " is not a number of its kind; correct it");
    }
    return number;
}

/// Frame numbers and ids of other programs may read 12.0.
std::uint64_t parse_whole(const TextLines& lines, std::string_view text, const char* column);

}  // namespace horde
