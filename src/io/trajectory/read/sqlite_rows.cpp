/// Trajectories of JuPedSim in SQLite, ours too.
#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "horde/error.h"
#include "io/trajectory/put_number.h"
#include "io/trajectory/read/rows.h"
#include "io/trajectory/read/text_lines.h"
#include "io/trajectory/sqlite_handle.h"

namespace horde {
namespace {

constexpr int kNewestVersion = 3;
constexpr std::uint64_t kLeastRowBytes = 8;  // a row of four numbers, with what a page says of it
constexpr int kLongestValue = 1 << 20;       // bytes of a row or text that is read at all

/// A path as `file:` of SQLite, where no journal and no lock beside it counts.
std::string as_uri(const std::string& path) {
    const char* const digits = "0123456789ABCDEF";
    std::string uri = "file:";
    if (!path.empty() && path.front() != '/') uri += "./";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || std::strchr("/._-", c) != nullptr) {
            uri += c;
        } else {
            uri += {'%', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return uri + "?mode=ro&immutable=1";
}

class SqliteRows : public RowSource {
  public:
    explicit SqliteRows(const std::string& path) : path_(path) {
        open();
        read_metadata();
        facts_.dim = 2;
        facts_.unit = 1.0;  // the format has no other
        facts_.remedy = ", or a row 'fps' in its table metadata";
        demand_table("trajectory_data");
        rows_ = prepared("SELECT frame, id, pos_x, pos_y, rowid FROM trajectory_data ORDER BY frame, id");
    }

    bool next() override {
        if (!step(rows_)) return false;
        // Pages of a hostile file can name each other in a circle.
        if (++read_ > most_rows_) fail("it claims more rows than it can hold; write the file again");
        return true;
    }

    std::uint64_t frame() override { return whole(0, "frame"); }

    Row row() override {
        Row row;
        row.frame = whole(0, "frame");
        if (sqlite3_column_type(rows_.get(), 1) != SQLITE_INTEGER) fail_row("id is not a whole number");
        // Ids above 2^63 are written as the negative number of the same bits.
        row.id = static_cast<std::uint64_t>(sqlite3_column_int64(rows_.get(), 1));
        row.position = {number(2, "pos_x"), number(3, "pos_y"), 0.0};
        row.line = static_cast<std::uint64_t>(sqlite3_column_int64(rows_.get(), 4));
        return row;
    }

    const RowFacts& facts() const override { return facts_; }

  private:
    [[noreturn]] void fail(const std::string& text) const {
        throw Error("cannot read " + path_ + ": " + text);
    }
    [[noreturn]] void fail_row(const std::string& text) const {
        throw Error(path_ + ": trajectory_data, row " + std::to_string(sqlite3_column_int64(rows_.get(), 4)) +
                    ": " + text + "; correct it");
    }

    void open() {
        struct stat facts = {};
        if (::stat(path_.c_str(), &facts) != 0) fail(std::string(std::strerror(errno)) + "; check the path");
        if (!S_ISREG(facts.st_mode)) fail("it is not a plain file; check the path");
        most_rows_ = static_cast<std::uint64_t>(facts.st_size) / kLeastRowBytes;
        check_head(static_cast<std::uint64_t>(facts.st_size));
        for (const char* beside : {"-wal", "-journal"}) {
            std::error_code none;
            const auto bytes = std::filesystem::file_size(path_ + beside, none);
            if (!none && bytes > 0) {
                fail("the program that wrote it has not closed it (" + path_ + beside +
                     " is there); open and close it with sqlite3 first");
            }
        }
        sqlite3* base = nullptr;
        const int opened =
            sqlite3_open_v2(as_uri(path_).c_str(), &base, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
        base_.reset(base);
        if (opened != SQLITE_OK) fail("it cannot be opened; check that it is a file that you may read");
        // A file may hold views, triggers and functions of its own: none of it is run.
        sqlite3_db_config(base, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(base, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        sqlite3_db_config(base, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
        sqlite3_db_config(base, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
        sqlite3_limit(base, SQLITE_LIMIT_LENGTH, kLongestValue);
        sqlite3_limit(base, SQLITE_LIMIT_SQL_LENGTH, kLongestValue);
    }

    /// SQLite itself overlooks a last page that is cut off.
    void check_head(std::uint64_t bytes) const {
        unsigned char head[100] = {};
        std::FILE* file = std::fopen(path_.c_str(), "rb");
        if (file == nullptr) fail(std::string(std::strerror(errno)) + "; check the path");
        const std::size_t got = std::fread(head, 1, sizeof head, file);
        std::fclose(file);
        if (got < sizeof head || std::memcmp(head, "SQLite format 3", 16) != 0) {
            fail("it is no SQLite file; give a trajectory that JuPedSim or horde has written");
        }
        const auto number = [&](int at, int count) {
            std::uint64_t value = 0;
            for (int i = 0; i < count; ++i) value = value << 8 | head[at + i];
            return value;
        };
        const std::uint64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
        const bool counts = number(24, 4) == number(92, 4);  // else an old program wrote last, and no count
        if (page < 512 || bytes % page != 0 || (counts && number(28, 4) * page > bytes)) {
            fail("it is cut off or damaged; write the file again");
        }
    }

    /// What SQLite has to say, in our words where they help more.
    [[noreturn]] void fail_sqlite() const {
        switch (sqlite3_errcode(base_.get()) & 0xff) {
            case SQLITE_NOTADB:
            case SQLITE_CORRUPT:
                fail("it is cut off or damaged; write the file again");
            case SQLITE_TOOBIG:
                fail("it holds a value of more than 1 MB, which no trajectory needs; write the file again");
            default:
                fail("SQLite says " + shown(sqlite3_errmsg(base_.get())) +
                     "; give a trajectory that JuPedSim or horde has written");
        }
    }

    SqliteStatement prepared(const char* sql) const {
        SqliteStatement statement = prepare(base_, sql);
        if (!statement) fail_sqlite();
        return statement;
    }
    bool step(const SqliteStatement& statement) const {
        const int result = sqlite3_step(statement.get());
        if (result != SQLITE_ROW && result != SQLITE_DONE) fail_sqlite();
        return result == SQLITE_ROW;
    }

    /// A table, not a view or what an extension makes up.
    void demand_table(const char* name) const {
        const SqliteStatement statement =
            prepared("SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage > 1 AND name = ?");
        sqlite3_bind_text(statement.get(), 1, name, -1, SQLITE_STATIC);
        if (!step(statement)) {
            fail(std::string("it has no table ") + name +
                 "; give a trajectory that JuPedSim or horde has written");
        }
    }

    /// A value of the table metadata as a number, if it is there.
    std::optional<double> fact(const char* key) const {
        const SqliteStatement statement = prepared("SELECT value FROM metadata WHERE key = ?");
        sqlite3_bind_text(statement.get(), 1, key, -1, SQLITE_STATIC);
        if (!step(statement)) return std::nullopt;
        const auto* characters = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));
        const std::string text = characters == nullptr ? "" : characters;
        double value = 0.0;
        const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (why != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
            fail(std::string(key) + " " + shown(text) + " of its table metadata is no number; correct it");
        }
        return value;
    }

    void read_metadata() {
        demand_table("metadata");
        const std::optional<double> version = fact("version");
        if (!version) fail("its table metadata has no version; give a trajectory that JuPedSim has written");
        char digits[32];
        const std::string version_text(digits, put_number(digits, *version));
        if (*version != 1.0 && *version != 2.0 && *version != 3.0) {
            fail("its format has the version " + version_text + ", known are 1 to " +
                 std::to_string(kNewestVersion) + "; write it as one of those");
        }
        facts_.fps = fact("fps");
        if (facts_.fps && !(*facts_.fps > 0.0)) fail("fps of its table metadata must be above 0; correct it");
    }

    std::uint64_t whole(int column, const char* name) const {
        const std::int64_t value = sqlite3_column_int64(rows_.get(), column);
        if (sqlite3_column_type(rows_.get(), column) != SQLITE_INTEGER || value < 0) {
            fail_row(std::string(name) + " is not a whole number of 0 or more");
        }
        return static_cast<std::uint64_t>(value);
    }
    double number(int column, const char* name) const {
        const int type = sqlite3_column_type(rows_.get(), column);
        if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) fail_row(std::string(name) + " is not a number");
        return sqlite3_column_double(rows_.get(), column);
    }

    std::string path_;
    SqliteBase base_;
    SqliteStatement rows_;
    RowFacts facts_;
    std::uint64_t read_ = 0;
    std::uint64_t most_rows_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> open_sqlite_rows(const std::string& path) {
    return std::make_unique<SqliteRows>(path);
}

}  // namespace horde
