/// The container of logs: records behind each other, each with its length and a checksum of all before it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace horde {

/// A log begins with "horde" 0x1a "L" 0x0a, format (4 bytes), 4 bytes of 0, version of the library (16
/// letters) and a checksum. A record is its length (8 bytes), kind (1), check of these two (7), bytes, and
/// the checksum of all records so far (8). Numbers have the least byte first.
inline constexpr std::uint32_t kLogFormat = 1;

/// A log as it grows. It has its name from the start: what a run that was killed has written can be read.
class LogWriter {
  public:
    /// Replaces a file of that name, and makes missing folders. Throws Error if it cannot be written.
    LogWriter(const std::string& path, const std::string& library);
    ~LogWriter();
    LogWriter(const LogWriter&) = delete;
    LogWriter& operator=(const LogWriter&) = delete;

    /// Adds a record, which the operating system has before long, see `flush`.
    void append(std::uint8_t kind, std::string_view bytes);
    /// Hands all records to the operating system: they outlive this process. Throws Error.
    void flush();
    /// The same, and returns only when they are on the disk.
    void close();

  private:
    [[noreturn]] void fail(int error);

    std::string path_;
    int file_ = -1;
    std::uint64_t sum_ = 0;
    std::string waiting_;
};

struct LogRecord {
    std::uint8_t kind = 0;
    std::string_view bytes;
};

class LogReader {
  public:
    /// `bytes` are borrowed. Throws Error, beginning with `name`, if they do not begin as a log of this
    /// format.
    LogReader(std::string_view bytes, const std::string& name);

    /// The next record; false at the end, also if that is within a record. Throws Error for a damaged one.
    bool next(LogRecord& record);
    /// Does the file end within a record?
    bool is_cut() const { return !left_.empty(); }

  private:
    std::string name_;
    std::size_t size_;
    std::string_view left_;
    std::uint64_t sum_ = 0;
};

}  // namespace horde
