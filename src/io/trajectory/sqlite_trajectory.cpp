/// Trajectories as JuPedSim keeps them in SQLite, version 2 of its format: docs/guide.md has the layout and
/// docs/decisions/009 the reason for the version.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "horde/error.h"
#include "horde/world.h"
#include "io/atomic_file.h"
#include "io/trajectory/put_number.h"
#include "io/trajectory/sqlite_handle.h"
#include "io/trajectory/trajectory.h"
#include "io/trajectory/walkable_area.h"

namespace horde {
namespace {

constexpr std::int64_t kRowsAtOnce = 1 << 17;  // in a transaction

/// No journal: the file has a name of its own until it is whole, and is thrown away if anything fails.
constexpr const char* kSchema =
    "PRAGMA journal_mode = OFF;"
    "PRAGMA synchronous = OFF;"
    "PRAGMA locking_mode = EXCLUSIVE;"
    "PRAGMA temp_store = MEMORY;"
    "BEGIN;"
    "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, "
    "pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
    "CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
    "CREATE UNIQUE INDEX geometry_hash ON geometry (hash);"
    "CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
    "CREATE INDEX frame_id_idx ON trajectory_data (frame, id);";

std::int64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return static_cast<std::int64_t>(hash);
}

std::string text_of(double number) {
    char digits[32];
    return {digits, put_number(digits, number)};
}

/// Where agents look: along their velocity, as they did before while they stand, and along x at first.
class Facings {
  public:
    /// Of each agent of a frame; ids must ascend for those who stand to be known again.
    const std::vector<Vec3>& of(const Snapshot& frame) {
        now_.clear();
        std::size_t before = 0;
        for (std::size_t i = 0; i < frame.count(); ++i) {
            while (before < ids_.size() && ids_[before] < frame.id[i]) ++before;
            const Vec3& v = frame.velocity[i];
            const double most = std::max(std::abs(v.x), std::abs(v.y));
            if (most > 0.0 && std::isfinite(most)) {  // scaled: no square under- or overflows
                const double x = v.x / most, y = v.y / most;
                const double length = std::sqrt(x * x + y * y);
                now_.push_back({x / length, y / length, 0.0});
            } else {
                const bool known = before < ids_.size() && ids_[before] == frame.id[i];
                now_.push_back(known ? before_[before] : Vec3{1.0, 0.0, 0.0});
            }
        }
        ids_ = frame.id;
        before_ = now_;
        return before_;
    }

  private:
    std::vector<AgentId> ids_;  ///< of the frame before
    std::vector<Vec3> before_;
    std::vector<Vec3> now_;
};

/// The box of everything, growing.
struct Extent {
    bool any = false;
    double min_x = 0.0, min_y = 0.0, max_x = 0.0, max_y = 0.0;

    void add(double x, double y) {
        if (!any) *this = {true, x, y, x, y};
        min_x = std::min(min_x, x);
        min_y = std::min(min_y, y);
        max_x = std::max(max_x, x);
        max_y = std::max(max_y, y);
    }
    /// As a rectangle with an area: half a metre is added where it has no width.
    std::string wkt() {
        if (!any) return "POLYGON EMPTY";
        if (!(max_x > min_x)) min_x -= 0.5, max_x += 0.5;
        if (!(max_y > min_y)) min_y -= 0.5, max_y += 0.5;
        const std::string x0 = text_of(min_x), x1 = text_of(max_x), y0 = text_of(min_y), y1 = text_of(max_y);
        return "POLYGON ((" + x0 + " " + y0 + ", " + x1 + " " + y0 + ", " + x1 + " " + y1 + ", " + x0 + " " +
               y1 + ", " + x0 + " " + y0 + "))";
    }
};

class SqliteTrajectory : public TrajectoryWriter {
  public:
    SqliteTrajectory(const std::string& path, const TrajectoryInfo& info)
        : map_(info.map != nullptr && !info.map->cost.empty() ? info.map : nullptr), file_(path) {
        errno = 0;
        sqlite3* base = nullptr;
        const int opened = sqlite3_open_v2(file_.temporary().c_str(), &base,
                                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_PRIVATECACHE, "unix-none");
        base_.reset(base);
        check(opened == SQLITE_OK && base != nullptr);
        run(kSchema);
        row_ = prepared("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)");
        fact_ = prepared("INSERT INTO metadata VALUES (?, ?)");
        put_fact("version", "2");
        put_fact("fps", text_of(info.fps));
        put_fact("horde_version", version());
        put_fact("scene", info.scene);
        put_fact("seed", std::to_string(info.seed));
        if (info.bounds && map_ == nullptr) {
            extent_.add(info.bounds->min.x, info.bounds->min.y);
            extent_.add(info.bounds->max.x, info.bounds->max.y);
        }
    }

    void write(const Snapshot& snapshot) override {
        check_snapshot(file_.path(), 2, snapshot, closed_);
        errno = 0;
        if (map_ != nullptr) follow_map();
        const std::vector<Vec3>& facing = facings_.of(snapshot);
        for (std::size_t i = 0; i < snapshot.count(); ++i) {
            const Vec3& position = snapshot.position[i];
            see(position);
            sqlite3_bind_int64(row_.get(), 1, frames_);
            sqlite3_bind_int64(row_.get(), 2, static_cast<std::int64_t>(snapshot.id[i]));
            sqlite3_bind_double(row_.get(), 3, position.x);
            sqlite3_bind_double(row_.get(), 4, position.y);
            sqlite3_bind_double(row_.get(), 5, facing[i].x);
            sqlite3_bind_double(row_.get(), 6, facing[i].y);
            step(row_);
        }
        ++frames_;
        rows_ += static_cast<std::int64_t>(snapshot.count());
        if (rows_ < kRowsAtOnce) return;
        run("COMMIT; BEGIN;");
        rows_ = 0;
    }

