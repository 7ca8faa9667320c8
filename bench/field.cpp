#include "bench/field.h"

#include <algorithm>
#include <chrono>

#include "horde/error.h"
#include "horde/field.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

// SplitMix64 (Steele et al. 2014): the same maps everywhere.
std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

Map seeded_map(const FieldBenchOptions& options, std::int32_t side) {
    Map map{side, side, 1.0, {}};
    map.cost.resize(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    std::uint64_t state = options.seed;
    for (auto& cost : map.cost) {
        const bool is_wall = next_random(state) % 100 < options.wall_percent;
        const std::uint64_t drawn = 1 + next_random(state) % options.greatest_cost;
        cost = is_wall ? kWallCost : static_cast<std::uint8_t>(drawn);
    }
    return map;
}

// The free cell of the largest part that comes first from the middle of the map on.
Cell middle_goal(Map& map) {
    const Cell middle{map.columns / 2, map.rows / 2};
    const auto part = largest_connected_part(map);
    if (part.empty()) {  // all walls: there must be something to integrate
        map.cost[map.index(middle)] = 1;
        return middle;
    }
    const auto after = std::lower_bound(part.begin(), part.end(), map.index(middle));
    const auto index = static_cast<std::int32_t>(after != part.end() ? *after : part.back());
    return {index % map.columns, index / map.columns};
}

FieldBenchTimes times_of(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return {times.front(), times[times.size() / 2], times.back()};
}

std::uint64_t checksum_of(const Field& field) {
    std::uint64_t sum = 0xcbf29ce484222325ull;  // FNV-1a over words
    for (std::size_t i = 0; i < field.flow.size(); ++i) {
        sum = (sum ^ field.value(i)) * 0x100000001b3ull;
        sum = (sum ^ static_cast<std::uint64_t>(field.flow[i])) * 0x100000001b3ull;
    }
    return sum;
}

FieldBenchRow bench_side(const FieldBenchOptions& options, std::int32_t side) {
    using Clock = std::chrono::steady_clock;
    const auto ms = [](Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double, std::milli>(to - from).count();
    };
    Map map = seeded_map(options, side);
    Field field;
    field.goals = {middle_goal(map)};
    FieldBuilder builder;
    std::vector<double> set_map, integrate, flow, total;
    for (int run = -1; run < options.runs; ++run) {
        const auto start = Clock::now();
        builder.set_map(map);
        const auto has_map = Clock::now();
        builder.integrate(field);
        const auto has_values = Clock::now();
        builder.flow(field);
        const auto has_flow = Clock::now();
        if (run < 0) continue;
        set_map.push_back(ms(start, has_map));
        integrate.push_back(ms(has_map, has_values));
        flow.push_back(ms(has_values, has_flow));
        total.push_back(ms(has_map, has_flow));
    }
    FieldBenchRow row;
    row.name = "field-" + std::to_string(side);
    row.columns = row.rows = side;
    row.walls = std::count(map.cost.begin(), map.cost.end(), kWallCost);
    row.set_map_ms = times_of(set_map);
    row.integrate_ms = times_of(integrate);
    row.flow_ms = times_of(flow);
    row.total_ms = times_of(total);
    row.flow_ns_per_cell = row.flow_ms.median * 1e6 / static_cast<double>(map.cost.size());
    row.checksum = checksum_of(field);
    return row;
}

}  // namespace

std::vector<FieldBenchRow> run_field_bench(const FieldBenchOptions& options) {
    if (options.runs < 7) throw Error("runs is " + std::to_string(options.runs) + ": must be 7 or more");
    if (options.wall_percent > 100) throw Error("wall_percent must be 0 to 100");
    if (options.greatest_cost < 1 || options.greatest_cost > 254)
        throw Error("greatest_cost must be 1 to 254");
    std::vector<FieldBenchRow> rows;
    for (const std::int32_t side : options.sides) {
        if (side < 1 || side > kMaxMapSide)
            throw Error("side is " + std::to_string(side) + ": must be 1 to " + std::to_string(kMaxMapSide));
        rows.push_back(bench_side(options, side));
    }
    return rows;
}

}  // namespace horde
