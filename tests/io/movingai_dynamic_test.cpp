#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "horde/error.h"
#include "horde/files.h"
#include "movingai_files.h"
#include "sim/field/store.h"
#include "sim/field/terrain.h"

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
    EXPECT_EQ(report.repairs, 1488) << "all of them compared, also those beyond the budget";
    std::printf("worst error %.6f cells; %lld repairs, %lld given up, %.1f ms, anew %.1f ms\n",
                report.worst_error, static_cast<long long>(report.repairs),
                static_cast<long long>(report.repairs_given_up), report.repair_us / 1e3,
                report.full_us / 1e3);
}

// The same through what worlds use: a terrain that hands out grids, and a store of fields, 5 frames a build,
// in which repairs of one group may still be pending when the next is laid.
TEST(DynamicScen, ArenaOfTheCompetitionInAStoreOfFields) {
    const std::filesystem::path base = movingai_folder() / "dynamic" / "dao_arena2";
    if (!std::filesystem::exists(base.string() + ".scen")) GTEST_SKIP() << "no " << base << ".scen";
    const DynamicScen scen = load_dynamic_scen(base.string() + ".scen");
    const std::vector<Map> patches = load_patches(base.string() + ".patch");
    const std::size_t cells = static_cast<std::size_t>(scen.columns) * static_cast<std::size_t>(scen.rows);
    std::vector<FieldStore::Goals> sets;
    for (const DynamicCommand& command : scen.commands) {
        if (command.is_query() && sets.size() < 16 &&
            std::find(sets.begin(), sets.end(), FieldStore::Goals{command.query.goal}) == sets.end())
            sets.push_back({command.query.goal});
    }
    Terrain terrain(Map{scen.columns, scen.rows, 1.0, std::vector<std::uint8_t>(cells, 1)}, {}, {});
    FieldStore store;
    const std::vector<std::uint8_t> used = {1};
    std::vector<LayerCosts> layers = {terrain.layer(0)};
    store.set_up({.cells_per_frame = static_cast<std::int64_t>(cells / 5) + 1}, layers, used, sets, false,
                 nullptr);
    std::int64_t repairs = 0, builds = 0, compared = 0;
    std::uint64_t frame = 0;
    const auto update = [&] {
        terrain.commit();
        layers = {terrain.layer(0)};
        const FieldCounts counts = store.update(frame++, layers);
        repairs += counts.repairs;
        builds += counts.builds;
    };
    std::size_t groups = 0;
    for (std::size_t n = 0; n < scen.commands.size();) {
        for (; n < scen.commands.size() && scen.commands[n].is_query(); ++n) {
        }
        if (n == scen.commands.size()) break;
        for (; n < scen.commands.size() && !scen.commands[n].is_query(); ++n) {
            const Map& patch = patches[static_cast<std::size_t>(scen.commands[n].patch)];
            const Cell at = scen.commands[n].at;
            for (Cell c; c.row < patch.rows; ++c.row) {
                for (c.column = 0; c.column < patch.columns; ++c.column) {
                    const Cell to{at.column + c.column, at.row + c.row};
                    terrain.set_cost({to, to}, patch.cost[patch.index(c)]);
                }
            }
        }
        update();
        update();
        if (++groups % 3 != 0) continue;  // the others are overtaken by what comes
        while (store.pending() > 0) update();
        for (std::size_t set = 0; set < sets.size(); ++set) {
            const Map& map = terrain.layer(0).costs->map;
            const bool is_free = map.is_free(sets[set][0]);
            const Field fresh = build_field(map, {sets[set].data(), is_free ? 1u : 0u});
            const Field& field = store.find(set, 0).field;
            ASSERT_EQ(field.goals, fresh.goals);
            ASSERT_TRUE(field.integration == fresh.integration && field.flow == fresh.flow)
                << "group " << groups << ", set " << set;
            ++compared;
        }
    }
    EXPECT_GE(compared, 30 * 16);
    EXPECT_GT(repairs, 100);
    EXPECT_GT(builds, 100);
}

}  // namespace
}  // namespace horde
