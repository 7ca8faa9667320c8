#include "sim/double_flock.h"

#include <algorithm>
#include <bit>

#include "base/timer.h"
#include "horde/error.h"
#include "sim/flock_gather.h"
#include "sim/observe.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

template <int D>
Vec<D, double> row_of(const std::vector<double> (&column)[3], std::int64_t i) {
    Vec<D, double> v;
    for (int k = 0; k < D; ++k) v[k] = column[k][static_cast<std::size_t>(i)];
    return v;
}

template <int D>
void set_row(std::vector<double> (&column)[3], std::int64_t i, Vec<D, double> v) {
    for (int k = 0; k < D; ++k) column[k][static_cast<std::size_t>(i)] = v[k];
}

// Candidates in ascending row, which is ascending id.
template <int D>
struct OrderedStore {
    const DoubleFlock& flock;
    Vec<D, double> position;
    std::vector<std::uint32_t>& rows;  // scratch of the chunk

    template <class F>
    void for_candidates(std::int64_t, double radius, StageCounts& counts, F&& f) const {
        const GridView& grid = flock.grid.view();
        rows.clear();
        for_candidate_runs<D>(grid, position, radius, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t place = begin; place < end; ++place) {
                rows.push_back(grid.brute ? place : flock.row_at[place]);
            }
        });
        counts.candidates += static_cast<std::int64_t>(rows.size());
        if (!grid.brute) std::sort(rows.begin(), rows.end());
        for (const std::uint32_t row : rows) f(static_cast<std::int64_t>(row));
    }
    Vec<D, double> offset(std::int64_t, std::int64_t j) const {
        return offset_between<D>(flock.grid.view(), position, row_of<D>(flock.position, j));
    }
    Vec<D, double> velocity(std::int64_t j) const { return row_of<D>(flock.velocity, j); }
    AgentId id(std::int64_t j) const { return flock.id[static_cast<std::size_t>(j)]; }
};

template <int D>
struct OrderedSums {
    FlockSums<D, double> sums = {};

    void add_social(Vec<D, double> offset, Vec<D, double> velocity, Vec<D, double> own) {
        sums.offset = sums.offset + offset;
        sums.velocity = sums.velocity + velocity;
        sums.relative_velocity = sums.relative_velocity + (velocity - own);
        sums.count += 1.0;
    }
    void add_self(Vec<D, double> own) { sums.velocity = sums.velocity + own; }
    void add_push(Vec<D, double> push) { sums.push = sums.push + push; }
};

void sort_into_grid(DoubleFlock& flock, Executor& executor) {
    const auto count = static_cast<std::int64_t>(flock.id.size());
    if (flock.search == Search::kBrute || (flock.search == Search::kAuto && count < flock.brute_below)) {
        flock.grid.set_brute(count);
        return;
    }
    flock.grid.sort({flock.position[0].data(), flock.position[1].data(), flock.position[2].data()}, count,
                    executor);
    flock.row_at.assign(flock.grid.order().begin(), flock.grid.order().end());
}

template <int D>
void steer_rows(DoubleFlock& flock, std::uint64_t seed, std::uint64_t frame, std::int64_t begin,
                std::int64_t end, StageCounts& counts) {
    std::vector<std::uint32_t> rows;
    for (std::int64_t i = begin; i < end; ++i) {
        const auto row = static_cast<std::size_t>(i);
        const FlockParams<double>& rule = flock.groups[flock.group[row]];
        const bool vicsek = rule.kind == RuleKind::kVicsek;
        const bool due = is_due(frame, flock.id[row], rule.sight.update_every);
        const bool split = rule.sight.separation_every_frame;
        const Vec<D, double> velocity = row_of<D>(flock.velocity, i);
        Vec<D, double> steering = row_of<D>(flock.kept, i);
        if (due || split) {
            OrderedSums<D> found;
            const OrderedStore<D> store{flock, row_of<D>(flock.position, i), rows};
            gather_flock<D>(store, rule.sight, i, {.social = due, .push = !vicsek, .self = vicsek}, found,
                            counts);
            if (split) {
                if (due) set_row<D>(flock.kept, i, flock_social(rule, found.sums, flock.limit[row]));
                steering = flock_join(rule, row_of<D>(flock.kept, i), found.sums.push, flock.limit[row]);
            } else {
                steering = flock_steering(rule, found.sums, velocity, flock.limit[row],
                                          draw_noise<double>(seed, flock.id[row], frame));
                set_row<D>(flock.kept, i, steering);
            }
        } else if (vicsek) {
            steering = velocity;
        }
        set_row<D>(flock.accel, i, steering);
    }
}

