#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "../places.h"
#include "horde/error.h"
#include "horde/files.h"
#include "io/scene_keys.h"

namespace horde {
namespace {

using namespace scene_keys;

bool equal(const Bounds& a, const Bounds& b) {
    return a.min == b.min && a.max == b.max;
}

template <class T>
bool same(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, std::optional<Bounds>>) {
        return a.has_value() == b.has_value() && (!a || equal(*a, *b));
    } else {
        return a == b;
    }
}

/// Holds every member that has a key against its default. Not inlined: g++ 12 would warn of members that no
/// key of S has, since a Member<S> can point to all types.
template <class S>
[[gnu::noinline]] void expect_defaults(const S& found, const S& defaults, const Table<S>& table) {
    for (const Key<S>& key : table.keys) {
        std::visit(
            [&](auto member) {
                if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
                    EXPECT_TRUE(same(found.*member, defaults.*member)) << table.heading << " " << key.name;
                }
            },
            key.member);
    }
}

TEST(SceneTemplate, HoldsTheDefaults) {
    const Scene scene = parse_scene(scene_template(), "template.toml");
    expect_defaults(scene.world, SceneWorld{}, kWorld);
    expect_defaults(scene.map, SceneMap{}, kMap);
    expect_defaults(scene.grid, SceneGrid{}, kGrid);
    expect_defaults(scene.field, SceneField{}, kField);
    expect_defaults(scene.view, SceneView{}, kView);
    expect_defaults(scene.terrain, SceneTerrain{}, kTerrain);
    EXPECT_TRUE(scene.layers.empty()) << "in comments alone";
    EXPECT_TRUE(scene.edits.empty());
    EXPECT_TRUE(scene.spawners.empty());
    EXPECT_TRUE(scene.sinks.empty());
    ASSERT_EQ(scene.agents.size(), 1u);
    expect_defaults(scene.agents[0], SceneAgents{}, kAgents);
    ASSERT_EQ(scene.rules.size(), std::size(kRuleKinds));
    expect_defaults(std::get<CrowdRule>(scene.rules.at("crowd")), CrowdRule{}, kCrowd);
    expect_defaults(std::get<ReynoldsRule>(scene.rules.at("reynolds")), ReynoldsRule{}, kReynolds);
    expect_defaults(std::get<ArcadeRule>(scene.rules.at("arcade")), ArcadeRule{}, kArcade);
    expect_defaults(std::get<VicsekRule>(scene.rules.at("vicsek")), VicsekRule{}, kVicsek);
}

/// Every key stands in the template, and those with a default really are read from it: change one, and it
/// changes.
TEST(SceneTemplate, HasEveryKeyWithItsMeaning) {
    const std::string text = scene_template();
    each_table([&](const auto& table) {
        const std::string mark = table.is_example ? "\n# " : "\n";
        const std::size_t heading = text.find(mark + table.heading + "\n");
        ASSERT_NE(heading, std::string::npos) << table.heading;
        for (const auto& key : table.keys) {
            const std::size_t at =
                text.find((key.example ? "\n# " : mark) + key.name + " = ", heading);
            EXPECT_NE(at, std::string::npos) << table.heading << " " << key.name;
            EXPECT_NE(text.find(key.meaning, heading), std::string::npos) << table.heading << " " << key.name;
        }
    });
}

TEST(SceneTemplate, ExamplesAreWhatTheReaderTakes) {
    each_table([&](const auto& table) {
        for (const auto& key : table.keys) {
            if (!key.example) continue;
            const std::string text =
                std::string(table.heading) + "\n" + key.name + " = " + key.example + "\n";
            EXPECT_NO_THROW(parse_scene(text, "example.toml")) << text;
        }
    });
}

TEST(SceneReference, NamesEveryKey) {
    const std::string text = scene_reference();
    each_table([&](const auto& table) {
        const std::size_t heading = text.find(std::string("## `") + table.heading);
        ASSERT_NE(heading, std::string::npos) << table.heading;
        for (const auto& key : table.keys) {
            EXPECT_NE(text.find(std::string("| `") + key.name + "` |", heading), std::string::npos)
                << key.name;
        }
    });
}

/// docs/scenes.md is what the table of keys says. With HORDE_UPDATE_DOCS=1 in the environment it is written
/// anew.
TEST(SceneReference, IsTheCommittedPage) {
    const std::string path = std::string(horde::test::kSourceDir) + "/docs/scenes.md";
    const char* update = std::getenv("HORDE_UPDATE_DOCS");
    if (update && std::string(update) == "1") std::ofstream(path) << scene_reference();
    std::ifstream in(path);
    const std::string page{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_EQ(page, scene_reference()) << "run this test with HORDE_UPDATE_DOCS=1 to write docs/scenes.md";
}

TEST(SceneNumbers, AreShortAndReadBackExactly) {
    for (const double value : {0.0, 0.05, 1.34, 1e-9, 1e6, 1e22, -2.5, 0.1 + 0.2, 1.0 / 3.0}) {
        const std::string text = float_text(value);
        EXPECT_EQ(std::stod(text), value) << text;
        EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
    }
    EXPECT_EQ(number_text(1e6), "1000000");
    EXPECT_EQ(number_text(0.05), "0.05");
    EXPECT_EQ(float_text(2.0), "2.0");
}

}  // namespace
}  // namespace horde
