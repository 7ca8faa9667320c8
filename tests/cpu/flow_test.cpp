// The flow stage in lanes against its slow twins: the scalar row and the heap Dijkstra.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "../sim/field_maps.h"
#include "cpu/lanes/lanes.h"
#include "cpu/simd.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

std::vector<FlowKernel> kernels() {
    std::vector<FlowKernel> all = {choose_row_steps};
    for (int n = 0; n < lane_set_count(); ++n) all.push_back(lane_set(n).flow);
    return all;
}

// Any map, field narrow or wide: every kernel gives the directions of the reference, the whole field and
// a part of it, and touches nothing beside that part.
RC_GTEST_PROP(FlowInLanes, GivesTheDirectionsOfTheReference, (unsigned seed)) {
    std::mt19937 random(seed);
    const auto columns = *rc::gen::element(1, 2, 15, 16, 17, 63, 64, 65, 128, 129, 200);
    const auto rows = *rc::gen::inRange(1, 12);
    const Map map =
        random_map(random, columns, rows, *rc::gen::element(0u, 10u, 30u), *rc::gen::element(1u, 2u, 254u));
    const auto goals = random_goals(random, map, *rc::gen::element<std::size_t>(0, 1, 3));
    const Field slow = build_field_reference(map, goals);
    const std::uint32_t limit = *rc::gen::element(kUnreachable32 - 1, 0u);
    const auto pick = [&](std::int32_t end) { return static_cast<std::int32_t>(random() % (end + 1u)); };
    for (const FlowKernel kernel : kernels()) {
        FieldBuilder builder(limit);
        builder.use_flow_kernel(kernel);
        builder.set_map(map);
        Field field;
        field.goals = goals;
        builder.integrate(field);
        builder.flow(field);
        RC_ASSERT(field.flow == slow.flow);
        const Cell from{pick(columns), pick(rows)}, to{pick(columns), pick(rows)};
        std::vector<Direction> expected(field.flow.size(), static_cast<Direction>(77));
        field.flow = expected;
        builder.flow(field, from, to);
        for (Cell c; c.row < rows; ++c.row) {
            for (c.column = 0; c.column < columns; ++c.column) {
                const bool inside =
                    c.column >= from.column && c.column < to.column && c.row >= from.row && c.row < to.row;
                if (inside) expected[map.index(c)] = slow.flow[map.index(c)];
            }
        }
        RC_ASSERT(field.flow == expected);
    }
}

// Rows of any numbers, whether a field can hold them or not: the kernels are one function.
RC_GTEST_PROP(FlowInLanes, IsTheFunctionOfTheScalarRow, (unsigned seed)) {
    std::mt19937 random(seed);
    const std::size_t cells = *rc::gen::inRange<std::size_t>(1, 200);
    const std::size_t padded = (cells + kRowBlock - 1) / kRowBlock * kRowBlock + 2;
    std::vector<std::uint32_t> values[3];
    const std::uint32_t spread = *rc::gen::element(2u, 3000u, 0xffffffffu);
    for (auto& row : values) {
        for (std::size_t i = 0; i < padded; ++i)
            row.push_back(static_cast<std::uint32_t>(random()) % spread * 408u);
    }
    std::vector<std::uint8_t> cost(padded), moves(padded);
    for (auto& c : cost) c = static_cast<std::uint8_t>(1 + random() % (random() % 2 ? 255 : 2));
    for (auto& m : moves) m = static_cast<std::uint8_t>(random());
    const FlowRow row{values[0].data() + 1, values[1].data() + 1, values[2].data() + 1, cost.data(),
                      moves.data()};
    std::vector<Direction> expected(cells + 8, static_cast<Direction>(77));
    const std::vector<Direction> untouched = expected;
    choose_row_steps(row, cells, expected.data());
    for (const FlowKernel kernel : kernels()) {
        std::vector<Direction> found = untouched;
        kernel(row, cells, found.data());
        RC_ASSERT(found == expected);
    }
}

TEST(FlowInLanes, TakesTheWidthOfTheEnvironmentIfItIsThere) {
    for (int n = 0; n < lane_set_count(); ++n) {
        setenv("HORDE_LANES", std::to_string(lane_set(n).width).c_str(), 1);
        EXPECT_EQ(fastest_flow_kernel(), lane_set(n).flow);
    }
    setenv("HORDE_LANES", "5", 1);
    EXPECT_EQ(fastest_flow_kernel(), lane_set(0).flow);
    unsetenv("HORDE_LANES");
    EXPECT_EQ(fastest_flow_kernel(), lane_set(0).flow);
}

}  // namespace
}  // namespace horde
