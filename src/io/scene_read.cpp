/// Scene files in: TOML to structs, by the table of keys.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "horde/error.h"
#include "horde/files.h"
#include "io/scene_keys.h"
#include "io/scene_saved.h"
#include "io/scene_words.h"

// toml++ 3.3 asserts, and with NDEBUG assumes, that a key follows the '[' of a table; for "[!" that is false,
// and the check behind it would have told so. Here it does neither.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace horde {
namespace {

using namespace scene_keys;
using Names = std::vector<std::string_view>;

/// What an error about a value says of its key.
struct Spot {
    std::string path;  ///< "agents.count"
    Range range;
    const char* words;
    const char* example;
};

std::string describe(const toml::node& node) {
    if (node.is_table()) return "a table";
    if (node.is_array()) return "a list of " + std::to_string(node.as_array()->size());
    if (const auto* text = node.as_string()) return "the text \"" + one_line(text->get(), 60) + "\"";
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return float_text(number->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    return "a date or time";
}

constexpr const char* kKindWords = "crowd|reynolds|arcade|vicsek";

class SceneReader {
  public:
    SceneReader(std::string file, SceneText kind)
        : file_(std::move(file)), saved_(kind == SceneText::kSaved) {}

    Scene read(const toml::table& root) {
        Scene scene;
        // How many numbers a box has depends on it, wherever it stands; read_table refuses other values.
        dim_ = saved_ || root["world"]["dim"].value_or(2) == 3 ? 3 : 2;
        check_names(root, "",
                    {"world", "map", "terrain", "layer", "agents", "spawner", "sink", "rule", "combat",
                     "behaviour", "transition", "grid", "field", "edit", "tiers", "bodies", "view"});
        read_table(root, kWorld, scene.world);
        read_table(root, kMap, scene.map);
        read_table(root, kTerrain, scene.terrain);
        read_table(root, kGrid, scene.grid);
        read_table(root, kField, scene.field);
        read_table(root, kTiers, scene.tiers);
        read_table(root, kBodies, scene.bodies);
        read_table(root, kView, scene.view);
        read_list(root, kLayer, scene.layers);
        read_list(root, kAgents, scene.agents);
        read_list(root, kSpawner, scene.spawners);
        read_list(root, kSink, scene.sinks);
        read_list(root, kTransition, scene.transitions);
        read_named(root, kCombat, scene.combat);
        read_named(root, kBehaviour, scene.behaviours);
        read_list(root, kEdit, scene.edits);
        check_costs_of_edits(root, scene.edits);
        if (const toml::node* rules = root.get("rule")) read_rules(*rules, scene.rules);
        scene.places = std::move(places_);
        return scene;
    }

  private:
    [[noreturn]] void fail(const toml::source_region& source, const std::string& path,
                           const std::string& what) const {
        throw Error(file_ + ":" + std::to_string(source.begin.line) + ": key `" + path + "`: " + what);
    }

    void note(const std::string& key, const toml::source_region& source) {
        places_.emplace(key, file_ + ":" + std::to_string(source.begin.line));
    }

    /// Whether there is a cost is not in the struct.
    void check_costs_of_edits(const toml::table& root, const std::vector<SceneEdit>& edits) const {
        for (std::size_t k = 0; k < edits.size(); ++k) {
            const toml::table& table = *root.get("edit")->as_array()->get(k)->as_table();
            const toml::node* cost = table.get("cost");
            if (edits[k].kind == EditKind::kWall && cost)
                fail(cost->source(), "edit.cost",
                     "has no meaning for walls; take it out, or set kind = \"cost\"");
            if (edits[k].kind == EditKind::kCost && !cost)
                fail(table.source(), "edit.cost", "is missing; say how much the edit adds");
        }
    }

    [[noreturn]] void fail_type(const toml::node& node, const Spot& spot, const std::string& wanted) const {
        fail(node.source(), spot.path, "is " + describe(node) + "; write " + wanted);
    }

    void check_names(const toml::table& table, const std::string& path, const Names& known) const {
        for (auto&& [key, value] : table) {
            const std::string_view name = key.str();
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            const std::string place = path.empty() ? "" : path + ".";
            fail(key.source(), place + one_line(name, 60),
                 "is not known; the nearest known key is `" + place + std::string(nearest_word(name, known)) +
                     "`: correct it or take the line out");
        }
    }

    template <class S>
    void read_table(const toml::table& root, const Table<S>& table, S& out) {
        const toml::node* node = root.get(table.name);
        if (!node) return;
        if (!node->is_table()) {
            fail(node->source(), table.name,
                 "is " + describe(*node) + "; write a table: " + table.heading + " and its keys below");
        }
        note(table.name, node->source());
        read_keys(*node->as_table(), table.name, table.name, table.keys, out);
    }

    /// `path` is what errors say; `place` tells one table of a list from another.
    template <class S>
    void read_keys(const toml::table& table, const std::string& path, const std::string& place,
                   std::span<const Key<S>> keys, S& out) {
        Names known;
        for (const Key<S>& key : keys) known.emplace_back(key.name);
        check_names(table, path, known);
        for (const Key<S>& key : keys) {
            const toml::node* node = table.get(key.name);
            if (!node) continue;
            note(place + "." + key.name, node->source());
            const Spot spot{path + "." + key.name, key.range, key.words, key.example};
            std::visit(
                [&](auto member) {
                    if constexpr (!std::is_same_v<decltype(member), std::monostate>) {
                        read_value(*node, spot, out.*member);
                    }
                },
                key.member);
        }
    }

    template <class S>
    void read_list(const toml::table& root, const Table<S>& table, std::vector<S>& out) {
        const toml::node* node = root.get(table.name);
        if (!node) return;
        const toml::array* groups = node->as_array();
        if (!groups) {
            fail(node->source(), table.name,
                 "is " + describe(*node) + "; write " + table.heading + ", with two brackets");
        }
        note(table.name, node->source());
        for (const toml::node& group : *groups) {
            if (!group.is_table()) {
                fail(group.source(), table.name,
                     "holds " + describe(group) + "; write " + table.heading + " and its keys below");
            }
            const std::string place = std::string(table.name) + "[" + std::to_string(out.size()) + "]";
            note(place, group.source());
            read_keys(*group.as_table(), table.name, place, table.keys, out.emplace_back());
        }
    }

    /// [TABLE.NAME]
    template <class S>
    void read_named(const toml::table& root, const Table<S>& table, std::map<std::string, S>& out) {
        const toml::node* node = root.get(table.name);
        if (!node) return;
        const std::string wanted = std::string("write a table for each, ") + table.heading;
        if (!node->is_table()) fail(node->source(), table.name, "is " + describe(*node) + "; " + wanted);
        for (auto&& [key, named] : *node->as_table()) {
            const std::string path = std::string(table.name) + "." + one_line(key.str(), 60);
            if (!named.is_table()) fail(key.source(), path, "is " + describe(named) + "; " + wanted);
            const std::string name(key.str());
            const std::string place = std::string(table.name) + "." + name;
            note(place, key.source());
            read_keys(*named.as_table(), path, place, table.keys, out[name]);
        }
    }

    void read_rules(const toml::node& node, std::map<std::string, Rule>& out) {
        if (!node.is_table()) {
            fail(node.source(), "rule",
                 "is " + describe(node) + "; write a table for each rule, such as [rule.crowd]");
        }
        for (auto&& [key, rule] : *node.as_table()) {
            const std::string path = "rule." + one_line(key.str(), 60);
            const toml::table* table = rule.as_table();
            if (!table) {
                fail(key.source(), path,
                     "is " + describe(rule) + "; write a table for each rule, such as [rule.crowd]");
            }
            std::string kind(key.str());
            if (const toml::node* named = table->get("kind")) {
                read_value(*named, {path + ".kind", {}, kKindWords, nullptr}, kind);
            }
            const std::string name(key.str());
            bool known = false;
            note("rule." + name, key.source());
            each_rule([&](const auto& kind_table) {
                if (kind_table.keys[0].words != kind) return;
                known = true;
                read_rule(*table, path, "rule." + name, kind_table, out[name]);
            });
            if (!known) {
                fail(key.source(), path,
                     "is no built-in rule, so it needs a kind: add kind = \"crowd\", or another of " +
                         choice_text(kKindWords));
            }
        }
    }

    template <class S>
    void read_rule(const toml::table& table, const std::string& path, const std::string& place,
                   const Table<S>& kind, Rule& out) {
        S rule;
        read_keys(table, path, place, kind.keys, rule);
        out = rule;
    }

    std::int64_t read_integer(const toml::node& node, const Spot& spot) const {
        const auto* number = node.as_integer();
        if (!number) fail_type(node, spot, "a whole number, " + range_text(spot.range));
        const std::int64_t value = number->get();
        const auto as_double = static_cast<double>(value);
        if (!saved_ && (as_double < spot.range.min || as_double > spot.range.max)) {
            fail(node.source(), spot.path,
                 "is " + std::to_string(value) + "; write a whole number, " + range_text(spot.range));
        }
        return value;
    }

    template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) void read_value(const toml::node& node,
                                                                                const Spot& spot,
                                                                                T& out) const {
        out = static_cast<T>(read_integer(node, spot));
    }

    void read_value(const toml::node& node, const Spot& spot, bool& out) const {
        const auto* truth = node.as_boolean();
        if (!truth) fail_type(node, spot, "true or false");
        out = truth->get();
    }

    void read_value(const toml::node& node, const Spot& spot, double& out) const {
        if (!node.is_number()) fail_type(node, spot, "a number, " + range_text(spot.range));
        const double value = node.is_integer() ? static_cast<double>(node.as_integer()->get())
                                               : node.as_floating_point()->get();
        const bool low = spot.range.above_min ? value <= spot.range.min : value < spot.range.min;
        if (!saved_ && (!std::isfinite(value) || low || value > spot.range.max)) {
            fail_type(node, spot, "a number, " + range_text(spot.range));
        }
        out = value;
    }

    /// Texts; those with a "#" among their words take whole numbers too, and keep them as text.
    void read_value(const toml::node& node, const Spot& spot, std::string& out) const {
        const std::string wanted = spot.words ? choice_text(spot.words) : "a text in quotes";
        std::string text;
        if (node.is_integer() && spot.words &&
            std::string_view(spot.words).find('#') != std::string_view::npos) {
            text = std::to_string(read_integer(node, spot));
        } else if (const auto* value = node.as_string()) {
            text = value->get();
        } else {
            fail_type(node, spot, wanted);
        }
        if (spot.words && !is_word(text, spot)) {
            fail_type(node, spot, "one of " + wanted);
        }
        out = text;
    }

    static bool is_word(const std::string& text, const Spot& spot) {
        std::istringstream words(spot.words);
        for (std::string word; std::getline(words, word, '|');) {
            if (word == text) return true;
            if (word != "#" || text.empty() || text.size() > 9) continue;
            if (text.find_first_not_of("0123456789") != std::string::npos) continue;
            if (text.size() > 1 && text[0] == '0') continue;
            if (std::stod(text) <= spot.range.max) return true;
        }
        return false;
    }

    template <class E>
    requires std::is_enum_v<E>
    void read_value(const toml::node& node, const Spot& spot, E& out) const {
        const auto names = choices(E{});
        const auto* text = node.as_string();
        if (!text) fail_type(node, spot, "one of " + choice_text(names));
        const auto found = std::find(names.begin(), names.end(), std::string_view(text->get()));
        if (found == names.end()) {
            const Names known(names.begin(), names.end());
            fail_type(node, spot,
                      "one of " + choice_text(names) + ", perhaps \"" +
                          std::string(nearest_word(text->get(), known)) + "\"");
        }
        out = static_cast<E>(found - names.begin());
    }

    void read_value(const toml::node& node, const Spot& spot, std::vector<std::string>& out) const {
        const std::string wanted = std::string("a list of texts, such as ") + spot.example;
        if (!node.is_array()) fail_type(node, spot, wanted);
        out.clear();
        for (const toml::node& element : *node.as_array()) {
            const auto* text = element.as_string();
            if (!text) fail(element.source(), spot.path, "holds " + describe(element) + "; write " + wanted);
            out.push_back(text->get());
        }
    }

    /// A list of exactly `count` numbers in range.
    std::vector<double> read_numbers(const toml::node& node, const Spot& spot, std::size_t count) const {
        const toml::array* list = node.as_array();
        if (!list || list->size() != count) {
            fail_type(node, spot,
                      "a list of " + std::to_string(count) + " numbers, since world.dim is " +
                          std::to_string(dim_));
        }
        std::vector<double> numbers;
        for (const toml::node& element : *list) read_value(element, spot, numbers.emplace_back());
        return numbers;
    }

    void read_value(const toml::node& node, const Spot& spot, std::vector<double>& out) const {
        const toml::array* list = node.as_array();
        if (!list) fail_type(node, spot, "a list of numbers");
        out.clear();
        for (const toml::node& element : *list) read_value(element, spot, out.emplace_back());
    }

    /// A table from numbers in quotes, as all keys of TOML are texts, to numbers.
    void read_value(const toml::node& node, const Spot& spot, std::map<int, int>& out) const {
        const std::string wanted = std::string("a table such as ") + spot.example;
        const toml::table* table = node.as_table();
        if (!table) fail_type(node, spot, wanted);
        out.clear();
        for (auto&& [key, value] : *table) {
            const std::string name(key.str());
            const bool digits =
                !name.empty() && name.size() < 4 && name.find_first_not_of("0123456789") == std::string::npos;
            if (!digits || std::stoi(name) < 1 || std::stoi(name) > 254) {
                fail(key.source(), spot.path,
                     "has the key \"" + one_line(name, 60) + "\", but costs of a map are 1 to 254; write " +
                         wanted);
            }
            out[std::stoi(name)] = static_cast<int>(read_integer(value, spot));
        }
    }

    void read_value(const toml::node& node, const Spot& spot, std::optional<CellArea>& out) const {
        const toml::array* list = node.as_array();
        if (!list || list->size() != 4) {
            fail_type(node, spot,
                      "first column and row, then the last, such as " + std::string(spot.example));
        }
        std::int32_t n[4];
        for (std::size_t k = 0; k < 4; ++k)
            n[k] = static_cast<std::int32_t>(read_integer(*list->get(k), spot));
        if (!saved_ && (n[2] < n[0] || n[3] < n[1])) {
            fail(node.source(), spot.path,
                 "ends before it begins; write first column and row, then the last, such as " +
                     std::string(spot.example));
        }
        out = CellArea{{n[0], n[1]}, {n[2], n[3]}};
    }

    void read_value(const toml::node& node, const Spot& spot, std::optional<Vec3>& out) const {
        const std::vector<double> n = read_numbers(node, spot, static_cast<std::size_t>(dim_));
        out = Vec3{n[0], n[1], dim_ == 3 ? n[2] : 0.0};
    }

    void read_value(const toml::node& node, const Spot& spot, std::vector<Vec3>& out) const {
        const toml::array* list = node.as_array();
        if (!list) fail_type(node, spot, std::string("a list of points, such as ") + spot.example);
        out.clear();
        for (const toml::node& element : *list) {
            std::optional<Vec3> point;
            read_value(element, spot, point);
            out.push_back(*point);
        }
    }

    void read_value(const toml::node& node, const Spot& spot, std::optional<Bounds>& out) const {
        const auto dim = static_cast<std::size_t>(dim_);
        const std::vector<double> n = read_numbers(node, spot, 2 * dim);
        for (std::size_t axis = 0; axis < dim; ++axis) {
            if (saved_ || n[axis] <= n[axis + dim]) continue;
            fail(node.source(), spot.path,
                 "has its least " + std::string(1, "xyz"[axis]) + " " + number_text(n[axis]) +
                     " above its largest " + number_text(n[axis + dim]) +
                     "; write the least corner first, then the largest");
        }
        const bool solid = dim_ == 3;
        out = Bounds{{n[0], n[1], solid ? n[2] : 0.0}, {n[dim], n[dim + 1], solid ? n[5] : 0.0}};
    }

    Cell read_cell(const toml::node& node, const Spot& spot) const {
        const toml::array* pair = node.as_array();
        if (!pair || pair->size() != 2) {
            fail(node.source(), spot.path,
                 "holds " + describe(node) + " where a cell [column, row] should be; write it like " +
                     spot.example);
        }
        return {static_cast<std::int32_t>(read_integer(*pair->get(0), spot)),
                static_cast<std::int32_t>(read_integer(*pair->get(1), spot))};
    }

    void read_value(const toml::node& node, const Spot& spot, std::vector<std::vector<Cell>>& out) const {
        const toml::array* goals = node.as_array();
        if (!goals) fail_type(node, spot, std::string("a list of goals, such as ") + spot.example);
        out.clear();
        for (const toml::node& goal : *goals) {
            std::vector<Cell>& cells = out.emplace_back();
            const toml::array* list = goal.as_array();
            if (!list || list->empty() || !list->get(0)->is_array()) {
                cells.push_back(read_cell(goal, spot));
                continue;
            }
            for (const toml::node& cell : *list) cells.push_back(read_cell(cell, spot));
        }
    }

    std::string file_;
    bool saved_;  ///< no limits, and three axes
    std::map<std::string, std::string> places_;
    int dim_ = 2;
};

}  // namespace

