// Stages that overlap, steps beside the caller, traces. Run under ThreadSanitizer with the executor on plain
// threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cpu/executors.h"
#include "horde/error.h"
#include "horde/world.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/spawn.h"
#if HORDE_BODIES
#include "bodies/bodies.h"
#endif

namespace horde {
namespace {

using Maker = std::function<std::unique_ptr<Executor>(int)>;

std::vector<Maker> makers() {
    std::vector<Maker> all = {make_std_executor};
#if HORDE_TBB
    all.push_back(make_tbb_executor);
#endif
    return all;
}

Scene crowd() {
    Scene scene;
    scene.map.rows.assign(40, std::string(60, '.'));
    scene.map.rows[20] = std::string(25, '@') + ".........." + std::string(25, '@');
    scene.field.goal_sets = {{{30, 0}}, {{30, 39}}};
    SceneAgents agents;
    agents.count = 750;
    agents.combat = "fists";
    agents.behaviours = {"on", "away"};
    scene.agents = {agents, agents};
    scene.combat["fists"] = {
        .health = 15, .targets = {0, 1}, .range = 0.7, .knockback = 1.0, .corpse_time = 0.3};
    scene.behaviours["on"] = {.drive = Drive::kHunt, .of = 1, .radius = 2.0};
    scene.behaviours["away"] = {.drive = Drive::kRegroup, .radius = 3.0};
    scene.transitions = {{.from = "on", .to = "away", .health_below = 0.9},
                         {.from = "away", .to = "on", .group = 0, .neighbours_above = 3, .after = 0.5}};
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    return scene;
}

TEST(Schedule, WaitsExactlyForWhatItTouches) {
    constexpr std::array<Touches, 4> stages = {
        {{0b001, 0b010}, {0b100, 0b100}, {0b010, 0b001}, {0b100, 0b000}}};
    constexpr auto after = waits_for(stages);
    EXPECT_EQ(after[0], 0u);
    EXPECT_EQ(after[1], 0u);      // nothing in common with stage 0
    EXPECT_EQ(after[2], 0b001u);  // reads what stage 0 wrote, and writes what it read
    EXPECT_EQ(after[3], 0b010u);  // reads what stage 1 wrote
}

Touches touches_of(const std::string& name) {
    const auto stage =
        std::find_if(kStages.begin(), kStages.end(), [&](const Stage& each) { return each.name == name; });
    if (stage == kStages.end()) ADD_FAILURE() << "no stage " << name;
    return {stage->reads, stage->writes};
}

TEST(Schedule, TheFrameHasStagesThatMayOverlapAndSomeThatMustNot) {
    EXPECT_FALSE(in_order(touches_of("grid"), touches_of("field")));
    EXPECT_TRUE(
        in_order(touches_of("terrain"), touches_of("grid")));  // reads places before they are regrouped
    EXPECT_TRUE(in_order(touches_of("terrain"), touches_of("field")));
    for (const char* const later : {"steer", "move", "arrive"}) {
        EXPECT_TRUE(in_order(touches_of("grid"), touches_of(later)));
        EXPECT_TRUE(in_order(touches_of("field"), touches_of(later)));
    }
}

// Random orders: every task once, each after those that it must wait for.
TEST(Executors, RunTasksInTheirOrder) {
    std::mt19937 random(5);
    for (const Maker& make : makers()) {
        const std::unique_ptr<Executor> executor = make(4);
        for (int round = 0; round < 60; ++round) {
            std::vector<std::uint32_t> after(1 + random() % 9);
            for (std::size_t t = 0; t < after.size(); ++t) {
                for (std::size_t e = 0; e < t; ++e) after[t] |= (random() % 3 == 0 ? 1u : 0u) << e;
            }
            struct Context {
                const std::vector<std::uint32_t>& after;
                std::atomic<std::uint32_t> done{0};
                std::atomic<int> wrong{0};
            } context{after};
            executor->run_tasks(
                after,
                [](void* self, std::int64_t t) {
                    auto& c = *static_cast<Context*>(self);
                    const auto k = static_cast<std::size_t>(t);
                    if ((c.after[k] & ~c.done) != 0 || (c.done >> t & 1u) != 0) ++c.wrong;
                    c.done |= 1u << t;
                },
                &context);
            EXPECT_EQ(context.done, (1u << after.size()) - 1);
            EXPECT_EQ(context.wrong, 0);
        }
    }
}

// Runs a stage of the scalar backend between two naps of random length.
std::atomic<unsigned> nap_seed{1};

void nap() {
    std::mt19937 random(nap_seed++);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
}

// Naps after some of the chunks too.
struct Sleeper final : WorkObserver {
    void worked(const char*, std::int64_t chunk, WorkClock::time_point, WorkClock::time_point) override {
        if (chunk >= 0 && nap_seed++ % 4 == 0) nap();
    }
};

const Backend& plain() {
    static const Backend backend = [] {
        Backend copy = scalar_backend();
#if HORDE_BODIES
        copy.bodies = bodies_stage;
#endif
        return copy;
    }();
    return backend;
}

template <std::size_t k>
void sleepy(Frame& frame) {
    nap();
    (plain().*kStages[k].run)(frame);
    nap();
}

template <std::size_t... k>
Backend sleepy_backend(std::index_sequence<k...>) {
    Backend backend = plain();
    ((backend.*kStages[k].run = sleepy<k>), ...);
    return backend;
}

// All that a frame hands out, by frame: bytes, so that they can be compared.
struct Told {
    std::uint64_t hash = 0;
    std::vector<AgentId> visible;
    std::vector<InstancePacket> packets;
    std::vector<InstanceMatrix> matrices;
    std::vector<TierEvent> tiers;
    std::vector<ContactEvent> contacts;
    std::vector<AgentId> arrivals;
    std::vector<AgentId> deaths;
};

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

std::string first_difference(const Told& a, const Told& b) {
    if (a.hash != b.hash) return "state hash";
    if (a.visible != b.visible) return "visible";
    if (!same_bytes(a.packets, b.packets)) return "packets";
    if (!same_bytes(a.matrices, b.matrices)) return "matrices";
    if (a.tiers != b.tiers) return "tier events";
    if (a.contacts != b.contacts) return "contact events";
    if (a.deaths != b.deaths) return "deaths";
    return a.arrivals != b.arrivals ? "arrivals" : "";
}

std::vector<Told> run_frames(std::unique_ptr<Executor> executor, const Backend& backend, int frames,
                             WorkObserver* observer = nullptr) {
    Scene scene = crowd();
    scene.bodies.physics = Physics::kNear;
    scene.tiers.near_promote = 6.0;
    scene.tiers.near_demote = 7.0;
    scene.tiers.middle_promote = 12.0;
    scene.tiers.middle_demote = 14.0;
    Frame frame;
    frame.executor = std::move(executor);
    frame.executor->set_observer(observer);
    const std::optional<Map> map = make_map(scene);
    set_up_frame(frame, scene, &*map, nullptr);
    spawn_scene(frame, scene);
    Camera camera;  // from above, sees a part
    camera.view_projection[0] = camera.view_projection[5] = 0.05;
    camera.view_projection[10] = 0.0;
    set_camera(frame, camera, {.matrices = true});
    std::vector<Told> told;
    for (int n = 0; n < frames; ++n) {
        const Vec3 viewpoint{20.0 + n, 10.0};
        set_viewpoints(frame, {&viewpoint, 1});
        run_frame(frame, backend, frame.params.dt);
        const auto seen = static_cast<std::ptrdiff_t>(frame.view.first.back());
        const auto part = [&](auto& list) {
            return std::vector(list.begin(), list.begin() + std::min<std::ptrdiff_t>(seen, std::ssize(list)));
        };
        told.push_back({state_hash(frame), part(frame.view.id), part(frame.view.packets),
                        part(frame.view.matrices), frame.tiers.events, frame.bodies.events, frame.arrivals,
                        frame.combat.deaths});
    }
    return told;
}

TEST(Pipeline, StagesAndChunksOfRandomLengthGiveTheBitsOfTheSerialFrame) {
    constexpr int kFrames = 25;
    const std::vector<Told> serial = run_frames(std::make_unique<SerialExecutor>(), plain(), kFrames);
    std::size_t visible = 0, tiers = 0, contacts = 0, deaths = 0;
    for (const Told& told : serial) {
        visible += told.packets.size();
        tiers += told.tiers.size();
        contacts += told.contacts.size();
        deaths += told.deaths.size();
    }
    EXPECT_GT(visible, 1000u);
    EXPECT_GT(tiers, 100u);
    EXPECT_GT(deaths, 10u);
#if HORDE_BODIES
    EXPECT_GT(contacts, 5u);
#endif
    const Backend backend = sleepy_backend(std::make_index_sequence<kStages.size()>{});
    Sleeper sleeper;
    for (const Maker& make : makers()) {
        for (const int threads : {2, 3, 8}) {
            const std::vector<Told> found = run_frames(make(threads), backend, kFrames, &sleeper);
            for (std::size_t n = 0; n < serial.size(); ++n)
                ASSERT_EQ(first_difference(found[n], serial[n]), "") << threads << " threads, frame " << n;
        }
    }
}

TEST(Pipeline, AStepBesideTheCallerIsTheSameStep) {
    for (const char* const backend : {"scalar", "threads", "simd"}) {
        World beside(crowd(), {.backend = backend, .threads = 2});
        World plain(crowd(), {.backend = backend, .threads = 2});
        for (int n = 0; n < 20; ++n) {
            if (n % 5 == 4) {
                beside.start_step(0.01);
                plain.step(0.01);
            } else {
                beside.start_step();
                plain.step();
            }
            EXPECT_TRUE(beside.is_stepping());
            beside.finish_step();
            EXPECT_EQ(beside.state_hash(), plain.state_hash());
            EXPECT_EQ(beside.time(), plain.time());
        }
    }
}

TEST(Pipeline, NobodyTouchesAWorldWhileItSteps) {
    World world(crowd(), {.backend = "threads", .threads = 2});
    EXPECT_THROW(world.finish_step(), Error);
    world.start_step();
    EXPECT_THROW(world.step(), Error);
    EXPECT_THROW(world.start_step(), Error);
    EXPECT_THROW(world.state_hash(), Error);
    EXPECT_THROW(world.report(), Error);
    EXPECT_THROW(world.despawn(0), Error);
    Snapshot snapshot;
    EXPECT_THROW(world.snapshot(snapshot), Error);
    world.finish_step();
    EXPECT_EQ(world.frame(), 1u);
    world.start_step();  // finished by the destructor
}

TEST(Pipeline, ATraceHasEveryStageOfEveryFrame) {
    World world(crowd(), {.backend = "threads", .threads = 2, .trace = true});
    constexpr int kFrames = 4;
    for (int n = 0; n < kFrames; ++n) {
        n % 2 == 0 ? world.step() : (world.start_step(), world.finish_step());
    }
    const std::vector<TraceSlice> slices = world.trace();
    std::set<std::pair<std::uint64_t, std::string>> stages;
    std::int64_t blocks = 0;
    for (const TraceSlice& slice : slices) {
        EXPECT_LE(slice.begin_us, slice.end_us);
        EXPECT_GE(slice.begin_us, 0.0);
        if (slice.block < 0) {
            EXPECT_TRUE(stages.insert({slice.frame, slice.stage}).second) << slice.stage << " twice";
        } else {
            ++blocks;
            const bool known = std::any_of(kStages.begin(), kStages.end(), [&](const Stage& stage) {
                return slice.stage == std::string(stage.name);
            });
            EXPECT_TRUE(known) << slice.stage;
        }
    }
    EXPECT_EQ(stages.size(), kFrames * (world.report().stages.size() + 1));
    EXPECT_GT(blocks, kFrames * 3 * 2);                // grid, steer and move, in several chunks
    for (std::size_t s = 1; s < slices.size(); ++s) {  // slices of a thread nest or follow each other
        const TraceSlice &a = slices[s - 1], &b = slices[s];
        if (a.track == b.track) {
            EXPECT_LE(a.begin_us, b.begin_us);
        }
    }
    EXPECT_GT(world.report().busy, 0.0);
    EXPECT_LE(world.report().busy, 1.05);
}

TEST(Pipeline, AnUntracedWorldHasNoTrace) {
    World world(crowd(), {.backend = "threads", .threads = 2});
    world.step();
    EXPECT_TRUE(world.trace().empty());
}

}  // namespace
}  // namespace horde
