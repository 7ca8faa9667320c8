// One state hash for a scene, whatever computes it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "../places.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

using test::conformance_scenes;
using test::ConformanceScene;

std::uint64_t hash_of(const Scene& scene, int frames, const WorldOptions& options) {
    World world(scene, options);
    for (int n = 0; n < frames; ++n) world.step();
    return world.state_hash();
}

std::string in_hex(std::uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

class OneAnswer : public testing::TestWithParam<ConformanceScene> {
  protected:
    Scene scene = GetParam().make();
    int frames = GetParam().frames;
    std::uint64_t reference = hash_of(scene, frames, {.backend = "scalar"});

    void expect_same(const Scene& changed, const WorldOptions& options, const std::string& what) {
        EXPECT_EQ(in_hex(hash_of(changed, frames, options)), in_hex(reference)) << what;
    }
};

TEST_P(OneAnswer, OnAnyNumberOfThreads) {
    const std::vector<std::string> present = backends();
    if (std::count(present.begin(), present.end(), "threads") == 0)
        GTEST_SKIP() << "no backend \"threads\" here";
    for (const int threads : {1, 2, 3, 8}) {
        // Chunks of 7 agents, so that even a small scene is torn into many.
        for (const std::int64_t grain : {0, 7}) {
            expect_same(scene, {.backend = "threads", .threads = threads, .grain = grain},
                        std::to_string(threads) + " threads, grain " + std::to_string(grain));
        }
    }
}

TEST_P(OneAnswer, InLanesOfAnyWidth) {
    const std::vector<std::string> present = backends();
    if (std::count(present.begin(), present.end(), "simd") == 0) GTEST_SKIP() << "no backend \"simd\" here";
    for (const int width : lane_widths()) {
        setenv("HORDE_LANES", std::to_string(width).c_str(), 1);
        for (const int threads : {1, 3}) {
            for (const std::int64_t grain : {0, 7}) {
                expect_same(scene, {.backend = "simd", .threads = threads, .grain = grain},
                            std::to_string(width) + " lanes, " + std::to_string(threads) +
                                " threads, grain " + std::to_string(grain));
            }
        }
    }
    unsetenv("HORDE_LANES");
}

TEST_P(OneAnswer, ByGridAndByBruteForce) {
    for (const std::string& backend : backends()) {
        Scene changed = scene;
        changed.grid.search = Search::kBrute;
        expect_same(changed, {.backend = backend, .threads = 3, .grain = 50}, backend + ", brute");
        changed.grid.search = Search::kGrid;
        expect_same(changed, {.backend = backend, .threads = 3, .grain = 50}, backend + ", grid");
    }
}

TEST_P(OneAnswer, AtAnyCellSize) {
    for (const double cell : {0.23, 0.6, 1.0, 2.7, 40.0}) {
        Scene changed = scene;
        changed.grid.search = Search::kGrid;
        changed.grid.cell = cell;
        for (const std::string& backend : backends()) {
            expect_same(changed, {.backend = backend, .threads = 2, .grain = 100},
                        backend + ", cell " + std::to_string(cell));
        }
    }
}

std::string scene_name(const testing::TestParamInfo<ConformanceScene>& info) {
    std::string name = info.param.name;
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
}

INSTANTIATE_TEST_SUITE_P(Scenes, OneAnswer, testing::ValuesIn(conformance_scenes()), scene_name);

// Compilers, build types and machines agree by the hashes in the repository. HORDE_UPDATE_HASHES=1 writes
// them anew: say in the commit why they moved.
TEST(PinnedHashes, AreMet) {
    const std::string path = std::string(horde::test::kSourceDir) + "/tests/conformance/hashes.csv";
    std::map<std::string, std::string> found;
    for (const ConformanceScene& scene : conformance_scenes()) {
        found[scene.name] = in_hex(hash_of(scene.make(), scene.frames, {.backend = "scalar"}));
    }
    if (std::getenv("HORDE_UPDATE_HASHES") != nullptr) {
        std::ofstream file(path);
        file << "scene,frames,state_hash\n";
        for (const ConformanceScene& scene : conformance_scenes()) {
            file << scene.name << ',' << scene.frames << ',' << found[scene.name] << '\n';
        }
        ASSERT_TRUE(file.good());
    }
    std::ifstream file(path);
    ASSERT_TRUE(file.good()) << path;
    std::string line;
    std::getline(file, line);
    std::size_t pinned = 0;
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::string name, frames, hash;
        std::getline(cells, name, ',');
        std::getline(cells, frames, ',');
        std::getline(cells, hash, ',');
        EXPECT_EQ(found[name], hash) << name;
        ++pinned;
    }
    EXPECT_EQ(pinned, conformance_scenes().size());
}

// The promise covers fights only if there are some.
TEST(Conformance, ScenesOfFightsHaveFightsInThem) {
    int fights = 0;
    for (const ConformanceScene& scene : conformance_scenes()) {
        const Scene made = scene.make();
        if (made.combat.empty()) continue;
        ++fights;
        World world(made, {.backend = "scalar"});
        std::int64_t attacks = 0, changed = 0, spawned = 0, knocked = 0;
        for (int n = 0; n < scene.frames; ++n) {
            world.step();
            attacks += world.report().attacks;
            changed += world.report().changed_behaviour;
            spawned += world.report().spawned;
            knocked += world.report().knocked_back;
        }
        EXPECT_GE(attacks, 10) << scene.name;
        EXPECT_GE(world.report().died_total, 5) << scene.name;
        EXPECT_GE(changed, 50) << scene.name;
        EXPECT_EQ(spawned > 0, !made.spawners.empty()) << scene.name;
        EXPECT_EQ(knocked > 0, scene.name != "murmuration") << scene.name;
    }
    EXPECT_EQ(fights, 5);
}

// The hash sees what it should: one unit in one column of one agent changes it.
TEST(StateHash, SeesEachAgentAndForgetsTheirOrder) {
    const Scene scene = test::flock(2, Edge::kOpen, 50, 10.0, {});
    World world(scene, {.backend = "scalar"});
    Snapshot rows;
    world.snapshot(rows);
    const auto hash_from = [&](const Snapshot& start) {
        return World(scene, {.backend = "scalar", .start = &start}).state_hash();
    };
    const std::uint64_t reference = hash_from(rows);
    Snapshot reversed = rows;
    std::reverse(reversed.id.begin(), reversed.id.end());
    std::reverse(reversed.position.begin(), reversed.position.end());
    std::reverse(reversed.velocity.begin(), reversed.velocity.end());
    EXPECT_EQ(hash_from(reversed), reference);
    Snapshot moved = rows;
    moved.position[17].x += 0x1p-18;
    EXPECT_NE(hash_from(moved), reference);
    moved = rows;
    moved.velocity[17].y += 0x1p-17;
    EXPECT_NE(hash_from(moved), reference);
    moved = rows;
    std::swap(moved.id[3], moved.id[4]);
    EXPECT_NE(hash_from(moved), reference);
    moved = rows;
    moved.velocity[0].x = 0.0;
    Snapshot negative = moved;
    negative.velocity[0].x = -0.0;
    EXPECT_EQ(hash_from(negative), hash_from(moved)) << "-0 counts as +0";
}

}  // namespace
}  // namespace horde
