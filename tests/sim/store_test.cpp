#include "sim/field/store.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "sim/field/field_builder.h"
#include "store_scripts.h"

namespace horde {
namespace {

using test::EagerBackground;
using test::LazyBackground;
using test::StoreWorld;

bool same(const Field& a, const Field& b) {
    return a.goals == b.goals && a.integration == b.integration && a.wide_integration == b.wide_integration &&
           a.flow == b.flow;
}

std::vector<Cell> free_ones(const Map& map, const std::vector<Cell>& goals) {
    std::vector<Cell> free;
    for (const Cell goal : goals) {
        if (map.is_free(goal)) free.push_back(goal);
    }
    return free;
}

// One layer of an open map, one set.
struct OneField {
    explicit OneField(FieldStoreSettings settings,
                      Map map = Map{64, 64, 1.0, std::vector<std::uint8_t>(4096, 1)},
                      std::vector<FieldStore::Goals> sets = {{{5, 5}}})
        : terrain(std::move(map), {}, {}) {
        const std::vector<std::uint8_t> used = {1};
        const std::vector<LayerCosts> layers = {terrain.layer(0)};
        store.set_up(settings, layers, used, std::move(sets), false, nullptr);
    }
    FieldCounts update() {
        terrain.commit();
        const std::vector<LayerCosts> layers = {terrain.layer(0)};
        return store.update(frame++, layers);
    }
    Field expected(std::vector<Cell> goals) const {
        const Map& map = terrain.layer(0).costs->map;
        return build_field(map, free_ones(map, goals));
    }
    const Field& field(std::size_t set = 0) const { return store.find(set, 0).field; }

