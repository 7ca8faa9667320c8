/// horde bench congestion: throughput and time to clear, as a table and a picture of each scene.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/congestion/congestion.h"
#include "bench_commands.h"
#include "bench_output.h"

namespace horde {
namespace {

using bench::Row;

double value_of(const Row& row, const std::string& name) {
    for (const auto& [key, value] : row.values) {
        if (key == name) return value;
    }
    return std::nan("");
}

std::string number(double value, int digits) {
    return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : std::string("-");
}

void print_table(const std::vector<Row>& rows) {
    fmt::print("{:<19}{:>7}{:>10}{:>11}{:>11}{:>9}{:>8}{:>8}{:>7}{:>6}{:>11}\n", "scene", "agents",
               "agents/s", "/s and m", "published", "clear s", "lanes", "mixed", "stuck", "left", "ms/frame");
    for (const Row& row : rows) {
        fmt::print("{:<19}{:>7}{:>10}{:>11}{:>11}{:>9}{:>8}{:>8}{:>7}{:>6}{:>11.4f}\n", row.scene, row.agents,
                   number(value_of(row, "throughput"), 2), number(value_of(row, "per_metre"), 2),
                   number(value_of(row, "published"), 2), number(value_of(row, "clear_s"), 1),
                   number(value_of(row, "lane_order"), 2), number(value_of(row, "mixed_order"), 2),
                   number(value_of(row, "most_stuck"), 0), number(value_of(row, "left"), 0), row.ms.median);
    }
    for (const bench::CongestionScene& scene : bench::congestion_scenes()) {
        const bool shown =
            std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.scene == scene.name; });
        if (shown) fmt::print("  {:<19}published: {}\n", scene.name, scene.source);
    }
}

}  // namespace

int bench_congestion(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::CongestionBench settings;
    settings.scenes = options.scenes;
    settings.threads = options.threads;
    settings.backend = options.backend;
    settings.pictures = options.plot;
    const std::vector<Row> rows = bench::bench_congestion(settings);
    if (write_rows(rows, options)) return 0;
    print_table(rows);
    for (const Row& row : rows) {
        if (!options.plot.empty()) plot_path(options, row.scene);
    }
    print_csv(options);
    return 0;
}

}  // namespace horde
