#include "readers.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "h5_files.h"
#include "horde/error.h"
#include "horde/files.h"
#include "horde/world.h"

namespace horde::test {
namespace {

std::filesystem::path folder() {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code ignored;
    return std::filesystem::is_directory(memory, ignored) ? memory : std::filesystem::temp_directory_path();
}

// One file a process and ending, written again for every input.
struct FuzzFile {
    std::string path;

    explicit FuzzFile(const char* ending)
        : path((folder() / ("horde-fuzz-" + std::to_string(::getpid()) + ending)).string()) {}
    ~FuzzFile() { std::remove(path.c_str()); }
    FuzzFile(const FuzzFile&) = delete;
    FuzzFile& operator=(const FuzzFile&) = delete;

    void write(std::string_view bytes) const {
        std::FILE* file = std::fopen(path.c_str(), "wb");
        if (file == nullptr) throw std::runtime_error("cannot write " + path);
        const std::size_t written = bytes.empty() ? 0 : std::fwrite(bytes.data(), 1, bytes.size(), file);
        if (std::fclose(file) != 0 || written != bytes.size())
            throw std::runtime_error("cannot write " + path);
    }
};

// Scenes that would be large are read, not made: their size is what was asked for.
bool is_small(const Scene& scene) {
    std::int64_t agents = 0;
    for (const SceneAgents& group : scene.agents) agents += group.count;
    return agents <= 500 && scene.map.width <= 128 && scene.map.height <= 128 && scene.field.goals <= 8 &&
           scene.field.goal_sets.size() <= 8;
}

void read_scene(const std::string& path) {
    const Scene scene = load_scene(path);
    if (!is_small(scene)) return;
    World world(scene, {.backend = "scalar"});
    for (int n = 0; n < 3; ++n) world.step();
}

void read_map(const std::string& path) {
    load_map(path);
}

void read_scen(const std::string& path) {
    load_scen(path);
}

void read_patches(const std::string& path) {
    load_patches(path);
}

void read_dynamic_scen(const std::string& path) {
    load_dynamic_scen(path);
}

void read_whole_trajectory(const std::string& path) {
    for (const bool asked : {false, true}) {
        ReadOptions options;
        if (asked) options.fps = 20.0;
        const std::unique_ptr<TrajectoryReader> reader = read_trajectory(path, options);
        TrajectoryFrame frame;
        while (reader->next(frame)) {
        }
    }
}

void read_start(const std::string& path) {
    load_start(path);
}

std::vector<std::string> scene_seeds() {
    return {
        scene_template(),
        "[map]\nrows = [\"..@.\", \".1@9\", \"....\"]\n[field]\ngoal_cells = [[[3, 2]], [[0, 0], [1, 0]]]\n"
        "follow = [-1, 1]\n[[layer]]\nname = \"w\"\nclearance = 0.2\ncosts = { \"1\" = 2 }\n"
        "[[agents]]\ncount = 5\ngoal = \"0\"\nlayer = \"w\"\n[[edit]]\nframe = 1\nkind = \"wall\"\ncells = "
        "[0, 2, 1, 2]\n"
        "until = 2\n[terrain]\nhills = 2.0\ndensity_gain = 1.0\n[[spawner]]\ngroup = 0\nrate = 90.0\n"
        "[[sink]]\nbox = [0.0, 0.0, 1.0, 1.0]\n[bodies]\nphysics = \"all\"\n[tiers]\nviewpoints = [[1.0, "
        "1.0]]\n",
        "[world]\ndim = 3\nedge = \"periodic\"\nbounds = [0.0, 0.0, 0.0, 5.0, 5.0, 5.0]\n[[agents]]\ncount = "
        "20\n"
        "rule = \"reynolds\"\nspawn = \"box\"\n[rule.reynolds]\nperception_radius = 1.0\nseparation_distance "
        "= 0.5\n"
        "neighbours = \"nearest\"\nhalf_angle = 120.0\n[grid]\nsearch = \"grid\"\ncell = 0.7\n"};
}

std::vector<std::string> map_seeds() {
    return {"type octile\nheight 3\nwidth 4\nmap\n..@.\n.TGS\nWO..\n"};
}

std::vector<std::string> scen_seeds() {
    return {"version 1\n0\ta.map\t4\t3\t0\t0\t3\t2\t3.41421356\n1\ta.map\t4\t3\t1\t1\t3\t2\t2.41421356\n"};
}

std::vector<std::string> patch_seeds() {
    return {
        "type patch\npatches 2\npatch 0\nheight 2\nwidth 3\nmap\n.@.\n...\npatch 1\nheight 1\nwidth "
        "1\nmap\n@\n"};
}

std::vector<std::string> dynamic_scen_seeds() {
    return {
        "version 2\nheight 3\nwidth 4\ncost 1 octile\npatch a.patch\ncommands\nP 0 1 1 1\nQ 0 0 0 3 2 "
        "3.41421356\n"};
}

std::vector<std::string> text_seeds() {
    return {"# framerate: 20 fps\n# id frame x/m y/m\n1 0 0.5 1.25\n2 0 -1e3 4\n1 1 0.75 1.25\n",
            "#framerate: 16\n1\t0\t35.5\t-7\t1.7\n1\t1\t36\t-7\t1.7\n"};
}

std::vector<std::string> csv_seeds() {
    return {"frame,id,x,y,vx,vy\n0,7,1.5,2,0.25,-1\n0,9,1,2,0,0\n1,7,1.75,1,0.25,-1\n",
            "frame,id,x,y,z,vx,vy,vz\n0,4294967296,1,2,3,0,0,1e-3\n"};
}

std::vector<std::string> xyz_seeds() {
    return {
        "2\n"
        "Lattice=\"2.7148475646972656 0 0 0 1.2332534790039062 0 0 0 1\" Origin=\"-1.7419853210449219 "
        "1.5011405944824219 -0.5\" pbc=\"F F F\" Properties=id:I:1:pos:R:3:velo:R:3 Time=0 frame=0 fps=20 "
        "dim=2 unit=m\n"
        "0 0.9728622436523438 1.5011405944824219 0 -0.6766815185546875 -0.684722900390625 0\n"
        "1 -1.7419853210449219 2.734394073486328 0 0.628143310546875 0.8100357055664062 0\n"
        "2\n"
        "Lattice=\"2.6496238708496094 0 0 0 1.2879905700683594 0 0 0 1\" Origin=\"-1.7105865478515625 "
        "1.4769058227539062 -0.5\" pbc=\"F F F\" Properties=id:I:1:pos:R:3:velo:R:3 Time=0.05 frame=1 fps=20 "
        "dim=2 unit=m\n"
        "0 0.9390373229980469 1.4769058227539062 0 -0.6765213012695312 -0.4847259521484375 0\n"
        "1 -1.7105865478515625 2.7648963928222656 0 0.6279830932617188 0.6100387573242188 0\n"};
}

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A trajectory of two frames as bytes.
std::string written_sqlite() {
    const FuzzFile file(".sqlite");
    const Map map{3, 2, 0.5, {1, 1, 255, 1, 7, 1}};
    TrajectoryInfo info;
    info.fps = 20.0;
    info.dt = 0.05;
    info.scene = "fuzz";
    info.map = &map;
    const std::unique_ptr<TrajectoryWriter> writer = open_trajectory(file.path, info);
    for (std::uint64_t frame = 0; frame < 2; ++frame) {
        Snapshot snapshot;
        snapshot.frame = frame;
        snapshot.time = 0.05 * static_cast<double>(frame);
        for (std::uint64_t agent = 0; agent < 3 - frame; ++agent) {
            snapshot.id.push_back(agent << 32 | agent);
            snapshot.position.push_back({0.25, 0.125 * static_cast<double>(agent), 0.0});
            snapshot.velocity.push_back({1.0, -0.5, 0.0});
            snapshot.goal.push_back(kNoGoal);
            snapshot.type.push_back(0);
            snapshot.state.push_back(AgentState::kWalking);
        }
        writer->write(snapshot);
    }
    writer->close();
    return bytes_of(file.path);
}

/// The file holds the description of an .h5, not the .h5.
void read_described_h5(const std::string& path) {
    const FuzzFile file(".h5");
    write_described_h5(file.path, bytes_of(path));
    read_whole_trajectory(file.path);
    load_start(file.path);
}

std::vector<std::string> h5_seeds() {
    const std::string usual(1, '\x04');
    std::string chosen = "\x08";  // three frames; each column with a choice of its own
    chosen += std::string(2, '\0') + std::string(8, '\0');
    chosen += std::string("\x10\x04\x01", 3) + std::string("\0\x04", 2) + std::string("\x40\0\1\2\3", 5);
    return {usual, chosen, std::string(1, '\x01'), std::string(40, '\0')};
}

std::vector<std::string> sqlite_seeds() {
    return {written_sqlite()};
}

const FuzzedReader kReaders[] = {
    {"scene", ".toml", read_scene, scene_seeds},
    {"map", ".map", read_map, map_seeds},
    {"scen", ".scen", read_scen, scen_seeds},
    {"patch", ".patch", read_patches, patch_seeds},
    {"dynamic_scen", ".scen", read_dynamic_scen, dynamic_scen_seeds},
    {"text", ".txt", read_whole_trajectory, text_seeds},
    {"csv", ".csv", read_whole_trajectory, csv_seeds},
    {"xyz", ".xyz", read_whole_trajectory, xyz_seeds},
    {"start", ".csv", read_start, csv_seeds},
    {"h5", ".description", read_described_h5, h5_seeds, 500},
    {"sqlite", ".sqlite", read_whole_trajectory, sqlite_seeds},
    {"save", ".save", read_save, save_seeds},
    {"log", ".log", read_log, log_seeds},
};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() {
    return kReaders;
}

bool read_bytes(const FuzzedReader& reader, std::string_view bytes) {
    const FuzzFile file(reader.ending);
    file.write(bytes);
    try {
        reader.read(file.path);
        return true;
    } catch (const Error& error) {
        const std::string_view text = error.what();
        if (text.empty() || text.find('\n') != std::string_view::npos)
            throw std::logic_error("an Error must be one line: " + std::string(text));
        return false;
    }
}

}  // namespace horde::test
