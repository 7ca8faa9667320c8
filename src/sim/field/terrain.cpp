#include "sim/field/terrain.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/random.h"
#include "horde/error.h"
#include "sim/field/field_builder.h"

namespace horde {
namespace {

constexpr std::uint64_t kStampKind = 1;
constexpr std::uint64_t kCostKind = 2;
constexpr std::uint64_t kDensityKind = 3;

std::string in_words(Cell cell) {
    return "(" + std::to_string(cell.column) + ", " + std::to_string(cell.row) + ")";
}

}  // namespace

Terrain::Terrain(Map map, std::vector<std::uint8_t> slope, std::vector<LayerRule> layers)
    : map_(std::move(map)), slope_(std::move(slope)), is_touched_(map_.cost.size(), 0) {
    check_map(map_);
    layers_.emplace_back(LayerRule{});
    for (LayerRule& rule : layers) layers_.emplace_back(std::move(rule));
    for (TerrainLayer& layer : layers_)
        layer.reset(map_, [&](std::uint32_t cell) { return cell_now(layer.rule(), cell); });
}

std::uint64_t Terrain::stamp_hash(int cost, std::span<const CellRun> runs) {
    std::uint64_t hash = mix64(kStampKind, static_cast<std::uint64_t>(cost));
    for (const CellRun run : runs) hash = mix64(mix64(hash, run.first), run.count);
    return hash;
}

std::uint64_t Terrain::cost_hash(std::uint32_t cell, std::uint8_t value) {
    return mix64(mix64(kCostKind, cell), value);
}

std::uint64_t Terrain::density_hash(std::uint32_t cell, std::uint8_t value) {
    return mix64(mix64(kDensityKind, cell), value);
}

TerrainLayer::CellNow Terrain::cell_now(const LayerRule& rule, std::uint32_t cell) const {
    const std::uint8_t own = rule.cost[map_.cost[cell]];
    if (own == kWallCost || is_wall(std::size_t{cell})) return {true, kWallCost};
    std::uint32_t cost = own;
    if (!slope_.empty()) cost += slope_[cell];
    if (!extra_.empty()) cost += extra_[cell];
    if (!density_.empty()) cost += density_[cell];
    return {false, static_cast<std::uint8_t>(std::min<std::uint32_t>(cost, kWallCost - 1))};
}

void Terrain::check_cost(const char* what, int cost) {
    if (cost >= 1 && cost <= kWallCost) return;
    throw Error(std::string(what) + ": cost " + std::to_string(cost) + "; give 1 to 254, or 255 for a wall");
}

void Terrain::check_area(const char* what, const CellArea& area) const {
    if (area.last.column < area.first.column || area.last.row < area.first.row)
        throw Error(std::string(what) + ": area from " + in_words(area.first) + " to " + in_words(area.last) +
                    " has no cells; give the least column and row first");
    for (const Cell cell : {area.first, area.last}) {
        if (map_.contains(cell)) continue;
        throw Error(std::string(what) + ": cell " + in_words(cell) + " lies outside the map of " +
                    std::to_string(map_.columns) + " x " + std::to_string(map_.rows) +
                    " cells; give cells inside");
    }
}

void Terrain::touch(std::uint32_t cell) {
    if (is_touched_[cell] != 0) return;
    is_touched_[cell] = 1;
    touched_.push_back(cell);
}

void Terrain::apply(const Stamp& stamp, bool add) {
    std::vector<std::uint32_t>& sums = stamp.cost == kWallCost ? walls_ : extra_;
    if (sums.empty()) sums.assign(map_.cost.size(), 0);
    const std::uint32_t part = stamp.cost == kWallCost ? 1u : static_cast<std::uint32_t>(stamp.cost);
    for (const CellRun run : stamp.runs) {
        for (std::uint32_t cell = run.first; cell < run.first + run.count; ++cell) {
            sums[cell] = add ? sums[cell] + part : sums[cell] - part;
            touch(cell);
        }
    }
    stamps_hash_ = add ? stamps_hash_ + stamp.hash : stamps_hash_ - stamp.hash;
}

StampId Terrain::add_stamp(int cost, std::vector<CellRun> runs) {
    const StampId id =
        next_stamp_++;  // not hashed: it is the caller's name for the stamp, no frame asks for it
    const std::uint64_t hash = stamp_hash(cost, runs);
    const auto place = stamps_.emplace(id, Stamp{cost, std::move(runs), hash}).first;
    apply(place->second, true);
    return id;
}

StampId Terrain::stamp(const CellArea& area, int cost) {
    check_cost("stamp", cost);
    check_area("stamp", area);
    std::vector<CellRun> runs;
    const auto width = static_cast<std::uint32_t>(area.last.column - area.first.column + 1);
    for (std::int32_t row = area.first.row; row <= area.last.row; ++row)
        runs.push_back({static_cast<std::uint32_t>(map_.index({area.first.column, row})), width});
    return add_stamp(cost, std::move(runs));
}

StampId Terrain::stamp(std::span<const Cell> cells, int cost) {
    check_cost("stamp", cost);
    if (cells.empty()) throw Error("stamp: no cells; give at least one");
    std::vector<std::uint32_t> indices;
    for (const Cell cell : cells) {
        check_area("stamp", {cell, cell});
        indices.push_back(static_cast<std::uint32_t>(map_.index(cell)));
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    std::vector<CellRun> runs;
    for (const std::uint32_t cell : indices) {
        if (!runs.empty() && runs.back().first + runs.back().count == cell) {
            ++runs.back().count;
        } else {
            runs.push_back({cell, 1});
        }
    }
    return add_stamp(cost, std::move(runs));
}

void Terrain::unstamp(StampId id) {
    const auto place = stamps_.find(id);
    if (place == stamps_.end())
        throw Error("unstamp: there is no stamp " + std::to_string(id) +
                    "; give the id of a stamp that has not been taken away");
    apply(place->second, false);
    stamps_.erase(place);
}

void Terrain::set_cost(const CellArea& area, int cost) {
    check_cost("set_cost", cost);
    check_area("set_cost", area);
    if (start_cost_.empty()) start_cost_ = map_.cost;
    const auto value = static_cast<std::uint8_t>(cost);
    for (Cell c{0, area.first.row}; c.row <= area.last.row; ++c.row) {
        for (c.column = area.first.column; c.column <= area.last.column; ++c.column) {
            const auto cell = static_cast<std::uint32_t>(map_.index(c));
            std::uint8_t& own = map_.cost[cell];
            if (own == value) continue;
            if (own != start_cost_[cell]) costs_hash_ -= cost_hash(cell, own);
            own = value;
            if (own != start_cost_[cell]) costs_hash_ += cost_hash(cell, own);
            touch(cell);
        }
    }
}

void Terrain::allow_densities() {
    if (density_.empty()) density_.assign(map_.cost.size(), 0);
}

void Terrain::set_density(std::uint32_t cell, std::uint8_t extra) {
    allow_densities();
    std::uint8_t& own = density_[cell];
    if (own == extra) return;
    if (own != 0) density_hash_ -= density_hash(cell, own);
    own = extra;
    if (own != 0) density_hash_ += density_hash(cell, own);
    touch(cell);
}

Map Terrain::start_map() const {
    Map map = map_;
    if (!start_cost_.empty()) map.cost = start_cost_;
    return map;
}

bool Terrain::commit() {
    bool changed = false;
    for (TerrainLayer& layer : layers_) {
        if (touched_.empty()) {
            layer.clear_changed();
            continue;
        }
        const auto now = [&](std::uint32_t cell) { return cell_now(layer.rule(), cell); };
        changed = layer.commit(touched_, now) || changed;
    }
    for (const std::uint32_t cell : touched_) is_touched_[cell] = 0;
    touched_.clear();
    return changed;
}

}  // namespace horde
