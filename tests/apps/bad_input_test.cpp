#include <gtest/gtest.h>

#include "program.h"

namespace horde {
namespace {

/// Refused, and nothing lies beside the scene afterwards.
void expect_scene_refused(const std::string& text, const std::string& part) {
    const Folder folder;
    const std::string scene = folder.file("bad.toml", text);
    expect_refused({"run", scene, "--steps", "3", "--out", folder / "a.csv", "--out", folder / "a.h5",
                    "--picture", folder / "a.png"},
                   part);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"bad.toml"}) << text;
}

const std::string kRoom = "[map]\nrows = [\"....\", \".@@.\", \"....\"]\n";

TEST(BadInput, ScenesAreRefusedWithFileLineOrKey) {
    expect_scene_refused("[world]\nsede = 4\n", "bad.toml:2: key `world.sede`");
    expect_scene_refused("[world]\ndim = \"two\"\n", "bad.toml:2: key `world.dim`");
    expect_scene_refused("[rule.crowd]\nradius = -1\n", "bad.toml:2: key `rule.crowd.radius`");
    expect_scene_refused("[rule.crowd]\nspeed = nan\n", "bad.toml:2: key `rule.crowd.speed`");
    expect_scene_refused("[world]\ndt = inf\n", "bad.toml:2: key `world.dt`");
    expect_scene_refused("[world]\nseed = = 1\n", "bad.toml:2: is not TOML");
    expect_scene_refused("[map]\nrows = [\"..\", \".\"]\n", "row 1");
    expect_scene_refused("[map]\nfile = \"none.map\"\n", "none.map");
}

TEST(BadInput, WorldsThatCannotBeAreRefused) {
    expect_scene_refused(kRoom + "[field]\ngoal_cells = [[1, 1]]\n[[agents]]\ncount = 1\n", "wall");
    expect_scene_refused(kRoom + "[field]\ngoal_cells = [[4, 0]]\n[[agents]]\ncount = 1\n", "outside");
    expect_scene_refused(kRoom + "[field]\ngoals = 1\n[[agents]]\ncount = 1000\n", "free cell");
    expect_scene_refused(kRoom + "[field]\ngoals = 1\n[[agents]]\ncount = 1\ngoal = 1\n", "goal");
    expect_scene_refused(kRoom + "[[agents]]\ncount = 1\nrule = \"crwd\"\n", "crwd");
    expect_scene_refused("[map]\nrows = [\"@\"]\n[[agents]]\ncount = 1\n", "free");
}

TEST(BadInput, MapsAreRefused) {
    const Folder folder;
    const auto refuse = [&](const std::string& text, const std::string& part) {
        const std::string map = folder.file("bad.map", text);
        expect_refused({"field", map}, part);
        expect_refused({"run", kPlaza, "--map", map, "--out", folder / "a.csv"}, part);
        EXPECT_EQ(folder.names(), std::vector<std::string>{"bad.map"});
    };
    refuse("", "bad.map");
    refuse("type octile\nheight 4\n", "bad.map");
    refuse("type octile\nheight 2\nwidth 2\nmap\n..\n", "bad.map");
    refuse("type octile\nheight 1\nwidth 2\nmap\n.x\n", "bad.map:5");
    refuse("type octile\nheight 99999999\nwidth 99999999\nmap\n..\n", "bad.map:2");
    refuse("type octile\nheight 4294967297\nwidth 1\nmap\n.\n", "bad.map:2");
    expect_refused({"field", folder / "none.map"}, "none.map");
}

TEST(BadInput, ScenariosForAnotherMapAreRefused) {
    const Folder folder;
    const std::string map = folder.file("four.map", "type octile\nheight 1\nwidth 4\nmap\n....\n");
    const std::string other = folder.file("five.scen", "version 1\n0\tfour.map\t5\t1\t0\t0\t3\t0\t3\n");
    const std::string good = folder.file("four.scen", "version 1\n0\tfour.map\t4\t1\t0\t0\t3\t0\t3\n");
    const std::string wrong = folder.file("wrong.scen", "version 1\n0\tfour.map\t4\t1\t0\t0\t3\t0\t2\n");
    const std::string torn = folder.file("torn.scen", "version 1\n0\tfour.map\t4\t1\t0\n");
    expect_refused({"field", map, "--scen", other}, "five.scen:2");
    expect_refused({"field", map, "--scen", torn}, "torn.scen:2");
    const auto met = json_of({"field", map, "--scen", good});
    EXPECT_EQ(met["lines"], 1);
    EXPECT_EQ(met["mismatches"], 0);
    EXPECT_EQ(met["worst_error"], 0.0);
    const auto unmet = json_of({"field", map, "--scen", wrong}, 1);
    EXPECT_EQ(unmet["mismatches"], 1);
    EXPECT_EQ(unmet["worst_error"], 1.0);
}

