/// Extended XYZ: what is written, what comes back, and that all formats tell the same.
#include <gtest/gtest.h>

#include "horde/error.h"
#include "horde/files.h"
#include "scratch_folder.h"

namespace horde {
namespace {

Snapshot frame_of(std::uint64_t frame, int dim, std::size_t count) {
    Snapshot out;
    out.frame = frame;
    out.time = static_cast<double>(frame) * 0.05;
    out.dim = dim;
    for (std::size_t i = 0; i < count; ++i) {
        const double k = static_cast<double>(i) + static_cast<double>(frame) / 7.0;
        const float v = 0.3f * static_cast<float>(k);
        out.id.push_back((static_cast<AgentId>(i) << 32) + 7 * i);
        out.position.push_back({1.0 / 3.0 + k, -1e6 - k / 7.0, dim == 3 ? k * 1e-9 : 0.0});
        out.velocity.push_back({v, -v, dim == 3 ? static_cast<double>(v / 2) : 0.0});
        out.goal.push_back(static_cast<std::uint16_t>(i));
        out.type.push_back(static_cast<std::uint8_t>(3 * i));
        out.state.push_back(static_cast<AgentState>(i % 4));
    }
    return out;
}

std::string write(const ScratchFolder& scratch, const std::string& name, int dim,
                  const std::vector<Snapshot>& frames, const std::optional<Bounds>& bounds = {}) {
    TrajectoryInfo info;
    info.dim = dim;
    info.fps = 20.0;
    info.dt = 0.05;
    info.bounds = bounds;
    info.periodic = bounds.has_value();
    const auto writer = open_trajectory(scratch.file(name), info);
    for (const Snapshot& frame : frames) writer->write(frame);
    writer->close();
    return scratch.file(name);
}

std::string refusal(const std::string& path) {
    try {
        const auto reader = read_trajectory(path, {.fps = 1.0, .unit = 1.0});
        for (TrajectoryFrame frame; reader->next(frame);) {
        }
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Xyz, SaysEverythingInTheCommentOfEachFrame) {
    const ScratchFolder scratch;
    Snapshot one = frame_of(10, 2, 1);
    one.position[0] = {1.5, -2.25, 9.0};
    one.velocity[0] = {0.1, 0.0, 9.0};
    write(scratch, "a.xyz", 2, {one, frame_of(20, 2, 0)}, Bounds{{-50, -40, 0}, {50, 40, 0}});
    EXPECT_EQ(scratch.read("a.xyz"),
              "1\nLattice=\"100 0 0 0 80 0 0 0 1\" Origin=\"-50 -40 -0.5\" pbc=\"T T F\" "
              "Properties=id:I:1:pos:R:3:velo:R:3 Time=0.5 frame=10 fps=20 dim=2 unit=m\n"
              "0 1.5 -2.25 0 0.1 0 0\n"
              "0\nLattice=\"100 0 0 0 80 0 0 0 1\" Origin=\"-50 -40 -0.5\" pbc=\"T T F\" "
              "Properties=id:I:1:pos:R:3:velo:R:3 Time=1 frame=20 fps=20 dim=2 unit=m\n");
}

TEST(Xyz, WithoutBoundsTheCellIsWhatTheAgentsFill) {
    const ScratchFolder scratch;
    Snapshot two = frame_of(0, 3, 2);
    two.position = {{1, 5, 2}, {4, -5, 2}};
    write(scratch, "a.xyz", 3, {two});
    EXPECT_NE(scratch.read("a.xyz").find("Lattice=\"3 0 0 0 10 0 0 0 1\" Origin=\"1 -5 2\" pbc=\"F F F\""),
              std::string::npos)
        << scratch.read("a.xyz");
}

TEST(Xyz, EveryFormatWithVelocitiesReadsBackTheSame) {
    const ScratchFolder scratch;
    for (const int dim : {2, 3}) {
        const std::vector<Snapshot> frames = {frame_of(0, dim, 5), frame_of(3, dim, 4), frame_of(6, dim, 0),
                                              frame_of(7, dim, 9)};
        for (const std::string ending : {"xyz", "h5", "csv"}) {
            const auto reader = read_trajectory(write(scratch, "a." + ending, dim, frames));
            EXPECT_EQ(reader->facts().dim, dim) << ending;
            EXPECT_TRUE(reader->facts().velocities_in_file) << ending;
            EXPECT_EQ(reader->facts().fps, ending == "csv" ? 0.0 : 20.0);
            TrajectoryFrame frame;
            for (const Snapshot& expected : frames) {
                if (ending == "csv" && expected.count() == 0)
                    continue;  // a frame without rows leaves no trace there
                ASSERT_TRUE(reader->next(frame)) << ending;
                EXPECT_EQ(frame.snapshot.frame, expected.frame) << ending;
                EXPECT_EQ(frame.snapshot.id, expected.id) << ending;
                EXPECT_EQ(frame.snapshot.position, expected.position) << ending;
                EXPECT_EQ(frame.snapshot.velocity, expected.velocity) << ending;
                EXPECT_TRUE(frame.velocity_known.empty()) << ending;
                EXPECT_EQ(frame.snapshot.time, ending == "csv" ? 0.0 : expected.time) << ending;
                if (ending != "h5") continue;
                EXPECT_EQ(frame.snapshot.goal, expected.goal);
                EXPECT_EQ(frame.snapshot.type, expected.type);
                EXPECT_EQ(frame.snapshot.state, expected.state);
            }
            EXPECT_FALSE(reader->next(frame)) << ending;
        }
    }
}

TEST(Xyz, IsAStart) {
    const ScratchFolder scratch;
    const Snapshot first = frame_of(4, 2, 6);
    const Snapshot start = load_start(write(scratch, "a.xyz", 2, {first, frame_of(9, 2, 3)}));
    EXPECT_EQ(start.id, first.id);
    EXPECT_EQ(start.position, first.position);
    EXPECT_EQ(start.velocity, first.velocity);
    EXPECT_EQ(start.frame, 0u);
    EXPECT_EQ(start.time, 0.0);
    EXPECT_EQ(start.dim, 2);
}

TEST(Xyz, ReadsOtherColumnsAndFramesWithoutVelocities) {
    const ScratchFolder scratch;
    const std::string head =
        "2\nfree text Properties=species:S:1:pos:R:3:id:I:1:mass:R:1 note=\"two words\"\n";
    const std::string path = scratch.write(
        "a.xyz", head + "A 1 2 3 8 0.5\nB 4 5 6 7 0.5\n" + head + "B\t4 5 7 7 0.5\nA 1 2 3.5 8 0.5\r\n\n");
    const auto reader = read_trajectory(path, {.fps = 10.0, .unit = 1.0});
    TrajectoryFrame frame;
    ASSERT_TRUE(reader->next(frame));
    EXPECT_EQ(frame.snapshot.dim, 3);
    EXPECT_EQ(frame.snapshot.id, (std::vector<AgentId>{7, 8}));
    EXPECT_EQ(frame.snapshot.velocity[0], (Vec3{0, 0, 10}));
    EXPECT_EQ(frame.snapshot.velocity[1], (Vec3{0, 0, 5}));
    ASSERT_TRUE(reader->next(frame));
    EXPECT_EQ(frame.snapshot.frame, 1u);
    EXPECT_EQ(frame.snapshot.time, 0.1);
    EXPECT_FALSE(reader->next(frame));
    EXPECT_THROW(read_trajectory(path), Error);
    EXPECT_THROW(read_trajectory(path, {.fps = 10.0}), Error);
}

TEST(Xyz, RefusesHostileFilesInOneLineThatSaysWhere) {
    const ScratchFolder scratch;
    const std::string comment = "Properties=id:I:1:pos:R:3 Time=0\n";
    const struct {
        std::string text;
        const char* says;
    } cases[] = {
        {"many\n", ":1: the number of agents 'many' is not a number"},
        {"-1\n" + comment, ":1: the number of agents '-1' is not a number"},
        {"1\n", ":1: the file ends before the comment line"},
        {"1\njust words\n", ":2: the comment has no Properties"},
        {"1\nProperties=id:I:1:pos:R\n", ":2: Properties must be name:type:count"},
        {"1\nProperties=pos:R:3\n", ":2: Properties has no id:I:1"},
        {"1\nProperties=id:I:1:pos:R:2\n", ":2: Properties has no id:I:1 or no pos:R:3"},
        {"1\nProperties=\"id:I:1\n", ":2: a quote in the comment is not closed"},
        {"18446744073709551615\n" + comment + "1 2 3 4\n",
         ":3: the file ends before the 18446744073709551615 rows"},
        {"1\n" + comment + "1 2 3\n", ":3: the row has not 4 values"},
        {"1\n" + comment + "1 2 3 nan\n", ":3: agent 1 has a position that is not finite"},
        {"2\n" + comment + "1 2 3 4\n1 2 3 4\n", ":4: agent 1 is in frame 0 twice"},
        {"0\n" + comment + "0\nframe=0 " + comment, ":4: frame must grow"},
        {"0\nfps=0 " + comment, ":2: fps must be more than 0"},
        {"0\nunit=ft " + comment, ":2: unit 'ft' must be m or cm"},
        {"0\ndim=4 " + comment, ":2: dim '4' must be 2 or 3"},
        {"0\n" + comment + "0\nProperties=id:I:1:pos:R:3:velo:R:3\n",
         ":4: some frames have velo and some have not"},
    };
    for (const auto& one : cases) {
        const std::string path = scratch.write("hostile.xyz", one.text);
        const std::string text = refusal(path);
        EXPECT_NE(text.find(path + one.says), std::string::npos) << text << " lacks " << one.says;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    EXPECT_EQ(refusal(scratch.write("empty.xyz", "")), "accepted");
    EXPECT_THROW(load_start(scratch.file("empty.xyz")), Error);
}

}  // namespace
}  // namespace horde
