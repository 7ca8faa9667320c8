// Groups of agents that are within a radius of each other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "horde/error.h"
#include "horde/metrics.h"
#include "sim/metrics/image.h"

namespace horde {
namespace {

constexpr double kSlack = 1.001;  // a cell is so much smaller than it may be: its borders round

// Disjoint sets of agents; the root of a set is its lowest member.
class Sets {
  public:
    explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

    std::uint32_t root(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }
    Clusters count() {
        std::vector<std::int64_t> size(parent_.size(), 0);
        Clusters found;
        for (std::uint32_t i = 0; i < parent_.size(); ++i) {
            const std::uint32_t at = root(i);
            if (at == i) ++found.count;
            found.largest = std::max(found.largest, ++size[at]);
        }
        return found;
    }

  private:
    std::vector<std::uint32_t> parent_;
};

// How space is cut into cells. A cell's key has its coordinates in it, x lowest, so that a run of cells along
// x is a run of keys.
struct Cut {
    int dim = 2;
    int bits = 31;       // of a coordinate
    double low[3] = {};  // where cell 0 begins
    double side[3] = {1, 1, 1};
    std::int64_t cells[3] = {1, 1, 1};
    std::int64_t reach[3] = {};  // cells to either side that a neighbour may lie in
    bool repeats = false;
    bool small = true;  // whoever shares a cell is within the radius

    std::uint64_t key(const std::int64_t (&at)[3]) const {
        return ((static_cast<std::uint64_t>(at[2]) << bits | static_cast<std::uint64_t>(at[1])) << bits) |
               static_cast<std::uint64_t>(at[0]);
    }
    void coordinates(std::uint64_t key, std::int64_t (&at)[3]) const {
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        at[0] = static_cast<std::int64_t>(key & mask);
        at[1] = static_cast<std::int64_t>(key >> bits & mask);
        at[2] = static_cast<std::int64_t>(key >> 2 * bits);
    }
};

Cut cut_space(const Snapshot& snapshot, const Images& images, double radius) {
    Cut cut;
    cut.dim = snapshot.dim;
    cut.bits = snapshot.dim == 2 ? 31 : 21;
    cut.repeats = images.periodic();
    const double most = static_cast<double>((std::int64_t{1} << cut.bits) - 1);
    const double whole = radius / (kSlack * std::sqrt(static_cast<double>(snapshot.dim)));
    for (int k = 0; k < snapshot.dim; ++k) {
        double low = images.min[k], high = images.min[k] + images.length[k];
        if (!cut.repeats) {
            low = std::numeric_limits<double>::infinity();
            high = -low;
            for (const Vec3& p : snapshot.position) {
                const double x = k == 0 ? p.x : k == 1 ? p.y : p.z;
                low = std::min(low, x);
                high = std::max(high, x);
            }
        }
        const double extent = high - low;
        const double cells = std::min(std::floor(extent / whole) + 1.0, most);
        cut.low[k] = low;
        cut.cells[k] = static_cast<std::int64_t>(cells);
        cut.side[k] = cells == most || cut.repeats ? extent / cells : whole;
        cut.small = cut.small && cut.side[k] <= whole * 1.0001;
        cut.reach[k] = static_cast<std::int64_t>(
            std::min(std::floor(radius / cut.side[k] + 0.001) + 1.0, static_cast<double>(cut.cells[k] - 1)));
    }
    return cut;
}

// Agents by cell, and what becomes of them.
class Joining {
  public:
    Joining(const Snapshot& snapshot, const Images& images, double radius)
        : position_(snapshot.position),
          images_(images),
          radius_squared_(radius * radius),
          cut_(cut_space(snapshot, images, radius)),
          sets_(snapshot.count()) {
        sort();
    }

    Clusters run() {
        for (std::size_t cell = 0; cell + 1 < begin_.size(); ++cell) {
            join_within(cell);
            join_block(cell);
        }
        return sets_.count();
    }

  private:
    std::uint64_t key_of(const Vec3& p) const {
        const double x[3] = {p.x, p.y, p.z};
        std::int64_t at[3] = {};
        for (int k = 0; k < cut_.dim; ++k) {
            const double cell = std::floor((images_.wrapped(x[k], k) - cut_.low[k]) / cut_.side[k]);
            const double last = static_cast<double>(cut_.cells[k] - 1);
            at[k] =
                static_cast<std::int64_t>(cell >= 0.0 ? std::min(cell, last) : 0.0);  // NaN of 0 / 0: cell 0
        }
        return cut_.key(at);
    }

    void sort() {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed(position_.size());
        for (std::uint32_t i = 0; i < keyed.size(); ++i) keyed[i] = {key_of(position_[i]), i};
        std::sort(keyed.begin(), keyed.end());
        member_.reserve(keyed.size());
        for (const auto& [key, i] : keyed) {
            if (key_.empty() || key_.back() != key) {
                begin_.push_back(member_.size());
                key_.push_back(key);
            }
            member_.push_back(i);
        }
        begin_.push_back(member_.size());
    }

