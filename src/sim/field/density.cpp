#include "sim/field/density.h"

#include <algorithm>
#include <atomic>

namespace horde {
namespace {

constexpr std::int64_t kRowsInChunk = 32;

// Sums of agents and of free cells side by side in one number: up to 9 free cells above up to 2^28 agents.
constexpr unsigned kFreeShift = 28;
constexpr std::uint32_t kAgentBits = (1u << kFreeShift) - 1;

}  // namespace

Density::Density(const Map& map, double gain, int cap)
    : columns_(map.columns),
      rows_(map.rows),
      cell_size_(map.cell_size),
      gain_(static_cast<float>(gain / (map.cell_size * map.cell_size))),
      cap_(cap),
      agents_(map.cost.size(), 0) {}

Density::RowRange Density::count_agents(const CrowdPlaces& places, Executor& executor) {
    const std::int64_t grain = executor.grain(places.count);
    const bool alone = executor.threads() == 1;
    ranges_.assign(static_cast<std::size_t>((places.count + grain - 1) / std::max<std::int64_t>(grain, 1)),
                   RowRange{rows_, -1});
    executor.for_chunks(places.count, grain, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        RowRange rows{rows_, -1};
        for (std::int64_t i = begin; i < end; ++i) {
            const auto column =
                static_cast<std::int32_t>((static_cast<double>(places.x[i]) - places.left) / cell_size_);
            const auto row =
                static_cast<std::int32_t>((static_cast<double>(places.y[i]) - places.top) / cell_size_);
            rows.first = std::min(rows.first, row);
            rows.last = std::max(rows.last, row);
            std::uint32_t& agents =
                agents_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                        static_cast<std::size_t>(column)];
            if (alone) {
                ++agents;
            } else {
                std::atomic_ref<std::uint32_t>(agents).fetch_add(1, std::memory_order_relaxed);
            }
        }
        ranges_[static_cast<std::size_t>(chunk)] = rows;
    });
    RowRange all{rows_, -1};
    for (const RowRange rows : ranges_)
        all = {std::min(all.first, rows.first), std::max(all.last, rows.last)};
    return all;
}

// `sums` holds, for one row at a time, agents and free cells of three rows, with a border on either side.
void Density::sum_rows(const Terrain& terrain, RowRange rows, std::vector<std::uint32_t>& sums,
                       std::vector<Change>& changes) const {
    const auto columns = static_cast<std::size_t>(columns_);
    const std::uint8_t* cost = terrain.layer(0).costs->map.cost.data();
    changes.clear();
    for (std::int32_t row = rows.first; row <= rows.last; ++row) {
        sums.assign(columns + 2, 0);
        for (std::int32_t r = std::max(row - 1, 0); r <= std::min(row + 1, rows_ - 1); ++r) {
            const std::size_t first = static_cast<std::size_t>(r) * columns;
            for (std::size_t c = 0; c < columns; ++c) {
                const std::uint32_t free_cell = cost[first + c] != kWallCost ? 1u << kFreeShift : 0u;
                sums[c + 1] += free_cell + agents_[first + c];
            }
        }
        const std::size_t first = static_cast<std::size_t>(row) * columns;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::uint32_t sum = sums[c] + sums[c + 1] + sums[c + 2];
            const auto cell = static_cast<std::uint32_t>(first + c);
            std::uint8_t extra = 0;
            if ((sum & kAgentBits) != 0 && cost[cell] != kWallCost) {
                const float wanted =
                    gain_ * static_cast<float>(sum & kAgentBits) / static_cast<float>(sum >> kFreeShift);
                extra = static_cast<std::uint8_t>(std::min(wanted, static_cast<float>(cap_)));
            }
            if (extra != terrain.density(cell)) changes.push_back({cell, extra});
        }
    }
}

void Density::clear_counts(RowRange rows) {
    const auto columns = static_cast<std::ptrdiff_t>(columns_);
    if (rows.first <= rows.last)
        std::fill(agents_.begin() + rows.first * columns, agents_.begin() + (rows.last + 1) * columns, 0u);
}

void Density::update(Terrain& terrain, const CrowdPlaces& places, Executor& executor) {
    const RowRange counted = count_agents(places, executor);
    const RowRange now{std::max(counted.first - 1, 0), std::min(counted.last + 1, rows_ - 1)};
    const bool none = counted.last < counted.first;
    const RowRange rows = none ? before_
                               : (before_.last < before_.first ? now
                                                               : RowRange{std::min(now.first, before_.first),
                                                                          std::max(now.last, before_.last)});
    before_ = none ? RowRange{0, -1} : now;
    const std::int64_t count = rows.last - rows.first + 1;
    if (count <= 0) return;
    const auto chunks = static_cast<std::size_t>((count + kRowsInChunk - 1) / kRowsInChunk);
    if (sums_.size() < chunks) {
        sums_.resize(chunks);
        changes_.resize(chunks);
    }
    executor.for_chunks(count, kRowsInChunk, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        const auto k = static_cast<std::size_t>(chunk);
        const auto first = static_cast<std::int32_t>(rows.first + begin);
        sum_rows(terrain, {first, static_cast<std::int32_t>(rows.first + end - 1)}, sums_[k], changes_[k]);
    });
    for (std::size_t k = 0; k < chunks; ++k) {
        for (const Change change : changes_[k]) terrain.set_density(change.cell, change.extra);
    }
    clear_counts(counted);
}

}  // namespace horde
