// Counts beyond 32 bits.
#include <gtest/gtest.h>

#include "horde/neighbours.h"
#include "horde/world.h"

namespace horde {
namespace {

// NNPOps#101, numba#9229 (users.md U51): N (N - 1) passes 2^31 at 46,342 and 2^32 at 65,537.
TEST(NeighboursLong, U51CountsOfPairsPassThirtyTwoBits) {
    for (const std::size_t count : {46342u, 65537u}) {
        std::vector<float> x(count), y(count);
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = static_cast<float>(i % 300) * 1e-3f;
            y[i] = static_cast<float>(i / 300) * 1e-3f;
        }
        Neighbours neighbours({.dim = 2, .cell = 1.0f});
        neighbours.build(x, y);
        for (std::size_t i = 0; i < count;
             i += 97) {  // all within the radius of each other: a sample says it all
            const SearchCounts counts = neighbours.visit(
                {x[i], y[i], 0}, 1.0f, static_cast<std::int64_t>(i), [](void*, Neighbour) {}, nullptr);
            ASSERT_EQ(counts.neighbours, static_cast<std::int64_t>(count) - 1);
            ASSERT_EQ(counts.candidates, static_cast<std::int64_t>(count));
        }
    }
    Scene scene;
    scene.world.bounds = Bounds{{-0.2, -0.2, 0}, {0.2, 0.2, 0}};
    SceneAgents agents;
    agents.count = 46342;
    agents.rule = "vicsek";
    agents.spawn = SpawnArea::kBox;
    scene.agents.push_back(agents);
    World world(scene);
    world.step();
    EXPECT_EQ(world.report().neighbours, std::int64_t{46342} * 46341);
}

}  // namespace
}  // namespace horde
