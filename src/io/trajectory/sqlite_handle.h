/// SQLite's connections and statements, which close themselves.
#pragma once

#include <sqlite3.h>

#include <memory>

namespace horde {

struct CloseSqlite {
    void operator()(sqlite3* base) const { sqlite3_close_v2(base); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteBase = std::unique_ptr<sqlite3, CloseSqlite>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, CloseSqlite>;

/// Empty if SQLite refuses the text; sqlite3_errmsg then says why.
inline SqliteStatement prepare(const SqliteBase& base, const char* sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(base.get(), sql, -1, &statement, nullptr);
    return SqliteStatement(statement);
}

}  // namespace horde
