#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "horde/error.h"
#include "horde/files.h"
#include "movingai_files.h"

namespace horde {
namespace {

const std::string kHeader = "type octile\nheight 2\nwidth 3\nmap\n";
const std::string kMap = kHeader + ".G@\nSTW\n";

Map map_from(const std::string& content) {
    return load_map(TemporaryFile(".map", content).path());
}
std::vector<ScenLine> scen_from(const std::string& content) {
    return load_scen(TemporaryFile(".scen", content).path());
}

// What the error says behind the file's name, which it must begin with; "" if there is none.
template <typename Loader>
std::string error_behind_name(const std::string& content, Loader&& load) {
    const TemporaryFile file(".txt", content);
    try {
        load(file.path());
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_EQ(text.find(file.path()), 0u) << text;
        return text.substr(std::min(text.size(), file.path().size()));
    }
    return "";
}
std::string map_error(const std::string& content) {
    return error_behind_name(content, load_map);
}
std::string scen_error(const std::string& content) {
    return error_behind_name(content, load_scen);
}

// The first lines are told by the number in front; the rest of the text is for people.
void expect_at(const std::string& error, int line, const std::string& part) {
    EXPECT_EQ(error.find(":" + std::to_string(line) + ": "), 0u) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(MovingAiMap, ReadsEveryCharacterOfTheFormat) {
    const Map map = map_from(kHeader + ".G@\nSTW\n");
    EXPECT_EQ(map.columns, 3);
    EXPECT_EQ(map.rows, 2);
    EXPECT_EQ(map.cost, (std::vector<std::uint8_t>{1, 1, 255, 1, 255, 255}));
    EXPECT_EQ(map_from("type octile\nheight 1\nwidth 2\nmap\nO.\n").cost,
              (std::vector<std::uint8_t>{255, 1}));
}

TEST(MovingAiMap, ReadsAllLineEndingsAndBlankLastLines) {
    const auto cost = map_from(kMap).cost;
    std::string crlf;
    for (const char c : kMap) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    for (const std::string& content : {crlf, crlf + "\r\n", kMap + "\n\n", kMap + "  \n",
                                       kMap.substr(0, kMap.size() - 1), crlf.substr(0, crlf.size() - 2)}) {
        EXPECT_EQ(map_from(content).cost, cost);
    }
    EXPECT_EQ(map_from("type octile\nwidth 3\nheight 2\nmap\n.G@\nSTW\n").cost, cost);
}

TEST(MovingAiMap, NamesTheLineOfWhatItRefuses) {
    expect_at(map_error(""), 1, "ends before");
    expect_at(map_error("type octile\nheight 2\n"), 3, "ends before");
    expect_at(map_error("type tile\n"), 1, "'tile'");
    expect_at(map_error("type octile\nheight two\n"), 2, "'two'");
    expect_at(map_error("type octile\nheight 2x\n"), 2, "'2x'");
    expect_at(map_error("type octile\nheight 2\nheight 2\n"), 3, "one each");
    expect_at(map_error("type octile\nheight 2\nmap\n"), 3, "before all");
    expect_at(map_error("height 2\nwidth 2\nmap\n..\n..\n"), 3, "before all");
    expect_at(map_error(kHeader + ".G@\nST\n"), 6, "row of 2 cells");
    expect_at(map_error(kHeader + ".G@\nSTWW\n"), 6, "row of 4 cells");
    expect_at(map_error(kHeader + ".G@\n\nSTW\n"), 6, "row of 0 cells");
    expect_at(map_error(kHeader + ".x@\nSTW\n"), 5, "'x' in column 1");
    expect_at(map_error(kHeader + ". @\nSTW\n"), 5, "' ' in column 1");
    expect_at(map_error(kHeader + ".G@\n"), 6, "after 1 of 2 rows");
    expect_at(map_error(kMap + "...\n"), 7, "after the last row");
    expect_at(map_error(std::string("type octile\0\n", 13)), 1, "NUL");
    expect_at(map_error("type octile\nheight 2\nwidth 3\x01\n"), 3, "'3?'");
}

TEST(MovingAiMap, RefusesSidesBeforeItTakesMemoryForThem) {
    for (const std::string side :
         {"0", "-1", "8193", "99999999", "2147483648", "18446744073709551617", "1e3", "+4"}) {
        expect_at(map_error("type octile\nheight " + side + "\nwidth 4\nmap\n"), 2, "1 to 8192");
        expect_at(map_error("type octile\nheight 4\nwidth " + side + "\nmap\n"), 3, "1 to 8192");
    }
    expect_at(map_error("type octile\nheight 8192\nwidth 8192\nmap\n"), 5, "after 0 of 8192 rows");
    expect_at(map_error(std::string(3'000'000, 'x')), 1, "longer than");
    expect_at(map_error(kHeader + std::string(3'000'000, '.')), 5, "longer than");
}

TEST(MovingAiMap, RefusesWhatIsNoFile) {
    EXPECT_THROW(load_map("/nonexistent/no.map"), Error);
    EXPECT_THROW(load_map(std::filesystem::temp_directory_path().string()), Error);
    EXPECT_THROW(load_scen("/nonexistent/no.scen"), Error);
    EXPECT_THROW(load_scen(std::filesystem::temp_directory_path().string()), Error);
    if (std::filesystem::exists("/dev/zero")) {
        EXPECT_THROW(load_map("/dev/zero"), Error);
    }
}

// Damaged files give an error with file and line or a whole map, and nothing else.
RC_GTEST_PROP(MovingAiMap, SurvivesDamage, (unsigned seed)) {
    std::mt19937 random(seed);
    std::string content = kMap;
    const auto damages = 1 + random() % 4;
    for (unsigned k = 0; k < damages; ++k) {
        const std::size_t at = random() % content.size();
        switch (random() % 4) {
            case 0:
                content[at] = static_cast<char>(random() % 256);
                break;
            case 1:
                content.erase(at, 1 + random() % 5);
                break;
            case 2:
                content.insert(at, 1 + random() % 3, static_cast<char>(random() % 256));
                break;
            default:
                content.insert(at, content.substr(random() % content.size(), 8));
                break;
        }
        if (content.empty()) content = "\n";
    }
    const TemporaryFile file(".map", content);
    try {
        const Map map = load_map(file.path());
        RC_ASSERT(map.cost.size() == static_cast<std::size_t>(map.columns * map.rows));
    } catch (const Error& error) {
        RC_ASSERT(std::string(error.what()).rfind(file.path() + ":", 0) == 0);
        RC_ASSERT(std::string(error.what()).find('\n') == std::string::npos);
    }
}

TEST(MovingAiScen, ReadsTabsSpacesAndNamesWithSpaces) {
    const auto lines = scen_from(
        "version 1.0\r\n0\tmaps/a.map\t49\t40\t1\t11\t2\t12\t1.41421\r\n"
        "7 my city map.map 49 40 0 0 48 39 60.5\r\n\r\n3\tmy other map\t8\t8\t0\t0\t1\t0\t1\n\n");
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].map, "maps/a.map");
    EXPECT_EQ(lines[0].columns, 49);
    EXPECT_EQ(lines[0].rows, 40);
    EXPECT_EQ(lines[0].start, (Cell{1, 11}));
    EXPECT_EQ(lines[0].goal, (Cell{2, 12}));
    EXPECT_EQ(lines[0].length, 1.41421);
    EXPECT_EQ(lines[0].line, 2);
    EXPECT_EQ(lines[1].bucket, 7);
    EXPECT_EQ(lines[1].map, "my city map.map");
    EXPECT_EQ(lines[1].goal, (Cell{48, 39}));
    EXPECT_EQ(lines[2].map, "my other map");
    EXPECT_EQ(lines[2].line, 5);
    EXPECT_TRUE(scen_from("version 1\n").empty());
}

TEST(MovingAiScen, NamesTheLineOfWhatItRefuses) {
    const std::string good = "version 1\n0 a.map 9 8 1 2 3 4 2.5\n";
    EXPECT_EQ(scen_error(good), "");
    expect_at(scen_error(""), 1, "version 1");
    expect_at(scen_error("version 2\n"), 1, "'version 2'");
    expect_at(scen_error("0 a.map 9 8 1 2 3 4 2.5\n"), 1, "begins with");
    expect_at(scen_error(good + "0 a.map 9 8 1 2 3 4\n"), 3, "8 fields");
    expect_at(scen_error(good + "x a.map 9 8 1 2 3 4 1\n"), 3, "bucket");
    expect_at(scen_error(good + "0 a.map 9000000000 8 1 2 3 4 1\n"), 3, "map width");
    expect_at(scen_error(good + "0 a.map 9 0 1 2 3 4 1\n"), 3, "map height");
    expect_at(scen_error(good + "0 a.map 9 8 9 2 3 4 1\n"), 3, "start x is '9': must be 0 to 8");
    expect_at(scen_error(good + "0 a.map 9 8 1 8 3 4 1\n"), 3, "start y");
    expect_at(scen_error(good + "0 a.map 9 8 1 2 -3 4 1\n"), 3, "goal x");
    expect_at(scen_error(good + "0 a.map 9 8 1 2 3 4.0 1\n"), 3, "goal y");
    for (const std::string length : {"nan", "inf", "-1", "1e999", "long", "1.5x"})
        expect_at(scen_error(good + "0 a.map 9 8 1 2 3 4 " + length + "\n"), 3, "length");
    expect_at(scen_error(good + std::string(100'000, '1') + "\n"), 3, "longer than");
}

TEST(MovingAiScen, ScalesMapsByWholeFactors) {
    const Map map = map_from(kMap);
    const Map scaled = scale_map(map, 9, 4);
    ASSERT_EQ(scaled.cost.size(), 36u);
    for (Cell c; c.row < 4; ++c.row) {
        for (c.column = 0; c.column < 9; ++c.column)
            EXPECT_EQ(scaled.cost[scaled.index(c)], map.cost[map.index({c.column / 3, c.row / 2})]);
    }
    EXPECT_EQ(scale_map(map, 3, 2).cost, map.cost);
    for (const auto& [columns, rows] :
         {std::pair{4, 2}, {3, 3}, {1, 1}, {0, 0}, {-3, -2}, {3, 9000}, {8193, 2}})
        EXPECT_THROW(scale_map(map, columns, rows), Error) << columns << " x " << rows;
    EXPECT_THROW(scale_map(Map{}, 4, 4), Error);
}

TEST(ScenCheck, CountsWhatDiffers) {
    const Map map = map_from("type octile\nheight 2\nwidth 4\nmap\n..@.\n..@.\n");
    const auto lines = scen_from(
        "version 1\n0 a 4 2 0 0 1 1 1.41421\n0 a 4 2 0 0 1 1 1.43\n0 a 4 2 0 0 1 0 1\n"
        "0 a 4 2 0 0 0 0 0\n0 a 4 2 0 1 1 1 2\n");
    const ScenReport report = check_scen(map, lines);
    EXPECT_EQ(report.lines, 5);
    EXPECT_EQ(report.mismatches, 2);
    EXPECT_DOUBLE_EQ(report.worst_error, 1.0);
    ASSERT_EQ(report.first_mismatches.size(), 2u);
    EXPECT_NE(report.first_mismatches[0].find("line 3: from 0,0 to 1,1"), std::string::npos);
    EXPECT_EQ(check_scen(map, lines, 2).lines, 3);
    EXPECT_EQ(check_scen(map, lines, 100).lines, 1);
    EXPECT_EQ(check_scen(map, {}).lines, 0);
    EXPECT_THROW(check_scen(map, lines, 0), Error);
    EXPECT_THROW(check_scen(scale_map(map, 8, 4), lines), Error);
}

TEST(ScenCheck, CountsLinesWithoutAWay) {
    const Map map = map_from("type octile\nheight 2\nwidth 4\nmap\n..@.\n..@.\n");
    for (const std::string cells : {"0 0 3 0", "0 0 2 0", "2 0 0 0"}) {
        const ScenReport report = check_scen(map, scen_from("version 1\n0 a 4 2 " + cells + " 3\n"));
        EXPECT_EQ(report.mismatches, 1);
        EXPECT_TRUE(std::isinf(report.worst_error));
    }
}

TEST(ScenCheck, TakesEveryFreeCellAsCostOne) {
    Map map = map_from(kMap);
    map.cost[1] = 200;
    EXPECT_EQ(check_scen(map, scen_from("version 1\n0 a 3 2 1 0 0 0 1\n")).mismatches, 0);
}

}  // namespace
}  // namespace horde