static Scene read_text(const std::string& text, const std::string& name, SceneText kind) {
    Scene scene;
    try {
        const toml::table root = toml::parse(std::string_view(text), std::string_view(name));
        scene = SceneReader(name, kind).read(root);
    } catch (const toml::parse_error& error) {
        throw Error(name + ":" + std::to_string(error.source().begin.line) +
                    ": is not TOML: " + one_line(error.description(), 300) + "; correct this line");
    }
    return scene;
}

Scene parse_saved_scene(const std::string& text, const std::string& name) {
    Scene scene = read_text(text, name, SceneText::kSaved);
    scene.places.clear();  // lines of no file
    return scene;
}

Scene parse_scene(const std::string& text, const std::string& name) {
    Scene scene = read_text(text, name, SceneText::kFile);
    const std::filesystem::path path(name);
    if (path.has_stem()) scene.name = path.stem().string();
    if (path.has_parent_path()) scene.folder = path.parent_path().string();
    return scene;
}

Scene load_scene(const std::string& path) {
    std::error_code ignored;
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, ignored)) {
        throw Error(one_line(path) +
                    ": no scene can be read here; check the name, or make one: horde new FILE.toml");
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) throw Error(one_line(path) + ": reading stopped half-way; check the disk");
    return parse_scene(text, path);
}

}  // namespace horde
