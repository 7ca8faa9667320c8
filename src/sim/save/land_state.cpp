// The terrain: own costs, stamps, crowds, and edits that are not in force yet.
#include <algorithm>

#include "base/random.h"
#include "sim/save/visit.h"

namespace horde {

struct FloorState {
    // What the last change closed, for bodies that stand there still; the rest follows from the costs.
    template <class Archive>
    static void visit(Archive& a, Floor& floor) {
        visit_values(a, floor.closed_now_, floor.cells_.size(), "closed cells");
        if constexpr (Archive::kReads) {
            const std::vector<std::uint32_t>& closed = floor.closed_now_;
            for (std::size_t k = 0; k < closed.size(); ++k) {
                if (closed[k] >= floor.cells_.size() || (k > 0 && closed[k] <= closed[k - 1]))
                    a.refuse("closed cells are no cells in order");
            }
            floor.find_parts();
            floor.find_exits();
        }
    }
};

struct TerrainState {
    template <class Archive>
    static void visit(Archive& a, Terrain& terrain) {
        visit_own_costs(a, terrain);
        visit_stamps(a, terrain);
        bool has_density = !terrain.density_.empty();
        a.value(has_density);
        if (Archive::kReads && has_density) terrain.allow_densities();
        a.array(terrain.density_.data(), terrain.density_.size());
        visit_touched(a, terrain);
        if constexpr (Archive::kReads) count_differences(terrain);
    }

    static bool has(const Terrain& terrain, StampId id) { return terrain.stamps_.count(id) > 0; }

  private:
    template <class Archive>
    static void visit_own_costs(Archive& a, Terrain& terrain) {
        std::vector<std::uint8_t>& own = terrain.map_.cost;
        bool differ = !terrain.start_cost_.empty();
        a.value(differ);
        if (!differ) return;
        if constexpr (Archive::kReads) terrain.start_cost_ = own;
        a.array(own.data(), own.size());
        if (std::find(own.begin(), own.end(), 0) != own.end()) throw Error("a cell of the map costs 0");
    }

    template <class Archive>
    static void visit_stamp(Archive& a, Terrain::Stamp& stamp, std::size_t cells) {
        a.value(stamp.cost);
        Terrain::check_cost("a stamp", stamp.cost);
        a.size(stamp.runs, 8, cells, "runs of a stamp");
        std::size_t end = 0;
        for (Terrain::CellRun& run : stamp.runs) {
            a.below(run.first, cells, "cell");
            a.below(run.count, cells - run.first + 1, "end of a run");
            if (run.first < end) throw Error("the cells of a stamp are not in order");
            end = std::size_t{run.first} + run.count;
        }
    }

    template <class Archive>
    static void visit_stamps(Archive& a, Terrain& terrain) {
        const std::size_t cells = terrain.map_.cost.size();
        auto next = static_cast<std::uint64_t>(terrain.next_stamp_);
        a.value(next);
        std::vector<StampId> ids;
        for (const auto& [id, stamp] : terrain.stamps_) ids.push_back(id);
        a.size(ids, 24, cells * 256, "stamps");
        for (StampId& id : ids) {
            a.value(id);
            Terrain::Stamp read{0, {}, 0};
            Terrain::Stamp& stamp = Archive::kReads ? read : terrain.stamps_.at(id);
            visit_stamp(a, stamp, cells);
            if constexpr (Archive::kReads) {
                if (id == 0 || id >= next || has(terrain, id)) a.refuse("the ids of stamps are not in order");
                std::uint64_t hash = Terrain::stamp_hash(stamp.cost, stamp.runs);
                const auto place =
                    terrain.stamps_.emplace(id, Terrain::Stamp{stamp.cost, std::move(stamp.runs), hash})
                        .first;
                terrain.apply(place->second, true);
            }
        }
        terrain.next_stamp_ = static_cast<StampId>(next);
    }

