/// Starts: what is read, and how hostile files are refused.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>
#include <functional>

#include "../places.h"
#include "horde/error.h"
#include "horde/files.h"
#include "scratch_folder.h"

namespace horde {
namespace {

std::string refusal(const std::string& path) {
    try {
        load_start(path);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(StartFile, TakesCsvColumnsByName) {
    const ScratchFolder scratch;
    const std::string path = scratch.write("a.csv",
                                           "id, y, x, frame, vx\r\n"
                                           "9,2.5,1.5,100,0.5\r\n"
                                           "3,4.5,3.5,100,0.25\r\n"
                                           "\r\n"
                                           "3,0,0,101,0");
    const Snapshot start = load_start(path);
    EXPECT_EQ(start.dim, 2);
    EXPECT_EQ(start.frame, 0u);
    EXPECT_EQ(start.id, (std::vector<AgentId>{3, 9}));
    EXPECT_EQ(start.position[0], (Vec3{3.5, 4.5, 0.0}));
    EXPECT_EQ(start.velocity[1], (Vec3{0.5, 0.0, 0.0}));
    EXPECT_EQ(start.goal, (std::vector<std::uint16_t>{kNoGoal, kNoGoal}));
}

TEST(StartFile, TheFirstFrameIsTheLowestWhereverItStands) {
    const ScratchFolder scratch;
    const std::string text =
        "# framerate: 25.00\n# id frame x/m y/m\n1 8 1 1\n1 9 2 2\n2 7 3 3\n2 8 4 4\n5 7.0 5 5\n";
    const Snapshot start = load_start(scratch.write("a.txt", text));
    EXPECT_EQ(start.id, (std::vector<AgentId>{2, 5}));
    EXPECT_EQ(start.position[1], (Vec3{5, 5, 0}));
    EXPECT_EQ(start.velocity[0], Vec3{});
}

TEST(StartFile, ReadsTextOfOtherPrograms) {
    const ScratchFolder scratch;
    const Snapshot deep = load_start(
        scratch.write("a.txt", "#framerate: 16\n\n# PersID\tFrame\tX\tY\tZ\n1\t9\t1.25\t2\t1.76\n"));
    EXPECT_EQ(deep.dim, 3);
    EXPECT_EQ(deep.position[0], (Vec3{1.25, 2, 1.76}));
    const Snapshot small =
        load_start(scratch.write("b.txt", "# framerate: 16\n# id frame x/cm y/cm\n4 0 250 -50\n"));
    EXPECT_EQ(small.position[0], (Vec3{2.5, -0.5, 0}));
}

TEST(StartFile, ReadsPublishedPedestrians) {
    const char* given = std::getenv("HORDE_DATA");
    const std::string data = given ? given : std::string(horde::test::kSourceDir) + "/../shared/data";
    const std::string path = data + "/pedestrians/traj_UNI_CORR_500_01.txt";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
    const Snapshot start = load_start(path);
    EXPECT_EQ(start.dim, 3);
    ASSERT_GE(start.count(), 1u);
    EXPECT_EQ(start.id[0], 1u);
    EXPECT_EQ(start.position[0], (Vec3{4.6012, 1.8909, 1.76}));
    const std::string bare = data + "/pedestrians/uo-050-180-180.txt";
    EXPECT_NE(refusal(bare).find(":1: no frame rate"), std::string::npos) << refusal(bare);
}

TEST(StartFile, RefusesHostileCsvInOneLineThatSaysWhere) {
    const ScratchFolder scratch;
    const std::string header = "frame,id,x,y,vx,vy\n";
    const struct {
        std::string text;
        const char* says;
    } cases[] = {
        {"", ":1: the file is empty"},
        {"frame,id,x\n", ":1: column 'y' is missing"},
        {"frame,id,x,y,z,w\n", ":1: unknown column 'w'"},
        {"ID,Frame,x,y\n", ":1: unknown column 'ID'"},
        {"frame,id,x,y,x\n", ":1: column 'x' is there twice"},
        {"frame,id,x,y,vz\n", ":1: column 'z' is missing"},
        {"frame,id,x,y,z,vx,vy,vz,frame,id\n", ":1: too many columns"},
        {header + "0,1,1,1,0\n", ":2: the row has not 6 values"},
        {header + "0,1,1,1,0,0,0\n", ":2: the row has not 6 values"},
        {header + "0,1,1,1,0,0\n0,2,nan,1,0,0\n", ":3: agent 2 has a position that is not finite"},
        {header + "0,1,1,1,0,inf\n", ":2: agent 1 has a velocity that is not finite"},
        {header + "0,1,1e999,1,0,0\n", ":2: x '1e999' is too large"},
        {header + "0,-1,1,1,0,0\n", ":2: id '-1' is not a number"},
        {header + "0,18446744073709551616,1,1,0,0\n", ":2: id '18446744073709551616' is too large"},
        {header + "0,1.5,1,1,0,0\n", ":2: id '1.5' is not a number"},
        {header + "0,1,1x,1,0,0\n", ":2: x '1x' is not a number"},
        {header + "0,1,,1,0,0\n", ":2: x '' is not a number"},
        {header + "0,1,1,1,0,0\n0,2,1,1,0,0\n0,1,1,1,0,0\n", ":4: agent 1 is in the first frame twice"},
        {header + std::string(100000, '1') + "\n", ":2: the line is longer"},
        {header + std::string(3000000, '1'), ":2: the line is longer"},
        {std::string("\x89PNG\r\n\x1a\n\0\0", 10), ":1: unknown column"},
    };
    for (const auto& one : cases) {
        const std::string path = scratch.write("hostile.csv", one.text);
        const std::string text = refusal(path);
        EXPECT_NE(text.find(path + one.says), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_LT(text.size(), path.size() + 250) << text;
    }
}

TEST(StartFile, RefusesHostileTextInOneLineThatSaysWhere) {
    const ScratchFolder scratch;
    const std::string header = "# framerate: 20.00\n";
    const struct {
        std::string text;
        const char* says;
    } cases[] = {
        {"", ":1: no frame rate"},
        {"# id frame x/m y/m\n", ":1: no frame rate"},
        {"1 0 2 3\n# framerate: 20\n", ":1: no frame rate before the first row"},
        {"# framerate: fast\n", ":1: framerate 'fast' is not a number"},
        {"# framerate: -3\n", ":1: framerate must be more than 0"},
        {"# framerate: inf\n", ":1: framerate must be more than 0"},
        {header + "1 0 2\n", ":2: a row is id, frame, x, y"},
        {header + "1 0 2 3 4 5\n", ":2: a row is id, frame, x, y"},
        {header + "1 0 2 3\n2 0 3 4 5\n", ":3: a row is id, frame, x, y"},
        {header + "# id frame x/m y/m z/m\n1 0 2 3\n", ":3: a row is id, frame, x, y"},
        {header + "1 0 nan 3\n", ":2: agent 1 has a position that is not finite"},
        {header + "1 0 2 3\n1 0 2 3\n", ":3: agent 1 is in the first frame twice"},
        {header + "x 0 2 3\n", ":2: id 'x' is not a number"},
    };
    for (const auto& one : cases) {
        const std::string path = scratch.write("hostile.txt", one.text);
        const std::string text = refusal(path);
        EXPECT_NE(text.find(path + one.says), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

TEST(StartFile, RefusesHdf5ThatIsNotOurs) {
    const ScratchFolder scratch;
    Snapshot frame;
    for (std::uint64_t i = 0; i < 2000; ++i) {
        frame.id.push_back(i);
        frame.position.push_back({static_cast<double>(i * i % 977), static_cast<double>(i), 0});
        frame.velocity.push_back({});
    }
    frame.goal.assign(2000, 0);
    frame.type.assign(2000, 0);
    frame.state.assign(2000, AgentState::kWalking);
    TrajectoryInfo info;
    info.fps = 20;
    const auto write = [&](const Snapshot& snapshot) {
        const auto writer = open_trajectory(scratch.file("good.h5"), info);
        writer->write(snapshot);
        writer->close();
    };
    write(frame);
    const std::string whole = scratch.read("good.h5");
    testing::internal::CaptureStderr();
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() / 2, whole.size() - 10}) {
        const std::string path = scratch.write("cut.h5", whole.substr(0, bytes));
        const std::string text = refusal(path);
        EXPECT_NE(text.find("cannot read " + path), std::string::npos) << bytes << ": " << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
    frame.id[7] = 6;
    write(frame);
    EXPECT_NE(refusal(scratch.file("good.h5")).find("agent 6 is in the first frame twice"),
              std::string::npos);
    frame.id[7] = 7;
    frame.position[9].y = std::numeric_limits<double>::quiet_NaN();
    write(frame);
    EXPECT_NE(refusal(scratch.file("good.h5")).find("agent 9 has a position that is not finite"),
              std::string::npos);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(StartFile, NoDamagedByteOfAnHdf5IsFollowed) {
    const ScratchFolder scratch;
    Snapshot frame;
    for (std::uint64_t i = 0; i < 5; ++i) {
        frame.id.push_back(i);
        frame.position.push_back({0.1 * static_cast<double>(i), 1.0 / 3.0, 0});
        frame.velocity.push_back({});
    }
    frame.goal.assign(5, 0);
    frame.type.assign(5, 0);
    frame.state.assign(5, AgentState::kWalking);
    TrajectoryInfo info;
    info.fps = 20;
    const auto writer = open_trajectory(scratch.file("good.h5"), info);
    writer->write(frame);
    writer->close();
    const std::string whole = scratch.read("good.h5");
    testing::internal::CaptureStderr();
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); at += 11) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(~damaged[at]);
        const std::string text = refusal(scratch.write("bad.h5", damaged));
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        refused += text.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 50) << "much of a small file is structure";
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(StartFile, RefusesHdf5ThatWouldTakeMoreMemoryThanItHolds) {
    const ScratchFolder scratch;
    TrajectoryInfo info;
    info.fps = 20;
    const std::string path = scratch.file("large.h5");
    const auto refused = [&](const char* name, hsize_t rows, hsize_t chunk, const std::string& part) {
        open_trajectory(path, info)->close();
        const hid_t h5 = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        H5Ldelete(h5, name, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(1, &rows, nullptr);
        const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
        if (chunk > 0) H5Pset_chunk(plan, 1, &chunk);
        if (chunk == 0) H5Pset_external(plan, "/dev/zero", 0, H5F_UNLIMITED);
        H5Dclose(H5Dcreate2(h5, name, H5T_STD_U64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
        H5Pclose(plan);
        H5Sclose(space);
        H5Fclose(h5);
        EXPECT_NE(refusal(path).find(part), std::string::npos) << refusal(path);
    };
    refused("/agents/id", 1u << 28, 1u << 28, "/agents/id has chunks of more than 64 MB");
    refused("/agents/id", 1u << 30, 1024, "do not fit together");
    refused("/frame/start", 2, 0, "/frame/start is kept in another way");
}

TEST(StartFile, RefusesWhatIsNoFile) {
    const ScratchFolder scratch;
    std::filesystem::create_directories(scratch.file("folder.csv"));
    std::filesystem::create_directories(scratch.file("folder.h5"));
    for (const char* name :
         {"none.csv", "none.txt", "none.h5", "folder.csv", "folder.h5", "a.png", "plain"}) {
        const std::string text = refusal(scratch.file(name));
        EXPECT_NE(text.find("cannot read " + scratch.file(name)), std::string::npos) << text;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace horde
