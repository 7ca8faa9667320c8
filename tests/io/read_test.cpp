/// Whole trajectories: what readers say of a file, velocities from differences, and real pedestrians.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>
#include <set>

#include "../places.h"
#include "horde/error.h"
#include "horde/files.h"
#include "scratch_folder.h"

namespace horde {
namespace {

/// A trajectory read to its end.
struct Whole {
    TrajectoryFacts facts;
    std::vector<TrajectoryFrame> frames;

    /// Velocity of an agent in a frame; nullopt if unknown.
    std::optional<Vec3> velocity(std::size_t frame, AgentId id) const {
        const TrajectoryFrame& at = frames.at(frame);
        for (std::size_t i = 0; i < at.snapshot.count(); ++i) {
            if (at.snapshot.id[i] != id) continue;
            if (!at.velocity_known.empty() && at.velocity_known[i] == 0) return std::nullopt;
            return at.snapshot.velocity[i];
        }
        ADD_FAILURE() << "agent " << id << " is not in frame " << frame;
        return std::nullopt;
    }
    std::size_t rows() const {
        std::size_t sum = 0;
        for (const TrajectoryFrame& frame : frames) sum += frame.snapshot.count();
        return sum;
    }
    std::size_t agents() const {
        std::set<AgentId> ids;
        for (const TrajectoryFrame& frame : frames)
            ids.insert(frame.snapshot.id.begin(), frame.snapshot.id.end());
        return ids.size();
    }
};

Whole read_whole(const std::string& path, const ReadOptions& options = {}) {
    Whole whole;
    const auto reader = read_trajectory(path, options);
    whole.facts = reader->facts();
    for (TrajectoryFrame frame; reader->next(frame);) whole.frames.push_back(frame);
    return whole;
}

std::string refusal(const std::string& path, const ReadOptions& options = {}) {
    try {
        read_whole(path, options);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

testing::AssertionResult says(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << '"' << text << "\" lacks \"" << part << '"';
}

TEST(ReadTrajectory, U82SpeedAtTheEndsOfATrackIsNotTakenFromAnotherAgent) {
    const ScratchFolder scratch;
    const std::string path = scratch.write(
        "a.txt",
        "# framerate: 1\n# id frame x/m y/m\n1 0 0 0\n1 1 1 0\n1 2 2 0\n2 0 100 0\n2 1 101 0\n2 2 102 0\n");
    const Whole whole = read_whole(path);
    ASSERT_EQ(whole.frames.size(), 3u);
    for (std::size_t frame = 0; frame < 3; ++frame) {
        for (const AgentId id : {1, 2})
            EXPECT_EQ(whole.velocity(frame, id), (Vec3{1, 0, 0})) << frame << ", " << id;
    }
    EXPECT_FALSE(whole.facts.velocities_in_file);
    // One after the other instead of side by side: nobody inherits a place.
    const Whole relay = read_whole(
        scratch.write("b.csv", "frame,id,x,y\n0,1,0,0\n1,1,1,0\n2,2,100,0\n3,2,101,0\n"), {.fps = 1.0});
    for (std::size_t frame = 0; frame < 4; ++frame) {
        EXPECT_EQ(relay.velocity(frame, frame < 2 ? 1 : 2), (Vec3{1, 0, 0})) << frame;
    }
}

TEST(ReadTrajectory, DifferencesLookBackAndAtTheFirstRowForward) {
    const ScratchFolder scratch;
    const std::string path =
        scratch.write("a.csv", "frame,id,x,y\n10,7,0,0\n12,7,1,0\n14,7,4,-8\n14,8,0,0\n14,9,5,5\n16,8,0,6\n");
    const Whole whole = read_whole(path, {.fps = 4.0});
    ASSERT_EQ(whole.frames.size(), 4u);
    EXPECT_EQ(whole.velocity(0, 7), (Vec3{2, 0, 0}));  // two frames are half a second
    EXPECT_EQ(whole.velocity(1, 7), (Vec3{2, 0, 0}));
    EXPECT_EQ(whole.velocity(2, 7), (Vec3{6, -16, 0}));
    EXPECT_EQ(whole.velocity(2, 8), (Vec3{0, 12, 0}));
    EXPECT_EQ(whole.velocity(3, 8), (Vec3{0, 12, 0}));
    EXPECT_EQ(whole.velocity(2, 9), std::nullopt) << "a single row has no difference";
    EXPECT_EQ(whole.frames[2].snapshot.velocity[2], Vec3{});
    EXPECT_EQ(whole.frames[2].snapshot.time, 3.5);
}

TEST(ReadTrajectory, NoDifferenceSpansAGap) {
    const ScratchFolder scratch;
    // Agent 1 is away in frame 2, everybody in frames 4 to 8.
    const std::string path =
        scratch.write("a.csv",
                      "frame,id,x,y\n0,1,0,0\n0,2,0,0\n1,1,1,0\n1,2,0,1\n2,2,0,2\n3,1,50,0\n"
                      "3,2,0,3\n9,1,90,0\n9,2,0,90\n10,1,91,0\n11,1,93,0\n");
    const Whole whole = read_whole(path, {.fps = 1.0});
    ASSERT_EQ(whole.frames.size(), 7u);
    EXPECT_EQ(whole.velocity(1, 1), (Vec3{1, 0, 0}));
    EXPECT_EQ(whole.velocity(3, 1), std::nullopt) << "a gap on both sides";
    EXPECT_EQ(whole.velocity(3, 2), (Vec3{0, 1, 0}));
    EXPECT_EQ(whole.velocity(4, 1), (Vec3{1, 0, 0})) << "forward after a gap";
    EXPECT_EQ(whole.velocity(4, 2), std::nullopt);
    EXPECT_EQ(whole.velocity(6, 1), (Vec3{2, 0, 0}));
}

TEST(ReadTrajectory, DifferencesInAPeriodicWorldTakeTheNearestImage) {
    const ScratchFolder scratch;
    const std::string path = scratch.write("a.csv", "frame,id,x,y\n0,1,9,-4\n1,1,-9,4\n");
    const Bounds box{{-10, -5, 0}, {10, 5, 0}};
    EXPECT_EQ(read_whole(path, {.fps = 1.0, .periodic = box}).velocity(1, 1), (Vec3{2, -2, 0}));
    EXPECT_EQ(read_whole(path, {.fps = 1.0}).velocity(1, 1), (Vec3{-18, 8, 0}));
}

TEST(ReadTrajectory, DemandsWhatTheFileDoesNotSay) {
    const ScratchFolder scratch;
    const std::string bare = scratch.write("a.txt", "1 0 100 0\n1 1 200 0\n");
    EXPECT_TRUE(says(refusal(bare), "no frame rate and no unit"));
    EXPECT_TRUE(says(refusal(bare), "--fps F and --unit m"));
    EXPECT_TRUE(says(refusal(bare, {.fps = 16.0}), "--unit m or --unit cm"));
    EXPECT_TRUE(says(refusal(bare, {.unit = 0.01}), "--fps F"));
    const Whole centimetres = read_whole(bare, {.fps = 16.0, .unit = 0.01});
    EXPECT_EQ(centimetres.frames[0].snapshot.position[0], (Vec3{1, 0, 0}));
    EXPECT_EQ(centimetres.velocity(0, 1), (Vec3{16, 0, 0}));
    EXPECT_EQ(centimetres.frames[1].snapshot.time, 1.0 / 16);
    const std::string rate = scratch.write("b.txt", "# framerate: 25.00\n1 0 100 0\n1 1 200 0\n");
    EXPECT_TRUE(read_whole(rate).facts.unit_assumed);
    EXPECT_FALSE(read_whole(rate, {.unit = 1.0}).facts.unit_assumed);
    const std::string both =
        scratch.write("c.txt", "# framerate: 25.00\n# id frame x/cm y/cm\n1 0 100 0\n1 1 200 0\n");
    EXPECT_EQ(read_whole(both).velocity(1, 1), (Vec3{25, 0, 0}));
    EXPECT_TRUE(says(refusal(scratch.write("d.csv", "frame,id,x,y\n0,1,0,0\n")), "--fps F"));
    const std::string foreign = scratch.write("e.csv", "ID,Frame,x,y,v_x,v_y\n4,9,100,0,50,-50\n");
    EXPECT_TRUE(says(refusal(foreign), "--unit m or --unit cm"));
    EXPECT_EQ(read_whole(foreign, {.unit = 0.01}).velocity(0, 4), (Vec3{0.5, -0.5, 0}));
    EXPECT_EQ(read_whole(scratch.write("f.csv", "frame,id,x,y,vx,vy\n3,4,1,0,5,6\n")).velocity(0, 4),
              (Vec3{5, 6, 0}));
    EXPECT_TRUE(says(refusal(foreign, {.unit = -1.0}), "unit"));
    EXPECT_TRUE(says(refusal(bare, {.fps = 0.0, .unit = 1.0}), "--fps"));
    EXPECT_TRUE(says(refusal(both, {.dim = 3}), "leave out --dim"));
}

TEST(ReadTrajectory, AZThatNoAgentChangesIsAHeight) {
    const ScratchFolder scratch;
    const std::string head = "# framerate: 1\n# id frame x/m y/m z/m\n";
    const std::string people =
        scratch.write("a.txt", head + "1 0 0 0 1.76\n1 1 1 0 1.76\n2 0 5 5 1.62\n2 1 5 6 1.62\n");
    const Whole flat = read_whole(people);
    EXPECT_EQ(flat.facts.dim, 2);
    EXPECT_TRUE(flat.facts.heights_left_out);
    EXPECT_EQ(flat.frames[0].snapshot.position[1], (Vec3{5, 5, 0}));
    EXPECT_EQ(read_whole(people, {.dim = 3}).frames[0].snapshot.position[1], (Vec3{5, 5, 1.62}));
    const std::string birds =
        scratch.write("b.txt", head + "1 0 0 0 1.76\n1 1 1 0 1.76\n2 0 5 5 1.62\n2 1 5 6 1.63\n");
    EXPECT_EQ(read_whole(birds).facts.dim, 3);
    EXPECT_EQ(read_whole(birds, {.dim = 2}).facts.dim, 2);
    EXPECT_EQ(read_whole(scratch.write("c.txt", head + "1 0 0 0 1\n2 0 1 1 2\n")).facts.dim, 3)
        << "one frame tells nothing";
}

RC_GTEST_PROP(ReadTrajectory, RowsMayComeInAnyOrder, ()) {
    const ScratchFolder scratch;
    std::vector<std::string> rows;
    for (int frame = 0; frame < 6; ++frame) {
        for (int id = 0; id < 5; ++id) {
            if ((frame * 7 + id * 3) % 5 == 0) continue;
            rows.push_back(std::to_string(id) + " " + std::to_string(frame) + " " +
                           std::to_string(frame * frame + id) + " " + std::to_string(10 * id - frame) + "\n");
        }
    }
    const auto text = [](const std::vector<std::string>& lines) {
        std::string all = "# framerate: 2\n# id frame x/m y/m\n";
        for (const std::string& line : lines) all += line;
        return all;
    };
    const Whole expected = read_whole(scratch.write("a.txt", text(rows)));
    for (std::size_t i = rows.size(); i > 1; --i) {
        std::swap(rows[i - 1], rows[*rc::gen::inRange<std::size_t>(0, i)]);
    }
    const Whole shuffled = read_whole(scratch.write("b.txt", text(rows)));
    RC_ASSERT(shuffled.frames.size() == expected.frames.size());
    for (std::size_t i = 0; i < expected.frames.size(); ++i) {
        const Snapshot &a = expected.frames[i].snapshot, &b = shuffled.frames[i].snapshot;
        RC_ASSERT(a.frame == b.frame);
        RC_ASSERT(a.id == b.id);
        RC_ASSERT(a.position == b.position);
        RC_ASSERT(a.velocity == b.velocity);
        RC_ASSERT(expected.frames[i].velocity_known == shuffled.frames[i].velocity_known);
    }
}

TEST(ReadTrajectory, RefusesBadRowsWithTheirLine) {
    const ScratchFolder scratch;
    const std::string head = "frame,id,x,y,vx,vy\n";
    const auto refuse = [&](const std::string& text, const std::string& part) {
        const std::string path = scratch.write("hostile.csv", head + text);
        EXPECT_TRUE(says(refusal(path), path + part));
        EXPECT_EQ(refusal(path).find('\n'), std::string::npos);
    };
    refuse("0,1,0,0,0,0\n1,1,0,0,0,0\n1,1,0,0,0,0\n", ":4: agent 1 is in frame 1 twice");
    refuse("1,1,0,0,0,0\n0,1,0,0,0,0\n1,1,0,0,0,0\n", ":4: agent 1 is in frame 1 twice");
    refuse("0,1,0,0,0,0\n1,1,nan,0,0,0\n", ":3: agent 1 has a position that is not finite");
    refuse("0,1,0,0,0,0\n1,1,0,0,0,inf\n", ":3: agent 1 has a velocity that is not finite");
    refuse("0,1,0,0,0,0\n1,1,0,0,0\n", ":3: the row has not 6 values");
    refuse("0,1,0,0,0,0\n-1,1,0,0,0,0\n", ":3: frame '-1' is not a number");
    EXPECT_TRUE(says(refusal(scratch.write("a.csv", "frame,id,x,y,colour\n")), "unknown column 'colour'"));
    EXPECT_TRUE(says(refusal(scratch.write("a.vtk", "")), "use .h5, .txt, .csv, .xyz or .sqlite"));
    EXPECT_TRUE(says(refusal(scratch.file("none.h5")), "cannot read"));
    EXPECT_EQ(read_whole(scratch.write("b.csv", head)).frames.size(), 0u);
}

std::string pedestrians(const std::string& name) {
    const char* given = std::getenv("HORDE_DATA");
    const std::string data = given ? given : std::string(horde::test::kSourceDir) + "/../shared/data";
    return data + "/pedestrians/" + name;
}

TEST(ReadTrajectory, ReadsPublishedPedestrians) {
    const struct {
        const char* name;
        ReadOptions options;
        std::size_t rows, agents, frames;
        std::uint64_t first, last;
    } files[] = {{"traj_UNI_CORR_500_01.txt", {}, 25536, 148, 1889, 98, 1986},
                 {"uo-050-180-180.txt", {.fps = 16.0, .unit = 0.01}, 9712, 61, 975, 43, 1017},
                 {"uo-100-180-180.txt", {.fps = 16.0, .unit = 0.01}, 21676, 121, 944, 15, 958},
                 {"uo-180-180-180.txt", {.fps = 16.0, .unit = 0.01}, 51570, 220, 1439, 29, 1467},
                 {"n34_cam2.csv", {.unit = 1.0}, 1101, 71, 299, 1010, 3990}};
    for (const auto& file : files) {
        const std::string path = pedestrians(file.name);
        if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
        const Whole whole = read_whole(path, file.options);
        EXPECT_EQ(whole.rows(), file.rows) << file.name;
        EXPECT_EQ(whole.agents(), file.agents) << file.name;
        ASSERT_EQ(whole.frames.size(), file.frames) << file.name;
        EXPECT_EQ(whole.frames.front().snapshot.frame, file.first) << file.name;
        EXPECT_EQ(whole.frames.back().snapshot.frame, file.last) << file.name;
        EXPECT_EQ(whole.facts.dim, 2) << file.name;
        for (const TrajectoryFrame& frame : whole.frames) {
            for (const Vec3& v : frame.snapshot.velocity) EXPECT_LT(v.x * v.x + v.y * v.y, 25.0) << file.name;
        }
    }
    EXPECT_TRUE(says(refusal(pedestrians("uo-050-180-180.txt")), "--fps F and --unit m"));
    EXPECT_TRUE(says(refusal(pedestrians("n34_cam2.csv")), "--unit"));
}

}  // namespace
}  // namespace horde