    void close() override {
        if (closed_) return;
        errno = 0;
        if (map_ != nullptr) {
            if (!area_) follow_map();
            end_geometry();
        } else {
            put_geometry(extent_.wkt(), 0);
        }
        put_fact("xmin", text_of(extent_.min_x));
        put_fact("xmax", text_of(extent_.max_x));
        put_fact("ymin", text_of(extent_.min_y));
        put_fact("ymax", text_of(extent_.max_y));
        run("COMMIT;");
        row_.reset();
        fact_.reset();
        check(sqlite3_close(base_.get()) == SQLITE_OK);
        static_cast<void>(base_.release());
        file_.commit();
        closed_ = true;
    }

  private:
    void check(bool done) const {
        if (done) return;
        const int why = base_ ? sqlite3_system_errno(base_.get()) : 0;
        const bool full = base_ && sqlite3_errcode(base_.get()) == SQLITE_FULL;
        file_.fail(why != 0 ? why : errno != 0 ? errno : full ? ENOSPC : EIO);
    }
    void run(const char* sql) const {
        check(sqlite3_exec(base_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    }
    SqliteStatement prepared(const char* sql) const {
        SqliteStatement statement = prepare(base_, sql);
        check(statement != nullptr);
        return statement;
    }
    void step(const SqliteStatement& statement) const {
        check(sqlite3_step(statement.get()) == SQLITE_DONE && sqlite3_reset(statement.get()) == SQLITE_OK);
    }
    void put_fact(const char* key, const std::string& value) const {
        sqlite3_bind_text(fact_.get(), 1, key, -1, SQLITE_STATIC);
        sqlite3_bind_text(fact_.get(), 2, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
        step(fact_);
    }

    /// Ends the geometry of the frames before if the free cells are others now.
    void follow_map() {
        if (area_ && std::equal(map_->cost.begin(), map_->cost.end(), cost_.begin(),
                                [](auto a, auto b) { return (a == kWallCost) == (b == kWallCost); })) {
            return;
        }
        if (area_) end_geometry();
        cost_ = map_->cost;
        area_.emplace(*map_);
        seen_.assign(area_->piece_count(), 0);
    }

    void see(const Vec3& position) {
        if (area_) {
            const std::size_t piece = area_->piece_at(position.x, position.y);
            if (piece != WalkableArea::kNone) seen_[piece] = 1;
        } else if (std::isfinite(position.x) && std::isfinite(position.y)) {
            extent_.add(position.x, position.y);
        }
    }

    /// Pockets in which nobody was ever are no part of where they walk; where nobody was at all, all is.
    void end_geometry() {
        if (std::find(seen_.begin(), seen_.end(), 1) == seen_.end()) std::fill(seen_.begin(), seen_.end(), 1);
        const std::string wkt = area_->wkt(seen_);
        const WalkableArea::Box box = area_->box(seen_);
        if (area_->piece_count() > 0) {
            extent_.add(box.min_x, box.min_y);
            extent_.add(box.max_x, box.max_y);
        }
        put_geometry(wkt, geometry_begin_);
        geometry_begin_ = frames_;
    }

    /// For the frames from `begin` on.
    void put_geometry(const std::string& wkt, std::int64_t begin) {
        const std::int64_t hash = hash_of(wkt);
        if (known_.insert(hash).second) {
            const SqliteStatement statement = prepared("INSERT INTO geometry VALUES (?, ?)");
            sqlite3_bind_int64(statement.get(), 1, hash);
            if (sqlite3_bind_text(statement.get(), 2, wkt.data(), static_cast<int>(wkt.size()),
                                  SQLITE_STATIC) == SQLITE_TOOBIG) {
                throw Error("cannot write " + file_.path() +
                            ": its walkable area is longer than the format "
                            "allows (1 GB); write .h5 instead");
            }
            step(statement);
        }
        const SqliteStatement statement = prepared("INSERT INTO frame_data VALUES (?, ?)");
        for (std::int64_t frame = begin; frame < frames_; ++frame) {
            sqlite3_bind_int64(statement.get(), 1, frame);
            sqlite3_bind_int64(statement.get(), 2, hash);
            step(statement);
        }
    }

    const Map* map_;
    bool closed_ = false;
    std::int64_t frames_ = 0;  ///< written; the next one's number
    std::int64_t rows_ = 0;    ///< since the last commit
    AtomicFile file_;
    SqliteBase base_;
    SqliteStatement row_;
    SqliteStatement fact_;
    Facings facings_;
    Extent extent_;
    std::optional<WalkableArea> area_;  ///< since frame geometry_begin_
    std::vector<std::uint8_t> cost_;    ///< of the map that it is of
    std::vector<std::uint8_t> seen_;    ///< its pieces in which an agent was
    std::int64_t geometry_begin_ = 0;
    std::unordered_set<std::int64_t> known_;  ///< hashes of geometries
};

}  // namespace

std::unique_ptr<TrajectoryWriter> open_sqlite_trajectory(const std::string& path,
                                                         const TrajectoryInfo& info) {
    if (info.dim != 2) {
        throw Error("cannot write " + path + ": .sqlite holds two dimensions, not 3; use .h5, .csv or .xyz");
    }
    return std::make_unique<SqliteTrajectory>(path, info);
}

}  // namespace horde
