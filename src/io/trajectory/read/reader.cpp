#include "io/trajectory/read/reader.h"

#include <cmath>

#include "horde/error.h"
#include "io/trajectory/trajectory.h"

namespace horde {
namespace {

void check_options(const ReadOptions& options) {
    if (options.fps && (!(*options.fps > 0.0) || !std::isfinite(*options.fps))) {
        throw Error("the frame rate (--fps) must be a number above 0");
    }
    if (options.unit && (!(*options.unit > 0.0) || !std::isfinite(*options.unit))) {
        throw Error("the unit must be a number of metres above 0");
    }
    if (options.dim && *options.dim != 2 && *options.dim != 3) throw Error("the dimensions must be 2 or 3");
    if (!options.periodic) return;
    const Bounds& bounds = *options.periodic;
    const double side[3] = {bounds.max.x - bounds.min.x, bounds.max.y - bounds.min.y,
                            bounds.max.z - bounds.min.z};
    for (int k = 0; k < options.dim.value_or(2); ++k) {
        if (!(side[k] > 0.0) || !std::isfinite(side[k])) {
            throw Error("the periodic bounds are empty or not finite; max must exceed min on each axis");
        }
    }
}

/// The first frame as a start: number 0, time 0.
Snapshot first_frame(TrajectoryReader& reader, const std::string& path) {
    TrajectoryFrame frame;
    if (!reader.next(frame)) throw Error("cannot read " + path + ": it has no frame; write at least one");
    Snapshot start = std::move(frame.snapshot);
    start.frame = 0;
    start.time = 0.0;
    start.goal.assign(start.count(), kNoGoal);
    start.type.assign(start.count(), 0);
    start.state.assign(start.count(), AgentState::kWalking);
    return start;
}

/// The frame with the lowest number, wherever its rows stand.
Snapshot lowest_frame(RowSource& source, const std::string& path) {
    FrameRows rows(path);
    bool any = false;
    std::uint64_t lowest = 0;
    while (source.next()) {
        const std::uint64_t frame = source.frame();
        if (!any || frame < lowest) {
            rows.clear();
            any = true;
            lowest = frame;
        }
        if (frame == lowest) rows.add(source.row());
    }
    Snapshot start;
    rows.finish(source.facts().dim, "the first frame", start);
    TrajectoryFacts facts;
    facts.dim = source.facts().dim;
    facts.unit = source.facts().unit.value_or(1.0);
    apply_facts(facts, start);
    return start;
}

[[noreturn]] void refuse_ending(const std::string& path) {
    throw Error("cannot read " + path +
                ": no trajectory format ends so; use .h5, .txt, .csv, .xyz or .sqlite");
}

}  // namespace

TrajectoryFacts resolve_facts(const std::string& path, const RowFacts& says, const ReadOptions& options) {
    const bool needs_fps = !says.has_velocities && !says.fps && !options.fps;
    const bool needs_unit = !says.unit && !options.unit;
    if (needs_fps || needs_unit) {
        const char* lacks = !needs_unit ? "frame rate, which velocities need; give --fps F"
                            : !needs_fps
                                ? "unit of length; give --unit m or --unit cm"
                                : "frame rate and no unit of length; give --fps F and --unit m (or cm)";
        throw Error("cannot read " + path + ": the file has no " + lacks + says.remedy);
    }
    if (options.dim && *options.dim > says.dim) {
        throw Error("cannot read " + path + " in 3 dimensions: it has only 2; leave out --dim");
    }
    TrajectoryFacts facts;
    facts.dim = options.dim.value_or(says.dim);
    facts.fps = options.fps.value_or(says.fps.value_or(0.0));
    facts.unit = options.unit.value_or(says.unit.value_or(1.0));
    facts.unit_assumed = says.unit_assumed && !options.unit;
    facts.velocities_in_file = says.has_velocities;
    return facts;
}

void apply_facts(const TrajectoryFacts& facts, Snapshot& snapshot) {
    snapshot.dim = facts.dim;
    if (facts.unit == 1.0 && facts.dim == 3) return;
    const double u = facts.unit;
    for (auto* column : {&snapshot.position, &snapshot.velocity}) {
        for (Vec3& v : *column) v = {v.x * u, v.y * u, facts.dim == 3 ? v.z * u : 0.0};
    }
}

std::unique_ptr<TrajectoryReader> read_trajectory(const std::string& path, const ReadOptions& options) {
    check_options(options);
    const std::string ending = file_ending(path);
    RowFrames frames;
    if (ending == "csv" || ending == "txt" || ending == "sqlite") {
        frames = open_row_frames(path, options);
    } else if (ending == "h5") {
        frames.reader = open_hdf5_frames(path, options);
    } else if (ending == "xyz") {
        frames.reader = open_xyz_frames(path, options);
    } else {
        refuse_ending(path);
    }
    if (frames.reader->facts().velocities_in_file) return std::move(frames.reader);
    return difference_velocities(std::move(frames.reader), frames.usual_step, options);
}

Snapshot load_start(const std::string& path) {
    const std::string ending = file_ending(path);
    if (ending == "csv") return lowest_frame(*open_csv_rows(path, false), path);
    if (ending == "txt") return lowest_frame(*open_text_rows(path, true), path);
    if (ending == "sqlite") return lowest_frame(*open_sqlite_rows(path), path);
    // A start needs no frame rate: any will do.
    if (ending == "h5") return first_frame(*open_hdf5_frames(path, {.fps = 1.0}), path);
    if (ending == "xyz") return first_frame(*open_xyz_frames(path, {.fps = 1.0}), path);
    refuse_ending(path);
}

}  // namespace horde
