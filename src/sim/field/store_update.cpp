/// The part of each frame that concerns fields.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/random.h"
#include "sim/field/store.h"

namespace horde {
namespace {

constexpr std::uint64_t kKeepSpare = 600;  // frames; fields that change less often than that need no spare

// Cells in which two grids differ, ascending; false if they are more than `most`.
bool compare(const Map& before, const Map& after, std::size_t most, std::vector<std::uint32_t>& differ) {
    constexpr std::size_t kBlock = 64;
    const std::size_t cells = after.cost.size();
    for (std::size_t begin = 0; begin < cells; begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, cells);
        if (std::memcmp(&before.cost[begin], &after.cost[begin], end - begin) == 0) continue;
        for (std::size_t cell = begin; cell < end; ++cell) {
            if (before.cost[cell] == after.cost[cell]) continue;
            if (differ.size() == most) return false;
            differ.push_back(static_cast<std::uint32_t>(cell));
        }
    }
    return true;
}

}  // namespace

FieldCounts FieldStore::update(std::uint64_t frame, std::span<const LayerCosts> layers) {
    FieldCounts counts;
    for (const std::size_t key : shown_before_) {
        entries_[key].live.before = nullptr;
        entries_[key].live.goal_moved = false;
    }
    shown_before_.clear();
    bool asks = is_short_;
    for (std::size_t l = 0; l < layers.size(); ++l) asks |= take_costs(layers_[l], layers[l]);
    asks |= go_live(frame, counts);
    asks |= move_goals(frame);
    if (asks) ask_for_all(frame, counts);
    worked_ = 0;
    if (background_ == nullptr) work_here();
    free_spare(frame);
    return counts;
}

bool FieldStore::take_costs(Layer& layer, const LayerCosts& now) {
    if (!layer.is_used || now.costs->version == layer.grid->version) return false;
    const Map& before = layer.grid->map;
    const Map& after = now.costs->map;
    for (const std::uint32_t cell : now.changed) {
        layer.content -= mix64(cell + 1, before.cost[cell]);
        layer.content += mix64(cell + 1, after.cost[cell]);
    }
    const bool is_next = now.costs->version == layer.grid->version + 1;
    layer.changed.insert(layer.changed.end(), now.changed.begin(), now.changed.end());
    layer.ends.push_back(layer.changed.size());
    layer.grid = now.costs;
    // A repair of more than its budget would give up, so that older changes are of no use.
    std::size_t forgotten = is_next ? 0 : layer.ends.size();
    while (forgotten < layer.ends.size() &&
           layer.changed.size() - (forgotten > 0 ? layer.ends[forgotten - 1] : 0) > repair_budget(cells()))
        ++forgotten;
    if (forgotten == 0) return true;
    const std::size_t end = layer.ends[forgotten - 1];
    layer.changed.erase(layer.changed.begin(), layer.changed.begin() + static_cast<std::ptrdiff_t>(end));
    layer.ends.erase(layer.ends.begin(), layer.ends.begin() + static_cast<std::ptrdiff_t>(forgotten));
    for (std::size_t& later : layer.ends) later -= end;
    layer.first_version = layer.grid->version - static_cast<std::uint32_t>(layer.ends.size());
    return true;
}

bool FieldStore::move_goals(std::uint64_t frame) {
    bool moved = false;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
        GoalSet& set = sets_[s];
        if (set.wanted == set.rooted || !may_move(s, frame)) continue;
        set.rooted = set.wanted;
        set.rooted_in = frame;
        set.has_moved = true;
        set.content = hash_of(set.rooted) - set.start_hash;
        moved = true;
    }
    return moved;
}

bool FieldStore::go_live(std::uint64_t frame, FieldCounts& counts) {
    bool went = false;
    for (std::size_t k = 0; k < pending_.size();) {
        FieldJob& job = *pending_[k];
        if (job.due != frame) {
            ++k;
            continue;
        }
        if (background_ != nullptr) {
            if (!background_->finish(job)) ++counts.late;
        } else {
            finish_here(job);
        }
        pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(k));
        if (job.kind == FieldJobKind::kRepair && job.gave_up && !job.build_at_once) {
            job.kind = FieldJobKind::kBuild;
            job.due = job.asked + build_frames();
            start(job);
            continue;
        }
        ++(job.kind == FieldJobKind::kRepair && !job.gave_up ? counts.repairs : counts.builds);
        job.shelved = frame;
        swap_in(entries_[job.key]);
        went = true;
    }
    return went;
}

void FieldStore::swap_in(Entry& made) {
    FieldJob& job = *made.job;
    std::swap(made.live.field, job.out);
    made.live.goal_moved = made.is_live && made.content.goals != job.content.goals;
    made.live.before = made.is_live ? &job.out : nullptr;
    made.content = job.content;
    made.grid = std::exchange(job.grid, nullptr);
    made.is_live = true;
    ++made.version;
    place_centres(made.live);
    shown_before_.push_back(job.key);
    spare_jobs_.push_back(std::move(made.job));  // `before` is read there until the next update
}

void FieldStore::ask_for_all(std::uint64_t frame, FieldCounts& counts) {
    for (std::size_t key = 0; key < entries_.size(); ++key) {
        Entry& made = entries_[key];
        if (!layers_[key % layers_.size()].is_used || made.job) continue;
        if (made.is_live) {
            if (made.content == content_of(key)) continue;
        } else if (made.last_used != use_frame_ || use_frame_ == 0) {
            continue;
        } else if (!make_room(made)) {
            ++counts.waiting;
            continue;
        }
        ask(key, frame);
    }
}

