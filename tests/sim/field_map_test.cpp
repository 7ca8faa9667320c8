#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "field_maps.h"
#include "horde/error.h"
#include "horde/field.h"

namespace horde {
namespace {

std::string error_of(const Map& map, const std::vector<Cell>& goals) {
    std::string text;
    try {
        build_field(map, goals);
    } catch (const Error& error) {
        text = error.what();
    }
    try {
        build_field_reference(map, goals);
    } catch (const Error& error) {
        EXPECT_EQ(text, error.what());
        return text;
    }
    EXPECT_EQ(text, "");
    return text;
}

TEST(FieldMap, RefusesGoalsThatNobodyCanStandOn) {
    const Map map = map_of({"..#", "..."});
    EXPECT_EQ(error_of(map, {{0, 0}, {2, 0}}), "goal 1 (column 2, row 0) lies in a wall: choose a free cell");
    for (const Cell outside : {Cell{3, 0}, Cell{0, 2}, Cell{-1, 0}, Cell{0, -1}, Cell{1 << 30, 1 << 30}}) {
        EXPECT_NE(error_of(map, {outside}).find("outside the map"), std::string::npos);
    }
    EXPECT_NE(error_of(Map{}, {{0, 0}}).find("outside the map"), std::string::npos);
}

TEST(FieldMap, RefusesSidesAndCostsThatDoNotFit) {
    EXPECT_NE(error_of({-1, 3, 1.0, {}}, {}).find("-1 x 3"), std::string::npos);
    EXPECT_NE(error_of({kMaxMapSide + 1, 0, 1.0, {}}, {}).find("0 to 8192"), std::string::npos);
    EXPECT_NE(error_of({2, 2, 1.0, {1, 1, 1}}, {}).find("3 costs: give 4"), std::string::npos);
    EXPECT_NE(error_of({2, 2, 1.0, {1, 1, 1, 0}}, {}).find("cost 0 at column 1, row 1"), std::string::npos);
    EXPECT_THROW(largest_connected_part({2, 2, 1.0, {1, 1, 1}}), Error);
}

// By merging labels over all legal steps, diagonals included, until nothing changes.
std::vector<std::uint32_t> largest_part_by_labels(const Map& map) {
    std::vector<std::uint32_t> label(map.cost.size());
    for (std::uint32_t i = 0; i < label.size(); ++i) label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (Cell c; c.row < map.rows; ++c.row) {
            for (c.column = 0; c.column < map.columns; ++c.column) {
                for (int k = 0; k < 9; ++k) {
                    const Cell n{c.column + k % 3 - 1, c.row + k / 3 - 1};
                    if (!map.is_free(c) || !map.is_free(n)) continue;
                    if (!map.is_free({n.column, c.row}) || !map.is_free({c.column, n.row})) continue;
                    if (label[map.index(n)] <= label[map.index(c)]) continue;
                    label[map.index(n)] = label[map.index(c)];
                    changed = true;
                }
            }
        }
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> parts;
    for (std::uint32_t i = 0; i < label.size(); ++i)
        if (map.cost[i] != kWallCost) parts[label[i]].push_back(i);
    std::vector<std::uint32_t> largest;
    for (const auto& [first, part] : parts)
        if (part.size() > largest.size()) largest = part;
    return largest;
}

RC_GTEST_PROP(FieldMap, FindsTheLargestPartThatLabelsFind, (unsigned seed)) {
    std::mt19937 random(seed);
    const auto columns = *rc::gen::inRange(0, 25);
    const auto rows = *rc::gen::inRange(0, 25);
    const auto walls = *rc::gen::inRange(0u, 80u);
    const Map map = random_map(random, columns, rows, walls, 3);
    RC_ASSERT(largest_connected_part(map) == largest_part_by_labels(map));
}

TEST(FieldMap, BreaksATieOfPartsByTheFirstCell) {
    EXPECT_EQ(largest_connected_part(map_of({".#.", ".#."})), (std::vector<std::uint32_t>{0, 3}));
    EXPECT_EQ(largest_connected_part(map_of({".#", "#."})), (std::vector<std::uint32_t>{0}));
    EXPECT_TRUE(largest_connected_part(map_of({"##"})).empty());
    EXPECT_TRUE(largest_connected_part(Map{}).empty());
}

}  // namespace
}  // namespace horde
