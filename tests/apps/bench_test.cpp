// What `horde bench` prints and writes; what it measures is tested in tests/bench.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "program.h"

namespace horde {
namespace {

using nlohmann::json;

TEST(BenchCommand, StepRowsHaveTheKeysOfTheContract) {
    const Folder folder;
    const json object = json_of({"bench", "step", "--agents", "200,300", "--dim", "3", "--neighbours", "8",
                                 "--distribution", "clustered", "--rule", "vicsek", "--steps", "2",
                                 "--repeat", "1", "--csv", folder / "step.csv"});
    ASSERT_EQ(object["rows"].size(), 4u);
    const json& row = object["rows"][2];
    EXPECT_EQ(row["name"], "step");
    EXPECT_EQ(row["scene"], "vicsek-3d-clustered-8");
    EXPECT_EQ(row["agents"], 300);
    EXPECT_EQ(row["dim"], 3);
    EXPECT_TRUE(row["stage_ms"].contains("grid"));
    EXPECT_GT(row["neighbours_per_agent"], 4.0);
    EXPECT_EQ(object["rows"][3]["name"], "reference");
    const std::string csv = text_of(folder / "step.csv");
    const std::string header = csv.substr(0, csv.find('\n'));
    EXPECT_TRUE(
        header.ends_with(",state_hash,neighbours_per_agent,candidates_per_agent,side,first_ms,reference_ms,"
                         "references"))
        << header;
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    const std::size_t last = csv.rfind('\n', csv.size() - 2) + 1;
    EXPECT_GE(commas(csv.substr(last)), commas(header));  // quoted fields may hold some
}

TEST(BenchCommand, ListsAreTheSameOnEveryBackend) {
    const auto hashes = [](const std::string& backend, const std::string& threads) {
        const json object = json_of({"bench", "lists", "--agents", "3000", "--dim", "3", "--repeat", "2",
                                     "--backend", backend, "--threads", threads, "--periodic"});
        EXPECT_EQ(object["rows"].size(), 4u);
        std::vector<std::string> all;
        for (const json& row : object["rows"]) {
            EXPECT_EQ(row["name"], "lists");
            EXPECT_TRUE(row["stage_ms"].contains("build"));
            EXPECT_GT(row["neighbours_per_agent"], 20.0);
            all.push_back(row["state_hash"]);
        }
        EXPECT_EQ(object["rows"][3]["scene"], "3d-uniform-periodic-sorted-given-order");
        return all;
    };
    const auto scalar = hashes("scalar", "1");
    EXPECT_EQ(hashes("auto", "1"), scalar);
    EXPECT_EQ(hashes("auto", "2"), scalar);
}

TEST(BenchCommand, StepHasRowsForEachSizeBackendAndNumberOfThreads) {
    const json object = json_of({"bench", "step", "--agents", "100,200", "--backend", "simd,scalar",
                                 "--threads", "1,2", "--neighbours", "8", "--steps", "1", "--repeat", "1"});
    std::vector<std::string> ways;
    for (const json& row : object["rows"]) {
        if (row["name"] != "step") continue;
        ways.push_back(std::to_string(row["agents"].get<int>()) + row["backend"].get<std::string>() +
                       std::to_string(row["threads"].get<int>()));
    }
    EXPECT_EQ(ways, (std::vector<std::string>{"100simd1", "100simd2", "100scalar1", "200simd1", "200simd2",
                                              "200scalar1"}));
    std::set<std::string> states;
    for (const json& row : object["rows"]) {
        if (row["name"] == "step" && row["agents"] == 200) states.insert(row["state_hash"]);
    }
    EXPECT_EQ(states.size(), 1u);
    expect_refused({"bench", "step", "--threads", "1,x"}, "x");
    expect_refused({"bench", "step", "--backend", "simd,fast"}, "fast");
}

TEST(BenchCommand, StepDrawsTimesOverAgentsAndCountsBytes) {
    const Folder folder;
    const json object =
        json_of({"bench", "step", "--agents", "100,200,400", "--backend", "scalar", "--neighbours", "8",
                 "--steps", "1", "--repeat", "1", "--plot", folder / "."});
    EXPECT_TRUE(std::filesystem::exists(folder / "step-2d.png"));
    for (const json& row : object["rows"]) {
        if (row["name"] != "step") continue;
#ifdef __SANITIZE_ADDRESS__
        EXPECT_TRUE(row["bytes_per_agent"].is_null());  // its allocator does not tell what is in use
#else
        EXPECT_GT(row["bytes_per_agent"], 40.0);  // positions and velocities twice, acceleration, id
#endif
    }
}

TEST(BenchCommand, StepSaysWhyThereIsNoBox) {
    expect_refused({"bench", "step", "--agents", "10", "--neighbours", "9", "--repeat", "1"}, "--neighbours");
    expect_refused({"bench", "step", "--rule", "boids"}, "boids");
    expect_refused({"bench", "step", "--dim", "4"}, "4");
}

TEST(BenchCommand, AlmanacGivesRowsAndVerdicts) {
    const json object = json_of({"bench", "almanac", "--agents", "20,40", "--repeat", "2"});
    EXPECT_EQ(object["rows"].size(), 8u);
    EXPECT_EQ(object["rows"][0]["name"], "almanac-three-scans");
    EXPECT_TRUE(object["rows"][0]["growth"].is_null());
    EXPECT_GT(object["rows"][4]["growth"], 0.0);
    ASSERT_FALSE(object["verdicts"].empty());
    for (const json& verdict : object["verdicts"]) {
        for (const char* key : {"name", "text", "holds", "numbers", "timing"})
            EXPECT_TRUE(verdict.contains(key)) << key;
        if (!verdict["timing"]) {
            EXPECT_TRUE(verdict["holds"]) << verdict["text"];
        }
    }
}

TEST(BenchCommand, CrossoverDrawsAPlot) {
    const Folder folder;
    const json object =
        json_of({"bench", "crossover", "--agents", "8,40", "--repeat", "1", "--plot", folder / "."});
    EXPECT_EQ(object["rows"].size(), 10u);
    EXPECT_EQ(object["crossings"].size(), 5u);
    EXPECT_GT(object["brute_below"], 0);
    EXPECT_TRUE(text_of(folder / "crossover.png").starts_with("\x89PNG"));
}

TEST(BenchCommand, CellSizeDrawsAPlotOfEachPart) {
    const Folder folder;
    const json object = json_of({"bench", "cell-size", "--part", "cap", "--agents", "1000", "--steps", "1",
                                 "--repeat", "1", "--plot", folder / "."});
    EXPECT_EQ(object["rows"].size(), 24u);
    EXPECT_TRUE(text_of(folder / "cap.png").starts_with("\x89PNG"));
    expect_refused({"bench", "cell-size", "--agents", "10,20"}, "--agents");
    expect_refused({"bench", "cell-size", "--part", "walls"}, "walls");
    expect_refused({"bench", "crossover", "--plot", "/no/such/folder"}, "/no/such/folder");
}

TEST(BenchCommand, CongestionDrawsAPictureOfEachScene) {
    const Folder folder;
    const json object = json_of({"bench", "congestion", "--scenes", "corridor-gap,door", "--picture",
                                 folder / ".", "--csv", folder / "rows.csv"});
    ASSERT_EQ(object["rows"].size(), 2u);
    EXPECT_EQ(object["rows"][0]["name"], "congestion-corridor-gap");
    EXPECT_GT(object["rows"][0]["lane_order"], 0.5);
    EXPECT_TRUE(object["rows"][1]["lane_order"].is_null());
    EXPECT_GT(object["rows"][1]["throughput"], 1.0);
    EXPECT_TRUE(text_of(folder / "corridor-gap.png").starts_with("\x89PNG"));
    EXPECT_TRUE(text_of(folder / "door.png").starts_with("\x89PNG"));
    EXPECT_NE(text_of(folder / "rows.csv").find("clear_s"), std::string::npos);
    expect_refused({"bench", "congestion", "--scenes", "stairs"}, "stairs");
}

}  // namespace
}  // namespace horde
