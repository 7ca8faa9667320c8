#include "bench/living_fields.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "horde/error.h"

namespace horde::bench {
namespace {

std::map<std::string, double> values_of(const Row& row) {
    return {row.values.begin(), row.values.end()};
}

TEST(LivingFieldsBench, TellsWhatItMeasured) {
    const LivingFieldsBench bench{.repeat = 60};
    const Row repair = bench_repair(bench);
    EXPECT_EQ(repair.cells, 512 * 512);
    EXPECT_GT(repair.ms.median, 0.0);
    const auto moving = values_of(bench_moving_goal(bench));
    EXPECT_EQ(moving.at("fields_built"), 4.0);  // of 120 frames, every 30th asked for one
    EXPECT_GT(moving.at("mean_ms"), 0.0);
    EXPECT_EQ(values_of(bench_goals(bench, 2)).at("frames"), 16.0);
}

TEST(LivingFieldsBench, ALargeFieldKeepsToItsFrames) {
    const auto values = values_of(bench_large_field({}, 600));  // 360,000 cells, 32,768 a frame
    EXPECT_EQ(values.at("frames"), 11.0);
    EXPECT_EQ(values.at("repair_frames"), 1.0) << "a repair, not a build";
    EXPECT_THROW(bench_large_field({}, 10), Error);
    EXPECT_THROW(bench_goals({}, 0), Error);
}

}  // namespace
}  // namespace horde::bench
