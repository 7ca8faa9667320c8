/// Files that appear under their name only when they are whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace horde {

/// A temporary file beside its target, renamed to it by `commit`. Destroyed before, it leaves nothing behind,
/// nor any folder that it made. The constructor makes missing parent folders. Throws Error naming the target.
class AtomicFile {
  public:
    explicit AtomicFile(const std::string& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::string& path() const { return path_; }
    const std::string& temporary() const { return temporary_; }  ///< exists and is empty at first
    void commit();
    /// After `commit`: sees to it that the name is on the disk too, where the file system can.
    void sync_folder() const;
    /// Throws Error if not even the first 4 kB can be written. For libraries that cannot bear to fail there.
    void try_out() const;
    /// Throws "cannot write PATH: why; what to do" for the value of errno given.
    [[noreturn]] void fail(int error) const;

  private:
    void make_folders();
    void make_temporary();
    void discard() noexcept;

    std::string path_;    ///< as the caller wrote it
    std::string target_;  ///< the same behind symbolic links
    std::string temporary_;
    std::vector<std::string> made_folders_;  ///< outermost first
    bool committed_ = false;
};

/// Text or bytes on their way into an AtomicFile, a megabyte at a time.
class ByteSink {
  public:
    explicit ByteSink(const std::string& path);
    ~ByteSink();
    ByteSink(const ByteSink&) = delete;
    ByteSink& operator=(const ByteSink&) = delete;

    /// Room for `bytes` (at most 4096) more characters: write there, then say how far by `advance`.
    char* room(std::size_t bytes) {
        if (used_ + bytes > buffer_.size()) flush();
        return buffer_.data() + used_;
    }
    void advance(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
    void append(std::string_view text);
    const AtomicFile& file() const { return file_; }
    void commit();
    /// The same, and returns only when all of it is on the disk: no crash of the machine takes it back.
    void commit_durably();

  private:
    void close();
    void flush();
    void write_all(const char* data, std::size_t bytes);

    AtomicFile file_;
    int descriptor_ = -1;
    std::size_t used_ = 0;
    std::vector<char> buffer_;
};

}  // namespace horde
