// After the first frames a step allocates nothing, and an agent takes few bytes.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "horde/world.h"
#include "scenes.h"

namespace {
std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
std::atomic<long> live_bytes{0};

void* allocate_or_null(std::size_t size) {
    if (counting) ++allocations;
    void* memory = std::malloc(size == 0 ? 1 : size);
    live_bytes += static_cast<long>(malloc_usable_size(memory));
    return memory;
}

void* allocate(std::size_t size) {
    if (void* memory = allocate_or_null(size)) return memory;
    throw std::bad_alloc();
}

void release(void* memory) {
    live_bytes -= static_cast<long>(malloc_usable_size(memory));
    std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) {
    return allocate(size);
}
void* operator new[](std::size_t size) {
    return allocate(size);
}
// std::stable_sort asks for its buffer so; left out, it would be freed by another hand than gave it.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_or_null(size);
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete[](void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    release(memory);
}

namespace horde {
namespace {

long allocations_of(const Scene& scene, int warm_up, int frames, const char* backend = "scalar") {
    World world(scene, {.backend = backend, .threads = 1});
    Camera camera;  // sees a part
    camera.view_projection[0] = camera.view_projection[5] = 0.1;
    camera.view_projection[10] = 0.0;
    world.set_camera(camera, {.matrices = true});
    for (int n = 0; n < warm_up; ++n) world.step();
    allocations = 0;
    counting = true;
    for (int n = 0; n < frames; ++n) world.step();
    counting = false;
    return allocations;
}

TEST(Allocation, AStepOfACrowdAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(30, '.')), {{20, 10}}, 300);
    EXPECT_EQ(allocations_of(scene, 200, 100), 0);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    EXPECT_EQ(allocations_of(scene, 400, 100), 0);
}

#if HORDE_BODIES
// Box2D takes its own memory, with malloc; what the stage keeps is used again.
TEST(Allocation, AStepWithBodiesAllocatesNothingOfOurs) {
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(30, '.')), {{20, 10}}, 200);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    scene.bodies.physics = Physics::kAll;
    EXPECT_EQ(allocations_of(scene, 1500, 100), 0);
}
#endif

TEST(Allocation, AStepWithTiersAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(40, std::string(60, '.')), {{40, 20}}, 600);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    scene.tiers.viewpoints = {{30.0, 20.0}};
    scene.tiers.near_promote = 8.0;
    scene.tiers.near_demote = 9.0;
    scene.tiers.middle_promote = 15.0;
    scene.tiers.middle_demote = 17.0;
    scene.tiers.max_near = 20;
    scene.tiers.far_every = 3;
    for (const std::string& backend : backends()) {
        EXPECT_EQ(allocations_of(scene, 400, 100, backend.c_str()), 0) << backend;
    }
}

// The number of chunks goes up and down with that of agents. A worker may come to a loop late, for the first
// time, and then makes memory of its own; what went away with the chunks would be made anew every other
// frame.
TEST(Allocation, AStepOnTwoThreadsWithAChangingCountAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(80, std::string(100, '.')), {{50, 40}}, 1024);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    for (const char* backend : {"scalar", "threads", "simd"}) {
        const std::vector<std::string> present = backends();
        if (std::count(present.begin(), present.end(), backend) == 0) continue;
        for (const bool tiers : {false, true}) {
            World world(scene, {.backend = backend, .threads = 2});
            world.reserve(1200);
            if (tiers) world.set_viewpoints(std::vector<Vec3>{{50.0, 40.0}});
            std::vector<AgentId> guests;
            allocations = 0;
            for (int n = 0; n < 160; ++n) {
                if (n % 2 == 0) {
                    for (int k = 0; k < 20; ++k) guests.push_back(world.spawn({.position = {1.5 + k, 1.5}}));
                } else {
                    for (const AgentId id : guests) world.despawn(id);
                    guests.clear();
                }
                counting = n >= 120;
                world.step();
                counting = false;
            }
            EXPECT_LE(allocations, 6) << backend << (tiers ? " with tiers" : "");
        }
    }
}

