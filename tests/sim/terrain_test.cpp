// Costs of layers after any edits are those computed from scratch.
#include "sim/field/terrain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "field_maps.h"
#include "horde/error.h"

namespace horde {
namespace {

// What a Terrain should be, kept as plain lists.
struct PlainTerrain {
    struct Stamp {
        std::vector<Cell> cells;
        int cost;
    };
    Map map;
    std::vector<std::uint8_t> slope;
    std::vector<LayerRule> layers;  // layer 0 first
    std::map<StampId, Stamp> stamps;
    std::vector<std::uint8_t> density;

    bool is_wall(Cell c) const {
        if (!map.is_free(c) || (!slope.empty() && slope[map.index(c)] == kWallCost)) return true;
        for (const auto& [id, stamp] : stamps) {
            if (stamp.cost == kWallCost && std::count(stamp.cells.begin(), stamp.cells.end(), c) > 0)
                return true;
        }
        return false;
    }
    bool is_blocked(const LayerRule& rule, Cell c) const {
        return is_wall(c) || rule.cost[map.cost[map.index(c)]] == kWallCost;
    }
    std::uint8_t cost(const LayerRule& rule, Cell c) const {
        for (int dr = -rule.clearance; dr <= rule.clearance; ++dr) {
            for (int dc = -rule.clearance; dc <= rule.clearance; ++dc) {
                if (is_blocked(rule, {c.column + dc, c.row + dr})) return kWallCost;
            }
        }
        int sum = rule.cost[map.cost[map.index(c)]];
        if (!slope.empty()) sum += slope[map.index(c)];
        if (!density.empty()) sum += density[map.index(c)];
        for (const auto& [id, stamp] : stamps) {
            if (stamp.cost != kWallCost && std::count(stamp.cells.begin(), stamp.cells.end(), c) > 0)
                sum += stamp.cost;
        }
        return static_cast<std::uint8_t>(std::min(sum, 254));
    }
    std::vector<std::uint8_t> costs(const LayerRule& rule) const {
        std::vector<std::uint8_t> all;
        for (Cell c; c.row < map.rows; ++c.row) {
            for (c.column = 0; c.column < map.columns; ++c.column) all.push_back(cost(rule, c));
        }
        return all;
    }
};

std::vector<Cell> cells_of(const CellArea& area) {
    std::vector<Cell> cells;
    for (Cell c = area.first; c.row <= area.last.row; ++c.row) {
        for (c.column = area.first.column; c.column <= area.last.column; ++c.column) cells.push_back(c);
    }
    return cells;
}

std::vector<LayerRule> some_layers() {
    LayerRule wide, shy;
    wide.name = "wide";
    wide.clearance = 2;
    shy.name = "shy";
    shy.clearance = 1;
    shy.cost[2] = 40;
    shy.cost[3] = kWallCost;
    shy.cost[4] = 254;
    return {wide, shy};
}

// Holds each grid that a layer handed out beside a copy of what it was then.
struct HeldGrid {
    CostGridPtr grid;
    std::vector<std::uint8_t> copy;
    std::uint32_t version;
};

void expect_as_plain(const Terrain& terrain, const PlainTerrain& plain, std::vector<LayerCosts> before,
                     std::vector<std::vector<std::uint8_t>> costs_before) {
    for (int k = 0; k < terrain.layer_count(); ++k) {
        const LayerCosts now = terrain.layer(k);
        const auto layer = static_cast<std::size_t>(k);
        ASSERT_EQ(now.costs->map.cost, plain.costs(plain.layers[layer])) << "layer " << k;
        std::vector<std::uint32_t> changed;
        for (std::uint32_t c = 0; c < now.costs->map.cost.size(); ++c) {
            if (now.costs->map.cost[c] != costs_before[layer][c]) changed.push_back(c);
        }
        ASSERT_EQ(std::vector<std::uint32_t>(now.changed.begin(), now.changed.end()), changed);
        ASSERT_EQ(now.costs->version, before[layer].costs->version + (changed.empty() ? 0 : 1));
    }
}

std::vector<LayerCosts> layers_of(const Terrain& terrain) {
    std::vector<LayerCosts> all;
    for (int k = 0; k < terrain.layer_count(); ++k) all.push_back({terrain.layer(k).costs, {}});
    return all;
}

RC_GTEST_PROP(Terrain, HasAfterAnyEditsTheCostsOfTheLivingStamps, (std::uint32_t seed)) {
    std::mt19937 random(seed);
    const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    PlainTerrain plain;
    plain.map = random_map(random, 1 + upto(17), 1 + upto(13), 15, 5);
    const auto cell_count = plain.map.cost.size();
    if (upto(2) == 0) {
        for (std::size_t c = 0; c < cell_count; ++c)
            plain.slope.push_back(upto(12) == 0 ? kWallCost : static_cast<std::uint8_t>(upto(3) * 4));
    }
    Terrain terrain(plain.map, plain.slope, some_layers());
    plain.layers = some_layers();
    plain.layers.insert(plain.layers.begin(), LayerRule{});
    std::vector<HeldGrid> held;
    const auto area = [&]() {
        const Cell from{upto(plain.map.columns), upto(plain.map.rows)};
        return CellArea{from,
                        {std::min(from.column + upto(4), plain.map.columns - 1),
                         std::min(from.row + upto(4), plain.map.rows - 1)}};
    };
    std::vector<StampId> live;
    for (int round = 0; round < 30; ++round) {
        const auto before = layers_of(terrain);
        std::vector<std::vector<std::uint8_t>> costs_before;
        for (const LayerCosts& layer : before) costs_before.push_back(layer.costs->map.cost);
        for (int edits = upto(4); edits >= 0; --edits) {
            const int cost = upto(2) == 0 ? kWallCost : 1 + upto(254);
            const int kind = upto(6);
            if (kind <= 1) {
                const CellArea where = area();
                live.push_back(terrain.stamp(where, cost));
                plain.stamps[live.back()] = {cells_of(where), cost};
            } else if (kind == 2) {
                std::vector<Cell> cells = random_goals(
                    random,
                    Map{plain.map.columns, plain.map.rows, 1.0, std::vector<std::uint8_t>(cell_count, 1)},
                    1 + static_cast<std::size_t>(upto(6)));
                live.push_back(terrain.stamp(cells, cost));
                plain.stamps[live.back()] = {cells, cost};
            } else if (kind == 3) {
                const CellArea where = area();
                const int own = upto(4) == 0 ? kWallCost : 1 + upto(5);
                terrain.set_cost(where, own);
                for (const Cell c : cells_of(where))
                    plain.map.cost[plain.map.index(c)] = static_cast<std::uint8_t>(own);
            } else if (kind == 4) {
                plain.density.resize(cell_count);
                const auto cell = static_cast<std::size_t>(upto(static_cast<int>(cell_count)));
                plain.density[cell] = static_cast<std::uint8_t>(upto(3) * 60);
                terrain.set_density(static_cast<std::uint32_t>(cell), plain.density[cell]);
            } else if (!live.empty()) {
                const auto at = static_cast<std::size_t>(upto(static_cast<int>(live.size())));
                terrain.unstamp(live[at]);
                plain.stamps.erase(live[at]);
                live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
        terrain.commit();
        expect_as_plain(terrain, plain, before, costs_before);
        RC_ASSERT(!testing::Test::HasFatalFailure());
        for (const LayerCosts& layer : layers_of(terrain)) {
            if (upto(3) == 0) held.push_back({layer.costs, layer.costs->map.cost, layer.costs->version});
        }
        if (held.size() > 6) held.erase(held.begin());
        for (const HeldGrid& h : held) {
            RC_ASSERT(h.grid->map.cost == h.copy);
            RC_ASSERT(h.grid->version == h.version);
        }
    }
}

RC_GTEST_PROP(Terrain, IsAsAtTheStartOnceAllStampsAreGone, (std::uint32_t seed)) {
    std::mt19937 random(seed);
    const Map map = random_map(random, 12, 9, 20, 4);
    Terrain terrain(map, {}, some_layers());
    std::vector<std::vector<std::uint8_t>> start;
    for (const LayerCosts& layer : layers_of(terrain)) start.push_back(layer.costs->map.cost);
    std::vector<StampId> live;
    for (int k = 0; k < 12; ++k) {
        const Cell a{static_cast<int>(random() % 9), static_cast<int>(random() % 7)};
        live.push_back(terrain.stamp(CellArea{a, {a.column + 3, a.row + 2}}, random() % 2 ? 255 : 7));
        if (random() % 3 == 0) terrain.commit();
    }
    RC_ASSERT(terrain.hash() != 0u);
    std::shuffle(live.begin(), live.end(), random);
    for (const StampId id : live) {
        terrain.unstamp(id);
        if (random() % 3 == 0) terrain.commit();
    }
    terrain.commit();
    RC_ASSERT(terrain.hash() == 0u);
    for (int k = 0; k < terrain.layer_count(); ++k)
        RC_ASSERT(terrain.layer(k).costs->map.cost == start[static_cast<std::size_t>(k)]);
}

TEST(Terrain, HashDependsOnWhatIsThereAndNotOnHowItCame) {
    const Map map = map_of({"......", "..##..", "......"});
    Terrain a(map, {}, {}), b(map, {}, {}), c(map, {}, {});
    a.stamp(CellArea{{0, 0}, {1, 1}}, 255);
    a.stamp(CellArea{{1, 1}, {2, 2}}, 9);
    a.set_cost({{2, 1}, {3, 1}}, 1);
    b.set_cost({{2, 1}, {3, 1}}, 4);
    b.stamp(CellArea{{0, 0}, {1, 1}}, 255);
    b.commit();
    b.set_cost({{2, 1}, {3, 1}}, 1);
    b.stamp(CellArea{{1, 1}, {2, 2}}, 9);
    EXPECT_EQ(a.hash(), b.hash());
    c.stamp(CellArea{{0, 0}, {1, 1}}, 255);
    c.stamp(CellArea{{1, 1}, {2, 2}}, 8);
    c.set_cost({{2, 1}, {3, 1}}, 1);
    EXPECT_NE(a.hash(), c.hash());
    c.set_cost({{2, 1}, {3, 1}}, 255);
    c.unstamp(2);
    c.unstamp(1);
    EXPECT_EQ(c.hash(), 0u);
}

TEST(Terrain, KeepsTwoGridsWhenNobodyHoldsThem) {
    Terrain terrain(Map{64, 64, 1.0, std::vector<std::uint8_t>(64 * 64, 1)}, {}, {});
    std::vector<const std::uint8_t*> seen;
    for (int n = 0; n < 20; ++n) {
        const StampId id = terrain.stamp(CellArea{{n, n}, {n + 2, n + 2}}, 255);
        terrain.commit();
        const std::uint8_t* memory = terrain.layer(0).costs->map.cost.data();
        if (std::find(seen.begin(), seen.end(), memory) == seen.end()) seen.push_back(memory);
        if (n % 3 == 0) terrain.unstamp(id);
    }
    EXPECT_EQ(seen.size(), 2u);
}

TEST(Terrain, ACommitWithoutEditsChangesNothing) {
    Terrain terrain(map_of({"...", "..."}), {}, some_layers());
    terrain.stamp(CellArea{{0, 0}, {0, 0}}, 3);
    EXPECT_TRUE(terrain.is_pending());
    EXPECT_TRUE(terrain.commit());
    EXPECT_EQ(terrain.layer(0).changed.size(), 1u);
    EXPECT_FALSE(terrain.commit());
    EXPECT_TRUE(terrain.layer(0).changed.empty());
    EXPECT_EQ(terrain.layer(0).costs->version, 1u);
}

TEST(Terrain, RefusesEditsThatCannotBe) {
    Terrain terrain(map_of({"...", "..."}), {}, {});
    EXPECT_THROW(terrain.stamp(CellArea{{0, 0}, {3, 0}}, 255), Error);
    EXPECT_THROW(terrain.stamp(CellArea{{-1, 0}, {1, 0}}, 255), Error);
    EXPECT_THROW(terrain.stamp(CellArea{{1, 0}, {0, 0}}, 255), Error);
    EXPECT_THROW(terrain.stamp(CellArea{{0, 0}, {0, 0}}, 0), Error);
    EXPECT_THROW(terrain.stamp(CellArea{{0, 0}, {0, 0}}, 256), Error);
    EXPECT_THROW(terrain.stamp(std::vector<Cell>{}, 255), Error);
    EXPECT_THROW(terrain.stamp(std::vector<Cell>{{0, 0}, {0, 2}}, 255), Error);
    EXPECT_THROW(terrain.set_cost({{0, 0}, {0, 0}}, 0), Error);
    EXPECT_THROW(terrain.unstamp(1), Error);
    EXPECT_FALSE(terrain.is_pending());
    const StampId id = terrain.stamp(CellArea{{0, 0}, {0, 0}}, 255);
    terrain.unstamp(id);
    EXPECT_THROW(terrain.unstamp(id), Error) << "a second time";
    EXPECT_EQ(terrain.hash(), 0u);
}

}  // namespace
}  // namespace horde
