#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <tuple>
#include <utility>

#include "horde/error.h"
#include "horde/files.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

constexpr std::size_t kMostMismatches = 10;

Map with_equal_costs(const Map& map) {
    Map equal = map;
    for (auto& cost : equal.cost) cost = cost == kWallCost ? kWallCost : std::uint8_t{1};
    return equal;
}

double length_in(const Map& map, const Field& field, Cell start) {
    const std::uint64_t value = field.value(map.index(start));
    if (value == kUnreachable64) return std::numeric_limits<double>::infinity();
    return static_cast<double>(value) / kStraightStep;
}

// Old files have two decimals, and 577/408 is not quite sqrt 2.
double tolerance_for(double length) {
    return 0.006 + 1e-5 * length;
}

std::string describe(const ScenLine& problem, double found) {
    const auto text_of = [](Cell c) { return std::to_string(c.column) + "," + std::to_string(c.row); };
    std::ostringstream text;
    text.precision(10);
    text << "line " << problem.line << ": from " << text_of(problem.start) << " to " << text_of(problem.goal);
    if (std::isfinite(found))
        text << " the field needs " << found << " cells, the file says " << problem.length;
    else
        text << " the field has no way, the file has one of " << problem.length << " cells";
    return text.str();
}

// The lines to compare, those of one goal together. Throws if one is for another size of map.
std::vector<const ScenLine*> lines_by_goal(const Map& map, std::span<const ScenLine> lines,
                                           std::size_t every) {
    std::vector<const ScenLine*> by_goal;
    for (std::size_t i = 0; i < lines.size(); i += every) {
        const ScenLine& line = lines[i];
        if (line.columns != map.columns || line.rows != map.rows || !map.contains(line.start) ||
            !map.contains(line.goal))
            throw Error("scenario line " + std::to_string(line.line) + " is for a map of " +
                        std::to_string(line.columns) + " x " + std::to_string(line.rows) + " cells, not " +
                        std::to_string(map.columns) + " x " + std::to_string(map.rows) +
                        ": scale the map, or split the file by map");
        by_goal.push_back(&line);
    }
    std::stable_sort(by_goal.begin(), by_goal.end(), [](const ScenLine* a, const ScenLine* b) {
        return std::tie(a->goal.row, a->goal.column) < std::tie(b->goal.row, b->goal.column);
    });
    return by_goal;
}

}  // namespace

ScenReport check_scen(const Map& map, std::span<const ScenLine> lines, std::int64_t every) {
    if (every < 1) throw Error("every is " + std::to_string(every) + ": must be 1 or more");
    FieldBuilder builder;
    builder.set_map(with_equal_costs(map));
    Field field;
    ScenReport report;
    std::vector<std::pair<const ScenLine*, double>> mismatches;
    const ScenLine* previous = nullptr;
    for (const ScenLine* line : lines_by_goal(map, lines, static_cast<std::size_t>(every))) {
        if (previous == nullptr || previous->goal != line->goal) {
            field.goals.clear();
            if (map.is_free(line->goal)) field.goals.push_back(line->goal);
            builder.integrate(field);
        }
        previous = line;
        const double found = length_in(map, field, line->start);
        const double error = std::abs(found - line->length);
        ++report.lines;
        report.worst_error = std::max(report.worst_error, error);
        if (error > tolerance_for(line->length)) mismatches.emplace_back(line, found);
    }
    report.mismatches = static_cast<std::int64_t>(mismatches.size());
    std::sort(mismatches.begin(), mismatches.end());  // by place in `lines`
    mismatches.resize(std::min(mismatches.size(), kMostMismatches));
    for (const auto& [line, found] : mismatches) report.first_mismatches.push_back(describe(*line, found));
    return report;
}

}  // namespace horde
