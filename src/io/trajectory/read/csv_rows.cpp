/// .csv, ours and that of others.
#include <array>
#include <cctype>

#include "horde/error.h"
#include "io/trajectory/read/rows.h"
#include "io/trajectory/read/text_lines.h"

namespace horde {
namespace {

enum Quantity { kFrame, kId, kX, kY, kZ, kVx, kVy, kVz, kQuantities };
constexpr std::array<const char*, kQuantities> kNames{"frame", "id", "x", "y", "z", "vx", "vy", "vz"};
constexpr const char* kWanted = "; the header is frame,id,x,y,vx,vy or frame,id,x,y,z,vx,vy,vz";

/// "V_X" as "vx".
std::string plain_name(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return plain;
}

class CsvRows : public RowSource {
  public:
    CsvRows(const std::string& path, bool foreign_names) : lines_(path) {
        std::string_view line;
        if (!lines_.next(line)) {
            throw Error(
                path +
                ":1: the file is empty; the first line is frame,id,x,y,vx,vy or frame,id,x,y,z,vx,vy,vz");
        }
        read_header(line, foreign_names);
    }

    bool next() override {
        std::string_view line;
        do {
            if (!lines_.next(line)) return false;
        } while (trimmed(line).empty());
        split_commas(line, fields_);
        if (fields_.size() != columns_) {
            lines_.fail("the row has not " + std::to_string(columns_) +
                        " values as the header has; is it cut off?");
        }
        return true;
    }

    std::uint64_t frame() override { return whole(kFrame); }

    Row row() override {
        Row row;
        row.frame = whole(kFrame);
        row.position = {number(kX), number(kY), number(kZ)};
        row.id = whole(kId);
        row.velocity = {number(kVx), number(kVy), number(kVz)};
        row.line = lines_.number();
        return row;
    }

    const RowFacts& facts() const override { return facts_; }

  private:
    bool has(Quantity quantity) const { return field_of_[quantity] >= 0; }

    double number(Quantity quantity) const {
        if (!has(quantity)) return 0.0;
        return parse_number<double>(lines_, fields_[static_cast<std::size_t>(field_of_[quantity])],
                                    kNames[quantity]);
    }
    std::uint64_t whole(Quantity quantity) const {
        return parse_whole(lines_, fields_[static_cast<std::size_t>(field_of_[quantity])], kNames[quantity]);
    }

    void read_header(std::string_view line, bool foreign_names) {
        if (line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3);
        split_commas(line, fields_);
        if (fields_.size() > kQuantities) lines_.fail(std::string("too many columns") + kWanted);
        bool ours = true;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const std::string name = foreign_names ? plain_name(fields_[i]) : std::string(fields_[i]);
            ours = ours && name == fields_[i];
            std::size_t quantity = 0;
            while (quantity < kQuantities && name != kNames[quantity]) ++quantity;
            if (quantity == kQuantities) lines_.fail("unknown column " + shown(fields_[i]) + kWanted);
            if (field_of_[quantity] >= 0)
                lines_.fail("column " + shown(fields_[i]) + " is there twice" + kWanted);
            field_of_[quantity] = static_cast<int>(i);
        }
        for (const Quantity needed : {kFrame, kId, kX, kY}) {
            if (!has(needed))
                lines_.fail(std::string("column '") + kNames[needed] + "' is missing" + kWanted);
        }
        if (has(kVz) && !has(kZ)) lines_.fail(std::string("column 'z' is missing") + kWanted);
        columns_ = fields_.size();
        facts_.dim = has(kZ) ? 3 : 2;
        facts_.has_velocities = has(kVx) && has(kVy) && (facts_.dim == 2 || has(kVz));
        if (ours) facts_.unit = 1.0;
    }

    TextLines lines_;
    RowFacts facts_;
    std::array<int, kQuantities> field_of_{-1, -1, -1, -1, -1, -1, -1, -1};  ///< -1: there is none
    std::size_t columns_ = 0;
    std::vector<std::string_view> fields_;
};

}  // namespace

std::unique_ptr<RowSource> open_csv_rows(const std::string& path, bool foreign_names) {
    return std::make_unique<CsvRows>(path, foreign_names);
}

}  // namespace horde
