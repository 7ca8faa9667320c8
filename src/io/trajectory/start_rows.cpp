#include "io/trajectory/start_rows.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "horde/error.h"
#include "horde/files.h"
#include "io/trajectory/trajectory.h"

namespace horde {
namespace {

constexpr std::size_t kLongestLine = 1 << 16;

bool is_finite(const Vec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

}  // namespace

bool StartRows::wants(std::uint64_t frame) {
    if (!any_ || frame < frame_) {
        rows_.clear();
        any_ = true;
        frame_ = frame;
    }
    return frame == frame_;
}

void StartRows::add(AgentId id, const Vec3& position, const Vec3& velocity, std::uint64_t line) {
    if (!is_finite(position) || !is_finite(velocity)) {
        throw Error(path_ + ":" + std::to_string(line) + ": agent " + std::to_string(id) + " has a " +
                    (is_finite(position) ? "velocity" : "position") +
                    " that is not finite; correct or leave out the row");
    }
    rows_.push_back({id, position, velocity, line});
}

Snapshot StartRows::finish(int dim) {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.id < b.id; });
    Snapshot start;
    start.dim = dim;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        if (i > 0 && rows_[i - 1].id == row.id) {
            throw Error(path_ + ":" + std::to_string(row.line) + ": agent " + std::to_string(row.id) +
                        " is in the first frame twice (before in row " + std::to_string(rows_[i - 1].line) +
                        "); give each agent an id of its own");
        }
        start.id.push_back(row.id);
        start.position.push_back(row.position);
        start.velocity.push_back(row.velocity);
    }
    start.goal.assign(rows_.size(), kNoGoal);
    start.type.assign(rows_.size(), 0);
    start.state.assign(rows_.size(), AgentState::kWalking);
    rows_ = {};
    return start;
}

StartLines::StartLines(const std::string& path) : path_(path), buffer_(16 * kLongestLine) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0)
        throw Error("cannot read " + path + ": " + std::strerror(errno) + "; check the path");
}

StartLines::~StartLines() {
    ::close(descriptor_);
}

bool StartLines::refill() {
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

bool StartLines::next(std::string_view& line) {
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

void StartLines::fail(const std::string& text) const {
    throw Error(path_ + ":" + std::to_string(number_) + ": " + text);
}

Snapshot load_start(const std::string& path) {
    const std::string ending = file_ending(path);
    if (ending == "csv") return load_csv_start(path);
    if (ending == "txt") return load_text_start(path);
    if (ending == "h5") return load_hdf5_start(path);
    throw Error("cannot read " + path + ": no trajectory format ends so; use .h5, .txt or .csv");
}

}  // namespace horde
