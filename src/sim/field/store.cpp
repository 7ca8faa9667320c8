#include "sim/field/store.h"

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "sim/field/directions.h"

namespace horde {
namespace {

/// The free cell whose centre is nearest to that of `goal`; of several the one of the first row, then column.
std::optional<Cell> nearest_free(const Map& map, Cell goal) {
    std::optional<Cell> best;
    std::int64_t best_distance = std::numeric_limits<std::int64_t>::max();
    const std::int32_t farthest = std::max(map.columns, map.rows);
    for (std::int32_t ring = 0; ring <= farthest; ++ring) {
        if (std::int64_t{ring} * ring > best_distance) break;
        for (std::int32_t dy = -ring; dy <= ring; ++dy) {
            const bool whole_row = dy == -ring || dy == ring;
            for (std::int32_t dx = -ring; dx <= ring; dx += whole_row ? 1 : 2 * ring) {
                const Cell cell{goal.column + dx, goal.row + dy};
                if (!map.is_free(cell)) continue;
                const std::int64_t distance = std::int64_t{dx} * dx + std::int64_t{dy} * dy;
                const bool first =
                    !best || distance < best_distance ||
                    (distance == best_distance &&
                     (cell.row < best->row || (cell.row == best->row && cell.column < best->column)));
                if (!first) continue;
                best = cell;
                best_distance = distance;
            }
        }
    }
    return best;
}

}  // namespace

std::uint64_t FieldStore::hash_of(const Goals& cells) {
    std::uint64_t hash = mix64(cells.size() + 1);
    for (const Cell cell : cells) {
        hash = mix64(hash, static_cast<std::uint64_t>(static_cast<std::uint32_t>(cell.column)) << 32 |
                               static_cast<std::uint32_t>(cell.row));
    }
    return hash;
}

void FieldStore::lay_out(const FieldStoreSettings& settings, std::span<const LayerCosts> layers,
                         std::span<const std::uint8_t> used, std::vector<Goals> sets, bool last_is_all,
                         Background* background) {
    settings_ = settings;
    background_ = background;
    workers_.resize(background != nullptr ? static_cast<std::size_t>(background->workers()) + 1 : 1);
    layers_.resize(layers.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
        layers_[l].grid = layers[l].costs;
        layers_[l].first_version = layers[l].costs->version;
        layers_[l].is_used = used[l] != 0;
    }
    last_is_all_ = last_is_all;
    sets_.resize(sets.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
        sets_[s].wanted = sets_[s].rooted = std::move(sets[s]);
        sets_[s].start_hash = hash_of(sets_[s].rooted);
    }
    entries_ = std::vector<Entry>(sets_.size() * layers_.size());
}

// Marks a field of the start as live; false if the cache has no room for it.
bool FieldStore::hold(std::size_t key) {
    Entry& made = entries_[key];
    if (made.is_live || !layers_[key % layers_.size()].is_used) return true;
    is_short_ = is_short_ || bytes_ + field_bytes() > settings_.cache_bytes;
    if (is_short_) return false;
    made.is_live = true;
    made.bytes = field_bytes();
    bytes_ += field_bytes();
    return true;
}

void FieldStore::build_start(std::span<const FieldKey> first) {
    for (const FieldKey& wanted : first) {
        if (!hold(key_of(wanted.set, wanted.layer))) break;
    }
    for (std::size_t key = 0; key < entries_.size(); ++key) {
        if (!hold(key)) break;
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const Layer& layer = layers_[l];
        for (std::size_t s = 0; s < sets_.size(); ++s) {
            Entry& made = entry(s, static_cast<int>(l));
            if (!made.is_live) continue;
            place_goals(sets_[s].rooted, layer.grid->map, made.live.field.goals);
            made.grid = layer.grid;
            build_live(made);
        }
    }
    if (is_short_) make_nowhere();
}

// The field of the goals and the costs that it has.
void FieldStore::build_live(Entry& made) {
    FieldWorker& worker = workers_[0];
    worker.take_grid(made.grid);
    worker.builder.integrate(made.live.field);
    worker.builder.flow(made.live.field);
    place_centres(made.live);
}

void FieldStore::make_nowhere() {
    Field& nowhere = nowhere_.field;
    nowhere.columns = layers_[0].grid->map.columns;
    nowhere.rows = layers_[0].grid->map.rows;
    nowhere.integration.assign(cells(), kUnreachable32);
    nowhere.flow.assign(cells(), Direction::kUnreachable);
}

// As if it were not wide: what a field takes shall not depend on what is in it.
std::int64_t FieldStore::field_bytes() const {
    return static_cast<std::int64_t>(cells() * (sizeof(std::uint32_t) + sizeof(Direction)));
}

std::uint64_t FieldStore::build_frames() const {
    const auto per_frame = static_cast<std::uint64_t>(settings_.cells_per_frame);
    return std::max<std::uint64_t>(1, (cells() + per_frame - 1) / per_frame);
}

void FieldStore::place_goals(const Goals& goals, const Map& map, Goals& placed) const {
    placed.clear();
    for (const Cell goal : goals) {
        if (map.is_free(goal)) {
            placed.push_back(goal);
        } else if (settings_.snap_goals) {
            if (const std::optional<Cell> cell = nearest_free(map, goal)) placed.push_back(*cell);
        }
    }
}

void FieldStore::place_centres(GoalField& live) const {
    const double cell_size = layers_[0].grid->map.cell_size;
    live.centre_x.clear();
    live.centre_y.clear();
    for (const Cell goal : live.field.goals) {
        live.centre_x.push_back(static_cast<float>(settings_.left + (goal.column + 0.5) * cell_size));
        live.centre_y.push_back(static_cast<float>(settings_.top + (goal.row + 0.5) * cell_size));
    }
}

GoalPlace FieldStore::goal_place(std::size_t set, int layer) const {
    const Map& map = layers_[static_cast<std::size_t>(layer)].grid->map;
    Goals placed;
    place_goals(sets_[set].wanted, map, placed);
    if (placed.empty()) return GoalPlace::kInWall;
    for (const Cell goal : placed) {
        for (std::size_t d = 0; d < 4; ++d) {  // who comes by a diagonal comes by a straight step too
            if (map.is_free({goal.column + kColumnStep[d], goal.row + kRowStep[d]})) return GoalPlace::kOpen;
        }
    }
    return GoalPlace::kEnclosed;
}

void FieldStore::set_goals(std::size_t set, std::span<const Cell> cells) {
    sets_[set].wanted.assign(cells.begin(), cells.end());
    sets_[set].is_set = true;
    if (!last_is_all_ || set + 1 == sets_.size()) return;
    GoalSet& all = sets_.back();
    all.wanted.clear();
    all.is_set = true;
    for (std::size_t s = 0; s + 1 < sets_.size(); ++s)
        all.wanted.insert(all.wanted.end(), sets_[s].wanted.begin(), sets_[s].wanted.end());
}

bool FieldStore::may_move(std::size_t set, std::uint64_t frame) const {
    const GoalSet& goals = sets_[set];
    return !goals.has_moved || frame >= goals.rooted_in + settings_.goal_interval;
}

std::uint64_t FieldStore::hash() const {
    std::uint64_t sum = 0;
    for (std::size_t key = 0; key < entries_.size(); ++key) {
        const Entry& made = entries_[key];
        const std::uint64_t base = mix64(key + 1, 0xf1e1dull);
        const auto mix = [](std::uint64_t from, const FieldContent& content) {
            return mix64(mix64(from, content.goals), content.costs);
        };
        if (made.is_live && made.content != FieldContent{}) sum += mix(base, made.content);
        if (is_short_) sum += mix64(mix64(base, made.is_live ? 2 : 1), made.last_used);
        if (!made.job) continue;
        sum += mix(mix64(mix64(base, static_cast<std::uint64_t>(made.job->kind) + 3), made.job->due),
                   made.job->content);
    }
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        const GoalSet& set = sets_[s];
        const std::uint64_t base = mix64(s + 1, 0x60a15ull);
        if (set.is_set) sum += mix64(base, hash_of(set.wanted));
        if (set.has_moved) sum += mix64(mix64(base, hash_of(set.rooted)), set.rooted_in + 1);
        if (set.followed) sum += mix64(mix64(base, 5), *set.followed);
    }
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        if (layers_[l].content != 0) sum += mix64(mix64(l + 1, 0xc057ull), layers_[l].content);
    }
    return sum;
}

}  // namespace horde
