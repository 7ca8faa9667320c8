/// The polygons of free cells against the cells themselves, over maps of every kind.
#include "io/trajectory/walkable_area.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

namespace horde {
namespace {

struct Point {
    double x = 0.0, y = 0.0;
    bool operator<(const Point& o) const { return x != o.x ? x < o.x : y < o.y; }
    bool operator==(const Point&) const = default;
};
using Ring = std::vector<Point>;
using Polygon = std::vector<Ring>;

/// Takes POLYGON and MULTIPOLYGON apart, by their brackets.
std::vector<Polygon> polygons_of(const std::string& wkt) {
    std::vector<Polygon> polygons;
    if (wkt == "POLYGON EMPTY") return polygons;
    const int top = wkt.starts_with("MULTIPOLYGON") ? 1 : 0;  // brackets round a polygon
    int depth = 0;
    for (std::size_t i = wkt.find('('); i < wkt.size();) {
        if (wkt[i] == '(') {
            if (++depth == top + 1) polygons.emplace_back();
            if (depth == top + 2) polygons.back().emplace_back();
            ++i;
        } else if (wkt[i] == ')') {
            --depth;
            ++i;
        } else if (wkt[i] == ',' || wkt[i] == ' ') {
            ++i;
        } else {
            char* end = nullptr;
            Point point;
            point.x = std::strtod(&wkt[i], &end);
            point.y = std::strtod(end, &end);
            polygons.back().back().push_back(point);
            i = static_cast<std::size_t>(end - wkt.data());
        }
    }
    EXPECT_EQ(depth, 0) << wkt;
    return polygons;
}

double signed_area(const Ring& ring) {
    double twice = 0.0;
    for (std::size_t i = 0; i + 1 < ring.size(); ++i)
        twice += ring[i].x * ring[i + 1].y - ring[i + 1].x * ring[i].y;
    return twice / 2.0;
}

/// Crossings of the sides upright of a ring with a ray along x.
bool is_inside(const Polygon& polygon, double x, double y) {
    bool inside = false;
    for (const Ring& ring : polygon) {
        for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
            const Point &a = ring[i], &b = ring[i + 1];
            if ((a.y > y) != (b.y > y) && a.x > x) inside = !inside;
        }
    }
    return inside;
}

Map map_of(const std::vector<std::string>& rows, double cell_size = 1.0) {
    Map map{static_cast<std::int32_t>(rows[0].size()), static_cast<std::int32_t>(rows.size()), cell_size, {}};
    for (const std::string& row : rows) {
        for (const char c : row) map.cost.push_back(c == '@' ? kWallCost : 1);
    }
    return map;
}

/// Closed, of sides that turn, no corner twice (so simple: sides lie between cells and are used once).
void expect_simple(const Ring& ring, double cell_size, std::set<std::pair<Point, Point>>& used) {
    ASSERT_GE(ring.size(), 5u);
    EXPECT_EQ(ring.front(), ring.back());
    const std::set<Point> corners(ring.begin() + 1, ring.end());
    EXPECT_EQ(corners.size(), ring.size() - 1) << "a ring touches itself";
    for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
        const Point &a = ring[i], &b = ring[i + 1];
        const Point& c = ring[i + 2 < ring.size() ? i + 2 : 1];
        EXPECT_NE(a.x == b.x, a.y == b.y) << "sides run along x or y";
        EXPECT_NE(a.x == b.x, b.x == c.x) << "each corner is a turn";
        const double length = std::abs(b.x - a.x) + std::abs(b.y - a.y);
        const double dx = (b.x - a.x) / length * cell_size, dy = (b.y - a.y) / length * cell_size;
        for (int n = 0; n < static_cast<int>(length / cell_size); ++n) {
            const Point p{a.x + n * dx, a.y + n * dy}, q{a.x + (n + 1) * dx, a.y + (n + 1) * dy};
            EXPECT_TRUE(used.insert({std::min(p, q), std::max(p, q)}).second)
                << "a side of a cell is used twice";
        }
    }
}

/// Number of 4-connected pieces of the cells in `cells`.
int pieces_of(std::set<std::pair<int, int>> cells) {
    int pieces = 0;
    while (!cells.empty()) {
        ++pieces;
        std::vector<std::pair<int, int>> todo{*cells.begin()};
        cells.erase(cells.begin());
        while (!todo.empty()) {
            const auto [c, r] = todo.back();
            todo.pop_back();
            for (const auto& next : {std::pair{c + 1, r}, {c - 1, r}, {c, r + 1}, {c, r - 1}}) {
                if (cells.erase(next) != 0) todo.push_back(next);
            }
        }
    }
    return pieces;
}

