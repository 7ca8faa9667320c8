#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "bench/plot/plot.h"
#include "horde/error.h"

namespace horde::bench {
namespace {

using Ticks = std::vector<double>;

TEST(Plot, TicksAreRoundNumbers) {
    EXPECT_EQ(choose_ticks(0.0, 10.0, false), (Ticks{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(choose_ticks(-1.0, 1.0, false), (Ticks{-1.0, -0.5, 0.0, 0.5, 1.0}));
    EXPECT_EQ(choose_ticks(3.0, 33.0, false), (Ticks{5, 10, 15, 20, 25, 30}));
}

TEST(Plot, LogTicksArePowersOfTenWhereTheseAreEnough) {
    EXPECT_EQ(choose_ticks(1.0, 1000.0, true), (Ticks{1, 10, 100, 1000}));
    EXPECT_EQ(choose_ticks(1.0, 20.0, true), (Ticks{1, 2, 5, 10, 20}));
}

class PlotFile : public testing::Test {
  protected:
    PlotFile()
        : path_(std::filesystem::temp_directory_path() /
                ("horde-plot-" + std::to_string(getpid()) + ".png")) {}
    ~PlotFile() override { std::filesystem::remove(path_); }

    std::string drawn(const std::vector<Plot>& plots) const {
        write_plots(path_.string(), "heading", "below", plots);
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::filesystem::path path_;
};

TEST_F(PlotFile, IsAPngThatDependsOnThePoints) {
    Plot plot{.title = "a", .x = {.label = "x", .log = true}, .y = {.label = "y", .from_zero = true}};
    plot.lines.push_back(
        {.name = "one", .x = {1, 10, 100}, .y = {1, 2, 3}, .low = {0.5, 1, 2}, .high = {2, 3, 4}});
    const std::string first = drawn({plot});
    EXPECT_TRUE(first.starts_with("\x89PNG"));
    EXPECT_EQ(drawn({plot}), first);
    plot.lines[0].y[1] = 2.5;
    EXPECT_NE(drawn({plot}), first);
}

TEST_F(PlotFile, LeavesOutWhatIsNotFinite) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    Plot plot{.lines = {{.name = "gap", .x = {1, 2, 3, 4}, .y = {1, kNan, 3, 4}},
                        {.name = "flat", .x = {1, 4}, .y = {2, 2}, .dashed = true}}};
    EXPECT_TRUE(drawn({plot, plot}).starts_with("\x89PNG"));
    plot.lines = {{.name = "one point", .x = {1}, .y = {1}}};
    EXPECT_TRUE(drawn({plot}).starts_with("\x89PNG"));
}

TEST_F(PlotFile, SaysWhereItCannotBeWritten) {
    const std::vector<Plot> plots = {Plot{.lines = {{.name = "a", .x = {1, 2}, .y = {1, 2}}}}};
    ASSERT_FALSE(drawn(plots).empty());
    EXPECT_THROW(write_plots(path_ / "below-a-file.png", "", "", plots), Error);
}

}  // namespace
}  // namespace horde::bench
