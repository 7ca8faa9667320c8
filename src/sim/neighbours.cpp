#include "horde/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "horde/error.h"
#include "sim/neighbours_impl.h"

namespace horde {
namespace {

constexpr std::size_t kBruteBelow = 32;

// A pass that compilers can turn into lanes; who is bad is asked only if somebody is.
bool all_inside(std::span<const float> column, float low, float high) {
    int bad = 0;
    for (const float v : column) bad |= !(v >= low && v <= high) ? 1 : 0;
    return bad == 0;
}

}  // namespace

void check_radius(float radius) {
    if (!std::isfinite(radius) || radius < 0.0f) {
        throw Error("neighbours: the radius is " + std::to_string(radius) +
                    "; give a finite one, at least 0");
    }
}

template <int D, class F>
SearchCounts Neighbours::Impl::visit(Vec<D> p, float radius, std::int64_t exclude, F&& f) const {
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
SearchCounts Neighbours::Impl::visit_point(Vec3 point, float radius, std::int64_t exclude, F&& f) const {
    check_radius(radius);
    if (exclude >= static_cast<std::int64_t>(count)) exclude = -1;
    Vec<3> p{{static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z)}};
    const Periodic& periodic = grid.view().periodic;
    for (int k = 0; k < settings.dim && periodic.on; ++k) p[k] = wrap_coordinate(periodic, k, p[k]);
    if (settings.dim == 2) return visit<2>(Vec<2>{{p[0], p[1]}}, radius, exclude, f);
    return visit<3>(p, radius, exclude, f);
}

void Neighbours::Impl::check_points(std::span<const float> (&columns)[3]) const {
    const Periodic& periodic = grid.view().periodic;
    for (int k = 0; k < settings.dim; ++k) {
        if (columns[k].size() != columns[0].size()) {
            throw Error(
                "neighbours: the columns of coordinates differ in length; give one value a point in each");
        }
        float low = -std::numeric_limits<float>::max(), high = std::numeric_limits<float>::max();
        if (periodic.on) {  // the floats in [min, max)
            const double min = periodic.min[k], max = min + periodic.length[k];
            low = static_cast<float>(min);
            high = static_cast<float>(max);
            if (low < min) low = std::nextafter(low, std::numeric_limits<float>::infinity());
            if (high >= max) high = std::nextafter(high, -std::numeric_limits<float>::infinity());
        }
        if (!all_inside(columns[k], low, high)) name_bad_point(columns[k], k);
    }
    if (columns[0].size() > 0xfffffff0u) throw Error("neighbours: more than 2^32 - 16 points; split them");
}

void Neighbours::Impl::name_bad_point(std::span<const float> column, int axis) const {
    const double low = grid.view().periodic.min[axis], high = low + grid.view().periodic.length[axis];
    for (std::size_t i = 0; i < column.size(); ++i) {
        const float v = column[i];
        const auto name = [&] { return "neighbours: point " + std::to_string(i) + ", " + "xyz"[axis]; };
        if (!std::isfinite(v)) throw Error(name() + " is not finite; give finite coordinates");
        if (settings.periodic && !(v >= low && v < high)) {
            throw Error(name() + " = " + std::to_string(v) +
                        " lies outside the periodic bounds; wrap it first");
        }
    }
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
    impl_->backend = choose_list_backend(settings.backend, settings.threads);
    impl_->grid.set(settings.dim, settings.cell, periodic);
    impl_->grid.set_brute(0);
}

Neighbours::~Neighbours() = default;
Neighbours::Neighbours(Neighbours&&) noexcept = default;
Neighbours& Neighbours::operator=(Neighbours&&) noexcept = default;

void Neighbours::build(std::span<const float> x, std::span<const float> y, std::span<const float> z) {
    std::span<const float> columns[3] = {x, y, z};
    impl_->check_points(columns);
    impl_->sort_points(columns);
}

void Neighbours::Impl::sort_points(std::span<const float> (&columns)[3]) {
    count = columns[0].size();
    const auto points = static_cast<std::int64_t>(count);
    const bool brute =
        settings.search == Search::kBrute || (settings.search == Search::kAuto && count < kBruteBelow);
    place_of.resize(count);
    index.resize(count + kListPadding);
    for (std::size_t i = place.size(); i < count + kListPadding; ++i)
        place.push_back(static_cast<std::uint32_t>(i));
    for (int k = 0; k < settings.dim; ++k) sorted[k].resize(count + kListPadding);
    Executor& executor = *backend.executor;
    if (brute) {
        grid.set_brute(points);
        std::copy(place.begin(), place.begin() + points, index.begin());
        std::copy(index.begin(), index.begin() + points, place_of.begin());
        for (int k = 0; k < settings.dim; ++k)
            std::copy(columns[k].begin(), columns[k].end(), sorted[k].begin());
        return;
    }
    const FloatMode mode;
    grid.sort({columns[0].data(), columns[1].data(), columns[2].data()}, points, executor, backend.grid);
    const std::uint32_t* order = grid.order().data();
    executor.for_chunks(points, executor.grain(points),
                        [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                            for (std::int64_t to = begin; to < end; ++to) {
                                index[to] = order[to];
                                place_of[order[to]] = static_cast<std::uint32_t>(to);
                            }
                            for (int k = 0; k < settings.dim; ++k) {
                                backend.grid.take32(order + begin, end - begin, columns[k].data(),
                                                    sorted[k].data() + begin, false);
                            }
                        });
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

std::size_t Neighbours::size() const {
    return impl_->count;
}

const std::string& Neighbours::backend() const {
    return impl_->backend.name;
}

int Neighbours::threads() const {
    return impl_->backend.executor->threads();
}

}  // namespace horde
