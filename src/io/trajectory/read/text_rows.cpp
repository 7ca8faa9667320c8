/// .txt as PedPy and JuPedSim write it.
#include <cmath>

#include "horde/error.h"
#include "io/trajectory/read/rows.h"
#include "io/trajectory/read/text_lines.h"

namespace horde {
namespace {

class TextRows : public RowSource {
  public:
    TextRows(const std::string& path, bool rate_needed) : lines_(path), rate_needed_(rate_needed) {
        facts_.remedy = ", or begin the file with '# framerate: F' and '# id frame x/m y/m'";
    }

    bool next() override {
        std::string_view line;
        while (lines_.next(line)) {
            line = trimmed(line);
            if (line.empty()) continue;
            if (line.front() == '#') {
                read_comment(line);
                continue;
            }
            if (rate_needed_ && !facts_.fps) {
                lines_.fail(
                    "no frame rate before the first row; begin the file with a line such as '# framerate: "
                    "25.00'");
            }
            if (facts_.fps && !facts_.unit) {
                facts_.unit = 1.0;
                facts_.unit_assumed = true;
            }
            split_blanks(line, fields_);
            if (columns_ == 0 && (fields_.size() == 4 || fields_.size() == 5)) columns_ = fields_.size();
            if (fields_.size() != columns_) {
                lines_.fail("a row is id, frame, x, y or id, frame, x, y, z, all rows alike; is it cut off?");
            }
            facts_.dim = columns_ == 5 ? 3 : 2;
            return true;
        }
        if (rate_needed_ && !facts_.fps) {
            throw Error(lines_.path() +
                        ":1: no frame rate; begin the file with a line such as '# framerate: 25.00'");
        }
        return false;
    }

    std::uint64_t frame() override { return parse_whole(lines_, fields_[1], "frame"); }

    Row row() override {
        Row row;
        row.frame = frame();
        row.position = {parse_number<double>(lines_, fields_[2], "x"),
                        parse_number<double>(lines_, fields_[3], "y"), 0.0};
        if (columns_ == 5) row.position.z = parse_number<double>(lines_, fields_[4], "z");
        row.id = parse_whole(lines_, fields_[0], "id");
        row.line = lines_.number();
        return row;
    }

    const RowFacts& facts() const override { return facts_; }

  private:
    void read_comment(std::string_view line) {
        const std::size_t at = line.find("framerate:");
        if (at != std::string_view::npos && !facts_.fps) {
            std::string_view text = trimmed(line.substr(at + 10));
            text = text.substr(0, text.find_first_of(" \t"));
            facts_.fps = parse_number<double>(lines_, text, "framerate");
            if (!(*facts_.fps > 0.0) || !std::isfinite(*facts_.fps))
                lines_.fail("framerate must be more than 0");
        }
        if (columns_ != 0) return;  // what follows rows is no header
        const auto says = [line](const char* words) { return line.find(words) != std::string_view::npos; };
        if (says("x/cm") || says("in cm")) facts_.unit = 0.01;
        if (says("x/m") || says("in m ") || line.ends_with("in m")) facts_.unit = 1.0;
        if (says("z/m") || says("z/cm")) columns_ = 5;
    }

    TextLines lines_;
    bool rate_needed_;
    RowFacts facts_;
    std::size_t columns_ = 0;  ///< 0: not known yet
    std::vector<std::string_view> fields_;
};

}  // namespace

std::unique_ptr<RowSource> open_text_rows(const std::string& path, bool rate_needed) {
    return std::make_unique<TextRows>(path, rate_needed);
}

}  // namespace horde
