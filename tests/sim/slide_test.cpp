#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "sim/ground.h"

namespace horde {
namespace {

Ground ground_of(const std::vector<std::string>& rows) {
    Ground ground;
    ground.map.rows = static_cast<std::int32_t>(rows.size());
    ground.map.columns = static_cast<std::int32_t>(rows[0].size());
    for (const std::string& row : rows) {
        for (const char c : row) ground.map.cost.push_back(c == '@' ? kWallCost : 1);
    }
    mark_open_cells(ground);
    return ground;
}

// Distance, in cells and by the larger axis, from the nearest wall cell around the point.
double gap_to_walls(const Ground& ground, double column, double row) {
    const auto c = static_cast<std::int64_t>(std::floor(column)),
               r = static_cast<std::int64_t>(std::floor(row));
    double gap = 1.0;
    for (std::int64_t y = r - 1; y <= r + 1; ++y) {
        for (std::int64_t x = c - 1; x <= c + 1; ++x) {
            if (!ground.is_wall(x, y)) continue;
            const double dx =
                std::max({static_cast<double>(x) - column, column - static_cast<double>(x + 1), 0.0});
            const double dy = std::max({static_cast<double>(y) - row, row - static_cast<double>(y + 1), 0.0});
            gap = std::min(gap, std::max(dx, dy));
        }
    }
    return gap;
}

TEST(Slide, StopsInFrontOfAWallAndGoesOnAlongIt) {
    const Ground ground = ground_of({"....", "....", "@@@.", "...."});
    const Slide end = slide(ground, 0.5, 1.5, 1.0, 5.0);
    EXPECT_TRUE(end.blocked_y);
    EXPECT_FALSE(end.blocked_x);
    EXPECT_DOUBLE_EQ(end.row, 2.0 - kStopGap);
    EXPECT_DOUBLE_EQ(end.column, 1.5);
}

TEST(Slide, DoesNotPassBetweenTwoWallsThatMeetAtACorner) {
    const Ground ground = ground_of({".@", "@."});
    const Slide end = slide(ground, 0.5, 0.5, 1.0, 1.0);
    EXPECT_LT(end.column, 1.0);
    EXPECT_LT(end.row, 1.0);
}

TEST(Slide, PassesThroughACorridorOneCellWideAtAnySpeed) {
    const Ground ground = ground_of({"@@@@@@@@", "........", "@@@@@@@@"});
    for (const double dx : {0.25, 1.0, 7.0}) {
        EXPECT_DOUBLE_EQ(slide(ground, 0.5, 1.5, dx, 0.0).column, 0.5 + dx);
        EXPECT_DOUBLE_EQ(slide(ground, 0.5, 1.0 + kStopGap, dx, 0.0).column, 0.5 + dx) << "along the wall";
        EXPECT_DOUBLE_EQ(slide(ground, 0.5, 1.0 + kSideGap * 0.99, dx, 0.0).column, 0.5 + dx)
            << "a little nearer than the gap, as rounding may leave it";
    }
}

TEST(Slide, TheBorderOfTheMapIsAWall) {
    const Ground ground = ground_of({"..", ".."});
    const Slide end = slide(ground, 1.0, 1.0, 1e6, -1e6);
    EXPECT_DOUBLE_EQ(end.column, 2.0 - kStopGap);
    EXPECT_DOUBLE_EQ(end.row, kStopGap);
}

// Chains of moves as long as the map and as short as a thousandth of a cell, with positions rounded to float
// in between as the store does: never in a wall, never nearer to one than the skin that is promised.
RC_GTEST_PROP(Slide, NeverEndsInAWallNorInItsSkin, ()) {
    const int side = *rc::gen::inRange(1, 9);
    std::vector<std::string> rows;
    for (int r = 0; r < side; ++r) {
        std::string row;
        for (int c = 0; c < side; ++c) row += *rc::gen::inRange(0, 3) == 0 ? '@' : '.';
        rows.push_back(row);
    }
    const int start_column = *rc::gen::inRange(0, side), start_row = *rc::gen::inRange(0, side);
    rows[static_cast<std::size_t>(start_row)][static_cast<std::size_t>(start_column)] = '.';
    const Ground ground = ground_of(rows);
    const double far = *rc::gen::element(0.0, 4000.0);  // floats there are as coarse as on the largest map
    double column = start_column + 0.5, row = start_row + 0.5;
    for (int move = 0; move < 60; ++move) {
        const double size = *rc::gen::element(1e-3, 1e-2, 0.3, 1.0, 12.0);
        const double dx = size * (*rc::gen::inRange(-1000, 1001) * 1e-3),
                     dy = size * (*rc::gen::inRange(-1000, 1001) * 1e-3);
        const Slide end = slide(ground, column, row, dx, dy);
        RC_ASSERT(end.blocked_x || std::fabs(end.column - column - dx) < 0.003);
        RC_ASSERT(end.blocked_y || std::fabs(end.row - row - dy) < 0.003);
        column = static_cast<double>(static_cast<float>(end.column + far)) - far;
        row = static_cast<double>(static_cast<float>(end.row + far)) - far;
        RC_ASSERT(!ground.is_wall(static_cast<std::int64_t>(std::floor(column)),
                                  static_cast<std::int64_t>(std::floor(row))));
        RC_ASSERT(gap_to_walls(ground, column, row) >= 1.0 / 1024.0);
    }
}

// A second opinion on tunnels: the cells of a long move, sampled finely along the path that the slide reports
// when nothing blocks it, are all free.
RC_GTEST_PROP(Slide, WhatIsNotBlockedCrossesNoWall, ()) {
    const int side = 12;
    std::vector<std::string> rows(side, std::string(side, '.'));
    for (int n = 0; n < 20; ++n) {
        rows[static_cast<std::size_t>(*rc::gen::inRange(0, side))]
            [static_cast<std::size_t>(*rc::gen::inRange(0, side))] = '@';
    }
    const double column = 0.5 + *rc::gen::inRange(0, side), row = 0.5 + *rc::gen::inRange(0, side);
    rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = '.';
    const Ground ground = ground_of(rows);
    const double dx = *rc::gen::inRange(-12000, 12001) * 1e-3, dy = *rc::gen::inRange(-12000, 12001) * 1e-3;
    const Slide end = slide(ground, column, row, dx, dy);
    if (end.blocked_x || end.blocked_y) return;
    for (int k = 0; k <= 2000; ++k) {
        const double x = column + dx * k / 2000.0, y = row + dy * k / 2000.0;
        RC_ASSERT(!ground.is_wall(static_cast<std::int64_t>(std::floor(x)),
                                  static_cast<std::int64_t>(std::floor(y))));
    }
}

}  // namespace
}  // namespace horde
