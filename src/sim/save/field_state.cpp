// Goal sets and their fields. A field is not kept itself but what it is made of: that gives it bit for bit,
// as repairs do, and a job beside the frame begins anew and goes live in the frame in which it was due.
#include <algorithm>

#include "sim/save/visit.h"

namespace horde {

struct FieldState {
    using Entry = FieldStore::Entry;

    template <class Archive>
    static void visit(Archive& a, FieldStore& store, const Terrain& terrain, std::uint64_t frame) {
        a.same(store.sets_.size(), "the number of goal sets");
        a.same(store.layers_.size(), "the number of layers");
        const Map& map = store.layers_[0].grid->map;
        for (std::size_t s = 0; s < store.sets_.size(); ++s) visit_set(a, store, s, map);
        for (std::size_t l = 0; l < store.layers_.size(); ++l) visit_layer(a, store, terrain, l);
        std::vector<CostGridPtr> grids = grids_of(store);
        visit_old_grids(a, store, grids);
        a.value(store.is_short_);
        a.value(store.use_frame_);
        for (std::size_t key = 0; key < store.entries_.size(); ++key) visit_entry(a, store, key, grids);
        visit_pending(a, store);
        if constexpr (Archive::kReads) rebuild(store, frame);
    }

  private:
    template <class Archive>
    static void visit_set(Archive& a, FieldStore& store, std::size_t s, const Map& map) {
        FieldStore::GoalSet& set = store.sets_[s];
        visit_cells(a, set.wanted, map);
        visit_cells(a, set.rooted, map);
        a.value(set.content);
        a.value(set.rooted_in);
        a.value(set.has_moved);
        a.value(set.is_set);
        std::optional<AgentId> followed = set.followed;
        visit_optional(a, followed);
        store.follow(s, followed);
    }

    template <class Archive>
    static void visit_layer(Archive& a, FieldStore& store, const Terrain& terrain, std::size_t l) {
        FieldStore::Layer& layer = store.layers_[l];
        a.value(layer.content);
        if constexpr (!Archive::kReads) return;
        layer.grid = terrain.layer(static_cast<int>(l)).costs;
        // What has changed is looked for in the grids themselves: that finds the same cells.
        layer.first_version = layer.grid->version;
        layer.changed.clear();
        layer.ends.clear();
    }

    // The present grids of the layers first, then those that fields and jobs have from before.
    static std::vector<CostGridPtr> grids_of(const FieldStore& store) {
        std::vector<CostGridPtr> grids;
        for (const FieldStore::Layer& layer : store.layers_) grids.push_back(layer.grid);
        const auto add = [&](const CostGridPtr& grid) {
            if (grid && std::find(grids.begin(), grids.end(), grid) == grids.end()) grids.push_back(grid);
        };
        for (const Entry& made : store.entries_) {
            if (made.is_live) add(made.grid);
            if (made.job) add(made.job->grid);
        }
        return grids;
    }

    template <class Archive>
    static void visit_old_grids(Archive& a, FieldStore& store, std::vector<CostGridPtr>& grids) {
        const std::size_t present = store.layers_.size(), cells = store.cells();
        std::vector<CostGridPtr> old(grids.begin() + static_cast<std::ptrdiff_t>(present), grids.end());
        a.size(old, cells + 4, 2 * store.entries_.size(), "earlier costs");
        grids.resize(present);
        for (CostGridPtr& grid : old) {
            CostGrid read;
            if constexpr (Archive::kReads) {
                read.map = store.layers_[0].grid->map;
            } else {
                read = *grid;
            }
            a.value(read.version);
            a.array(read.map.cost.data(), cells);
            if (std::find(read.map.cost.begin(), read.map.cost.end(), 0) != read.map.cost.end())
                throw Error("a cell of earlier costs costs 0");
            if constexpr (Archive::kReads) grid = std::make_shared<const CostGrid>(std::move(read));
            grids.push_back(grid);
        }
    }

    template <class Archive>
    static void visit_grid(Archive& a, CostGridPtr& grid, const std::vector<CostGridPtr>& grids,
                           std::size_t layer, std::size_t layers) {
        auto number = static_cast<std::uint32_t>(std::find(grids.begin(), grids.end(), grid) - grids.begin());
        a.below(number, grids.size(), "costs");
        if constexpr (Archive::kReads) {
            grid = grids[number];
            const std::uint32_t now = grids[layer]->version;
            if (number != layer && (number < layers || grid->version >= now))
                a.refuse("a field is made of costs of another layer or of later ones");
        }
    }

