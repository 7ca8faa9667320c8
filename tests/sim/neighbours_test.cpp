#include "horde/neighbours.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "horde/error.h"
#include "points.h"
#include "sim/grid.h"

namespace horde {
namespace {

using test::by_definition;
using test::Points;

Neighbours searched(const Points& points, Search search, float cell) {
    NeighbourSettings settings;
    settings.dim = points.dim;
    settings.cell = cell;
    settings.search = search;
    settings.periodic = points.periodic;
    Neighbours neighbours(settings);
    neighbours.build(points.axis[0], points.axis[1], points.axis[2]);
    return neighbours;
}

void check_against_definition(int dim, bool periodic) {
    const Points points = test::random_points(dim, periodic);
    const auto cell = *rc::gen::element(0.05f, 0.5f, 1.0f, 9.0f, 300.0f);
    const float radius = cell * *rc::gen::element(0.1f, 0.5f, 1.0f, 1.5f, 3.0f, 10.0f);
    const Neighbours grid = searched(points, Search::kGrid, cell);
    const Neighbours brute = searched(points, Search::kBrute, cell);
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<std::uint32_t> expected = by_definition(points, i, radius);
        const auto self = static_cast<std::int64_t>(i);
        const SearchCounts by_grid = grid.query(points.at(i), radius, self, found);
        RC_ASSERT(found == expected);  // sorted, so equal means each once
        const SearchCounts by_brute = brute.query(points.at(i), radius, self, found);
        RC_ASSERT(found == expected);
        RC_ASSERT(by_grid.neighbours == static_cast<std::int64_t>(expected.size()));
        RC_ASSERT(by_brute.candidates == static_cast<std::int64_t>(points.size()));
        RC_ASSERT(by_grid.candidates <= by_brute.candidates);
    }
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    const SearchCounts all = grid.lists(radius, start, index);
    RC_ASSERT(start.size() == points.size() + 1);
    RC_ASSERT(static_cast<std::int64_t>(index.size()) == all.neighbours);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<std::uint32_t> list(index.begin() + static_cast<std::ptrdiff_t>(start[i]),
                                              index.begin() + static_cast<std::ptrdiff_t>(start[i + 1]));
        RC_ASSERT(list == by_definition(points, i, radius));
    }
}

RC_GTEST_PROP(Neighbours, OfAPlaneAreThoseOfTheDefinition, ()) {
    check_against_definition(2, false);
}
RC_GTEST_PROP(Neighbours, OfSpaceAreThoseOfTheDefinition, ()) {
    check_against_definition(3, false);
}
RC_GTEST_PROP(Neighbours, OfAPeriodicPlaneAreThoseOfTheDefinition, ()) {
    check_against_definition(2, true);
}
RC_GTEST_PROP(Neighbours, OfPeriodicSpaceAreThoseOfTheDefinition, ()) {
    check_against_definition(3, true);
}

Points plane(std::initializer_list<Vec3> places, std::optional<Bounds> periodic = {}) {
    Points points;
    points.periodic = periodic;
    for (const Vec3& p : places) points.add(p.x, p.y, p.z);
    return points;
}

std::vector<std::uint32_t> found_by(const Neighbours& neighbours, Vec3 place, float radius,
                                    std::int64_t self) {
    std::vector<std::uint32_t> found;
    neighbours.query(place, radius, self, found);
    return found;
}

TEST(Neighbours, U01CoincidentAgentsHaveExactlyEachOther) {
    const Neighbours n = searched(plane({{0.5, 0.5, 0}, {0.5, 0.5, 0}}), Search::kGrid, 1.0f);
    EXPECT_EQ(found_by(n, {0.5, 0.5, 0}, 1.0f, 0), std::vector<std::uint32_t>{1});
    EXPECT_EQ(found_by(n, {0.5, 0.5, 0}, 1.0f, 1), std::vector<std::uint32_t>{0});
}

TEST(Neighbours, U11ARadiusLargerThanThePeriodicBoxGivesEachNeighbourOnce) {
    const Bounds box{{0, 0, 0}, {100, 100, 0}};
    const Points points = plane({{1, 1, 0}, {50, 50, 0}, {99, 3, 0}}, box);
    for (const float cell : {1.0f, 30.0f, 60.0f, 100.0f, 1000.0f}) {
        const Neighbours n = searched(points, Search::kGrid, cell);
        EXPECT_EQ(found_by(n, points.at(1), 100.0f, 1), (std::vector<std::uint32_t>{0, 2}));
    }
}

