#include <gtest/gtest.h>

#include "program.h"

namespace horde {
namespace {

using nlohmann::json;

const std::string kCorner =
    "type octile\nheight 3\nwidth 4\nmap\n"
    "....\n"
    ".@@.\n"
    "...@\n";

TEST(FieldCommand, TellsOfTheMap) {
    const Folder folder;
    const std::string map = folder.file("corner.map", kCorner);
    const json object = json_of({"field", map, "--goal", "0,0"});
    EXPECT_EQ(object["columns"], 4);
    EXPECT_EQ(object["rows"], 3);
    EXPECT_EQ(object["free_cells"], 9);
    EXPECT_EQ(object["reachable_cells"], 9);
    EXPECT_EQ(object["goals"], json::parse("[[0, 0]]"));
    EXPECT_EQ(object["max_value"], 4 * 408);  // the cells (3,1) and (2,2) are four steps away
    EXPECT_EQ(object["integration_bits"], 32);
    EXPECT_GT(object["field_us"], 0.0);
}

TEST(FieldCommand, GoalsStandBeforeOrAfterTheMap) {
    const Folder folder;
    const std::string map = folder.file("corner.map", kCorner);
    const json expected = json::parse("[[0, 0], [3, 0]]");
    EXPECT_EQ(json_of({"field", map, "--goal", "0,0", "--goal", "3,0"})["goals"], expected);
    EXPECT_EQ(json_of({"field", "--goal", "0,0", "--goal", "3,0", map})["goals"], expected);
}

TEST(FieldCommand, ChoosesAGoalOfItsOwn) {
    const Folder folder;
    const json object = json_of({"field", folder.file("corner.map", kCorner)});
    EXPECT_EQ(object["goals"].size(), 1u);
    EXPECT_EQ(object["reachable_cells"], 9);
    const json walls =
        json_of({"field", folder.file("walls.map", "type octile\nheight 1\nwidth 2\nmap\n@T\n")});
    EXPECT_EQ(walls["free_cells"], 0);
    EXPECT_TRUE(walls["max_value"].is_null());
    const json one = json_of({"field", folder.file("one.map", "type octile\nheight 1\nwidth 1\nmap\n.\n")});
    EXPECT_EQ(one["max_value"], 0);
}

TEST(FieldCommand, DrawsAPicture) {
    const Folder folder;
    const std::string map = folder.file("corner.map", kCorner);
    const json object = json_of({"field", map, "--picture", folder / "corner.png"});
    EXPECT_EQ(object["files"], json::array({folder / "corner.png"}));
    EXPECT_TRUE(text_of(folder / "corner.png").starts_with("\x89PNG"));
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"corner.map", "corner.png"}));
}

TEST(NewCommand, WritesASceneThatRuns) {
    const Folder folder;
    const std::string path = folder / "fresh.toml";
    const Finished result = horde_program({"new", path});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(json_of({"run", path, "--steps", "3"})["agents"], 0);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"fresh.toml"});
}

/// What the template's first lines promise.
TEST(NewCommand, ItsAdviceGivesACrowd) {
    const Folder folder;
    const std::string path = folder / "fresh.toml";
    ASSERT_EQ(horde_program({"new", path}).code, 0);
    std::string text = text_of(path);
    const auto replace = [&](const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
    };
    replace("\n# generate = ", "\ngenerate = ");
    replace("\ncount = 0\n", "\ncount = 1000\n");
    replace("\ngoals = 0\n", "\ngoals = 4\n");
    const json object = json_of({"run", folder.file("crowd.toml", text), "--steps", "20"});
    EXPECT_EQ(object["agents_started"], 1000);
    EXPECT_GT(object["metrics"]["mean_speed"], 0.1);
}

TEST(NewCommand, KeepsWhatIsThere) {
    const Folder folder;
    const std::string path = folder.file("mine.toml", "# mine\n");
    expect_refused({"new", path}, "mine.toml");
    EXPECT_EQ(text_of(path), "# mine\n");
    expect_refused({"new", folder / "none/a.toml"}, "none/a.toml");
    expect_refused({"new", folder / "a.txt"}, ".toml");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"mine.toml"});
}

TEST(InfoCommand, TellsOfTheBuild) {
    const json object = json_of({"info"});
    EXPECT_FALSE(object["version"].get<std::string>().empty());
    EXPECT_FALSE(object["compiler"].get<std::string>().empty());
    EXPECT_EQ(object["backends"][0], "scalar");
    EXPECT_GE(object["lane_widths"][0], 1);
    EXPECT_GE(object["threads"], 1);
    const Finished text = horde_program({"info"});
    EXPECT_NE(text.out.find(object["version"].get<std::string>()), std::string::npos);
}

TEST(Help, IsNoError) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--help"}, {"run", "--help"}, {"bench", "frame", "--help"}}) {
        const Finished result = horde_program(arguments);
        EXPECT_EQ(result.code, 0);
        EXPECT_EQ(result.err, "");
        EXPECT_NE(result.out.find("--help"), std::string::npos);
    }
    EXPECT_TRUE(horde_program({"--version"}).out.starts_with("horde "));
}

TEST(BenchCommand, FrameRowsHaveTheKeysOfTheContract) {
    const Folder folder;
    const json object = json_of({"bench", "frame", "--scene", kPlaza, "--agents", "20,40", "--steps", "5",
                                 "--repeat", "2", "--csv", folder / "frame.csv"});
    ASSERT_EQ(object["rows"].size(), 2u);
    for (const json& row : object["rows"]) {
        for (const char* key : {"name", "agents", "dim", "threads", "backend", "ms", "stage_ms", "candidates",
                                "neighbours", "state_hash"}) {
            EXPECT_TRUE(row.contains(key)) << key;
        }
        EXPECT_LE(row["ms"]["min"], row["ms"]["median"]);
        EXPECT_LE(row["ms"]["median"], row["ms"]["max"]);
        EXPECT_TRUE(row["stage_ms"].contains("steer"));
    }
    EXPECT_EQ(object["rows"][1]["agents"], 40);
    const std::string csv = text_of(folder / "frame.csv");
    EXPECT_TRUE(csv.starts_with("date,commit,compiler,flags,machine,name,")) << csv;
    const std::size_t stages = object["rows"][0]["stage_ms"].size();
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<std::ptrdiff_t>(1 + 2 * (1 + stages)));
    EXPECT_NE(csv.find(object["rows"][0]["state_hash"].get<std::string>()), std::string::npos);
}

TEST(BenchCommand, FieldRowsTellOfStages) {
    const json object = json_of({"bench", "field", "--sides", "32", "--repeat", "7"});
    ASSERT_EQ(object["rows"].size(), 1u);
    EXPECT_EQ(object["rows"][0]["cells"], 1024);
    EXPECT_TRUE(object["rows"][0]["stage_ms"].contains("integrate"));
    EXPECT_TRUE(object["rows"][0]["stage_ms"].contains("flow"));
    expect_refused({"bench", "field", "--csv", "/no/such/folder/a.csv"}, "/no/such/folder/a.csv");
}

}  // namespace
}  // namespace horde
