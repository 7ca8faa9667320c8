/// The part of each frame that concerns fields.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/random.h"
#include "sim/field/store.h"

namespace horde {

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
    if (background_ == nullptr) work_here();
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
        ++set.version;
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
        swap_in(entries_[job.key]);
        went = true;
    }
    return went;
}

void FieldStore::swap_in(Entry& made) {
    FieldJob& job = *made.job;
    std::swap(made.live.field, job.out);
    made.live.goal_moved = made.is_live && made.goal_version != job.goal_version;
    made.live.before = made.is_live ? &job.out : nullptr;
    made.goal_version = job.goal_version;
    made.cost_version = job.grid->version;
    made.content = job.content;
    made.is_live = true;
    ++made.version;
    place_centres(made.live);
    job.grid = nullptr;
    shown_before_.push_back(job.key);
    spare_jobs_.push_back(std::move(made.job));  // `before` is read there until the next update
}

void FieldStore::ask_for_all(std::uint64_t frame, FieldCounts& counts) {
    for (std::size_t key = 0; key < entries_.size(); ++key) {
        Entry& made = entries_[key];
        const Layer& layer = layers_[key % layers_.size()];
        if (!layer.is_used || made.job) continue;
        if (made.is_live) {
            const GoalSet& set = sets_[key / layers_.size()];
            if (made.cost_version == layer.grid->version && made.goal_version == set.version) continue;
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
        oldest->live = GoalField{};
    }
    wanted.bytes = field_bytes();
    bytes_ += wanted.bytes;
    return true;
}

std::unique_ptr<FieldJob> FieldStore::spare_job() {
    // Those of this frame's swaps lend their fields as `before`.
    for (std::size_t k = 0; k < spare_jobs_.size(); ++k) {
        const std::size_t key = spare_jobs_[k]->key;
        if (entries_[key].live.before == &spare_jobs_[k]->out) continue;
        std::unique_ptr<FieldJob> job = std::move(spare_jobs_[k]);
        spare_jobs_.erase(spare_jobs_.begin() + static_cast<std::ptrdiff_t>(k));
        return job;
    }
    return std::make_unique<FieldJob>();
}

void FieldStore::ask(std::size_t key, std::uint64_t frame) {
    Entry& made = entries_[key];
    const GoalSet& set = sets_[key / layers_.size()];
    const Layer& layer = layers_[key % layers_.size()];
    made.job = spare_job();
    FieldJob& job = *made.job;
    job.key = key;
    job.asked = frame;
    job.content = content_of(set, layer);
    job.grid = layer.grid;
    job.goal_version = set.version;
    place_goals(set.rooted, layer.grid->map, job.goals);
    job.live = &made.live.field;
    job.gave_up = false;
    job.build_at_once = build_frames() == 1;
    job.changed.clear();
    job.workers = &workers_;
    job.kind = FieldJobKind::kBuild;
    if (made.is_live && made.goal_version == set.version && made.cost_version >= layer.first_version) {
        const std::size_t known = made.cost_version - layer.first_version;
        const std::size_t from = known > 0 ? layer.ends[known - 1] : 0;
        job.changed.assign(layer.changed.begin() + static_cast<std::ptrdiff_t>(from), layer.changed.end());
        job.kind = FieldJobKind::kRepair;
    }
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

// All of a job on this thread, after the build that the worker is at.
void FieldStore::finish_here(FieldJob& job) {
    std::size_t all = std::numeric_limits<std::size_t>::max();
    if (begun_ != nullptr && begun_ != &job) begun_->is_done = begun_->work(workers_[0], all);
    begun_ = nullptr;
    job.is_done = job.is_done || job.work(workers_[0], all);
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
    while (left > 0) {
        if (begun_ == nullptr) begun_ = first_due();
        if (begun_ == nullptr) return;
        begun_->is_done = begun_->work(workers_[0], left);
        if (begun_->is_done) begun_ = nullptr;
    }
}

}  // namespace horde