TEST(Allocation, AStepOfAFightAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(30, '.')), {{15, 10}}, 150);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    scene.combat["fists"] = {
        .health = 100, .targets = {0, 1}, .splash = 1.0, .knockback = 1.0, .stun = 0.1, .corpse_time = 1.0};
    scene.behaviours["on"] = {.drive = Drive::kHunt, .of = 1, .radius = 3.0};
    scene.behaviours["away"] = {.drive = Drive::kFlee, .of = 1, .radius = 3.0};
    scene.agents[0].combat = "fists";
    scene.agents[0].behaviours = {"on", "away"};
    scene.agents.push_back(scene.agents[0]);
    scene.transitions = {{.from = "on", .to = "away", .health_below = 0.6},
                         {.from = "away", .to = "on", .after = 1.0}};
    SceneSpawner spawner;
    spawner.rate = 40.0;
    spawner.limit = 150;
    scene.spawners = {spawner, spawner};
    scene.spawners[1].group = 1;
    for (const std::string& backend : backends()) {
        EXPECT_EQ(allocations_of(scene, 1500, 100, backend.c_str()), 0) << backend;
    }
}

TEST(Allocation, AStepOfAPeriodicOrASparseWorldAllocatesNothing) {
    EXPECT_EQ(allocations_of(test::box_scene(3, Edge::kPeriodic, 300, 9.0), 20, 100), 0);
    Scene wide = test::box_scene(3, Edge::kOpen, 300, 1e6);
    EXPECT_EQ(allocations_of(wide, 20, 100), 0);
}

TEST(Allocation, AStepInWhichAgentsComeAndGoAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(30, '.')), {{29, 10}}, 0);
    SceneSpawner spawner;
    spawner.rate = 30.0;
    spawner.box = Bounds{{0, 0, 0}, {4, 20, 0}};
    scene.spawners = {spawner};
    scene.sinks = {{.box = Bounds{{20, 0, 0}, {30, 9, 0}}}};
    EXPECT_EQ(allocations_of(scene, 900, 100), 0);
}

TEST(Allocation, AStepInLanesAllocatesNothing) {
    const std::vector<std::string> present = backends();
    if (std::count(present.begin(), present.end(), "simd") == 0) GTEST_SKIP() << "no backend \"simd\" here";
    EXPECT_EQ(allocations_of(test::box_scene(3, Edge::kPeriodic, 2000, 9.0), 50, 100, "simd"), 0);
    EXPECT_EQ(allocations_of(test::box_scene(2, Edge::kOpen, 300, 1e6), 50, 100, "simd"), 0);
}

TEST(Allocation, AStepWithGoalsThatMoveAndWallsThatComeAndGoAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(40, std::string(50, '.')), {{2, 20}}, 200);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kStay;
    scene.field.field_cells_per_frame = 700;
    World world(scene, {.backend = "scalar", .threads = 1});
    const std::vector<Cell> goals[2] = {{{2, 20}}, {{47, 20}}};
    allocations = 0;
    StampId wall = 0;
    for (int n = 0; n < 800; ++n) {
        world.set_goal(0, goals[n / 20 % 2]);
        if (n % 30 == 10) wall = world.stamp(CellArea{{20, 10}, {22, 20}});
        if (n % 30 == 25) world.unstamp(wall);
        counting = n >= 600;
        world.step();
        counting = false;
    }
    EXPECT_EQ(allocations, 0);
}

