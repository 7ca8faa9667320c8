// Saves at any moment of a world to which much is done, and logs of it.
#include <gtest/gtest.h>

#include "../io/scratch_folder.h"
#include "horde/error.h"
#include "horde/world.h"
#include "io/save/log_file.h"
#include "scripts.h"

namespace horde {
namespace {

using test::ConformanceScene;
using test::eventful_scenes;
using test::Script;

WorldOptions place(unsigned seed) {
    const std::vector<std::string> present = backends();
    return {.backend = present[seed % present.size()], .threads = static_cast<int>(seed % 3) + 1, .grain = 9};
}

class Scripts : public testing::TestWithParam<ConformanceScene> {};

TEST_P(Scripts, AreGoneOnWithAfterASaveAtAnyMoment) {
    const ScratchFolder folder;
    for (unsigned seed = 0; seed < 6; ++seed) {
        const Script script(seed);
        World whole(GetParam().make(), place(seed));
        const unsigned at = 3 + seed * 11 % 40;
        for (unsigned n = 0; n < at; ++n) {
            script.act(whole);
            script.step(whole);
        }
        script.act(whole);  // waits for the next step: edits, pushes, viewpoints, goals
        whole.save(folder.file("a.save"));
        World going = World::load(folder.file("a.save"), place(seed + 1));
        ASSERT_EQ(whole.state_hash(), going.state_hash());
        for (int n = 0; n < 40; ++n) {
            script.step(whole);
            script.step(going);
            ASSERT_EQ(whole.state_hash(), going.state_hash())
                << "seed " << seed << ", saved in frame " << at << ", now frame " << whole.frame();
            ASSERT_EQ(whole.time(), going.time());
            ASSERT_EQ(whole.report().arrived_total, going.report().arrived_total);
            script.act(whole);
            script.act(going);
        }
    }
}

TEST_P(Scripts, AreReplayedAnywhere) {
    const ScratchFolder folder;
    for (unsigned seed = 0; seed < 3; ++seed) {
        const Script script(seed);
        World world(GetParam().make(), place(seed));
        for (unsigned n = 0; n < 50; ++n) {
            if (n == seed * 7) world.record(folder.file("run.log"), 5);
            script.act(world);
            script.step(world);
        }
        script.act(world);
        world.stop_recording();
        EXPECT_FALSE(world.is_recording());
        for (unsigned other = 0; other < 3; ++other) {
            const ReplayReport report = replay(folder.file("run.log"), place(seed + other));
            ASSERT_FALSE(report.differs) << "seed " << seed << ": frame " << report.first_different;
            EXPECT_TRUE(report.complete);
            EXPECT_EQ(report.first_frame, seed * 7);
            EXPECT_EQ(report.last_frame, 50u);
            EXPECT_EQ(report.state_hash, world.state_hash());
            EXPECT_EQ(report.agents, world.agent_count());
            EXPECT_GE(report.hashes, 7);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Scripts, testing::ValuesIn(eventful_scenes()), [](const auto& info) {
    std::string name = info.param.name;
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

// korali#341, picongpu#2664, rebound#514: a resumed run differs, since the state of the random numbers was
// not saved.
TEST(Users, U78TwoHundredStepsAreAHundredASaveAndAHundred) {
    const ScratchFolder folder;
    for (const std::string& backend : backends()) {
        const Scene scene = test::rule_flock(test::vicsek_rule(), 2, Edge::kPeriodic, 9.3);
        ASSERT_GT(std::get<VicsekRule>(scene.rules.at("rule")).noise, 0.0);
        World whole(scene, {.backend = backend}), half(scene, {.backend = backend});
        for (int n = 0; n < 200; ++n) whole.step();
        for (int n = 0; n < 100; ++n) half.step();
        half.save(folder.file("half.save"));
        World resumed = World::load(folder.file("half.save"), {.backend = backend});
        for (int n = 0; n < 100; ++n) resumed.step();
        EXPECT_EQ(resumed.state_hash(), whole.state_hash());
        Snapshot a, b;
        whole.snapshot(a);
        resumed.snapshot(b);
        ASSERT_EQ(a.id, b.id);
        for (std::size_t k = 0; k < a.count(); ++k) {
            EXPECT_EQ(a.position[k].x, b.position[k].x);
            EXPECT_EQ(a.velocity[k].y, b.velocity[k].y);
        }
        EXPECT_EQ(a.time, b.time);
    }
}

TEST(Record, DoublePrecisionIsSavedAndReplayed) {
    const ScratchFolder folder;
    for (const int dim : {2, 3}) {
        const Scene scene = test::rule_flock(test::reynolds_rule(NeighbourChoice::kAll, 180.0, 2), dim,
                                             Edge::kPeriodic, dim == 2 ? 9.3 : 6.0);
        World world(scene, {.precision = Precision::kDouble});
        world.record(folder.file("run.log"), 7);
        for (int n = 0; n < 20; ++n) world.step();
        world.save(folder.file("a.save"));
        World other = World::load(folder.file("a.save"), {.backend = "scalar"});
        ASSERT_EQ(other.state_hash(), world.state_hash());
        for (int n = 0; n < 20; ++n) {
            n % 3 == 0 ? world.step(0.03) : world.step();
            n % 3 == 0 ? other.step(0.03) : other.step();
            ASSERT_EQ(other.state_hash(), world.state_hash());
        }
        world.stop_recording();
        const ReplayReport report = replay(folder.file("run.log"));
        EXPECT_FALSE(report.differs);
        EXPECT_TRUE(report.complete);
        EXPECT_EQ(report.last_frame, 40u);
    }
}

// A log with every record as it was, but for what `change` makes of it.
std::string changed_log(const std::string& bytes, const ScratchFolder& folder,
                        const std::function<void(std::size_t, std::uint8_t, std::string&)>& change) {
    LogReader reader(bytes, "log");
    LogWriter writer(folder.file("changed.log"), version());
    LogRecord record;
    for (std::size_t n = 0; reader.next(record); ++n) {
        std::string text(record.bytes);
        change(n, record.kind, text);
        writer.append(record.kind, text);
    }
    writer.close();
    return folder.file("changed.log");
}

class Log : public testing::Test {
  protected:
    Log() {
        World world(test::town(OnArrival::kStay), {.backend = "scalar"});
        world.record(folder.file("run.log"), 10);
        for (int n = 0; n < 60; ++n) {
            if (n == 25) world.push({30.0, 30.0, 0.0}, 9.0, 2.0);
            world.step();
        }
        world.stop_recording();
        bytes = folder.read("run.log");
    }
    static constexpr std::uint8_t kHash = 3, kPushCircle = 15;  // kinds, as in world_inputs.h

    const ScratchFolder folder;
    std::string bytes;
};

TEST_F(Log, NamesTheFirstFrameThatDiffersAfterAnotherInput) {
    int changed = 0;
    const std::string file =
        changed_log(bytes, folder, [&](std::size_t, std::uint8_t kind, std::string& text) {
            if (kind != kPushCircle) return;
            ++changed;
            text.back() = static_cast<char>(text.back() ^ 0x80);  // the sign of its speed
        });
    ASSERT_EQ(changed, 1);
    const ReplayReport report = replay(file);
    EXPECT_TRUE(report.differs);
    EXPECT_FALSE(report.complete);
    EXPECT_EQ(report.last_equal, 20u);
    EXPECT_EQ(report.first_different, 30u);
    EXPECT_NE(report.recorded, report.found);
    EXPECT_EQ(report.last_frame, 30u);
}

TEST_F(Log, NamesTheFrameOfAHashThatIsAnother) {
    const std::string file =
        changed_log(bytes, folder, [&](std::size_t, std::uint8_t kind, std::string& text) {
            if (kind == kHash && text[0] == 40) text[15] = static_cast<char>(text[15] ^ 1);
        });
    const ReplayReport report = replay(file);
    EXPECT_TRUE(report.differs);
    EXPECT_EQ(report.first_different, 40u);
    EXPECT_EQ(report.last_equal, 30u);
    EXPECT_EQ(report.recorded ^ report.found, std::uint64_t{1} << 56);
}

TEST_F(Log, RefusesAnInputThatCannotBe) {
    const std::string file =
        changed_log(bytes, folder, [&](std::size_t, std::uint8_t kind, std::string& text) {
            if (kind == kPushCircle) text.replace(24, 8, 8, '\0');  // a radius of 0
        });
    try {
        replay(file);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("after frame 25: push: radius"), std::string::npos)
            << error.what();
    }
}

TEST_F(Log, ThatWasCutOffIsReplayedAsFarAsItGoes) {
    std::uint64_t reached = 0;
    for (std::size_t cut : {bytes.size() - 1, bytes.size() - 40, bytes.size() - 200, bytes.size() - 330}) {
        const std::string file = folder.write("cut.log", bytes.substr(0, cut));
        const ReplayReport report = replay(file);
        EXPECT_FALSE(report.differs);
        EXPECT_FALSE(report.complete);
        EXPECT_LE(report.last_frame, 60u);
        if (cut == bytes.size() - 1) reached = report.last_frame;
    }
    EXPECT_EQ(reached, 60u);
    EXPECT_THROW(replay(folder.write("cut.log", bytes.substr(0, 500))), Error);
    EXPECT_THROW(replay(folder.write("cut.log", "")), Error);
}

TEST_F(Log, RefusesAFlippedBit) {
    for (std::size_t at = 0; at < bytes.size(); at += at < 60 || at > bytes.size() - 400 ? 1 : 97) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
        EXPECT_THROW(replay(folder.write("bad.log", changed)), Error) << at;
    }
}

TEST_F(Log, CanBeReplayedWhileItIsWritten) {
    World world(test::town(OnArrival::kExit));
    world.record(folder.file("going.log"), 4);
    for (int n = 0; n < 10; ++n) world.step();
    const ReplayReport report = replay(folder.file("going.log"));
    EXPECT_FALSE(report.complete);
    EXPECT_FALSE(report.differs);
    EXPECT_EQ(report.hashes, 2);
    EXPECT_EQ(report.last_frame, 8u);
}

TEST_F(Log, IsRefusedWhereItCannotBe) {
    World world(test::town(OnArrival::kExit));
    EXPECT_THROW(world.record(folder.file("a.log"), 0), Error);
    EXPECT_THROW(world.record(folder.file("run.log/a.log")), Error);
    EXPECT_FALSE(world.is_recording());
    world.stop_recording();
}

}  // namespace
}  // namespace horde
