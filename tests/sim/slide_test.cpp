#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "floors.h"

namespace horde {
namespace {

using test::floor_of;
using test::gap_to_walls;
using test::map_of;

TEST(Slide, StopsInFrontOfAWallAndGoesOnAlongIt) {
    const Floor floor = floor_of(map_of({"....", "....", "@@@.", "...."}));
    const Slide end = slide(floor, 0.0, 0.5, 1.5, 1.0, 5.0);
    EXPECT_TRUE(end.blocked_y);
    EXPECT_FALSE(end.blocked_x);
    EXPECT_DOUBLE_EQ(end.row, 2.0 - kStopGap);
    EXPECT_DOUBLE_EQ(end.column, 1.5);
}

TEST(Slide, DoesNotPassBetweenTwoWallsThatMeetAtACorner) {
    const Floor floor = floor_of(map_of({".@", "@."}));
    const Slide end = slide(floor, 0.0, 0.5, 0.5, 1.0, 1.0);
    EXPECT_LT(end.column, 1.0);
    EXPECT_LT(end.row, 1.0);
}

TEST(Slide, PassesThroughACorridorOneCellWideAtAnySpeed) {
    const Floor floor = floor_of(map_of({"@@@@@@@@", "........", "@@@@@@@@"}));
    for (const double dx : {0.25, 1.0, 7.0}) {
        EXPECT_DOUBLE_EQ(slide(floor, 0.0, 0.5, 1.5, dx, 0.0).column, 0.5 + dx);
        EXPECT_DOUBLE_EQ(slide(floor, 0.0, 0.5, 1.0 + kStopGap, dx, 0.0).column, 0.5 + dx)
            << "along the wall";
        EXPECT_DOUBLE_EQ(slide(floor, 0.0, 0.5, 1.0 + kSideGap * 0.99, dx, 0.0).column, 0.5 + dx)
            << "a little nearer than the gap, as rounding may leave it";
    }
}

// What is left of a velocity after a wall took it may be one step of the lattice toward that wall, for ever.
TEST(Slide, ADriftTowardTheWallBesideItHoldsNoBody) {
    const Floor floor = floor_of(map_of({"..@....", ".@.....", "....@..", "..@....", "......@"}));
    const double column = 3.4912262, row = 2.5080490;  // beside the corner of one wall, another across
    const Slide end = slide(floor, 0.49, column, row, -1e-6, 0.05);
    EXPECT_FALSE(end.blocked_y);
    EXPECT_NEAR(end.row, row + 0.05, 1e-9);
}

TEST(Slide, TheBorderOfTheMapIsAWall) {
    const Floor floor = floor_of(map_of({"..", ".."}));
    const Slide end = slide(floor, 0.0, 1.0, 1.0, 1e6, -1e6);
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
    const Map map = map_of(rows);
    const Floor floor = floor_of(map);
    const double far = *rc::gen::element(0.0, 4000.0);  // floats there are as coarse as on the largest map
    double column = start_column + 0.5, row = start_row + 0.5;
    for (int move = 0; move < 60; ++move) {
        const double size = *rc::gen::element(1e-3, 1e-2, 0.3, 1.0, 12.0);
        const double dx = size * (*rc::gen::inRange(-1000, 1001) * 1e-3),
                     dy = size * (*rc::gen::inRange(-1000, 1001) * 1e-3);
        const Slide end = slide(floor, 0.0, column, row, dx, dy);
        RC_ASSERT(end.blocked_x || std::fabs(end.column - column - dx) < 0.003);
        RC_ASSERT(end.blocked_y || std::fabs(end.row - row - dy) < 0.003);
        column = static_cast<double>(static_cast<float>(end.column + far)) - far;
        row = static_cast<double>(static_cast<float>(end.row + far)) - far;
        RC_ASSERT(!floor.is_closed(static_cast<std::int64_t>(std::floor(column)),
                                   static_cast<std::int64_t>(std::floor(row))));
        RC_ASSERT(gap_to_walls(map, column, row) >= 1.0 / 1024.0);
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
    const Map map = map_of(rows);
    const Floor floor = floor_of(map);
    const double dx = *rc::gen::inRange(-12000, 12001) * 1e-3, dy = *rc::gen::inRange(-12000, 12001) * 1e-3;
    const Slide end = slide(floor, 0.0, column, row, dx, dy);
    if (end.blocked_x || end.blocked_y) return;
    for (int k = 0; k <= 2000; ++k) {
        const double x = column + dx * k / 2000.0, y = row + dy * k / 2000.0;
        RC_ASSERT(!floor.is_closed(static_cast<std::int64_t>(std::floor(x)),
                                   static_cast<std::int64_t>(std::floor(y))));
    }
}

}  // namespace
}  // namespace horde
