/// horde bench: measurements as a table, as CSV and as JSON.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bench/field.h"
#include "bench/frame.h"
#include "bench/rows.h"
#include "horde/error.h"
#include "horde/files.h"
#include "interrupt.h"
#include "json.h"
#include "options.h"
#include "outputs.h"
#include "overrides.h"

namespace horde {
namespace {

using bench::Row;
using bench::Spread;

/// scenes/city.toml here, or beside the source tree that the program was built in.
std::string showcase_scene() {
    const std::filesystem::path name = "scenes/city.toml";
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) return name.string();
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::filesystem::path beside = program.parent_path() / "../.." / name;
    if (!program.empty() && std::filesystem::exists(beside, ignored))
        return beside.lexically_normal().string();
    throw Error("bench frame: there is no scenes/city.toml here; name a scene with --scene FILE");
}

Spread spread_of(const FieldBenchTimes& times) {
    return {times.min, times.median, times.max};
}

/// Fields know no agents; the hash is that of integration values and directions.
Row row_of(const FieldBenchRow& measured) {
    Row row;
    row.name = measured.name;
    row.scene = "random";
    row.backend = "scalar";
    row.cells = std::int64_t{measured.columns} * measured.rows;
    row.ms = spread_of(measured.total_ms);
    row.stage_ms = {{"integrate", spread_of(measured.integrate_ms)},
                    {"flow", spread_of(measured.flow_ms)},
                    {"set_map", spread_of(measured.set_map_ms)}};
    row.state_hash = measured.checksum;
    return row;
}

Json spread_json(const Spread& spread) {
    return {{"min", number_or_null(spread.min)},
            {"median", number_or_null(spread.median)},
            {"max", number_or_null(spread.max)}};
}

Json row_json(const Row& row) {
    Json object;
    object["name"] = row.name;
    object["scene"] = row.scene;
    object["agents"] = row.agents;
    object["dim"] = row.dim;
    object["cells"] = row.cells;
    object["threads"] = row.threads;
    object["backend"] = row.backend;
    object["ms"] = spread_json(row.ms);
    object["stage_ms"] = Json::object();
    for (const auto& [stage, spread] : row.stage_ms) object["stage_ms"][stage] = spread_json(spread);
    object["candidates"] = row.candidates;
    object["neighbours"] = row.neighbours;
    object["bytes_per_agent"] =
        row.bytes_per_agent > 0.0 ? number_or_null(row.bytes_per_agent) : Json(nullptr);
    object["state_hash"] = hash_text(row.state_hash);
    return object;
}

void print_line(const std::string& name, const Spread& ms, const std::string& per_item) {
    fmt::print("  {:<14}{:>12.4f}{:>12.4f}{:>12.4f}{:>14}\n", name, ms.min, ms.median, ms.max, per_item);
}

/// `item` is what the last column is per: "agent" or "cell".
void print_row(const Row& row, const std::string& item) {
    const std::int64_t items = item == "agent" ? row.agents : row.cells;
    const auto per_item = [&](const Spread& ms) {
        return items > 0 ? fmt::format("{:.2f}", ms.min * 1e6 / static_cast<double>(items))
                         : std::string("-");
    };
    fmt::print("{} {}: {} {}s, {} thread{} ({})\n", row.name, row.scene, items, item, row.threads,
               row.threads == 1 ? "" : "s", row.backend);
    fmt::print("  {:<14}{:>12}{:>12}{:>12}{:>14}\n", "", "min ms", "median ms", "max ms", "min ns/" + item);
    print_line("whole", row.ms, per_item(row.ms));
    for (const auto& [stage, ms] : row.stage_ms) print_line(stage, ms, per_item(ms));
    if (row.agents == 0) return;
    fmt::print("  {} candidates, {} neighbours, {:.0f} bytes an agent, state {}\n", row.candidates,
               row.neighbours, row.bytes_per_agent, hash_text(row.state_hash));
}

int hand_out(const std::vector<Row>& rows, const BenchOptions& options, const std::string& item) {
    const bench::Origin origin = bench::origin_here();
    if (!options.csv.empty()) bench::write_csv(options.csv, origin, rows);
    if (!options.json) {
        fmt::print("{}, {}\n", origin.machine, origin.compiler);
        for (const Row& row : rows) print_row(row, item);
        if (!options.csv.empty()) fmt::print("wrote {}\n", options.csv);
        return 0;
    }
    Json object;
    object["rows"] = Json::array();
    for (const Row& row : rows) object["rows"].push_back(row_json(row));
    object["compiler"] = origin.compiler;
    object["flags"] = origin.flags;
    object["machine"] = origin.machine;
    object["commit"] = origin.commit;
    print_json(object);
    return 0;
}

}  // namespace

int bench_frame(const BenchOptions& options) {
    if (!options.csv.empty()) require_writable(options.csv, "--csv");
    const Scene scene = load_scene(options.scene.empty() ? showcase_scene() : options.scene);
    std::int64_t before = 0;
    for (const SceneAgents& group : scene.agents) before += group.count;
    bench::FrameBench settings;
    settings.threads = options.threads;
    settings.backend = options.backend;
    settings.steps = options.steps;
    if (options.repeat > 0) settings.repeat = options.repeat;
    std::vector<Row> rows;
    for (const std::int64_t agents : options.agents) {
        Scene scaled = scene;
        share_agents(scaled.agents, agents);
        if (before > 0) bench::grow_map(scaled, static_cast<double>(agents) / static_cast<double>(before));
        rows.push_back(bench::bench_frame(scaled, settings));
    }
    return hand_out(rows, options, "agent");
}

int bench_field(const BenchOptions& options) {
    if (!options.csv.empty()) require_writable(options.csv, "--csv");
    FieldBenchOptions settings;
    if (options.repeat > 0) settings.runs = options.repeat;
    if (!options.sides.empty()) settings.sides = options.sides;
    std::vector<Row> rows;
    for (const FieldBenchRow& measured : run_field_bench(settings)) rows.push_back(row_of(measured));
    return hand_out(rows, options, "cell");
}

}  // namespace horde