TEST(BadInput, PlacesThatCannotBeWrittenAreRefusedBeforeTheRun) {
    const Folder folder;
    const std::string many = "1000000000";  // a run that did start would not end in this test's time
    for (const std::string name : {"none/a.csv", "none/a.h5", "none/a.txt"}) {
        expect_refused({"run", kPlaza, "--steps", many, "--out", folder / name}, name);
    }
    expect_refused(
        {"run", kPlaza, "--steps", many, "--out", folder / "a.csv", "--picture", folder / "none/a.png"},
        "none/a.png");
    expect_refused(
        {"run", kPlaza, "--steps", many, "--out", folder / "a.csv", "--out", folder / "none/b.csv"},
        "none/b.csv");
    expect_refused({"run", kPlaza, "--steps", many, "--out", folder / "a.doc"}, "a.doc");
    expect_refused({"run", kPlaza, "--steps", many, "--picture", folder / "a.jpg"}, ".png");
    expect_refused({"run", kPlaza, "--steps", many, "--out", folder / "a.csv", "--out", folder / "./a.csv"},
                   "twice");
    std::filesystem::create_directory(folder / "b.csv");
    expect_refused({"run", kPlaza, "--steps", many, "--out", folder / "b.csv"}, "b.csv");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"b.csv"});
    const std::string map = folder.file("a.map", "type octile\nheight 1\nwidth 1\nmap\n.\n");
    expect_refused({"field", map, "--picture", folder / "none/a.png"}, "none/a.png");
}

TEST(BadInput, ArgumentsAreRefused) {
    expect_refused({}, "run, measure, field");
    expect_refused({"rnu"}, "'rnu'");
    expect_refused({"bench"}, "frame, field");
    expect_refused({"bench", "almanack"}, "'almanack'");
    expect_refused({"run"}, "scene");
    expect_refused({"run", "no_such_file.toml"}, "no_such_file.toml");
    expect_refused({"run", kPlaza, "--stepps", "4"}, "--stepps");
    expect_refused({"run", kPlaza, "--steps", "4.5"}, "'4.5'");
    expect_refused({"run", kPlaza, "--steps", "-1"}, "--steps");
    expect_refused({"run", kPlaza, "--steps", "99999999999999999999"}, "--steps");
    expect_refused({"run", kPlaza, "--every", "0"}, "--every");
    expect_refused({"run", kPlaza, "--seed", "-3"}, "--seed");
    expect_refused({"run", kPlaza, "--seed", "9223372036854775808"}, "--seed");
    expect_refused({"run", kPlaza, "--threads", "many"}, "--threads");
    expect_refused({"run", kPlaza, "--agents", "5000"}, "free cell");
    expect_refused({"run", kPlaza, "--precision", "double"}, "float");
    expect_refused({"run", kPlaza, "--backend", "gpu"}, "scalar");
    expect_refused({"run", kPlaza, "--search", "tree"}, "auto, grid, brute");
    expect_refused({"run", kPlaza, "--metrics", "agents,mood"}, "mean_speed");
    expect_refused({"run", kPlaza, "--start", "no_such_file.csv"}, "no_such_file.csv");
    expect_refused({"run", kPlaza, "--out"}, "--out");
    expect_refused({"run", "a\nb.toml"}, "a");
}

TEST(BadInput, GoalsAreRefused) {
    const Folder folder;
    const std::string map = folder.file("a.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    for (const std::string goal : {"1", "1,", ",0", "a,b", "1,0,0", "0, 0", "99999999999,0", "0.5,0"}) {
        expect_refused({"field", map, "--goal", goal}, "--goal");
    }
    expect_refused({"field", map, "--goal", "1,0"}, "wall");
    expect_refused({"field", map, "--goal", "3,0"}, "outside");
    expect_refused({"field", map, "--goal=-1,0"}, "outside");
}

TEST(BadInput, StartsAreRefused) {
    const Folder folder;
    const auto refuse = [&](const std::string& text, const std::string& part) {
        expect_refused({"run", kPlaza, "--start", folder.file("start.csv", text)}, part);
    };
    refuse("", "start.csv");
    refuse("frame,id,x,y,vx,vy\n0,1,nan,2,0,0\n", "start.csv:2");
    refuse("frame,id,x,y,vx,vy\n0,1,5,inf,0,0\n", "start.csv:2");
    refuse("frame,id,x,y,vx,vy\n0,1,0.5,0.5,0,0\n", "wall");
}

}  // namespace
}  // namespace horde
