// Lines of sight against exact geometry, and walks along them.
#include "sim/field/sight.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "crowds.h"
#include "field_maps.h"

namespace horde {
namespace {

using namespace test;

std::int64_t cross(SightPoint o, SightPoint a, SightPoint b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// Does the closed segment meet the closed square of a cell? Separating axes: x, y, and across the segment.
bool meets_cell(SightPoint from, SightPoint to, std::int32_t column, std::int32_t row) {
    const std::int64_t left = column * kSightUnits, top = row * kSightUnits;
    const std::int64_t right = left + kSightUnits, bottom = top + kSightUnits;
    if (std::max(from.x, to.x) < left || std::min(from.x, to.x) > right) return false;
    if (std::max(from.y, to.y) < top || std::min(from.y, to.y) > bottom) return false;
    int before = 0, behind = 0;
    for (const SightPoint corner : {SightPoint{left, top}, {right, top}, {left, bottom}, {right, bottom}}) {
        const std::int64_t side = cross(from, to, corner);
        before += side > 0 ? 1 : 0;
        behind += side < 0 ? 1 : 0;
    }
    return before < 4 && behind < 4;
}

bool is_open_by_brute_force(const Map& map, SightPoint from, SightPoint to) {
    const std::uint8_t own = map.cost[map.index(
        {static_cast<std::int32_t>(from.x / kSightUnits), static_cast<std::int32_t>(from.y / kSightUnits)})];
    if (own == kWallCost) return false;
    for (std::int32_t r = 0; r < map.rows; ++r) {
        for (std::int32_t c = 0; c < map.columns; ++c) {
            if (map.cost[map.index({c, r})] != own && meets_cell(from, to, c, r)) return false;
        }
    }
    return true;
}

FieldView view_of(const Map& map) {
    return {nullptr, map.cost.data(), map.columns, map.rows};
}

RC_GTEST_PROP(Sight, SeesWhatExactGeometrySees, ()) {
    Map map;
    map.columns = *rc::gen::inRange(1, 14);
    map.rows = *rc::gen::inRange(1, 14);
    const auto cells = static_cast<std::size_t>(map.columns * map.rows);
    map.cost.assign(cells, 1);
    for (int n = *rc::gen::inRange(0, 1 + static_cast<int>(cells) / 6); n > 0; --n) {
        map.cost[*rc::gen::inRange(std::size_t{0}, cells)] =
            *rc::gen::element(std::uint8_t{kWallCost}, std::uint8_t{3});
    }
    for (int n = 0; n < 40; ++n) {
        SightPoint ends[2];
        for (SightPoint& end : ends) {
            // Anywhere, or so near to a corner or centre that lines graze corners.
            const auto place = [&](std::int32_t count) {
                const std::int64_t cell = *rc::gen::inRange(0, count);
                const std::int64_t within = *rc::gen::oneOf(rc::gen::inRange(0, 4096),
                                                            rc::gen::element(0, 1, 2047, 2048, 4094, 4095));
                return cell * kSightUnits + 2 * within + 1;
            };
            end = {place(map.columns), place(map.rows)};
        }
        RC_ASSERT(is_open_line(view_of(map), ends[0], ends[1]) ==
                  is_open_by_brute_force(map, ends[0], ends[1]));
        RC_ASSERT(is_open_line(view_of(map), ends[1], ends[0]) ==
                  (map.cost[map.index({static_cast<std::int32_t>(ends[0].x / kSightUnits),
                                       static_cast<std::int32_t>(ends[0].y / kSightUnits)})] !=
                           map.cost[map.index({static_cast<std::int32_t>(ends[1].x / kSightUnits),
                                               static_cast<std::int32_t>(ends[1].y / kSightUnits)})]
                       ? false
                       : is_open_by_brute_force(map, ends[0], ends[1])));
    }
}

// Lines through the very corners of cells, which no odd coordinates on both ends avoid.
TEST(Sight, ALineThatTouchesTheCornerOfAWallIsBlocked) {
    Map map{.columns = 5, .rows = 5, .cost = std::vector<std::uint8_t>(25, 1)};
    const SightPoint from{kSightUnits + 1, kSightUnits + 3};
    const SightPoint to{3 * kSightUnits - 1, 3 * kSightUnits - 3};  // through (2, 2), where four cells meet
    EXPECT_TRUE(is_open_line(view_of(map), from, to));
    for (const Cell cell : {Cell{1, 2}, {2, 1}, {1, 1}, {2, 2}}) {
        Map one = map;
        one.cost[one.index(cell)] = kWallCost;
        EXPECT_FALSE(is_open_line(view_of(one), from, to)) << cell.column << ' ' << cell.row;
        EXPECT_TRUE(meets_cell(from, to, cell.column, cell.row));
    }
}

TEST(Sight, IsBoundedInCells) {
    Map map{.columns = 1200, .rows = 1, .cost = std::vector<std::uint8_t>(1200, 1)};
    EXPECT_TRUE(is_open_line(view_of(map), sight_centre({3, 0}), sight_centre({515, 0})));
    EXPECT_FALSE(is_open_line(view_of(map), sight_centre({3, 0}), sight_centre({516, 0})));
}

// Walks one agent to the goal and returns the length of its path over that of the straight line.
double detour(Scene scene, Vec3 start, Vec3 goal) {
    crowd_rule(scene).speed_spread = 0.0;
    World world(scene, {.threads = 1});
    world.spawn({.position = start, .goal = 0});
    double length = 0.0;
    Snapshot before = rows_of(world);
    for (int n = 0; n < 6000 && world.agent_count() > 0; ++n) {
        world.step();
        const Snapshot after = rows_of(world);
        if (after.count() == 0) break;
        length += distance(before.position[0], after.position[0]);
        before = after;
    }
    EXPECT_EQ(world.agent_count(), 0);
    return (length + distance(before.position[0], goal)) / distance(start, goal);
}

TEST(Sight, WalksAreStraightInOpenGround) {
    Scene scene = map_scene(room(202, 202), {{100, 100}}, 0);
    double octile = 0.0;
    for (int n = 0; n < 24; ++n) {
        const double angle = 0.2618 * n + 0.1309;
        const Vec3 start{100.5 + 95.0 * std::cos(angle), 100.5 + 95.0 * std::sin(angle), 0};
        crowd_rule(scene).line_of_sight = false;
        octile = std::max(octile, detour(scene, start, {100.5, 100.5, 0}));
        crowd_rule(scene).line_of_sight = true;
        EXPECT_LT(detour(scene, start, {100.5, 100.5, 0}), 1.001) << n;
    }
    EXPECT_GT(octile, 1.03) << "what the field alone walks";
}

// Round a corner the field leads, and the last part is straight; nobody is ever in a wall, nobody is stuck.
TEST(Sight, TheFieldLeadsWhereTheGoalIsHidden) {
    std::vector<std::string> map = room(60, 60);
    put(map, 20, 10, 4, 49, '@');
    put(map, 36, 1, 4, 44, '@');
    Scene scene = map_scene(map, {{55, 50}}, 300);
    crowd_rule(scene).line_of_sight = true;
    World world(scene);
    std::int64_t stuck = 0;
    for (int n = 0; n < 4000 && world.agent_count() > 0; ++n) {
        world.step();
        stuck = std::max(stuck, world.report().stuck);
    }
    EXPECT_EQ(world.agent_count(), 0);
    EXPECT_LE(stuck, 5);
}

// Where a road beside the straight way is cheaper, the field's way is kept.
TEST(Sight, ACheaperWayIsNotLeftForAStraightOne) {
    std::vector<std::string> map(21, std::string(61, '9'));
    put(map, 0, 4, 61, 1, '.');
    const Scene field_only = map_scene(map, {{55, 10}}, 0);
    Scene with_sight = field_only;
    crowd_rule(with_sight).line_of_sight = true;
    const Vec3 start{5.5, 10.5, 0}, goal{55.5, 10.5, 0};
    EXPECT_EQ(detour(with_sight, start, goal) > 1.1, detour(field_only, start, goal) > 1.1);
    EXPECT_GT(detour(field_only, start, goal), 1.1) << "by the road";
}

TEST(Sight, GivesOneAnswerOnEveryBackend) {
    Scene scene = map_scene(room(60, 40), {{50, 20}}, 500);
    crowd_rule(scene).line_of_sight = true;
    std::vector<std::uint64_t> hashes;
    for (const std::string& backend : backends()) {
        World world(scene, {.backend = backend, .threads = 3, .grain = 17});
        run(world, 200);
        hashes.push_back(world.state_hash());
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
    crowd_rule(scene).line_of_sight = false;
    World plain(scene);
    run(plain, 200);
    EXPECT_NE(plain.state_hash(), hashes.front());
}

}  // namespace
}  // namespace horde
