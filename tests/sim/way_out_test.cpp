// Out of walls: the nearest place, and the shortest way that crosses no older wall.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

#include "floors.h"
#include "frames.h"
#include "horde/error.h"
#include "scenes.h"

namespace horde {
namespace {

using test::floor_of;
using test::gap_to_walls;
using test::map_of;

double uniform(std::mt19937& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 1000001) * 1e-6;
}

Map random_map(std::mt19937& random, int side, int wall_percent) {
    Map map{side, side, 1.0, std::vector<std::uint8_t>(static_cast<std::size_t>(side) * side, 1)};
    for (std::uint8_t& cost : map.cost) {
        if (static_cast<int>(random() % 100) < wall_percent) cost = kWallCost;
    }
    return map;
}

double distance2(Place a, double x, double y) {
    return (a.column - x) * (a.column - x) + (a.row - y) * (a.row - y);
}

// Against a fine lattice of points over the cell: the place is legal, and no legal point is nearer.
TEST(WayOut, ThePlaceInACellIsTheNearestThatABodyFitsIn) {
    std::mt19937 random(2);
    for (int n = 0; n < 600; ++n) {
        Map map = random_map(random, 3, 45);
        map.cost[4] = 1;
        const Floor floor = floor_of(map);
        const double inset = body_of(uniform(random, 0.0, 0.5), 1.0).inset;
        const double x = uniform(random, -2.0, 5.0), y = uniform(random, -2.0, 5.0);
        const Place place = floor.place_in_cell(inset, 1, 1, x, y);
        ASSERT_GE(gap_to_walls(map, place.column, place.row), inset + kStopGap - 1e-12);
        constexpr int kFine = 128;
        for (int r = 0; r <= kFine; ++r) {
            for (int c = 0; c <= kFine; ++c) {
                const Place other{1.0 + kStopGap + (1.0 - 2 * kStopGap) * c / kFine,
                                  1.0 + kStopGap + (1.0 - 2 * kStopGap) * r / kFine};
                if (gap_to_walls(map, other.column, other.row) < inset + kStopGap) continue;
                ASSERT_GE(distance2(other, x, y), distance2(place, x, y) - 1e-12);
            }
        }
    }
}

TEST(WayOut, FindsTheNearestPlaceThatBruteForceFinds) {
    std::mt19937 random(3);
    for (int n = 0; n < 400; ++n) {
        const int side = 1 + static_cast<int>(random() % 70);
        const Map map = random_map(random, side, n % 3 == 0 ? 99 : 70);
        const Floor floor = floor_of(map);
        const double inset = body_of(n % 2 == 0 ? 0.0 : uniform(random, 0.0, 0.5), 1.0).inset;
        const double x = uniform(random, -1.0, side + 1.0), y = uniform(random, -1.0, side + 1.0);
        std::optional<Place> best;
        for (std::int32_t r = 0; r < side; ++r) {
            for (std::int32_t c = 0; c < side; ++c) {
                if (!map.is_free({c, r})) continue;
                const Place place = floor.place_in_cell(inset, c, r, x, y);
                if (!best || distance2(place, x, y) < distance2(*best, x, y)) best = place;
            }
        }
        const std::optional<Place> found = floor.nearest_place(inset, x, y);
        ASSERT_EQ(found.has_value(), best.has_value());
        if (!found) continue;
        ASSERT_EQ(found->column, best->column);
        ASSERT_EQ(found->row, best->row);
    }
}

// The free cells of `map` that a flood from `start` over what only it has closed comes to.
std::set<std::uint32_t> flooded_exits(const Map& before, const Map& map, std::uint32_t start) {
    std::set<std::uint32_t> seen{start}, exits;
    std::deque<std::uint32_t> queue{start};
    while (!queue.empty()) {
        const std::int32_t c = static_cast<std::int32_t>(queue.front()) % map.columns,
                           r = static_cast<std::int32_t>(queue.front()) / map.columns;
        queue.pop_front();
        for (const Cell next : {Cell{c + 1, r}, Cell{c - 1, r}, Cell{c, r + 1}, Cell{c, r - 1}}) {
            if (!before.is_free(next) && !map.is_free(next)) continue;
            const auto index = static_cast<std::uint32_t>(map.index(next));
            if (map.is_free(next)) {
                exits.insert(index);
            } else if (seen.insert(index).second) {
                queue.push_back(index);
            }
        }
    }
    return exits;
}

// Puts one to 5 x 5 cells of wall, or now and then takes them away.
void stamp(std::mt19937& random, Map& map, std::set<std::uint32_t>& touched) {
    const auto side = static_cast<unsigned>(map.columns);
    const auto c0 = static_cast<int>(random() % side), r0 = static_cast<int>(random() % side);
    const int wide = 1 + static_cast<int>(random() % 5), high = 1 + static_cast<int>(random() % 5);
    const std::uint8_t cost = random() % 4 == 0 ? 1 : kWallCost;
    for (int r = r0; r < std::min(map.rows, r0 + high); ++r) {
        for (int c = c0; c < std::min(map.columns, c0 + wide); ++c) {
            map.cost[map.index({c, r})] = cost;
            touched.insert(static_cast<std::uint32_t>(map.index({c, r})));
        }
    }
}

// Random stamps on random maps, one after the other, also taken away again: the way out of each closed cell
// is the nearest place among the free cells that a flood over the newly closed ones comes to.
TEST(WayOut, IsTheNearestPlaceThatNewWallsAloneSeparateFrom) {
    std::mt19937 random(5);
    int across = 0, enclosed = 0;
    for (int n = 0; n < 150; ++n) {
        const int side = 3 + static_cast<int>(random() % 20);
        Map map = random_map(random, side, 30);
        Floor floor = floor_of(map);
        for (int change = 0; change < 6; ++change) {
            const Map before = map;
            std::set<std::uint32_t> touched;
            for (int k = 0; k < 2; ++k) stamp(random, map, touched);
            const std::vector<std::uint32_t> cells(touched.begin(), touched.end());
            floor.change(cells, map);
            const Floor anew = floor_of(map);
            for (std::size_t cell = 0; cell < map.cost.size(); ++cell) {
                ASSERT_EQ(floor.is_closed(cell), anew.is_closed(cell));
                ASSERT_EQ(floor.is_wide_open(cell), anew.is_wide_open(cell));
            }
            for (const std::uint32_t start : cells) {
                if (before.cost[start] == kWallCost || map.cost[start] != kWallCost) continue;
                const std::set<std::uint32_t> exits = flooded_exits(before, map, start);
                const double x = static_cast<int>(start) % side + uniform(random, 0.01, 0.99);
                const double y = static_cast<int>(start) / side + uniform(random, 0.01, 0.99);
                const double inset = n % 2 == 0 ? 0.0 : 0.3;
                const std::optional<Place> out = floor.way_out(inset, x, y);
                const std::optional<Place> nearest = floor.nearest_place(inset, x, y);
                if (exits.empty()) {
                    ++enclosed;
                    ASSERT_EQ(out.has_value(), nearest.has_value());
                    if (out) {
                        ASSERT_EQ(distance2(*out, x, y), distance2(*nearest, x, y));
                    }
                    continue;
                }
                double best = 1e30;
                for (const std::uint32_t exit : exits) {
                    best = std::min(best, distance2(floor.place_in_cell(inset, static_cast<int>(exit) % side,
                                                                        static_cast<int>(exit) / side, x, y),
                                                    x, y));
                }
                ASSERT_TRUE(out.has_value());
                ASSERT_EQ(distance2(*out, x, y), best);
                across += distance2(*nearest, x, y) < best ? 1 : 0;
            }
        }
    }
    EXPECT_GT(across, 20) << "an older wall lay in the way of the nearest place";
    EXPECT_GT(enclosed, 20);
}

TEST(WayOut, AWallStampedOnTwoHundredAgentsLeavesNoneInsideOnAnyBackend) {
    Scene scene = test::map_scene(std::vector<std::string>(40, std::string(40, '.')), {{39, 20}}, 400);
    scene.agents[0].spawn = SpawnArea::kBox;
    scene.agents[0].box = Bounds{{8, 8, 0}, {32, 32, 0}};
    std::vector<std::uint64_t> hashes;
    for (const std::string& backend : backends()) {
        World world(scene, {.backend = backend, .threads = 2});
        for (int n = 0; n < 20; ++n) world.step();
        const auto inside = [&] {
            Snapshot rows;
            world.snapshot(rows);
            return std::count_if(rows.position.begin(), rows.position.end(), [](Vec3 p) {
                return p.x >= 11.0 && p.x < 29.0 && p.y >= 11.0 && p.y < 29.0;
            });
        };
        ASSERT_GE(inside(), 200);
        world.stamp(CellArea{{11, 11}, {28, 28}});
        world.step();
        EXPECT_EQ(inside(), 0) << backend;
        EXPECT_GE(world.report().pushed_out, 200);
        EXPECT_EQ(world.report().walled_in, 0);
        EXPECT_EQ(world.agent_count(), 400) << "none is lost";
        hashes.push_back(world.state_hash());
        for (int n = 0; n < 1200; ++n) world.step();
        EXPECT_EQ(world.report().arrived_total, 400) << backend;
        hashes.push_back(world.state_hash());
    }
    for (std::size_t k = 2; k < hashes.size(); ++k) EXPECT_EQ(hashes[k], hashes[k - 2]);
}

TEST(WayOut, AWallDroppedOnTwoHundredAgentsLeavesNoneInside) {
    Scene scene = test::map_scene(std::vector<std::string>(40, std::string(40, '.')), {{39, 20}}, 0);
    scene.agents[0].count = 400;
    scene.agents[0].spawn = SpawnArea::kBox;
    scene.agents[0].box = Bounds{{8, 8, 0}, {32, 32, 0}};
    const auto frame = test::frame_of(scene);
    for (int n = 0; n < 20; ++n) run_frame(*frame, scalar_backend(), 0.05f);
    std::map<AgentId, Place> before;
    for (std::int64_t i = 0; i < frame->agents.count; ++i) {
        before[frame->agents.id.now[i]] = {test::column_of(*frame, i), test::row_of(*frame, i)};
    }
    test::change_walls(*frame, test::cells_in(frame->ground->map, {11, 11}, {28, 28}), kWallCost);
    const int inside = test::in_walls(*frame);
    ASSERT_GE(inside, 200);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->agents.count, 400);
    EXPECT_EQ(test::in_walls(*frame), 0);
    EXPECT_EQ(frame->report.pushed_out, inside);
    EXPECT_EQ(frame->report.walled_in, 0);
    for (std::int64_t i = 0; i < frame->agents.count; ++i) {  // straight to the nearest of the four sides
        const Place was = before[frame->agents.id.now[i]];
        const double depth = std::min({was.column - 11, 29 - was.column, was.row - 11, 29 - was.row});
        const double moved = std::sqrt(distance2(was, test::column_of(*frame, i), test::row_of(*frame, i)));
        if (depth > 0.0) {
            EXPECT_NEAR(moved, depth + kStopGap, 0.001);
        }
    }
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->report.pushed_out, 0);
    for (int n = 0; n < 1200; ++n) run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->report.arrived_total, 400) << "they go on to their goal";
}