    template <class Archive>
    static void visit_content(Archive& a, FieldContent& content) {
        a.value(content.goals);
        a.value(content.costs);
    }

    template <class Archive>
    static void visit_entry(Archive& a, FieldStore& store, std::size_t key,
                            const std::vector<CostGridPtr>& grids) {
        Entry& made = store.entries_[key];
        const std::size_t layers = store.layers_.size(), layer = key % layers;
        const Map& map = grids[layer]->map;
        bool has_job = made.job != nullptr;
        a.value(made.is_live);
        a.value(made.version);
        a.value(made.last_used);
        a.value(has_job);
        visit_content(a, made.content);
        if ((made.is_live || has_job) && !store.layers_[layer].is_used)
            throw Error("a layer that nobody uses has a field");
        if (made.is_live) {
            visit_grid(a, made.grid, grids, layer, layers);
            visit_cells(a, made.live.field.goals, map);
        }
        if (has_job) visit_job(a, store, key, grids);
        if constexpr (Archive::kReads) {
            made.bytes = made.is_live || has_job ? store.field_bytes() : 0;
            store.bytes_ += made.bytes;
        }
    }

    template <class Archive>
    static void visit_job(Archive& a, FieldStore& store, std::size_t key,
                          const std::vector<CostGridPtr>& grids) {
        Entry& made = store.entries_[key];
        if constexpr (Archive::kReads) made.job = std::make_unique<FieldJob>();
        FieldJob& job = *made.job;
        const std::size_t layers = store.layers_.size(), layer = key % layers;
        a.value(job.asked);
        a.value(job.due);
        a.below(job.kind, 2, "kind of job");
        visit_content(a, job.content);
        visit_grid(a, job.grid, grids, layer, layers);
        visit_cells(a, job.goals, grids[layer]->map);
        if constexpr (Archive::kReads) {
            for (const Cell goal : job.goals) {
                if (!job.grid->map.is_free(goal)) a.refuse("a goal lies in a wall");
            }
            job.key = key;
            job.build_at_once = store.build_frames() == 1;
            job.live = &made.live.field;
            job.workers = &store.workers_;
            if (job.kind != FieldJobKind::kRepair) return;
            if (!made.is_live || !store.compare_grids(*made.grid, *job.grid, job.changed))
                a.refuse("there is nothing to repair");
        }
    }

    template <class Archive>
    static void visit_pending(Archive& a, FieldStore& store) {
        std::vector<std::uint64_t> keys;
        for (const FieldJob* job : store.pending_) keys.push_back(job->key);
        visit_values(a, keys, store.entries_.size(), "jobs");
        if constexpr (!Archive::kReads) return;
        std::vector<std::uint64_t> sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        const bool once = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
        const auto jobs = std::count_if(store.entries_.begin(), store.entries_.end(),
                                        [](const Entry& made) { return made.job != nullptr; });
        if (!once || jobs != static_cast<std::ptrdiff_t>(keys.size()))
            throw Error("jobs of fields are missing");
        for (const std::uint64_t key : keys) {
            if (key >= store.entries_.size() || !store.entries_[key].job)
                throw Error("a field has no job though one is pending");
            store.pending_.push_back(store.entries_[key].job.get());
        }
    }

    static void rebuild(FieldStore& store, std::uint64_t frame) {
        for (std::size_t l = 0; l < store.layers_.size(); ++l) {
            for (std::size_t s = 0; s < store.sets_.size(); ++s) {
                Entry& made = store.entry(s, static_cast<int>(l));
                if (made.is_live) store.build_live(made);
            }
        }
        if (store.is_short_) store.make_nowhere();
        if (store.background_ != nullptr) {
            for (FieldJob* job : store.pending_) store.background_->start(*job);
            return;
        }
        // What would have been worked off by now, so that no later frame has more to do than it would have.
        std::size_t cells = 0;
        const std::size_t share = FieldBuilder::build_work(store.cells()) / store.build_frames() + 1;
        for (FieldJob* job : store.pending_) {
            if (job->kind == FieldJobKind::kRepair) {
                store.finish_here(*job);
            } else if (frame > job->asked) {
                cells += share * static_cast<std::size_t>(std::min(frame - job->asked, store.build_frames()));
            }
        }
        store.work_off(cells);
    }
};

template <class Archive>
void visit_fields(Archive& a, WorldState& world) {
    Frame& frame = world.frame;
    if (frame.land) FieldState::visit(a, frame.fields, frame.land->terrain, frame.number);
}

template void visit_fields(StateWriter&, WorldState&);
template void visit_fields(StateReader&, WorldState&);

}  // namespace horde
