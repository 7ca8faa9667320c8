// The grid's order against a sort by definition, over frames of random moves, in each way of laying out
// cells.
#include "sim/grid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace horde {
namespace {

// Claims to be several threads and runs chunks one by one, the last first.
class BackwardExecutor final : public Executor {
  public:
    explicit BackwardExecutor(int threads) : threads_(threads) {}
    int threads() const override { return threads_; }
    void run(std::int64_t chunks, Body body, void* context) override {
        for (std::int64_t chunk = chunks; chunk-- > 0;) body(context, chunk);
    }

  private:
    int threads_;
};

struct Cloud {
    int dim;
    std::vector<float> axis[3];
    std::int64_t count() const { return std::ssize(axis[0]); }
};

enum class Layout { kDense, kRows, kSparse };

Layout layout_of(const GridView& view) {
    if (view.start == nullptr) return Layout::kSparse;
    return view.rows != nullptr ? Layout::kRows : Layout::kDense;
}

// Cells of a point by an independent formula, last axis first: what the order is by.
std::vector<double> cells_of(const Cloud& cloud, std::size_t i, double cell) {
    std::vector<double> at;
    for (int k = cloud.dim - 1; k >= 0; --k) {
        at.push_back(std::floor(static_cast<double>(cloud.axis[k][i]) * (1.0 / cell)));
    }
    return at;
}

std::vector<std::uint32_t> order_by_definition(const Cloud& cloud, double cell) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(cloud.count()));
    std::iota(order.begin(), order.end(), 0u);
    std::vector<std::vector<double>> cells;
    for (std::size_t i = 0; i < order.size(); ++i) cells.push_back(cells_of(cloud, i, cell));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return cells[a] < cells[b]; });
    return order;
}

void sort(Grid& grid, const Cloud& cloud, Executor& executor) {
    grid.sort<float>({cloud.axis[0].data(), cloud.axis[1].data(), cloud.axis[2].data()}, cloud.count(),
                     executor);
}

void take_order(Cloud& cloud, const std::vector<std::uint32_t>& order) {
    for (int k = 0; k < cloud.dim; ++k) {
        std::vector<float> sorted;
        for (const std::uint32_t i : order) sorted.push_back(cloud.axis[k][i]);
        cloud.axis[k] = sorted;
    }
}

// A uniform cloud, blobs with much space between them, or points so far apart that no table holds the space.
// From one random number: RapidCheck would take minutes to draw so many.
Cloud random_cloud(int dim, std::int64_t count, Layout layout, std::uint64_t& random) {
    const auto draw = [&random] { return to_unit_interval<double>(random = mix64(random)); };
    Cloud cloud{dim, {}};
    const double side = std::pow(static_cast<double>(count + 1) / 4.0, 1.0 / dim);
    for (std::int64_t i = 0; i < count; ++i) {
        const int blob = static_cast<int>(5.0 * draw());
        for (int k = 0; k < dim; ++k) {
            double x = draw() * side;
            if (layout == Layout::kRows) x = 0.2 * x + 0.95 * side * ((blob * (k + 2)) % 5);
            if (layout == Layout::kSparse) x += 3e5 * ((blob * (k + 2)) % 5);
            cloud.axis[k].push_back(static_cast<float>(x));
        }
    }
    return cloud;
}

void check_frames(int dim, Layout layout) {
    const std::int64_t count = *rc::gen::element(0, 1, 2, 40, 300, 2000, 40000) + *rc::gen::inRange(0, 3);
    std::uint64_t random = mix64(*rc::gen::arbitrary<std::uint64_t>(), 1);
    Cloud cloud = random_cloud(dim, count, layout, random);
    const double cell = 1.0;
    const double step = *rc::gen::element(0.0, 0.05, 0.5, 4.0);
    Grid kept;
    kept.set(dim, static_cast<float>(cell), {});
    BackwardExecutor executor(*rc::gen::element(1, 2, 5));
    for (int frame = 0; frame < 4; ++frame) {
        sort(kept, cloud, executor);
        Grid fresh;
        SerialExecutor serial;
        fresh.set(dim, static_cast<float>(cell), {});
        sort(fresh, cloud, serial);
        RC_ASSERT(kept.order() == order_by_definition(cloud, cell));
        RC_ASSERT(fresh.order() == kept.order());
        RC_ASSERT(fresh.occupied_cells() == kept.occupied_cells());
        RC_ASSERT(fresh.largest_cell() == kept.largest_cell());
        if (count >= 2000 && frame == 0 && layout != Layout::kDense)
            RC_ASSERT(layout_of(kept.view()) == layout);
        take_order(cloud, kept.order());
        for (int k = 0; k < dim; ++k) {
            for (float& x : cloud.axis[k]) {
                random = mix64(random);
                x += static_cast<float>(step * (to_unit_interval<double>(random) - 0.5));
            }
        }
    }
}

RC_GTEST_PROP(Grid, OrdersADensePlaneAsDefined, ()) {
    check_frames(2, Layout::kDense);
}
RC_GTEST_PROP(Grid, OrdersDenseSpaceAsDefined, ()) {
    check_frames(3, Layout::kDense);
}
RC_GTEST_PROP(Grid, OrdersRowsOfBlobsAsDefined, ()) {
    check_frames(3, Layout::kRows);
}
RC_GTEST_PROP(Grid, OrdersSparseSpaceAsDefined, ()) {
    check_frames(3, Layout::kSparse);
}

TEST(Grid, CountsCellsOfAPile) {
    Cloud pile{2, {std::vector<float>(5000, 0.5f), std::vector<float>(5000, 0.5f), {}}};
    pile.axis[0].push_back(7.5f);
    pile.axis[1].push_back(-3.5f);
    Grid grid;
    SerialExecutor executor;
    grid.set(2, 1.0f, {});
    sort(grid, pile, executor);
    EXPECT_EQ(grid.occupied_cells(), 2);
    EXPECT_EQ(grid.largest_cell(), 5000);
}

// Points that a fresh world has nowhere near those of the frame before, and ones that are no numbers.
TEST(Grid, FindsItsBlockAnewWhenPointsLeaveIt) {
    Grid grid;
    SerialExecutor executor;
    grid.set(2, 1.0f, {});
    for (const float far : {0.0f, 1e3f, -1e6f, 1e9f, 3e12f, 5.0f}) {
        Cloud cloud{2, {{far, far + 2000.0f, far + 0.25f}, {-far, -far, -far}, {}}};
        sort(grid, cloud, executor);
        EXPECT_EQ(grid.order(), order_by_definition(cloud, 1.0)) << far;
    }
    Cloud broken{2, {{0.5f, std::nanf(""), 9.5f}, {0.5f, 0.5f, std::nanf("")}, {}}};
    sort(grid, broken, executor);
    std::vector<std::uint32_t> order = grid.order();
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace horde
