// The loop that docs/guide.md shows to engines; tests/python/test_docs.py holds the two together.
#include <gtest/gtest.h>

#include "cameras.h"
#include "horde/horde.h"
#include "scenes.h"

namespace horde {
namespace {

struct Engine {
    std::array<double, 16> view_projection =
        test::make_camera({30.0, -8.0, 12.0}, {0.0, 1.0, -0.8}, {}).camera.view_projection;
    Vec3 eye = {30.0, -8.0, 12.0};
    std::size_t drawn = 0;
    int calls = 0;

    void play_animation(AgentId) {}
    void draw_instanced(std::span<const InstancePacket> packets) {
        drawn += packets.size();
        ++calls;
    }
};

void run_one_frame(World& world, Engine& engine) {
    // clang-format off
    world.set_viewpoints(std::vector<Vec3>{engine.eye});            // levels of detail: part of the state
    world.set_camera({.view_projection = engine.view_projection});  // what is drawn: part of no state
    world.start_step();                                             // this thread is free ...
    world.finish_step();                                            // ... until here
    for (const TierEvent& event : world.tier_events()) {
        if (event.to == Tier::kNear) engine.play_animation(event.id);
    }
    for (int type = 0; type < 2; ++type) {
        const auto packets = world.packets(type);
        for (std::size_t n = 0; n < batch_count(packets.size(), 1023); ++n) {
            engine.draw_instanced(batch(packets, 1023, n));
        }
    }
    // clang-format on
}

TEST(EngineLoop, OfTheGuideDrawsWhoIsInSight) {
    Scene scene = test::map_scene(std::vector<std::string>(60, std::string(60, '.')), {{30, 30}}, 3000);
    World world(scene, {.threads = 1});
    Engine engine;
    run_one_frame(world, engine);
    EXPECT_GT(engine.drawn, 1023u);
    EXPECT_LT(engine.drawn, 3000u);
    EXPECT_EQ(engine.calls, 1 + static_cast<int>((engine.drawn - 1) / 1023));
    run_one_frame(world, engine);
    EXPECT_GT(world.report().near, 0);
}

}  // namespace
}  // namespace horde
