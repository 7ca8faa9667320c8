/// horde field: the field of a map, and its distances held against a .scen file.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>

#include "horde/error.h"
#include "horde/field.h"
#include "horde/files.h"
#include "json.h"
#include "options.h"
#include "outputs.h"

namespace horde {
namespace {

/// What `horde field` says of a field.
struct FieldFacts {
    Field field;
    std::int64_t free_cells = 0;
    std::int64_t reachable_cells = 0;
    std::optional<std::uint64_t> max_value;  ///< none if nothing is reachable
    double build_us = 0.0;
};

Cell parse_goal(const std::string& text) {
    Cell cell;
    const char* end = text.data() + text.size();
    const auto column = std::from_chars(text.data(), end, cell.column);
    if (column.ec == std::errc() && column.ptr != end && *column.ptr == ',') {
        const auto row = std::from_chars(column.ptr + 1, end, cell.row);
        if (row.ec == std::errc() && row.ptr == end) return cell;
    }
    throw Error("--goal " + text + ": is no cell; write column and row like 12,7");
}

/// The goals named, held against the map; without any the middle cell of the largest connected part.
std::vector<Cell> choose_goals(const FieldOptions& options, const Map& map) {
    std::vector<Cell> goals;
    for (const std::string& text : options.goals) {
        const Cell cell = parse_goal(text);
        if (!map.contains(cell)) {
            throw Error(
                fmt::format("--goal {}: lies outside {}, which has {} columns and {} rows, counted from 0",
                            text, options.map, map.columns, map.rows));
        }
        if (!map.is_free(cell)) {
            throw Error(fmt::format("--goal {}: is a wall in {}; choose a free cell", text, options.map));
        }
        goals.push_back(cell);
    }
    if (!goals.empty()) return goals;
    const std::vector<std::uint32_t> part = largest_connected_part(map);
    if (part.empty()) return goals;
    const auto middle = static_cast<std::int32_t>(part[part.size() / 2]);
    goals.push_back({middle % map.columns, middle / map.columns});
    return goals;
}

FieldFacts examine(const Map& map, const std::vector<Cell>& goals) {
    FieldFacts facts;
    const auto began = std::chrono::steady_clock::now();
    facts.field = build_field(map, goals);
    facts.build_us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
    for (std::size_t i = 0; i < map.cost.size(); ++i) {
        if (map.cost[i] == kWallCost) continue;
        ++facts.free_cells;
        const std::uint64_t value = facts.field.value(i);
        if (value == kUnreachable64) continue;
        ++facts.reachable_cells;
        facts.max_value = std::max(facts.max_value.value_or(0), value);
    }
    return facts;
}

void write_facts(const Map& map, const FieldFacts& facts, Json& object) {
    object["columns"] = map.columns;
    object["rows"] = map.rows;
    object["free_cells"] = facts.free_cells;
    object["reachable_cells"] = facts.reachable_cells;
    object["goals"] = Json::array();
    for (const Cell& goal : facts.field.goals) object["goals"].push_back({goal.column, goal.row});
    object["max_value"] = facts.max_value ? Json(*facts.max_value) : Json(nullptr);
    object["integration_bits"] = facts.field.wide() ? 64 : 32;
    object["field_us"] = facts.build_us;
}

void print_facts(const Map& map, const FieldFacts& facts, const std::string& name) {
    fmt::print("{}: {} x {} cells, {} free, {} lead to a goal\n", name, map.columns, map.rows,
               facts.free_cells, facts.reachable_cells);
    for (const Cell& goal : facts.field.goals) fmt::print("  goal        {},{}\n", goal.column, goal.row);
    if (facts.max_value) {
        fmt::print("  farthest    {} steps of 1/{} cell ({:.1f} cells of cost 1), {} bits\n",
                   *facts.max_value, kStraightStep, static_cast<double>(*facts.max_value) / kStraightStep,
                   facts.field.wide() ? 64 : 32);
    }
    fmt::print("  built in    {:.2f} ms\n", facts.build_us / 1000.0);
}

/// The map at the size that the lines are for. Throws Error naming the line that does not fit.
Map map_of_lines(const FieldOptions& options, const Map& map, const std::vector<ScenLine>& lines) {
    if (lines.empty()) return map;
    const ScenLine& first = lines.front();
    for (const ScenLine& line : lines) {
        if (line.columns == first.columns && line.rows == first.rows) continue;
        throw Error(fmt::format(
            "{}:{}: is for a map of {} x {} cells, line {} for one of {} x {}; split the file", options.scen,
            line.line, line.columns, line.rows, first.line, first.columns, first.rows));
    }
    if (first.columns == map.columns && first.rows == map.rows) return map;
    try {
        return scale_map(map, first.columns, first.rows);
    } catch (const Error& error) {
        throw Error(fmt::format("{}:{}: is for another map than {}: {}", options.scen, first.line,
                                options.map, error.what()));
    }
}

ScenReport check(const FieldOptions& options, const Map& map) {
    const std::vector<ScenLine> lines = load_scen(options.scen);
    return check_scen(map_of_lines(options, map, lines), lines);
}

void print_report(const FieldOptions& options, const ScenReport& report) {
    fmt::print("{}: {} lines, {} mismatches, worst error {:.6f} cells\n", options.scen, report.lines,
               report.mismatches, report.worst_error);
    for (const std::string& mismatch : report.first_mismatches) fmt::print("  {}\n", mismatch);
}

bool is_patch_file(const std::string& path) {
    return path.size() > 6 && path.compare(path.size() - 6, 6, ".patch") == 0;
}

void write_dynamic(const DynamicReport& report, Json& object) {
    object["lines"] = report.lines;
    object["mismatches"] = report.mismatches;
    object["worst_error"] = number_or_null(report.worst_error);
    object["first_mismatches"] = report.first_mismatches;
    object["patches"] = report.patches;
    object["goals"] = report.goals;
    object["repairs"] = report.repairs;
    object["repair_mismatches"] = report.repair_mismatches;
    object["repairs_given_up"] = report.repairs_given_up;
    object["repair_us"] = report.repair_us;
    object["full_us"] = report.full_us;
}

/// A dynamic scenario: questions between patches, and fields repaired after them.
int field_of_patches(const FieldOptions& options) {
    if (options.scen.empty())
        throw Error(options.map + ": patches need the scenario that lays them; give it with --scen FILE");
    if (!options.goals.empty() || !options.picture.empty())
        throw Error(options.map + ": --goal and --picture need one map, not patches; leave them out");
    const std::vector<Map> patches = load_patches(options.map);
    const DynamicReport report = check_dynamic_scen(patches, load_dynamic_scen(options.scen));
    if (options.json) {
        Json object;
        object["map"] = options.map;
        write_dynamic(report, object);
        print_json(object);
    } else {
        print_report(options, report);
        fmt::print("  {} patches laid; {} repairs of the fields of {} goals, {} given up, {} mismatches\n",
                   report.patches, report.repairs, report.goals, report.repairs_given_up,
                   report.repair_mismatches);
        fmt::print("  repairs took {:.1f} ms, building anew {:.1f} ms\n", report.repair_us / 1000.0,
                   report.full_us / 1000.0);
    }
    return report.mismatches == 0 && report.repair_mismatches == 0 ? 0 : 1;
}

}  // namespace

int field(const FieldOptions& options) {
    if (is_patch_file(options.map)) return field_of_patches(options);
    if (!options.picture.empty()) check_picture(options.picture);
    const Map map = load_map(options.map);
    Json object;
    object["map"] = options.map;
    bool met = true;
    if (!options.scen.empty()) {
        const ScenReport report = check(options, map);
        met = report.mismatches == 0;
        object["lines"] = report.lines;
        object["mismatches"] = report.mismatches;
        object["worst_error"] = number_or_null(report.worst_error);
        object["first_mismatches"] = report.first_mismatches;
        if (!options.json) print_report(options, report);
    }
    if (options.scen.empty() || !options.goals.empty() || !options.picture.empty()) {
        const FieldFacts facts = examine(map, choose_goals(options, map));
        write_facts(map, facts, object);
        if (!options.json) print_facts(map, facts, options.map);
        if (!options.picture.empty()) {
            write_field_picture(options.picture, map, facts.field, SceneView{});
            object["files"] = {options.picture};
            if (!options.json) fmt::print("  wrote       {}\n", options.picture);
        }
    }
    if (options.json) print_json(object);
    return met ? 0 : 1;
}

}  // namespace horde
