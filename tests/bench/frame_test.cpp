// Rows of whole frames, and the picture of a trace.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "bench/frame.h"
#include "bench/plot/trace_picture.h"
#include "horde/error.h"

namespace horde::bench {
namespace {

Scene small_crowd() {
    Scene scene;
    scene.name = "small";
    scene.map.rows.assign(40, std::string(40, '.'));
    scene.field.goal_sets = {{{38, 20}}};
    SceneAgents agents;
    agents.count = 300;
    scene.agents.push_back(agents);
    scene.rules["crowd"] = CrowdRule{};
    return scene;
}

std::map<std::string, double> values_of(const Row& row) {
    return {row.values.begin(), row.values.end()};
}

TEST(FrameBench, ARowTellsWorstFramesPairsAndWhoIsDrawn) {
    const Row row =
        bench_frame(small_crowd(), {.warm_up = 5, .steps = 10, .repeat = 2, .camera = 0.25, .tiers = true});
    std::map<std::string, double> values = values_of(row);
    EXPECT_GT(values["p50_ms"], 0.0);
    EXPECT_LE(values["p50_ms"], values["p99_ms"]);
    EXPECT_LE(values["p99_ms"], values["worst_ms"]);
    EXPECT_DOUBLE_EQ(values["busy"], 1.0) << "one thread always is";
    EXPECT_EQ(values["pairs"], 300.0 * 299.0 / 2.0);
    EXPECT_GT(values["candidates_a_frame"], 300.0);
    EXPECT_GT(values["visible"], 30.0);
    EXPECT_LT(values["visible"], 200.0);
    EXPECT_EQ(values["batches"], 1.0);
    EXPECT_GT(values["near"], 0.0);
    const Row plain = bench_frame(small_crowd(), {.warm_up = 1, .steps = 2, .repeat = 1});
    EXPECT_TRUE(std::isnan(values_of(plain)["visible"]));
    EXPECT_TRUE(std::isnan(values_of(plain)["near"]));
}

TEST(FrameBench, BeforeAndAfterHoldsTheStateWhereNothingMayChangeIt) {
    std::map<std::string, Row> rows;
    for (const Row& row : bench_before_after(small_crowd(), {.warm_up = 2, .steps = 3, .repeat = 1}))
        rows[row.name] = row;
    for (const char* name : {"full", "no-tiers", "no-culling", "one-thread", "staggered", "separation",
                             "all-pairs", "sort-pairs", "sort-cells"}) {
        ASSERT_EQ(rows.count(name), 1u) << name;
        EXPECT_GT(rows[name].ms.median, 0.0);
    }
    EXPECT_EQ(rows["full"].state_hash, rows["no-culling"].state_hash);
    EXPECT_EQ(rows["full"].state_hash, rows["one-thread"].state_hash);
    EXPECT_NE(rows["full"].state_hash, rows["staggered"].state_hash);
    EXPECT_EQ(values_of(rows["no-culling"])["visible"], 300.0);
    EXPECT_EQ(values_of(rows["all-pairs"])["candidates_a_frame"], 300.0 * 300.0);
    EXPECT_LT(values_of(rows["full"])["candidates_a_frame"], 300.0 * 100.0);
}

TEST(TracePicture, DrawsATrackForEachThread) {
    const std::vector<TraceSlice> slices = trace_frames(small_crowd(), {.threads = 2, .tiers = true}, 3);
    EXPECT_EQ(std::count_if(slices.begin(), slices.end(),
                            [](const TraceSlice& s) { return std::string(s.stage) == "step"; }),
              3);
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("horde-trace-" + std::to_string(getpid()) + ".png");
    write_trace_picture(path.string(), "three frames", slices);
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(bytes.starts_with("\x89PNG"));
    const auto height = [&] {  // in the header of a PNG
        return static_cast<unsigned char>(bytes[22]) * 256 + static_cast<unsigned char>(bytes[23]);
    };
    int tracks = 0;
    for (const TraceSlice& slice : slices) tracks = std::max(tracks, slice.track + 1);
    const int two = height();
    std::vector<TraceSlice> more = slices;
    more.back().track = tracks;
    write_trace_picture(path.string(), "three frames", more);
    std::ifstream again(path, std::ios::binary);
    const std::string taller{std::istreambuf_iterator<char>(again), {}};
    EXPECT_EQ(static_cast<unsigned char>(taller[22]) * 256 + static_cast<unsigned char>(taller[23]),
              two + 94);
    std::filesystem::remove(path);
    EXPECT_THROW(write_trace_picture("/dev/null/trace.png", "", slices), Error);
}

}  // namespace
}  // namespace horde::bench
