/// JuPedSim's trajectories in SQLite: what is written, read with SQLite itself, and what is refused.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <bit>
#include <cmath>
#include <functional>

#include "horde/error.h"
#include "horde/files.h"
#include "scratch_folder.h"

namespace horde {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Runs any SQL on a file, made if it is not there; the rows as text.
Rows sql(const std::string& path, const std::string& text) {
    sqlite3* base = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &base), SQLITE_OK);
    Rows rows;
    const auto keep = [](void* to, int count, char** values, char**) {
        auto& row = static_cast<Rows*>(to)->emplace_back();
        for (int i = 0; i < count; ++i) row.emplace_back(values[i] == nullptr ? "NULL" : values[i]);
        return 0;
    };
    char* why = nullptr;
    EXPECT_EQ(sqlite3_exec(base, text.c_str(), keep, &rows, &why), SQLITE_OK) << why << " in " << text;
    sqlite3_free(why);
    sqlite3_close(base);
    return rows;
}

Snapshot frame_of(std::uint64_t frame, const std::vector<AgentId>& ids, const std::vector<Vec3>& positions,
                  const std::vector<Vec3>& velocities) {
    Snapshot out;
    out.frame = frame;
    out.id = ids;
    out.position = positions;
    out.velocity = velocities;
    out.goal.assign(ids.size(), kNoGoal);
    out.type.assign(ids.size(), 0);
    out.state.assign(ids.size(), AgentState::kWalking);
    return out;
}

TrajectoryInfo info_of() {
    TrajectoryInfo info;
    info.fps = 12.5;
    info.dt = 0.04;
    info.seed = 42;
    info.scene = "it's a \"scene\"";
    return info;
}

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << error.what();
        return error.what();
    }
    return "";
}

TEST(Sqlite, ReadsBackTheBitsThatWereWritten) {
    const ScratchFolder scratch;
    const std::vector<AgentId> ids{3, 7ull << 32 | 9, 0xfffffffffffffff0ull};
    const std::vector<Vec3> first{{1.0 / 3.0, -1e6 - 1.0 / 7.0, 0}, {5e-324, 1e300, 0}, {-0.1, 0.2, 0}};
    const std::vector<Vec3> second{{1.0, 2.0, 0}, {3.0, 4.0, 0}, {5.0, 6.0, 0}};
    const auto writer = open_trajectory(scratch.file("a.sqlite"), info_of());
    writer->write(frame_of(10, ids, first, std::vector<Vec3>(3)));
    writer->write(frame_of(15, ids, second, std::vector<Vec3>(3)));
    writer->write(frame_of(20, {}, {}, {}));
    writer->close();
    EXPECT_EQ(scratch.entries(), 1u) << "no journal is left beside it";

    const auto reader = read_trajectory(scratch.file("a.sqlite"));
    EXPECT_EQ(reader->facts().fps, 12.5);
    EXPECT_EQ(reader->facts().unit, 1.0);
    EXPECT_FALSE(reader->facts().velocities_in_file);
    TrajectoryFrame frame;
    ASSERT_TRUE(reader->next(frame));
    EXPECT_EQ(frame.snapshot.frame, 0u) << "frames are counted as written";
    ASSERT_EQ(frame.snapshot.id, ids);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(frame.snapshot.position[i].x),
                  std::bit_cast<std::uint64_t>(first[i].x));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(frame.snapshot.position[i].y),
                  std::bit_cast<std::uint64_t>(first[i].y));
    }
    EXPECT_EQ(frame.snapshot.velocity[2].x, (5.0 - -0.1) * 12.5) << "from differences";
    ASSERT_TRUE(reader->next(frame));
    EXPECT_EQ(frame.snapshot.time, 1.0 / 12.5);
    EXPECT_FALSE(reader->next(frame)) << "the format has rows of agents alone";
    const Snapshot start = load_start(scratch.file("a.sqlite"));
    EXPECT_EQ(start.id, ids);
    EXPECT_EQ(start.position[2].y, 0.2);
    EXPECT_EQ(start.velocity[0].x, 0.0);
}