template <int D>
void move_rows(DoubleFlock& flock, double dt, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const auto row = static_cast<std::size_t>(i);
        const FlockParams<double>& rule = flock.groups[flock.group[row]];
        const Vec<D, double> velocity = flock_velocity(rule, row_of<D>(flock.velocity, i),
                                                       row_of<D>(flock.accel, i), flock.limit[row], dt);
        Vec<D, double> position = row_of<D>(flock.position, i) + velocity * dt;
        for (int k = 0; k < D; ++k) {
            if (flock.periodic.on) position[k] = wrap_coordinate(flock.periodic, k, position[k]);
            if (flock.wrap.on) position[k] = wrap_once(flock.wrap, k, position[k]);
        }
        set_row<D>(flock.velocity, i, velocity);
        set_row<D>(flock.position, i, position);
    }
}

}  // namespace

DoubleFlock make_double_flock(const Scene& scene, const Frame& frame, const Snapshot* start) {
    if (frame.ground)
        throw Error("precision: double runs flocks without a map; use float, or take the map out");
    const Params& params = frame.params;
    DoubleFlock flock;
    flock.dim = params.dim;
    std::vector<double> limits;
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const std::string key = "agents[" + std::to_string(g) + "]";
        const Rule rule = find_rule(scene, scene.agents[g].rule, key);
        flock.groups.push_back(flock_params<double>(rule));
        limits.push_back(rule_speed(rule));
        if (flock.groups.back().kind == RuleKind::kCrowd) {
            throw Error("precision: double runs reynolds, arcade and vicsek, but " + key +
                        ".rule is a crowd; use float");
        }
    }
    flock.search = params.search;
    flock.brute_below = params.brute_below;
    flock.periodic = params.periodic;
    flock.wrap = params.wrap;
    const double origin[3] = {params.origin.x, params.origin.y, params.origin.z};
    const Agents& agents = frame.agents;
    const auto count = static_cast<std::size_t>(agents.count);
    for (int k = 0; k < flock.dim; ++k) {
        flock.periodic.min[k] += origin[k];
        flock.wrap.min[k] += origin[k];
        flock.accel[k].resize(count);
        flock.kept[k].resize(count);
    }
    // The rows of a start are spawned in its order, so there an index is a row of it.
    for (const std::uint32_t i : id_order(agents)) {
        const std::uint8_t group = agents.group.now[i];
        flock.id.push_back(agents.id.now[i]);
        flock.group.push_back(group);
        // Without a spread the limit is the scene's number, not that number rounded to float.
        flock.limit.push_back(params.groups[group].speed_spread == 0.0f ? limits[group]
                                                                        : agents.speed.now[i]);
        const Vec3 at = start != nullptr ? start->position[i] : Vec3{};
        const Vec3 going = start != nullptr ? start->velocity[i] : Vec3{};
        const double place[3] = {at.x, at.y, at.z}, motion[3] = {going.x, going.y, going.z};
        for (int k = 0; k < flock.dim; ++k) {
            double x = start != nullptr ? place[k] : origin[k] + agents.position[k].now[i];
            if (flock.periodic.on) x = wrap_coordinate(flock.periodic, k, x);
            flock.position[k].push_back(x);
            flock.velocity[k].push_back(start != nullptr ? motion[k] : agents.velocity[k].now[i]);
        }
    }
    flock.grid.set(flock.dim, params.cell, flock.periodic);
    return flock;
}

