/// Rows of a trajectory, each an agent in a frame, in the order of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "horde/agents.h"

namespace horde {

struct Row {
    std::uint64_t frame = 0;
    AgentId id = 0;
    Vec3 position;
    Vec3 velocity;           ///< 0 where the file has none
    std::uint64_t line = 0;  ///< or the row of an .h5 or .sqlite
};

/// What the head of a file says; of a .txt it is known once the first row is read.
struct RowFacts {
    int dim = 2;
    bool has_velocities = false;
    std::optional<double> fps;
    std::optional<double> unit;  ///< metres in one unit of the file
    bool unit_assumed = false;   ///< no unit is named, but it is a file of a kind that is in metres
    const char* remedy = "";     ///< how the file could say what it lacks: ", or ..."
};

/// Numbers are in units of the file.
class RowSource {
  public:
    virtual ~RowSource() = default;
    /// Goes to the next row; false at the end.
    virtual bool next() = 0;
    /// Of this row. The rest of it is read by `row` alone, so that rows of other frames cost little.
    virtual std::uint64_t frame() = 0;
    virtual Row row() = 0;
    virtual const RowFacts& facts() const = 0;
};

/// .csv by the names of its columns: frame, id, x, y, z, vx, vy, vz, in metres. `foreign_names` takes them in
/// any case and with a `_` too; a file that has such a name is not ours and says nothing of its unit.
std::unique_ptr<RowSource> open_csv_rows(const std::string& path, bool foreign_names);

/// .txt as PedPy and JuPedSim write it: id, frame, x, y and perhaps z, after comments with frame rate and
/// unit. If `rate_needed`, a row before the frame rate is an error.
std::unique_ptr<RowSource> open_text_rows(const std::string& path, bool rate_needed);

/// .sqlite of JuPedSim, versions 1 to 3 of its format, in the order of frames and ids, in metres.
std::unique_ptr<RowSource> open_sqlite_rows(const std::string& path);

/// Rows of one frame on their way to a Snapshot.
class FrameRows {
  public:
    explicit FrameRows(std::string path) : path_(std::move(path)) {}

    /// Throws Error naming the line if a number is not finite.
    void add(const Row& row);
    void clear() { rows_.clear(); }
    bool empty() const { return rows_.empty(); }
    /// Fills `out` in ascending order of id, all columns but frame and time, and forgets the rows. Throws
    /// Error if two have the same id; `where` names the frame.
    void finish(int dim, const std::string& where, Snapshot& out);

  private:
    std::string path_;
    std::vector<Row> rows_;
};

}  // namespace horde
