// The table of stages tells the truth: what a stage does not declare it neither reads nor writes.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "horde/scene.h"
#include "scenes.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/spawn.h"

namespace horde {
namespace {

// Two groups that fight, one of which flees and comes again.
void let_fight(Scene& scene) {
    scene.agents[0].agents_per_cell = 2;
    scene.agents.push_back(scene.agents[0]);
    scene.agents[1].count = 15;
    scene.combat["fists"] = {
        .health = 1000, .targets = {1}, .range = 0.8, .damage = 3, .knockback = 1.0, .stun = 0.2};
    scene.combat["knife"] = {.health = 40, .targets = {0}, .range = 0.8, .damage = 5, .corpse_time = 2.0};
    scene.agents[0].combat = "fists";
    scene.agents[1].combat = "knife";
    scene.agents[1].behaviours = {"on", "away"};
    scene.behaviours["on"] = {.drive = Drive::kHunt, .of = 0, .radius = 1.5};
    scene.behaviours["away"] = {.drive = Drive::kFlee, .of = 0, .radius = 3.0};
    scene.transitions = {{.from = "on", .to = "away", .group = 0, .distance_below = 0.5},
                         {.from = "away", .to = "on", .group = 0, .distance_above = 1.5}};
}

// A crowd in its 100th frame, with agents that walk, stay, push and fight.
std::unique_ptr<Frame> busy_frame() {
    Scene scene =
        test::map_scene({"..........", "..@@......", "..@@...@@.", ".......@@.", ".........."}, {{9, 2}}, 40);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    scene.tiers.near_promote = 2.0;
    scene.tiers.near_demote = 2.5;
    scene.tiers.middle_promote = 4.0;
    scene.tiers.middle_demote = 5.0;
    scene.tiers.max_near = 3;
    scene.tiers.far_every = 3;
    scene.tiers.middle_every = 2;
    let_fight(scene);
    auto frame = std::make_unique<Frame>();
    frame->executor = std::make_unique<SerialExecutor>();
    const std::optional<Map> map = make_map(scene);
    set_up_frame(*frame, scene, &*map, nullptr);
    spawn_scene(*frame, scene);
    const Vec3 viewpoint{7.0, 2.0};
    set_viewpoints(*frame, {&viewpoint, 1});
    Camera camera;  // from above
    camera.view_projection[0] = camera.view_projection[5] = 0.3;
    camera.view_projection[10] = 0.0;
    set_camera(*frame, camera, {.states = true});
    for (int n = 0; n < 100; ++n) run_frame(*frame, scalar_backend(), frame->params.dt);
    frame->dt = frame->params.dt;
    return frame;
}

// The bytes of a column's live agents, or of what is drawn of them.
struct Bytes {
    std::uint32_t bit;
    std::vector<char> bytes;
};

template <class T>
Bytes bytes_of(const std::vector<T>& values, std::int64_t count, std::uint32_t bit) {
    Bytes bytes{bit, std::vector<char>(static_cast<std::size_t>(count) * sizeof(T))};
    if (count > 0) std::memcpy(bytes.bytes.data(), values.data(), bytes.bytes.size());
    return bytes;
}

std::vector<Bytes> columns_of(Frame& frame) {
    std::vector<Bytes> all;
    Agents& agents = frame.agents;
    for_each_column(
        agents, [&](auto& now, auto&, ColumnBit bit) { all.push_back(bytes_of(now, agents.count, bit)); });
    for (int k = 0; k < agents.dim; ++k) all.push_back(bytes_of(agents.accel[k], agents.count, kAccel));
    for (int k = 0; k < agents.dim; ++k) all.push_back(bytes_of(agents.drive[k], agents.count, kDrive));
    all.push_back(bytes_of(agents.touch, agents.count, kTouch));
    const std::int64_t visible = frame.view.first.empty() ? 0 : frame.view.first.back();
    all.push_back(bytes_of(frame.view.id, visible, kVisible));
    all.push_back(bytes_of(frame.view.packets, visible, kDrawn));
    all.push_back(bytes_of(frame.view.states, visible, kDrawn));
    return all;
}

// Turns the values of the columns in `bits` round, so that each agent has another's: plausible, but wrong.
void scramble(Frame& frame, std::uint32_t bits) {
    Agents& agents = frame.agents;
    const auto turn = [&](auto& values) {
        std::rotate(values.begin(), values.begin() + 1, values.begin() + agents.count);
    };
    for_each_column(agents, [&](auto& now, auto&, ColumnBit bit) {
        if ((bits & bit) != 0) turn(now);
    });
    if ((bits & kAccel) != 0) {
        for (int k = 0; k < agents.dim; ++k) turn(agents.accel[k]);
    }
    if ((bits & kDrive) != 0) {
        for (int k = 0; k < agents.dim; ++k) turn(agents.drive[k]);
    }
    if ((bits & kTouch) != 0) turn(agents.touch);
}

void run_up_to(Frame& frame, std::size_t stage) {
    for (std::size_t k = 0; k < stage; ++k) (scalar_backend().*kStages[k].run)(frame);
}

class StageTable : public testing::TestWithParam<std::size_t> {};

TEST_P(StageTable, NamesEveryColumnThatAStageWrites) {
    const Stage& stage = kStages[GetParam()];
    const auto frame = busy_frame();
    run_up_to(*frame, GetParam());
    const std::vector<Bytes> before = columns_of(*frame);
    (scalar_backend().*stage.run)(*frame);
    const std::vector<Bytes> after = columns_of(*frame);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t c = 0; c < before.size(); ++c) {
        if ((stage.writes & before[c].bit) == 0) {
            EXPECT_EQ(before[c].bytes, after[c].bytes) << stage.name << " wrote column bit " << before[c].bit;
        }
    }
}

TEST_P(StageTable, NamesEveryColumnThatAStageReads) {
    const Stage& stage = kStages[GetParam()];
    const auto honest = busy_frame();
    const auto scrambled = busy_frame();
    run_up_to(*honest, GetParam());
    run_up_to(*scrambled, GetParam());
    // A column that is written but not read must be overwritten whole, so its old values may be turned as
    // well.
    scramble(*scrambled, kAllColumns & ~stage.reads);
    (scalar_backend().*stage.run)(*honest);
    (scalar_backend().*stage.run)(*scrambled);
    const std::vector<Bytes> expected = columns_of(*honest);
    const std::vector<Bytes> found = columns_of(*scrambled);
    for (std::size_t c = 0; c < expected.size(); ++c) {
        if ((stage.writes & expected[c].bit) != 0) {
            EXPECT_EQ(expected[c].bytes, found[c].bytes) << stage.name << ", column bit " << expected[c].bit;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Stages, StageTable, testing::Range(std::size_t{0}, kStages.size()),
                         [](const auto& info) { return std::string(kStages[info.param].name); });

// The check itself can fail: steer reads velocities.
TEST(Stages, ScramblingAColumnThatIsReadShows) {
    const auto honest = busy_frame();
    const auto scrambled = busy_frame();
    run_up_to(*honest, 3);
    run_up_to(*scrambled, 3);
    scramble(*scrambled, kVelocity);
    steer_stage(*honest);
    steer_stage(*scrambled);
    EXPECT_NE(honest->agents.accel[0], scrambled->agents.accel[0]);
}

// Without the room of bodies their stage finds nobody, however many agents there are.
TEST(Stages, AFrameOfBodiesRunsOnTheScalarTableAlone) {
    Scene scene = test::map_scene(std::vector<std::string>(9, "............"), {{11, 4}}, 40);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kExit;
    const auto hash_after = [&](Physics physics) {
        scene.bodies.physics = physics;
        Frame frame;
        frame.executor = std::make_unique<SerialExecutor>();
        const std::optional<Map> map = make_map(scene);
        set_up_frame(frame, scene, &*map, nullptr);
        spawn_scene(frame, scene);
        for (int n = 0; n < 50; ++n) run_frame(frame, scalar_backend(), frame.params.dt);
        EXPECT_TRUE(frame.bodies.contacts.empty());
        return state_hash(frame);
    };
    EXPECT_EQ(hash_after(Physics::kAll), hash_after(Physics::kOff));
}

}  // namespace
}  // namespace horde