void write_rows(const DoubleFlock& flock, Snapshot& out) {
    const auto vector_of = [&](const std::vector<double>(&column)[3], std::size_t row) {
        return Vec3{column[0][row], column[1][row], flock.dim == 3 ? column[2][row] : 0.0};
    };
    for (std::size_t row = 0; row < flock.id.size(); ++row) {
        out.position[row] = vector_of(flock.position, row);
        out.velocity[row] = vector_of(flock.velocity, row);
    }
}

VerifyReport verify_double(const DoubleFlock& flock, const Frame& frame) {
    Params params = frame.params;
    params.periodic = flock.periodic;
    const auto count = static_cast<std::int64_t>(flock.id.size());
    const std::int64_t chosen = choose_to_verify(flock.id.data(), count, params.seed, frame.number);
    GridView rows;  // as they lie: no grid holds them in order
    rows.brute = true;
    return verify_search(params, rows,
                         {flock.position[0].data(), flock.position[1].data(), flock.position[2].data()},
                         flock.id.data(), count, chosen,
                         flock.groups[flock.group[static_cast<std::size_t>(chosen)]].sight.radius);
}

void step_double(DoubleFlock& flock, std::uint64_t seed, std::uint64_t frame, double dt, Executor& executor,
                 FrameReport& report) {
    const FloatMode mode;
    const Timer whole;
    const auto count = static_cast<std::int64_t>(flock.id.size());
    const std::int64_t grain = executor.grain(count);
    std::vector<StageCounts> counts(static_cast<std::size_t>((count + grain - 1) / grain));
    const auto timed = [&](const char* name, auto&& stage) {
        const Timer timer;
        stage();
        report.stages.push_back({name, timer.us()});
    };
    report.stages.clear();
    timed("grid", [&] { sort_into_grid(flock, executor); });
    timed("steer", [&] {
        executor.for_chunks(count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
            StageCounts& of_chunk = counts[static_cast<std::size_t>(chunk)];
            flock.dim == 2 ? steer_rows<2>(flock, seed, frame, begin, end, of_chunk)
                           : steer_rows<3>(flock, seed, frame, begin, end, of_chunk);
        });
    });
    timed("move", [&] {
        executor.for_chunks(count, grain, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
            flock.dim == 2 ? move_rows<2>(flock, dt, begin, end) : move_rows<3>(flock, dt, begin, end);
        });
    });
    report.candidates = report.neighbours = report.drops = 0;
    for (const StageCounts& of_chunk : counts) {
        report.candidates += of_chunk.candidates;
        report.neighbours += of_chunk.neighbours;
        report.drops += of_chunk.dropped;
    }
    const std::int64_t occupied = flock.grid.occupied_cells();
    report.cells_occupied = occupied;
    report.agents_per_cell_mean =
        occupied > 0 ? static_cast<double>(count) / static_cast<double>(occupied) : 0.0;
    report.agents_per_cell_max = flock.grid.largest_cell();
    report.frame = frame + 1;
    report.agents = count;
    report.frame_us = whole.us();
}

std::uint64_t state_hash(const DoubleFlock& flock, std::uint64_t seed, std::uint64_t frame) {
    constexpr std::uint64_t kDouble = 64;  // precision, in bits
    const auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v == 0.0 ? 0.0 : v); };
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < flock.id.size(); ++row) {
        std::uint64_t hash = mix64(flock.id[row]);
        for (int k = 0; k < flock.dim; ++k) {
            hash = mix64(hash, bits(flock.position[k][row]));
            hash = mix64(hash, bits(flock.velocity[k][row]));
            hash = mix64(hash, bits(flock.kept[k][row]));
        }
        hash = mix64(hash, flock.group[row]);
        sum += mix64(hash, bits(flock.limit[row]));
    }
    return sum + mix64(mix64(mix64(frame), seed), kDouble);
}

}  // namespace horde
