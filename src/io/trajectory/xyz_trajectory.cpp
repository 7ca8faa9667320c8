/// Trajectories as extended XYZ, as OVITO and ASE read it.
#include <algorithm>

#include "io/atomic_file.h"
#include "io/trajectory/put_number.h"
#include "io/trajectory/trajectory.h"

namespace horde {
namespace {

constexpr std::size_t kRowBytes = 512;  // an id, six numbers of at most 24 characters, and what is between

/// Frame is the number of the simulated frame. In 2D z is 0, and the cell is 1 m deep about it.
class XyzTrajectory : public TrajectoryWriter {
  public:
    XyzTrajectory(const std::string& path, const TrajectoryInfo& info) : info_(info), sink_(path) {
        if (!info.bounds && info.map != nullptr && !info.map->cost.empty()) {
            info_.bounds = Bounds{
                {}, {info.map->columns * info.map->cell_size, info.map->rows * info.map->cell_size, 1.0}};
        }
        info_.map = nullptr;
    }

    void write(const Snapshot& snapshot) override {
        check_snapshot(sink_.file().path(), info_.dim, snapshot, closed_);
        write_head(snapshot);
        for (std::size_t i = 0; i < snapshot.count(); ++i) {
            char* at = put_number(sink_.room(kRowBytes), snapshot.id[i]);
            at = put(at, flat(snapshot.position[i]));
            at = put(at, flat(snapshot.velocity[i]));
            *at++ = '\n';
            sink_.advance(at);
        }
    }

    void close() override {
        if (!closed_) sink_.commit();
        closed_ = true;
    }

  private:
    Vec3 flat(const Vec3& v) const { return {v.x, v.y, info_.dim == 3 ? v.z : 0.0}; }

    static char* put(char* at, const Vec3& vector) {
        for (const double number : {vector.x, vector.y, vector.z}) {
            *at++ = ' ';
            at = put_number(at, number);
        }
        return at;
    }

    template <typename Number>
    static std::string text(Number number) {
        char digits[32];
        return std::string(digits, put_number(digits, number));
    }

    /// The world's bounds, or the box that the agents fill, at least 1 m wide.
    Bounds cell_of(const Snapshot& snapshot) const {
        Bounds cell;
        if (info_.bounds) {
            cell = *info_.bounds;
        } else if (snapshot.count() > 0) {
            cell = {snapshot.position.front(), snapshot.position.front()};
            for (const Vec3& p : snapshot.position) {
                cell.min = {std::min(cell.min.x, p.x), std::min(cell.min.y, p.y), std::min(cell.min.z, p.z)};
                cell.max = {std::max(cell.max.x, p.x), std::max(cell.max.y, p.y), std::max(cell.max.z, p.z)};
            }
        }
        if (info_.dim == 2) cell.min.z = -0.5, cell.max.z = 0.5;
        if (info_.bounds) return cell;
        cell.max.x = std::max(cell.max.x, cell.min.x + 1.0);
        cell.max.y = std::max(cell.max.y, cell.min.y + 1.0);
        cell.max.z = std::max(cell.max.z, cell.min.z + 1.0);
        return cell;
    }

    void write_head(const Snapshot& snapshot) {
        const Bounds cell = cell_of(snapshot);
        const bool repeats = info_.periodic && info_.bounds;
        std::string head = text(snapshot.count()) + "\nLattice=\"" + text(cell.max.x - cell.min.x) +
                           " 0 0 0 " + text(cell.max.y - cell.min.y) + " 0 0 0 " +
                           text(cell.max.z - cell.min.z) + "\" Origin=\"" + text(cell.min.x) + " " +
                           text(cell.min.y) + " " + text(cell.min.z) + "\" pbc=\"";
        head += repeats ? (info_.dim == 3 ? "T T T" : "T T F") : "F F F";
        head += "\" Properties=id:I:1:pos:R:3:velo:R:3 Time=" + text(snapshot.time) +
                " frame=" + text(snapshot.frame) + " fps=" + text(info_.fps) + " dim=" + text(info_.dim) +
                " unit=m\n";
        sink_.append(head);
    }

    TrajectoryInfo info_;
    bool closed_ = false;
    ByteSink sink_;
};

}  // namespace

std::unique_ptr<TrajectoryWriter> open_xyz_trajectory(const std::string& path, const TrajectoryInfo& info) {
    return std::make_unique<XyzTrajectory>(path, info);
}

}  // namespace horde