/// Everything that the OGC asks of a polygon, and that it covers the free cells and nothing else. Cell sizes
/// must be powers of two, so that sums are exact.
void expect_whole(const Map& map) {
    const WalkableArea area(map);
    const std::vector<Polygon> polygons = polygons_of(area.wkt());
    EXPECT_EQ(polygons.size(), area.piece_count());
    std::set<std::pair<Point, Point>> used;
    std::set<std::pair<int, int>> free, covered;
    double square_metres = 0.0;
    for (const Polygon& polygon : polygons) {
        std::set<std::pair<int, int>> inside;
        for (int r = 0; r < map.rows; ++r) {
            for (int c = 0; c < map.columns; ++c) {
                if (!is_inside(polygon, (c + 0.5) * map.cell_size, (r + 0.5) * map.cell_size)) continue;
                inside.insert({c, r});
                EXPECT_TRUE(covered.insert({c, r}).second) << "two polygons overlap";
            }
        }
        EXPECT_EQ(pieces_of(inside), 1) << "the interior of a polygon is connected";
        double sum = 0.0;
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            expect_simple(polygon[k], map.cell_size, used);
            EXPECT_EQ(signed_area(polygon[k]) > 0.0, k == 0) << "the outer ring alone is counterclockwise";
            sum += signed_area(polygon[k]);
        }
        EXPECT_EQ(sum, static_cast<double>(inside.size()) * map.cell_size * map.cell_size);
        square_metres += sum;
    }
    for (int r = 0; r < map.rows; ++r) {
        for (int c = 0; c < map.columns; ++c) {
            if (map.is_free({c, r})) free.insert({c, r});
            const std::size_t piece = area.piece_at((c + 0.5) * map.cell_size, (r + 0.5) * map.cell_size);
            EXPECT_EQ(piece != WalkableArea::kNone, map.is_free({c, r}));
            if (piece == WalkableArea::kNone) continue;
            EXPECT_TRUE(is_inside(polygons[piece], (c + 0.5) * map.cell_size, (r + 0.5) * map.cell_size));
        }
    }
    EXPECT_EQ(covered, free);
    EXPECT_EQ(square_metres, static_cast<double>(free.size()) * map.cell_size * map.cell_size);
}

TEST(WalkableArea, ARoomWithAPillarIsAPolygonWithAHole) {
    EXPECT_EQ(WalkableArea(map_of({"....", ".@..", "...."}, 0.5)).wkt(),
              "POLYGON ((2 0, 2 1.5, 0 1.5, 0 0, 2 0), (1 1, 1 0.5, 0.5 0.5, 0.5 1, 1 1))");
    EXPECT_EQ(WalkableArea(map_of({"@@", "@@"})).wkt(), "POLYGON EMPTY");
    EXPECT_EQ(WalkableArea(map_of({".@."})).wkt(),
              "MULTIPOLYGON (((1 0, 1 1, 0 1, 0 0, 1 0)), ((3 0, 3 1, 2 1, 2 0, 3 0)))");
}

TEST(WalkableArea, CornersThatTouchGiveValidPolygons) {
    const std::vector<std::vector<std::string>> maps = {
        {".@", "@."},                                   // two pieces, one point
        {"...", ".@.", "..@"},                          // a hole that touches the border outside
        {".....", ".@...", "..@..", ".....", "....."},  // two holes, one point
        {".....", "..@..", ".@.@.", "..@..", "....."},  // a pocket whose four walls touch at corners
        {"@.@.@", ".@.@.", "@.@.@"},                    // a chequer
        {"@@.@@", "@.@.@", ".@@@.", "@.@.@", "@@.@@"},  // a ring of cells that only touch
        {"..@", ".@.", "@.."},                          // a diagonal of walls
        {"......", ".@@@@.", ".@..@.", ".@.@..", ".@@.@.", "......"},
    };
    for (const auto& rows : maps) {
        expect_whole(map_of(rows));
        if (HasFailure()) FAIL() << WalkableArea(map_of(rows)).wkt();
    }
}

TEST(WalkableArea, CoversTheFreeCellsOfAnyMapAndNothingElse) {
    std::mt19937 random(5);
    for (int n = 0; n < 600; ++n) {
        Map map{static_cast<std::int32_t>(1 + random() % 14),
                static_cast<std::int32_t>(1 + random() % 14),
                n % 3 == 0 ? 0.25 : 1.0,
                {}};
        const unsigned walls = 1 + random() % 9;  // of ten cells
        for (int k = 0; k < map.columns * map.rows; ++k)
            map.cost.push_back(random() % 10 < walls ? kWallCost
                                                     : static_cast<std::uint8_t>(1 + random() % 9));
        expect_whole(map);
        if (HasFailure()) FAIL() << "map " << n << ": " << WalkableArea(map).wkt();
    }
}

TEST(WalkableArea, PicksThePiecesThatAreWanted) {
    const WalkableArea area(map_of({"..@.", "@@@@", "...."}));
    ASSERT_EQ(area.piece_count(), 3u);
    const std::vector<std::uint8_t> wanted{0, 1, 1};
    EXPECT_EQ(area.wkt(wanted), "MULTIPOLYGON (((4 0, 4 1, 3 1, 3 0, 4 0)), ((4 2, 4 3, 0 3, 0 2, 4 2)))");
    const WalkableArea::Box box = area.box(wanted);
    EXPECT_EQ(box.min_x, 0.0);
    EXPECT_EQ(box.max_x, 4.0);
    EXPECT_EQ(box.min_y, 0.0);
    EXPECT_EQ(box.max_y, 3.0);
    EXPECT_EQ(area.piece_at(-0.1, 0.5), WalkableArea::kNone);
    EXPECT_EQ(area.piece_at(1e300, 0.5), WalkableArea::kNone);
    EXPECT_EQ(area.piece_at(3.5, 0.0), 1u);
}

}  // namespace
}  // namespace horde
