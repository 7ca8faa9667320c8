/// Full disks, folders that go away, and kills, for every kind of file that a run writes.
#include <sys/resource.h>

#include "kills.h"

namespace horde {
namespace {

const std::vector<std::pair<std::string, std::string>> kOutputs = {
    {"--out", "a.csv"},    {"--out", "a.txt"},     {"--out", "a.xyz"},   {"--out", "a.h5"},
    {"--out", "a.sqlite"}, {"--picture", "a.png"}, {"--trace", "a.json"}};

/// Programs that start while one lives may not write files beyond `bytes`: what a full disk looks like.
class SmallDisk {
  public:
    explicit SmallDisk(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

/// One line that names the file and says what to do, no success.
void expect_one_line(const Finished& result, const std::string& path) {
    EXPECT_TRUE(result.code == 1 || result.code == 2) << path << ": " << result.code;
    EXPECT_EQ(result.out, "") << path;
    EXPECT_TRUE(result.err.starts_with("horde: ")) << path << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << path << ": " << result.err;
    EXPECT_NE(result.err.find(path), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("; "), std::string::npos) << result.err;
}

TEST(Robust, AFullDiskIsOneLineAndKeepsTheOldFile) {
    for (const auto& [option, name] : kOutputs) {
        for (const rlim_t bytes : {rlim_t{0}, rlim_t{2048}}) {
            const Folder folder;
            const std::string path = folder.file(name, "old");
            Finished result;
            {
                const SmallDisk disk(bytes);
                result = horde_program({"run", kPlaza, "--steps", "200", option, path, "--json"});
            }
            expect_one_line(result, path);
            EXPECT_EQ(text_of(path), "old");
            EXPECT_EQ(folder.names(), std::vector<std::string>{name}) << "nothing is left over";
        }
    }
}

TEST(Robust, ADeviceThatIsAlwaysFullIsNoPlaceForAFile) {
    for (const auto& [option, name] : kOutputs) {
        const Folder folder;
        const std::string path = folder / name;
        std::filesystem::create_symlink("/dev/full", path);
        expect_one_line(horde_program({"run", kPlaza, "--steps", "2", option, path, "--json"}), path);
        EXPECT_TRUE(std::filesystem::is_symlink(path));
        EXPECT_EQ(folder.names(), std::vector<std::string>{name});
    }
}

TEST(Robust, AFolderThatIsTakenAwayWhileTheWorldRunsIsOneLine) {
    for (const auto& [option, name] : kOutputs) {
        const Folder folder;
        const std::string inner = folder / "inner";
        std::filesystem::create_directory(inner);
        // What shows that the run has begun: a file that does not go away.
        Program program({"run", kPlaza, "--steps", "1000000000", "--every", "1000", option,
                         inner + "/" + name, "--out", folder / "other.csv", "--json"});
        for (int tries = 0; folder.names().size() < 2 && tries < 1000; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::filesystem::remove_all(inner);
        program.interrupt();
        const Finished result = program.wait();
        if (option != "--out") {  // begun at the end alone, when missing folders are made
            EXPECT_EQ(result.code, 130) << result.err;
            EXPECT_GT(std::filesystem::file_size(inner + "/" + name), 100u);
            continue;
        }
        expect_one_line(result, inner + "/" + name);
        EXPECT_FALSE(std::filesystem::exists(inner));
        const auto left = folder.names();
        EXPECT_TRUE(left.empty() || left == std::vector<std::string>{"other.csv"}) << left[0];
        if (left.empty()) continue;
        EXPECT_GT(whole_text(folder / "other.csv").size(), 100u) << "whole, or not there";
    }
}

TEST(Robust, ADamagedHdf5IsOneLineToTheEndOfTheProgram) {
    const Folder folder;
    const std::string path = folder / "a.h5";
    ASSERT_EQ(horde_program({"run", kPlaza, "--steps", "2", "--out", path}).code, 0);
    const std::string whole = text_of(path);
    setenv("ASAN_OPTIONS", "detect_leaks=0",
           1);  // tests/places.cpp says why; the program knows nothing of it
    for (std::size_t at = 0; at < 2400; at += 40) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(~damaged[at]);
        const Finished result = horde_program({"measure", folder.file("bad.h5", damaged), "--json"});
        if (result.code != 0) expect_one_line(result, folder / "bad.h5");
    }
    unsetenv("ASAN_OPTIONS");
}

TEST(Robust, KillsHarmNoFinishedFile) {
    expect_kills_harm_no_file(10, 7);
}

TEST(Robust, AfterAKillTheNewestCheckpointResumes) {
    expect_checkpoints_to_resume(8, 3);
}

}  // namespace
}  // namespace horde
