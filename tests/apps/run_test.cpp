#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "program.h"

namespace horde {
namespace {

using nlohmann::json;

/// Frame numbers and ids of a .csv trajectory.
struct Rows {
    std::string header;
    std::vector<std::uint64_t> frames;
    std::set<std::uint64_t> frame_set;
    std::set<std::uint64_t> ids;
};

Rows rows_of(const std::string& path) {
    Rows rows;
    const std::string text = text_of(path);
    EXPECT_TRUE(text.ends_with("\n")) << path;
    std::istringstream in(text);
    std::getline(in, rows.header);
    for (std::string line; std::getline(in, line);) {
        EXPECT_EQ(std::count(line.begin(), line.end(), ','), 5) << line;
        std::istringstream cells(line);
        std::uint64_t frame = 0;
        std::uint64_t id = 0;
        char comma = 0;
        EXPECT_TRUE(cells >> frame >> comma >> id) << line;
        rows.frames.push_back(frame);
        rows.frame_set.insert(frame);
        rows.ids.insert(id);
    }
    return rows;
}

TEST(Run, JsonHasTheKeysOfTheContract) {
    const json object = json_of({"run", kPlaza, "--steps", "20", "--threads", "2"});
    for (const char* key :
         {"agents",   "steps",      "state_hash", "backend", "threads",        "frame_us",
          "stage_us", "candidates", "neighbours", "drops",   "cells_occupied", "agents_per_cell",
          "metrics",  "scene",      "seed",       "files",   "agents_started", "arrived_total",
          "field_us", "life",       "combat"}) {
        EXPECT_TRUE(object.contains(key)) << key;
    }
    EXPECT_EQ(object["steps"], 20);
    EXPECT_EQ(object["agents_started"], 60);
    EXPECT_EQ(object["scene"], "plaza");
    EXPECT_EQ(object["threads"], 2);
    EXPECT_EQ(object["state_hash"].get<std::string>().size(), 16u);
    EXPECT_EQ(object["state_hash"].get<std::string>().find_first_not_of("0123456789abcdef"),
              std::string::npos);
    for (const char* key : {"mean", "p50", "p99", "worst"})
        EXPECT_TRUE(object["frame_us"][key].is_number()) << key;
    EXPECT_LE(object["frame_us"]["p50"], object["frame_us"]["p99"]);
    EXPECT_LE(object["frame_us"]["p99"], object["frame_us"]["worst"]);
    EXPECT_TRUE(object["stage_us"].contains("steer"));
    EXPECT_GT(object["candidates"], object["neighbours"]);
    EXPECT_GE(object["agents_per_cell"]["max"], object["agents_per_cell"]["mean"]);
    EXPECT_GT(object["metrics"]["mean_speed"], 0.5);
}

TEST(Run, TellsOfFightsInTextAndJson) {
    const std::string siege = std::string(test::kSourceDir) + "/scenes/siege.toml";
    const json object = json_of({"run", siege, "--steps", "400", "--metrics", "died,dead,agents"});
    const json& combat = object["combat"];
    EXPECT_GT(combat["attacks"], 100);
    EXPECT_GE(combat["hits"], combat["attacks"]);
    EXPECT_GT(combat["damage"], 1000);
    EXPECT_GT(combat["died"], 10);
    EXPECT_LE(combat["dead"], combat["died"]);
    EXPECT_GT(combat["behaviours_changed"], 10);
    EXPECT_EQ(object["metrics"]["died"], combat["died"]);
    EXPECT_EQ(object["metrics"]["dead"], combat["dead"]);
    const Finished text = horde_program({"run", siege, "--steps", "400"});
    EXPECT_NE(text.out.find(" attacks, "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("behaviours  changed "), std::string::npos) << text.out;
    EXPECT_EQ(json_of({"run", kPlaza, "--steps", "5"})["combat"]["attacks"], 0);
    EXPECT_EQ(horde_program({"run", kPlaza, "--steps", "5"}).out.find("attacks"), std::string::npos);
}

TEST(Run, EachSceneOfAFightFightsWithItsDefaults) {
    for (const std::string name : {"hunt", "siege"}) {
        const json object = json_of({"run", std::string(test::kSourceDir) + "/scenes/" + name + ".toml"});
        EXPECT_GT(object["combat"]["died"], 0) << name;
        EXPECT_GT(object["combat"]["behaviours_changed"], 50) << name;
        EXPECT_GT(object["agents"], object["agents_started"].get<int>() / 2) << name;
    }
}

TEST(Run, SaysTheSameForEveryBackendAndEveryNumberOfThreads) {
    const auto hash = [](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"run", kPlaza, "--steps", "100"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return json_of(arguments)["state_hash"].get<std::string>();
    };
    const std::string expected = hash({"--backend", "scalar"});
    EXPECT_EQ(hash({"--backend", "threads", "--threads", "3"}), expected);
    EXPECT_EQ(hash({"--search", "brute"}), expected);
    EXPECT_EQ(hash({"--search", "grid", "--threads", "1"}), expected);
    EXPECT_NE(hash({"--seed", "8"}), expected);
    EXPECT_EQ(hash({"--seed", "7"}), expected);
}

TEST(Run, EverybodyLeavesThePlazaWithin600Frames) {
    const json object = json_of({"run", kPlaza});
    EXPECT_EQ(object["agents"], 0);
    EXPECT_EQ(object["arrived_total"], 60);
    EXPECT_EQ(object["metrics"]["arrived"], 60);
    EXPECT_TRUE(object["metrics"]["mean_speed"].is_null());
}

TEST(Run, WritesFrameZeroEveryKthAndTheLast) {
    const Folder folder;
    const json object =
        json_of({"run", kPlaza, "--steps", "25", "--every", "10", "--out", folder / "a.csv", "--out",
                 folder / "b.txt", "--out", folder / "c.h5", "--picture", folder / "d.png"});
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.csv", "b.txt", "c.h5", "d.png"}));
    EXPECT_EQ(object["files"].size(), 4u);
    const Rows rows = rows_of(folder / "a.csv");
    EXPECT_EQ(rows.header, "frame,id,x,y,vx,vy");
    EXPECT_EQ(rows.frame_set, (std::set<std::uint64_t>{0, 10, 20, 25}));
    EXPECT_EQ(rows.ids.size(), 60u);
    EXPECT_TRUE(text_of(folder / "b.txt").starts_with("#"));
    EXPECT_TRUE(text_of(folder / "c.h5").starts_with("\x89HDF"));
    EXPECT_TRUE(text_of(folder / "d.png").starts_with("\x89PNG"));
}

TEST(Run, WritesTheLastFrameOnce) {
    const Folder folder;
    json_of({"run", kPlaza, "--steps", "20", "--every", "10", "--out", folder / "a.csv"});
    const Rows rows = rows_of(folder / "a.csv");
    EXPECT_EQ(rows.frame_set, (std::set<std::uint64_t>{0, 10, 20}));
    EXPECT_EQ(std::count(rows.frames.begin(), rows.frames.end(), 0u), 60);
    EXPECT_LE(std::count(rows.frames.begin(), rows.frames.end(), 20u), 60);
}

TEST(Run, NoFramesGiveNullsAndTheStart) {
    const Folder folder;
    const json object = json_of({"run", kPlaza, "--steps", "0", "--out", folder / "a.csv"});
    EXPECT_EQ(object["steps"], 0);
    EXPECT_EQ(object["agents"], 60);
    EXPECT_TRUE(object["frame_us"]["mean"].is_null());
    EXPECT_TRUE(object["frame_us"]["worst"].is_null());
    EXPECT_TRUE(object["stage_us"].empty());
    EXPECT_EQ(rows_of(folder / "a.csv").frames.size(), 60u);
}

TEST(Run, MakesFoldersBelowTheWorkingFolder) {
    const Folder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder / ".");
    json_of({"run", kPlaza, "--steps", "1", "--out", "new/deep/a.csv", "--picture", "new/b.png"});
    std::filesystem::current_path(before);
    EXPECT_FALSE(rows_of(folder / "new/deep/a.csv").frames.empty());
    EXPECT_TRUE(text_of(folder / "new/b.png").starts_with("\x89PNG"));
}

TEST(Run, AgentsAreSharedAmongTheGroups) {
    for (const int agents : {0, 1, 2, 31, 200}) {
        const json object = json_of({"run", kPlaza, "--steps", "1", "--agents", std::to_string(agents)});
        EXPECT_EQ(object["agents_started"], agents);
    }
}

TEST(Run, StartsFromAFile) {
    const Folder folder;
    json_of({"run", kPlaza, "--steps", "0", "--agents", "10", "--out", folder / "a.csv"});
    json_of({"run", kPlaza, "--steps", "0", "--start", folder / "a.csv", "--out", folder / "b.csv"});
    EXPECT_EQ(text_of(folder / "b.csv"), text_of(folder / "a.csv"));
}

TEST(Run, MapReplacesTheOneOfTheScene) {
    const Folder folder;
    std::string map = "type octile\nheight 40\nwidth 40\nmap\n";
    for (int row = 0; row < 40; ++row) map += std::string(40, '.') + "\n";
    folder.file("open.map", map);
    const std::string scene = folder.file("city.toml",
                                          "[map]\ngenerate = \"city\"\n[field]\ngoals = 2\n"
                                          "[[agents]]\ncount = 20\n");
    const json with = json_of({"run", scene, "--steps", "5", "--map", folder / "open.map"});
    const json without = json_of({"run", scene, "--steps", "5"});
    EXPECT_EQ(with["agents_started"], 20);
    EXPECT_NE(with["state_hash"], without["state_hash"]);
}

TEST(Run, MetricsAreThoseAskedFor) {
    const json object = json_of({"run", kPlaza, "--steps", "0", "--metrics", "stuck,agents"});
    EXPECT_EQ(object["metrics"].size(), 2u);
    EXPECT_EQ(object["metrics"]["agents"], 60);
    EXPECT_EQ(object["metrics"]["stuck"], 0);
}

TEST(Run, VerifyComparesOneAgentAFrame) {
    const json object = json_of({"run", kPlaza, "--steps", "50", "--search", "grid", "--verify"});
    EXPECT_EQ(object["verified"]["frames"], 51);  // the start too
    EXPECT_EQ(object["verified"]["differences"], 0);
    EXPECT_GE(object["verified"]["brute_candidates"], object["verified"]["grid_candidates"]);
}

TEST(Run, VerboseSpeaksEverySixtyFramesOnStderr) {
    const Finished result = horde_program({"run", kPlaza, "--steps", "120", "--verbose", "--json"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
    EXPECT_NE(result.err.find(" agents | "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("us/frame avg"), std::string::npos) << result.err;
    EXPECT_TRUE(json::accept(result.out)) << result.out;
}

TEST(Run, SummaryNamesTimesHashAndFiles) {
    const Folder folder;
    const Finished result = horde_program({"run", kPlaza, "--steps", "30", "--out", folder / "a.csv"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");  // too short for progress
    const json object = json_of({"run", kPlaza, "--steps", "30"});
    for (const std::string part : {"60 agents", "steer", "30 frames"}) {
        EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in " << result.out;
    }
    EXPECT_NE(result.out.find(object["state_hash"].get<std::string>()), std::string::npos);
    EXPECT_NE(result.out.find("wrote       " + (folder / "a.csv")), std::string::npos);
}

TEST(Run, TellsTheTiersWhereThereAreSome) {
    const Folder folder;
    const std::string text =
        "[map]\nrows = [\"..........\", \"..........\"]\n[field]\ngoal_cells = [[9, 0]]\n[[agents]]\ncount = "
        "8\n"
        "[rule.crowd]\non_arrival = \"stay\"\n";
    folder.file("plain.toml", text);
    folder.file("tiers.toml", text + "[tiers]\nviewpoints = [[5.0, 1.0]]\nmax_promotions = 1\n");
    EXPECT_FALSE(json_of({"run", folder / "plain.toml", "--steps", "4"}).contains("tiers"));
    const json tiers = json_of({"run", folder / "tiers.toml", "--steps", "4"})["tiers"];
    EXPECT_EQ(tiers["far"], 0);
    EXPECT_EQ(tiers["near"], 3);
    EXPECT_EQ(tiers["middle"], 5);
    EXPECT_EQ(tiers["promotions_deferred"], 7 + 6 + 5);
    EXPECT_EQ(tiers["demotions_deferred"], 0);
    const Finished result = horde_program({"run", folder / "tiers.toml", "--steps", "4"});
    EXPECT_NE(result.out.find("0 far, 5 middle, 3 near at the end"), std::string::npos) << result.out;
}

TEST(Run, ATraceIsJsonAndTellsWhatItLeftOut) {
    const Folder folder;
    expect_refused({"run", kPlaza, "--steps", "2", "--trace", folder / "a.txt"}, "--trace");
    const json object = json_of({"run", kPlaza, "--steps", "2", "--trace", folder / "a.json"});
    EXPECT_EQ(object["trace_slices_dropped"], 0);
    const json trace = json::parse(std::ifstream(folder / "a.json"));
    EXPECT_EQ(trace["otherData"]["slices_dropped"], 0);
}

TEST(Run, NearBodiesWithoutAViewpointAreRefused) {
    expect_refused({"run", kPlaza, "--steps", "2", "--physics", "near"}, "--physics near");
}

TEST(Run, InterruptFinishesTheFrameAndClosesTheFiles) {
    const Folder folder;
    Program program({"run", kPlaza, "--steps", "1000000000", "--every", "7", "--out", folder / "a.csv",
                     "--picture", folder / "a.png", "--json"});
    // The trajectory is opened after the signal is caught.
    for (int tries = 0; folder.names().empty() && tries < 1000; ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_NE(folder.names(), (std::vector<std::string>{"a.csv"}));  // not under its name before the end
    program.interrupt();
    const Finished result = program.wait();
    EXPECT_EQ(result.code, 130);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.csv", "a.png"}));
    const json object = json::parse(result.out, nullptr, false);
    ASSERT_TRUE(object.is_object()) << result.out;
    EXPECT_EQ(object["interrupted"], true);
    const Rows rows = rows_of(folder / "a.csv");
    EXPECT_TRUE(rows.frame_set.contains(0));
    EXPECT_LE(*rows.frame_set.rbegin(), object["steps"].get<std::uint64_t>());
}

TEST(Run, TellsWhatFieldsDidAndWhichGoalsCannotBeReached) {
    const Folder folder;
    const std::string scene = folder.file("closing.toml",
                                          "[map]\nrows = [\"........\", \"........\", \"........\"]\n"
                                          "[field]\ngoal_cells = [[0, 1], [7, 1]]\n"
                                          "[[agents]]\ncount = 4\ngoal = 0\n[[agents]]\ncount = 2\ngoal = 1\n"
                                          "[[edit]]\nframe = 3\ncells = [7, 1, 7, 1]\n");
    const json object = json_of({"run", scene, "--steps", "300", "--threads", "1"});
    EXPECT_EQ(object["fields"]["repairs"].get<int>() + object["fields"]["builds"].get<int>(), 2);
    for (const char* key : {"late", "waiting", "most_waiting"}) EXPECT_EQ(object["fields"][key], 0) << key;
    ASSERT_EQ(object["fields"]["goals_not_reached"].size(), 1u);
    const json goal = object["fields"]["goals_not_reached"][0];
    EXPECT_EQ(goal["set"], 1);
    EXPECT_EQ(goal["group"], 1);
    EXPECT_EQ(goal["state"], "in wall");
    EXPECT_EQ(goal["agents"], 2);
    EXPECT_EQ(goal["stranded"], 2);
    const Finished result = horde_program({"run", scene, "--steps", "300", "--threads", "1"});
    for (const char* part :
         {"arrived 4 since the start", "built anew", "set 1 is in wall for group 1: 2 agents, 2 of"})
        EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in " << result.out;
}

TEST(Run, ACacheThatIsTooSmallIsTold) {
    const Folder folder;
    const std::string scene = folder.file("short.toml",
                                          "[map]\nrows = [\"........\", \"........\", \"........\"]\n"
                                          "[field]\ngoal_cells = [[0, 1], [7, 1]]\ncache_bytes = 120\n"
                                          "[rule.stay]\nkind = \"crowd\"\non_arrival = \"stay\"\n"
                                          "[[agents]]\ncount = 4\ngoal = 0\nrule = \"stay\"\n"
                                          "[[agents]]\ngoal = 1\n[[spawner]]\ngroup = 1\n");
    EXPECT_EQ(json_of({"run", scene, "--steps", "100"})["fields"]["waiting"], 1);
    const Finished result = horde_program({"run", scene, "--steps", "100"});
    EXPECT_NE(result.out.find("raise field.cache_bytes"), std::string::npos) << result.out;
}

TEST(Run, SmallestScenesAreNormalRuns) {
    const Folder folder;
    const auto agents_of = [&](const std::string& text) {
        return json_of({"run", folder.file("small.toml", text), "--steps", "10", "--out",
                        folder / "small.csv", "--out", folder / "small.h5", "--out", folder / "small.txt",
                        "--picture", folder / "small.png"})["agents"];
    };
    EXPECT_EQ(agents_of(""), 0);
    EXPECT_EQ(agents_of("[[agents]]\ncount = 0\n"), 0);
    EXPECT_EQ(agents_of("[map]\nrows = [\"@@\", \"@@\"]\n"), 0);
    EXPECT_EQ(agents_of("[map]\nrows = [\"@\"]\n[[agents]]\ncount = 0\n"), 0);
    EXPECT_EQ(agents_of("[map]\nrows = [\"@\"]\n[field]\ngoals = 1\n[[agents]]\ncount = 0\n"), 0);
    EXPECT_EQ(agents_of("[map]\nrows = [\".\"]\n[[agents]]\ncount = 1\n"), 1);
    EXPECT_EQ(agents_of("[map]\nrows = [\".\"]\n[field]\ngoal_cells = [[0, 0]]\n[[agents]]\ncount = 1\n"), 0);
    EXPECT_EQ(agents_of("[world]\nbounds = [0, 0, 10, 10]\n[[agents]]\ncount = 1\nspawn = \"box\"\n"), 1);
    EXPECT_EQ(
        agents_of("[world]\ndim = 3\nbounds = [0, 0, 0, 9, 9, 9]\n[[agents]]\ncount = 3\nspawn = \"box\"\n"),
        3);
}

}  // namespace
}  // namespace horde
