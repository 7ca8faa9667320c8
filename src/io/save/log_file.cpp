#include "io/save/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/random.h"
#include "horde/error.h"
#include "io/line_reader.h"
#include "io/save/bytes.h"
#include "io/save/save_file.h"

namespace horde {
namespace {

constexpr std::string_view kMagic("horde\x1aL\n", 8);
constexpr std::size_t kHeadBytes = 40;
constexpr std::size_t kRecordHead = 16;
constexpr std::size_t kMostWaiting = 1 << 16;

std::uint64_t check_of(std::uint64_t length, std::uint8_t kind) {
    return mix64(mix64(length), kind) >> 8;
}

}  // namespace

LogWriter::LogWriter(const std::string& path, const std::string& library) : path_(path) {
    std::error_code none;  // what is in the way, `open` tells
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, none);
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail(errno);
    std::string head(kMagic);
    put(head, kLogFormat, 4);
    put(head, 0, 4);
    std::string text = library;
    text.resize(16, '\0');
    head += text;
    sum_ = checksum(head);
    put(head, sum_, 8);
    waiting_ = head;
    flush();
}

LogWriter::~LogWriter() {
    if (file_ >= 0) ::close(file_);
}

void LogWriter::append(std::uint8_t kind, std::string_view bytes) {
    put(waiting_, bytes.size(), 8);
    put(waiting_, kind, 1);
    put(waiting_, check_of(bytes.size(), kind), 7);
    waiting_ += bytes;
    sum_ = mix64(mix64(mix64(sum_, bytes.size()), kind), checksum(bytes));
    put(waiting_, sum_, 8);
    if (waiting_.size() >= kMostWaiting) flush();
}

void LogWriter::flush() {
    std::string_view left = waiting_;
    while (!left.empty()) {
        const ssize_t written = ::write(file_, left.data(), left.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(errno);
        left.remove_prefix(static_cast<std::size_t>(written));
    }
    waiting_.clear();
    if (waiting_.capacity() > 4 * kMostWaiting) waiting_.shrink_to_fit();
}

void LogWriter::close() {
    flush();
    if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) fail(errno);
    const int file = file_;
    file_ = -1;
    if (::close(file) != 0) fail(errno);
}

void LogWriter::fail(int error) {
    throw Error("cannot write " + path_ + ": " + std::strerror(error) + "; give another place for the log");
}

LogReader::LogReader(std::string_view bytes, const std::string& name)
    : name_(name), size_(bytes.size()), left_(bytes) {
    if (bytes.substr(0, kMagic.size()) != kMagic)
        throw Error(name + ": is no log of horde; give a file that --record or World::record has written");
    if (bytes.size() < kHeadBytes) throw Error(name + ": is cut off in its first bytes");
    const std::uint64_t format = number_at(bytes, 8, 4);
    if (format > kLogFormat) {
        throw Error(name + ": has format " + std::to_string(format) + " of horde " +
                    printable(bytes.substr(16, 16).substr(0, bytes.substr(16, 16).find('\0'))) +
                    ", and this build reads up to " + std::to_string(kLogFormat) + "; use that version");
    }
    sum_ = checksum(bytes.substr(0, kHeadBytes - 8));
    if (sum_ != number_at(bytes, kHeadBytes - 8, 8)) throw Error(name + ": is damaged in its first bytes");
    left_.remove_prefix(kHeadBytes);
}

bool LogReader::next(LogRecord& record) {
    if (left_.size() < kRecordHead) return false;
    const auto damaged = [&] {
        throw Error(name_ + ": is damaged: the record at byte " + std::to_string(size_ - left_.size()) +
                    " has another checksum");
    };
    const std::uint64_t length = number_at(left_, 0, 8);
    record.kind = static_cast<std::uint8_t>(left_[8]);
    if (number_at(left_, 9, 7) != check_of(length, record.kind)) damaged();
    if (left_.size() - kRecordHead < 8 || length > left_.size() - kRecordHead - 8) return false;
    record.bytes = left_.substr(kRecordHead, static_cast<std::size_t>(length));
    const std::uint64_t sum = mix64(mix64(mix64(sum_, length), record.kind), checksum(record.bytes));
    if (number_at(left_, kRecordHead + record.bytes.size(), 8) != sum) damaged();
    sum_ = sum;
    left_.remove_prefix(kRecordHead + record.bytes.size() + 8);
    return true;
}

}  // namespace horde
