// Scenes as text and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "../conformance/scenes.h"
#include "../places.h"
#include "horde/error.h"
#include "horde/files.h"
#include "io/scene_keys.h"
#include "io/scene_saved.h"

namespace horde {
namespace {

using namespace scene_keys;

template <class T>
bool same(const T& a, const T& b) {
    return a == b;
}
bool same(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
bool same(const Bounds& a, const Bounds& b) {
    return same(a.min, b.min) && same(a.max, b.max);
}
bool same(const CellArea& a, const CellArea& b) {
    return a.first == b.first && a.last == b.last;
}
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || same(*a, *b));
}
bool same(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Vec3& p, const Vec3& q) { return same(p, q); });
}

// By the table of keys: every member that is one.
template <class S>
void expect_same_table(const Table<S>& table, const S& a, const S& b) {
    for (const Key<S>& key : table.keys) {
        std::visit(
            [&](auto member) {
                if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
                    EXPECT_TRUE(same(a.*member, b.*member)) << table.heading << " " << key.name;
                }
            },
            key.member);
    }
}

template <class S>
void expect_same_list(const Table<S>& table, const std::vector<S>& a, const std::vector<S>& b) {
    ASSERT_EQ(a.size(), b.size()) << table.heading;
    for (std::size_t k = 0; k < a.size(); ++k) expect_same_table(table, a[k], b[k]);
}

template <class S>
void expect_same_named(const Table<S>& table, const std::map<std::string, S>& a,
                       const std::map<std::string, S>& b) {
    ASSERT_EQ(a.size(), b.size()) << table.heading;
    for (const auto& [name, each] : a) {
        ASSERT_EQ(b.count(name), 1u) << name;
        expect_same_table(table, each, b.at(name));
    }
}

void expect_same(const Scene& a, const Scene& b) {
    expect_same_table(kWorld, a.world, b.world);
    expect_same_table(kMap, a.map, b.map);
    expect_same_table(kTerrain, a.terrain, b.terrain);
    expect_same_list(kLayer, a.layers, b.layers);
    expect_same_list(kAgents, a.agents, b.agents);
    expect_same_list(kSpawner, a.spawners, b.spawners);
    expect_same_list(kSink, a.sinks, b.sinks);
    expect_same_list(kTransition, a.transitions, b.transitions);
    expect_same_named(kCombat, a.combat, b.combat);
    expect_same_named(kBehaviour, a.behaviours, b.behaviours);
    expect_same_table(kGrid, a.grid, b.grid);
    expect_same_table(kField, a.field, b.field);
    expect_same_list(kEdit, a.edits, b.edits);
    expect_same_table(kTiers, a.tiers, b.tiers);
    expect_same_table(kBodies, a.bodies, b.bodies);
    expect_same_table(kView, a.view, b.view);
    ASSERT_EQ(a.rules.size(), b.rules.size());
    for (const auto& [name, rule] : a.rules) {
        ASSERT_EQ(b.rules.count(name), 1u) << name;
        const Rule& other = b.rules.at(name);
        ASSERT_EQ(rule.index(), other.index()) << name;
        each_rule([&, &own = rule]<class R>(const Table<R>& table) {
            if (const R* of_kind = std::get_if<R>(&own))
                expect_same_table(table, *of_kind, std::get<R>(other));
        });
    }
}

// In 2D a file has no z.
Scene flattened(Scene scene) {
    if (scene.world.dim == 3) return scene;
    const auto flat = [](std::optional<Bounds>& box) {
        if (box) box->min.z = box->max.z = 0.0;
    };
    flat(scene.world.bounds);
    for (SceneAgents& group : scene.agents) flat(group.box);
    return scene;
}

TEST(SceneWriter, WritesWhatReadsBackAsEqual) {
    int scenes = 0;
    for (const auto& file : std::filesystem::directory_iterator(std::string(test::kSourceDir) + "/scenes")) {
        if (file.path().extension() != ".toml") continue;
        ++scenes;
        const Scene scene = load_scene(file.path().string());
        const std::string text = write_scene(scene);
        SCOPED_TRACE(file.path().string());
        expect_same(scene, parse_scene(text, "again.toml"));
        expect_same(scene, parse_saved_scene(write_saved_scene(scene), "again"));
    }
    EXPECT_GT(scenes, 3);
    for (const test::ConformanceScene& made : test::conformance_scenes()) {
        SCOPED_TRACE(made.name);
        const Scene scene = made.make();
        expect_same(flattened(scene), parse_scene(write_scene(scene), "again.toml"));
        expect_same(scene, parse_saved_scene(write_saved_scene(scene), "again"));
    }
    expect_same(parse_scene(scene_template(), "a.toml"),
                parse_scene(write_scene(parse_scene(scene_template(), "a.toml")), "a.toml"));
}

