#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "horde/files.h"
#include "movingai_files.h"
#include "sim/field/sample.h"

// A sanitizer makes the whole list take an hour.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HORDE_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HORDE_TEST_SANITIZED 1
#endif
#endif
#if !defined(HORDE_TEST_SANITIZED) && defined(NDEBUG)
#define HORDE_TEST_EVERY 1
#else
#define HORDE_TEST_EVERY 20
#endif

namespace horde {
namespace {

class EveryScen : public testing::TestWithParam<std::filesystem::path> {
  protected:
    void SetUp() override {
        lines_ = load_scen(GetParam().string());
        ASSERT_FALSE(lines_.empty());
        map_ = scale_map(load_map(map_of_scen(GetParam())), lines_[0].columns, lines_[0].rows);
    }

    Map map_;
    std::vector<ScenLine> lines_;
};

TEST_P(EveryScen, HasTheLengthsOfTheFile) {
    const ScenReport report = check_scen(map_, lines_, HORDE_TEST_EVERY);
    EXPECT_EQ(report.lines, (static_cast<std::int64_t>(lines_.size()) - 1) / HORDE_TEST_EVERY + 1);
    EXPECT_EQ(report.mismatches, 0);
    for (const std::string& text : report.first_mismatches) ADD_FAILURE() << text;
    std::printf("%lld lines, worst error %.6f cells\n", static_cast<long long>(report.lines),
                report.worst_error);
}

// Steps of 0.2 cells from the start's centre along the samples, sliding an axis at a time. The way is much
// the same length as the file's, never through a wall.
TEST_P(EveryScen, LeadsALoneAgentToTheGoal) {
    constexpr double kStep = 0.2;
    const std::size_t every = std::max<std::size_t>(1, lines_.size() / 20);
    for (std::size_t i = 0; i < lines_.size(); i += every) {
        const ScenLine& line = lines_[i];
        const Field field = build_field(map_, std::vector<Cell>{line.goal});
        const FieldView view{field.flow.data(), map_.cost.data(), map_.columns, map_.rows};
        const auto cell_at = [](double x, double y) {
            return Cell{static_cast<std::int32_t>(std::floor(x)), static_cast<std::int32_t>(std::floor(y))};
        };
        double x = line.start.column + 0.5, y = line.start.row + 0.5;
        const int most = static_cast<int>(1.5 * line.length / kStep) + 20;
        int steps = 0;
        for (; steps < most && cell_at(x, y) != line.goal; ++steps) {
            const FlowVector flow = sample_flow(view, x, y);
            if (map_.is_free(cell_at(x + kStep * flow.x, y))) x += kStep * flow.x;
            if (map_.is_free(cell_at(x, y + kStep * flow.y))) y += kStep * flow.y;
            ASSERT_TRUE(map_.is_free(cell_at(x, y)));
        }
        EXPECT_LT(steps, most) << "line " << line.line << ": stands at " << x << ", " << y;
    }
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
    std::string name = info.param.stem().stem().string();
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(MovingAi, EveryScen, testing::ValuesIn(movingai_scens()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryScen);

TEST(ScenData, IsWhole) {
    if (movingai_scens().empty()) GTEST_SKIP() << "no data in " << movingai_folder();
    EXPECT_EQ(movingai_scens().size(), 12u);
}

// users.md U55 (Claw3D#6, PathFinding.js#17, easystarjs#25): the pair that the competition's own file has.
TEST(Users, U55TheDiagonalPastACornerOfBerlinCostsTwoSteps) {
    const std::filesystem::path file = movingai_folder() / "cities-Berlin_0_256.map";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
    const Map map = load_map(file.string());
    const Cell start{248, 165}, goal{249, 164};
    ASSERT_TRUE(map.is_free(start) && map.is_free(goal));
    const Field field = build_field(map, {&goal, 1});
    EXPECT_EQ(field.value(map.index(start)), 2u * kStraightStep);
}

}  // namespace
}  // namespace horde