    bool are_near(std::uint32_t a, std::uint32_t b) const {
        return length_squared(images_.offset(position_[a], position_[b])) <= radius_squared_;
    }

    void join_within(std::size_t cell) {
        for (std::size_t i = begin_[cell] + 1; i < begin_[cell + 1]; ++i) {
            for (std::size_t j = begin_[cell]; j < i; ++j) {
                if (cut_.small || are_near(member_[i], member_[j])) sets_.join(member_[i], member_[j]);
                if (cut_.small) break;
            }
        }
    }

    // Joins the cell with those after it in the block around it: of two cells, the first sees to both.
    void join_block(std::size_t cell) {
        std::int64_t at[3];
        cut_.coordinates(key_[cell], at);
        for_each_turn(at, 2, [&](std::int64_t z) {
            for_each_turn(at, 1, [&](std::int64_t y) { join_row(cell, at[0], y, z); });
        });
    }

    // With the cells around x in one row; in a periodic world they may lie at both of its ends.
    void join_row(std::size_t cell, std::int64_t x, std::int64_t y, std::int64_t z) {
        const std::int64_t cells = cut_.cells[0];
        const std::int64_t first = x - cut_.reach[0], last = x + cut_.reach[0];
        const bool whole = last - first + 1 >= cells;
        join_run(cell, cut_.key({whole ? 0 : std::max<std::int64_t>(first, 0), y, z}),
                 cut_.key({whole ? cells - 1 : std::min(last, cells - 1), y, z}));
        if (whole || !cut_.repeats) return;
        if (first < 0) join_run(cell, cut_.key({first + cells, y, z}), cut_.key({cells - 1, y, z}));
        if (last >= cells) join_run(cell, cut_.key({0, y, z}), cut_.key({last - cells, y, z}));
    }

    // The coordinates on an axis that a neighbour's cell may have, each once.
    template <class Function>
    void for_each_turn(const std::int64_t (&at)[3], int axis, Function&& function) const {
        const std::int64_t cells = cut_.cells[axis], reach = cut_.reach[axis];
        if (!cut_.repeats) {
            const std::int64_t last = std::min(at[axis] + reach, cells - 1);
            for (std::int64_t c = std::max<std::int64_t>(at[axis] - reach, 0); c <= last; ++c) function(c);
        } else if (2 * reach + 1 >= cells) {
            for (std::int64_t c = 0; c < cells; ++c) function(c);
        } else {
            for (std::int64_t c = at[axis] - reach; c <= at[axis] + reach; ++c) function((c + cells) % cells);
        }
    }

    // With those cells from key `first` to `last` that come after it.
    void join_run(std::size_t cell, std::uint64_t first, std::uint64_t last) {
        first = std::max(first, key_[cell] + 1);
        if (last < first) return;
        const auto begin = key_.begin() + static_cast<std::ptrdiff_t>(cell);
        for (auto other = std::lower_bound(begin, key_.end(), first); other != key_.end() && *other <= last;
             ++other) {
            join_cells(cell, static_cast<std::size_t>(other - key_.begin()));
        }
    }

    void join_cells(std::size_t a, std::size_t b) {
        if (cut_.small && sets_.root(member_[begin_[a]]) == sets_.root(member_[begin_[b]])) return;
        for (std::size_t i = begin_[a]; i < begin_[a + 1]; ++i) {
            for (std::size_t j = begin_[b]; j < begin_[b + 1]; ++j) {
                if (!are_near(member_[i], member_[j])) continue;
                sets_.join(member_[i], member_[j]);
                if (cut_.small) return;
            }
        }
    }

    const std::vector<Vec3>& position_;
    const Images& images_;
    double radius_squared_;
    Cut cut_;
    Sets sets_;
    std::vector<std::uint64_t> key_;  // of occupied cells, ascending
    std::vector<std::size_t> begin_;  // of each one's members, and the end
    std::vector<std::uint32_t> member_;
};

}  // namespace

Clusters clusters(const Snapshot& snapshot, const MetricSettings& settings) {
    check_images(snapshot, settings);
    if (!std::isfinite(settings.radius) || !(settings.radius > 0.0)) {
        throw Error(
            "metrics: clusters need a radius in metres, finite and more than 0; give one (--radius R)");
    }
    if (snapshot.count() == 0) return {};
    if (snapshot.count() > 0xfffffff0u) throw Error("metrics: more than 2^32 - 16 agents; measure fewer");
    const Images images(snapshot.dim, settings.periodic);
    return Joining(snapshot, images, settings.radius).run();
}

}  // namespace horde