// Takes fields that nobody follows out of the cache, the one not followed for longest first.
bool FieldStore::make_room(Entry& wanted) {
    while (bytes_ + field_bytes() > settings_.cache_bytes) {
        Entry* oldest = nullptr;
        for (Entry& made : entries_) {
            if (!made.is_live || made.job || made.last_used == use_frame_) continue;
            if (oldest == nullptr || made.last_used < oldest->last_used) oldest = &made;
        }
        if (oldest == nullptr) return false;
        bytes_ -= std::exchange(oldest->bytes, 0);
        oldest->is_live = false;
        oldest->grid = nullptr;
        wanted.live = std::exchange(oldest->live, GoalField{});  // for its memory
        wanted.live.before = nullptr;
        wanted.live.goal_moved = false;
    }
    wanted.bytes = field_bytes();
    bytes_ += wanted.bytes;
    return true;
}

std::unique_ptr<FieldJob> FieldStore::spare_job() {
    // Those of this frame's swaps lend their fields as `before`. The last ones first, so that those of which
    // there is no need stay behind and go in time.
    for (std::size_t k = spare_jobs_.size(); k-- > 0;) {
        const std::size_t key = spare_jobs_[k]->key;
        if (entries_[key].live.before == &spare_jobs_[k]->out) continue;
        std::unique_ptr<FieldJob> job = std::move(spare_jobs_[k]);
        spare_jobs_.erase(spare_jobs_.begin() + static_cast<std::ptrdiff_t>(k));
        return job;
    }
    return std::make_unique<FieldJob>();
}

// Memory of fields long gone, one in a frame: what a burst of edits took shall not be held for ever.
void FieldStore::free_spare(std::uint64_t frame) {
    if (spare_jobs_.empty() || frame < spare_jobs_.front()->shelved + kKeepSpare) return;
    spare_jobs_.erase(spare_jobs_.begin());  // the one that lies there for longest
}

bool FieldStore::compare_grids(const CostGrid& before, const CostGrid& after,
                               std::vector<std::uint32_t>& changed) const {
    changed.clear();
    return compare(before.map, after.map, repair_budget(cells()), changed);
}

// Where the costs of the layer differ from those that a field was made of; false if in more cells than a
// repair may look at. The answer depends on the two grids alone.
bool FieldStore::find_changed(const Entry& made, const Layer& layer,
                              std::vector<std::uint32_t>& changed) const {
    if (made.grid->version < layer.first_version) return compare_grids(*made.grid, *layer.grid, changed);
    const Map& before = made.grid->map;
    const Map& after = layer.grid->map;
    changed.clear();
    const std::size_t known = made.grid->version - layer.first_version;
    for (std::size_t k = known > 0 ? layer.ends[known - 1] : 0; k < layer.changed.size(); ++k) {
        const std::uint32_t cell = layer.changed[k];
        if (before.cost[cell] != after.cost[cell]) changed.push_back(cell);
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    return changed.size() <= repair_budget(cells());
}

void FieldStore::ask(std::size_t key, std::uint64_t frame) {
    Entry& made = entries_[key];
    const GoalSet& set = sets_[key / layers_.size()];
    const Layer& layer = layers_[key % layers_.size()];
    made.job = spare_job();
    FieldJob& job = *made.job;
    job.key = key;
    job.asked = frame;
    job.content = content_of(key);
    job.grid = layer.grid;
    place_goals(set.rooted, layer.grid->map, job.goals);
    job.live = &made.live.field;
    job.gave_up = false;
    job.build_at_once = build_frames() == 1;
    job.workers = &workers_;
    const bool repair =
        made.is_live && made.content.goals == job.content.goals && find_changed(made, layer, job.changed);
    job.kind = repair ? FieldJobKind::kRepair : FieldJobKind::kBuild;
    job.due = frame + (job.kind == FieldJobKind::kRepair ? 1 : build_frames());
    start(job);
}

void FieldStore::start(FieldJob& job) {
    job.is_done = false;
    pending_.push_back(&job);
    if (background_ != nullptr) background_->start(job);
}

FieldJob* FieldStore::first_due() const {
    FieldJob* first = nullptr;
    for (FieldJob* job : pending_) {
        if (!job->is_done && (first == nullptr || job->due < first->due)) first = job;
    }
    return first;
}

void FieldStore::work_on(FieldJob& job, std::size_t& cells) {
    const std::size_t before = cells;
    job.is_done = job.work(workers_[0], cells);
    if (job.kind == FieldJobKind::kBuild) worked_ += before - cells;
    begun_ = job.is_done ? nullptr : &job;
}

// All of a job on this thread. What builds waits for the build that the worker is at; a repair leaves it
// alone.
void FieldStore::finish_here(FieldJob& job) {
    if (job.is_done) return;
    std::size_t all = std::numeric_limits<std::size_t>::max();
    if (job.kind == FieldJobKind::kRepair && !job.build_at_once) {
        job.is_done = job.work(workers_[0], all);
        return;
    }
    if (begun_ != nullptr && begun_ != &job) work_on(*begun_, all);
    all = std::numeric_limits<std::size_t>::max();
    work_on(job, all);
}

// Without a background: as many cells in each frame as bring every build to its end in time, the first due
// first. Repairs are due in the next frame, and so done in this one.
void FieldStore::work_here() {
    std::size_t left = 0;
    for (FieldJob* job : pending_) {
        if (job->kind == FieldJobKind::kRepair) {
            finish_here(*job);
        } else {
            left += FieldBuilder::build_work(cells()) / build_frames() + 1;
        }
    }
    work_off(left);
}

// About so many cells of builds.
void FieldStore::work_off(std::size_t left) {
    while (left > 0) {
        FieldJob* const next = begun_ != nullptr ? begun_ : first_due();
        if (next == nullptr) return;
        work_on(*next, left);
    }
}

}  // namespace horde
