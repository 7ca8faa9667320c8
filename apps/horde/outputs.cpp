#include "outputs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "horde/error.h"

namespace horde {

namespace {

/// The folder that a file at `path` goes to, or the innermost one above it that exists, if the rest may be
/// made: folders below the working folder are, others must be there, so that a mistyped place is an error.
std::filesystem::path existing_folder(const std::string& path, const std::string& option) {
    std::filesystem::path folder = std::filesystem::path(path).lexically_normal().parent_path();
    const bool below = !folder.is_absolute() && (folder.empty() || *folder.begin() != "..");
    std::error_code ignored;
    while (!folder.empty() && !std::filesystem::exists(folder, ignored)) {
        if (!below) {
            throw Error(option + " " + path + ": there is no folder " + folder.string() + "; make it first");
        }
        folder = folder.parent_path();
    }
    return folder.empty() ? std::filesystem::path(".") : folder;
}

}  // namespace

void require_writable(const std::string& path, const std::string& option) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw Error(option + " " + path + ": is a folder; give the name of a file");
    }
    // Only making a file tells: rights, read-only disks and files that stand for folders all end here.
    const std::string probe =
        (existing_folder(path, option) / (".horde-" + std::to_string(getpid()))).string();
    const int file = open(probe.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0) {
        throw Error(option + " " + path + ": cannot be written (" + std::strerror(errno) +
                    "); choose another place");
    }
    ::close(file);
    unlink(probe.c_str());
}

void check_outputs(const RunOptions& options) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& path, const std::string& option) {
        if (path.empty()) throw Error(option + ": the name is empty; give the name of a file");
        const std::string whole = std::filesystem::absolute(path).lexically_normal().string();
        if (std::find(names.begin(), names.end(), whole) != names.end()) {
            throw Error(option + " " + path + ": is named twice; give each file a name of its own");
        }
        names.push_back(whole);
        require_writable(path, option);
    };
    for (const std::string& path : options.out) add(path, "--out");
    if (!options.trace.empty()) {
        if (std::filesystem::path(options.trace).extension() != ".json")
            throw Error("--trace " + options.trace + ": only JSON is written; let the name end in .json");
        add(options.trace, "--trace");
    }
    if (!options.save.empty()) add(options.save, "--save");
    if (!options.record.empty()) add(options.record, "--record");
    if (!options.checkpoint.empty()) {
        add(options.checkpoint + ".0", "--checkpoint");
        add(options.checkpoint + ".1", "--checkpoint");
    }
    if (options.picture.empty()) return;
    check_picture(options.picture);
    add(options.picture, "--picture");
}

void check_picture(const std::string& path) {
    if (std::filesystem::path(path).extension() != ".png") {
        throw Error("--picture " + path + ": only PNG is written; let the name end in .png");
    }
    require_writable(path, "--picture");
}

Outputs::Outputs(const RunOptions& options, const Scene& scene, const World& world)
    : picture_(options.picture), view_(scene.view), story_(picture_story(scene)), every_(options.every) {
    constexpr double kTrailPoints = 60.0;
    const double frames = view_.trails / scene.world.dt / kTrailPoints;
    trail_every_ = static_cast<std::uint64_t>(std::clamp(frames, 1.0, 1e9));
    TrajectoryInfo info;
    info.dim = scene.world.dim;
    info.dt = scene.world.dt;
    info.fps = 1.0 / (scene.world.dt * static_cast<double>(options.every));
    info.seed = scene.world.seed;
    info.scene = scene.name;
    info.map = world.map();
    info.bounds = scene.world.bounds;
    info.periodic = scene.world.edge == Edge::kPeriodic;
    for (const std::string& path : options.out) {
        const std::filesystem::path ending = std::filesystem::path(path).extension();
        writers_.push_back({open_trajectory(path, info), ending == ".txt" || ending == ".sqlite"});
        files_.push_back(path);
    }
    if (!picture_.empty()) files_.push_back(picture_);
}

void Outputs::write(const World& world) {
    if (writers_.empty() || (written_ && last_frame_ == world.frame())) return;
    world.snapshot(snapshot_);
    // Files for PedPy count frames evenly: a last one between two of them would falsify its speeds.
    const bool between = world.frame() % static_cast<std::uint64_t>(every_) != 0;
    for (const Writer& writer : writers_) {
        if (!(between && writer.evenly)) writer.trajectory->write(snapshot_);
    }
    written_ = true;
    last_frame_ = world.frame();
}

void Outputs::watch(const World& world) {
    if (picture_.empty()) return;
    const auto died = world.deaths();
    for (std::size_t n = 0; n < died.size(); ++n) story_.deaths.push_back({died[n], world.death_places()[n]});
    if (view_.trails == 0.0 || world.frame() % trail_every_ != 0) return;
    world.snapshot(snapshot_);
    add_to_story(story_, snapshot_, view_.trails);
}

void Outputs::close(const World& world) {
    write(world);
    if (!picture_.empty()) {
        world.snapshot(snapshot_);
        std::vector<const Field*> fields;
        for (std::size_t goal = 0; goal < world.goal_set_count(); ++goal)
            fields.push_back(&world.field(goal));
        write_picture(picture_, world.map(), fields, snapshot_, view_, story_);
    }
    for (const Writer& writer : writers_) writer.trajectory->close();
}

}  // namespace horde