TEST(Neighbours, U13FewerThanThreeCellsAnAxisDoNotWrapOntoThemselves) {
    Points points;
    points.dim = 3;
    points.periodic = Bounds{{0, 0, 0}, {4, 4, 4}};
    for (int k = 0; k < 16; ++k) points.add(k % 4, (k / 4) % 4, (k * 7) % 4);
    for (const float cell : {4.0f, 2.0f, 1.4f, 1.0f}) {
        const Neighbours n = searched(points, Search::kGrid, cell);
        std::vector<std::uint32_t> found;
        n.query(points.at(0), 4.0f, -1, found);
        EXPECT_EQ(found.size(), 16u) << "self included";
    }
}

TEST(Neighbours, U15BoundsNeedNotStartAtZero) {
    const Bounds box{{-50, -50, 0}, {50, 50, 0}};
    const Points points = plane({{-49, 0, 0}, {49, 0, 0}}, box);
    EXPECT_EQ(found_by(searched(points, Search::kGrid, 5.0f), points.at(0), 5.0f, 0),
              std::vector<std::uint32_t>{1});
}

TEST(Neighbours, U18PointsOnTheEdgesOfTheBoundsAreFoundAndBeyondAreRefused) {
    const Bounds box{{0, 0, 0}, {10, 10, 0}};
    const Points inside = plane({{0, 0, 0}, {std::nextafterf(10.0f, 0.0f), 0, 0}}, box);
    EXPECT_EQ(found_by(searched(inside, Search::kGrid, 1.0f), inside.at(0), 1.0f, 0),
              std::vector<std::uint32_t>{1});
    EXPECT_THROW(searched(plane({{10, 0, 0}}, box), Search::kGrid, 1.0f), Error);
}

TEST(Neighbours, U21FloorLosesNoneAndVisitsNoMoreThanInTheShiftedCopy) {
    const Points one = plane({{-0.3, 0, 0}});
    EXPECT_EQ(found_by(searched(one, Search::kGrid, 1.0f), {0.2, 0, 0}, 0.6f, -1),
              std::vector<std::uint32_t>{0});

    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-32.0, 32.0);  // whole cells, so that a shift keeps them
    Points here, shifted;
    for (int n = 0; n < 1000; ++n) {
        const double x = uniform(random), y = uniform(random);
        here.add(x, y, 0);
        shifted.add(x + 64.0, y + 64.0, 0);
    }
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    const SearchCounts at_origin = searched(here, Search::kGrid, 4.0f).lists(4.0f, start, index);
    const SearchCounts away = searched(shifted, Search::kGrid, 4.0f).lists(4.0f, start, index);
    EXPECT_LT(static_cast<double>(at_origin.candidates), 1.1 * static_cast<double>(away.candidates));
}

TEST(Neighbours, U25AHugePlaceOrRadiusTakesBoundedTime) {
    const Points points = plane({{1e30, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-1e30, 5, 0}});
    const Neighbours n = searched(points, Search::kGrid, 1.0f);
    EXPECT_EQ(found_by(n, points.at(1), 1.0f, 1), std::vector<std::uint32_t>{2});
    EXPECT_EQ(found_by(n, points.at(1), 1e15f, 1), std::vector<std::uint32_t>{2});
    EXPECT_EQ(found_by(n, points.at(0), 1e15f, 0), std::vector<std::uint32_t>{});
}

TEST(Neighbours, U29APointOutsideThePeriodicBoxIsNamed) {
    const Bounds box{{0, 0, 0}, {31.298, 31.298, 0}};
    try {
        searched(plane({{1, 1, 0}, {31.496, 1, 0}}, box), Search::kGrid, 1.0f);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("point 1, x"), std::string::npos) << error.what();
    }
}

TEST(Neighbours, U49PointsThatAreNotFiniteAreNamedAndTheOldOnesStay) {
    Neighbours n = searched(plane({{0, 0, 0}, {-0.0, 0.5, 0}}), Search::kGrid, 1.0f);
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const Points points = plane({{0, 0, 0}, {0, bad, 0}});
        try {
            n.build(points.axis[0], points.axis[1]);
            FAIL() << "accepted";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("point 1, y"), std::string::npos) << error.what();
        }
        EXPECT_EQ(found_by(n, {0, 0, 0}, 1.0f, 0), std::vector<std::uint32_t>{1});
    }
}

TEST(Neighbours, APlaceOutsideThePeriodicBoundsIsWrapped) {
    const Bounds box{{0, 0, 0}, {10, 10, 0}};
    const Points points = plane({{5, 5, 0}}, box);
    const Neighbours n = searched(points, Search::kGrid, 1.0f);
    for (const double turn : {-1000.0, -20.0, -10.0, 0.0, 10.0, 100.0}) {
        EXPECT_EQ(found_by(n, {5.25 + turn, 5.0 - turn, 0}, 0.5f, -1), std::vector<std::uint32_t>{0}) << turn;
    }
}

