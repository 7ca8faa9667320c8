/// Frames from rows: two walks over the file, the first to learn the order of its rows and what they say.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "io/trajectory/read/reader.h"
#include "io/trajectory/trajectory.h"

namespace horde {
namespace {

std::unique_ptr<RowSource> open_rows(const std::string& path) {
    const std::string ending = file_ending(path);
    if (ending == "sqlite") return open_sqlite_rows(path);
    return ending == "csv" ? open_csv_rows(path, true) : open_text_rows(path, false);
}

/// What the first walk finds.
struct Scan {
    RowFacts facts;
    bool sorted = true;  ///< frames never fall from one row to the next
    bool z_is_height = false;
    std::uint64_t usual_step = kNoGaps;
};

/// Watches whether any agent ever changes its z.
class HeightWatch {
  public:
    void add(const Row& row) {
        const auto [known, is_new] = z_.try_emplace(row.id, row.position.z);
        if (is_new) return;
        any_twice_ = true;
        changed_ = changed_ || known->second != row.position.z;
    }
    bool changed() const { return changed_; }
    bool is_height() const { return any_twice_ && !changed_; }

  private:
    std::unordered_map<AgentId, double> z_;
    bool any_twice_ = false;
    bool changed_ = false;
};

/// The most frequent distance between neighbouring frames; of equally frequent ones the largest.
std::uint64_t usual_step(std::vector<std::uint64_t>& frames) {
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    std::map<std::uint64_t, std::size_t> times;
    for (std::size_t i = 1; i < frames.size(); ++i) ++times[frames[i] - frames[i - 1]];
    std::uint64_t step = kNoGaps;
    std::size_t most = 0;
    for (const auto& [distance, count] : times) {
        if (count < most) continue;
        most = count;
        step = distance;
    }
    return step;
}

Scan scan(const std::string& path, const ReadOptions& options) {
    const std::unique_ptr<RowSource> source = open_rows(path);
    const bool may_have_heights = file_ending(path) == "txt" && !options.dim;
    Scan found;
    HeightWatch heights;
    std::vector<std::uint64_t> frames;
    while (source->next()) {
        const std::uint64_t frame = source->frame();
        if (frames.empty() || frames.back() != frame) {
            if (!frames.empty() && frame < frames.back()) found.sorted = false;
            frames.push_back(frame);
        }
        if (may_have_heights && source->facts().dim == 3 && !heights.changed()) heights.add(source->row());
    }
    found.facts = source->facts();
    found.z_is_height = heights.is_height();
    found.usual_step = usual_step(frames);
    return found;
}

class RowFrameReader : public TrajectoryReader {
  public:
    RowFrameReader(const std::string& path, const ReadOptions& options, const Scan& scan)
        : facts_(resolve_facts(path, scan.facts, options)),
          dim_(scan.facts.dim),
          source_(open_rows(path)),
          rows_(path) {
        if (scan.z_is_height) {
            facts_.dim = 2;
            facts_.heights_left_out = true;
        }
        if (!scan.sorted) sort_rows();
        advance();
    }

    const TrajectoryFacts& facts() const override { return facts_; }

    bool next(TrajectoryFrame& out) override {
        if (!has_row_) return false;
        const std::uint64_t frame = row_.frame;
        for (; has_row_ && row_.frame == frame; advance()) rows_.add(row_);
        rows_.finish(dim_, "frame " + std::to_string(frame), out.snapshot);
        out.snapshot.frame = frame;
        out.snapshot.time = facts_.fps > 0.0 ? static_cast<double>(frame) / facts_.fps : 0.0;
        out.velocity_known.clear();
        apply_facts(facts_, out.snapshot);
        return true;
    }

  private:
    void sort_rows() {
        while (source_->next()) sorted_.push_back(source_->row());
        std::stable_sort(sorted_.begin(), sorted_.end(),
                         [](const Row& a, const Row& b) { return a.frame < b.frame; });
        source_.reset();
    }

    void advance() {
        if (source_) {
            has_row_ = source_->next();
            if (has_row_) row_ = source_->row();
            return;
        }
        has_row_ = place_ < sorted_.size();
        if (has_row_) row_ = sorted_[place_++];
    }

    TrajectoryFacts facts_;
    int dim_;                            ///< of the rows
    std::unique_ptr<RowSource> source_;  ///< gone if the rows had to be sorted
    std::vector<Row> sorted_;
    std::size_t place_ = 0;
    bool has_row_ = false;
    Row row_;
    FrameRows rows_;
};

}  // namespace

RowFrames open_row_frames(const std::string& path, const ReadOptions& options) {
    const Scan found = scan(path, options);
    return {std::make_unique<RowFrameReader>(path, options, found), found.usual_step};
}

}  // namespace horde
