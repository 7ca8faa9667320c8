#include "io/line_reader.h"

#include <cerrno>
#include <cstring>

#include "horde/error.h"

namespace horde {

LineReader::LineReader(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) throw Error(path + ": cannot be opened (" + std::strerror(errno) + "): check the name");
}

bool LineReader::next(std::string& line, std::size_t most) {
    line.clear();
    ++line_number_;
    int c = std::getc(file_.get());
    const bool has_line = c != EOF;
    for (; c != EOF && c != '\n'; c = std::getc(file_.get())) {
        if (c == '\0') refuse("contains a NUL: not a text file");
        if (line.size() > most)
            refuse("longer than " + std::to_string(most) + " characters");  // one for the CR
        line.push_back(static_cast<char>(c));
    }
    if (std::ferror(file_.get()) != 0) refuse("cannot be read: not a file, or a failing disk");
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.size() > most) refuse("longer than " + std::to_string(most) + " characters");
    return has_line;
}

void LineReader::refuse(const std::string& text) const {
    throw Error(path_ + ":" + std::to_string(line_number_) + ": " + text);
}

std::string printable(std::string_view text) {
    constexpr std::size_t kMost = 40;
    std::string result;
    for (const char c : text.substr(0, kMost)) result.push_back(c >= ' ' && c <= '~' ? c : '?');
    if (text.size() > kMost) result += "...";
    return result;
}

}  // namespace horde