TEST(Neighbours, RadiiWhoseSquaresLeaveTheNormalFloatsGiveTheSameSets) {
    const Points points = plane({{0, 0, 0}, {1e-24, 0, 0}, {1e-10, 0, 0}, {3e20, 0, 0}});
    for (const float radius : {0.0f, 1e-30f, 1e-22f, 1e-9f, 1e20f, 3e38f}) {
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto self = static_cast<std::int64_t>(i);
            EXPECT_EQ(found_by(searched(points, Search::kGrid, 1.0f), points.at(i), radius, self),
                      found_by(searched(points, Search::kBrute, 1.0f), points.at(i), radius, self));
        }
    }
}

TEST(Neighbours, RefusesSettingsThatCannotBe) {
    EXPECT_THROW(Neighbours({.dim = 4, .cell = 1.0f}), Error);
    EXPECT_THROW(Neighbours({.dim = 2, .cell = 0.0f}), Error);
    EXPECT_THROW(Neighbours({.dim = 2, .cell = -1.0f}), Error);
    EXPECT_THROW(Neighbours({.dim = 2, .cell = 1.0f, .periodic = Bounds{{0, 0, 0}, {0, 1, 0}}}), Error);
    Neighbours n({.dim = 2, .cell = 1.0f});
    std::vector<std::uint32_t> found;
    EXPECT_THROW(n.query({}, -1.0f, -1, found), Error);
    EXPECT_THROW(n.query({}, std::numeric_limits<float>::quiet_NaN(), -1, found), Error);
    EXPECT_EQ(n.query({}, 1.0f, -1, found).neighbours, 0) << "nothing was built";
}

TEST(Neighbours, VisitsInPlaceWithSquaredDistances) {
    const Points points = plane({{0, 0, 0}, {3, 4, 0}, {6, 8, 0}});
    const Neighbours n = searched(points, Search::kGrid, 2.0f);
    std::set<std::pair<std::uint32_t, float>> seen;
    n.visit(
        points.at(0), 5.0f, 0,
        [](void* context, Neighbour neighbour) {
            static_cast<decltype(seen)*>(context)->emplace(neighbour.index, neighbour.distance_squared);
        },
        &seen);
    EXPECT_EQ(seen, (decltype(seen){{1, 25.0f}}));
}

TEST(Neighbours, U23ASparseTableOfAnySizeRepeatsNobody) {
    for (const int count : {1, 2, 7, 1000}) {
        Points points;
        for (int n = 0; n < count; ++n) points.add((n % 31) * 1e4 + (n % 3) * 0.4, (n / 31) * -1e4, 0);
        const Neighbours neighbours = searched(points, Search::kGrid, 1.0f);
        for (std::size_t i = 0; i < points.size(); ++i) {
            ASSERT_EQ(found_by(neighbours, points.at(i), 1.0f, static_cast<std::int64_t>(i)),
                      by_definition(points, i, 1.0f));
        }
    }
}

TEST(Neighbours, U28ListsOfAClumpHoldEveryPair) {
    Points points;
    for (int n = 0; n < 2000; ++n) points.add(0.05 * (n % 45) / 45.0, 0.05 * (n / 45) / 45.0, 0);
    const Neighbours neighbours = searched(points, Search::kGrid, 0.1f);
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    EXPECT_EQ(neighbours.lists(0.1f, start, index).neighbours, 2000 * 1999);
    EXPECT_EQ(index.size(), 2000u * 1999u);
}

// The sparse table must not cost memory for the space between: these points span 2^40 cells an axis.
TEST(Grid, OfAFlockTornApartIsSparseAndStillRight) {
    Points points;
    points.dim = 3;
    for (int n = 0; n < 200; ++n) points.add((n % 2) * 1e9 + (n % 10) * 0.25, (n % 3) * -1e9, (n % 5) * 0.5);
    const Neighbours n = searched(points, Search::kGrid, 1.0f);
    for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_EQ(found_by(n, points.at(i), 1.0f, static_cast<std::int64_t>(i)),
                  by_definition(points, i, 1.0f));
    }
}

TEST(Grid, CellsAreFlooredInSixtyFourBits) {
    GridView grid;
    grid.cells_per_metre = 1.0 / 60.0;
    EXPECT_EQ(cell_of(grid, -30.0), -1);
    EXPECT_EQ(cell_of(grid, 30.0), 0);
    EXPECT_EQ(cell_of(grid, -60.0), -1);
    EXPECT_EQ(cell_of(grid, -60.001), -2);
    EXPECT_EQ(cell_of(grid, 60.0 * 5e9), 5000000000);
    EXPECT_EQ(cell_of(grid, 1e300), kFarCell);
    EXPECT_EQ(cell_of(grid, -1e300), -kFarCell);
}

}  // namespace
}  // namespace horde
