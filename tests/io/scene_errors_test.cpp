#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "horde/error.h"
#include "horde/files.h"
#include "horde/world.h"
#include "io/scene_keys.h"
#include "io/scene_words.h"

namespace horde {
namespace {

/// The text of the error that reading gives; empty if it gives none.
std::string error_of(const std::string& text) {
    try {
        parse_scene(text, "test.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// One line that begins with file, line and key.
void expect_error(const std::string& text, const std::string& place, const std::string& part) {
    const std::string error = error_of(text);
    EXPECT_TRUE(error.starts_with(place)) << text << "\ngave: " << error;
    EXPECT_NE(error.find(part), std::string::npos) << text << "\ngave: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

TEST(SceneErrors, NameTheNearestKnownKey) {
    expect_error("[world]\ndim = 2\nsed = 4\n", "test.toml:3: key `world.sed`", "`world.seed`");
    expect_error("[wold]\n", "test.toml:1: key `wold`", "`world`");
    expect_error("\n[[agents]]\nnumber = 4\ngaol = 1\n", "test.toml:4: key `agents.gaol`", "`agents.goal`");
    expect_error("[[agents]]\n[[agents]]\ncuont = 4\n", "test.toml:3: key `agents.cuont`", "`agents.count`");
    expect_error("[rule.crowd]\nsped = 4\n", "test.toml:2: key `rule.crowd.sped`", "`rule.crowd.speed`");
    expect_error("[rule.x]\nkind = \"crowd\"\ntua = 4\n", "test.toml:3: key `rule.x.tua`", "`rule.x.tau`");
    expect_error("grid = { serach = \"grid\" }\n", "test.toml:1: key `grid.serach`", "`grid.search`");
    expect_error("seed = 4\n", "test.toml:1: key `seed`", "is not known");
    expect_error("\"a\\nb\" = 4\n", "test.toml:1: key `a?b`", "is not known");
}

TEST(SceneErrors, NameTerrainThatDoesNotFit) {
    const std::string layer = "[[layer]]\n", edit = "[[edit]]\n";
    expect_error("[layer]\nname = \"x\"\n", "test.toml:1: key `layer`: is a table", "[[layer]]");
    expect_error(layer + "clearence = 1\n", "test.toml:2: key `layer.clearence`", "`layer.clearance`");
    expect_error(layer + "costs = 3\n", "test.toml:2: key `layer.costs`: is 3", "a table such as");
    expect_error(layer + "costs = { \"0\" = 3 }\n", "test.toml:2: key `layer.costs`: has the key \"0\"",
                 "1 to 254");
    expect_error(layer + "costs = { grass = 3 }\n", "test.toml:2: key `layer.costs`: has the key \"grass\"",
                 "1 to 254");
    expect_error(layer + "costs = { \"3\" = 256 }\n", "test.toml:2: key `layer.costs`: is 256", "1 to 255");
    expect_error(edit + "kind = \"walls\"\n", "test.toml:2: key `edit.kind`", "perhaps \"wall\"");
    expect_error(edit + "cells = [1, 2]\n", "test.toml:2: key `edit.cells`: is a list of 2", "first column");
    expect_error(edit + "cells = [1, 2, 0, 4]\n", "test.toml:2: key `edit.cells`: ends before",
                 "first column");
    expect_error(edit + "cells = [1, 2, 3, 9000]\n", "test.toml:2: key `edit.cells`: is 9000", "0 to 8191");
    expect_error("[terrain]\nslope_limits = 0.3\n", "test.toml:2: key `terrain.slope_limits`: is 0.3",
                 "list of numbers");
}

TEST(SceneErrors, TellWhetherAnEditNeedsACost) {
    const std::string edit = "[[edit]]\ncells = [0, 0, 0, 0]\n";
    EXPECT_EQ(error_of(edit), "");
    EXPECT_EQ(error_of(edit + "kind = \"clear\"\n"), "");
    EXPECT_EQ(error_of(edit + "kind = \"cost\"\ncost = 1\n"), "");
    expect_error(edit + edit + "kind = \"cost\"\n", "test.toml:3: key `edit.cost`: is missing", "adds");
    expect_error(edit + "kind = \"wall\"\ncost = 9\n", "test.toml:4: key `edit.cost`", "walls");
}

// What only the whole scene shows is told by the world; it names the line too.
TEST(SceneErrors, OfTheWorldNameTheLine) {
    const auto refused = [](const std::string& text) {
        try {
            const World world(parse_scene(text, "test.toml"));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    const auto expect = [&](const std::string& text, const std::string& start) {
        EXPECT_TRUE(refused(text).starts_with(start)) << refused(text);
        EXPECT_EQ(refused(text).find('\n'), std::string::npos);
    };
    const std::string map = "[map]\nrows = [\"....\", \"..@.\"]\n";
    expect(map + "[[agents]]\n[[agents]]\nlayer = \"x\"\n", "test.toml:5: agents[1].layer: there is no");
    expect(map + "[[edit]]\ncells = [0, 0, 4, 0]\n", "test.toml:4: edit[0].cells: cell (4, 0)");
    expect(map + "[[edit]]\n", "test.toml:3: edit[0].cells: is missing");
    expect(map + "[[layer]]\n", "test.toml:3: layer[0].name: is missing");
    expect(map + "[field]\n\ngoal_cells = [[2, 1]]\n", "test.toml:5: field.goal_cells: goal (2, 1)");
    expect(map + "[[agents]]\n[[spawner]]\ngroup = 1\n", "test.toml:5: spawner[0].group: there is no");
    expect(map + "[[agents]]\ncount = 90\n", "test.toml:4: agents[0].count: 90 agents");
    expect("[[agents]]\ncount = 1\n[rule.crowd]\nradius = 0.75\n",
           "test.toml:3: rule.crowd.separation_radius is 1; it must be at least the sum of its own radius "
           "0.75 and "
           "the largest, that of rule.crowd, 0.75");
    expect("[world]\nedge = \"periodic\"\n", "test.toml:2: world.edge");
    // Tables that only a map gives a meaning.
    expect("[field]\ngoals = 1\n", "test.toml:1: field: goals are cells of a map");
    expect("\n[[layer]]\nname = \"x\"\n", "test.toml:2: layer: a layer is one of a map");
    expect("[terrain]\nhills = 3\n", "test.toml:1: terrain: heights");
    expect("[[edit]]\ncells = [0, 0, 0, 0]\n", "test.toml:1: edit: an edit is one of a map");
}

TEST(SceneErrors, NameTypesThatDoNotFit) {
    expect_error("[world]\ndim = \"2\"\n", "test.toml:2: key `world.dim`: is the text \"2\"", "whole number");
    expect_error("[world]\ndim = 2.0\n", "test.toml:2: key `world.dim`: is 2.0", "whole number");
    expect_error("[world]\ndt = true\n", "test.toml:2: key `world.dt`: is true", "a number");
    expect_error("[world]\ndt = 1979-05-27\n", "test.toml:2: key `world.dt`: is a date", "a number");
    expect_error("[world]\nedge = 1\n", "test.toml:2: key `world.edge`: is 1", "\"open\" | \"periodic\"");
    expect_error("[map]\nfile = 3\n", "test.toml:2: key `map.file`: is 3", "text in quotes");
    expect_error("[map]\nrows = \"..\"\n", "test.toml:2: key `map.rows`", "list of texts");
    expect_error("[map]\nrows = [\"..\",\n 7]\n", "test.toml:3: key `map.rows`: holds 7", "list of texts");
    expect_error("world = 3\n", "test.toml:1: key `world`: is 3", "[world]");
    expect_error("[agents]\ncount = 3\n", "test.toml:1: key `agents`: is a table", "[[agents]]");
    expect_error("agents = [3]\n", "test.toml:1: key `agents`: holds 3", "[[agents]]");
    expect_error("rule = 3\n", "test.toml:1: key `rule`: is 3", "[rule.crowd]");
    expect_error("[rule]\ncrowd = 3\n", "test.toml:2: key `rule.crowd`: is 3", "[rule.crowd]");
    expect_error("[field]\ngoal_cells = 3\n", "test.toml:2: key `field.goal_cells`: is 3", "list of goals");
    expect_error("[field]\ngoal_cells = [3, 4]\n", "test.toml:2: key `field.goal_cells`: holds 3",
                 "[column, row]");
    expect_error("[field]\ngoal_cells = [[3]]\n", "test.toml:2: key `field.goal_cells`", "[column, row]");
    expect_error("[field]\ngoal_cells = [[[3, 4, 5]]]\n", "test.toml:2: key `field.goal_cells`",
                 "[column, row]");
    expect_error("[field]\ngoal_cells = [[1.5, 2]]\n", "test.toml:2: key `field.goal_cells`: is 1.5",
                 "whole number");
}

TEST(SceneErrors, NameNumbersOutOfRange) {
    expect_error("[world]\ndim = 4\n", "test.toml:2: key `world.dim`: is 4", "2 to 3");
    expect_error("[world]\nseed = -1\n", "test.toml:2: key `world.seed`: is -1", "0 to 2^63 - 1");
    expect_error("[world]\ndt = 0\n", "test.toml:2: key `world.dt`: is 0", "more than 0");
    expect_error("[[agents]]\ncount = -1\n", "test.toml:2: key `agents.count`: is -1", "0 to 100000000");
    expect_error("[[agents]]\ntype = 256\n", "test.toml:2: key `agents.type`: is 256", "0 to 255");
    expect_error("[rule.crowd]\nradius = -0.5\n", "test.toml:2: key `rule.crowd.radius`: is -0.5",
                 "0 to 1000000");
    expect_error("[rule.crowd]\ntau = 0\n", "test.toml:2: key `rule.crowd.tau`: is 0", "1e-06 to 1000000");
    expect_error("[rule.vicsek]\nnoise = 7\n", "test.toml:2: key `rule.vicsek.noise`: is 7", "0 to 6.28");
    expect_error("[rule.reynolds]\nmax_neighbours = 65\n", "test.toml:2: key `rule.reynolds.max_neighbours`",
                 "1 to 64");
    expect_error("[map]\nwidth = 8193\n", "test.toml:2: key `map.width`: is 8193", "32 to 8192");
    expect_error("[field]\ngoal_cells = [[0, -1]]\n", "test.toml:2: key `field.goal_cells`: is -1",
                 "0 to 8191");
    expect_error("[field]\ngoals = 60001\n", "test.toml:2: key `field.goals`: is 60001", "0 to 60000");
    expect_error("[world]\nseed = 9223372036854775808\n", "test.toml:2: is not TOML", "correct this line");
}

TEST(SceneErrors, RefuseNotANumberAndInfinity) {
    scene_keys::each_table([](const auto& table) {
        const std::string heading = table.heading;
        for (const auto& key : table.keys) {
            if (key.member.index() != 4) continue;  // doubles
            for (const std::string value : {"nan", "-nan", "inf", "-inf"}) {
                expect_error(heading + "\n" + key.name + " = " + value + "\n", "test.toml:2: key `",
                             "a number");
            }
        }
    });
    expect_error("[world]\nbounds = [0, 0, inf, 1]\n", "test.toml:2: key `world.bounds`: is inf", "a number");
    expect_error("[world]\norigin = [nan, 0]\n", "test.toml:2: key `world.origin`: is nan", "a number");
}

TEST(SceneErrors, NameWordsThatDoNotExist) {
    expect_error("[rule.crowd]\non_arrival = \"exot\"\n", "test.toml:2: key `rule.crowd.on_arrival`",
                 "\"exit\"");
    expect_error("[map]\ngenerate = \"town\"\n", "test.toml:2: key `map.generate`", "\"city\"");
    for (const std::string goal : {"\"near\"", "-1", "\"-1\"", "\"1.5\"", "\"\"", "\"01\"", "65534", "1.5"}) {
        expect_error("[[agents]]\ngoal = " + goal + "\n", "test.toml:2: key `agents.goal`", "");
    }
    expect_error("[rule.slow]\nspeed = 1\n", "test.toml:1: key `rule.slow`", "kind = \"crowd\"");
    expect_error("[rule.slow]\nkind = \"boids\"\n", "test.toml:2: key `rule.slow.kind`", "\"crowd\"");
}

TEST(SceneErrors, RefuseBoxesOfAnotherDimension) {
    expect_error("[world]\nbounds = [0, 0, 1]\n", "test.toml:2: key `world.bounds`", "4 numbers");
    expect_error("[world]\nbounds = [0, 0, 0, 1, 1, 1]\n", "test.toml:2: key `world.bounds`",
                 "world.dim is 2");
    expect_error("[world]\ndim = 3\nbounds = [0, 0, 1, 1]\n", "test.toml:3: key `world.bounds`", "6 numbers");
    expect_error("[world]\norigin = [0, 0, 0]\n", "test.toml:2: key `world.origin`", "2 numbers");
    expect_error("[world]\nbounds = [0, 5, 1, 4]\n", "test.toml:2: key `world.bounds`", "least y 5");
    expect_error("[[agents]]\nbox = [3, 0, 1, 4]\n", "test.toml:2: key `agents.box`", "least x 3");
}

TEST(SceneErrors, NameTheLineThatIsNoToml) {
    expect_error("[world]\n\ndim = = 2\n", "test.toml:3: is not TOML", "");
    expect_error("[world]\nseed = 1\nseed = 2\n", "test.toml:3: is not TOML", "");
    expect_error("[world\n", "test.toml:1: is not TOML", "");
    expect_error("\xff\xfe", "test.toml:1: is not TOML", "");
    expect_error("[world]\n[!]\n", "test.toml:2: is not TOML", "");
    expect_error("[\n", "test.toml:1: is not TOML", "");
    expect_error("x = \"a", "test.toml:1: is not TOML", "");
}

TEST(SceneErrors, NameFilesThatCannotBeRead) {
    for (const std::string& path : {testing::TempDir() + "/no_such_scene.toml", testing::TempDir()}) {
        try {
            load_scene(path);
            ADD_FAILURE() << path;
        } catch (const Error& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
        }
    }
}

/// A known key with one letter changed, dropped or doubled is answered with that key, or with one as near.
RC_GTEST_PROP(SceneErrors, SuggestionIsTheKeyThatWasMeant, ()) {
    std::vector<std::pair<std::string, std::string>> keys;  // heading and key
    scene_keys::each_table([&](const auto& table) {
        for (const auto& key : table.keys) keys.emplace_back(table.heading, key.name);
    });
    const auto& [heading, key] = *rc::gen::elementOf(keys);
    std::string wrong = key;
    const auto at = *rc::gen::inRange<std::size_t>(0, key.size());
    switch (*rc::gen::inRange(0, 3)) {
        case 0:
            wrong[at] = 'q';
            break;
        case 1:
            wrong.insert(at, "q");
            break;
        default:
            wrong.erase(at, 1);
            break;
    }
    RC_PRE(!wrong.empty());
    const std::string error = error_of(heading + "\n" + wrong + " = 1\n");
    RC_ASSERT(error.starts_with("test.toml:2: key `"));
    const std::size_t last = error.rfind('`');
    const std::size_t dot = error.rfind('.', last);
    const std::string named = error.substr(dot + 1, last - dot - 1);
    const bool as_near =
        named.size() == wrong.size() || named.size() + 1 == wrong.size() || named.size() == wrong.size() + 1;
    RC_ASSERT(named == key || as_near);
}

/// Whatever happens to a file, it gives a scene or one line that begins with file and line.
RC_GTEST_PROP(SceneErrors, DamageGivesASceneOrOneLine, ()) {
    std::string text = scene_template();
    const auto wounds = *rc::gen::inRange(1, 6);
    for (int i = 0; i < wounds; ++i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
        const auto length = *rc::gen::inRange<std::size_t>(0, 40);
        text.replace(at, length, *rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
    }
    const std::string error = error_of(text);  // throws what is no Error
    RC_ASSERT(error.empty() || error.starts_with("test.toml:"));
    RC_ASSERT(error.find_first_of("\n\r") == std::string::npos);
}

TEST(SceneWords, NearestIsByFewestEdits) {
    const std::vector<std::string_view> known = {"dim", "seed", "edge", "bounds"};
    EXPECT_EQ(nearest_word("sede", known), "seed");
    EXPECT_EQ(nearest_word("bound", known), "bounds");
    EXPECT_EQ(nearest_word("dimension", known), "dim");
    EXPECT_EQ(nearest_word("", known), "dim");
    EXPECT_EQ(nearest_word("x", {}), "");
    EXPECT_EQ(nearest_word(std::string(100000, 'x'), known).empty(), false);
}

TEST(SceneWords, OneLineHasNoControlCharactersAndEndsInTime) {
    EXPECT_EQ(one_line("a\nb\tc\x7f"), "a?b?c?");
    EXPECT_EQ(one_line("abcdef", 3), "abc...");
    EXPECT_EQ(one_line("ab\xc3\xa4", 3), "ab...");  // no half of a letter
    EXPECT_EQ(one_line("ab\xc3\xa4", 4), "ab\xc3\xa4");
}

}  // namespace
}  // namespace horde
