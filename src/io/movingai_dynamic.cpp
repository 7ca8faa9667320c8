/// The dynamic track of the Grid-based Path Planning Competition 2024: a map that patches change between
/// queries.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>

#include "horde/error.h"
#include "horde/files.h"
#include "io/movingai_words.h"
#include "sim/field/field_builder.h"
#include "sim/field/repair.h"

namespace horde {
namespace {

constexpr std::size_t kMostPatches = 10'000'000;

/// The next line as `name N`, from 0 or 1 to `most`.
std::int32_t read_pair(LineReader& reader, const std::string& name, std::int32_t least, std::int32_t most) {
    std::string line;
    if (!reader.next(line, kMostHeader)) reader.refuse("the file ends before a line '" + name + " N'");
    const auto words = words_of(line);
    std::int32_t value = -1;
    if (words.size() != 2 || words[0] != name || !read_number(words[1], value) || value < least ||
        value > most)
        reader.refuse("'" + printable(line) + "': expected '" + name + " N' with N from " +
                      std::to_string(least) + " to " + std::to_string(most));
    return value;
}

void expect_line(LineReader& reader, const std::string& text) {
    std::string line;
    if (!reader.next(line, kMostHeader)) reader.refuse("the file ends before a line '" + text + "'");
    if (without_blanks(line) != text) reader.refuse("'" + printable(line) + "': expected '" + text + "'");
}

std::int32_t read_whole(const LineReader& reader, std::string_view word, const std::string& name,
                        std::int32_t most) {
    std::int32_t value = -1;
    if (!read_number(word, value) || value < 0 || value > most)
        reader.refuse(name + " is '" + printable(word) + "': must be 0 to " + std::to_string(most));
    return value;
}

void read_scen_header(LineReader& reader, DynamicScen& scen) {
    std::string line;
    while (true) {
        if (!reader.next(line, kMostHeader)) reader.refuse("the file ends before a line 'commands'");
        const auto words = words_of(line);
        if (words.size() == 1 && words[0] == "commands") break;
        if (words.size() == 2 && words[0] == "height" && scen.rows == 0) {
            scen.rows = read_side(reader, words[1], "height");
        } else if (words.size() == 2 && words[0] == "width" && scen.columns == 0) {
            scen.columns = read_side(reader, words[1], "width");
        } else if (words.size() == 3 && words[0] == "cost") {
            if (words[1] != "1" || words[2] != "octile")
                reader.refuse("'" + printable(line) + "': only 'cost 1 octile' can be read");
        } else if (words.size() < 2 || words[0] != "patch") {
            reader.refuse("'" + printable(line) +
                          "': expected height, width, cost and patch, then 'commands'");
        }
    }
    if (scen.rows == 0 || scen.columns == 0)
        reader.refuse("'commands' comes before 'height N' and 'width N'");
}

DynamicCommand read_command(const LineReader& reader, std::string_view text, const DynamicScen& scen) {
    const auto words = words_of(text);
    DynamicCommand command;
    command.line = reader.line_number();
    const bool patches = words.size() == 5 && words[0] == "P";
    if (!patches && !(words.size() == 7 && words[0] == "Q"))
        reader.refuse("'" + printable(text) +
                      "': expected 'P bucket patch x y' or 'Q bucket sx sy gx gy length'");
    const auto cell = [&](std::size_t first, const std::string& name) {
        return Cell{read_whole(reader, words[first], name + " x", scen.columns - 1),
                    read_whole(reader, words[first + 1], name + " y", scen.rows - 1)};
    };
    command.bucket = read_whole(reader, words[1], "bucket", std::numeric_limits<std::int32_t>::max());
    if (patches) {
        command.patch = read_whole(reader, words[2], "patch", static_cast<std::int32_t>(kMostPatches));
        command.at = cell(3, "patch");
    } else {
        command.query = {command.bucket,
                         {},
                         scen.columns,
                         scen.rows,
                         cell(2, "start"),
                         cell(4, "goal"),
                         read_length(reader, words[6]),
                         command.line};
    }
    return command;
}

/// A map under patches, and which cells the last of them changed.
class PatchedMap {
  public:
    PatchedMap(std::span<const Map> patches, const DynamicScen& scen) : patches_(patches) {
        map.columns = scen.columns;
        map.rows = scen.rows;
        map.cost.assign(static_cast<std::size_t>(scen.columns) * static_cast<std::size_t>(scen.rows), 1);
    }

    void lay(const DynamicCommand& command) {
        const std::string where = "scenario line " + std::to_string(command.line);
        if (static_cast<std::size_t>(command.patch) >= patches_.size())
            throw Error(where + " lays patch " + std::to_string(command.patch) + ": the file has " +
                        std::to_string(patches_.size()) + ", counted from 0");
        const Map& patch = patches_[static_cast<std::size_t>(command.patch)];
        if (command.at.column + patch.columns > map.columns || command.at.row + patch.rows > map.rows)
            throw Error(where + " lays patch " + std::to_string(command.patch) +
                        " across the edge of the map; move it inside");
        for (Cell c; c.row < patch.rows; ++c.row) {
            for (c.column = 0; c.column < patch.columns; ++c.column) {
                const std::size_t there = map.index({command.at.column + c.column, command.at.row + c.row});
                if (map.cost[there] == patch.cost[patch.index(c)]) continue;
                map.cost[there] = patch.cost[patch.index(c)];
                changed.push_back(static_cast<std::uint32_t>(there));
            }
        }
    }

    Map map;
    std::vector<std::uint32_t> changed;