TEST(WayOut, NobodyComesOutOnTheOtherSideOfAnOlderWall) {
    Scene scene =
        test::map_scene({"..........", "@@@@@@@@@@", "..........", "..........", ".........."}, {}, 0);
    const auto frame = test::frame_of(scene);
    spawn_agent(*frame, {.position = {4.5, 2.1, 0}});
    test::change_walls(*frame, test::cells_in(frame->ground->map, {3, 2}, {5, 3}), kWallCost);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_GT(test::row_of(*frame, 0), 2.0);
    EXPECT_EQ(frame->report.pushed_out, 1);
}

TEST(WayOut, TheEnclosedLeaveThroughTheWallAndOnAFullMapTheyStay) {
    Scene scene = test::map_scene({"@@@@@", "@.@@@", "@@@@@", "@@@.."}, {}, 0);
    const auto frame = test::frame_of(scene);
    spawn_agent(*frame, {.position = {1.5, 1.5, 0}, .velocity = {1, 0, 0}});
    const Map& map = frame->ground->map;
    test::change_walls(*frame, {static_cast<std::uint32_t>(map.index({1, 1}))}, kWallCost);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_NEAR(test::column_of(*frame, 0), 3.0 + kStopGap, 1e-3);
    EXPECT_NEAR(test::row_of(*frame, 0), 3.0 + kStopGap, 1e-3);
    test::change_walls(*frame, test::cells_in(map, {3, 3}, {4, 3}), kWallCost);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->report.walled_in, 1);
    EXPECT_EQ(frame->report.pushed_out, 0);
    EXPECT_EQ(frame->agents.count, 1);
    test::change_walls(*frame, {static_cast<std::uint32_t>(map.index({0, 0}))}, 1);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->report.pushed_out, 1);
    EXPECT_EQ(test::in_walls(*frame), 0);
}

// A wall beside an agent, but over a part of its body: it is moved aside, and that counts.
TEST(WayOut, AWallOnAPartOfABodyMovesItAside) {
    Scene scene = test::map_scene({".....", ".....", "....."}, {}, 0);
    const auto frame = test::frame_of(scene);
    frame->params.groups[0].inset = 0.4;
    spawn_agent(*frame, {.position = {1.8, 1.5, 0}});
    test::change_walls(*frame, {static_cast<std::uint32_t>(frame->ground->map.index({2, 1}))}, kWallCost);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->report.pushed_out, 1);
    EXPECT_NEAR(test::column_of(*frame, 0), 2.0 - 0.4 - kStopGap, 1e-3);
    EXPECT_NEAR(test::row_of(*frame, 0), 1.5, 1e-3);
    run_frame(*frame, scalar_backend(), 0.05f);
    EXPECT_EQ(frame->report.pushed_out, 0);
}

}  // namespace
}  // namespace horde
