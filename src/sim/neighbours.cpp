#include "horde/neighbours.h"

#include <cmath>
#include <string>

#include "horde/error.h"
#include "sim/grid.h"

namespace horde {
namespace {

constexpr std::size_t kBruteBelow = 32;

void check_radius(float radius) {
    if (!std::isfinite(radius) || radius < 0.0f) {
        throw Error("neighbours: the radius is " + std::to_string(radius) +
                    "; give a finite one, at least 0");
    }
}

}  // namespace

struct Neighbours::Impl {
    NeighbourSettings settings;
    Grid grid;
    std::vector<float> sorted[3];         // coordinates in the order of the grid
    std::vector<std::uint32_t> index;     // of the point, as given, in the order of the grid
    std::vector<std::uint32_t> place_of;  // where a given point went
    SerialExecutor executor;

    void check_points(std::span<const float> (&columns)[3]) const;

    template <int D, class F>
    SearchCounts visit(Vec<D> p, float radius, std::int64_t exclude, F&& f) const {
        const FloatMode mode;
        SearchCounts counts;
        const float radius_squared = radius * radius;
        const GridView& view = grid.view();
        const std::int64_t excluded = exclude >= 0 ? place_of[static_cast<std::size_t>(exclude)] : -1;
        const auto visit_run = [&](std::uint32_t begin, std::uint32_t end) {
            counts.candidates += end - begin;
            for (std::uint32_t j = begin; j < end; ++j) {
                if (static_cast<std::int64_t>(j) == excluded) continue;
                Vec<D> q;
                for (int k = 0; k < D; ++k) q[k] = sorted[k][j];
                const Vec<D> offset = offset_between<D>(view, p, q);
                const float d2 = dot(offset, offset);
                if (d2 <= radius_squared) {
                    ++counts.neighbours;
                    f(Neighbour{index[j], d2});
                }
            }
        };
        // Where the square leaves the normal floats, the test passes points that lie beyond the radius
        // itself.
        const bool normal = std::isnormal(radius_squared);
        if (!normal && view.count > 0) visit_run(0, static_cast<std::uint32_t>(view.count));
        if (normal) for_candidate_runs<D>(view, p, radius, visit_run);
        return counts;
    }

    template <class F>
    SearchCounts visit_point(Vec3 point, float radius, std::int64_t exclude, F&& f) const {
        check_radius(radius);
        if (exclude >= static_cast<std::int64_t>(index.size())) exclude = -1;
        Vec<3> p{{static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z)}};
        const Periodic& periodic = grid.view().periodic;
        for (int k = 0; k < settings.dim && periodic.on; ++k) p[k] = wrap_coordinate(periodic, k, p[k]);
        if (settings.dim == 2) return visit<2>(Vec<2>{{p[0], p[1]}}, radius, exclude, f);
        return visit<3>(p, radius, exclude, f);
    }
};

void Neighbours::Impl::check_points(std::span<const float> (&columns)[3]) const {
    for (int k = 0; k < settings.dim; ++k) {
        if (columns[k].size() != columns[0].size()) {
            throw Error(
                "neighbours: the columns of coordinates differ in length; give one value a point in each");
        }
        const double low = grid.view().periodic.min[k], high = low + grid.view().periodic.length[k];
        for (std::size_t i = 0; i < columns[k].size(); ++i) {
            const float v = columns[k][i];
            const std::string name = "neighbours: point " + std::to_string(i) + ", " + "xyz"[k];
            if (!std::isfinite(v)) throw Error(name + " is not finite; give finite coordinates");
            if (settings.periodic && !(v >= low && v < high)) {
                throw Error(name + " = " + std::to_string(v) +
                            " lies outside the periodic bounds; wrap it first");
            }
        }
    }
    if (columns[0].size() > 0xfffffff0u) throw Error("neighbours: more than 2^32 - 16 points; split them");
}

