#include "io/trajectory/read/text_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "horde/error.h"

namespace horde {
namespace {

constexpr std::size_t kLongestLine = 1 << 16;

/// A megabyte, less for small files, and always more than the longest line.
std::size_t buffer_bytes(int descriptor) {
    constexpr std::size_t kLeast = 2 * kLongestLine;
    constexpr std::size_t kMost = 16 * kLongestLine;
    struct stat facts = {};
    if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return kMost;
    return std::clamp(static_cast<std::size_t>(facts.st_size) + 1, kLeast, kMost);
}

}  // namespace

TextLines::TextLines(const std::string& path) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0)
        throw Error("cannot read " + path + ": " + std::strerror(errno) + "; check the path");
    buffer_.resize(buffer_bytes(descriptor_));
}

TextLines::~TextLines() {
    ::close(descriptor_);
}

bool TextLines::refill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    while (!at_end_ && end_ < buffer_.size()) {
        const ssize_t bytes = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 0) {
            throw Error("cannot read " + path_ + ": " + std::strerror(errno) +
                        "; check that it is a plain file");
        }
        if (bytes == 0) at_end_ = true;
        end_ += static_cast<std::size_t>(bytes);
    }
    return end_ > 0;
}

bool TextLines::next(std::string_view& line) {
    const char* newline = nullptr;
    if (begin_ < end_) newline = static_cast<const char*>(std::memchr(&buffer_[begin_], '\n', end_ - begin_));
    if (newline == nullptr && !at_end_) {
        if (!refill()) return false;
        newline = static_cast<const char*>(std::memchr(&buffer_[begin_], '\n', end_ - begin_));
    }
    if (begin_ == end_) return false;
    ++number_;
    const std::size_t stop = newline ? static_cast<std::size_t>(newline - buffer_.data()) : end_;
    if (stop - begin_ > kLongestLine) fail("the line is longer than 65536 characters; is this a trajectory?");
    line = std::string_view(&buffer_[begin_], stop - begin_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    begin_ = newline ? stop + 1 : end_;
    return true;
}

void TextLines::fail(const std::string& text) const {
    throw Error(path_ + ":" + std::to_string(number_) + ": " + text);
}

std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40)) out += (c >= ' ' && c < 127) ? c : '?';
    if (text.size() > 40) out += "...";
    return "'" + out + "'";
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void split_commas(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    for (;;) {
        const std::size_t comma = line.find(',');
        fields.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return;
        line.remove_prefix(comma + 1);
    }
}

void split_blanks(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        const std::size_t blank = line.find_first_of(" \t");
        fields.push_back(line.substr(0, blank));
        if (blank == std::string_view::npos) return;
        line.remove_prefix(blank);
    }
}

std::uint64_t parse_whole(const TextLines& lines, std::string_view text, const char* column) {
    std::string_view whole = text;
    const std::size_t dot = whole.find('.');
    if (dot != std::string_view::npos && dot > 0 &&
        whole.find_first_not_of('0', dot + 1) == std::string_view::npos) {
        whole = whole.substr(0, dot);
    }
    return parse_number<std::uint64_t>(lines, whole, column);
}

}  // namespace horde
