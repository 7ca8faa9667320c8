#include "bench_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "outputs.h"

namespace horde {
namespace {

using bench::Row;
using bench::Spread;

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
    for (const auto& [name, value] : row.values) object[name] = number_or_null(value);
    return object;
}

void print_line(const std::string& name, const Spread& ms, const std::string& per_item) {
    fmt::print("  {:<14}{:>12.4f}{:>12.4f}{:>12.4f}{:>14}\n", name, ms.min, ms.median, ms.max, per_item);
}

}  // namespace

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
    const std::string bytes =
        row.bytes_per_agent > 0.0 ? fmt::format(", {:.0f} bytes an agent", row.bytes_per_agent) : "";
    fmt::print("  {} candidates, {} neighbours{}, state {}\n", row.candidates, row.neighbours, bytes,
               hash_text(row.state_hash));
}

void check_bench_outputs(const BenchOptions& options) {
    if (!options.csv.empty()) require_writable(options.csv, "--csv");
    if (!options.plot.empty())
        require_writable((std::filesystem::path(options.plot) / "plot.png").string(), "--plot");
}

bool write_rows(const std::vector<Row>& rows, const BenchOptions& options, const Json& more) {
    const bench::Origin origin = bench::origin_here();
    if (!options.csv.empty()) bench::write_csv(options.csv, origin, rows);
    if (!options.json) {
        fmt::print("{}, {}\n", origin.machine, origin.compiler);
        return false;
    }
    Json object;
    object["rows"] = Json::array();
    for (const Row& row : rows) object["rows"].push_back(row_json(row));
    for (const auto& [key, value] : more.items()) object[key] = value;
    object["compiler"] = origin.compiler;
    object["flags"] = origin.flags;
    object["machine"] = origin.machine;
    object["commit"] = origin.commit;
    print_json(object);
    return true;
}

std::string plot_path(const BenchOptions& options, const std::string& name) {
    const std::string path = (std::filesystem::path(options.plot) / (name + ".png")).string();
    if (!options.json) fmt::print("wrote {}\n", path);
    return path;
}

void print_csv(const BenchOptions& options) {
    if (!options.csv.empty()) fmt::print("wrote {}\n", options.csv);
}

}  // namespace horde
