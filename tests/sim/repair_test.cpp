#include "sim/field/repair.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "field_maps.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

// Empty if the fields are the same in every member, else the first difference.
std::string difference(const Field& found, const Field& expected) {
    if (found.columns != expected.columns || found.rows != expected.rows) return "another size";
    if (found.goals != expected.goals) return "other goals";
    if (found.wide() != expected.wide()) return "another width of values";
    if (found.integration.size() != expected.integration.size()) return "values left over";
    for (std::size_t i = 0; i < expected.flow.size(); ++i) {
        const std::string where = " in cell " + std::to_string(i);
        if (found.value(i) != expected.value(i))
            return std::to_string(found.value(i)) + " instead of " + std::to_string(expected.value(i)) +
                   where;
        if (found.flow[i] != expected.flow[i]) return "another direction" + where;
    }
    return "";
}

Field full(const Map& map, std::span<const Cell> goals, std::uint32_t narrow_limit) {
    FieldBuilder builder(narrow_limit);
    builder.set_map(map);
    Field field;
    field.goals.assign(goals.begin(), goals.end());
    builder.integrate(field);
    builder.flow(field);
    return field;
}

// Gives the cells of a random rectangle walls or costs; returns those that changed, some of them twice.
std::vector<std::uint32_t> random_edit(std::mt19937& random, Map& map, unsigned greatest_cost) {
    const auto side = [&](std::int32_t most) {
        return static_cast<std::int32_t>(random() % static_cast<unsigned>(std::min(most, 6)) + 1);
    };
    const std::int32_t width = side(map.columns);
    const std::int32_t height = side(map.rows);
    const auto left = static_cast<std::int32_t>(random() % static_cast<unsigned>(map.columns - width + 1));
    const auto top = static_cast<std::int32_t>(random() % static_cast<unsigned>(map.rows - height + 1));
    const unsigned kind = random() % 4;  // a wall, a hole, one cost, costs and walls as they come
    const auto one = static_cast<std::uint8_t>(1 + random() % greatest_cost);
    std::vector<std::uint32_t> changed;
    for (std::int32_t row = top; row < top + height; ++row) {
        for (std::int32_t column = left; column < left + width; ++column) {
            const auto index = static_cast<std::uint32_t>(map.index({column, row}));
            const auto drawn = static_cast<std::uint8_t>(1 + random() % greatest_cost);
            const std::uint8_t costs[] = {kWallCost, 1, one, random() % 3 == 0 ? kWallCost : drawn};
            if (map.cost[index] == costs[kind]) continue;
            map.cost[index] = costs[kind];
            changed.push_back(index);
            if (random() % 8 == 0) changed.push_back(index);
        }
    }
    return changed;
}

std::vector<Cell> free_ones(const Map& map, const std::vector<Cell>& goals) {
    std::vector<Cell> free;
    for (const Cell goal : goals) {
        if (map.is_free(goal)) free.push_back(goal);
    }
    return free;
}

RC_GTEST_PROP(Repair, EqualsAFullBuildAfterEverySequenceOfEdits, (unsigned seed)) {
    std::mt19937 random(seed);
    const auto greatest = *rc::gen::element(1u, 2u, 10u, 254u);
    const auto columns = *rc::gen::inRange(1, 70);
    const auto rows = *rc::gen::inRange(1, 50);
    Map map = random_map(random, columns, rows, *rc::gen::inRange(0u, 50u), greatest);
    std::vector<Cell> goals = random_goals(random, map, *rc::gen::element<std::size_t>(0, 1, 1, 2, 5));
    Field field = full(map, goals, kUnreachable32 - 1);
    FieldRepairer repairer;
    for (int n = 0; n < 12; ++n) {
        std::vector<std::uint32_t> changed;
        for (unsigned k = random() % 3; k < 3; ++k) {
            const auto more = random_edit(random, map, greatest);
            changed.insert(changed.end(), more.begin(), more.end());
        }
        if (random() % 4 == 0) goals = random_goals(random, map, random() % 3);
        const std::vector<Cell> free = free_ones(map, goals);
        RC_ASSERT(repairer.repair(map, changed, free, FieldRepairer::kNoLimit, field));
        RC_ASSERT(difference(field, full(map, free, kUnreachable32 - 1)) == "");
    }
}

