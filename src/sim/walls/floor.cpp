#include "sim/walls/floor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace horde {

Body body_of(double clearance, double cell_size) {
    const double half = clearance / cell_size;
    const double rings = std::max(0.0, std::ceil(half - 0.5));
    return {static_cast<std::int32_t>(rings), std::clamp(half - rings, 0.0, kMostInset)};
}

Map widen_walls(const Map& map, std::int32_t rings) {
    Map wide = map;
    if (rings <= 0) return wide;
    const std::int32_t columns = map.columns, rows = map.rows;
    // First along the rows, then along the columns: how many cells ago a wall was seen, from either end.
    const auto widen = [&](std::int32_t lines, std::int32_t length, std::size_t stride, std::size_t next) {
        std::vector<std::uint8_t> wall(static_cast<std::size_t>(length));
        for (std::int32_t line = 0; line < lines; ++line) {
            std::uint8_t* first = wide.cost.data() + static_cast<std::size_t>(line) * next;
            for (std::int32_t k = 0; k < length; ++k) {
                wall[static_cast<std::size_t>(k)] = first[static_cast<std::size_t>(k) * stride] == kWallCost;
            }
            std::int32_t since = 0, until = 0;  // the border counts as a wall
            for (std::int32_t k = 0; k < length; ++k) {
                const std::int32_t back = length - 1 - k;
                since = wall[static_cast<std::size_t>(k)] != 0 ? 0 : since + 1;
                until = wall[static_cast<std::size_t>(back)] != 0 ? 0 : until + 1;
                if (since <= rings) first[static_cast<std::size_t>(k) * stride] = kWallCost;
                if (until <= rings) first[static_cast<std::size_t>(back) * stride] = kWallCost;
            }
        }
    };
    widen(rows, columns, 1, static_cast<std::size_t>(columns));
    widen(columns, rows, static_cast<std::size_t>(columns), 1);
    return wide;
}

bool Floor::has_closed_neighbour(std::int32_t column, std::int32_t row) const {
    for (std::int32_t r = row - 1; r <= row + 1; ++r) {
        for (std::int32_t c = column - 1; c <= column + 1; ++c) {
            if (is_closed(c, r)) return true;
        }
    }
    return false;
}

void Floor::set(const Map& costs) {
    columns_ = costs.columns;
    rows_ = costs.rows;
    free_.set(columns_, rows_);
    cells_.resize(costs.cost.size());
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        cells_[cell] = costs.cost[cell] == kWallCost ? kClosed : kBesideWall;
        if (cells_[cell] != kClosed) free_.add(column_of(cell), row_of(cell));
    }
    for (std::int32_t r = 0; r < rows_; ++r) {
        for (std::int32_t c = 0; c < columns_; ++c) {
            if (!has_closed_neighbour(c, r)) cells_[costs.index({c, r})] = kWideOpen;
        }
    }
    closed_now_.clear();
}

// Brings what the cells around a changed one know of their neighbours up to date.
void Floor::mark_around(std::size_t cell) {
    const std::int32_t column = column_of(cell), row = row_of(cell);
    for (std::int32_t r = std::max(row - 1, 0); r <= std::min(row + 1, rows_ - 1); ++r) {
        for (std::int32_t c = std::max(column - 1, 0); c <= std::min(column + 1, columns_ - 1); ++c) {
            std::uint8_t& mark = cells_[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) +
                                        static_cast<std::size_t>(c)];
            if (mark != kClosed) mark = has_closed_neighbour(c, r) ? kBesideWall : kWideOpen;
        }
    }
}

void Floor::change(std::span<const std::uint32_t> cells, const Map& costs) {
    closed_now_.clear();
    for (const std::uint32_t cell : cells) {
        const bool close = costs.cost[cell] == kWallCost;
        if (close == is_closed(std::size_t{cell})) continue;
        cells_[cell] = close ? kClosed : kBesideWall;
        if (close) {
            free_.remove(column_of(cell), row_of(cell));
            closed_now_.push_back(cell);
        } else {
            free_.add(column_of(cell), row_of(cell));
        }
    }
    for (const std::uint32_t cell : cells) mark_around(cell);
    find_parts();
    find_exits();
}

// Numbers the connected parts of the newly closed cells: a union of each with those before it to the west and
// to the north.
void Floor::find_parts() {
    const std::size_t count = closed_now_.size();
    part_.resize(count);
    const auto root = [&](std::size_t k) {
        while (part_[k] != k) k = part_[k] = part_[part_[k]];
        return static_cast<std::uint32_t>(k);
    };
    std::size_t north = 0;
    for (std::size_t k = 0; k < count; ++k) {
        part_[k] = static_cast<std::uint32_t>(k);
        const std::uint32_t cell = closed_now_[k];
        if (k > 0 && column_of(cell) > 0 && closed_now_[k - 1] == cell - 1) part_[k] = root(k - 1);
        if (cell < static_cast<std::uint32_t>(columns_)) continue;
        while (closed_now_[north] < cell - static_cast<std::uint32_t>(columns_)) ++north;
        if (closed_now_[north] != cell - static_cast<std::uint32_t>(columns_)) continue;
        const std::uint32_t own = root(k), other = root(north);
        part_[std::max(own, other)] = std::min(own, other);
    }
    std::uint32_t parts = 0;
    for (std::size_t k = 0; k < count; ++k) {  // a root comes before the rest of its part
        part_[k] = part_[k] == k ? parts++ : part_[part_[k]];
    }
    exit_begin_.assign(parts + 1, 0);
}

