/// How far a run has come, on stderr: a bar on a terminal, a line now and then elsewhere, nothing for short
/// runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace horde {

class Progress {
  public:
    /// Counts `total` things named `unit` ("frames"). Not `shown`: says nothing but notes.
    Progress(std::string unit, std::int64_t total, bool shown);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(std::int64_t done);
    /// A line of its own, above the bar.
    void note(const std::string& line);
    /// Takes the bar away.
    void finish();

  private:
    using Clock = std::chrono::steady_clock;

    std::string line(std::int64_t done, double elapsed) const;
    void draw(std::int64_t done, double elapsed);

    std::string unit_;
    std::int64_t total_;
    bool shown_;
    bool terminal_;
    bool drawn_ = false;  ///< a bar stands on the last line
    Clock::time_point start_ = Clock::now();
    double last_ = 0.0;            ///< seconds from the start to the last output
    std::int64_t last_tenth_ = 0;  ///< tenths of the whole that the last line told of
};

}  // namespace horde
