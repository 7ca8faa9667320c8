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
    std::int64_t steps = 600;
    std::int64_t every = 1;  ///< frames from one output to the next
    int threads = 0;
    std::string backend = "auto";
    std::string precision = "float";
    std::string start;  ///< a trajectory whose first frame to start from
    std::vector<std::string> out;
    std::string picture;
    std::string metrics;  ///< names with commas between; empty: all
    bool verify = false;
    bool verbose = false;
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
    std::vector<std::int64_t> agents = {10000};
    int threads = 1;
    std::string backend = "auto";
    std::int64_t steps = 60;
    int repeat = 0;                   ///< measurements; 0: as many as the benchmark thinks good
    std::vector<std::int32_t> sides;  ///< of maps; empty: those that the benchmark thinks good
    std::string scene;                ///< empty: scenes/city.toml
    std::string csv;
    bool json = false;
};

/// The commands: each returns the exit code, and throws Error for bad input.
int run(const RunOptions& options);
int field(const FieldOptions& options);
int new_scene(const std::string& path);
int info(bool json);
int bench_frame(const BenchOptions& options);
int bench_field(const BenchOptions& options);

}  // namespace horde
