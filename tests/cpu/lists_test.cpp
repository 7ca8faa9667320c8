// Neighbour lists in lanes and on threads against their slow twins: the definition and the scalar lists.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "../sim/points.h"
#include "base/random.h"
#include "horde/error.h"
#include "horde/world.h"

namespace horde {
namespace {

using test::by_definition;
using test::Points;

struct Lists {
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    std::int64_t neighbours = 0;

    std::vector<std::uint32_t> of(std::size_t i) const {
        return {index.begin() + static_cast<std::ptrdiff_t>(start[i]),
                index.begin() + static_cast<std::ptrdiff_t>(start[i + 1])};
    }
    bool operator==(const Lists&) const = default;
};

struct Way {
    std::string backend;
    int threads;
    int lanes;  // HORDE_LANES, or 0
};

std::vector<Way> ways() {
    std::vector<Way> all = {{"scalar", 1, 0}, {"threads", 3, 0}};
    for (const int width : lane_widths()) {
        all.push_back({"simd", 1, width});
        all.push_back({"simd", 3, width});
    }
    return all;
}

Neighbours built(const Points& points, const Way& way, float cell, Search search) {
    if (way.lanes > 0) setenv("HORDE_LANES", std::to_string(way.lanes).c_str(), 1);
    NeighbourSettings settings;
    settings.dim = points.dim;
    settings.cell = cell;
    settings.search = search;
    settings.periodic = points.periodic;
    settings.backend = way.backend;
    settings.threads = way.threads;
    Neighbours neighbours(settings);
    unsetenv("HORDE_LANES");
    neighbours.build(points.axis[0], points.axis[1], points.axis[2]);
    return neighbours;
}

Lists lists_of(const Neighbours& neighbours, const ListRadius& radius, ListOrder order) {
    Lists found;
    found.neighbours = neighbours.lists(radius, found.start, found.index, order).neighbours;
    return found;
}

// Dense and empty cells, piles, rows, columns and seams; near the origin or where floats are coarse.
Points points_of(int dim, std::uint64_t seed, float radius) {
    const auto draw = [&] { return to_unit_interval<double>(seed = mix64(seed)); };
    Points points;
    points.dim = dim;
    const double cells = *rc::gen::element(1.0, 2.1, 3.4, 6.0, 40.0, 300.0);
    const double side = cells * radius;
    const bool periodic = *rc::gen::arbitrary<bool>();
    const double centre = *rc::gen::element(0.0, 0.0, -37.3, 1e4, -1e6) * radius;
    const int layout = *rc::gen::inRange(0, 8);
    const auto count = static_cast<int>(700.0 * draw() * draw());
    const auto round = [](double x) { return static_cast<double>(static_cast<float>(x)); };
    const double low = round(centre), high = round(centre + side);
    if (!(high > low)) return points;
    if (periodic) points.periodic = Bounds{{low, low, low}, {high, high, high}};
    for (int n = 0; n < count; ++n) {
        double at[3] = {draw(), draw(), draw()};
        if (layout == 1 && n % 2 == 0) at[0] = at[1] = at[2] = 0.5;  // a pile at a point
        if (layout == 2 && n % 2 == 0) {                             // within a centimetre
            for (double& x : at) x = 0.3 + 0.01 / side * x;
        }
        if (layout == 3) at[0] = at[2] = 0.5;                                     // a column
        if (layout == 4) at[1] = at[2] = n % 2 == 0 ? 0.1 : 0.9;                  // rows, empty between
        if (layout == 5) at[n % dim] = n % 4 < 2 ? 0.0 : 1.0 - 0x1p-20 * draw();  // at the seam
        if (layout == 7) {  // two blobs, far from each other in many cells
            for (double& x : at) x = 0.8 * (n % 2) + x * std::min(0.1, 3.0 / cells);
        }
        if (layout == 6) at[0] = std::floor(at[0] * cells) / cells;  // on edges of cells
        float place[3];
        for (int k = 0; k < 3; ++k) {
            place[k] = static_cast<float>(centre + at[k] * side);
            if (place[k] >= high) place[k] = std::nextafter(static_cast<float>(high), -1e30f);
            if (place[k] < low) place[k] = static_cast<float>(low);
        }
        points.add(place[0], place[1], place[2]);
    }
    return points;
}

void expect_one_answer() {
    const int dim = *rc::gen::inRange(2, 4);
    const auto radius = *rc::gen::element(0.01f, 1.0f, 1.7f, 250.0f);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Points points = points_of(dim, seed, radius);
    const float cell = radius * *rc::gen::element(1.0f, 0.5f, 0.21f, 1.4f, 5.0f);
    const auto search = *rc::gen::element(Search::kGrid, Search::kGrid, Search::kGrid, Search::kBrute);
    std::vector<float> radii;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double part = to_unit_interval<double>(mix64(seed, i));
        radii.push_back(part < 0.1 ? 0.0f : radius * static_cast<float>(1.3 * part));
    }
    const bool same_radius = *rc::gen::arbitrary<bool>();
    const ListRadius asked = same_radius ? ListRadius(radius) : ListRadius(radii);
    std::optional<Lists> given, grid;
    for (const Way& way : ways()) {
        const Neighbours neighbours = built(points, way, cell, search);
        const Lists by_index = lists_of(neighbours, asked, ListOrder::kGiven);
        const Lists by_grid = lists_of(neighbours, asked, ListOrder::kGrid);
        if (!given) {
            for (std::size_t i = 0; i < points.size(); ++i)
                RC_ASSERT(by_index.of(i) == by_definition(points, i, same_radius ? radius : radii[i]));
            const std::span<const std::uint32_t> order = neighbours.grid_order();
            RC_ASSERT(order.size() == points.size());
            for (std::size_t r = 0; r < points.size(); ++r) {
                std::vector<std::uint32_t> renamed = by_grid.of(r);
                RC_ASSERT(std::is_sorted(renamed.begin(), renamed.end()));
                for (std::uint32_t& entry : renamed) entry = order[entry];
                std::sort(renamed.begin(), renamed.end());
                RC_ASSERT(renamed == by_index.of(order[r]));
            }
            given = by_index;
            grid = by_grid;
        }
        RC_ASSERT(by_index == *given);
        RC_ASSERT(by_grid == *grid);
    }
}

RC_GTEST_PROP(Lists, AreThoseOfTheDefinitionOnEveryBackend, ()) {
    for (int n = 0; n < 2; ++n) expect_one_answer();
}

Points cube(int count, double side) {
    Points points;
    points.dim = 3;
    std::uint64_t seed = 5;
    const auto draw = [&] { return side * to_unit_interval<double>(seed = mix64(seed)); };
    for (int n = 0; n < count; ++n) {
        const double x = draw(), y = draw(), z = draw();
        points.add(x, y, z);
    }
    return points;
}

// Many stretches, more than threads: each finds its place behind the one before.
TEST(Lists, OfManyStretchesAreOnePiece) {
    const Points points = cube(20000, 14.0);
    std::optional<Lists> first;
    for (const Way& way : ways()) {
        const Neighbours neighbours = built(points, way, 1.0f, Search::kGrid);
        for (const ListOrder order : {ListOrder::kGrid, ListOrder::kGiven}) {
            const Lists found = lists_of(neighbours, 1.0f, order);
            EXPECT_EQ(found.start.back(), found.index.size());
            EXPECT_EQ(found.index.size(), static_cast<std::size_t>(found.neighbours));
            if (order == ListOrder::kGiven && !first) first = found;
            if (order == ListOrder::kGrid) continue;
            EXPECT_TRUE(found == *first) << way.backend << way.lanes;
        }
    }
}

TEST(Lists, OfAPileWithinACentimetreAreWhole) {
    Points points = cube(1200, 0.01);
    points.add(0.5, 0.5, 0.5);
    for (const Way& way : ways()) {
        const Neighbours neighbours = built(points, way, 1.0f, Search::kGrid);
        for (const ListOrder order : {ListOrder::kGrid, ListOrder::kGiven})
            EXPECT_EQ(lists_of(neighbours, 1.0f, order).neighbours, 1201 * 1200) << way.backend << way.lanes;
    }
}

TEST(Lists, FillSpansThatAreLargeEnoughAndSayWhatTheyNeed) {
    const Points points = cube(500, 4.0);
    for (const Way& way : ways()) {
        const Neighbours neighbours = built(points, way, 1.0f, Search::kGrid);
        for (const ListOrder order : {ListOrder::kGrid, ListOrder::kGiven}) {
            const Lists expected = lists_of(neighbours, 1.0f, order);
            const std::size_t needed = expected.index.size();
            std::vector<std::uint64_t> start(501, 77);
            std::vector<std::uint32_t> index(needed + 3, 99);
            const auto lists = [&](std::size_t room) {
                return neighbours.lists(1.0f, std::span(start), std::span(index).first(room), order)
                    .neighbours;
            };
            for (const std::size_t room : {std::size_t{0}, needed - 1, needed, needed + 2}) {
                start.assign(501, 77);
                EXPECT_EQ(lists(room), static_cast<std::int64_t>(needed));
                EXPECT_EQ(start, expected.start);
            }
            EXPECT_TRUE(std::equal(expected.index.begin(), expected.index.end(), index.begin()));
            EXPECT_EQ(index[needed], 99u);
            EXPECT_EQ(index[needed + 2], 99u);
        }
    }
}

TEST(Lists, UseTheMemoryOfVectorsAgain) {
    const Points points = cube(3000, 7.0);
    const Neighbours neighbours = built(points, {"auto", 1, 0}, 1.0f, Search::kGrid);
    for (const ListOrder order : {ListOrder::kGrid, ListOrder::kGiven}) {
        Lists found = lists_of(neighbours, 1.0f, order);
        const auto* const memory = found.index.data();
        const auto* const starts = found.start.data();
        for (const float radius : {1.0f, 0.9f, 0.3f, 1.0f}) {
            neighbours.lists(radius, found.start, found.index, order);
            EXPECT_EQ(found.index.data(), memory);
            EXPECT_EQ(found.start.data(), starts);
            EXPECT_TRUE(found.index == lists_of(neighbours, radius, order).index);
        }
    }
}

TEST(Lists, OfNobodyAreEmpty) {
    for (const Way& way : ways()) {
        const Neighbours neighbours = built(Points{}, way, 1.0f, Search::kGrid);
        for (const ListOrder order : {ListOrder::kGrid, ListOrder::kGiven}) {
            const Lists found = lists_of(neighbours, 1.0f, order);
            EXPECT_EQ(found.start, std::vector<std::uint64_t>{0});
            EXPECT_TRUE(found.index.empty());
        }
    }
}

TEST(Lists, RefuseWhatCannotBe) {
    const Neighbours neighbours = built(cube(10, 2.0), {"auto", 1, 0}, 1.0f, Search::kGrid);
    std::vector<std::uint64_t> start(10);
    std::vector<std::uint32_t> index(100);
    const auto lists = [&](const ListRadius& radius) {
        neighbours.lists(radius, std::span(start), std::span(index));
    };
    EXPECT_THROW(lists(1.0f), Error) << "ten starts for ten points";
    start.resize(11);
    EXPECT_NO_THROW(lists(1.0f));
    EXPECT_THROW(lists(-1.0f), Error);
    EXPECT_THROW(lists(std::numeric_limits<float>::quiet_NaN()), Error);
    EXPECT_THROW(lists(std::vector<float>(9, 1.0f)), Error);
    EXPECT_THROW(lists(std::vector<float>()), Error);
    std::vector<float> radii(10, 1.0f);
    EXPECT_NO_THROW(lists(radii));
    radii[7] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(lists(radii), Error);
    EXPECT_THROW(Neighbours({.cell = 1.0f, .backend = "fast"}), Error);
    EXPECT_THROW(Neighbours({.cell = 1.0f, .threads = -1}), Error);
}

}  // namespace
}  // namespace horde
