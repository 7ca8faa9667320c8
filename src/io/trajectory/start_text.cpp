/// Starts from text: our .csv, and .txt as PedPy and JuPedSim write it.
#include <array>
#include <charconv>
#include <cmath>

#include "horde/error.h"
#include "io/trajectory/start_rows.h"

namespace horde {
namespace {

/// What a name or a value looks like in an error: short, and on one line.
std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40)) out += (c >= ' ' && c < 127) ? c : '?';
    if (text.size() > 40) out += "...";
    return "'" + out + "'";
}

template <typename Number>
Number parse(const StartLines& lines, std::string_view text, const char* column) {
    Number number{};
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (why == std::errc::result_out_of_range) {
        lines.fail(std::string(column) + " " + shown(text) + " is too large; correct it");
    }
    if (why != std::errc() || end != text.data() + text.size() || text.empty()) {
        lines.fail(std::string(column) + " " + shown(text) + " is not a number of its kind; correct it");
    }
    return number;
}

/// Frame numbers and ids of other programs may read 12.0.
std::uint64_t parse_whole(const StartLines& lines, std::string_view text, const char* column) {
    std::string_view whole = text;
    const std::size_t dot = whole.find('.');
    if (dot != std::string_view::npos && whole.find_first_not_of('0', dot + 1) == std::string_view::npos) {
        whole = whole.substr(0, dot);
    }
    return parse<std::uint64_t>(lines, whole, column);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

enum Quantity { kFrame, kId, kX, kY, kZ, kVx, kVy, kVz, kQuantities };
constexpr std::array<const char*, kQuantities> kNames{"frame", "id", "x", "y", "z", "vx", "vy", "vz"};
constexpr std::size_t kMostFields = kQuantities;

/// Cuts a line at every `,`; returns the number of fields, kMostFields + 1 if there are more.
std::size_t split_commas(std::string_view line, std::array<std::string_view, kMostFields>& fields) {
    std::size_t count = 0;
    for (;;) {
        if (count == kMostFields) return kMostFields + 1;
        const std::size_t comma = line.find(',');
        fields[count++] = trimmed(line.substr(0, comma));
        if (comma == std::string_view::npos) return count;
        line.remove_prefix(comma + 1);
    }
}

/// The same at runs of spaces and tabs.
std::size_t split_blanks(std::string_view line, std::array<std::string_view, kMostFields>& fields) {
    std::size_t count = 0;
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        if (count == kMostFields) return kMostFields + 1;
        const std::size_t blank = line.find_first_of(" \t");
        fields[count++] = line.substr(0, blank);
        if (blank == std::string_view::npos) break;
        line.remove_prefix(blank);
    }
    return count;
}

/// Which field holds which quantity, -1 if none does.
struct Columns {
    std::array<int, kQuantities> field{-1, -1, -1, -1, -1, -1, -1, -1};
    std::size_t count = 0;
    bool has(Quantity quantity) const { return field[quantity] >= 0; }
};

Columns read_header(const StartLines& lines, std::string_view line) {
    constexpr const char* kWanted = "; the header is frame,id,x,y,vx,vy or frame,id,x,y,z,vx,vy,vz";
    if (line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3);
    std::array<std::string_view, kMostFields> fields;
    Columns columns;
    columns.count = split_commas(line, fields);
    if (columns.count > kMostFields) lines.fail(std::string("too many columns") + kWanted);
    for (std::size_t i = 0; i < columns.count; ++i) {
        int quantity = 0;
        while (quantity < kQuantities && fields[i] != kNames[static_cast<std::size_t>(quantity)]) ++quantity;
        if (quantity == kQuantities) lines.fail("unknown column " + shown(fields[i]) + kWanted);
        int& field = columns.field[static_cast<std::size_t>(quantity)];
        if (field >= 0) lines.fail("column " + shown(fields[i]) + " is there twice" + kWanted);
        field = static_cast<int>(i);
    }
    for (const Quantity needed : {kFrame, kId, kX, kY}) {
        if (!columns.has(needed))
            lines.fail(std::string("column '") + kNames[needed] + "' is missing" + kWanted);
    }
    if (columns.has(kVz) && !columns.has(kZ)) lines.fail(std::string("column 'z' is missing") + kWanted);
    return columns;
}

