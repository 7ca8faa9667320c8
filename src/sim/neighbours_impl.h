// What `Neighbours` holds.
#pragma once

#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "horde/neighbours.h"
#include "sim/grid.h"
#include "sim/list_search.h"

namespace horde {

// Throws Error unless it is finite and not negative.
void check_radius(float radius);

struct Neighbours::Impl {
    NeighbourSettings settings;
    ListBackend backend;
    Grid grid;
    std::vector<float> sorted[3];         // coordinates in the order of the grid, and kListPadding more
    std::vector<std::uint32_t> index;     // of the point, as given, in the order of the grid; likewise
    std::vector<std::uint32_t> place;     // 0, 1, 2, ..., likewise
    std::vector<std::uint32_t> place_of;  // where a given point went
    std::size_t count = 0;

    template <int D, class F>
    SearchCounts visit(Vec<D> p, float radius, std::int64_t exclude, F&& f) const;
    template <class F>
    SearchCounts visit_point(Vec3 point, float radius, std::int64_t exclude, F&& f) const;

    // Memory of `lists`, of which one call runs at a time.
    std::vector<float> radius_of;  // in the order of the grid
    std::mutex mutex;
    std::vector<std::unique_ptr<ListPart>> idle;

    void check_points(std::span<const float> (&columns)[3]) const;
    void name_bad_point(std::span<const float> column, int axis) const;
    void sort_points(std::span<const float> (&columns)[3]);

    SearchCounts lists(const ListRadius& radius, std::span<std::uint64_t> start,
                       std::span<std::uint32_t> index, ListOrder order);
    // The same where `start` is right already.
    void fill(const ListRadius& radius, std::span<std::uint64_t> start, std::span<std::uint32_t> out,
              ListOrder order);
    ListSearch list_search(const ListRadius& radius, ListOrder order);
    SearchCounts fill_in_grid_order(const ListSearch& search, std::span<std::uint64_t> start,
                                    std::span<std::uint32_t> out);
    SearchCounts count_as_given(ListSearch search, std::span<std::uint64_t> start);
    void fill_as_given(const ListSearch& search, std::span<const std::uint64_t> start,
                       std::span<std::uint32_t> out);
    void write_as_given(ListPart& part, const std::uint32_t* name, std::int64_t points,
                        std::span<const std::uint64_t> start, std::span<std::uint32_t> out);
    template <class F>
    void for_stretches(F&& f);
    std::unique_ptr<ListPart> take();
    void give_back(std::unique_ptr<ListPart> part);
};

}  // namespace horde
