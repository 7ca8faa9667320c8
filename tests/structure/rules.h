/// The house rules that a machine can check, as functions from a tree of source files to findings.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace horde::structure {

struct SourceFile {
    std::string path;  ///< relative to the root of the repository, with '/'
    std::string text;
};

using Tree = std::vector<SourceFile>;

/// One line for each breach: the file, and what is wrong with it. Empty when the rule is kept.
using Findings = std::vector<std::string>;

inline constexpr std::size_t kLineLimit = 600;

/// All .h and .cpp files below `folders` of `root`, in the order of their paths. Absent folders have no
/// files.
Tree read_tree(const std::filesystem::path& root, const std::vector<std::string>& folders);

/// Includes that the table of rooms (docs/tour.md) forbids: another room's file, a library that the room may
/// not use, or a file that is neither in the tree nor a known library. `tests/` may include anything.
Findings forbidden_edges(const Tree& tree);

/// Groups of files that include each other, one finding for each circle met.
Findings include_cycles(const Tree& tree);

/// Files of more than kLineLimit lines.
Findings long_files(const Tree& tree);

/// `#if`, `#ifdef` and `#ifndef` anywhere but in src/base/platform.h and src/world.cpp.
Findings preprocessor_branches(const Tree& tree);

/// Folders whose names say nothing: utils, common, core, detail and their kin.
Findings forbidden_folders(const Tree& tree);

}  // namespace horde::structure
