/// Runs that are saved, killed, gone on with and replayed.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "program.h"

namespace horde {
namespace {

using nlohmann::json;

std::string bytes_changed(const std::string& path, const std::string& to, std::size_t at) {
    std::string bytes = text_of(path);
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    std::ofstream(to, std::ios::binary) << bytes;
    return to;
}

/// Rows of a .csv without its header.
std::string rows_of(const std::string& path) {
    const std::string text = text_of(path);
    return text.substr(text.find('\n') + 1);
}

TEST(Save, AResumedRunEndsAsOneInOneGo) {
    const Folder folder;
    const json whole =
        json_of({"run", kPlaza, "--steps", "80", "--out", folder / "whole.csv", "--every", "10"});
    json_of({"run", kPlaza, "--steps", "35", "--out", folder / "first.csv", "--every", "10", "--save",
             folder / "half.save", "--backend", "scalar"});
    const json resumed = json_of({"run", "--resume", folder / "half.save", "--steps", "45", "--out",
                                  folder / "second.csv", "--every", "10"});
    EXPECT_EQ(resumed["state_hash"], whole["state_hash"]);
    EXPECT_EQ(resumed["frame"], 80);
    EXPECT_EQ(resumed["steps"], 45);
    EXPECT_EQ(resumed["time"], whole["time"]);
    EXPECT_EQ(resumed["scene"], "plaza");
    EXPECT_EQ(resumed["arrived_total"], whole["arrived_total"]);
    // Frames 0 to 35, then 35 to 80: each of a multiple of 10, and where a run begins or ends.
    const std::string second = rows_of(folder / "second.csv");
    EXPECT_TRUE(second.starts_with("35,"));
    EXPECT_NE(rows_of(folder / "whole.csv").find(second.substr(second.find("\n40,"))), std::string::npos);
}

TEST(Save, CheckpointsTakeTurnsAndTheNewestWholeOneIsTaken) {
    const Folder folder;
    const std::string base = folder / "point";
    const json first =
        json_of({"run", kPlaza, "--steps", "70", "--checkpoint", base, "--checkpoint-every", "20"});
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"point.0", "point.1"}));
    EXPECT_EQ(first["files"].size(), 2u);
    const json whole = json_of({"run", kPlaza, "--steps", "90"});
    EXPECT_EQ(json_of({"run", "--resume", base, "--steps", "30"})["state_hash"],
              whole["state_hash"]);  // of 60
    bytes_changed(base + ".0", base + ".0", 700);
    EXPECT_EQ(json_of({"run", "--resume", base, "--steps", "50"})["state_hash"],
              whole["state_hash"]);  // of 40
    // It goes on where the damaged one lies, not over the only good one.
    const json onward =
        json_of({"run", "--resume", base, "--steps", "20", "--checkpoint", base, "--checkpoint-every", "20"});
    EXPECT_EQ(onward["frame"], 60);
    EXPECT_EQ(json_of({"run", "--resume", base + ".1", "--steps", "0"})["frame"], 40);
    EXPECT_EQ(json_of({"run", "--resume", base, "--steps", "0"})["frame"], 60);
    bytes_changed(base + ".0", base + ".0", 700);
    bytes_changed(base + ".1", base + ".1", 700);
    expect_refused({"run", "--resume", base}, "damaged");
}

TEST(Save, CtrlCStillSaves) {
    const Folder folder;
    Program program({"run", kPlaza, "--steps", "100000000", "--save", folder / "a.save", "--record",
                     folder / "a.log", "--json"});
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    program.interrupt();
    const Finished result = program.wait();
    ASSERT_EQ(result.code, 130) << result.err;
    const json stopped = json::parse(result.out);
    const json resumed = json_of({"run", "--resume", folder / "a.save", "--steps", "0"});
    EXPECT_EQ(resumed["state_hash"], stopped["state_hash"]);
    const json replayed = json_of({"replay", folder / "a.log"});
    EXPECT_EQ(replayed["state_hash"], stopped["state_hash"]);
    EXPECT_EQ(replayed["complete"], true);
}

TEST(Save, KeepsMapSeedAndPrecisionOfTheCommandLine) {
    const Folder folder;
    const std::string map = folder.file(
        "m.map", "type octile\nheight 40\nwidth 40\nmap\n" + [] {
            std::string rows;
            for (int r = 0; r < 40; ++r) rows += std::string(40, '.') + "\n";
            return rows;
        }());
    const std::string city = std::string(horde::test::kSourceDir) + "/scenes/city.toml";
    const std::vector<std::string> base = {"run", city, "--map", map, "--agents", "50", "--seed", "9"};
    auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), base.begin(), base.end());
        return more;
    };
    const json whole = json_of(with({"--steps", "30"}));
    json_of(with({"--steps", "10", "--save", folder / "a.save"}));
    std::filesystem::remove(map);
    EXPECT_EQ(json_of({"run", "--resume", folder / "a.save", "--steps", "20"})["state_hash"],
              whole["state_hash"]);
    const std::string flock = std::string(horde::test::kSourceDir) + "/scenes/cuplan.toml";
    json_of({"run", flock, "--agents", "60", "--precision", "double", "--steps", "3", "--save",
             folder / "d.save"});
    EXPECT_EQ(json_of({"run", "--resume", folder / "d.save", "--steps", "1"})["precision"], "double");
}

TEST(Save, RefusesWhatDoesNotGoTogether) {
    const Folder folder;
    json_of({"run", kPlaza, "--steps", "1", "--save", folder / "a.save"});
    const std::string save = folder / "a.save";
    expect_refused({"run"}, "a scene is missing");
    expect_refused({"run", kPlaza, "--resume", save}, "a scene with --resume");
    expect_refused({"run", "--resume", save, "--seed", "3"}, "--seed with --resume");
    expect_refused({"run", "--resume", save, "--precision", "float"}, "--precision with --resume");
    expect_refused({"run", "--resume", folder / "none"}, "there is no such file");
    expect_refused({"run", "--resume", kPlaza}, "is no save of horde");
    expect_refused({"run", kPlaza, "--checkpoint-every", "5"}, "there is no --checkpoint");
    expect_refused({"run", kPlaza, "--record-every", "5"}, "there is no --record");
    expect_refused({"run", kPlaza, "--save", folder / "b", "--record", folder / "b"}, "named twice");
    expect_refused({"run", kPlaza, "--save", folder / "no/folder/b"}, "there is no folder");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.save"}));
}

TEST(Replay, SaysEqualOrNamesTheFrame) {
    const Folder folder;
    const std::string log = folder / "run.log";
    const json run = json_of({"run", kPlaza, "--steps", "50", "--record", log, "--record-every", "20"});
    const json equal = json_of({"replay", log, "--backend", "scalar"});
    EXPECT_EQ(equal["equal"], true);
    EXPECT_EQ(equal["state_hash"], run["state_hash"]);
    EXPECT_EQ(equal["hashes"], 3);
    EXPECT_EQ(equal["first_different"], nullptr);
    const Finished words = horde_program({"replay", log});
    EXPECT_EQ(words.code, 0);
    EXPECT_NE(words.out.find("equal       up to frame 50"), std::string::npos) << words.out;
    expect_refused({"replay", bytes_changed(log, folder / "bad.log", 900)}, "damaged");
    expect_refused({"replay", kPlaza}, "is no log of horde");
    expect_refused({"replay", folder / "none"}, "cannot read");
}

}  // namespace
}  // namespace horde