    Terrain terrain;
    FieldStore store;
    std::uint64_t frame = 0;
};

TEST(FieldStore, ARepairGoesLiveInTheNextFrameAndABuildAfterItsCells) {
    OneField one({.cells_per_frame = 1000, .goal_interval = 1});  // 4096 cells: 5 frames
    one.terrain.stamp(CellArea{{40, 20}, {42, 22}}, kWallCost);
    EXPECT_EQ(one.update().repairs, 0);
    EXPECT_EQ(one.store.pending(), 1u);
    EXPECT_EQ(one.store.version(0, 0), 0u);
    EXPECT_EQ(one.update().repairs, 1);
    EXPECT_EQ(one.store.version(0, 0), 1u);
    EXPECT_TRUE(same(one.field(), one.expected({{5, 5}})));

    one.store.set_goals(0, std::vector<Cell>{{50, 50}});
    for (int n = 0; n < 5; ++n) {
        EXPECT_EQ(one.update().builds, 0) << n;  // asked for in the first of them
        EXPECT_EQ(one.field().goals[0], (Cell{5, 5}));
    }
    EXPECT_EQ(one.update().builds, 1);
    EXPECT_TRUE(same(one.field(), one.expected({{50, 50}})));
    EXPECT_NE(one.store.find(0, 0).before, nullptr);
    EXPECT_TRUE(one.store.find(0, 0).goal_moved);
    one.update();
    EXPECT_EQ(one.store.find(0, 0).before, nullptr);
    EXPECT_FALSE(one.store.find(0, 0).goal_moved);
}

TEST(FieldStore, ARepairThatGivesUpBecomesTheBuildThatItShouldHaveBeen) {
    OneField one({.cells_per_frame = 1000, .goal_interval = 1});
    one.terrain.stamp(CellArea{{8, 0}, {8, 40}}, kWallCost);  // nearly all must go round
    one.update();
    for (int n = 1; n < 5; ++n) EXPECT_EQ(one.update().builds, 0) << n;
    EXPECT_EQ(one.update().builds, 1);
    EXPECT_TRUE(same(one.field(), one.expected({{5, 5}})));
    // Where a build takes one frame, so does it.
    OneField quick({.cells_per_frame = 5000, .goal_interval = 1});
    quick.terrain.stamp(CellArea{{8, 0}, {8, 40}}, kWallCost);
    quick.update();
    EXPECT_EQ(quick.update().builds, 1);
    EXPECT_TRUE(same(quick.field(), quick.expected({{5, 5}})));
}

TEST(FieldStore, GoalsMoveAtMostOnceAnIntervalAndTheLastOneCounts) {
    OneField one({.cells_per_frame = 1 << 20, .goal_interval = 10});
    std::vector<int> moved;
    for (int n = 0; n < 40; ++n) {
        one.store.set_goals(0, std::vector<Cell>{{n, 20}});  // every frame
        if (one.update().builds > 0) {
            moved.push_back(n);
            EXPECT_EQ(one.field().goals[0], (Cell{n - 1, 20}));
        }
    }
    EXPECT_EQ(moved, (std::vector<int>{1, 11, 21, 31}));
}

TEST(FieldStore, AGoalUnderAWallIsNoGoalUntilTheWallFalls) {
    OneField one({.goal_interval = 1}, Map{64, 64, 1.0, std::vector<std::uint8_t>(4096, 1)},
                 {{{5, 5}, {60, 60}}});
    const Field before = one.field();
    const StampId stamp = one.terrain.stamp(CellArea{{59, 59}, {61, 61}}, kWallCost);
    one.update();
    one.update();
    EXPECT_EQ(one.field().goals, (std::vector<Cell>{{5, 5}}));
    EXPECT_EQ(one.store.find(0, 0).centre_x.size(), 1u);
    EXPECT_TRUE(same(one.field(), one.expected({{5, 5}, {60, 60}})));
    EXPECT_NE(one.store.hash(), 0u);
    one.terrain.unstamp(stamp);
    one.update();
    one.update();
    EXPECT_TRUE(same(one.field(), before));
    EXPECT_EQ(one.store.hash(), 0u);  // as at the start
}

TEST(FieldStore, SaysHowGoalsLie) {
    const Map map = map_of({"......", ".###..", ".#.#..", ".###..", "......"});
    OneField one({}, map, {{{0, 0}}, {{2, 2}}});
    EXPECT_EQ(one.store.goal_place(0, 0), GoalPlace::kOpen);
    EXPECT_EQ(one.store.goal_place(1, 0), GoalPlace::kEnclosed);
    one.terrain.stamp(CellArea{{0, 0}, {0, 0}}, kWallCost);
    one.update();
    EXPECT_EQ(one.store.goal_place(0, 0), GoalPlace::kInWall);
}

TEST(FieldStore, SnapsAGoalInAWallToTheNearestFreeCell) {
    const Map map = map_of({"......", ".####.", ".####.", ".####.", "......"});
    OneField one({.snap_goals = true}, map, {{{2, 2}}, {{3, 3}}});
    EXPECT_EQ(one.field(0).goals, (std::vector<Cell>{{2, 0}}));  // as near: (0, 2); the first row wins
    EXPECT_EQ(one.field(1).goals, (std::vector<Cell>{{3, 4}}));
    one.terrain.stamp(CellArea{{0, 4}, {5, 4}}, kWallCost);
    one.update();
    one.update();
    EXPECT_EQ(one.field(1).goals, (std::vector<Cell>{{5, 3}}));
}

TEST(FieldStore, TheCacheIsBoundedAndWhatWasNotFollowedForLongestGoes) {
    std::vector<FieldStore::Goals> sets;
    for (int s = 0; s < 5; ++s) sets.push_back({{s, s}});
    OneField one({.cells_per_frame = 1 << 20, .cache_bytes = 3 * 4096 * 5},
                 Map{64, 64, 1.0, std::vector<std::uint8_t>(4096, 1)}, sets);
    ASSERT_TRUE(one.store.is_short());
    const auto frame = [&](std::initializer_list<std::size_t> followed) {
        const FieldCounts counts = one.update();
        one.store.begin_use(one.frame - 1);
        for (const std::size_t set : followed) one.store.use(set, 0);
        EXPECT_LE(one.store.bytes(), 3 * 4096 * 5);
        return counts;
    };
    const auto held = [&] {
        std::string sets_held;
        for (std::size_t s = 0; s < 5; ++s) sets_held += one.store.has_field(s, 0) ? '1' : '0';
        return sets_held;
    };
    EXPECT_EQ(held(), "11100");
    EXPECT_EQ(one.store.find(3, 0).field.value(0), kUnreachable64);
    frame({0, 2});
    frame({2, 4});  // 1 was followed least lately: 0 by key among equals would be wrong
    frame({2, 4});
    EXPECT_EQ(held(), "10100");
    frame({2, 4});
    EXPECT_EQ(held(), "10101");
    EXPECT_TRUE(same(one.field(4), one.expected({{4, 4}})));
    frame({1, 2, 3, 4});
    EXPECT_EQ(frame({1, 2, 3, 4}).waiting, 1);  // 0 made room for 1; nothing is left for 3
    EXPECT_EQ(frame({1, 2, 3, 4}).waiting, 1);
    EXPECT_EQ(held(), "01101");
    frame({3});
    frame({3});
    frame({3});
    EXPECT_TRUE(one.store.has_field(3, 0));
}

RC_GTEST_PROP(FieldStore, ShowsTheSameInEveryFrameWhoeverWorks, (std::uint32_t seed)) {
    const std::int64_t per_frame = *rc::gen::element<std::int64_t>(100, 300, 600, 5000);
    const FieldStoreSettings settings{.cells_per_frame = per_frame, .goal_interval = 4};
    EagerBackground eager;
    LazyBackground lazy;
    StoreWorld here(seed, settings, nullptr);
    StoreWorld early(seed, settings, &eager);
    StoreWorld late(seed, settings, &lazy);
    for (int n = 0; n < 60; ++n) {
        here.step();
        RC_ASSERT(early.step().late == 0);
        late.step();
        RC_ASSERT(here.store.hash() == early.store.hash());
        RC_ASSERT(here.store.hash() == late.store.hash());
        for (std::size_t set = 0; set < 3; ++set) {
            for (int layer = 0; layer < 2; ++layer) {
                const Field& field = here.store.find(set, layer).field;
                RC_ASSERT(same(field, early.store.find(set, layer).field));
                RC_ASSERT(same(field, late.store.find(set, layer).field));
            }
        }
    }
}

// Edits that cancel leave no trace: neither in the hash nor in what is asked for later, and how.
TEST(FieldStore, StoresOfEqualHashesGoOnEqually) {
    int equal = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        OneField a({.cells_per_frame = 300, .goal_interval = 1}),
            b({.cells_per_frame = 300, .goal_interval = 1});
        if (seed % 2 == 0) {
            for (OneField* one : {&a, &b}) one->store.set_goals(0, std::vector<Cell>{{60, 60}});
        }
        const std::int32_t side = seed % 3 == 0 ? 40 : 3;  // more than a repair looks at, or less
        const auto at = static_cast<std::int32_t>(random() % 20);
        StampId id = 0;
        const std::uint32_t on = random() % 6, off = on + 1 + random() % 5, both = off + 1 + random() % 20;
        bool was_equal = false;
        for (std::uint32_t n = 0; n < 60; ++n) {
            if (n == on) id = a.terrain.stamp(CellArea{{at, at}, {at + side, at + side}}, 5);
            if (n == off) a.terrain.unstamp(id);
            if (n == both) {
                was_equal = a.store.hash() == b.store.hash();
                for (OneField* one : {&a, &b}) one->terrain.stamp(CellArea{{10, 2}, {12, 50}}, 100);
            }
            a.update();
            b.update();
            if (!was_equal) continue;
            ASSERT_EQ(a.store.hash(), b.store.hash()) << "seed " << seed << ", frame " << n;
            ASSERT_TRUE(same(a.field(), b.field())) << "seed " << seed << ", frame " << n;
        }
        equal += was_equal ? 1 : 0;
    }
    EXPECT_GT(equal, 20);
}

TEST(FieldStore, ARepairOfOneFieldLeavesTheBuildOfAnotherSpreadOverItsFrames) {
    OneField one({.cells_per_frame = 256, .goal_interval = 1},
                 Map{64, 64, 1.0, std::vector<std::uint8_t>(4096, 1)}, {{{5, 5}}, {{60, 60}}});  // 16 frames
    one.store.set_goals(0, std::vector<Cell>{{30, 30}});
    const std::size_t most = FieldBuilder::build_work(4096) / 16 + 64;
    std::int64_t repairs = 0;
    for (int n = 0; n < 17; ++n) {
        if (n % 3 == 1) one.terrain.stamp(CellArea{{n, 62}, {n + 1, 63}}, kWallCost);
        const FieldCounts counts = one.update();
        EXPECT_LE(one.store.worked(), most) << n;
        repairs += counts.repairs;
        EXPECT_EQ(counts.builds, n == 16 ? 1 : 0) << n;
    }
    EXPECT_GE(repairs, 5) << "of set 1 alone, while set 0 is being built";
}

TEST(FieldStore, SpareMemoryGoesWhenFieldsChangeNoMore) {
    std::vector<FieldStore::Goals> sets;
    for (int s = 0; s < 12; ++s) sets.push_back({{s, s}});
    OneField one({.goal_interval = 1}, Map{64, 64, 1.0, std::vector<std::uint8_t>(4096, 1)}, sets);
    EXPECT_EQ(one.store.spare_fields(), 0u);
    one.terrain.stamp(CellArea{{50, 50}, {51, 51}}, 3);
    one.update();
    one.update();
    EXPECT_EQ(one.store.spare_fields(), 12u);
    for (int n = 0; n < 700; ++n) one.update();
    EXPECT_EQ(one.store.spare_fields(), 0u);
}

RC_GTEST_PROP(FieldStore, AfterEveryEditTheFieldsAreThoseOfTheCostsAndGoals, (std::uint32_t seed)) {
    StoreWorld world(seed, {.cells_per_frame = 400, .goal_interval = 3}, nullptr);
    for (int round = 0; round < 4; ++round) {
        for (int n = 0; n < 12; ++n) world.step();
        for (int n = 0; n < 20; ++n) world.store.update(world.frame++, world.layers());  // until all is done
        RC_ASSERT(world.store.pending() == 0u);
        for (std::size_t set = 0; set < 3; ++set) {
            for (int layer = 0; layer < 2; ++layer) {
                const Map& map = world.map(layer);
                const Field fresh = build_field(map, free_ones(map, world.store.goals(set)));
                RC_ASSERT(same(world.store.find(set, layer).field, fresh));
            }
        }
    }
}

}  // namespace
}  // namespace horde
