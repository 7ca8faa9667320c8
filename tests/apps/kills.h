/// Runs that are killed at random moments (kill -9), and what lies in their folder afterwards.
#pragma once

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "horde/files.h"
#include "program.h"

namespace horde {

/// Everything that a trajectory says, as text.
inline std::string whole_text(const std::string& path) {
    std::string text;
    const auto reader = read_trajectory(path, {.fps = 20.0, .unit = 1.0});
    for (TrajectoryFrame frame; reader->next(frame);) {
        text += "frame " + std::to_string(frame.snapshot.frame) + "\n";
        for (std::size_t i = 0; i < frame.snapshot.count(); ++i) {
            text += std::to_string(frame.snapshot.id[i]) + " " +
                    std::to_string(frame.snapshot.position[i].x) + " " +
                    std::to_string(frame.snapshot.position[i].y) + "\n";
        }
    }
    return text;
}

/// Starts a run over files of an older run `kills` times and kills it each time. Every file must be the old
/// one, bit for bit, or the new one, whole; names that are not asked for must be those of temporary files.
inline void expect_kills_harm_no_file(int kills, unsigned seed) {
    const std::vector<std::string> names = {"a.csv", "a.txt", "a.xyz", "a.h5", "a.sqlite", "a.png"};
    const auto arguments = [&](const Folder& folder, const std::string& steps, const std::string& random) {
        std::vector<std::string> list = {"run", kPlaza, "--steps", steps, "--seed", random};
        for (const std::string& name : names) {
            list.push_back(name == "a.png" ? "--picture" : "--out");
            list.push_back(folder / name);
        }
        return list;
    };
    const auto content = [](const Folder& folder, const std::string& name) {
        return name == "a.png" ? text_of(folder / name) : whole_text(folder / name);
    };
    const Folder before, after;
    ASSERT_EQ(horde_program(arguments(before, "30", "1")).code, 0);
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(horde_program(arguments(after, "400", "2")).code, 0);
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
    std::map<std::string, std::string> old_bytes, new_content;
    for (const std::string& name : names) {
        old_bytes[name] = text_of(before / name);
        new_content[name] = content(after, name);
    }

    std::mt19937_64 random(seed);
    int in_time = 0;
    for (int n = 0; n < kills; ++n) {
        const Folder folder;
        for (const std::string& name : names) folder.file(name, old_bytes[name]);
        Program program(arguments(folder, "400", "2"));
        // Half of them near the end, where files get their names.
        const auto least = n % 2 == 0 ? 0 : took.count() * 3 / 4;
        const auto moment =
            least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(took.count() - least));
        std::this_thread::sleep_for(std::chrono::microseconds(moment));
        program.kill_at_once();
        in_time += program.wait().code == 128 + SIGKILL ? 1 : 0;
        for (const std::string& name : names) {
            if (text_of(folder / name) == old_bytes[name]) continue;
            EXPECT_TRUE(content(folder, name) == new_content[name])
                << name << ", killed after " << moment << " us";
        }
        for (const std::string& name : folder.names()) {
            const bool known = std::find(names.begin(), names.end(), name) != names.end();
            EXPECT_TRUE(known || name.find(".tmp-") != std::string::npos || name.starts_with(".horde-"))
                << name << ", killed after " << moment << " us";
        }
    }
    EXPECT_GT(in_time, kills / 4) << "most runs had ended before they were killed";
}

/// Kills a run of the siege that makes checkpoints `kills` times. Each time the newest one must be there,
/// whole, and go on to the state of a run that nobody killed.
inline void expect_checkpoints_to_resume(int kills, unsigned seed) {
    const std::string scene = std::string(test::kSourceDir) + "/scenes/siege.toml";
    constexpr int kSteps = 300;
    const auto arguments = [&](const Folder& folder) {
        return std::vector<std::string>{"run",
                                        scene,
                                        "--steps",
                                        std::to_string(kSteps),
                                        "--checkpoint",
                                        folder / "point",
                                        "--checkpoint-every",
                                        "7"};
    };
    const Folder whole;
    const auto began = std::chrono::steady_clock::now();
    ASSERT_EQ(horde_program(arguments(whole)).code, 0);
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
    const auto expected = json_of({"run", scene, "--steps", std::to_string(kSteps)})["state_hash"];
    std::mt19937_64 random(seed);
    int resumed = 0;
    for (int n = 0; n < kills; ++n) {
        const Folder folder;
        Program program(arguments(folder));
        const auto moment = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(took.count()));
        std::this_thread::sleep_for(std::chrono::microseconds(moment));
        program.kill_at_once();
        program.wait();
        const std::vector<std::string> names = folder.names();
        if (std::find(names.begin(), names.end(), "point.0") == names.end()) continue;  // killed before it
        const int frame = json_of({"run", "--resume", folder / "point", "--steps", "0"})["frame"];
        const auto onward =
            json_of({"run", "--resume", folder / "point", "--steps", std::to_string(kSteps - frame)});
        EXPECT_EQ(onward["state_hash"], expected)
            << "from frame " << frame << ", killed after " << moment << " us";
        ++resumed;
    }
    EXPECT_GT(resumed, kills / 3);
}

}  // namespace horde
