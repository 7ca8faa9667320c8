#include "bench/living_fields.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <string>

#include "base/random.h"
#include "bench/measure.h"
#include "horde/error.h"
#include "sim/field/field_builder.h"
#include "sim/field/repair.h"
#include "sim/field/store.h"
#include "sim/field/terrain.h"

namespace horde::bench {
namespace {

constexpr std::uint32_t kWallPercent = 20;
constexpr double kFrameMs = 1000.0 / 60.0;

/// Numbers drawn one after the other.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint32_t below(std::uint32_t end) {
        state_ = mix64(state_ + 0x9e3779b97f4a7c15ull);
        return static_cast<std::uint32_t>((state_ >> 32) * end >> 32);
    }

  private:
    std::uint64_t state_;
};

/// Core time of the process in milliseconds, to a microsecond.
double core_ms() {
    return static_cast<double>(std::clock()) * (1000.0 / CLOCKS_PER_SEC);
}

std::uint8_t draw_cost(Dice& dice, std::uint32_t greatest) {
    if (dice.below(100) < kWallPercent) return kWallCost;
    return static_cast<std::uint8_t>(1 + dice.below(greatest));
}

Map draw_map(const LivingFieldsBench& bench, Dice& dice, std::int32_t side) {
    if (bench.greatest_cost < 1 || bench.greatest_cost > 254) throw Error("greatest_cost must be 1 to 254");
    Map map{side, side, 1.0, {}};
    map.cost.resize(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    for (std::uint8_t& cost : map.cost) cost = draw_cost(dice, bench.greatest_cost);
    return map;
}

Cell draw_goal(Dice& dice, const Map& map, const std::vector<std::uint32_t>& part) {
    if (part.empty()) throw Error("bench field: the map has no free cell; lower its walls");
    const std::uint32_t cell = part[dice.below(static_cast<std::uint32_t>(part.size()))];
    return {static_cast<std::int32_t>(cell) % map.columns, static_cast<std::int32_t>(cell) / map.columns};
}

Row row_for(const std::string& name, std::int32_t side, std::vector<double> times) {
    Row row;
    row.name = name;
    row.scene = "random";
    row.backend = "scalar";
    row.cells = std::int64_t{side} * side;
    row.ms = spread_of(std::move(times));
    return row;
}

/// A store over a map of its own, worked off by the calling thread alone.
struct Living {
    Living(Map map, std::vector<FieldStore::Goals> sets, FieldStoreSettings settings)
        : terrain(std::move(map), {}, {}), layers(1) {
        layers[0] = terrain.layer(0);
        const std::vector<std::uint8_t> used = {1};
        store.set_up(settings, layers, used, std::move(sets), false, nullptr);
    }

    /// Core time of the frame's part.
    double step() {
        terrain.commit();
        layers[0] = terrain.layer(0);
        const double start = core_ms();
        store.update(frame++, layers);
        return core_ms() - start;
    }

    /// Steps until nothing is pending, at most `most` frames.
    std::vector<double> settle(int most) {
        std::vector<double> times = {step()};
        while (store.pending() > 0 && static_cast<int>(times.size()) < most) times.push_back(step());
        return times;
    }

    Terrain terrain;
    std::vector<LayerCosts> layers;
    FieldStore store;
    std::uint64_t frame = 0;
};

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<std::uint32_t> edit_block(Dice& dice, Map& map, std::size_t goal, std::uint32_t greatest) {
    const Cell at{static_cast<std::int32_t>(dice.below(static_cast<std::uint32_t>(map.columns) - 2)),
                  static_cast<std::int32_t>(dice.below(static_cast<std::uint32_t>(map.rows) - 2))};
    std::vector<std::uint32_t> changed;
    for (std::int32_t k = 0; k < 9; ++k) {
        const std::size_t cell = map.index({at.column + k % 3, at.row + k / 3});
        const std::uint8_t cost = draw_cost(dice, greatest);
        if (cell == goal || map.cost[cell] == cost) continue;
        map.cost[cell] = cost;
        changed.push_back(static_cast<std::uint32_t>(cell));
    }
    return changed;
}

}  // namespace

