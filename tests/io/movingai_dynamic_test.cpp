#include <gtest/gtest.h>

#include <cstdio>

#include "horde/error.h"
#include "horde/files.h"
#include "movingai_files.h"

namespace horde {
namespace {

constexpr const char* kPatches =
    "type patch\npatches 2\n"
    "patch 0\nheight 3\nwidth 1\nmap\n@\n@\n@\n"
    "patch 1\nheight 1\nwidth 2\nmap\n.@\n";

std::string scen_of(const std::string& commands) {
    return "version 2\nheight 4\nwidth 5\ncost 1 octile\npatch x.patch\ncommands\n" + commands;
}

std::string error_of_patches(const std::string& text) {
    const TemporaryFile file(".patch", text);
    try {
        load_patches(file.path());
    } catch (const Error& error) {
        return std::string(error.what()).substr(file.path().size());
    }
    return "";
}

std::string error_of_scen(const std::string& text) {
    const TemporaryFile file(".scen", text);
    try {
        load_dynamic_scen(file.path());
    } catch (const Error& error) {
        return std::string(error.what()).substr(file.path().size());
    }
    return "";
}

DynamicReport replay(const std::string& commands, int goals = 16) {
    const TemporaryFile patches(".patch", kPatches);
    const TemporaryFile scen(".scen", scen_of(commands));
    return check_dynamic_scen(load_patches(patches.path()), load_dynamic_scen(scen.path()), goals);
}

TEST(DynamicScen, LaysPatchesAndAsksBetweenThem) {
    // A wall of three cells at column 2, then its foot moved: the way over the top stays 4.
    const DynamicReport report = replay(
        "Q 0 0 1 4 1 4\n"
        "P 1 0 2 1\n"
        "Q 1 1 1 3 1 4\n"
        "Q 1 0 3 4 3 8.8284271247\n"
        "P 2 1 1 3\nP 2 1 1 2\n"
        "Q 2 1 1 3 1 5\n");
    EXPECT_EQ(report.lines, 4);
    EXPECT_EQ(report.patches, 3);
    EXPECT_EQ(report.mismatches, 1);  // the last, on purpose
    EXPECT_EQ(report.goals, 3);
    EXPECT_EQ(report.repairs, 6);
    EXPECT_EQ(report.repair_mismatches, 0);
}

TEST(DynamicScen, APatchFreesCellsToo) {
    const DynamicReport report = replay("P 0 0 0 0\nP 1 1 0 1\nQ 1 0 1 4 3 4.8284271247\n");
    EXPECT_EQ(report.lines, 1);
    EXPECT_EQ(report.first_mismatches.size() + 1, 2u);
    EXPECT_EQ(report.repairs, 1);
}

TEST(DynamicScen, NamesTheLineOfWhatIsWrong) {
    EXPECT_EQ(error_of_patches("type octile\n"), ":1: 'type octile': expected 'type patch'");
    EXPECT_EQ(error_of_patches("type patch\npatches 1\npatch 1\n"),
              ":3: 'patch 1': expected 'patch N' with N from 0 to 0");
    EXPECT_NE(
        error_of_patches("type patch\npatches 1\npatch 0\nheight 2\nwidth 1\nmap\n@\n").find("truncated"),
        std::string::npos);
    EXPECT_NE(error_of_patches(std::string(kPatches) + "more\n").find("text after"), std::string::npos);
    EXPECT_EQ(error_of_scen("version 1\n"), ":1: 'version 1': expected 'version 2'");
    EXPECT_EQ(error_of_scen("version 2\nwidth 5\ncommands\n"),
              ":3: 'commands' comes before 'height N' and 'width N'");
    EXPECT_EQ(error_of_scen(scen_of("P 0 0 5 0\n")), ":7: patch x is '5': must be 0 to 4");
    EXPECT_EQ(error_of_scen(scen_of("Q 0 0 0 0 4 1\n")), ":7: goal y is '4': must be 0 to 3");
    EXPECT_EQ(error_of_scen(scen_of("Q 0 0 0 0 3 nan\n")),
              ":7: length is 'nan': must be a number, 0 or more");
    EXPECT_NE(error_of_scen(scen_of("R 1\n")).find(":7: 'R 1': expected"), std::string::npos);
    EXPECT_THROW(replay("P 0 2 0 0\n"), Error);
    EXPECT_THROW(replay("P 0 0 0 2\n"), Error);
    EXPECT_THROW(replay("", -1), Error);
}

TEST(DynamicScen, ArenaOfTheCompetitionIsMetAndSixteenGoalsStayAlive) {
    const std::filesystem::path base = movingai_folder() / "dynamic" / "dao_arena2";
    if (!std::filesystem::exists(base.string() + ".scen")) GTEST_SKIP() << "no " << base << ".scen";
    const DynamicScen scen = load_dynamic_scen(base.string() + ".scen");
    const DynamicReport report = check_dynamic_scen(load_patches(base.string() + ".patch"), scen);
    EXPECT_EQ(report.lines, 2000);
    EXPECT_EQ(report.patches, 439);
    EXPECT_EQ(report.mismatches, 0);
    for (const std::string& text : report.first_mismatches) ADD_FAILURE() << text;
    EXPECT_EQ(report.goals, 16);
    EXPECT_GE(report.repairs, 16 * 90);
    EXPECT_EQ(report.repair_mismatches, 0);
    EXPECT_LT(report.repairs_given_up, report.repairs);
    std::printf("worst error %.6f cells; %lld repairs, %lld given up, %.1f ms, anew %.1f ms\n",
                report.worst_error, static_cast<long long>(report.repairs),
                static_cast<long long>(report.repairs_given_up), report.repair_us / 1e3,
                report.full_us / 1e3);
}

}  // namespace
}  // namespace horde
