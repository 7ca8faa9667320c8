/// Holds the tree to the rules of docs/tour.md, and each rule to a small tree that breaks it.
#include <gtest/gtest.h>

#include "../places.h"
#include "rules.h"

namespace {

using horde::structure::Findings;
using horde::structure::Tree;

Tree sources() {
    return horde::structure::read_tree(horde::test::kSourceDir, {"include", "src", "apps", "bench"});
}

Tree everything() {
    return horde::structure::read_tree(horde::test::kSourceDir,
                                       {"include", "src", "apps", "bench", "tests", "python"});
}

std::string joined(const Findings& findings) {
    std::string text;
    for (const auto& finding : findings) text += "\n  " + finding;
    return text;
}

/// The finding of a rule on a tree that breaks it once.
std::string only(const Findings& findings) {
    EXPECT_EQ(findings.size(), 1u) << joined(findings);
    return findings.empty() ? std::string() : findings[0];
}

testing::AssertionResult contains(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "\"" << part << "\" is not in \"" << text << "\"";
}

TEST(Structure, ReadsTheWholeTree) {
    const auto tree = everything();
    const auto has = [&](const std::string& path) {
        for (const auto& file : tree) {
            if (file.path == path) return !file.text.empty();
        }
        return false;
    };
    EXPECT_TRUE(has("include/horde/field.h"));
    EXPECT_TRUE(has("tests/structure/rules.cpp"));
}

TEST(Structure, NoRoomIncludesWhatItMayNot) {
    const auto findings = horde::structure::forbidden_edges(sources());
    EXPECT_TRUE(findings.empty()) << joined(findings);
}

TEST(Structure, NoFilesIncludeEachOther) {
    const auto findings = horde::structure::include_cycles(everything());
    EXPECT_TRUE(findings.empty()) << joined(findings);
}

TEST(Structure, NoFileIsTooLong) {
    const auto findings = horde::structure::long_files(everything());
    EXPECT_TRUE(findings.empty()) << joined(findings);
}

TEST(Structure, OnlyTheEdgeAsksThePreprocessor) {
    const auto findings = horde::structure::preprocessor_branches(sources());
    EXPECT_TRUE(findings.empty()) << joined(findings);
}

TEST(Structure, EveryFolderHasAName) {
    const auto findings = horde::structure::forbidden_folders(everything());
    EXPECT_TRUE(findings.empty()) << joined(findings);
}

TEST(StructureRules, SeeARoomThatIncludesAboveItself) {
    const Tree tree = {{"src/sim/grid.h", "#pragma once\n"},
                       {"src/base/hash.cpp", "#include <vector>\n#include \"sim/grid.h\"\n"}};
    const auto finding = only(horde::structure::forbidden_edges(tree));
    EXPECT_TRUE(contains(finding, "src/base/hash.cpp:2"));
    EXPECT_TRUE(contains(finding, "room base may not include room sim"));
}

TEST(StructureRules, SeeRoomsThatIncludeEachOther) {
    const Tree tree = {{"src/io/scene.h", ""}, {"src/cpu/steer.cpp", "#  include \"io/scene.h\"  // why\n"}};
    EXPECT_TRUE(contains(only(horde::structure::forbidden_edges(tree)), "room cpu may not include room io"));
}

TEST(StructureRules, SeeAForbiddenIncludeByRelativePath) {
    const Tree tree = {{"src/sim/grid.h", ""},
                       {"apps/horde/main.cpp", "#include \"../../src/sim/grid.h\"\n"}};
    EXPECT_TRUE(
        contains(only(horde::structure::forbidden_edges(tree)), "room apps may not include room sim"));
}

TEST(StructureRules, SeeAPublicHeaderThatNeedsAPrivateOne) {
    const Tree tree = {{"src/base/hash.h", ""}, {"include/horde/world.h", "#include \"base/hash.h\"\n"}};
    EXPECT_TRUE(contains(only(horde::structure::forbidden_edges(tree)), "room include/horde may not"));
}

TEST(StructureRules, SeeALibraryInTheWrongRoom) {
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"src/sim/frame.cpp", "tbb/parallel_for.h"}, {"src/cpu/frame.cpp", "hdf5.h"},
        {"src/io/scene.cpp", "CLI/CLI.hpp"},         {"src/world.cpp", "toml++/toml.h"},
        {"apps/horde/main.cpp", "tbb/version.h"},    {"include/horde/world.h", "nlohmann/json.hpp"},
        {"bench/frame.cpp", "gtest/gtest.h"},        {"src/sim/steer.cpp", "rapidcheck.h"},
        {"src/cpu/lanes.cpp", "stb_image_write.h"},  {"src/base/vec.h", "fmt/core.h"}};
    for (const auto& [path, header] : wrong) {
        const Tree tree = {{path, "#include <" + header + ">\n"}};
        EXPECT_TRUE(contains(only(horde::structure::forbidden_edges(tree)), "may not use")) << path;
    }
}

