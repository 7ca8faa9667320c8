#include "io/trajectory/walkable_area.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/trajectory/put_number.h"

namespace horde {
namespace {

struct Step {
    std::int32_t column;
    std::int32_t row;
};

/// Ways along the sides of cells, each a left turn from the one before as x, y go: to larger x, larger y,
/// smaller x, smaller y.
constexpr Step kWays[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
/// From a corner, going each way: the cell ahead on the left. On the right it is that of the way before.
constexpr Step kAheadLeft[4] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};

void put(std::string& text, double number) {
    char digits[32];
    text.append(digits, put_number(digits, number));
}

}  // namespace

WalkableArea::WalkableArea(const Map& map)
    : columns_(map.columns), rows_(map.rows), cell_size_(map.cell_size) {
    find_runs(map);
    join_runs();
    trace_borders(map);
}

void WalkableArea::find_runs(const Map& map) {
    row_start_.push_back(0);
    for (std::int32_t row = 0; row < rows_; ++row) {
        for (std::int32_t column = 0; column < columns_;) {
            if (!map.is_free({column, row})) {
                ++column;
                continue;
            }
            Run run{column, column, static_cast<std::uint32_t>(runs_.size())};
            while (run.end < columns_ && map.is_free({run.end, row})) ++run.end;
            runs_.push_back(run);
            column = run.end;
        }
        row_start_.push_back(runs_.size());
    }
}

std::uint32_t WalkableArea::root_of(std::uint32_t run) {
    while (runs_[run].piece != run) {
        runs_[run].piece = runs_[runs_[run].piece].piece;
        run = runs_[run].piece;
    }
    return run;
}

/// Joins runs that share sides, then numbers the pieces in place of their roots.
void WalkableArea::join_runs() {
    for (std::size_t row = 1; row + 1 < row_start_.size(); ++row) {
        std::size_t above = row_start_[row - 1];
        for (std::size_t here = row_start_[row]; here < row_start_[row + 1]; ++here) {
            const Run& run = runs_[here];
            while (above < row_start_[row] && runs_[above].end <= run.begin) ++above;
            for (std::size_t other = above; other < row_start_[row] && runs_[other].begin < run.end;
                 ++other) {
                const std::uint32_t a = root_of(static_cast<std::uint32_t>(other));
                const std::uint32_t b = root_of(static_cast<std::uint32_t>(here));
                runs_[std::max(a, b)].piece = std::min(a, b);
            }
        }
    }
    // A root is the first run of its piece: numbered by then, whenever another run asks for it.
    std::vector<std::uint32_t> number(runs_.size());
    for (std::uint32_t run = 0; run < runs_.size(); ++run) {
        const std::uint32_t root = root_of(run);
        if (root == run) number[run] = static_cast<std::uint32_t>(piece_count_++);
    }
    for (std::uint32_t run = static_cast<std::uint32_t>(runs_.size()); run-- > 0;) {
        number[run] = number[root_of(run)];
    }
    for (std::size_t run = 0; run < runs_.size(); ++run) runs_[run].piece = number[run];
}

const WalkableArea::Run* WalkableArea::run_at(std::int32_t column, std::int32_t row) const {
    if (row < 0 || row >= rows_) return nullptr;
    const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(row_start_[static_cast<std::size_t>(row)]);
    const auto end =
        runs_.begin() + static_cast<std::ptrdiff_t>(row_start_[static_cast<std::size_t>(row) + 1]);
    const auto after =
        std::upper_bound(begin, end, column, [](std::int32_t at, const Run& run) { return at < run.begin; });
    if (after == begin || std::prev(after)->end <= column) return nullptr;
    return &*std::prev(after);
}

std::size_t WalkableArea::piece_at(double x, double y) const {
    const double column = std::floor(x / cell_size_);
    const double row = std::floor(y / cell_size_);
    if (!(column >= 0.0 && column < columns_ && row >= 0.0 && row < rows_)) return kNone;
    const Run* run = run_at(static_cast<std::int32_t>(column), static_cast<std::int32_t>(row));
    return run == nullptr ? kNone : run->piece;
}

/// Every border has a free cell with none above it.
void WalkableArea::trace_borders(const Map& map) {
    std::vector<bool> begun(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    std::vector<Corner> path;
    for (std::int32_t row = 0; row < rows_; ++row) {
        const std::size_t end = row_start_[static_cast<std::size_t>(row) + 1];
        for (std::size_t run = row_start_[static_cast<std::size_t>(row)]; run < end; ++run) {
            for (std::int32_t column = runs_[run].begin; column < runs_[run].end; ++column) {
                if (map.is_free({column, row - 1}) || begun[map.index({column, row})]) continue;
                walk(map, {column, row}, begun, path);
                add_rings(path, runs_[run].piece);
            }
        }
    }
    std::stable_sort(rings_.begin(), rings_.end(), [](const Ring& a, const Ring& b) {
        return a.piece != b.piece ? a.piece < b.piece : a.is_hole < b.is_hole;
    });
}

void WalkableArea::walk(const Map& map, Corner from, std::vector<bool>& begun,
                        std::vector<Corner>& path) const {
    path.clear();
    Corner at = from;
    int way = 0;
    do {
        if (way == 0) begun[map.index({at.column, at.row})] = true;
        at.column += kWays[way].column;
        at.row += kWays[way].row;
        const auto ahead = [&](int side) {
            return map.is_free({at.column + kAheadLeft[side].column, at.row + kAheadLeft[side].row});
        };
        const bool left_free = ahead(way);
        const bool right_free = ahead((way + 3) % 4);
        if (left_free && !right_free) continue;
        // Where only corners touch (left blocked, right free) it stays with the cells that it goes round.
        way = left_free ? (way + 3) % 4 : (way + 1) % 4;
        path.push_back(at);
    } while (at != from || way != 0);
}

/// A border that comes to one corner twice touches itself there: each loop becomes a ring of its own.
void WalkableArea::add_rings(std::span<const Corner> path, std::uint32_t piece) {
    std::vector<Corner> open;
    std::unordered_map<std::uint64_t, std::size_t> place;  // in `open`
    const auto key = [](Corner c) {
        return static_cast<std::uint64_t>(c.row) << 32 | static_cast<std::uint32_t>(c.column);
    };
    const auto close = [&](std::size_t begin) {
        Ring ring{piece, false, corners_.size(), corners_.size() + open.size() - begin};
        std::int64_t twice_area = 0;
        for (std::size_t i = begin; i < open.size(); ++i) {
            const Corner& a = open[i];
            const Corner& b = open[i + 1 < open.size() ? i + 1 : begin];
            twice_area +=
                static_cast<std::int64_t>(a.column) * b.row - static_cast<std::int64_t>(b.column) * a.row;
            if (i > begin) place.erase(key(a));
            corners_.push_back(a);
        }
        ring.is_hole = twice_area < 0;
        rings_.push_back(ring);
    };
    for (const Corner& corner : path) {
        const auto [known, is_new] = place.try_emplace(key(corner), open.size());
        if (is_new) {
            open.push_back(corner);
            continue;
        }
        close(known->second);
        open.resize(known->second + 1);
    }
    close(0);
}

void WalkableArea::put_ring(std::string& text, const Ring& ring) const {
    text += '(';
    for (std::size_t i = ring.begin; i <= ring.end; ++i) {
        const Corner& corner = corners_[i < ring.end ? i : ring.begin];
        if (i > ring.begin) text += ", ";
        put(text, corner.column * cell_size_);
        text += ' ';
        put(text, corner.row * cell_size_);
    }
    text += ')';
}

std::string WalkableArea::wkt(std::span<const std::uint8_t> wanted) const {
    std::string text;
    std::size_t polygons = 0;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
        const Ring& ring = rings_[i];
        if (wanted[ring.piece] == 0) continue;
        if (!ring.is_hole) text += polygons++ == 0 ? "(" : "), (";
        if (ring.is_hole) text += ", ";
        put_ring(text, ring);
    }
    if (polygons == 0) return "POLYGON EMPTY";
    text += ')';
    return polygons == 1 ? "POLYGON " + text : "MULTIPOLYGON (" + text + ")";
}

std::string WalkableArea::wkt() const {
    return wkt(std::vector<std::uint8_t>(piece_count_, 1));
}

WalkableArea::Box WalkableArea::box(std::span<const std::uint8_t> wanted) const {
    Box box;
    bool any = false;
    for (const Ring& ring : rings_) {
        if (wanted[ring.piece] == 0 || ring.is_hole) continue;
        for (std::size_t i = ring.begin; i < ring.end; ++i) {
            const double x = corners_[i].column * cell_size_;
            const double y = corners_[i].row * cell_size_;
            if (!any) box = {x, y, x, y};
            any = true;
            box.min_x = std::min(box.min_x, x);
            box.min_y = std::min(box.min_y, y);
            box.max_x = std::max(box.max_x, x);
            box.max_y = std::max(box.max_y, y);
        }
    }
    return box;
}

}  // namespace horde
