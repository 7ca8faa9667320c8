#include "rules.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace horde::structure {
namespace {

/// What a room may include, beside the C++ standard library and itself.
struct Room {
    std::set<std::string> rooms;
    std::set<std::string> libraries;
};

const std::set<std::string> kEveryRoom = {"include/horde", "base", "sim",   "cpu",
                                          "bodies",        "io",   "world", "bench"};

const std::map<std::string, Room> kRooms = {
    {"include/horde", {{}, {}}},
    {"base", {{}, {"intrinsics"}}},
    {"sim", {{"base", "include/horde"}, {}}},
    {"cpu", {{"sim", "base", "include/horde"}, {"tbb", "intrinsics"}}},
    {"bodies", {{"sim", "base", "include/horde"}, {"box2d"}}},
    {"io", {{"sim", "base", "include/horde"}, {"hdf5", "sqlite", "toml++", "json", "stb", "posix"}}},
    {"world", {kEveryRoom, {}}},
    {"bench", {kEveryRoom, {"cli11", "fmt", "json", "posix"}}},
    {"apps", {{"include/horde", "bench"}, {"cli11", "fmt", "json", "posix"}}},
};

/// How the headers of a library begin.
const std::vector<std::pair<std::string, std::string>> kLibraries = {
    {"tbb/", "tbb"},
    {"oneapi/", "tbb"},
    {"box2d/", "box2d"},
    {"hdf5", "hdf5"},
    {"H5", "hdf5"},
    {"sqlite3", "sqlite"},
    {"toml++/", "toml++"},
    {"nlohmann/", "json"},
    {"stb", "stb"},
    {"CLI/", "cli11"},
    {"fmt/", "fmt"},
    {"gtest/", "gtest"},
    {"gmock/", "gtest"},
    {"rapidcheck", "rapidcheck"},
    {"sys/", "posix"},
    {"unistd.h", "posix"},
    {"fcntl.h", "posix"},
    {"signal.h", "posix"},
    {"malloc.h", "posix"},
    {"immintrin.h", "intrinsics"},
    {"xmmintrin.h", "intrinsics"},
    {"emmintrin.h", "intrinsics"},
};

struct Include {
    std::string name;
    std::size_t line = 0;
};

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The word after '#' and what follows it; both empty for a line that is no directive.
std::pair<std::string, std::string> directive(const std::string& line) {
    const std::string text = trimmed(line);
    if (text.empty() || text[0] != '#') return {};
    const std::string rest = trimmed(text.substr(1));
    const auto end = rest.find_first_of(" \t\"<(");
    if (end == std::string::npos) return {rest, {}};
    return {rest.substr(0, end), trimmed(rest.substr(end))};
}

std::vector<std::string> lines_of(const SourceFile& file) {
    std::vector<std::string> lines;
    std::istringstream stream(file.text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<Include> includes_of(const SourceFile& file) {
    std::vector<Include> includes;
    const auto lines = lines_of(file);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto [word, rest] = directive(lines[i]);
        if (word != "include" || rest.size() < 2) continue;
        const auto end = rest.find(rest[0] == '<' ? '>' : '"', 1);
        includes.push_back({rest.substr(1, end - 1), i + 1});
    }
    return includes;
}

std::string room_of(const std::string& path) {
    const auto first = path.find('/');
    const std::string top = path.substr(0, first);
    if (top == "include") return path.substr(0, path.rfind('/'));
    if (top != "src" || first == std::string::npos) return top;
    const auto second = path.find('/', first + 1);
    return second == std::string::npos ? "world" : path.substr(first + 1, second - first - 1);
}

/// "std" for a header of the C++ library, "" for one that no room may include.
std::string library_of(const std::string& header) {
    for (const auto& [beginning, library] : kLibraries) {
        if (header.rfind(beginning, 0) == 0) return library;
    }
    return header.find_first_of("./") == std::string::npos ? "std" : "";
}

std::set<std::string> paths_of(const Tree& tree) {
    std::set<std::string> paths;
    for (const auto& file : tree) paths.insert(file.path);
    return paths;
}

/// The file of the tree that an include names, looked for as the compiler does: beside the includer, then in
/// include/, src/ and the root. Empty if it is none of ours.
std::string resolve(const std::set<std::string>& paths, const std::string& from, const std::string& name) {
    const std::string beside = from.substr(0, from.rfind('/') + 1);
    for (const std::string& folder : {beside, std::string("include/"), std::string("src/"), std::string()}) {
        const std::string path = std::filesystem::path(folder + name).lexically_normal().generic_string();
        if (paths.count(path)) return path;
    }
    return {};
}

std::string place(const SourceFile& file, std::size_t line) {
    return file.path + ":" + std::to_string(line);
}

/// What is wrong with one include of a file in `room`; empty if nothing.
std::string wrong_with(const std::string& room, const std::string& target, const std::string& name) {
    const Room& allowed = kRooms.at(room);
    if (!target.empty()) {
        const std::string other = room_of(target);
        if (other == room || allowed.rooms.count(other)) return {};
        return "room " + room + " may not include room " + other + " (" + name + ")";
    }
    const std::string library = library_of(name);
    if (library == "std" || allowed.libraries.count(library)) return {};
    if (library.empty()) return name + " is no file of the tree and of no library that a room may use";
    return "room " + room + " may not use " + library + " (" + name + ")";
}

/// Depth-first walk for include_cycles: `trail` is the way from the first file to the present one.
struct CycleSearch {
    const std::map<std::string, std::vector<std::string>>& edges;
    std::set<std::string> done;
    std::vector<std::string> trail;
    Findings findings;

    void visit(const std::string& path) {
        const auto met = std::find(trail.begin(), trail.end(), path);
        if (met != trail.end()) {
            std::string circle;
            for (auto step = met; step != trail.end(); ++step) circle += *step + " -> ";
            findings.push_back(circle + path);
            return;
        }
        if (done.count(path)) return;
        trail.push_back(path);
        for (const auto& next : edges.at(path)) visit(next);
        trail.pop_back();
        done.insert(path);
    }
};

}  // namespace

Tree read_tree(const std::filesystem::path& root, const std::vector<std::string>& folders) {
    Tree tree;
    for (const auto& folder : folders) {
        if (!std::filesystem::exists(root / folder)) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            const auto ending = entry.path().extension();
            if (!entry.is_regular_file() || (ending != ".h" && ending != ".cpp")) continue;
            std::ostringstream text;
            text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
            tree.push_back({entry.path().lexically_relative(root).generic_string(), text.str()});
        }
    }
    std::sort(tree.begin(), tree.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return tree;
}

Findings forbidden_edges(const Tree& tree) {
    Findings findings;
    const auto paths = paths_of(tree);
    for (const auto& file : tree) {
        const std::string room = room_of(file.path);
        if (room == "tests") continue;
        if (!kRooms.count(room)) {
            findings.push_back(file.path + ": room " + room +
                               " is not in the table of tests/structure/rules.cpp");
            continue;
        }
        for (const auto& include : includes_of(file)) {
            const auto wrong = wrong_with(room, resolve(paths, file.path, include.name), include.name);
            if (!wrong.empty()) findings.push_back(place(file, include.line) + ": " + wrong);
        }
    }
    return findings;
}

Findings include_cycles(const Tree& tree) {
    const auto paths = paths_of(tree);
    std::map<std::string, std::vector<std::string>> edges;
    for (const auto& file : tree) {
        auto& targets = edges[file.path];
        for (const auto& include : includes_of(file)) {
            const auto target = resolve(paths, file.path, include.name);
            if (!target.empty()) targets.push_back(target);
        }
    }
    CycleSearch search{edges, {}, {}, {}};
    for (const auto& [path, targets] : edges) search.visit(path);
    return search.findings;
}

Findings long_files(const Tree& tree) {
    Findings findings;
    for (const auto& file : tree) {
        const auto count = lines_of(file).size();
        if (count > kLineLimit) findings.push_back(file.path + ": " + std::to_string(count) + " lines");
    }
    return findings;
}

Findings preprocessor_branches(const Tree& tree) {
    Findings findings;
    for (const auto& file : tree) {
        if (file.path == "src/base/platform.h" || file.path == "src/world.cpp") continue;
        const auto lines = lines_of(file);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto word = directive(lines[i]).first;
            if (word == "if" || word == "ifdef" || word == "ifndef") {
                findings.push_back(place(file, i + 1) + ": #" + word +
                                   " belongs into base/platform.h or world.cpp");
            }
        }
    }
    return findings;
}

Findings forbidden_folders(const Tree& tree) {
    static const std::set<std::string> forbidden = {"util", "utils",   "common", "core",   "detail",
                                                    "misc", "helpers", "shared", "details"};
    std::set<std::string> folders;
    for (const auto& file : tree) {
        const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
        for (const auto& part : folder) {
            if (forbidden.count(part.string())) folders.insert(folder.generic_string());
        }
    }
    Findings findings;
    for (const auto& folder : folders) findings.push_back(folder + ": a folder's name says what is in it");
    return findings;
}

}  // namespace horde::structure
