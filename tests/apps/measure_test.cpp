/// horde measure, and the metrics of horde run.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "../places.h"
#include "program.h"

namespace horde {
namespace {

using nlohmann::json;

const std::string kCuplan = std::string(horde::test::kSourceDir) + "/scenes/cuplan.toml";
const char* const kNames[] = {"agents",
                              "moving_agents",
                              "mean_speed",
                              "polarization",
                              "polarization_moving",
                              "rotation",
                              "mean_pair_distance",
                              "nearest_neighbour_distance",
                              "lowest_separation",
                              "clusters",
                              "largest_cluster",
                              "density"};

std::string joined(const char* const (&names)[12]) {
    std::string list;
    for (const char* name : names) list += std::string(list.empty() ? "" : ",") + name;
    return list;
}

TEST(Measure, SaysTheSameOfEveryFormatAndOfTheRun) {
    const Folder folder;
    const json run = json_of({"run", kCuplan, "--agents", "120", "--steps", "40", "--every", "10", "--out",
                              folder / "a.csv", "--out", folder / "a.h5", "--out", folder / "a.xyz",
                              "--metrics", joined(kNames)});
    json first;
    for (const std::string ending : {"csv", "h5", "xyz"}) {
        json measured = json_of({"measure", folder / ("a." + ending), "--radius", "8", "--per-frame"});
        EXPECT_EQ(measured["frames"], 5) << ending;
        EXPECT_EQ(measured["frame"], (json{0, 10, 20, 30, 40})) << ending;
        EXPECT_EQ(measured["velocities"], "file") << ending;
        for (const char* name : kNames) {
            const json& metric = measured[name];
            ASSERT_EQ(metric["values"].size(), 5u) << name;
            EXPECT_EQ(metric["frames"], 5) << name;
            EXPECT_EQ(metric["values"][4], run["metrics"][name]) << name << ", " << ending;
            double sum = 0.0;
            for (const json& value : metric["values"]) sum += value.get<double>();
            EXPECT_EQ(metric["mean"], sum / 5) << name;
            EXPECT_EQ(metric, first.is_null() ? metric : first[name]) << name << ", " << ending;
        }
        if (first.is_null()) first = measured;
    }
    EXPECT_GT(first["polarization"]["mean"], 0.0);
    EXPECT_EQ(first["moving_agents"]["values"][0], 120);
}

TEST(Measure, ARunInAPeriodicWorldMeasuresAcrossTheSeam) {
    const Folder folder;
    const std::string scene = folder.file("torus.toml",
                                          "[world]\nedge = \"periodic\"\nbounds = [0.0, 0.0, 20.0, "
                                          "20.0]\n[[agents]]\ncount = 2\nrule = \"vicsek\"\n"
                                          "spawn = \"box\"\n[rule.vicsek]\nradius = 1.0\n");
    folder.file("start.csv", "frame,id,x,y,vx,vy\n0,0,0.25,5,0,0.03\n0,1,19.5,5,0,0.03\n");
    const std::vector<std::string> command = {
        "run",       scene,
        "--start",   folder / "start.csv",
        "--steps",   "0",
        "--out",     folder / "a.xyz",
        "--metrics", "mean_pair_distance,clusters,lowest_separation,mean_neighbor_distance"};
    const json run = json_of(command);
    EXPECT_NEAR(run["metrics"]["mean_pair_distance"].get<double>(), 0.75, 1e-5);
    EXPECT_EQ(run["metrics"]["mean_neighbor_distance"], run["metrics"]["mean_pair_distance"]);
    EXPECT_EQ(run["metrics"]["clusters"], 1);
    const json plain = json_of({"measure", folder / "a.xyz", "--radius", "1"});
    EXPECT_NEAR(plain["lowest_separation"]["mean"].get<double>(), 19.25, 1e-5);
    EXPECT_EQ(plain["clusters"]["mean"], 2);
    const json torus = json_of({"measure", folder / "a.xyz", "--radius", "1", "--periodic", "0,0,20,20"});
    EXPECT_EQ(torus["lowest_separation"]["mean"], run["metrics"]["lowest_separation"]);
    EXPECT_EQ(torus["clusters"]["mean"], 1);
}

TEST(Measure, U47AnEmptyFrameIsNullAndNoNumberIsNoJson) {
    const Folder folder;
    const json run = json_of({"run", kCuplan, "--agents", "0", "--steps", "1", "--metrics", joined(kNames),
                              "--out", folder / "a.xyz", "--out", folder / "a.csv"});
    const json xyz = json_of({"measure", folder / "a.xyz", "--radius", "1", "--per-frame"});
    const json csv = json_of({"measure", folder / "a.csv", "--radius", "1", "--per-frame"});
    EXPECT_EQ(xyz["frames"], 2);
    EXPECT_EQ(csv["frames"], 0) << "frames without rows leave no trace in a .csv";
    for (const char* name : kNames) {
        EXPECT_TRUE(csv[name]["mean"].is_null()) << name;
        if (std::string(name).find("agents") != std::string::npos) {
            EXPECT_EQ(run["metrics"][name], 0) << name;
            EXPECT_EQ(xyz[name]["mean"], 0) << name;
            continue;
        }
        EXPECT_TRUE(run["metrics"][name].is_null()) << name;
        EXPECT_TRUE(xyz[name]["mean"].is_null()) << name;
        EXPECT_EQ(xyz[name]["frames"], 0) << name;
        EXPECT_TRUE(xyz[name]["values"][1].is_null()) << name;
    }
    const Finished table = horde_program({"measure", folder / "a.csv", "--per-frame"});
    EXPECT_EQ(table.code, 0) << table.err;
}

TEST(Measure, U46AndU82InAFile) {
    const Folder folder;
    const std::string still = folder.file("still.csv", "frame,id,x,y,vx,vy\n0,1,0,0,1,0\n0,2,1,0,0,0\n");
    const json counted = json_of({"measure", still});
    EXPECT_EQ(counted["polarization"]["mean"], 0.5);
    EXPECT_EQ(counted["polarization_moving"]["mean"], 1.0);
    EXPECT_EQ(counted["moving_agents"]["mean"], 1);
    EXPECT_FALSE(counted.contains("clusters")) << "no radius";
    const std::string tracks = folder.file(
        "tracks.txt",
        "# framerate: 1\n# id frame x/m y/m\n1 0 0 0\n1 1 1 0\n1 2 2 0\n2 0 100 0\n2 1 101 0\n2 2 102 0\n");
    const json speeds =
        json_of({"measure", tracks, "--per-frame", "--metrics", "mean_speed,mean_pair_distance"});
    EXPECT_EQ(speeds["mean_speed"]["values"], (json{1.0, 1.0, 1.0}));
    EXPECT_EQ(speeds["mean_pair_distance"]["values"], (json{100.0, 100.0, 100.0}));
    EXPECT_EQ(speeds["time"], (json{0.0, 1.0, 2.0}));
}

TEST(Measure, UnknownVelocitiesAreLeftOutAndCounted) {
    const Folder folder;
    const std::string path =
        folder.file("a.csv", "frame,id,x,y\n0,1,0,0\n0,2,9,9\n1,1,3,4\n1,3,0,0\n2,1,6,8\n2,4,1,1\n4,5,0,0\n");
    const json measured = json_of({"measure", path, "--fps", "2", "--per-frame"});
    EXPECT_EQ(measured["velocities"], "differences");
    EXPECT_EQ(measured["velocities_unknown"], 4);
    EXPECT_EQ(measured["agents_seen"], 5);
    EXPECT_EQ(measured["mean_speed"]["values"], (json{10.0, 10.0, 10.0, nullptr}));
    EXPECT_EQ(measured["mean_speed"]["frames"], 3);
    EXPECT_EQ(measured["mean_speed"]["mean"], 10.0);
    EXPECT_EQ(measured["polarization"]["mean"], 1.0);
    EXPECT_EQ(measured["agents"]["values"], (json{2.0, 2.0, 2.0, 1.0}));
    EXPECT_EQ(measured["moving_agents"]["values"], (json{1.0, 1.0, 1.0, nullptr}));
}

TEST(Measure, TheTableNamesWhatItAssumes) {
    const Folder folder;
    const std::string path =
        folder.file("a.txt", "# framerate: 4\n1 0 0 0 1.8\n1 1 3 4 1.8\n2 0 1 1 1.7\n2 1 4 5 1.7\n");
    const Finished result =
        horde_program({"measure", path, "--per-frame", "--metrics", "mean_speed,density"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    for (const std::string part :
         {"2 frames, 2 agents, 4 rows, 2D", "4 a second", "m, assumed", "a height",
          "from differences, 0 of 4 unknown", "mean_speed", "\n0\t20\t2\n1\t20\t2\n"}) {
        EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in " << result.out;
    }
}

TEST(Measure, RefusesWhatCannotBeMeasured) {
    const Folder folder;
    const std::string bare = folder.file("bare.txt", "1 0 0 0\n1 1 1 1\n");
    expect_refused({"measure", bare}, "--fps F and --unit m");
    expect_refused({"measure", bare, "--fps", "16"}, "--unit m or --unit cm");
    expect_refused({"measure", bare, "--unit", "cm", "--json"}, "--fps F");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "ft"}, "use m or cm");
    expect_refused({"measure", bare, "--fps", "-1", "--unit", "m"}, "--fps");
    expect_refused({"measure", bare, "--fps", "fast", "--unit", "m"}, "--fps");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "m", "--metrics", "speed"}, "mean_speed");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "m", "--metrics", "clusters"}, "--radius R");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "m", "--radius", "0"}, "--radius");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "m", "--periodic", "0,0,1"},
                   "xmin,ymin,xmax,ymax");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "m", "--periodic", "0,0,1,0"},
                   "periodic bounds");
    expect_refused({"measure", bare, "--fps", "16", "--unit", "m", "--dim", "3"}, "--dim");
    expect_refused({"measure", folder / "none.h5"}, "none.h5");
    expect_refused({"measure"}, "trajectory");
    expect_refused({"run", kCuplan, "--metrics", "mood"}, "polarization");
}

