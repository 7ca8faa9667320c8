// The almanac's claims about times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/almanac/flock.h"
#include "bench/almanac/start.h"
#include "bench/almanac/table.h"

namespace horde::bench {
namespace {

/// The table's entry, or nullptr.
const AlmanacEntry* find(const std::vector<AlmanacEntry>& table, int column, std::int64_t agents) {
    for (const AlmanacEntry& entry : table) {
        if (entry.search == kAlmanacColumns[column] && entry.agents == agents) return &entry;
    }
    return nullptr;
}

double us_of(const std::vector<AlmanacEntry>& table, int column, std::int64_t agents) {
    const AlmanacEntry* entry = find(table, column, agents);
    return entry ? entry->us().median : std::nan("");
}

Verdict verdict(std::string name, std::string text, bool holds, std::string numbers) {
    return {std::move(name), std::move(text), std::move(numbers), holds, true};
}

/// The largest step from one print to the next, as a share of the smaller.
double largest_step(const AlmanacEntry& entry) {
    double largest = 0.0;
    for (std::size_t p = 1; p < entry.average_us.size(); ++p) {
        const auto [low, high] = std::minmax(entry.average_us[p - 1], entry.average_us[p]);
        largest = std::max(largest, high / low - 1.0);
    }
    return largest;
}

Verdict steady(const std::vector<AlmanacEntry>& table, int column) {
    double worst = 0.0;
    std::int64_t where = 0;
    for (const AlmanacEntry& entry : table) {
        if (entry.search != kAlmanacColumns[column] || largest_step(entry) < worst) continue;
        worst = largest_step(entry);
        where = entry.agents;
    }
    return verdict(
        fmt::format("steady-{}", column),
        fmt::format("{}: stable to within 20 % between prints of 60 frames", kAlmanacColumns[column]),
        worst <= 0.2, fmt::format("largest step {:.1f} %, at {} agents", 100.0 * worst, where));
}

Verdict growth(const std::vector<AlmanacEntry>& table, int column, double low, double high) {
    const double few = us_of(table, column, 100), many = us_of(table, column, 400);
    const double ratio = many / few;
    return verdict(fmt::format("growth-{}", column),
                   fmt::format("{}: 400 agents cost {:g} to {:g} times what 100 cost",
                               kAlmanacColumns[column], low, high),
                   ratio >= low && ratio <= high,
                   fmt::format("{:.1f} us / {:.1f} us = {:.1f}", many, few, ratio));
}

Verdict cheaper_loop(const std::vector<AlmanacEntry>& table) {
    const double drop_100 = 1.0 - us_of(table, 1, 100) / us_of(table, 0, 100);
    const double drop_400 = 1.0 - us_of(table, 1, 400) / us_of(table, 0, 400);
    return verdict(
        "cheaper-loop", "gathering once, with squared distances, lowers both numbers",
        drop_100 > 0.0 && drop_400 > 0.0,
        fmt::format("by {:.0f} % at 100 and {:.0f} % at 400 agents", 100.0 * drop_100, 100.0 * drop_400));
}

Verdict smaller_loop(const std::vector<AlmanacEntry>& table) {
    const double grid = us_of(table, 2, 400), naive = us_of(table, 0, 100);
    return verdict("smaller-loop", "the flock grid at 400 agents is lower than three scans at 100",
                   grid < naive, fmt::format("{:.1f} us against {:.1f} us", grid, naive));
}

Verdict horde_is_faster(const std::vector<AlmanacEntry>& table) {
    double least = std::numeric_limits<double>::infinity();
    for (const AlmanacEntry& entry : table) {
        if (entry.search != kAlmanacColumns[3]) continue;
        for (int column = 0; column < 3; ++column) {
            least = std::min(least, us_of(table, column, entry.agents) / entry.us().median);
        }
    }
    return verdict("horde", "horde is faster than each of the almanac's searches at every count", least > 1.0,
                   fmt::format("at least {:.2f} times as fast", least));
}

/// Median over the prints of each flock's microseconds a frame, all of them measured by turns while they
/// stand still.
std::vector<double> by_turns(std::vector<BoidFlock> flocks, int prints) {
    std::vector<std::vector<double>> us(flocks.size());
    for (int print = -1; print < prints; ++print) {  // the first warms up
        for (std::size_t f = 0; f < flocks.size(); ++f) {
            while (!flocks[f].step(0.0f)) {
            }
            if (print >= 0) us[f].push_back(flocks[f].whole().average_us());
        }
    }
    std::vector<double> medians;
    for (const std::vector<double>& each : us) medians.push_back(spread_of(each).median);
    return medians;
}

}  // namespace

std::vector<Verdict> cell_timing_verdicts(int prints) {
    const std::vector<Boid> start = almanac_start(400);
    std::vector<Boid> dense = start;  // a third of the area wide, about the origin
    for (Boid& boid : dense) boid.position = boid.position / 3.0f;
    const BoidSettings grid{.search = BoidSearch::kGrid}, all{.search = BoidSearch::kGather};
    BoidSettings wide = grid, truncating = grid;
    wide.cell = 4.0f * grid.cell;
    truncating.cell_rule = CellRule::kTruncate;
    std::vector<BoidFlock> flocks;
    for (const BoidSettings& settings : {grid, wide, all}) flocks.emplace_back(BoidRule{}, start, settings);
    for (const BoidSettings& settings : {grid, truncating}) flocks.emplace_back(BoidRule{}, dense, settings);
    const std::vector<double> us = by_turns(std::move(flocks), prints);
    return {verdict("wide-time", "cells of four radii: the time climbs back toward that of the gather",
                    us[1] > us[0],
                    fmt::format("{:.1f} us with one radius, {:.1f} us with four, {:.1f} us without a grid",
                                us[0], us[1], us[2])),
            verdict("truncation-time", "truncated cells cost time, with a dense flock over the origin",
                    us[4] > us[3], fmt::format("{:.1f} us against {:.1f} us", us[4], us[3]))};
}

std::vector<Verdict> timing_verdicts(const std::vector<AlmanacEntry>& table) {
    std::vector<Verdict> verdicts = {growth(table, 0, 10.0, 20.0), cheaper_loop(table),
                                     growth(table, 1, 12.0, 20.0), smaller_loop(table)};
    for (int column = 0; column < 4; ++column) verdicts.push_back(steady(table, column));
    verdicts.push_back(horde_is_faster(table));
    return verdicts;
}

}  // namespace horde::bench
