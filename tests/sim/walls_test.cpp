// Agents among walls: squeezed, knocked about, beside thin ones.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "horde/world.h"
#include "scenes.h"
#include "sim/field/sample.h"

namespace horde {
namespace {

using test::map_scene;

Snapshot rows_of(const World& world) {
    Snapshot snapshot;
    world.snapshot(snapshot);
    return snapshot;
}

TEST(Peers, P15KnockbacksOfAThousandMetresASecondPutNobodyInAWall) {
    std::mt19937 random(3);
    std::vector<std::string> rows(30, std::string(30, '.'));
    for (std::string& row : rows) {
        for (char& c : row) c = random() % 100 < 25 ? '@' : '.';
    }
    Scene scene = map_scene(rows, {}, 250);
    std::get<CrowdRule>(scene.rules["crowd"]).max_speed = 1000.0;
    World world(scene);
    const Map& map = *world.map();
    // Cells that a body can come to from each other: steps between free neighbours, four of them.
    std::vector<int> part(map.cost.size(), -1);
    for (std::size_t start = 0; start < part.size(); ++start) {
        if (part[start] >= 0 || map.cost[start] == kWallCost) continue;
        std::vector<std::size_t> stack{start};
        part[start] = static_cast<int>(start);
        while (!stack.empty()) {
            const auto c = static_cast<int>(stack.back() % 30), r = static_cast<int>(stack.back() / 30);
            stack.pop_back();
            for (const Cell next : {Cell{c + 1, r}, Cell{c - 1, r}, Cell{c, r + 1}, Cell{c, r - 1}}) {
                if (!map.is_free(next) || part[map.index(next)] >= 0) continue;
                part[map.index(next)] = static_cast<int>(start);
                stack.push_back(map.index(next));
            }
        }
    }
    const auto part_at = [&](const Vec3& p) {
        return part[map.index({static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y)})];
    };
    std::map<AgentId, int> home;
    const Snapshot start = rows_of(world);
    for (std::size_t i = 0; i < start.count(); ++i) home[start.id[i]] = part_at(start.position[i]);
    double fastest = 0.0;
    for (int n = 0; n < 300; ++n) {
        for (int k = 0; k < 60; ++k) {
            const double size = static_cast<double>(random() % 1000 + 1);
            const double x = static_cast<double>(random() % 2001) * 1e-3 - 1.0;
            const double y = static_cast<double>(random() % 2001) * 1e-3 - 1.0;
            world.push(random() % 250, {size * x, size * y, 0});
        }
        world.step();
        const Snapshot rows_now = rows_of(world);
        for (std::size_t i = 0; i < rows_now.count(); ++i) {
            const Vec3 p = rows_now.position[i];
            ASSERT_TRUE(p.x >= 0 && p.y >= 0 && p.x < 30 && p.y < 30);
            ASSERT_EQ(part_at(p), home[rows_now.id[i]]) << "no wall was crossed, no corner squeezed through";
            fastest = std::max(fastest, std::hypot(rows_now.velocity[i].x, rows_now.velocity[i].y));
        }
    }
    EXPECT_GT(fastest, 300.0);
}

// U60, FDS 1924 and 570: flow leaked through walls one cell thick, and led into them beside them.
TEST(Users, U60FlowBesideAThinWallHasNoPartIntoIt) {
    const std::vector<std::string> rows = {"...........", "...........", ".....@.....", ".....@.....",
                                           ".....@.....", ".....@.....", "..........."};
    World world(map_scene(rows, {{9, 4}}, 0));
    const Map& map = *world.map();
    const Field& field = world.field(0);
    const FieldView view{field.flow.data(), map.cost.data(), map.columns, map.rows};
    for (int k = 0; k <= 300; ++k) {
        const double row = 2.0 + 4.0 * k / 301.0;
        for (const double gap : {1e-3, 0.05, 0.2, 0.45}) {
            EXPECT_LE(sample_flow(view, 5.0 - gap, row).x, 0.0f) << row << ", " << gap;
            EXPECT_GE(sample_flow(view, 6.0 + gap, row).x, 0.0f) << row << ", " << gap;
        }
    }
    for (const double row : {2.01, 2.5, 3.7, 4.5, 5.99}) {
        World walk(map_scene(rows, {{9, 4}}, 0));
        const AgentId id = walk.spawn({.position = {4.99, row, 0}, .velocity = {1.3, 0, 0}, .goal = 0});
        for (int n = 0; n < 400 && walk.agent_count() > 0; ++n) {
            walk.step();
            const Snapshot now = rows_of(walk);
            if (now.count() == 0) break;
            ASSERT_EQ(now.id[0], id);
            const Vec3 p = now.position[0];
            ASSERT_FALSE(p.x > 5.0 && p.x < 6.0 && p.y > 2.0 && p.y < 6.0) << "in the wall";
        }
        EXPECT_EQ(walk.report().arrived_total, 1) << "round it to the goal, from row " << row;
    }
}

}  // namespace
}  // namespace horde
