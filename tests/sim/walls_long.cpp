// A crowd squeezed in a closed pen for three minutes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

using test::map_scene;

// Walls cross at corners alone: a diamond of cells that touch diagonally, free inside and outside.
std::vector<std::string> slanted_pen(int side) {
    std::vector<std::string> rows(static_cast<std::size_t>(side),
                                  std::string(static_cast<std::size_t>(side), '.'));
    const int middle = side / 2, reach = side / 2 - 2;
    for (int k = 0; k <= reach; ++k) {
        for (const auto& [c, r] :
             {std::pair{k, reach - k}, {-k, reach - k}, {k, k - reach}, {-k, k - reach}}) {
            rows[static_cast<std::size_t>(middle + r)][static_cast<std::size_t>(middle + c)] = '@';
        }
    }
    return rows;
}

// 1,000 agents, five on each square metre, pressed into every side and every corner of the pen in turn.
TEST(Peers, P15AThousandAgentsSqueezedInASlantedPenDoNotEscape) {
    Scene scene = map_scene(slanted_pen(25), {}, 0);
    scene.agents[0].count = 1000;
    scene.agents[0].spawn = SpawnArea::kBox;
    scene.agents[0].box = Bounds{{8, 8, 0}, {17, 17, 0}};
    World world(scene);
    const auto inside = [](const Vec3& p) {
        return std::abs(static_cast<int>(p.x) - 12) + std::abs(static_cast<int>(p.y) - 12) < 10;
    };
    for (int n = 0; n < 3600; ++n) {
        const double turn[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
        const auto& to = turn[n / 450];
        if (n % 3 == 0) {  // from far behind: all go the same way, into a side or a corner of the pen
            world.push(Vec3{12.5 - 60 * to[0], 12.5 - 60 * to[1], 0}, 200.0, 3.0);
        }
        world.step();
        if (n % 20 != 0) continue;
        Snapshot rows;
        world.snapshot(rows);
        for (const Vec3& p : rows.position) ASSERT_TRUE(inside(p)) << p.x << ", " << p.y << ", frame " << n;
    }
    EXPECT_EQ(world.agent_count(), 1000);
    EXPECT_EQ(world.report().pushed_out, 0);
}

}  // namespace
}  // namespace horde
