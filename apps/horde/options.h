/// What each command was asked for. The defaults stand here; main.cpp fills in what the command line says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace horde {

struct RunOptions {
    std::string scene;
    std::string map;                     ///< a MovingAI map in place of the scene's; empty: the scene's
    std::optional<std::int64_t> agents;  ///< over all groups, in the scene's proportions
    std::optional<std::uint64_t> seed;
    std::optional<std::string> search;
    std::optional<std::string> physics;
    std::int64_t steps = 600;
    std::int64_t every = 1;  ///< frames from one output to the next
    int threads = 0;
    std::string backend = "auto";
    std::optional<std::string> precision;  ///< none: float, or that of the save
    std::string start;                     ///< a trajectory whose first frame to start from
    std::vector<std::string> out;
    std::string picture;
    std::string trace;       ///< a JSON file of who worked when; empty: none
    std::string metrics;     ///< names with commas between; empty: those that cost nothing
    std::string resume;      ///< a save, or where checkpoints were written, in place of a scene
    std::string save;        ///< written at the end
    std::string checkpoint;  ///< written every `checkpoint_every` frames, by turns with .0 and .1 behind it
    std::optional<std::int64_t> checkpoint_every;
    std::string record;  ///< a log of the run
    std::optional<std::int64_t> record_every;
    bool verify = false;
    bool verbose = false;
    bool json = false;
};

struct ReplayOptions {
    std::string log;
    int threads = 0;
    std::string backend = "auto";
    bool json = false;
};

struct MeasureOptions {
    std::string trajectory;
    std::optional<double> fps;     ///< where the file has none, or another
    std::string unit;              ///< "m" or "cm"; empty: as the file says
    std::optional<int> dim;        ///< 2 leaves out z; none: as the file says
    std::string periodic;          ///< "xmin,ymin,xmax,ymax", or six numbers in 3D; empty: plain distances
    std::optional<double> radius;  ///< metres, of clusters
    std::string metrics;           ///< names with commas between; empty: all
    bool per_frame = false;
    bool json = false;
};

struct FieldOptions {
    std::string map;
    std::vector<std::string> goals;  ///< "C,R"
    std::string scen;
    std::string picture;
    bool json = false;
};

struct BenchOptions {
    std::vector<std::int64_t>
        agents;  ///< empty: those that the benchmark thinks good, as for what is 0 below
    int threads = 1;
    std::string backend = "auto";
    std::vector<int> thread_list = {1};  ///< of step: rows for each
    std::vector<std::string> backend_list = {"auto"};
    std::int64_t steps = 0;
    int repeat = 0;                   ///< measurements
    std::vector<std::int32_t> sides;  ///< of maps; empty: those that the benchmark thinks good
    bool repair = false;              ///< of bench field: fields kept alive instead
    bool moving = false;
    bool large = false;
    int goals = 0;
    std::string scene;                ///< empty: scenes/city.toml
    std::vector<std::string> scenes;  ///< of congestion; empty: all
    double camera = 0.0;              ///< part of the map that a camera sees; 0: no camera
    bool tiers = false;
    bool before_after = false;  ///< of bench frame: what each optimisation is worth
    std::string picture;        ///< of bench frame: a PNG of a trace
    int dim = 2;
    double neighbours = 30.0;
    std::string distribution = "uniform";
    std::string rule = "reynolds";
    bool periodic = false;     ///< of lists
    std::string part = "all";  ///< of cell-size
    std::string plot;          ///< folder for plots or pictures
    std::string csv;
    bool json = false;
};

/// The commands: each returns the exit code, and throws Error for bad input.
int run(const RunOptions& options);
int replay_log(const ReplayOptions& options);
int measure(const MeasureOptions& options);
int field(const FieldOptions& options);
int new_scene(const std::string& path);
int info(bool json);

}  // namespace horde
