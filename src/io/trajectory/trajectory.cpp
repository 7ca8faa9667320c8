#include "io/trajectory/trajectory.h"

#include <cctype>
#include <cmath>

#include "horde/error.h"

namespace horde {

std::string file_ending(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    const std::size_t dot = path.find_last_of('.');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return "";
    std::string ending = path.substr(dot + 1);
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending;
}

void check_snapshot(const std::string& path, int dim, const Snapshot& snapshot, bool closed) {
    const std::string frame = "frame " + std::to_string(snapshot.frame);
    if (closed) throw Error("cannot write " + frame + " to " + path + ": it is closed; write before close");
    if (snapshot.dim != dim) {
        throw Error("cannot write " + frame + " to " + path + ": it has " + std::to_string(snapshot.dim) +
                    " dimensions, the file " + std::to_string(dim) +
                    "; open the file with the snapshot's dim");
    }
    const std::size_t count = snapshot.count();
    if (snapshot.position.size() != count || snapshot.velocity.size() != count ||
        snapshot.goal.size() != count || snapshot.type.size() != count || snapshot.state.size() != count) {
        throw Error("cannot write " + frame + " to " + path +
                    ": its columns differ in length; fill them all");
    }
}

std::unique_ptr<TrajectoryWriter> open_trajectory(const std::string& path, const TrajectoryInfo& info) {
    if (info.dim != 2 && info.dim != 3) throw Error("cannot write " + path + ": dim must be 2 or 3");
    const std::string ending = file_ending(path);
    if (ending == "csv") return open_csv_trajectory(path, info);
    if (ending != "h5" && ending != "txt" && ending != "xyz" && ending != "sqlite") {
        throw Error("cannot write " + path +
                    ": no trajectory format ends so; use .h5, .txt, .csv, .xyz or .sqlite");
    }
    if (!(info.fps > 0.0) || !std::isfinite(info.fps)) {
        throw Error("cannot write " + path + ": it needs a frame rate; set fps to a number above 0");
    }
    if (ending == "xyz") return open_xyz_trajectory(path, info);
    if (ending == "sqlite") return open_sqlite_trajectory(path, info);
    return ending == "h5" ? open_hdf5_trajectory(path, info) : open_text_trajectory(path, info);
}

}  // namespace horde
