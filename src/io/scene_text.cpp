/// Scene files out: the template to start from and docs/scenes.md, by the table of keys.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "horde/files.h"
#include "io/scene_keys.h"

namespace horde {
namespace scene_keys {

std::string number_text(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    char digits[32];
    const bool plain = std::abs(value) < 1e15 && (value == 0.0 || std::abs(value) >= 1e-5);
    const auto end = plain
                         ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr
                         : std::to_chars(digits, digits + sizeof digits, value).ptr;
    return {digits, end};
}

std::string float_text(double value) {
    const std::string text = number_text(value);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

std::string range_text(const Range& range) {
    if (range.max >= kLargeSeed) return number_text(range.min) + " to 2^63 - 1";
    if (range.above_min) return "more than " + number_text(range.min) + ", at most " + number_text(range.max);
    return number_text(range.min) + " to " + number_text(range.max);
}

std::string choice_text(std::span<const char* const> names) {
    std::string text;
    for (const char* name : names) text += (text.empty() ? "\"" : " | \"") + std::string(name) + "\"";
    return text;
}

std::string choice_text(const char* words) {
    std::string text;
    for (std::string_view rest(words); !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        if (!text.empty()) text += " | ";
        text += word == "#" ? "a number" : "\"" + std::string(word) + "\"";
    }
    return text;
}

}  // namespace scene_keys

namespace {

using namespace scene_keys;

/// A default as TOML; empty where being absent is the default.
struct DefaultText {
    std::string operator()(double value) const { return float_text(value); }
    std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
    std::string operator()(const std::vector<double>& values) const {
        std::string text;
        for (const double value : values) text += (text.empty() ? "[" : ", ") + float_text(value);
        return text + "]";
    }
    template <class T>
    std::string operator()(const T& value) const {
        if constexpr (std::is_enum_v<T>) {
            return "\"" + std::string(choices(value)[static_cast<std::size_t>(value)]) + "\"";
        } else if constexpr (std::is_same_v<T, bool>) {
            return value ? "true" : "false";
        } else if constexpr (std::is_integral_v<T>) {
            return std::to_string(value);
        } else {
            return "";
        }
    }
};

/// What a key takes, in words.
struct TypeText {
    const Range& range;
    const char* words;

    std::string operator()(const std::string&) const { return words ? choice_text(words) : "text"; }
    std::string operator()(double) const { return "number, " + range_text(range); }
    std::string operator()(bool) const { return "true or false"; }
    std::string operator()(const std::vector<std::string>&) const { return "list of texts"; }
    std::string operator()(const std::optional<Bounds>&) const { return "list of 4 or 6 numbers"; }
    std::string operator()(const std::optional<Vec3>&) const { return "list of 2 or 3 numbers"; }
    std::string operator()(const std::vector<Vec3>&) const { return "list of points"; }
    std::string operator()(const std::vector<std::vector<Cell>>&) const {
        return "list of cells, or of lists";
    }
    std::string operator()(const std::optional<CellArea>&) const { return "list of 4 numbers"; }
    std::string operator()(const std::map<int, int>&) const { return "table, " + range_text(range); }
    std::string operator()(const std::vector<double>&) const {
        return "list of numbers, " + range_text(range);
    }
    template <class T>
    std::string operator()(const T& value) const {
        if constexpr (std::is_enum_v<T>) {
            return choice_text(choices(value));
        } else {
            return "whole number, " + range_text(range);
        }
    }
};

template <class S, class Text>
std::string of_default(const Key<S>& key, const Text& text) {
    const S defaults{};
    return std::visit(
        [&](auto member) -> std::string {
            if constexpr (std::is_same_v<decltype(member), std::monostate>) {
                return text(std::string());
            } else {
                return text(defaults.*member);
            }
        },
        key.member);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

template <class S>
std::string type_text(const Key<S>& key) {
    return of_default(key, TypeText{key.range, key.words});
}

}  // namespace

std::string scene_template() {
    std::string text =
        "# A scene of horde, in SI units. Every key stands here with its default, so each line may be taken "
        "out.\n"
        "# Lines that begin with \"#\" and hold a key are examples of keys without a default. As it is, "
        "nobody walks:\n"
        "# for a crowd in a city, take the # off generate, set count = 1000 and goals = 4, and run it.\n";
    each_table([&](const auto& table) {
        const char* mark = table.is_example ? "# " : "";
        text += "\n# " + replaced(table.meaning, "\n", "\n# ") + "\n" + mark + table.heading + "\n";
        for (const auto& key : table.keys) {
            const std::string unit = *key.unit ? std::string(key.unit) + "; " : "";
            text += std::string("# ") + key.meaning + " (" + unit + type_text(key) + ")\n";
            const std::string value = key.example ? "" : of_default(key, DefaultText{});
            text += key.example ? std::string("# ") + key.name + " = " + key.example + "\n"
                                : mark + std::string(key.name) + " = " + value + "\n";
        }
    });
    return text;
}

std::string scene_reference() {
    std::string text =
        "# Scene files\n\n"
        "A scene is a TOML file. This page is made from the table of keys that the reader uses\n"
        "(`src/io/scene_keys.h`), so it is complete: a key that is not here is an error, which names the "
        "nearest one\n"
        "that is. All units are SI. `horde new FILE.toml` writes a file with all of it to start from.\n";
    each_table([&](const auto& table) {
        text += std::string("\n## `") + table.heading + "`\n\n" + table.meaning + "\n\n";
        text += "| key | takes | unit | default | meaning |\n|---|---|---|---|---|\n";
        for (const auto& key : table.keys) {
            const std::string value = key.example ? "none, e.g. `" + std::string(key.example) + "`"
                                                  : "`" + of_default(key, DefaultText{}) + "`";
            text += std::string("| `") + key.name + "` | " + replaced(type_text(key), "|", "or") + " | " +
                    key.unit + " | " + value + " | " + key.meaning + " |\n";
        }
    });
    return text;
}

}  // namespace horde
