// The row of the stage `bodies` in the table of stages tells the truth when the room works for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "../sim/scenes.h"
#include "bodies/bodies.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/spawn.h"

namespace horde {
namespace {

std::size_t stage_number() {
    std::size_t k = 0;
    while (std::string(kStages[k].name) != "bodies") ++k;
    return k;
}

// A crowd of bodies that was steered and is about to move.
std::unique_ptr<Frame> steered_frame() {
    Scene scene =
        test::map_scene({"..........", "..@@......", "..@@...@@.", ".......@@.", ".........."}, {{9, 2}}, 40);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    scene.bodies.physics = Physics::kAll;
    scene.tiers.viewpoints = {{5.0, 2.0}};
    auto frame = std::make_unique<Frame>();
    frame->executor = std::make_unique<SerialExecutor>();
    const std::optional<Map> map = make_map(scene);
    set_up_frame(*frame, scene, &*map, nullptr);
    spawn_scene(*frame, scene);
    set_viewpoints(*frame, scene.tiers.viewpoints);
    Backend backend = scalar_backend();
    backend.bodies = bodies_stage;
    for (int n = 0; n < 60; ++n) run_frame(*frame, backend, frame->params.dt);
    frame->dt = frame->params.dt;
    for (std::size_t k = 0; k < stage_number(); ++k) (backend.*kStages[k].run)(*frame);
    return frame;
}

// Gives each agent another's values of the columns in `bits`.
void turn(Frame& frame, std::uint32_t bits) {
    Agents& agents = frame.agents;
    const auto turn_one = [&](auto& values) {
        std::rotate(values.begin(), values.begin() + 1, values.begin() + agents.count);
    };
    for_each_column(agents, [&](auto& now, auto&, ColumnBit bit) {
        if ((bits & bit) != 0) turn_one(now);
    });
    if ((bits & kAccel) != 0) {
        for (int k = 0; k < agents.dim; ++k) turn_one(agents.accel[k]);
    }
    if ((bits & kTouch) != 0) turn_one(agents.touch);
}

struct Made {
    std::vector<std::uint32_t> moved;
    std::vector<float> next;
    std::vector<BodyPair> contacts;
};

Made made_by(Frame& frame) {
    bodies_stage(frame);
    Made made{frame.bodies.moved, {}, frame.bodies.contacts};
    for (const std::uint32_t i : made.moved) {
        for (int k = 0; k < 2; ++k) {
            made.next.push_back(frame.agents.position[k].spare[i]);
            made.next.push_back(frame.agents.velocity[k].spare[i]);
        }
    }
    return made;
}

TEST(BodiesStage, ReadsNoColumnThatItDoesNotDeclare) {
    const auto honest = steered_frame(), scrambled = steered_frame();
    turn(*scrambled, kAllColumns & ~kStages[stage_number()].reads);
    const Made expected = made_by(*honest), found = made_by(*scrambled);
    EXPECT_GT(expected.moved.size(), 10u);
    EXPECT_GT(expected.contacts.size(), 5u);
    EXPECT_EQ(found.moved, expected.moved);
    EXPECT_EQ(found.next, expected.next);
    EXPECT_EQ(found.contacts, expected.contacts);
}

// What an agent that came no nearer for long is: no body. So the stage reads stall.
TEST(BodiesStage, ReadsHowLongAnAgentCameNoNearer) {
    const auto frame = steered_frame();
    for (std::int64_t i = 0; i < frame->agents.count; ++i)
        frame->agents.stall.now[static_cast<std::size_t>(i)] = 100.0f;
    bodies_stage(*frame);
    EXPECT_GT(frame->report.bodiless, 0);
    EXPECT_NE(kStages[stage_number()].reads & kStall, 0u);
}

// It looks for who is near in the grid, so it must wait for that.
TEST(BodiesStage, WaitsForTheGrid) {
    EXPECT_NE(kStages[stage_number()].reads & kCells, 0u);
}

}  // namespace
}  // namespace horde