TEST(Sqlite, HasTheTablesOfJuPedSim) {
    const ScratchFolder scratch;
    const std::string path = scratch.file("a.sqlite");
    const Map map{3, 1, 2.0, {1, 1, 1}};
    TrajectoryInfo info = info_of();
    info.map = &map;
    const auto writer = open_trajectory(path, info);
    writer->write(frame_of(0, {1, 2}, {{0.5, 0.5, 0}, {1.5, 0.5, 0}}, {{0, 0, 0}, {3, -4, 0}}));
    writer->write(frame_of(1, {1, 2}, {{0.5, 0.5, 0}, {1.5, 0.5, 0}}, {{0, 1e-300, 0}, {0, 0, 0}}));
    writer->write(frame_of(2, {2}, {{1.5, 0.5, 0}}, {{-0.0, 0, 0}}));
    writer->close();
    EXPECT_EQ(sql(path, "PRAGMA integrity_check"), (Rows{{"ok"}}));
    EXPECT_EQ(sql(path, "SELECT name, type, \"notnull\" FROM pragma_table_info('trajectory_data')"),
              (Rows{{"frame", "INTEGER", "1"},
                    {"id", "INTEGER", "1"},
                    {"pos_x", "REAL", "1"},
                    {"pos_y", "REAL", "1"},
                    {"ori_x", "REAL", "1"},
                    {"ori_y", "REAL", "1"}}));
    EXPECT_EQ(sql(path, "SELECT name FROM pragma_index_info('frame_id_idx')"), (Rows{{"frame"}, {"id"}}));
    EXPECT_EQ(sql(path, "SELECT frame, id, ori_x, ori_y FROM trajectory_data ORDER BY rowid"),
              (Rows{{"0", "1", "1.0", "0.0"},     // never moved: along x
                    {"0", "2", "0.6", "-0.8"},    // along the velocity
                    {"1", "1", "0.0", "1.0"},     // however small it is
                    {"1", "2", "0.6", "-0.8"},    // stands: as before
                    {"2", "2", "0.6", "-0.8"}}))  // and still so
        << "orientations";
    EXPECT_EQ(sql(path, "SELECT * FROM metadata WHERE key != 'horde_version' ORDER BY key"),
              (Rows{{"fps", "12.5"},
                    {"scene", "it's a \"scene\""},
                    {"seed", "42"},
                    {"version", "2"},
                    {"xmax", "6"},
                    {"xmin", "0"},
                    {"ymax", "2"},
                    {"ymin", "0"}}));
    EXPECT_EQ(sql(path, "SELECT wkt FROM geometry"), (Rows{{"POLYGON ((6 0, 6 2, 0 2, 0 0, 6 0))"}}));
    EXPECT_EQ(sql(path, "SELECT frame FROM frame_data JOIN geometry ON hash = geometry_hash ORDER BY 1"),
              (Rows{{"0"}, {"1"}, {"2"}}));
}

TEST(Sqlite, EditsGiveGeometriesByFrame) {
    const ScratchFolder scratch;
    const std::string path = scratch.file("a.sqlite");
    Map map{5, 1, 1.0, {1, 1, 1, 1, 1}};
    TrajectoryInfo info = info_of();
    info.map = &map;
    const auto writer = open_trajectory(path, info);
    const auto write = [&](std::uint64_t frame) {
        writer->write(frame_of(frame, {1}, {{0.5, 0.5, 0}}, {{1, 0, 0}}));
    };
    write(0);
    map.cost[1] = 9;  // dearer, not closed
    write(1);
    map.cost[2] = kWallCost;  // and beyond it nobody ever is
    write(2);
    write(3);
    map.cost[2] = 1;
    write(4);
    writer->close();
    const std::string open = "POLYGON ((5 0, 5 1, 0 1, 0 0, 5 0))";
    const std::string closed = "POLYGON ((2 0, 2 1, 0 1, 0 0, 2 0))";
    EXPECT_EQ(sql(path, "SELECT frame, wkt FROM frame_data JOIN geometry ON hash = geometry_hash ORDER BY 1"),
              (Rows{{"0", open}, {"1", open}, {"2", closed}, {"3", closed}, {"4", open}}));
    EXPECT_EQ(sql(path, "SELECT count(*) FROM geometry"), (Rows{{"2"}}));
}