    // Cells with edits that no commit has seen: what the layers have them as, which nothing else tells.
    template <class Archive>
    static void visit_touched(Archive& a, Terrain& terrain) {
        const std::size_t cells = terrain.map_.cost.size();
        std::vector<std::uint32_t> touched = terrain.touched_;
        visit_values(a, touched, cells, "edited cells");
        std::vector<std::uint32_t> at;  // by cell: its place in `touched`, from 1
        if constexpr (Archive::kReads) {
            for (const std::uint32_t cell : terrain.touched_) terrain.is_touched_[cell] = 0;
            terrain.touched_.clear();
            at.assign(cells, 0);
            for (std::size_t k = 0; k < touched.size(); ++k) {
                if (touched[k] >= cells || at[touched[k]] != 0)
                    a.refuse("an edited cell comes twice or is none");
                at[touched[k]] = static_cast<std::uint32_t>(k) + 1;
                terrain.touch(touched[k]);
            }
        }
        for (TerrainLayer& layer : terrain.layers_) {
            std::vector<TerrainLayer::CellNow> before(touched.size());
            std::uint32_t version = layer.grid().version;
            a.value(version);
            for (std::size_t k = 0; k < touched.size(); ++k) {
                if constexpr (!Archive::kReads)
                    before[k] = {layer.is_blocked(touched[k]), layer.grid().map.cost[touched[k]]};
                a.value(before[k].blocked);
                a.value(before[k].cost);
                if (before[k].cost == 0) throw Error("a cell of the map costs 0");
            }
            if constexpr (Archive::kReads) {
                const auto cell_then = [&](std::uint32_t cell) {
                    return at[cell] != 0 ? before[at[cell] - 1] : terrain.cell_now(layer.rule(), cell);
                };
                layer.reset(terrain.map_, cell_then, version);
            }
        }
    }

    // The hashes of all that differs from the start.
    static void count_differences(Terrain& terrain) {
        terrain.costs_hash_ = terrain.density_hash_ = 0;
        for (std::size_t cell = 0; cell < terrain.start_cost_.size(); ++cell) {
            if (terrain.map_.cost[cell] != terrain.start_cost_[cell])
                terrain.costs_hash_ +=
                    Terrain::cost_hash(static_cast<std::uint32_t>(cell), terrain.map_.cost[cell]);
        }
        for (std::size_t cell = 0; cell < terrain.density_.size(); ++cell) {
            if (terrain.density_[cell] != 0)
                terrain.density_hash_ +=
                    Terrain::density_hash(static_cast<std::uint32_t>(cell), terrain.density_[cell]);
        }
    }
};

namespace {

// A stamp of the scene is there from its first frame until its last, and is this edit's own.
void check_schedule(const Land& land) {
    std::vector<std::uint8_t> active(land.edits.size(), 0);
    for (std::size_t k = 0; k < land.next_due; ++k) {
        const Land::Due& due = land.due[k];
        active[due.edit] = !due.ends && land.edits[due.edit].kind != EditKind::kClear ? 1 : 0;
    }
    for (std::size_t k = 0; k < active.size(); ++k) {
        const bool held = land.stamps[k] != 0 && TerrainState::has(land.terrain, land.stamps[k]) &&
                          std::count(land.stamps.begin(), land.stamps.end(), land.stamps[k]) == 1;
        if (active[k] != 0 ? !held : land.stamps[k] != 0)
            throw Error("edit[" + std::to_string(k) + "] is not in force as the scene says");
    }
}

void take_ground(Frame& frame) {
    const Terrain& terrain = frame.land->terrain;
    Ground& ground = *frame.ground;
    ground.map.cost = terrain.grid(0).map.cost;
    for (int layer = 0; layer < terrain.layer_count(); ++layer)
        ground.floors[static_cast<std::size_t>(layer)].set(terrain.grid(layer).map);
    if (frame.land->density) frame.land->density->take(terrain);
}

}  // namespace

template <class Archive>
void visit_land(Archive& a, WorldState& world) {
    Frame& frame = world.frame;
    a.same(frame.land ? 1 : 0, "the number of maps");
    if (!frame.land) return;
    Land& land = *frame.land;
    a.same(static_cast<std::uint64_t>(land.terrain.layer_count()), "the number of layers");
    TerrainState::visit(a, land.terrain);
    a.same(land.edits.size(), "the number of edits");
    a.array(land.stamps.data(), land.stamps.size());
    a.below(land.next_due, land.due.size() + 1, "edit");
    if constexpr (Archive::kReads) {
        check_schedule(land);
        take_ground(frame);
    }
    for (Floor& floor : frame.ground->floors) FloorState::visit(a, floor);
}

template void visit_land(StateWriter&, WorldState&);
template void visit_land(StateReader&, WorldState&);

}  // namespace horde
