#include <gtest/gtest.h>

#include <string>

#include "horde/error.h"
#include "horde/files.h"
#include "scratch_folder.h"

namespace horde {
namespace {

Scene scene_with(const ScratchFolder& folder, const std::string& text) {
    Scene scene;
    scene.map.rows = {"...", "..@"};
    scene.folder = folder.file("");
    scene.terrain.heights = "heights.txt";
    folder.write("heights.txt", text);
    return scene;
}

std::string error_of(const std::string& text) {
    const ScratchFolder folder;
    const Scene scene = scene_with(folder, text);
    try {
        make_heights(scene, *make_map(scene));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(SceneHeights, AreReadCellByCell) {
    const ScratchFolder folder;
    const Scene scene = scene_with(folder, "# metres\n0 0.5 -1\r\n\n1e1, 2.25 ;3\n");
    EXPECT_EQ(make_heights(scene, *make_map(scene)),
              (std::vector<float>{0.0f, 0.5f, -1.0f, 10.0f, 2.25f, 3.0f}));
}

TEST(SceneHeights, AreAbsentUnlessAskedFor) {
    Scene scene;
    scene.map.rows = {"..."};
    EXPECT_TRUE(make_heights(scene, *make_map(scene)).empty());
    scene.terrain.hills = 3.0;
    EXPECT_EQ(make_heights(scene, *make_map(scene)).size(), 3u);
    scene.terrain.heights = "x.txt";
    EXPECT_THROW(make_heights(scene, *make_map(scene)), Error) << "one of the two";
}

TEST(SceneHeights, ThatDoNotFitNameTheLine) {
    const auto expect = [](const std::string& text, const std::string& place, const std::string& part) {
        const std::string error = error_of(text);
        EXPECT_NE(error.find(place), std::string::npos) << text << "\ngave: " << error;
        EXPECT_NE(error.find(part), std::string::npos) << text << "\ngave: " << error;
        EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    };
    expect("0 0 0\n0 0\n", "heights.txt:2", "has 2 heights, but the map has 3 columns");
    expect("0 0 0\n0 0 0 0\n", "heights.txt:2", "more than 3 heights");
    expect("0 0 0\n0 x 0\n", "heights.txt:2", "'x' is no height");
    expect("0 0 0\n0 nan 0\n", "heights.txt:2", "'nan' is no height");
    expect("0 0 0\n0 1e7 0\n", "heights.txt:2", "'1e7' is no height");
    expect("0 0 0\n", "heights.txt:", "ends after 1 lines");
    expect("0 0 0\n0 0 0\n0 0 0\n", "heights.txt:3", "more lines");
    Scene scene;
    scene.map.rows = {"..."};
    scene.terrain.heights = "nowhere.txt";
    EXPECT_THROW(make_heights(scene, *make_map(scene)), Error);
}

}  // namespace
}  // namespace horde
