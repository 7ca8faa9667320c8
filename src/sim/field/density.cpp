#include "sim/field/density.h"

#include <algorithm>
#include <atomic>

namespace horde {
namespace {

constexpr std::int64_t kRowsInChunk = 32;
constexpr std::int32_t kBlock = 64;  // cells of a row that are marked together

// Sums of agents and of free cells side by side in one number: up to 9 free cells above up to 2^28 agents.
constexpr unsigned kFreeShift = 28;
constexpr std::uint32_t kAgentBits = (1u << kFreeShift) - 1;

}  // namespace

Density::Density(const Map& map, double gain, int cap)
    : columns_(map.columns),
      rows_(map.rows),
      blocks_((map.columns + kBlock - 1) / kBlock),
      cell_size_(map.cell_size),
      gain_(static_cast<float>(gain / (map.cell_size * map.cell_size))),
      cap_(cap),
      agents_(map.cost.size(), 0) {
    marked_.assign((static_cast<std::size_t>(rows_) + 2) * (static_cast<std::size_t>(blocks_) + 2), 0);
    marked_before_ = marked_;
}

std::size_t Density::mark_index(std::int32_t row, std::int32_t block) const {
    return (static_cast<std::size_t>(row) + 1) * (static_cast<std::size_t>(blocks_) + 2) +
           static_cast<std::size_t>(block) + 1;
}

void Density::count_agents(const CrowdPlaces& places, Executor& executor) {
    const bool alone = executor.threads() == 1;
    executor.for_chunks(
        places.count, executor.grain(places.count), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const auto column =
                    static_cast<std::int32_t>((static_cast<double>(places.x[i]) - places.left) / cell_size_);
                const auto row =
                    static_cast<std::int32_t>((static_cast<double>(places.y[i]) - places.top) / cell_size_);
                std::uint32_t& agents =
                    agents_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                            static_cast<std::size_t>(column)];
                std::uint8_t& mark = marked_[mark_index(row, column / kBlock)];
                if (alone) {
                    ++agents;
                    mark = 1;
                } else {
                    std::atomic_ref<std::uint32_t>(agents).fetch_add(1, std::memory_order_relaxed);
                    std::atomic_ref<std::uint8_t>(mark).store(1, std::memory_order_relaxed);
                }
            }
        });
}

void Density::find_near(std::int32_t row, std::vector<std::uint8_t>& near) const {
    near.assign(static_cast<std::size_t>(blocks_), 0);
    for (std::int32_t r = row - 1; r <= row + 1; ++r) {
        const std::uint8_t* now = marked_.data() + mark_index(r, 0);
        const std::uint8_t* before = marked_before_.data() + mark_index(r, 0);
        for (std::int32_t b = 0; b < blocks_; ++b) {
            near[static_cast<std::size_t>(b)] |= static_cast<std::uint8_t>(
                now[b - 1] | now[b] | now[b + 1] | before[b - 1] | before[b] | before[b + 1]);
        }
    }
}

void Density::sum_block(const Terrain& terrain, std::int32_t row, std::int32_t block,
                        Scratch& scratch) const {
    const std::uint8_t* cost = terrain.grid(0).map.cost.data();
    // One more column on either side, as far as there is one; what is beyond stays 0.
    const std::int32_t first = block * kBlock, last = std::min(first + kBlock, columns_) - 1;
    const std::int32_t from = std::max(first - 1, 0), to = std::min(last + 1, columns_ - 1);
    std::vector<std::uint32_t>& sums = scratch.sums;
    sums.assign(kBlock + 2, 0);
    for (std::int32_t r = std::max(row - 1, 0); r <= std::min(row + 1, rows_ - 1); ++r) {
        const std::size_t start = static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_);
        for (std::int32_t c = from; c <= to; ++c) {
            const std::size_t cell = start + static_cast<std::size_t>(c);
            const std::uint32_t free_cell = cost[cell] != kWallCost ? 1u << kFreeShift : 0u;
            sums[static_cast<std::size_t>(c - first + 1)] += free_cell + agents_[cell];
        }
    }
    // In plain numbers and of constant length, so that compilers use lanes.
    std::uint8_t extra[kBlock];
    const auto most = static_cast<float>(cap_);
    for (std::size_t k = 0; k < kBlock; ++k) {
        const std::uint32_t sum = sums[k] + sums[k + 1] + sums[k + 2];
        const auto agents = static_cast<float>(static_cast<std::int32_t>(sum & kAgentBits));
        const auto free_cells = static_cast<float>(std::max(static_cast<std::int32_t>(sum >> kFreeShift), 1));
        const float wanted = gain_ * agents / free_cells;
        extra[k] = static_cast<std::uint8_t>(static_cast<std::int32_t>(wanted < most ? wanted : most));
    }
    const std::size_t start =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(first);
    const auto count = static_cast<std::size_t>(last - first + 1);
    for (std::size_t k = 0; k < count; ++k)
        extra[k] = cost[start + k] != kWallCost ? extra[k] : std::uint8_t{0};
    const std::uint8_t* before = terrain.densities().data() + start;
    if (std::equal(extra, extra + count, before)) return;
    for (std::size_t k = 0; k < count; ++k) {
        if (extra[k] != before[k])
            scratch.changes.push_back({static_cast<std::uint32_t>(start + k), extra[k]});
    }
}

void Density::clear_counts() {
    for (std::int32_t row = 0; row < rows_; ++row) {
        for (std::int32_t block = 0; block < blocks_; ++block) {
            if (marked_[mark_index(row, block)] == 0) continue;
            const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                                      static_cast<std::size_t>(block) * kBlock;
            const auto count = static_cast<std::size_t>(std::min(kBlock, columns_ - block * kBlock));
            std::fill_n(agents_.begin() + static_cast<std::ptrdiff_t>(first), count, 0u);
        }
    }
    marked_.swap(marked_before_);
    std::fill(marked_.begin(), marked_.end(), std::uint8_t{0});
}

void Density::update(Terrain& terrain, const CrowdPlaces& places, Executor& executor) {
    terrain.allow_densities();
    count_agents(places, executor);
    const auto chunks = static_cast<std::size_t>((rows_ + kRowsInChunk - 1) / kRowsInChunk);
    if (scratch_.size() < chunks) scratch_.resize(chunks);
    executor.for_chunks(rows_, kRowsInChunk, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
        Scratch& scratch = scratch_[static_cast<std::size_t>(chunk)];
        scratch.changes.clear();
        for (auto row = static_cast<std::int32_t>(begin); row < end; ++row) {
            find_near(row, scratch.near);
            for (std::int32_t block = 0; block < blocks_; ++block) {
                if (scratch.near[static_cast<std::size_t>(block)] != 0)
                    sum_block(terrain, row, block, scratch);
            }
        }
    });
    for (std::size_t k = 0; k < chunks; ++k) {
        for (const Change change : scratch_[k].changes) terrain.set_density(change.cell, change.extra);
    }
    clear_counts();
}

// An agent that has added to a cell stood in its block or in one beside it.
void Density::take(const Terrain& terrain) {
    const std::span<const std::uint8_t> extra = terrain.densities();
    std::fill(marked_before_.begin(), marked_before_.end(), std::uint8_t{0});
    for (std::size_t cell = 0; cell < extra.size(); ++cell) {
        if (extra[cell] == 0) continue;
        const auto row = static_cast<std::int32_t>(cell / static_cast<std::size_t>(columns_));
        const auto column = static_cast<std::int32_t>(cell % static_cast<std::size_t>(columns_));
        marked_before_[mark_index(row, column / kBlock)] = 1;
    }
}

}  // namespace horde