  private:
    std::span<const Map> patches_;
};

/// Goals whose fields are mended after every group of patches and compared with fields built anew.
class LivingGoals {
  public:
    LivingGoals(std::span<const DynamicCommand> commands, std::size_t count) {
        for (const DynamicCommand& command : commands) {
            if (goals_.size() == count) break;
            if (command.is_query() &&
                std::find(goals_.begin(), goals_.end(), command.query.goal) == goals_.end())
                goals_.push_back(command.query.goal);
        }
        fields_.resize(goals_.size());
    }

    std::size_t count() const { return goals_.size(); }

    void build(const Map& map, FieldBuilder& builder) {
        for (std::size_t g = 0; g < goals_.size(); ++g) fields_[g] = built(map, g, builder);
    }

    void repair(const PatchedMap& patched, FieldBuilder& builder, DynamicReport& report) {
        using Clock = std::chrono::steady_clock;
        const auto us = [](Clock::duration d) {
            return std::chrono::duration<double, std::micro>(d).count();
        };
        for (std::size_t g = 0; g < goals_.size(); ++g) {
            before_ = fields_[g];
            const auto start = Clock::now();
            const bool mended = repairer_.repair(patched.map, patched.changed, free_goal(patched.map, g),
                                                 repair_budget(patched.map.cost.size()), fields_[g]);
            const auto repaired = Clock::now();
            Field fresh = built(patched.map, g, builder);
            report.full_us += us(Clock::now() - repaired);
            report.repair_us += us(repaired - start);
            ++report.repairs;
            if (!mended) {  // once more without a limit, so that all are compared
                ++report.repairs_given_up;
                std::swap(fields_[g], before_);
                repairer_.repair(patched.map, patched.changed, free_goal(patched.map, g),
                                 FieldRepairer::kNoLimit, fields_[g]);
            }
            const Field& field = fields_[g];
            const bool equal = field.goals == fresh.goals && field.integration == fresh.integration &&
                               field.wide_integration == fresh.wide_integration && field.flow == fresh.flow;
            if (!equal) ++report.repair_mismatches;
        }
    }

  private:
    /// None while a wall stands on it.
    std::span<const Cell> free_goal(const Map& map, std::size_t g) const {
        return {goals_.data() + g, map.is_free(goals_[g]) ? 1u : 0u};
    }

    Field built(const Map& map, std::size_t g, FieldBuilder& builder) const {
        Field field;
        const std::span<const Cell> goal = free_goal(map, g);
        field.goals.assign(goal.begin(), goal.end());
        builder.integrate(field);
        builder.flow(field);
        return field;
    }

    std::vector<Cell> goals_;
    std::vector<Field> fields_;
    Field before_;
    FieldRepairer repairer_;
};

void add_report(DynamicReport& sum, const ScenReport& part) {
    constexpr std::size_t kMostMismatches = 10;
    sum.lines += part.lines;
    sum.mismatches += part.mismatches;
    sum.worst_error = std::max(sum.worst_error, part.worst_error);
    for (const std::string& mismatch : part.first_mismatches) {
        if (sum.first_mismatches.size() < kMostMismatches) sum.first_mismatches.push_back(mismatch);
    }
}

}  // namespace

std::vector<Map> load_patches(const std::string& path) {
    LineReader reader(path);
    expect_line(reader, "type patch");
    const std::int32_t count = read_pair(reader, "patches", 0, static_cast<std::int32_t>(kMostPatches));
    std::vector<Map> patches;
    for (std::int32_t n = 0; n < count; ++n) {
        read_pair(reader, "patch", n, n);
        Map patch;
        patch.rows = read_pair(reader, "height", 1, kMaxMapSide);
        patch.columns = read_pair(reader, "width", 1, kMaxMapSide);
        expect_line(reader, "map");
        read_map_rows(reader, patch);
        patches.push_back(std::move(patch));
    }
    expect_only_blank_lines(reader, "last patch");
    return patches;
}

DynamicScen load_dynamic_scen(const std::string& path) {
    LineReader reader(path);
    expect_line(reader, "version 2");
    DynamicScen scen;
    read_scen_header(reader, scen);
    std::string line;
    while (reader.next(line, kMostScenLine)) {
        if (without_blanks(line).empty()) continue;
        if (scen.commands.size() == kMostScenLines)
            reader.refuse("more than " + std::to_string(kMostScenLines) + " commands: split the file");
        scen.commands.push_back(read_command(reader, line, scen));
    }
    return scen;
}

DynamicReport check_dynamic_scen(std::span<const Map> patches, const DynamicScen& scen, int goals) {
    if (goals < 0 || goals > 1000) throw Error("goals is " + std::to_string(goals) + ": must be 0 to 1000");
    PatchedMap patched(patches, scen);
    LivingGoals living(scen.commands, static_cast<std::size_t>(goals));
    FieldBuilder builder;
    builder.set_map(patched.map);
    living.build(patched.map, builder);
    DynamicReport report;
    report.goals = static_cast<std::int64_t>(living.count());
    for (std::size_t n = 0; n < scen.commands.size();) {
        bool patches_laid = false;
        for (; n < scen.commands.size() && !scen.commands[n].is_query(); ++n) {
            patched.lay(scen.commands[n]);
            ++report.patches;
            patches_laid = true;
        }
        if (patches_laid) {
            builder.set_map(patched.map);
            living.repair(patched, builder, report);
            patched.changed.clear();
        }
        std::vector<ScenLine> queries;
        for (; n < scen.commands.size() && scen.commands[n].is_query(); ++n)
            queries.push_back(scen.commands[n].query);
        add_report(report, check_scen(patched.map, queries));
    }
    return report;
}

}  // namespace horde