TEST(Sqlite, WithoutAMapTheAreaIsTheBoundsOrWhereAgentsWere) {
    const ScratchFolder scratch;
    const auto wkt_of = [&](const std::vector<Vec3>& positions, std::optional<Bounds> bounds) {
        const std::string path = scratch.file("a.sqlite");
        TrajectoryInfo info = info_of();
        info.bounds = bounds;
        const auto writer = open_trajectory(path, info);
        for (std::size_t i = 0; i < positions.size(); ++i)
            writer->write(frame_of(i, {1}, {positions[i]}, {{1, 0, 0}}));
        writer->close();
        return sql(path, "SELECT wkt FROM geometry")[0][0];
    };
    EXPECT_EQ(wkt_of({{1, 2, 0}, {-3, 4, 0}}, {}), "POLYGON ((-3 2, 1 2, 1 4, -3 4, -3 2))");
    EXPECT_EQ(wkt_of({{1, 2, 0}}, {}), "POLYGON ((0.5 1.5, 1.5 1.5, 1.5 2.5, 0.5 2.5, 0.5 1.5))");
    EXPECT_EQ(wkt_of({{1, 2, 0}}, Bounds{{0, 0, 0}, {10, 5, 0}}), "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))");
    EXPECT_EQ(wkt_of({}, {}), "POLYGON EMPTY");
}

TEST(Sqlite, RefusesThreeDimensions) {
    const ScratchFolder scratch;
    TrajectoryInfo info = info_of();
    info.dim = 3;
    EXPECT_NE(refusal([&] { open_trajectory(scratch.file("a.sqlite"), info); }).find("two dimensions"),
              std::string::npos);
    EXPECT_EQ(scratch.entries(), 0u);
}

constexpr const char* kForeign =
    "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y "
    "REAL "
    "NOT NULL); CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO metadata VALUES('version', 3), ('fps', 16.0);"
    "INSERT INTO trajectory_data VALUES(2, 1, 3, 4.5), (1, 2, 1.5, 2), (1, 1, 7, 8);";

TEST(Sqlite, ReadsTheOtherVersionsInAnyOrderOfRows) {
    const ScratchFolder scratch;
    for (const char* version : {"1", "2", "3"}) {
        const std::string path = scratch.file(std::string("v") + version + ".sqlite");
        sql(path, kForeign);
        sql(path, std::string("UPDATE metadata SET value = ") + version + " WHERE key = 'version'");
        const auto reader = read_trajectory(path);
        EXPECT_EQ(reader->facts().fps, 16.0);
        TrajectoryFrame frame;
        ASSERT_TRUE(reader->next(frame));
        EXPECT_EQ(frame.snapshot.frame, 1u);
        EXPECT_EQ(frame.snapshot.id, (std::vector<AgentId>{1, 2}));
        EXPECT_EQ(frame.snapshot.velocity[0].x, (3.0 - 7.0) * 16.0);
        ASSERT_TRUE(reader->next(frame));
        EXPECT_EQ(frame.snapshot.position[0].y, 4.5);
        EXPECT_FALSE(reader->next(frame));
        EXPECT_EQ(load_start(path).count(), 2u);
    }
}