/// What the comments at the top of a PedPy text say.
struct TextHeader {
    double rate = 0.0;
    double unit = 1.0;  ///< metres in one unit of the file; metres unless the header names centimetres
};

void read_comment(const StartLines& lines, std::string_view line, TextHeader& header) {
    const std::size_t at = line.find("framerate:");
    if (at != std::string_view::npos && header.rate == 0.0) {
        std::string_view text = trimmed(line.substr(at + 10));
        text = text.substr(0, text.find_first_of(" \t"));
        header.rate = parse<double>(lines, text, "framerate");
        if (!(header.rate > 0.0) || !std::isfinite(header.rate)) lines.fail("framerate must be more than 0");
    }
    if (line.find("x/cm") != std::string_view::npos || line.find("in cm") != std::string_view::npos) {
        header.unit = 0.01;
    }
}

}  // namespace

Snapshot load_csv_start(const std::string& path) {
    StartLines lines(path);
    StartRows rows(path);
    std::string_view line;
    if (!lines.next(line)) {
        throw Error(path +
                    ":1: the file is empty; the first line is frame,id,x,y,vx,vy or frame,id,x,y,z,vx,vy,vz");
    }
    const Columns columns = read_header(lines, line);
    std::array<std::string_view, kMostFields> fields;
    const auto number = [&](Quantity quantity) {
        if (!columns.has(quantity)) return 0.0;
        return parse<double>(lines, fields[static_cast<std::size_t>(columns.field[quantity])],
                             kNames[quantity]);
    };
    const auto whole = [&](Quantity quantity) {
        return parse_whole(lines, fields[static_cast<std::size_t>(columns.field[quantity])],
                           kNames[quantity]);
    };
    while (lines.next(line)) {
        if (trimmed(line).empty()) continue;
        if (split_commas(line, fields) != columns.count) {
            lines.fail("the row has not " + std::to_string(columns.count) +
                       " values as the header has; is it cut off?");
        }
        if (!rows.wants(whole(kFrame))) continue;
        const Vec3 position{number(kX), number(kY), number(kZ)};
        rows.add(whole(kId), position, {number(kVx), number(kVy), number(kVz)}, lines.number());
    }
    return rows.finish(columns.has(kZ) ? 3 : 2);
}

Snapshot load_text_start(const std::string& path) {
    StartLines lines(path);
    StartRows rows(path);
    TextHeader header;
    std::string_view line;
    std::array<std::string_view, kMostFields> fields;
    std::size_t columns = 0;
    while (lines.next(line)) {
        line = trimmed(line);
        if (line.empty()) continue;
        if (line.front() == '#') {
            read_comment(lines, line, header);
            if (columns == 0 && line.find("z/m") != std::string_view::npos) columns = 5;
            continue;
        }
        if (header.rate == 0.0) {
            lines.fail(
                "no frame rate before the first row; begin the file with a line such as '# framerate: "
                "25.00'");
        }
        const std::size_t count = split_blanks(line, fields);
        if (columns == 0 && (count == 4 || count == 5)) columns = count;
        if (count != columns || count == 0) {
            lines.fail("a row is id, frame, x, y or id, frame, x, y, z, all rows alike; is it cut off?");
        }
        if (!rows.wants(parse_whole(lines, fields[1], "frame"))) continue;
        Vec3 position{parse<double>(lines, fields[2], "x"), parse<double>(lines, fields[3], "y"), 0.0};
        if (columns == 5) position.z = parse<double>(lines, fields[4], "z");
        position = {position.x * header.unit, position.y * header.unit, position.z * header.unit};
        rows.add(parse_whole(lines, fields[0], "id"), position, {}, lines.number());
    }
    if (header.rate == 0.0) {
        throw Error(path + ":1: no frame rate; begin the file with a line such as '# framerate: 25.00'");
    }
    return rows.finish(columns == 5 ? 3 : 2);
}

}  // namespace horde
