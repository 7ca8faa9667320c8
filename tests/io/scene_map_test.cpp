#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "horde/error.h"
#include "horde/files.h"

namespace horde {
namespace {

Scene scene_of(const std::string& text) {
    return parse_scene(text, "test.toml");
}

void expect_error(const Scene& scene, const std::string& part) {
    try {
        make_map(scene);
        ADD_FAILURE() << "no error that says: " << part;
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

TEST(SceneMap, IsAbsentUnlessNamed) {
    EXPECT_FALSE(make_map(scene_of("")));
}

TEST(SceneMap, ReadsRows) {
    const auto map = make_map(scene_of("[map]\nrows = [\".1@\", \"29.\"]\ncell_size = 0.5\n"));
    ASSERT_TRUE(map);
    EXPECT_EQ(map->columns, 3);
    EXPECT_EQ(map->rows, 2);
    EXPECT_EQ(map->cell_size, 0.5);
    EXPECT_EQ(map->cost, (std::vector<std::uint8_t>{1, 1, kWallCost, 2, 9, 1}));
}

TEST(SceneMap, NamesTheRowThatIsWrong) {
    expect_error(scene_of("[map]\nrows = [\"..\", \"...\"]\n"), "row 1 has 3 cells, row 0 has 2");
    expect_error(scene_of("[map]\nrows = [\"..\", \".0\"]\n"), "row 1, column 1 is '0'");
    expect_error(scene_of("[map]\nrows = [\"\"]\n"), "row 0 is empty");
    expect_error(scene_of("[map]\nrows = [\"" + std::string(kMaxMapSide + 1, '.') + "\"]\n"), "8192");
    expect_error(scene_of("[map]\nrows = [\"\\n\"]\n"), "row 0, column 0 is '?'");
}

TEST(SceneMap, TakesOneSourceOnly) {
    expect_error(scene_of("[map]\nrows = [\".\"]\ngenerate = \"city\"\n"), "keep one");
    expect_error(scene_of("[map]\nrows = [\".\"]\nfile = \"a.map\"\n"), "keep one");
    Scene scene;
    scene.map.generate = "village";
    expect_error(scene, "\"village\"");
}

TEST(SceneMap, IsTheSmallestOne) {
    const auto map = make_map(scene_of("[map]\nrows = [\"@\"]\n"));
    EXPECT_EQ(map->cost, std::vector<std::uint8_t>{kWallCost});
}

TEST(SceneMap, FileIsRelativeToTheFolderOfTheScene) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "horde_scene_map_test";
    std::filesystem::create_directories(folder / "maps");
    std::ofstream(folder / "maps" / "two.map") << "type octile\nheight 1\nwidth 2\nmap\n.@\n";
    Scene scene =
        parse_scene("[map]\nfile = \"maps/two.map\"\ncell_size = 3\n", (folder / "test.toml").string());
    const auto map = make_map(scene);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->cost, (std::vector<std::uint8_t>{1, kWallCost}));
    EXPECT_EQ(map->cell_size, 3.0);
    scene.folder = "/elsewhere";
    expect_error(scene, "two.map");
    scene.map.file = (folder / "maps" / "two.map").string();
    EXPECT_EQ(make_map(scene)->columns, 2);
    std::filesystem::remove_all(folder);
}

TEST(SceneMap, GeneratesACityBySeed) {
    const Scene scene = scene_of("[map]\ngenerate = \"city\"\nwidth = 48\nheight = 40\ncell_size = 2\n");
    const auto map = make_map(scene);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->columns, 48);
    EXPECT_EQ(map->rows, 40);
    EXPECT_EQ(map->cell_size, 2.0);
    EXPECT_EQ(make_map(scene)->cost, map->cost);
}

}  // namespace
}  // namespace horde
