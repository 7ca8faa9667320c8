/// Extended XYZ: a count, a comment of key=value, and a row an agent, frame after frame.
#include <cmath>
#include <map>

#include "horde/error.h"
#include "io/trajectory/read/reader.h"
#include "io/trajectory/read/text_lines.h"

namespace horde {
namespace {

/// Where a row has what, from Properties.
struct Layout {
    std::size_t columns = 0;
    int id = -1;
    int position = -1;
    int velocity = -1;
};

class XyzFrames : public TrajectoryReader {
  public:
    XyzFrames(const std::string& path, const ReadOptions& options) : lines_(path), rows_(path) {
        has_frame_ = read_head();
        RowFacts says;
        says.dim = 3;
        says.remedy = ", or write fps=F and unit=m in its comments";
        says.has_velocities = has_frame_ ? layout_.velocity >= 0 : true;
        if (!has_frame_) says.unit = 1.0;
        if (const std::string* dim = key("dim")) {
            says.dim = *dim == "2" ? 2 : *dim == "3" ? 3 : 0;
            if (says.dim == 0) lines_.fail("dim " + shown(*dim) + " must be 2 or 3");
        }
        if (key("fps") != nullptr) {
            says.fps = number("fps");
            if (!(*says.fps > 0.0) || !std::isfinite(*says.fps)) lines_.fail("fps must be more than 0");
        }
        if (const std::string* unit = key("unit")) {
            if (*unit != "m" && *unit != "cm") lines_.fail("unit " + shown(*unit) + " must be m or cm");
            says.unit = *unit == "m" ? 1.0 : 0.01;
        }
        facts_ = resolve_facts(path, says, options);
    }

    const TrajectoryFacts& facts() const override { return facts_; }

    bool next(TrajectoryFrame& out) override {
        if (!has_frame_) return false;
        if ((layout_.velocity >= 0) != facts_.velocities_in_file) {
            lines_.fail("some frames have velo and some have not; give all frames the same Properties");
        }
        const std::uint64_t frame = key("frame") ? parse_whole(lines_, *key("frame"), "frame") : index_;
        if (index_ > 0 && frame <= last_frame_) lines_.fail("frame must grow from one frame to the next");
        const double time = key("Time")        ? number("Time")
                            : facts_.fps > 0.0 ? static_cast<double>(frame) / facts_.fps
                                               : 0.0;
        for (std::uint64_t row = 0; row < count_; ++row) read_row(frame);
        rows_.finish(3, "frame " + std::to_string(frame), out.snapshot);
        out.snapshot.frame = frame;
        out.snapshot.time = time;
        out.velocity_known.clear();
        apply_facts(facts_, out.snapshot);
        last_frame_ = frame;
        ++index_;
        has_frame_ = read_head();
        return true;
    }

  private:
    const std::string* key(const std::string& name) const {
        const auto found = keys_.find(name);
        return found == keys_.end() ? nullptr : &found->second;
    }
    double number(const char* name) const { return parse_number<double>(lines_, *key(name), name); }

    /// Count and comment of the next frame; false at the end.
    bool read_head() {
        std::string_view line;
        do {
            if (!lines_.next(line)) return false;
        } while (trimmed(line).empty());
        count_ = parse_number<std::uint64_t>(lines_, trimmed(line), "the number of agents");
        if (!lines_.next(line)) lines_.fail("the file ends before the comment line; is it cut off?");
        read_keys(line);
        const std::string* properties = key("Properties");
        if (properties == nullptr) lines_.fail("the comment has no Properties=...; write extended XYZ");
        read_layout(*properties);
        return true;
    }

    /// key=value or key="value with blanks"; words without = are skipped.
    void read_keys(std::string_view line) {
        keys_.clear();
        for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
            const std::size_t stop = line.find_first_of("= \t");
            const std::string name(line.substr(0, stop));
            if (stop == std::string_view::npos || line[stop] != '=') {
                line.remove_prefix(std::min(stop, line.size()));
                continue;
            }
            line.remove_prefix(stop + 1);
            const bool quoted = !line.empty() && line.front() == '"';
            if (quoted) line.remove_prefix(1);
            const std::size_t end = quoted ? line.find('"') : line.find_first_of(" \t");
            if (quoted && end == std::string_view::npos) lines_.fail("a quote in the comment is not closed");
            keys_[name] = std::string(line.substr(0, end));
            line.remove_prefix(end == std::string_view::npos ? line.size() : end + (quoted ? 1 : 0));
        }
    }

    void read_layout(std::string_view properties) {
        std::vector<std::string_view> parts;
        for (;;) {
            const std::size_t colon = properties.find(':');
            parts.push_back(properties.substr(0, colon));
            if (colon == std::string_view::npos) break;
            properties.remove_prefix(colon + 1);
        }
        if (parts.size() % 3 != 0) lines_.fail("Properties must be name:type:count, again and again");
        layout_ = {};
        for (std::size_t i = 0; i < parts.size(); i += 3) {
            const auto width = parse_number<std::uint16_t>(lines_, parts[i + 2], "a count of Properties");
            const int at = static_cast<int>(layout_.columns);
            const std::string_view name = parts[i];
            if (name == "id" && width == 1) layout_.id = at;
            if (name == "pos" && width == 3) layout_.position = at;
            if ((name == "velo" || name == "vel" || name == "velocities") && width == 3)
                layout_.velocity = at;
            layout_.columns += width;
        }
        if (layout_.id < 0 || layout_.position < 0) {
            lines_.fail("Properties has no id:I:1 or no pos:R:3; agents cannot be followed without");
        }
    }

    Vec3 vector(int first, const char* name) const {
        const std::size_t at = static_cast<std::size_t>(first);
        return {parse_number<double>(lines_, fields_[at], name),
                parse_number<double>(lines_, fields_[at + 1], name),
                parse_number<double>(lines_, fields_[at + 2], name)};
    }

    void read_row(std::uint64_t frame) {
        std::string_view line;
        if (!lines_.next(line)) {
            lines_.fail("the file ends before the " + std::to_string(count_) + " rows of frame " +
                        std::to_string(frame) + "; is it cut off?");
        }
        split_blanks(line, fields_);
        if (fields_.size() != layout_.columns) {
            lines_.fail("the row has not " + std::to_string(layout_.columns) + " values as Properties says");
        }
        Row row;
        row.frame = frame;
        row.id = parse_whole(lines_, fields_[static_cast<std::size_t>(layout_.id)], "id");
        row.position = vector(layout_.position, "pos");
        if (layout_.velocity >= 0) row.velocity = vector(layout_.velocity, "velo");
        row.line = lines_.number();
        rows_.add(row);
    }

    TextLines lines_;
    FrameRows rows_;
    TrajectoryFacts facts_;
    std::uint64_t count_ = 0;                  ///< of the frame whose head was read last
    std::map<std::string, std::string> keys_;  ///< of its comment
    Layout layout_;
    bool has_frame_ = false;
    std::uint64_t index_ = 0;
    std::uint64_t last_frame_ = 0;
    std::vector<std::string_view> fields_;
};

}  // namespace

std::unique_ptr<TrajectoryReader> open_xyz_frames(const std::string& path, const ReadOptions& options) {
    return std::make_unique<XyzFrames>(path, options);
}

}  // namespace horde
