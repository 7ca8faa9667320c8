#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace horde {
namespace {

constexpr double kQuietSeconds = 1.0;  // a run that ends before this shows nothing
constexpr double kBarSeconds = 0.1;    // between two pictures of the bar
constexpr double kLineSeconds = 5.0;   // at most between two lines
constexpr double kTenthSeconds = 0.5;  // at least between two lines, each a tenth further
constexpr int kBarCells = 24;

std::string seconds_text(double seconds) {
    if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
    const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e15));
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(std::string unit, std::int64_t total, bool shown)
    : unit_(std::move(unit)),
      total_(total),
      shown_(shown && total > 0),
      terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    finish();
}

std::string Progress::line(std::int64_t done, double elapsed) const {
    const double rate = static_cast<double>(done) / elapsed;
    const double left = static_cast<double>(total_ - done) / std::max(rate, 1e-9);
    return fmt::format("{:3} %  {}/{} {}  {:.{}f} {}/s  {} left", done * 100 / total_, done, total_, unit_,
                       rate, rate < 10.0 ? 2 : 0, unit_, seconds_text(left));
}

void Progress::draw(std::int64_t done, double elapsed) {
    const auto full = static_cast<int>(done * kBarCells / total_);
    fmt::print(stderr, "\r\x1b[K[{:#<{}}{:.<{}}] {}", "", full, "", kBarCells - full, line(done, elapsed));
    std::fflush(stderr);
    drawn_ = true;
}

void Progress::at(std::int64_t done) {
    if (!shown_) return;
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (elapsed < kQuietSeconds) return;
    if (terminal_) {
        if (elapsed - last_ < kBarSeconds) return;
        draw(done, elapsed);
    } else {
        const std::int64_t tenth = done * 10 / total_;
        const double since = elapsed - last_;
        if (done == total_ || (since < kLineSeconds && (tenth == last_tenth_ || since < kTenthSeconds)))
            return;
        fmt::print(stderr, "{}\n", line(done, elapsed));
        last_tenth_ = tenth;
    }
    last_ = elapsed;
}

void Progress::note(const std::string& line) {
    finish();
    fmt::print(stderr, "{}\n", line);
}

void Progress::finish() {
    if (!drawn_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace horde