TEST(Measure, MeasuresPublishedPedestrians) {
    const char* given = std::getenv("HORDE_DATA");
    const std::string data = given ? given : std::string(horde::test::kSourceDir) + "/../shared/data";
    const std::string folder = data + "/pedestrians/";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is absent";
    const json corridor = json_of({"measure", folder + "traj_UNI_CORR_500_01.txt"});
    EXPECT_EQ(corridor["frames"], 1889);
    EXPECT_EQ(corridor["agents_seen"], 148);
    EXPECT_EQ(corridor["rows"], 25536);
    EXPECT_EQ(corridor["unit_assumed"], true);
    EXPECT_GT(corridor["polarization"]["mean"], 0.98) << "everybody walks one way";
    EXPECT_NEAR(corridor["mean_speed"]["mean"].get<double>(), 1.49, 0.01);
    expect_refused({"measure", folder + "uo-050-180-180.txt"}, "--fps F and --unit m");
    const json uo = json_of({"measure", folder + "uo-050-180-180.txt", "--fps", "16", "--unit", "cm"});
    EXPECT_EQ(uo["rows"], 9712);
    EXPECT_NEAR(uo["mean_speed"]["mean"].get<double>(), 1.43, 0.01);
}

TEST(Measure, XyzIsAnOutputAndAStart) {
    const Folder folder;
    json_of({"run", kPlaza, "--steps", "0", "--agents", "10", "--out", folder / "a.xyz"});
    json_of({"run", kPlaza, "--steps", "0", "--start", folder / "a.xyz", "--out", folder / "b.xyz"});
    EXPECT_EQ(text_of(folder / "b.xyz"), text_of(folder / "a.xyz"));
    EXPECT_TRUE(text_of(folder / "a.xyz").starts_with("10\nLattice=\"")) << "and its cell is the map";
    json_of({"run", kCuplan, "--agents", "30", "--steps", "8", "--every", "4", "--out", folder / "c.xyz"});
    EXPECT_EQ(json_of({"measure", folder / "c.xyz"})["fps"], 5.0);
}

}  // namespace
}  // namespace horde
