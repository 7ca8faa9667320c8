#include "bench/rows.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "horde/error.h"
#include "horde/world.h"

namespace horde::bench {
namespace {

std::string machine_here() {
    std::ifstream in("/proc/cpuinfo");
    std::string model = "unknown processor";
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(": ");
        if (!line.starts_with("model name") || colon == std::string::npos) continue;
        model = line.substr(colon + 2);
        break;
    }
    return fmt::format("{} x {}", std::thread::hardware_concurrency(), model);
}

/// As RFC 4180 quotes it.
std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

/// Names of the values of all rows, in the order in which they are met.
std::vector<std::string> value_names(const std::vector<Row>& rows) {
    std::vector<std::string> names;
    for (const Row& row : rows) {
        for (const auto& [name, value] : row.values) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    return names;
}

/// The row's own values under these names, each with a comma before it.
std::string value_columns(const Row& row, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        const auto found = std::find_if(row.values.begin(), row.values.end(),
                                        [&](const auto& entry) { return entry.first == name; });
        const bool has = found != row.values.end() && std::isfinite(found->second);
        text += has ? fmt::format(",{:.6g}", found->second) : ",";
    }
    return text;
}

std::string line(const Origin& origin, const Row& row, const std::string& stage, const Spread& ms,
                 const std::string& values) {
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{},{},{:.1f},{:016x}{}\n",
                       origin.date, quoted(origin.commit), quoted(origin.compiler), quoted(origin.flags),
                       quoted(origin.machine), quoted(row.name), quoted(row.scene), row.backend, row.threads,
                       row.agents, row.cells, stage, ms.min, ms.median, ms.max, row.candidates,
                       row.neighbours, row.bytes_per_agent, row.state_hash, values);
}

}  // namespace

Spread spread_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2.0;
    return {values.front(), median, values.back()};
}

Origin origin_here() {
    Origin origin;
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    gmtime_r(&now, &utc);
    char date[16];
    std::strftime(date, sizeof date, "%Y-%m-%d", &utc);
    origin.date = date;
    const char* commit = std::getenv("HORDE_COMMIT");
    origin.commit = commit && *commit ? commit : "unknown";
    origin.compiler = compiler();
    origin.flags = build_flags();
    origin.machine = machine_here();
    return origin;
}

void write_csv(const std::string& path, const Origin& origin, const std::vector<Row>& rows) {
    std::error_code ignored;  // what cannot be made, cannot be written to either
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    const std::vector<std::string> names = value_names(rows);
    const std::string temporary = path + ".part-" + std::to_string(getpid());
    std::ofstream out(temporary, std::ios::binary);
    out << "date,commit,compiler,flags,machine,name,scene,backend,threads,agents,cells,stage,min_ms,median_"
           "ms,max_ms,"
           "candidates,neighbours,bytes_per_agent,state_hash";
    for (const std::string& name : names) out << ',' << name;
    out << '\n';
    for (const Row& row : rows) {
        const std::string values = value_columns(row, names);
        out << line(origin, row, "whole", row.ms, values);
        for (const auto& [stage, ms] : row.stage_ms) out << line(origin, row, stage, ms, values);
    }
    out.close();
    if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) {
        std::remove(temporary.c_str());
        throw Error("--csv " + path + ": cannot be written; make its folder or choose another place");
    }
}

}  // namespace horde::bench