// Any value that a key may have.
class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {}

    template <class S>
    void change(const Table<S>& table, S& out) {
        for (const Key<S>& key : table.keys) {
            if (random_() % 2 == 0) continue;
            std::visit(
                [&](auto member) {
                    if constexpr (!std::is_same_v<decltype(member), std::monostate>) set(key, out.*member);
                },
                key.member);
        }
    }
    template <class S>
    void change(const Table<S>& table, std::vector<S>& out) {
        out.resize(random_() % 3);
        for (S& each : out) change(table, each);
    }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  private:
    double number(const Range& range) {
        const double part = std::uniform_real_distribution<double>(0.0, 1.0)(random_);
        return range.min + (range.max - range.min) * (range.above_min ? 1.0 - part : part);
    }
    template <class S, class T>
    void set(const Key<S>& key, T& out) {
        if constexpr (std::is_enum_v<T>) {
            out = static_cast<T>(random_() % choices(out).size());
        } else if constexpr (std::is_same_v<T, bool>) {
            out = random_() % 2 != 0;
        } else {
            out = static_cast<T>(number(key.range));
            // The range of seeds is told by a double; TOML ends before.
            if constexpr (std::is_same_v<T, std::uint64_t>) out &= ~std::uint64_t{0} >> 1;
        }
    }
    template <class S>
    void set(const Key<S>& key, std::string& out) {
        if (key.words != nullptr) {
            const std::string words = key.words;
            out = words.substr(0, words.find('|'));
            return;
        }
        out.clear();
        const char* letters[] = {"a", "\"", "\\", "\n", "\t", "\x01", "\x7f", "ä", "#", "'", "= "};
        for (std::uint32_t n = below(6); n > 0; --n) out += letters[below(std::size(letters))];
    }
    template <class S>
    void set(const Key<S>&, std::vector<std::string>& out) {
        out.assign(below(3), "..@");
    }
    template <class S>
    void set(const Key<S>& key, std::vector<double>& out) {
        out.resize(below(4));
        for (double& x : out) x = number(key.range);
    }
    template <class S>
    void set(const Key<S>& key, std::optional<Vec3>& out) {
        out = Vec3{number(key.range), number(key.range), number(key.range)};
    }
    template <class S>
    void set(const Key<S>& key, std::optional<Bounds>& out) {
        std::optional<Vec3> low;
        set(key, low);
        const auto above = [](double x, double by) { return std::min(x + by, 1e9); };
        out = Bounds{*low, {above(low->x, 1.0), above(low->y, 2.5), above(low->z, 3e8)}};
    }
    template <class S>
    void set(const Key<S>& key, std::vector<Vec3>& out) {
        out.resize(below(4));
        for (Vec3& p : out) p = {number(key.range), number(key.range), number(key.range)};
    }
    Cell cell() { return {static_cast<std::int32_t>(below(8000)), static_cast<std::int32_t>(below(8000))}; }
    template <class S>
    void set(const Key<S>&, std::vector<std::vector<Cell>>& out) {
        out.resize(below(4));
        for (auto& set : out) {
            set.resize(1 + below(3));
            for (Cell& each : set) each = cell();
        }
    }
    template <class S>
    void set(const Key<S>&, std::map<int, int>& out) {
        out.clear();
        for (std::uint32_t n = below(4); n > 0; --n)
            out[1 + static_cast<int>(below(254))] = 1 + static_cast<int>(below(255));
    }
    template <class S>
    void set(const Key<S>&, std::optional<CellArea>& out) {
        const Cell first = cell();
        out = CellArea{first, {first.column + 3, first.row}};
    }

    std::mt19937_64 random_;
};

TEST(SceneWriter, KeepsAnyValueThatAKeyMayHave) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        Draw draw(seed);
        Scene scene;
        draw.change(kWorld, scene.world);
        scene.world.dim = 3;  // boxes with three axes
        draw.change(kMap, scene.map);
        draw.change(kTerrain, scene.terrain);
        draw.change(kLayer, scene.layers);
        draw.change(kAgents, scene.agents);
        draw.change(kSpawner, scene.spawners);
        draw.change(kSink, scene.sinks);
        draw.change(kTransition, scene.transitions);
        draw.change(kCombat, scene.combat["a ]\n"]);
        draw.change(kBehaviour, scene.behaviours["b"]);
        draw.change(kGrid, scene.grid);
        draw.change(kField, scene.field);
        draw.change(kEdit, scene.edits);
        for (SceneEdit& edit : scene.edits) {
            if (edit.kind == EditKind::kWall) edit.cost = 1;
        }
        draw.change(kTiers, scene.tiers);
        draw.change(kBodies, scene.bodies);
        draw.change(kView, scene.view);
        each_rule([&]<class R>(const Table<R>& table) {
            R rule;
            draw.change(table, rule);
            if (draw.below(2) != 0)
                scene.rules["my \"" + std::to_string(seed) + "\" rule." + table.heading] = rule;
        });
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + write_scene(scene));
        expect_same(scene, parse_scene(write_scene(scene), "again.toml"));
        expect_same(scene, parse_saved_scene(write_saved_scene(scene), "again"));
        if (testing::Test::HasFailure()) return;
    }
}

TEST(SceneWriter, SavesNumbersThatNoFileMayHave) {
    Scene scene;
    scene.world.seed = ~std::uint64_t{0};
    scene.world.bounds = Bounds{{-5e11, 0.0, 3.0}, {5e11, 1.0, 3.0}};
    scene.tiers.viewpoints = {{1.0, 2.0, 40.0}};
    expect_same(scene, parse_saved_scene(write_saved_scene(scene), "again"));
    EXPECT_THROW(write_scene(scene), Error);
}

}  // namespace
}  // namespace horde
