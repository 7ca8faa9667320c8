// Files of saves: what is not whole is not taken.
#include <gtest/gtest.h>

#include "horde/error.h"
#include "horde/world.h"
#include "io/save/save_file.h"
#include "scratch_folder.h"

namespace horde {
namespace {

Scene small_town() {
    Scene scene;
    scene.map.rows = {"..@.....", ".1@9....", "........", "........"};
    scene.field.goal_sets = {{{0, 0}}, {{7, 3}, {7, 2}}};
    scene.agents = {{.count = 5}};
    scene.edits = {{.frame = 1, .cells = CellArea{{4, 1}, {4, 2}}, .until = 9}};
    return scene;
}

Scene small_flock() {
    Scene scene;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {9.0, 9.0, 0.0}};
    scene.agents = {{.count = 3, .rule = "reynolds", .spawn = SpawnArea::kBox}};
    return scene;
}

std::string error_of(const std::string& file) {
    try {
        World::load(file, {.backend = "scalar"});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

void expect_refused(const ScratchFolder& folder, const std::string& bytes, const std::string& part) {
    const std::string file = folder.write("bad.save", bytes);
    const std::string text = error_of(file);
    ASSERT_NE(text.find("bad.save"), std::string::npos) << text;
    ASSERT_EQ(text.find('\n'), std::string::npos) << text;
    ASSERT_NE(text.find(part), std::string::npos) << text;
}

std::string saved(const ScratchFolder& folder, const Scene& scene, int frames = 3) {
    World world(scene, {.backend = "scalar"});
    for (int n = 0; n < frames; ++n) world.step();
    world.save(folder.file("world.save"));
    return folder.read("world.save");
}

TEST(SaveFile, RefusesEveryFlippedBit) {
    const ScratchFolder folder;
    std::string bytes = saved(folder, small_flock());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
            EXPECT_THROW(parse_save(bytes, "bad.save"), Error) << "byte " << at << ", bit " << bit;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        }
    }
    EXPECT_NO_THROW(parse_save(bytes, "bad.save"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    expect_refused(folder, bytes, "damaged");
}

TEST(SaveFile, RefusesEveryBeginningOfItself) {
    const ScratchFolder folder;
    const std::string bytes = saved(folder, small_town());
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_THROW(parse_save(std::string_view(bytes).substr(0, length), "bad.save"), Error) << length;
    expect_refused(folder, bytes.substr(0, bytes.size() - 1), "is cut off");
    expect_refused(folder, bytes.substr(0, 30), "is cut off");
    expect_refused(folder, "", "is no save");
    expect_refused(folder, bytes + "x", "damaged");
}

TEST(SaveFile, RefusesWhatIsNone) {
    const ScratchFolder folder;
    expect_refused(folder, "[world]\ndim = 2\n", "is no save of horde");
    expect_refused(folder, std::string(5000, '\0'), "is no save of horde");
    EXPECT_NE(error_of(folder.file("absent.save")).find("cannot read"), std::string::npos);
    EXPECT_NE(error_of("/dev/zero").find("no plain file"), std::string::npos);
    EXPECT_NE(error_of("/").find("no plain file"), std::string::npos);
}

TEST(SaveFile, NamesTheVersionOfANewerFormat) {
    const ScratchFolder folder;
    std::string bytes = saved(folder, small_flock());
    bytes[8] = static_cast<char>(kSaveFormat + 1);
    expect_refused(folder, bytes, "has format " + std::to_string(kSaveFormat + 1));
    expect_refused(folder, bytes, version());
}

TEST(SaveFile, RefusesPartsOfAnotherScene) {
    const ScratchFolder folder;
    const std::string town = saved(folder, small_town()), flock = saved(folder, small_flock());
    const SaveView of_town = parse_save(town, "town"), of_flock = parse_save(flock, "flock");
    // Each part in turn comes from the other save: sound bytes that do not fit.
    for (std::size_t k = 0; k < of_town.parts.size(); ++k) {
        std::vector<SavePart> parts;
        for (std::size_t p = 0; p < of_town.parts.size(); ++p) {
            const SaveView& from = p == k ? of_flock : of_town;
            parts.push_back({from.parts[p].name, std::string(from.parts[p].bytes)});
        }
        const std::string file = folder.write("mixed.save", save_bytes(parts, "0"));
        if (parts[k].bytes == of_town.parts[k].bytes) continue;
        if (parts[k].name == "report") continue;  // counts that no frame reads: any will do
        EXPECT_NE(error_of(file), "") << parts[k].name;
    }
}

TEST(SaveFile, OutlivesTheFolderOfItsMap) {
    ScratchFolder folder;
    Scene scene;
    {
        const ScratchFolder gone;
        gone.write("m.map", "type octile\nheight 3\nwidth 4\nmap\n..@.\n....\n....\n");
        gone.write("h.txt", "0 0.2 0.4 0.6\n0 0.2 0.4 0.6\n0 0 0 0\n");
        scene.folder = gone.file("");
        scene.map.file = "m.map";
        scene.terrain.heights = "h.txt";
        scene.field.goal_sets = {{{3, 2}}};
        scene.agents = {{.count = 4}};
        saved(folder, scene);
    }
    EXPECT_THROW(World{scene}, Error);
    World world = World::load(folder.file("world.save"));
    EXPECT_EQ(world.map()->cost[2], kWallCost);
    EXPECT_GT(world.height_at(2.5, 0.5), 0.3);
    EXPECT_EQ(world.scene().map.file, "m.map");
}

TEST(SaveFile, ThatCannotBeWrittenLeavesTheOlderOne) {
    const ScratchFolder folder;
    const std::string bytes = saved(folder, small_flock());
    World world(small_flock());
    EXPECT_THROW(world.save(folder.file("world.save") + "/below"), Error);
    EXPECT_THROW(world.save(folder.file("")), Error);
    EXPECT_EQ(folder.read("world.save"), bytes);
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(SaveFile, IsNoStart) {
    const ScratchFolder folder;
    saved(folder, small_flock());
    const Snapshot start;
    EXPECT_THROW(World::load(folder.file("world.save"), {.start = &start}), Error);
}

TEST(SaveFile, HoldsTheSameBytesWhoeverWroteIt) {
    const ScratchFolder folder;
    World world(small_town(), {.backend = "scalar"});
    for (int n = 0; n < 20; ++n) world.step();
    world.save(folder.file("a.save"));
    World::load(folder.file("a.save")).save(folder.file("b.save"));
    EXPECT_EQ(folder.read("a.save"), folder.read("b.save"));
}

}  // namespace
}  // namespace horde