void Floor::find_exits() {
    exits_.clear();
    for (std::size_t k = 0; k < closed_now_.size(); ++k) {
        const std::int32_t c = column_of(closed_now_[k]), r = row_of(closed_now_[k]);
        const Cell beside[] = {{c, r - 1}, {c - 1, r}, {c + 1, r}, {c, r + 1}};
        for (const Cell cell : beside) {
            if (is_closed(cell.column, cell.row)) continue;
            const std::size_t index =
                static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(cell.column);
            exits_.push_back({part_[k], static_cast<std::uint32_t>(index)});
        }
    }
    std::sort(exits_.begin(), exits_.end());
    exits_.erase(std::unique(exits_.begin(), exits_.end()), exits_.end());
    for (const Exit& exit : exits_) ++exit_begin_[exit.part + 1];
    for (std::size_t p = 1; p < exit_begin_.size(); ++p) exit_begin_[p] += exit_begin_[p - 1];
}

// Along each axis the body keeps clear of closed cells beside its own, or stays just inside of it. A closed
// cell across a free corner takes a square out of that rectangle; the shorter way out of the square is left.
Place Floor::place_in_cell(double inset, std::int32_t column, std::int32_t row, double x, double y) const {
    const double gap = inset + kStopGap;
    const double left = column, top = row;
    const double low_x = left + (is_closed(column - 1, row) ? gap : kStopGap);
    const double high_x = left + 1.0 - (is_closed(column + 1, row) ? gap : kStopGap);
    const double low_y = top + (is_closed(column, row - 1) ? gap : kStopGap);
    const double high_y = top + 1.0 - (is_closed(column, row + 1) ? gap : kStopGap);
    Place place{std::clamp(x, low_x, high_x), std::clamp(y, low_y, high_y)};
    const int side_x = place.column < left + gap ? -1 : (place.column > left + 1.0 - gap ? 1 : 0);
    const int side_y = place.row < top + gap ? -1 : (place.row > top + 1.0 - gap ? 1 : 0);
    if (side_x == 0 || side_y == 0 || !is_closed(column + side_x, row + side_y)) return place;
    const double clear_x = side_x < 0 ? left + gap : left + 1.0 - gap;
    const double clear_y = side_y < 0 ? top + gap : top + 1.0 - gap;
    const double by_x = (clear_x - x) * (clear_x - x) + (place.row - y) * (place.row - y);
    const double by_y = (place.column - x) * (place.column - x) + (clear_y - y) * (clear_y - y);
    (by_x <= by_y ? place.column : place.row) = by_x <= by_y ? clear_x : clear_y;
    return place;
}

double Floor::distance2(double inset, std::int32_t column, std::int32_t row, double x, double y) const {
    if (is_closed(column, row)) return std::numeric_limits<double>::infinity();
    const Place place = place_in_cell(inset, column, row, x, y);
    return (place.column - x) * (place.column - x) + (place.row - y) * (place.row - y);
}

std::optional<Place> Floor::nearest_place(double inset, double x, double y) const {
    const FreeCells::Found found = free_.nearest(
        x, y, [&](std::int32_t column, std::int32_t row) { return distance2(inset, column, row, x, y); });
    if (found.cell < 0) return std::nullopt;
    const auto cell = static_cast<std::size_t>(found.cell);
    return place_in_cell(inset, column_of(cell), row_of(cell), x, y);
}

std::optional<Place> Floor::way_out(double inset, double x, double y) const {
    const std::optional<Place> nearest = nearest_place(inset, x, y);
    const auto cell = static_cast<std::uint32_t>(cell_index(x, y));
    const auto at = std::lower_bound(closed_now_.begin(), closed_now_.end(), cell);
    if (!nearest || at == closed_now_.end() || *at != cell) return nearest;
    const std::uint32_t part = part_[static_cast<std::size_t>(at - closed_now_.begin())];
    const auto begin = exits_.begin() + exit_begin_[part], end = exits_.begin() + exit_begin_[part + 1];
    const Exit there{part, static_cast<std::uint32_t>(cell_index(nearest->column, nearest->row))};
    if (begin == end || std::binary_search(begin, end, there)) return nearest;
    FreeCells::Found best;
    for (auto exit = begin; exit != end; ++exit) {
        const double d2 = distance2(inset, column_of(exit->cell), row_of(exit->cell), x, y);
        if (d2 < best.distance2) best = {d2, exit->cell};
    }
    const auto out = static_cast<std::size_t>(best.cell);
    return place_in_cell(inset, column_of(out), row_of(out), x, y);
}

}  // namespace horde