// With a cache that is too short, layers, a crowd that costs and a goal that follows: fields come and go all
// the time, in memory that is there.
TEST(Allocation, AStepWithLayersDensityFollowersAndAShortCacheAllocatesNothing) {
    Scene scene = test::map_scene(std::vector<std::string>(40, std::string(50, '.')), {{2, 20}}, 60);
    for (const Cell cell : {Cell{47, 20}, Cell{25, 2}}) scene.field.goal_sets.push_back({cell});
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    scene.layers = {{.name = "wide", .clearance = 0.6}};
    scene.agents.push_back({.count = 20, .goal = "1", .layer = "wide"});
    scene.terrain.density_gain = 4.0;
    scene.field.field_cells_per_frame = 700;
    scene.field.follow = {70};
    scene.field.cache_bytes = 3 * 2000 * 5;
    World world(scene, {.backend = "scalar", .threads = 1});
    allocations = 0;
    AgentId visitor = 0;
    StampId mud = 0;
    std::uint32_t versions = 0;
    for (int n = 0; n < 2000; ++n) {
        if (n % 100 == 10)
            visitor = world.spawn({.position = {25.5, 30.5, 0.0}, .goal = 2});  // needs a field
        if (n % 100 == 60) world.despawn(visitor);
        if (n % 100 == 70) visitor = world.spawn({.position = {25.5, 30.5, 0.0}, .group = 1, .goal = 2});
        if (n % 100 == 99) world.despawn(visitor);
        if (n % 50 == 0)
            mud = world.stamp(CellArea{{30, 30}, {31, 31}}, 3);  // every field is made anew at once
        if (n % 50 == 25) world.unstamp(mud);
        counting = n >= 6000;
        world.step();
        counting = false;
        if (n == 6000) versions = world.goal_status(2, 0).version + world.goal_status(2, 1).version;
    }
    EXPECT_EQ(allocations, 0);
    EXPECT_GE(world.goal_status(2, 0).version + world.goal_status(2, 1).version, versions + 8)
        << "its fields went and came again";
}

// users.md U79 (Agents.jl PR#740, repast4py#31, mesa#3179): memory grows with every step.
TEST(Users, U79EditsAndGoalsWithoutEndTakeNoMoreMemory) {
    Scene scene = test::map_scene(std::vector<std::string>(20, std::string(30, '.')), {{2, 10}}, 20);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    scene.field.goal_interval = 0.05;
    World world(scene, {.backend = "scalar", .threads = 1});
    long warm = 0;
    for (int n = 0; n < 20'000; ++n) {
        if (n == 4000) warm = live_bytes;
        const int k = n % 500;  // so that the most that they need at once comes while it warms up
        world.set_goal(0, std::vector<Cell>{{2 + k % 26, 3 + k % 14}});
        const CellArea area{{k % 20, k % 11}, {k % 20 + k % 9, k % 11 + k % 7}};
        const StampId wall = world.stamp(area, 1 + k % 255);
        world.step();
        world.unstamp(wall);
    }
    EXPECT_LE(live_bytes, warm + 4096);
}

// Live bytes for each agent of a world in its third frame.
double bytes_an_agent(const Scene& scene, const char* backend = "scalar") {
    const long before = live_bytes;
    World world(scene, {.backend = backend, .threads = 1});
    for (int n = 0; n < 3; ++n) world.step();
    return static_cast<double>(live_bytes - before) / static_cast<double>(world.agent_count());
}

TEST(Allocation, AnAgentOfAFlockTakesFewBytes) {
    EXPECT_LT(bytes_an_agent(test::box_scene(2, Edge::kPeriodic, 200'000, 300.0)), 85.0);
    EXPECT_LT(bytes_an_agent(test::box_scene(3, Edge::kPeriodic, 200'000, 40.0)), 110.0);
    const std::vector<std::string> present = backends();
    if (std::count(present.begin(), present.end(), "simd") == 0) return;
    EXPECT_LT(bytes_an_agent(test::box_scene(2, Edge::kPeriodic, 200'000, 300.0), "simd"), 85.0);
}

TEST(Allocation, AnAgentOfACrowdTakesAFewMore) {  // with its share of a field
    const std::vector<std::string> map(600, std::string(600, '.'));
    EXPECT_LT(bytes_an_agent(test::map_scene(map, {{300, 300}}, 300'000)), 180.0);
}

TEST(Allocation, TheCounterCountsBytes) {
    const long before = live_bytes;
    std::vector<char> some(1'000'000);
    EXPECT_NEAR(static_cast<double>(live_bytes - before), 1e6, 1e4);
}

TEST(Allocation, TheCounterCounts) {
    allocations = 0;
    counting = true;
    delete new int(3);
    counting = false;
    EXPECT_GE(allocations, 1);
}

}  // namespace
}  // namespace horde