RC_GTEST_PROP(Repair, EqualsAFullBuildAroundTheLimitOf32Bits, (unsigned seed)) {
    std::mt19937 random(seed);
    Map map = random_map(random, *rc::gen::inRange(5, 40), *rc::gen::inRange(5, 40), 25, 20);
    const std::vector<Cell> goals = random_goals(random, map, 1);
    // Fields near the limit: some wide, some not, some on the way from one to the other.
    std::uint64_t greatest = 1;
    const Field plain = full(map, goals, kUnreachable32 - 1);
    for (const std::uint32_t value : plain.integration)
        greatest = std::max<std::uint64_t>(greatest, value == kUnreachable32 ? 0 : value);
    const auto limit = static_cast<std::uint32_t>(greatest * *rc::gen::inRange(1u, 12u) / 8);
    Field field = full(map, goals, limit);
    FieldRepairer repairer(limit);
    for (int n = 0; n < 12; ++n) {
        const auto changed = random_edit(random, map, 20);
        const std::vector<Cell> free = free_ones(map, goals);
        const Field expected = full(map, free, limit);
        const bool wide = field.wide();
        if (!repairer.repair(map, changed, free, FieldRepairer::kNoLimit, field)) {
            RC_ASSERT(!wide);  // a value may have passed the limit; one of 64 bits never does
            field = expected;
        }
        RC_ASSERT(difference(field, expected) == "");
    }
}

TEST(Repair, GivesUpBeyondItsBudgetAndCanBeUsedAgain) {
    std::mt19937 random(3);
    Map map = random_map(random, 60, 60, 0, 1);
    const std::vector<Cell> goals = {{30, 30}};
    const Field before = full(map, goals, kUnreachable32 - 1);
    std::vector<std::uint32_t> changed;
    for (std::int32_t row = 20; row < 40; ++row) {  // all of the east must go round
        map.cost[map.index({40, row})] = kWallCost;
        changed.push_back(static_cast<std::uint32_t>(map.index({40, row})));
    }
    FieldRepairer repairer;
    Field field = before;
    EXPECT_FALSE(repairer.repair(map, changed, goals, 100, field));
    field = before;
    EXPECT_TRUE(repairer.repair(map, changed, goals, FieldRepairer::kNoLimit, field));
    EXPECT_EQ(difference(field, full(map, goals, kUnreachable32 - 1)), "");
}

TEST(Repair, LeavesAloneWhatAnEditDoesNotReach) {
    std::mt19937 random(4);
    Map map = random_map(random, 200, 200, 0, 1);
    const std::vector<Cell> goals = {{10, 10}};
    Field field = full(map, goals, kUnreachable32 - 1);
    map.cost[map.index({150, 120})] = kWallCost;
    const auto edit = static_cast<std::uint32_t>(map.index({150, 120}));
    // In the open nearly every cell has another way of the same length: a budget of 100 of 40,000 cells does.
    EXPECT_TRUE(FieldRepairer().repair(map, {&edit, 1}, goals, 100, field));
    EXPECT_EQ(difference(field, full(map, goals, kUnreachable32 - 1)), "");
}

TEST(Repair, ClosesAndOpensTheOnlyDoor) {
    Map map = map_of({".........", ".........", "####.####", ".........", "........."});
    const std::vector<Cell> goals = {{0, 0}};
    Field field = full(map, goals, kUnreachable32 - 1);
    const Field open = field;
    const auto door = static_cast<std::uint32_t>(map.index({4, 2}));
    FieldRepairer repairer;
    map.cost[door] = kWallCost;
    ASSERT_TRUE(repairer.repair(map, {&door, 1}, goals, FieldRepairer::kNoLimit, field));
    EXPECT_EQ(field.value(map.index({4, 3})), kUnreachable64);
    EXPECT_EQ(field.flow[map.index({8, 4})], Direction::kUnreachable);
    map.cost[door] = 1;
    ASSERT_TRUE(repairer.repair(map, {&door, 1}, goals, FieldRepairer::kNoLimit, field));
    EXPECT_EQ(difference(field, open), "");
}

}  // namespace
}  // namespace horde
