#include "io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "horde/error.h"

namespace horde {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

const char* advice(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "free some space or write to another disk";
        case EFBIG:
            return "raise the limit on file sizes or write fewer frames";
        case EACCES:
        case EPERM:
        case EROFS:
            return "choose a folder that you may write to";
        case EISDIR:
            return "name a file, not a folder";
        case ENAMETOOLONG:
            return "choose a shorter name";
        default:
            return "choose another place";
    }
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(path) {
    if (path.empty()) throw Error("cannot write a file without a name; give a path");
    std::error_code none;
    if (std::filesystem::is_symlink(path, none)) {  // write the file behind the link, keep the link
        const std::filesystem::path behind = std::filesystem::weakly_canonical(path, none);
        if (!none) target_ = behind.string();
    }
    const std::filesystem::file_status status = std::filesystem::status(target_, none);
    if (std::filesystem::is_directory(status)) fail(EISDIR);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw Error("cannot write " + path_ + ": it exists and is not a plain file; choose another name");
    }
    try {
        make_folders();
        make_temporary();
    } catch (...) {
        discard();
        throw;
    }
}

AtomicFile::~AtomicFile() {
    if (!committed_) discard();
}

void AtomicFile::make_folders() {
    std::error_code why;
    std::vector<std::filesystem::path> missing;
    std::filesystem::path folder = std::filesystem::path(target_).parent_path();
    while (!folder.empty() && !std::filesystem::exists(folder, why)) {
        missing.push_back(folder);
        if (folder == folder.parent_path()) break;
        folder = folder.parent_path();
    }
    for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
        const bool made = std::filesystem::create_directory(*next, why);
        if (why) {
            throw Error("cannot write " + path_ + ": its folder " + next->string() + " cannot be made (" +
                        why.message() + "); choose another place");
        }
        if (made) made_folders_.push_back(next->string());
    }
}

void AtomicFile::make_temporary() {
    for (int attempt = 0; attempt < 1000; ++attempt) {
        temporary_ = target_ + ".tmp-" + std::to_string(::getpid());
        if (attempt > 0) temporary_ += "-" + std::to_string(attempt);
        const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            ::close(descriptor);
            return;
        }
        const int error = errno;
        if (error != EEXIST) {
            temporary_.clear();
            fail(error);
        }
    }
    temporary_.clear();
    fail(EEXIST);
}

void AtomicFile::commit() {
    if (committed_) return;
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    committed_ = true;
}

void AtomicFile::sync_folder() const {
    const std::filesystem::path folder = std::filesystem::path(target_).parent_path();
    const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

void AtomicFile::try_out() const {
    const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail(errno);
    const char nothing[4096] = {};
    ssize_t written = 0;
    int error = 0;
    for (std::size_t done = 0; done < sizeof nothing && error == 0;
         done += static_cast<std::size_t>(written)) {
        written = ::write(descriptor, nothing, sizeof nothing - done);
        if (written < 0) error = errno;
    }
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) fail(error);
}

void AtomicFile::fail(int error) const {
    throw Error("cannot write " + path_ + ": " + std::strerror(error) + "; " + advice(error));
}

void AtomicFile::discard() noexcept {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder) {
        ::rmdir(folder->c_str());  // stays if somebody else has put something there
    }
}

ByteSink::ByteSink(const std::string& path) : file_(path), buffer_(kBufferBytes) {
    descriptor_ = ::open(file_.temporary().c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) file_.fail(errno);
}

ByteSink::~ByteSink() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void ByteSink::append(std::string_view text) {
    if (text.size() > buffer_.size() - used_) flush();
    if (text.size() > buffer_.size()) {
        write_all(text.data(), text.size());
        return;
    }
    std::memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
}

void ByteSink::write_all(const char* data, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t written = ::write(descriptor_, data, bytes);
        if (written < 0) {
            if (errno == EINTR) continue;
            file_.fail(errno);
        }
        data += written;
        bytes -= static_cast<std::size_t>(written);
    }
}

void ByteSink::flush() {
    write_all(buffer_.data(), used_);
    used_ = 0;
}

void ByteSink::close() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (::close(descriptor) != 0) file_.fail(errno);
}

void ByteSink::commit() {
    flush();
    close();
    file_.commit();
}

void ByteSink::commit_durably() {
    flush();
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) file_.fail(errno);
    close();
    file_.commit();
    file_.sync_folder();
}

}  // namespace horde