Neighbours::Neighbours(const NeighbourSettings& settings) : impl_(std::make_unique<Impl>()) {
    impl_->settings = settings;
    if (settings.dim != 2 && settings.dim != 3) throw Error("neighbours: dim must be 2 or 3");
    if (!std::isfinite(settings.cell) || settings.cell <= 0.0f) {
        throw Error(
            "neighbours: the cell must be finite and more than 0; the search radius is a good choice");
    }
    Periodic periodic;
    if (settings.periodic) {
        periodic.on = true;
        const double min[3] = {settings.periodic->min.x, settings.periodic->min.y, settings.periodic->min.z};
        const double max[3] = {settings.periodic->max.x, settings.periodic->max.y, settings.periodic->max.z};
        for (int k = 0; k < settings.dim; ++k) {
            periodic.min[k] = min[k];
            periodic.length[k] = max[k] - min[k];
            if (!(periodic.length[k] > 0.0) || !std::isfinite(periodic.length[k])) {
                throw Error("neighbours: the periodic bounds are empty; max must exceed min on each axis");
            }
        }
    }
    impl_->grid.set(settings.dim, settings.cell, periodic);
    impl_->grid.set_brute(0);
}

Neighbours::~Neighbours() = default;
Neighbours::Neighbours(Neighbours&&) noexcept = default;
Neighbours& Neighbours::operator=(Neighbours&&) noexcept = default;

void Neighbours::build(std::span<const float> x, std::span<const float> y, std::span<const float> z) {
    Impl& m = *impl_;
    std::span<const float> columns[3] = {x, y, z};
    m.check_points(columns);
    const std::size_t count = x.size();
    const bool brute =
        m.settings.search == Search::kBrute || (m.settings.search == Search::kAuto && count < kBruteBelow);
    m.index.resize(count);
    m.place_of.resize(count);
    if (brute) {
        m.grid.set_brute(static_cast<std::int64_t>(count));
    } else {
        const FloatMode mode;
        m.grid.sort({x.data(), y.data(), z.data()}, static_cast<std::int64_t>(count), m.executor);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto place = brute ? static_cast<std::uint32_t>(i) : m.grid.destination()[i];
        m.place_of[i] = place;
        m.index[place] = static_cast<std::uint32_t>(i);
    }
    for (int k = 0; k < m.settings.dim; ++k) {
        m.sorted[k].resize(count);
        for (std::size_t i = 0; i < count; ++i) m.sorted[k][m.place_of[i]] = columns[k][i];
    }
}

SearchCounts Neighbours::query(Vec3 point, float radius, std::int64_t exclude,
                               std::vector<std::uint32_t>& out) const {
    out.clear();
    const SearchCounts counts =
        impl_->visit_point(point, radius, exclude, [&](Neighbour n) { out.push_back(n.index); });
    std::sort(out.begin(), out.end());
    return counts;
}

SearchCounts Neighbours::visit(Vec3 point, float radius, std::int64_t exclude,
                               void (*visit)(void*, Neighbour), void* context) const {
    return impl_->visit_point(point, radius, exclude, [&](Neighbour n) { visit(context, n); });
}

SearchCounts Neighbours::lists(float radius, std::vector<std::uint64_t>& start,
                               std::vector<std::uint32_t>& index) const {
    const Impl& m = *impl_;
    SearchCounts total;
    start.clear();
    index.clear();
    for (std::size_t i = 0; i < m.index.size(); ++i) {
        start.push_back(index.size());
        const std::uint32_t place = m.place_of[i];
        const Vec3 point{m.sorted[0][place], m.sorted[1][place],
                         m.settings.dim == 3 ? m.sorted[2][place] : 0.0};
        const SearchCounts counts = m.visit_point(point, radius, static_cast<std::int64_t>(i),
                                                  [&](Neighbour n) { index.push_back(n.index); });
        std::sort(index.begin() + static_cast<std::ptrdiff_t>(start.back()), index.end());
        total.candidates += counts.candidates;
        total.neighbours += counts.neighbours;
    }
    start.push_back(index.size());
    return total;
}

std::size_t Neighbours::size() const {
    return impl_->index.size();
}

}  // namespace horde
