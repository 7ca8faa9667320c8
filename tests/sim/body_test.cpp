// Bodies wider than a point: the sweep against a slow one, and cells of a layer against the body itself.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "floors.h"

namespace horde {
namespace {

using test::floor_of;
using test::gap_to_walls;
using test::map_of;
using test::slow_slide;

Map random_map(std::mt19937& random, int columns, int rows, int wall_percent) {
    std::vector<std::string> text(static_cast<std::size_t>(rows),
                                  std::string(static_cast<std::size_t>(columns), '.'));
    for (std::string& row : text) {
        for (char& c : row) c = static_cast<int>(random() % 100) < wall_percent ? '@' : '.';
    }
    return map_of(text);
}

double uniform(std::mt19937& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 1000001) * 1e-6;
}

TEST(Body, OfWholeRingsAndAnInsetUnderHalfACell) {
    EXPECT_EQ(body_of(0.0, 1.0).rings, 0);
    EXPECT_EQ(body_of(0.0, 1.0).inset, 0.0);
    EXPECT_EQ(body_of(0.25, 0.5).rings, 0);
    EXPECT_EQ(body_of(0.25, 0.5).inset, kMostInset) << "as wide as a corridor: narrowed until it fits";
    EXPECT_EQ(body_of(0.6, 1.0).rings, 1);
    EXPECT_EQ(body_of(0.6, 1.0).inset, 0.0) << "never in a cell that its layer has as a wall";
    EXPECT_EQ(body_of(1.3, 1.0).rings, 1);
    EXPECT_DOUBLE_EQ(body_of(1.3, 1.0).inset, 0.3);
    EXPECT_EQ(body_of(1.5, 1.0).rings, 1);
    EXPECT_EQ(body_of(2.0, 1.0).rings, 2);
}

TEST(Body, WidenedWallsAreTheCellsWithAWallWithinTheRings) {
    std::mt19937 random(4);
    for (int n = 0; n < 200; ++n) {
        const Map map =
            random_map(random, 1 + static_cast<int>(random() % 14), 1 + static_cast<int>(random() % 14), 12);
        const int rings = static_cast<int>(random() % 4);
        const Map wide = widen_walls(map, rings);
        for (std::int32_t r = 0; r < map.rows; ++r) {
            for (std::int32_t c = 0; c < map.columns; ++c) {
                bool near = false;
                for (int y = r - rings; y <= r + rings; ++y) {
                    for (int x = c - rings; x <= c + rings; ++x) near = near || !map.is_free({x, y});
                }
                ASSERT_EQ(wide.is_free({c, r}), !near) << c << ", " << r << ", rings " << rings;
            }
        }
    }
}

// The widest body and a narrow one, each once round an L-shaped corridor that fits it exactly.
TEST(Body, PassesTheCorridorsThatItsLayerShows) {
    for (const double clearance : {0.3, 0.5, 1.0, 1.5}) {
        const Body body = body_of(clearance, 1.0);
        const int width = 2 * body.rings + 1;
        std::vector<std::string> rows(20, std::string(20, '@'));
        for (int k = 0; k < width; ++k) {
            for (int along = 0; along < 20; ++along) {
                rows[static_cast<std::size_t>(10 + k)][static_cast<std::size_t>(along)] = '.';
                rows[static_cast<std::size_t>(along)][static_cast<std::size_t>(5 + k)] = '.';
            }
        }
        const Floor floor = floor_of(widen_walls(map_of(rows), body.rings));
        const double middle_row = 10 + 0.5 * width, middle_column = 5 + 0.5 * width;
        const Slide east = slide(floor, body.inset, body.rings + 0.5, middle_row, 12.0, 0.0);
        EXPECT_FALSE(east.blocked_x) << clearance;
        const Slide corner =
            slide(floor, body.inset, body.rings + 0.5, middle_row, middle_column - body.rings - 0.5, 0.0);
        const Slide north = slide(floor, body.inset, corner.column, corner.row, 0.0, -7.0);
        EXPECT_FALSE(north.blocked_y) << clearance;
        EXPECT_DOUBLE_EQ(north.row, middle_row - 7.0);
    }
}

TEST(Body, StopsAtItsHalfSideAndTouchesNoCorner) {
    const Map map = map_of({"......", "......", "...@..", "......"});
    const Floor floor = floor_of(map);
    const Slide stop = slide(floor, 0.4, 0.5, 2.5, 5.0, 0.0);
    EXPECT_TRUE(stop.blocked_x);
    EXPECT_DOUBLE_EQ(stop.column, 3.0 - 0.4 - kStopGap);
    const Slide grazes = slide(floor, 0.4, 0.5, 1.62, 5.0, 0.0);
    EXPECT_TRUE(grazes.blocked_x) << "its lower edge is at 2.02";
    const Slide passes = slide(floor, 0.4, 0.5, 1.59, 5.0, 0.0);
    EXPECT_FALSE(passes.blocked_x) << "its lower edge is at 1.99";
}

// Cases in which the width of the gaps decides, told by two slow sweeps that differ by them, are left out.
TEST(Body, SlidesAsASlowSweepOverAllWallsDoes) {
    std::mt19937 random(9);
    int compared = 0, blocked = 0;
    constexpr int kCases = 20000;
    for (int n = 0; n < kCases; ++n) {
        const Map map = random_map(random, 14, 14, 4 + static_cast<int>(random() % 25));
        const Body body = body_of(n % 4 == 0 ? 0.0 : uniform(random, 0.0, 2.3), 1.0);
        const double half = body.rings + body.inset;
        const Floor floor = floor_of(widen_walls(map, body.rings));
        const std::optional<Place> start =
            floor.nearest_place(body.inset, uniform(random, 0.0, 14.0), uniform(random, 0.0, 14.0));
        if (!start) continue;
        const double far = n % 3 == 0 ? 0.7 : 9.0;
        const double dx = random() % 8 == 0 ? 0.0 : uniform(random, -far, far);
        const double dy = random() % 8 == 0 ? 0.0 : uniform(random, -far, far);
        const auto narrow = slow_slide(map, half + kSideGap, start->column, start->row, dx, dy);
        const auto wide = slow_slide(map, half + kStopGap * 0.9999, start->column, start->row, dx, dy);
        const double apart =
            std::max(std::fabs(narrow.column - wide.column), std::fabs(narrow.row - wide.row));
        if (apart > 0.02 || narrow.blocked_x != wide.blocked_x || narrow.blocked_y != wide.blocked_y)
            continue;
        const Slide end = slide(floor, body.inset, start->column, start->row, dx, dy);
        ++compared;
        blocked += end.blocked_x || end.blocked_y ? 1 : 0;
        ASSERT_EQ(end.blocked_x, wide.blocked_x) << "case " << n << ", half side " << half;
        ASSERT_EQ(end.blocked_y, wide.blocked_y) << "case " << n << ", half side " << half;
        ASSERT_NEAR(end.column, wide.column, 0.03) << "case " << n << ", half side " << half;
        ASSERT_NEAR(end.row, wide.row, 0.03) << "case " << n << ", half side " << half;
    }
    EXPECT_GT(compared, kCases * 8 / 10);
    EXPECT_GT(blocked, kCases * 3 / 10);
}

// Chains of moves, rounded to float in between as the store does: the whole body stays out of every wall, and
// its centre in cells that its layer has as free.
RC_GTEST_PROP(Body, IsNeverInAWall, ()) {
    std::mt19937 random(static_cast<unsigned>(*rc::gen::inRange(0, 1 << 30)));
    const Map map = random_map(random, 10, 9, *rc::gen::element(5, 15, 30));
    const Body body = body_of(*rc::gen::inRange(0, 2600) * 1e-3, 1.0);
    const Floor floor = floor_of(widen_walls(map, body.rings));
    const double far = *rc::gen::element(0.0, 4000.0);  // floats there are as coarse as on the largest map
    const auto start = floor.nearest_place(body.inset, 5.0, 4.5);
    RC_PRE(start.has_value());
    double column = start->column, row = start->row;
    for (int move = 0; move < 60; ++move) {
        const double size = *rc::gen::element(1e-3, 1e-2, 0.3, 1.0, 12.0, 300.0);
        const Slide end =
            slide(floor, body.inset, column, row, uniform(random, -size, size), uniform(random, -size, size));
        RC_ASSERT(!end.pushed);
        column = static_cast<double>(static_cast<float>(end.column + far)) - far;
        row = static_cast<double>(static_cast<float>(end.row + far)) - far;
        RC_ASSERT(floor.is_free_at(column, row));
        RC_ASSERT(gap_to_walls(map, column, row, 4) >= body.rings + body.inset + 1.0 / 1024.0);
    }
}

// What is not blocked went straight, and the body met nothing on the way: it never tunnels.
RC_GTEST_PROP(Body, WhatIsNotBlockedCrossesNoWall, ()) {
    std::mt19937 random(static_cast<unsigned>(*rc::gen::inRange(0, 1 << 30)));
    const Map map = random_map(random, 12, 12, 8);
    const Body body = body_of(*rc::gen::inRange(0, 1600) * 1e-3, 1.0);
    const Floor floor = floor_of(widen_walls(map, body.rings));
    const auto start = floor.nearest_place(body.inset, uniform(random, 0, 12), uniform(random, 0, 12));
    RC_PRE(start.has_value());
    const double dx = uniform(random, -12, 12), dy = uniform(random, -12, 12);
    const Slide end = slide(floor, body.inset, start->column, start->row, dx, dy);
    if (end.blocked_x || end.blocked_y) return;
    for (int k = 0; k <= 1000; ++k) {
        RC_ASSERT(gap_to_walls(map, start->column + dx * k / 1000.0, start->row + dy * k / 1000.0, 3) >=
                  body.rings + body.inset);
    }
}

}  // namespace
}  // namespace horde