TEST(StructureRules, SeeAHeaderThatNobodyKnows) {
    const Tree tree = {{"src/io/scene.cpp", "#include <boost/any.hpp>\n#include \"io/gone.h\"\n"}};
    EXPECT_EQ(horde::structure::forbidden_edges(tree).size(), 2u);
}

TEST(StructureRules, SeeARoomThatIsNotInTheTable) {
    const Tree tree = {{"src/attic/box.h", ""}};
    EXPECT_TRUE(contains(only(horde::structure::forbidden_edges(tree)), "room attic is not in the table"));
}

TEST(StructureRules, AllowWhatTheTableAllows) {
    const Tree tree = {
        {"include/horde/field.h", "#include <vector>\n"},
        {"src/base/hash.h", "#include <cstdint>\n"},
        {"src/sim/grid.h", "#include \"base/hash.h\"\n#include \"horde/field.h\"\n"},
        {"src/sim/rules/crowd.h", "#include \"sim/grid.h\"\n"},
        {"src/cpu/steer.cpp", "#include <tbb/parallel_for.h>\n#include \"sim/rules/crowd.h\"\n"},
        {"src/io/hdf5.cpp", "#include <hdf5.h>\n#include <toml++/toml.h>\n"},
        {"src/world.cpp", "#include \"sim/grid.h\"\n#include <horde/field.h>\n"},
        {"bench/frame.h", "#include \"sim/grid.h\"\n"},
        {"apps/horde/main.cpp", "#include <CLI/CLI.hpp>\n#include \"bench/frame.h\"\n"},
        {"tests/io/hdf5.cpp", "#include <gtest/gtest.h>\n#include \"anything.h\"\n"}};
    const auto findings = horde::structure::forbidden_edges(tree);
    EXPECT_TRUE(findings.empty()) << joined(findings);
}

TEST(StructureRules, SeeACircleOfIncludes) {
    const Tree tree = {{"src/sim/a.h", "#include \"sim/b.h\"\n"},
                       {"src/sim/b.h", "#include \"c.h\"\n"},
                       {"src/sim/c.h", "#include \"sim/a.h\"\n"},
                       {"src/sim/d.h", "#include \"sim/a.h\"\n"}};
    EXPECT_EQ(only(horde::structure::include_cycles(tree)),
              "src/sim/a.h -> src/sim/b.h -> src/sim/c.h -> src/sim/a.h");
}

TEST(StructureRules, SeeAFileOneLineTooLong) {
    const auto lines = [](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += "//\n";
        return text;
    };
    const auto limit = horde::structure::kLineLimit;
    const Tree tree = {{"src/sim/fits.h", lines(limit)}, {"src/sim/long.h", lines(limit + 1)}};
    EXPECT_EQ(only(horde::structure::long_files(tree)), "src/sim/long.h: 601 lines");
}

TEST(StructureRules, SeeAPreprocessorBranch) {
    const Tree tree = {{"src/sim/grid.cpp", "#pragma once\n  # ifdef HORDE_TBB\n#endif\n"},
                       {"src/base/platform.h", "#if 1\n#endif\n"},
                       {"src/world.cpp", "#if HORDE_IO\n#endif\n"}};
    EXPECT_TRUE(contains(only(horde::structure::preprocessor_branches(tree)), "src/sim/grid.cpp:2: #ifdef"));
}

TEST(StructureRules, SeeAFolderWithoutAName) {
    const Tree tree = {{"src/sim/utils/grid.h", ""}, {"src/sim/grid.h", ""}, {"src/sim/core.h", ""}};
    EXPECT_TRUE(contains(only(horde::structure::forbidden_folders(tree)), "src/sim/utils"));
}

}  // namespace
