/// The fields that agents follow: one for each goal set and layer, kept up to date beside the frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/background.h"
#include "horde/agents.h"
#include "sim/field/cost_grid.h"
#include "sim/field/field_job.h"

namespace horde {

/// A field as frames read it, and where its goals are.
struct GoalField {
    Field field;
    std::vector<float> centre_x;  ///< of the goal cells, local metres
    std::vector<float> centre_y;
    /// In the frame in which another field went live here: the one before it. Nothing in others.
    const Field* before = nullptr;
    bool goal_moved = false;  ///< and in that frame: the goals are others
};

struct FieldStoreSettings {
    std::int64_t cells_per_frame = 32768;  ///< a build takes so many frames as it has times so many cells
    std::int64_t cache_bytes = std::int64_t{1} << 30;  ///< of live fields
    std::uint64_t goal_interval = 1;                   ///< least frames between two moves of a goal set
    bool snap_goals = false;  ///< a goal in a wall stands for the free cell nearest to it
    double left = 0.0;        ///< local coordinates of the map's top left corner, metres
    double top = 0.0;
};

/// How the goals of a set lie in a layer.
enum class GoalPlace : std::uint8_t { kOpen, kEnclosed, kInWall };

/// What `update` did and met.
struct FieldCounts {
    std::int64_t repairs = 0;  ///< that went live
    std::int64_t builds = 0;   ///< likewise
    std::int64_t late = 0;     ///< due, but not ready: waited for
    std::int64_t waiting = 0;  ///< wanted by agents, but there is no room in the cache
};

/// The field of a goal set in a layer.
struct FieldKey {
    std::size_t set = 0;
    int layer = 0;
};

/// What is asked for in frame f goes live in frame f + 1 if it is a repair and in frame
/// f + max(1, ceil(cells / cells_per_frame)) if it is a build (a repair that gives up becomes one), never
/// sooner and, as the frame waits, never later: what agents see depends on frames, not on who computes when.
/// Until then the field before serves.
class FieldStore {
  public:
    using Goals = std::vector<Cell>;

    FieldStore() = default;
    FieldStore(const FieldStore&) = delete;
    FieldStore& operator=(const FieldStore&) = delete;

    /// Takes the goal sets, and the layers, of which those with used[l] != 0 get fields. `last_is_all`: the
    /// last set holds the goals of all others. `background` is borrowed; without one `update` does the work
    /// itself, in even parts up to the frame in which it is due.
    void lay_out(const FieldStoreSettings& settings, std::span<const LayerCosts> layers,
                 std::span<const std::uint8_t> used, std::vector<Goals> sets, bool last_is_all,
                 Background* background);
    /// Then builds all fields that the cache holds, those named in `first` before the others, which come by
    /// set, then layer.
    void build_start(std::span<const FieldKey> first);
    /// Both.
    void set_up(const FieldStoreSettings& settings, std::span<const LayerCosts> layers,
                std::span<const std::uint8_t> used, std::vector<Goals> sets, bool last_is_all,
                Background* background, std::span<const FieldKey> first = {}) {
        lay_out(settings, layers, used, std::move(sets), last_is_all, background);
        build_start(first);
    }

    std::size_t set_count() const { return sets_.size(); }
    bool has_field(std::size_t set, int layer) const { return entry(set, layer).is_live; }
    /// Where there is no field, one in which no goal can be reached.
    const GoalField& find(std::size_t set, int layer) const {
        const Entry& found = entry(set, layer);
        return found.is_live ? found.live : nowhere_;
    }
    /// Of the live field: 0 at the start, one more with each that went live. Nothing else tells them apart.
    std::uint32_t version(std::size_t set, int layer) const { return entry(set, layer).version; }
    const Goals& goals(std::size_t set) const { return sets_[set].wanted; }
    GoalPlace goal_place(std::size_t set, int layer) const;

    /// Where the set's goals are from now on. Fields follow at most every goal_interval.
    void set_goals(std::size_t set, std::span<const Cell> cells);
    /// Should the set follow that agent? See `next_followed`.
    void follow(std::size_t set, std::optional<AgentId> agent) {
        followers_ += agent ? 1 : 0;
        followers_ -= sets_[set].followed ? 1 : 0;
        sets_[set].followed = agent;
    }
    /// Sets that followed `before` follow `now`, into which it has turned.
    void follow_on(AgentId before, AgentId now) {
        if (followers_ == 0) return;
        for (GoalSet& set : sets_) {
            if (set.followed == before) set.followed = now;
        }
    }
    std::optional<AgentId> followed(std::size_t set) const { return sets_[set].followed; }
    /// May the goals of the set move in frame `frame`?
    bool may_move(std::size_t set, std::uint64_t frame) const;

    /// The part of frame `frame` that concerns fields: those due go live, and what the costs of the layers
    /// and the goals now ask for is begun.
    FieldCounts update(std::uint64_t frame, std::span<const LayerCosts> layers);

