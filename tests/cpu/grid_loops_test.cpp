// The loops of the grid in lanes against the plain ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cpu/lanes/lanes.h"
#include "sim/grid_loops.h"

namespace horde {
namespace {

float any_place() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (*rc::gen::inRange(0, 8)) {
        case 0:
            return static_cast<float>(*rc::gen::inRange(-40, 40));  // on the edge of a cell, for some sizes
        case 1:
            return *rc::gen::element(0.0f, -0.0f, 1e-30f, -1e-30f, 1e30f, -1e30f, kInfinity, -kInfinity,
                                     std::nanf(""));
        default:
            return static_cast<float>(*rc::gen::inRange(-1000000, 1000000) * 0x1p-12);
    }
}

RC_GTEST_PROP(GridLoops, InLanesFindTheCellsOfThePlainOnes, ()) {
    std::vector<float> x(static_cast<std::size_t>(*rc::gen::inRange(0, 80)));
    for (float& v : x) v = any_place();
    const double per_metre = *rc::gen::element(1.0, 1.0 / 3.0, 1.0 / 60.0, 7.0);
    const auto base = *rc::gen::inRange(-100, 100);
    const auto count = static_cast<std::int64_t>(x.size());
    std::vector<std::int32_t> expected(x.size()), found(x.size());
    std::int32_t expected_range[2] = {50, -50};
    plain_grid_loops().cells(x.data(), count, per_metre, base, expected.data(), expected_range);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isfinite(x[i]) && std::fabs(x[i]) < 1e6f)
            RC_ASSERT(expected[i] == static_cast<std::int32_t>(std::floor(x[i] * per_metre)) - base);
    }
    for (int set = 0; set < lane_set_count(); ++set) {
        if (lane_set(set).grid.cells == nullptr) continue;
        std::int32_t range[2] = {50, -50};
        lane_set(set).grid.cells(x.data(), count, per_metre, base, found.data(), range);
        RC_ASSERT(found == expected);
        RC_ASSERT(range[0] == expected_range[0]);
        RC_ASSERT(range[1] == expected_range[1]);
    }
}

template <class T>
void check_take(void (*GridLoops::*take)(const std::uint32_t*, std::int64_t, const void*, void*, bool)) {
    const auto count = static_cast<std::size_t>(*rc::gen::inRange(0, 200));
    const auto skip = std::min(count, static_cast<std::size_t>(*rc::gen::inRange(0, 20)));
    std::vector<T> from(count + 1);
    std::vector<std::uint32_t> order(count);
    for (T& v : from) v = static_cast<T>(*rc::gen::arbitrary<std::uint64_t>());
    for (std::uint32_t& i : order)
        i = static_cast<std::uint32_t>(*rc::gen::inRange<int>(0, static_cast<int>(count)));
    for (int set = 0; set < lane_set_count(); ++set) {
        if (lane_set(set).grid.cells == nullptr) continue;
        for (const bool stream : {false, true}) {
            std::vector<T> to(count, T{0});
            (lane_set(set).grid.*take)(order.data() + skip, static_cast<std::int64_t>(count - skip),
                                       from.data(), to.data() + skip, stream);
            for (std::size_t i = 0; i < count; ++i) RC_ASSERT(to[i] == (i < skip ? T{0} : from[order[i]]));
        }
    }
}

RC_GTEST_PROP(GridLoops, InLanesTakeFourBytes, ()) {
    check_take<std::uint32_t>(&GridLoops::take32);
}
RC_GTEST_PROP(GridLoops, InLanesTakeEightBytes, ()) {
    check_take<std::uint64_t>(&GridLoops::take64);
}

}  // namespace
}  // namespace horde