TEST(Sqlite, RefusesForeignTornAndWrongFilesInALine) {
    const ScratchFolder scratch;
    int number = 0;
    const auto refused = [&](const std::string& more, const std::string& part) {
        const std::string path = scratch.file("bad" + std::to_string(number++) + ".sqlite");
        sql(path, kForeign);
        if (!more.empty()) sql(path, more);
        for (const bool start : {false, true}) {
            const std::string text = refusal([&] {
                if (start) {
                    load_start(path);
                    return;
                }
                const auto reader = read_trajectory(path);
                for (TrajectoryFrame frame; reader->next(frame);) {
                }
            });
            EXPECT_NE(text.find(part), std::string::npos) << more << ": " << text;
            EXPECT_NE(text.find(path), std::string::npos) << text;
        }
    };
    refused("UPDATE metadata SET value = 4 WHERE key = 'version'", "has the version 4, known are 1 to 3");
    refused("UPDATE metadata SET value = 'new' WHERE key = 'version'",
            "'new' of its table metadata is no number");
    refused("DELETE FROM metadata WHERE key = 'version'", "has no version");
    refused("UPDATE metadata SET value = 0 WHERE key = 'fps'", "fps of its table metadata must be above 0");
    refused("DROP TABLE metadata", "no table metadata");
    refused("DROP TABLE trajectory_data", "no table trajectory_data");
    refused("ALTER TABLE trajectory_data RENAME COLUMN pos_y TO y", "pos_y");
    refused("INSERT INTO trajectory_data VALUES(-1, 1, 1, 1)", "row 4: frame is not a whole number");
    refused("INSERT INTO trajectory_data VALUES(0.5, 1, 1, 1)", "row 4: frame is not a whole number");
    refused("INSERT INTO trajectory_data VALUES(0, 'me', 1, 1)", "row 4: id is not a whole number");
    refused("INSERT INTO trajectory_data VALUES(0, 1, 'here', 1)", "row 4: pos_x is not a number");
    refused("INSERT INTO trajectory_data VALUES(0, 1, 1, 9e999)", "not finite");
    refused("INSERT INTO trajectory_data VALUES(1, 2, 1, 1)", "twice");
    refused("INSERT INTO trajectory_data VALUES(0, 1, 1, zeroblob(2000000))", "more than 1 MB");
    refused(
        "DROP TABLE trajectory_data; CREATE VIEW trajectory_data AS WITH RECURSIVE n(i) AS (SELECT 1 UNION "
        "ALL "
        "SELECT i + 1 FROM n) SELECT i AS frame, i AS id, 0.0 AS pos_x, 0.0 AS pos_y FROM n",
        "no table trajectory_data");
}

TEST(Sqlite, RefusesWhatIsNoWholeFile) {
    const ScratchFolder scratch;
    const std::string whole = scratch.file("whole.sqlite");
    const auto writer = open_trajectory(whole, info_of());
    for (std::uint64_t n = 0; n < 400; ++n)
        writer->write(frame_of(n, {1, 2, 3}, std::vector<Vec3>(3, Vec3{1, 2, 0}), std::vector<Vec3>(3)));
    writer->close();
    const std::string bytes = scratch.read("whole.sqlite");
    const auto said = [&](const std::string& text) {
        const std::string path = scratch.write("bad.sqlite", text);
        const std::string start = refusal([&] { load_start(path); });
        EXPECT_EQ(refusal([&] { read_trajectory(path); }), start);
        return start;
    };
    EXPECT_NE(said(bytes.substr(0, bytes.size() / 2)).find("cut off or damaged"), std::string::npos);
    EXPECT_NE(said(bytes.substr(0, bytes.size() - 1)).find("cut off or damaged"), std::string::npos);
    EXPECT_NE(said(bytes.substr(0, 50)).find("no SQLite file"), std::string::npos);
    EXPECT_NE(said("").find("no SQLite file"), std::string::npos);
    EXPECT_NE(said("frame,id,x,y\n" + std::string(5000, 'x')).find("no SQLite file"), std::string::npos);
    EXPECT_NE(refusal([&] { load_start(scratch.file("absent.sqlite")); }).find("No such file"),
              std::string::npos);
    std::filesystem::create_directory(scratch.file("folder.sqlite"));
    EXPECT_NE(refusal([&] { load_start(scratch.file("folder.sqlite")); }).find("plain file"),
              std::string::npos);
    scratch.write("whole.sqlite-wal", "something");
    EXPECT_NE(refusal([&] { load_start(whole); }).find("has not closed it"), std::string::npos);
    std::filesystem::remove(scratch.file("whole.sqlite-wal"));
    const std::string odd = scratch.write("100%? a#b&mode=rw.sqlite", bytes);
    EXPECT_EQ(load_start(odd).count(), 3u) << "any name is a name";
}

}  // namespace
}  // namespace horde
