/// horde bench almanac: the table of "When the flock gets big", and its checkpoints as verdicts.
#include <fmt/format.h>

#include <cmath>

#include "bench/almanac/table.h"
#include "bench/almanac/verdicts.h"
#include "bench_commands.h"
#include "bench_output.h"

namespace horde {
namespace {

using bench::AlmanacEntry;
using bench::Verdict;

std::string number(double value, int digits) {
    return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : std::string("-");
}

void print_table(const std::vector<AlmanacEntry>& table, const std::vector<bench::Row>& rows) {
    fmt::print(
        "microseconds a frame for finding neighbours and steering, one thread; middle of the prints of 60 "
        "frames\n");
    fmt::print("{:>7}  {:<12}{:>12}{:>12}{:>9}{:>9}{:>11}{:>11}{:>11}{:>13}{:>12}\n", "agents", "search",
               "average", "worst", "growth", "naive/", "rebuild", "query", "steering", "candidates",
               "neighbours");
    for (std::size_t n = 0; n < table.size(); ++n) {
        const AlmanacEntry& entry = table[n];
        fmt::print("{:>7}  {:<12}{:>12.1f}{:>12.1f}{:>9}{:>9.2f}{:>11.1f}{:>11.1f}{:>11.1f}{:>13.0f}{:>12}\n",
                   entry.agents, entry.search, entry.us().median, entry.worst_us,
                   number(rows[n].values[1].second, 2), rows[n].values[2].second, entry.rebuild_us.median,
                   entry.query_us.median, entry.steering_us.median, entry.candidates,
                   number(entry.neighbours, 0));
    }
    fmt::print("the last print of each, as the almanac's harness has it:\n");
    for (const AlmanacEntry& entry : table) fmt::print("  {:<12}{}\n", entry.search, entry.line);
}

Json verdict_json(const Verdict& verdict) {
    return {{"name", verdict.name},
            {"text", verdict.text},
            {"holds", verdict.holds},
            {"numbers", verdict.numbers},
            {"timing", verdict.timing}};
}

}  // namespace

int bench_almanac(const BenchOptions& options) {
    check_bench_outputs(options);
    bench::AlmanacTable settings;
    if (!options.agents.empty()) settings.agents = options.agents;
    if (options.repeat > 0) settings.prints = options.repeat;
    const std::vector<AlmanacEntry> table = bench::measure_almanac(settings);
    const std::vector<bench::Row> rows = rows_of(table);
    std::vector<Verdict> verdicts = bench::timing_verdicts(table);
    for (Verdict& verdict : bench::cell_timing_verdicts(settings.prints))
        verdicts.push_back(std::move(verdict));
    for (Verdict& verdict : bench::count_verdicts()) verdicts.push_back(std::move(verdict));
    Json more;
    more["verdicts"] = Json::array();
    for (const Verdict& verdict : verdicts) more["verdicts"].push_back(verdict_json(verdict));
    if (write_rows(rows, options, more)) return 0;
    print_table(table, rows);
    for (const Verdict& verdict : verdicts) {
        fmt::print("{}  {} ({})\n", verdict.holds ? "yes" : "NO ", verdict.text, verdict.numbers);
    }
    print_csv(options);
    return 0;
}

}  // namespace horde
