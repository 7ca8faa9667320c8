/// What the trajectory writers write, and what they leave behind when something goes wrong.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <csignal>
#include <functional>

#include "horde/error.h"
#include "horde/files.h"
#include "scratch_folder.h"

namespace horde {
namespace {

Snapshot make_snapshot(std::uint64_t frame, std::size_t count, int dim) {
    Snapshot out;
    out.frame = frame;
    out.time = static_cast<double>(frame) * 0.05;
    out.dim = dim;
    for (std::size_t i = 0; i < count; ++i) {
        const double k = static_cast<double>(i);
        out.id.push_back((static_cast<AgentId>(i % 3) << 32) + 7 * i);
        out.position.push_back({1.0 / 3.0 + k, -1e6 - k / 7.0, dim == 3 ? k * 1e-9 : 0.0});
        const float v = 0.1f * static_cast<float>(i) + static_cast<float>(frame);
        out.velocity.push_back({v, -v / 3.0f, dim == 3 ? static_cast<double>(v / 9.0f) : 0.0});
        out.velocity.back().y = static_cast<float>(out.velocity.back().y);
        out.goal.push_back(i % 2 == 0 ? kNoGoal : static_cast<std::uint16_t>(i));
        out.type.push_back(static_cast<std::uint8_t>(i));
        out.state.push_back(static_cast<AgentState>(i % 4));
    }
    std::sort(out.id.begin(), out.id.end());
    return out;
}

TrajectoryInfo info_of(int dim) {
    TrajectoryInfo info;
    info.dim = dim;
    info.fps = 20.0;
    info.dt = 0.05;
    info.seed = 42;
    info.scene = "plaza";
    return info;
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool same_bits(const Vec3& a, const Vec3& b) {
    return std::bit_cast<std::uint64_t>(a.x) == std::bit_cast<std::uint64_t>(b.x) &&
           std::bit_cast<std::uint64_t>(a.y) == std::bit_cast<std::uint64_t>(b.y) &&
           std::bit_cast<std::uint64_t>(a.z) == std::bit_cast<std::uint64_t>(b.z);
}

TEST(Trajectory, ReadsBackTheBitsThatWereWritten) {
    const ScratchFolder scratch;
    for (const int dim : {2, 3}) {
        for (const char* ending : {"h5", "csv", "txt"}) {
            const std::string path = scratch.file("t" + std::to_string(dim) + "." + ending);
            const Snapshot first = make_snapshot(5, 1000, dim);
            const auto writer = open_trajectory(path, info_of(dim));
            writer->write(first);
            writer->write(make_snapshot(10, 20000, dim));  // more than one chunk
            writer->write(make_snapshot(15, 0, dim));
            writer->close();
            const Snapshot read = load_start(path);
            EXPECT_EQ(read.dim, dim) << path;
            ASSERT_EQ(read.id, first.id) << path;
            ASSERT_EQ(read.goal.size(), first.count());
            const bool has_velocity = std::string(ending) != "txt";
            for (std::size_t i = 0; i < first.count(); ++i) {
                ASSERT_TRUE(same_bits(read.position[i], first.position[i])) << path << " row " << i;
                ASSERT_TRUE(same_bits(read.velocity[i], has_velocity ? first.velocity[i] : Vec3{}))
                    << path << " row " << i;
            }
        }
    }
}

TEST(Trajectory, WritesTheCsvOfTheContract) {
    const ScratchFolder scratch;
    Snapshot frame = make_snapshot(12, 1, 2);
    frame.position[0] = {0.1, -2.5, 0.0};
    frame.velocity[0] = {1.0, 0.25, 0.0};
    const auto writer = open_trajectory(scratch.file("a.csv"), info_of(2));
    writer->write(frame);
    writer->close();
    EXPECT_EQ(scratch.read("a.csv"), "frame,id,x,y,vx,vy\n12,0,0.1,-2.5,1,0.25\n");

    Snapshot deep = make_snapshot(3, 1, 3);
    deep.position[0] = {1, 2, 3};
    deep.velocity[0] = {4, 5, 6};
    const auto deep_writer = open_trajectory(scratch.file("b.csv"), info_of(3));
    deep_writer->write(deep);
    deep_writer->close();
    EXPECT_EQ(scratch.read("b.csv"), "frame,id,x,y,z,vx,vy,vz\n3,0,1,2,3,4,5,6\n");
}

TEST(Trajectory, NumbersTheFramesOfTextByItsFrameRate) {
    const ScratchFolder scratch;
    TrajectoryInfo info = info_of(2);
    const auto write = [&](const std::string& name) {
        const auto writer = open_trajectory(scratch.file(name), info);
        for (const std::uint64_t simulated : {0u, 5u, 10u}) {
            Snapshot frame = make_snapshot(simulated, 1, info.dim);
            frame.position[0] = {0.5, 1.5, info.dim == 3 ? 2.5 : 0.0};
            writer->write(frame);
        }
        writer->close();
    };
    info.fps = 4.0;
    write("a.txt");
    EXPECT_EQ(scratch.read("a.txt"),
              "# framerate: 4.00\n# id\tframe\tx/m\ty/m\n0\t0\t0.5\t1.5\n0\t1\t0.5\t1.5\n0\t2\t0.5\t1.5\n");
    info.fps = 40.0 / 3.0;
    info.dim = 3;
    write("b.txt");
    EXPECT_EQ(scratch.read("b.txt").substr(0, 67),
              "# framerate: 13.333333333333334\n# id\tframe\tx/m\ty/m\tz/m\n0\t0\t0.5\t1.5\t");
}

TEST(Trajectory, FramesWithoutAgentsAreFrames) {
    const ScratchFolder scratch;
    for (const char* ending : {"h5", "csv", "txt"}) {
        const std::string path = scratch.file(std::string("empty.") + ending);
        const auto writer = open_trajectory(path, info_of(2));
        writer->write(make_snapshot(0, 0, 2));
        writer->close();
        EXPECT_EQ(load_start(path).count(), 0u) << path;
    }
}

TEST(Trajectory, IsSeenOnlyWhenItIsWhole) {
    const ScratchFolder scratch;
    for (const char* ending : {"h5", "csv", "txt", "xyz", "sqlite"}) {
        const std::string path = scratch.file(std::string("out/deep/t.") + ending);
        {
            const auto writer = open_trajectory(path, info_of(2));
            writer->write(make_snapshot(0, 50000, 2));
            EXPECT_FALSE(std::filesystem::exists(path));
        }
        EXPECT_EQ(scratch.entries(), 0u) << "folders that were made are taken away again: " << path;
    }
    const std::string kept = scratch.write("kept.csv", "old");
    { open_trajectory(kept, info_of(2))->write(make_snapshot(0, 3, 2)); }
    EXPECT_EQ(scratch.read("kept.csv"), "old");
    EXPECT_EQ(scratch.entries(), 1u);
    const auto writer = open_trajectory(kept, info_of(2));
    writer->close();
    writer->close();  // the second does nothing
    EXPECT_EQ(scratch.read("kept.csv"), "frame,id,x,y,vx,vy\n");
    EXPECT_EQ(scratch.entries(), 1u);
}

TEST(Trajectory, TwoWritersOfOneNameDoNotMix) {
    const ScratchFolder scratch;
    const std::string path = scratch.file("t.csv");
    const auto first = open_trajectory(path, info_of(2));
    const auto second = open_trajectory(path, info_of(2));
    first->write(make_snapshot(1, 1, 2));
    second->write(make_snapshot(2, 2, 2));
    first->close();
    second->close();
    EXPECT_EQ(load_start(path).count(), 2u);
    EXPECT_EQ(scratch.entries(), 1u);
}

TEST(Trajectory, FollowsALinkAndKeepsIt) {
    const ScratchFolder scratch;
    scratch.write("real.csv", "old");
    std::filesystem::create_symlink(scratch.file("real.csv"), scratch.file("link.csv"));
    open_trajectory(scratch.file("link.csv"), info_of(2))->close();
    EXPECT_TRUE(std::filesystem::is_symlink(scratch.file("link.csv")));
    EXPECT_EQ(scratch.read("real.csv"), "frame,id,x,y,vx,vy\n");
}

TEST(Trajectory, SaysWhyAPlaceCannotBeWritten) {
    const ScratchFolder scratch;
    scratch.write("file", "");
    std::filesystem::create_directories(scratch.file("folder.csv"));
    const std::string bad[] = {scratch.file("file/t.csv"),
                               scratch.file("file/t.h5"),
                               scratch.file("folder.csv"),
                               scratch.file("file/deep/t.csv"),
                               "/proc/horde/t.h5",
                               "/proc/horde/t.sqlite",
                               scratch.file("file/t.sqlite"),
                               scratch.file("t.vtk"),
                               scratch.file("noending"),
                               scratch.file(std::string(300, 'n') + ".csv"),
                               ""};
    for (const std::string& path : bad) {
        const std::string text = message_of([&] { open_trajectory(path, info_of(2)); });
        EXPECT_NE(text.find(path), std::string::npos) << path << ": " << text;
        EXPECT_NE(text.find("; "), std::string::npos) << "says what to do: " << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    EXPECT_EQ(scratch.entries(), 2u);
}

TEST(Trajectory, RefusesWhatItCannotDescribe) {
    const ScratchFolder scratch;
    TrajectoryInfo info = info_of(2);
    info.fps = 0.0;
    EXPECT_NE(message_of([&] { open_trajectory(scratch.file("t.txt"), info); }).find("frame rate"),
              std::string::npos);
    EXPECT_NE(message_of([&] { open_trajectory(scratch.file("t.h5"), info); }).find("frame rate"),
              std::string::npos);
    info.dim = 4;
    EXPECT_THROW(open_trajectory(scratch.file("t.csv"), info), Error);
    const auto writer = open_trajectory(scratch.file("t.csv"), info_of(2));
    EXPECT_THROW(writer->write(make_snapshot(0, 1, 3)), Error);
    Snapshot torn = make_snapshot(0, 2, 2);
    torn.velocity.pop_back();
    EXPECT_THROW(writer->write(torn), Error);
    writer->close();
    EXPECT_THROW(writer->write(make_snapshot(0, 1, 2)), Error);
}

/// Files of this process may not grow beyond `bytes` while one lives: what a full disk looks like.
class SmallDisk {
  public:
    explicit SmallDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit small{bytes, limit_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }

  private:
    rlimit limit_{};
    void (*before_)(int);
};

TEST(Trajectory, AFullDiskLeavesNothingBehind) {
    const ScratchFolder scratch;
    const Snapshot frame = make_snapshot(0, 40000, 2);
    const std::pair<const char*, rlim_t> cases[] = {{"h5", 0},          {"h5", 5000},       {"h5", 100000},
                                                    {"h5", 200000},     {"csv", 100000},    {"txt", 100000},
                                                    {"xyz", 100000},    {"sqlite", 0},      {"sqlite", 5000},
                                                    {"sqlite", 100000}, {"sqlite", 3000000}};
    for (const auto& [ending, bytes] : cases) {
        const std::string path = scratch.file(std::string("t.") + ending);
        testing::internal::CaptureStderr();
        std::string text;
        {
            const SmallDisk disk(bytes);
            text = message_of([&] {
                const auto writer = open_trajectory(path, info_of(2));
                for (int i = 0; i < 4; ++i) writer->write(frame);
                writer->close();
            });
        }
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << path;
        EXPECT_NE(text.find("cannot write " + path), std::string::npos) << text;
        EXPECT_EQ(scratch.entries(), 0u) << path;
    }
    const auto writer = open_trajectory(scratch.file("after.h5"), info_of(2));  // and the library still works
    writer->write(frame);
    writer->close();
    EXPECT_EQ(load_start(scratch.file("after.h5")).count(), frame.count());
}

}  // namespace
}  // namespace horde
