/// Scenes as files again: structs to TOML, by the table of keys.
#include <string>
#include <string_view>
#include <type_traits>

#include "horde/error.h"
#include "horde/files.h"
#include "io/scene_keys.h"
#include "io/scene_saved.h"

namespace horde {
namespace {

using namespace scene_keys;

std::string quoted(std::string_view text) {
    constexpr const char* kHex = "0123456789ABCDEF";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += std::string("\\") + c;
        } else if (byte < 0x20 || byte == 0x7f) {
            out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
        } else {
            out += c;
        }
    }
    return out + "\"";
}

class SceneWriter {
  public:
    explicit SceneWriter(SceneText kind) : kind_(kind) {}

    std::string write(const Scene& scene) {
        dim_ = kind_ == SceneText::kSaved ? 3 : scene.world.dim;
        each_table([&](const auto& table) { table_of(scene, table); });
        return text_;
    }

  private:
    template <class S>
    void one(const Table<S>& table, const S& value) {
        put_table(table.heading, table.keys, value);
    }
    template <class S>
    void list(const Table<S>& table, const std::vector<S>& values) {
        for (const S& value : values) put_table(table.heading, table.keys, value);
    }

    void table_of(const Scene& s, const Table<SceneWorld>& table) { one(table, s.world); }
    void table_of(const Scene& s, const Table<SceneMap>& table) { one(table, s.map); }
    void table_of(const Scene& s, const Table<SceneTerrain>& table) { one(table, s.terrain); }
    void table_of(const Scene& s, const Table<SceneLayer>& table) { list(table, s.layers); }
    void table_of(const Scene& s, const Table<SceneAgents>& table) { list(table, s.agents); }
    void table_of(const Scene& s, const Table<SceneSpawner>& table) { list(table, s.spawners); }
    void table_of(const Scene& s, const Table<SceneSink>& table) { list(table, s.sinks); }
    void table_of(const Scene& s, const Table<SceneCombat>& table) { named(table, s.combat); }
    void table_of(const Scene& s, const Table<SceneBehaviour>& table) { named(table, s.behaviours); }
    void table_of(const Scene& s, const Table<SceneTransition>& table) { list(table, s.transitions); }
    void table_of(const Scene& s, const Table<SceneGrid>& table) { one(table, s.grid); }
    void table_of(const Scene& s, const Table<SceneField>& table) { one(table, s.field); }
    void table_of(const Scene& s, const Table<SceneEdit>& table) { list(table, s.edits); }
    void table_of(const Scene& s, const Table<SceneTiers>& table) { one(table, s.tiers); }
    void table_of(const Scene& s, const Table<SceneBodies>& table) { one(table, s.bodies); }
    void table_of(const Scene& s, const Table<SceneView>& table) { one(table, s.view); }
    template <class R>  // the rules of one kind
    void table_of(const Scene& s, const Table<R>& table) {
        for (const auto& [name, rule] : s.rules) {
            if (const R* own = std::get_if<R>(&rule))
                put_table("[rule." + quoted(name) + "]", table.keys, *own);
        }
    }

    template <class S>
    void named(const Table<S>& table, const std::map<std::string, S>& values) {
        for (const auto& [name, value] : values)
            put_table("[" + std::string(table.name) + "." + quoted(name) + "]", table.keys, value);
    }
    template <class S>
    void put_table(const std::string& heading, std::span<const Key<S>> keys, const S& value) {
        text_ += (text_.empty() ? "" : "\n") + heading + "\n";
        for (const Key<S>& key : keys) {
            std::visit(
                [&](auto member) {
                    if constexpr (std::is_same_v<decltype(member), std::monostate>) {
                        put_line(key.name, quoted(key.words));  // the kind of a rule
                    } else {
                        put(key, value, value.*member);
                    }
                },
                key.member);
        }
    }

    void put_line(const char* name, const std::string& value) {
        text_ += std::string(name) + " = " + value + "\n";
    }

    /// Where being absent is a value, the key is left out for it.
    template <class S, class T>
    void put(const Key<S>& key, const S& table, const T& value) {
        if constexpr (std::is_same_v<S, SceneEdit> && std::is_same_v<T, int>) {
            if (table.kind == EditKind::kWall && value == SceneEdit{}.cost) return;
        }
        if (key.example != nullptr && value == T{}) return;
        put_line(key.name, in_toml(value));
    }
    template <class S, class T>
    void put(const Key<S>& key, const S&, const std::optional<T>& value) {
        if (value) put_line(key.name, in_toml(*value));
    }
    template <class S>
    void put(const Key<S>& key, const S&, const std::vector<Vec3>& value) {
        if (!value.empty()) put_line(key.name, in_toml(value));
    }
    template <class S>
    void put(const Key<S>& key, const S&, const std::vector<std::vector<Cell>>& value) {
        if (!value.empty()) put_line(key.name, in_toml(value));
    }

    std::string in_toml(double value) const { return float_text(value); }
    std::string in_toml(const std::string& value) const { return quoted(value); }
    std::string in_toml(Vec3 p) const {
        return "[" + float_text(p.x) + ", " + float_text(p.y) + (dim_ == 3 ? ", " + float_text(p.z) : "") +
               "]";
    }
    std::string in_toml(const Bounds& box) const {
        std::string low = in_toml(box.min);
        low.pop_back();
        return low + ", " + in_toml(box.max).substr(1);
    }
    std::string in_toml(Cell cell) const {
        return "[" + std::to_string(cell.column) + ", " + std::to_string(cell.row) + "]";
    }
    std::string in_toml(const CellArea& area) const {
        std::string first = in_toml(area.first);
        first.pop_back();
        return first + ", " + in_toml(area.last).substr(1);
    }
    std::string in_toml(const std::map<int, int>& table) const {
        std::string text;
        for (const auto& [key, value] : table)
            text += (text.empty() ? "{ \"" : ", \"") + std::to_string(key) + "\" = " + std::to_string(value);
        return text.empty() ? "{}" : text + " }";
    }
    template <class T>
    std::string in_toml(const std::vector<T>& list) const {
        std::string text;
        for (const T& each : list) text += (text.empty() ? "" : ", ") + in_toml(each);
        return "[" + text + "]";
    }
    template <class T>
    std::string in_toml(const T& value) const {
        if constexpr (std::is_enum_v<T>) {
            return quoted(choices(value)[static_cast<std::size_t>(value)]);
        } else if constexpr (std::is_same_v<T, bool>) {
            return value ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::uint64_t>) {
            const auto number = static_cast<std::int64_t>(value);  // TOML has no others
            if (number < 0 && kind_ == SceneText::kFile)
                throw Error("seed " + std::to_string(value) +
                            " is beyond 2^63 - 1, the largest number of a scene file; take a smaller one");
            return std::to_string(number);
        } else {
            return std::to_string(value);
        }
    }

    SceneText kind_;
    int dim_ = 2;
    std::string text_;
};

}  // namespace

std::string write_scene(const Scene& scene) {
    return SceneWriter(SceneText::kFile).write(scene);
}

std::string write_saved_scene(const Scene& scene) {
    return SceneWriter(SceneText::kSaved).write(scene);
}

}  // namespace horde