    /// Can the cache not hold the fields of all sets? Then `use` is to be called at the end of frame `frame`
    /// for each set and layer that agents follow, between `begin_use` and the next update.
    bool is_short() const { return is_short_; }
    void begin_use(std::uint64_t frame) { use_frame_ = frame + 1; }
    void use(std::size_t set, int layer) { entry(set, layer).last_used = use_frame_; }

    std::int64_t bytes() const { return bytes_; }
    /// That one field is counted with.
    std::int64_t field_bytes() const;
    bool snaps() const { return settings_.snap_goals; }
    bool is_pending(std::size_t set, int layer) const { return entry(set, layer).job != nullptr; }
    std::size_t pending() const { return pending_.size(); }
    /// From the frame in which a build is asked for to that in which it goes live.
    std::uint64_t build_frames() const;
    /// Without a background: cells of builds that the last update worked off. Repairs come on top.
    std::size_t worked() const { return worked_; }
    /// Fields beside the live ones, whose memory is used again; it goes when nothing was asked for long.
    std::size_t spare_fields() const { return spare_jobs_.size(); }
    /// Of all that later frames depend on and that differs from the start: 0 if nothing does.
    std::uint64_t hash() const;

  private:
    friend struct FieldState;  // that files keep

    struct GoalSet {
        Goals wanted;
        Goals rooted;                  // that fields are asked for
        std::uint64_t start_hash = 0;  // of those of the start
        std::uint64_t content = 0;     // hash of `rooted`; 0 for those of the start
        std::uint64_t rooted_in = 0;   // frame
        bool has_moved = false;        // since the start
        bool is_set = false;           // since the start
        std::optional<AgentId> followed;
    };
    struct Layer {
        CostGridPtr grid;
        std::uint64_t content = 0;  // hash of the costs; 0 at the start
        // Where changes of the costs need to be looked for, by version: ends[k] closes the cells of those
        // that led from version first_version + k to the next. What is older is forgotten.
        std::uint32_t first_version = 0;
        std::vector<std::uint32_t> changed;
        std::vector<std::size_t> ends;
        bool is_used = false;
    };
    struct Entry {
        GoalField live;
        bool is_live = false;
        std::uint32_t version = 0;
        FieldContent content;         // what it was made of, and
        CostGridPtr grid;             // the costs themselves
        std::uint64_t last_used = 0;  // frame after the one in which agents followed it
        std::int64_t bytes = 0;       // counted for it
        std::unique_ptr<FieldJob> job;
    };

    std::size_t key_of(std::size_t set, int layer) const {
        return set * layers_.size() + static_cast<std::size_t>(layer);
    }
    Entry& entry(std::size_t set, int layer) { return entries_[key_of(set, layer)]; }
    const Entry& entry(std::size_t set, int layer) const { return entries_[key_of(set, layer)]; }

    std::size_t cells() const { return layers_[0].grid->map.cost.size(); }
    static std::uint64_t hash_of(const Goals& cells);
    bool hold(std::size_t key);
    void make_nowhere();
    void build_live(Entry& made);
    void place_goals(const Goals& goals, const Map& map, Goals& placed) const;
    void place_centres(GoalField& live) const;
    FieldContent content_of(std::size_t key) const {
        return {sets_[key / layers_.size()].content, layers_[key % layers_.size()].content};
    }

    bool take_costs(Layer& layer, const LayerCosts& now);
    bool move_goals(std::uint64_t frame);
    bool go_live(std::uint64_t frame, FieldCounts& counts);
    void swap_in(Entry& entry);
    void ask_for_all(std::uint64_t frame, FieldCounts& counts);
    bool make_room(Entry& wanted);
    bool compare_grids(const CostGrid& before, const CostGrid& after,
                       std::vector<std::uint32_t>& changed) const;
    bool find_changed(const Entry& made, const Layer& layer, std::vector<std::uint32_t>& changed) const;
    void ask(std::size_t key, std::uint64_t frame);
    void start(FieldJob& job);
    void work_on(FieldJob& job, std::size_t& cells);
    void finish_here(FieldJob& job);
    void work_here();
    void work_off(std::size_t cells);
    void free_spare(std::uint64_t frame);
    FieldJob* first_due() const;
    std::unique_ptr<FieldJob> spare_job();

    FieldStoreSettings settings_;
    std::vector<Layer> layers_;
    std::vector<GoalSet> sets_;
    bool last_is_all_ = false;
    int followers_ = 0;           // sets that follow an agent
    std::vector<Entry> entries_;  // by key
    GoalField nowhere_;
    std::int64_t bytes_ = 0;
    bool is_short_ = false;
    std::uint64_t use_frame_ = 0;
    Background* background_ = nullptr;
    std::vector<FieldWorker> workers_;
    FieldJob* begun_ = nullptr;  // without a background: the build that is under way
    std::size_t worked_ = 0;
    std::vector<FieldJob*> pending_;  // in the order in which they were asked for
    std::vector<std::unique_ptr<FieldJob>> spare_jobs_;
    std::vector<std::size_t> shown_before_;  // keys whose `before` is to be taken back
};

}  // namespace horde