Row bench_repair(const LivingFieldsBench& bench) {
    constexpr std::int32_t kSide = 512;
    Dice dice(bench.seed);
    Map map = draw_map(bench, dice, kSide);
    const std::vector<Cell> goals = {{kSide / 2, kSide / 2}};
    map.cost[map.index(goals[0])] = 1;
    FieldBuilder builder;
    FieldRepairer repairer;
    Field live, spare, fresh;
    live.goals = fresh.goals = goals;
    builder.set_map(map);
    builder.integrate(live);
    builder.flow(live);
    std::vector<double> repairs, builds;
    int given_up = 0;
    for (int n = -20; n < bench.repeat; ++n) {
        const std::vector<std::uint32_t> changed =
            edit_block(dice, map, map.index(goals[0]), bench.greatest_cost);
        const double start = core_ms();
        spare = live;
        const bool mended = repairer.repair(map, changed, goals, repair_budget(map.cost.size()), spare);
        if (!mended) {
            builder.set_map(map);
            spare.goals = goals;
            builder.integrate(spare);
            builder.flow(spare);
        }
        const double repaired = core_ms();
        builder.set_map(map);
        builder.integrate(fresh);
        builder.flow(fresh);
        const double built = core_ms();
        std::swap(live, spare);
        if (live.integration != fresh.integration || live.flow != fresh.flow)
            throw Error("bench field: a repaired field is not the one built anew");
        if (n < 0) continue;
        repairs.push_back(repaired - start);
        builds.push_back(built - repaired);
        given_up += mended ? 0 : 1;
    }
    Row row = row_for("field-repair", kSide, repairs);
    const Spread full = spread_of(builds);
    row.stage_ms = {{"full", full}};
    row.values = {{"median_times_cheaper", full.median / row.ms.median},
                  {"p99_ms", quantile(repairs, 0.99)},
                  {"worst_of_full", row.ms.max / full.median},
                  {"p999_of_full", quantile(repairs, 0.999) / full.median},
                  {"given_up", given_up / static_cast<double>(bench.repeat)}};
    return row;
}

Row bench_moving_goal(const LivingFieldsBench& bench) {
    constexpr std::int32_t kSide = 256;
    Dice dice(bench.seed);
    Map map = draw_map(bench, dice, kSide);
    const std::vector<std::uint32_t> part = largest_connected_part(map);
    Living living(map, {{draw_goal(dice, map, part)}}, {.goal_interval = 30});
    std::vector<double> times;
    for (int n = -60; n < bench.repeat; ++n) {
        living.store.set_goals(0, std::vector<Cell>{draw_goal(dice, map, part)});
        const double ms = living.step();
        if (n >= 0) times.push_back(ms);
    }
    Row row = row_for("field-moving", kSide, times);
    row.values = {{"mean_ms", sum_of(times) / static_cast<double>(times.size())},
                  {"mean_part_of_frame", sum_of(times) / static_cast<double>(times.size()) / kFrameMs},
                  {"worst_part_of_frame", row.ms.max / kFrameMs},
                  {"fields_built", static_cast<double>(living.store.version(0, 0))}};
    return row;
}

Row bench_goals(const LivingFieldsBench& bench, int goals) {
    constexpr std::int32_t kSide = 512;
    if (goals < 1 || goals > 1000) throw Error("goals must be 1 to 1000");
    Dice dice(bench.seed);
    Map map = draw_map(bench, dice, kSide);
    const std::vector<std::uint32_t> part = largest_connected_part(map);
    std::vector<FieldStore::Goals> sets(static_cast<std::size_t>(goals));
    for (FieldStore::Goals& set : sets) set = {draw_goal(dice, map, part)};
    // 16 frames for a field, so that the frame pays for one 512 x 512 field when 16 are under way.
    Living living(map, sets, {.cells_per_frame = kSide * kSide / 16, .goal_interval = 30});
    const auto refresh = [&] {
        for (std::size_t set = 0; set < sets.size(); ++set)
            living.store.set_goals(set, std::vector<Cell>{draw_goal(dice, map, part)});
        return living.settle(1000);
    };
    refresh();  // warms up
    for (int n = 0; n < 40; ++n) living.step();
    const std::vector<double> times = refresh();
    Row row = row_for("field-goals-" + std::to_string(goals), kSide, times);
    row.values = {{"frames", static_cast<double>(times.size() - 1)}, {"core_ms", sum_of(times)}};
    return row;
}

Row bench_large_field(const LivingFieldsBench& bench, std::int32_t side) {
    if (side < 16 || side > kMaxMapSide) throw Error("side must be 16 to " + std::to_string(kMaxMapSide));
    Dice dice(bench.seed);
    Map map = draw_map(bench, dice, side);
    const std::vector<std::uint32_t> part = largest_connected_part(map);
    const Cell first = draw_goal(dice, map, part), second = draw_goal(dice, map, part);
    const Cell third = draw_goal(dice, map, part);
    Living living(std::move(map), {{first}}, {});
    living.store.set_goals(0, std::vector<Cell>{second});
    living.settle(100'000);  // warms up
    living.store.set_goals(0, std::vector<Cell>{third});
    const std::vector<double> times = living.settle(100'000);
    living.terrain.stamp(CellArea{{side / 3, side / 3}, {side / 3 + 2, side / 3 + 2}}, kWallCost);
    const std::vector<double> repair = living.settle(100'000);
    Row row = row_for("field-large", side, times);
    row.values = {{"frames", static_cast<double>(times.size() - 1)},
                  {"core_ms", sum_of(times)},
                  {"repair_frames", static_cast<double>(repair.size() - 1)},
                  {"repair_core_ms", sum_of(repair)}};
    return row;
}

}  // namespace horde::bench
