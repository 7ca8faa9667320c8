// Who is in sight, against clipping in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>

#include "cameras.h"
#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/spawn.h"

namespace horde {
namespace {

using test::Cameras;
using test::Lens;
using test::make_camera;
using test::TestCamera;

// A world of agents of several types that stand at these places.
World world_at(const std::vector<Vec3>& places, int types, Vec3 origin = {}, int dim = 3,
               const WorldOptions& options = {.backend = "scalar"}) {
    Scene scene = test::box_scene(dim, Edge::kOpen, 0, 100.0);
    scene.world.origin = origin;
    for (int t = 1; t < types; ++t) {
        scene.agents.push_back(scene.agents[0]);
        scene.agents.back().type = t;
    }
    Snapshot start;
    start.dim = dim;
    for (std::size_t n = 0; n < places.size(); ++n) {
        start.id.push_back(n);
        start.type.push_back(static_cast<std::uint8_t>(n % static_cast<std::size_t>(types)));
    }
    start.position = places;
    start.velocity.resize(places.size());
    WorldOptions started = options;
    started.start = &start;
    return World(scene, started);
}

std::vector<AgentId> seen(World& world, const Camera& camera, int type = 0) {
    world.set_camera(camera);
    world.refresh_view();
    const auto ids = world.visible(type);
    return {ids.begin(), ids.end()};
}

std::vector<AgentId> ids(std::initializer_list<AgentId> list) {
    return list;
}

std::vector<Vec3> places_of(const World& world) {
    Snapshot rows;
    world.snapshot(rows);
    return rows.position;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 10,000 boxes and cameras, all shapes of view, near the origin and far from it: un-normalised planes and
// wrong corners would lose some at the edges (gecko0307/dlib PR 42, FarPlaneTwo 5).
TEST(Users, U71NoBoxOrSphereWithAVisiblePartIsEverCulled) {
    Cameras random(71);
    int boxes = 0, kept = 0, false_keeps = 0, visible = 0, spheres = 0;
    for (int round = 0; round < 250; ++round) {
        const double far = round % 3 == 0 ? 1e5 : 0.0;
        const Vec3 origin = {far, -2.0 * far, 0.5 * far};
        std::vector<Vec3> wanted;
        for (int n = 0; n < 40; ++n) wanted.push_back(test::sum(origin, random.in_box(60.0)));
        World world = world_at(wanted, 2, origin);
        const std::vector<Vec3> places = places_of(world);
        const Vec3 half = {random.uniform(0.0, 6.0), random.uniform(0.0, 6.0), random.uniform(0.0, 6.0)};
        const TypeBounds bounds[2] = {
            {.sphere = false, .centre = random.in_box(3.0), .half = half},
            {.sphere = true, .centre = random.in_box(3.0), .radius = random.uniform(0.0, 8.0)}};
        for (int type = 0; type < 2; ++type) world.set_bounds(type, bounds[type]);
        for (int c = 0; c < 2; ++c) {
            const TestCamera camera = random.camera(origin, 60.0);
            for (int type = 0; type < 2; ++type) {
                const std::vector<AgentId> list = seen(world, camera.camera, type);
                ASSERT_TRUE(std::is_sorted(list.begin(), list.end()));
                for (std::size_t n = static_cast<std::size_t>(type); n < places.size(); n += 2) {
                    const bool is_kept = std::binary_search(list.begin(), list.end(), n);
                    const Vec3 centre = test::sum(places[n], bounds[type].centre);
                    bool is_visible = false;
                    if (type == 0) {
                        is_visible = test::box_in_sight(camera, test::sum(centre, test::scaled(half, -1.0)),
                                                        test::sum(centre, half));
                        ++boxes;
                        kept += is_kept;
                        visible += is_visible;
                        false_keeps += is_kept && !is_visible;
                    } else {  // points all over it
                        is_visible = test::is_in_sight(camera.camera, centre);
                        for (int k = 0; k < 60 && !is_visible; ++k) {
                            const Vec3 way = test::scaled(test::unit(random.in_box(1.0)), bounds[1].radius);
                            is_visible = test::is_in_sight(camera.camera, test::sum(centre, way));
                        }
                        ++spheres;
                    }
                    ASSERT_TRUE(is_kept || !is_visible) << "round " << round << ", agent " << n;
                }
            }
        }
    }
    std::printf("%d boxes: %d in sight, %d kept, %d of them in vain; %d spheres\n", boxes, visible, kept,
                false_keeps, spheres);
    EXPECT_EQ(boxes, 10'000);
    EXPECT_EQ(spheres, 10'000);
    EXPECT_GT(visible, 1000);
    EXPECT_LT(visible, 6000);
    // A box may straddle two planes outside of their edge; hardly more than that is kept.
    EXPECT_LT(false_keeps, visible / 10);
}

// Distance of a point from a condition of clip space, in metres, as exactly as may be.
long double distance_from(const Camera& camera, int condition, Vec3 p, long double* normal = nullptr) {
    const bool depth = condition >= 4;
    const bool only_z = condition == 4 && camera.depth == ClipDepth::kZeroToOne;
    const int row = condition / 2;
    const long double sign = condition % 2 == 0 ? 1.0L : -1.0L;
    long double v[4], length = 0.0L;
    for (int c = 0; c < 4; ++c) {
        const auto at = [&](int r) -> long double {
            return camera.view_projection[static_cast<std::size_t>(4 * c + r)];
        };
        v[c] = only_z ? at(2) : at(3) + sign * at(row);
        if (c < 3) length += v[c] * v[c];
    }
    length = std::sqrt(length);
    if (depth && length < 1e-5L) return std::numeric_limits<long double>::infinity();  // a plane far off
    if (normal != nullptr) {
        for (int c = 0; c < 3; ++c) normal[c] = v[c] / length;
    }
    return (v[0] * p.x + v[1] * p.y + v[2] * p.z + v[3]) / length;
}

// Spheres that touch planes of cameras near them, however far from the origin: there the terms of a plane are
// large and cancel.
TEST(Users, U71NorIsOneFarFromTheOriginThatTouchesAPlane) {
    int in_sight = 0;
    for (const double far : {0.0, 1e5, 1e7, 1e8, 1e9, 1e10, 1e11}) {
        Cameras random(711);
        const Vec3 origin = {far, -far, 0.5 * far};
        for (int round = 0; round < 60; ++round) {
            TestCamera camera = random.camera(origin, 20.0);
            const double radius = round % 2 == 0 ? 0.0 : random.uniform(0.0, 2.0);
            std::vector<Vec3> wanted;
            for (int n = 0; n < 60; ++n) {
                Vec3 p = test::sum(origin, random.in_box(10.0));
                long double normal[3] = {};
                const int side = static_cast<int>(random.uniform(0.0, 4.0));
                const long double d = distance_from(camera.camera, side, p, normal);
                const long double wish = -radius + std::pow(10.0, random.uniform(-9.0, 0.0));
                p = {static_cast<double>(p.x + (wish - d) * normal[0]),
                     static_cast<double>(p.y + (wish - d) * normal[1]),
                     static_cast<double>(p.z + (wish - d) * normal[2])};
                wanted.push_back(p);
            }
            World world = world_at(wanted, 1, origin);
            world.set_bounds(0, sphere_bounds(radius));
            const std::vector<AgentId> list = seen(world, camera.camera);
            const std::vector<Vec3> places = places_of(world);
            for (std::size_t n = 0; n < places.size(); ++n) {
                bool is_visible = true;
                for (int k = 0; k < 6; ++k)
                    is_visible = is_visible && distance_from(camera.camera, k, places[n]) >= -radius;
                in_sight += is_visible;
                EXPECT_TRUE(!is_visible || std::binary_search(list.begin(), list.end(), n))
                    << "origin " << far << ", radius " << radius << ", round " << round << ", agent " << n;
            }
        }
    }
    EXPECT_GT(in_sight, 1000);
}

// Whoever is certainly on the far side of one plane is culled: the other half of the contract.
TEST(Cull, WhoIsWhollyBehindAPlaneIsCulled) {
    Cameras random(5);
    int culled = 0;
    for (int round = 0; round < 100; ++round) {
        std::vector<Vec3> wanted;
        for (int n = 0; n < 50; ++n) wanted.push_back(random.in_box(80.0));
        World world = world_at(wanted, 1);
        const std::vector<Vec3> places = places_of(world);
        const double radius = random.uniform(0.0, 5.0);
        world.set_bounds(0, sphere_bounds(radius));
        const TestCamera camera = random.camera({}, 40.0);
        const std::vector<AgentId> list = seen(world, camera.camera);
        for (std::size_t n = 0; n < places.size(); ++n) {
            bool behind = false;
            for (const Plane& p : frustum_planes(camera.camera)) {
                behind = behind || test::dot({p.a, p.b, p.c}, places[n]) + p.d < -radius - 1e-2;
            }
            EXPECT_FALSE(behind && std::binary_search(list.begin(), list.end(), n));
            culled += behind;
        }
    }
    EXPECT_GT(culled, 2000);
}

TEST(Users, A3NoInstanceInSightVanishesWhileACrowdWalksPast) {
    Scene scene = test::map_scene(std::vector<std::string>(30, std::string(40, '.')), {{39, 15}}, 150);
    World world(scene, {.threads = 2});
    const Lens lens{.half_width = 0.5, .half_height = 0.4};
    const TestCamera camera = make_camera({20.0, -8.0, 12.0}, {0.0, 1.0, -0.6}, lens);
    world.set_camera(camera.camera);
    int seen_in_all = 0;
    for (int n = 0; n < 120; ++n) {
        world.step();
        Snapshot rows;
        world.snapshot(rows);
        const auto list = world.visible(0);
        ASSERT_EQ(world.packets(0).size(), list.size());
        for (std::size_t i = 0; i < rows.count(); ++i) {
            if (!test::is_in_sight(camera.camera, rows.position[i])) continue;
            ++seen_in_all;
            const auto at = std::lower_bound(list.begin(), list.end(), rows.id[i]);
            ASSERT_TRUE(at != list.end() && *at == rows.id[i]) << "frame " << n;
            const InstancePacket& packet = world.packets(0)[static_cast<std::size_t>(at - list.begin())];
            EXPECT_NEAR(packet.x + world.origin().x, rows.position[i].x, 1e-4);
            EXPECT_NEAR(packet.y + world.origin().y, rows.position[i].y, 1e-4);
        }
    }
    EXPECT_GT(seen_in_all, 1000);
}

TEST(Cull, ListsAreEmptyFromACameraToTheFirstCull) {
    World world = world_at({{1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, 1);
    const Camera camera = make_camera({-5.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {}).camera;
    EXPECT_EQ(seen(world, camera), ids({0, 1}));
    EXPECT_EQ(world.packets(0).size(), 2u);
    std::vector<InstancePacket> lent(10);
    world.set_camera(camera, {.packet_buffer = lent});
    EXPECT_TRUE(world.visible(0).empty()) << "the list was another camera's";
    EXPECT_TRUE(world.packets(0).empty()) << "nothing was written to this memory yet";
    EXPECT_EQ(world.report().visible, 0);
    world.refresh_view();
    EXPECT_EQ(world.packets(0).data(), lent.data());
    EXPECT_EQ(world.packets(0).size(), 2u);
    world.clear_camera();
    EXPECT_TRUE(world.visible(0).empty());
    world.despawn(0);
    world.despawn(1);
    world.step();
    world.set_camera(camera);
    EXPECT_TRUE(world.visible(0).empty()) << "these left the world";
    EXPECT_EQ(world.report().visible, 0);
}

TEST(Cull, CamerasAndBoundsThatCannotBeAreRefused) {
    World world = world_at({{1.0, 0.0, 0.0}}, 1);
    Camera camera = make_camera({-5.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {}).camera;
    camera.depth = static_cast<ClipDepth>(7);
    EXPECT_THROW(world.set_camera(camera), Error);
    EXPECT_THROW(frustum_planes(camera), Error);
    camera.depth = ClipDepth::kZeroToOne;
    camera.light = {1e200, 0.0, 0.0};  // no shadow: nobody asks
    EXPECT_EQ(seen(world, camera), ids({0}));
    camera.shadow_length = 1.0;
    EXPECT_THROW(world.set_camera(camera), Error);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Vec3 bad : {Vec3{nan, 1.0, 2.0}, Vec3{1.0, nan, 2.0}, Vec3{1.0, 1.0, nan}}) {
        EXPECT_THROW(world.set_bounds(0, turning_bounds({-1.0, -1.0, 0.0}, bad)), Error);
        EXPECT_THROW(world.set_bounds(0, turning_bounds(bad, {1.0, 1.0, 3.0})), Error);
        EXPECT_THROW(world.set_bounds(0, box_bounds(bad, {1.0, 1.0, 3.0})), Error);
    }
    EXPECT_THROW(world.set_bounds(0, turning_bounds({-1.0, -1.0, 2.0}, {1.0, 1.0, 0.0})), Error);
    EXPECT_THROW(world.set_bounds(0, box_bounds({1.0, 1.0, 1.0}, {0.0, 0.0, 0.0})), Error);
    EXPECT_EQ(turning_bounds({1.0, 2.0, 0.0}, {-3.0, -1.0, 2.0}).half.x,
              turning_bounds({-3.0, -1.0, 0.0}, {1.0, 2.0, 2.0}).half.x);
}

TEST(Users, U67EachInstanceIsTestedByItself) {
    const std::vector<Vec3> places = {
        {-1000.0, 0.0, 0.0}, {1000.0, 0.0, 0.0}, {-990.0, 5.0, 0.0}, {0.0, 0.0, 0.0}};
    World world = world_at(places, 1);
    const Lens lens;
    EXPECT_EQ(seen(world, make_camera({-1020.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, lens).camera), ids({0, 2}));
    EXPECT_EQ(seen(world, make_camera({1020.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, lens).camera), ids({1}));
    EXPECT_EQ(seen(world, make_camera({500.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, lens).camera), ids({}));
}

TEST(Users, U68BoundsCoverAnAnimationThatReachesBeyondTheBody) {
    // A jump that carries the model 2 m up and to its side, whichever way it faces.
    const Vec3 min = {-0.4, -2.4, 0.0}, max = {0.4, 2.4, 3.8};
    World world = world_at({{0.0, 0.0}}, 1, {}, 2);
    const Lens lens{.half_width = 1.0, .half_height = 1.0};
    // The left border of the view passes 2 m beside the agent, 10 m ahead.
    const TestCamera beside = make_camera({-10.0, -12.0, 1.0}, {1.0, 0.0, 0.0}, lens);
    ASSERT_FALSE(test::is_in_sight(beside.camera, {0.0, 0.0, 1.0}));
    ASSERT_TRUE(test::is_in_sight(beside.camera, {0.0, -2.2, 1.0}));
    world.set_bounds(0, box_bounds({-0.4, -0.4, 0.0}, {0.4, 0.4, 1.8}));
    EXPECT_EQ(seen(world, beside.camera), ids({}));
    world.set_bounds(0, turning_bounds(min, max));
    EXPECT_EQ(seen(world, beside.camera), ids({0}));
    // At any heading each corner of the model is in the box that turns.
    const TypeBounds turning = turning_bounds(min, max);
    for (int degrees = 0; degrees < 360; ++degrees) {
        const double c = std::cos(degrees * 0.017453292519943295),
                     s = std::sin(degrees * 0.017453292519943295);
        for (const double x : {min.x, max.x}) {
            for (const double y : {min.y, max.y}) {
                EXPECT_LE(std::fabs(c * x - s * y - turning.centre.x), turning.half.x + 1e-12);
                EXPECT_LE(std::fabs(s * x + c * y - turning.centre.y), turning.half.y + 1e-12);
            }
        }
    }
}

// A frame of three agents in sight, to be spoilt: no way in lets such a position pass.
std::unique_ptr<Frame> frame_in_sight() {
    Scene scene = test::box_scene(3, Edge::kOpen, 3, 1.0);
    auto frame = std::make_unique<Frame>();
    frame->executor = std::make_unique<SerialExecutor>();
    set_up_frame(*frame, scene, nullptr, nullptr);
    spawn_scene(*frame, scene);
    set_camera(*frame, make_camera({-10.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {}).camera, {});
    return frame;
}

TEST(Users, U69AgentsAtNaNAreReportedAndNeverDrawn) {
    const auto frame = frame_in_sight();
    cull_stage(*frame);
    EXPECT_EQ(frame->report.visible, 3);
    EXPECT_EQ(frame->report.not_finite, 0);
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
        for (int axis = 0; axis < 3; ++axis) {
            float& place = frame->agents.position[axis].now[1];
            const float good = place;
            place = bad;
            cull_stage(*frame);
            instances_stage(*frame);
            EXPECT_EQ(frame->report.visible, 2);
            EXPECT_EQ(frame->report.not_finite, 1);
            EXPECT_EQ(frame->view.id[0], 0u);
            EXPECT_EQ(frame->view.id[1], 2u);
            place = good;
        }
    }
}

TEST(Users, U72ShadowCastersOutOfSightCanBeKept) {
    // The view looks along x; the agent stands behind the camera, low light comes from behind it.
    World world = world_at({{-10.0, 0.0, 0.0}, {-10.0, 40.0, 0.0}}, 1);
    world.set_bounds(0, sphere_bounds(1.0));
    Camera camera = make_camera({0.0, 0.0, 2.0}, {1.0, 0.0, -0.2}, {}).camera;
    camera.light = {5.0, 0.0, -0.5};
    EXPECT_EQ(seen(world, camera), ids({}));
    camera.shadow_length = 8.0;  // ends before the view begins
    EXPECT_EQ(seen(world, camera), ids({}));
    camera.shadow_length = 20.0;
    EXPECT_EQ(seen(world, camera), ids({0}));
    camera.light = {-5.0, 0.0, -0.5};  // the shadow falls the other way
    EXPECT_EQ(seen(world, camera), ids({}));
}

TEST(Cull, PlanesAreOfLengthOneWhateverTheScaleOfTheMatrix) {
    Cameras random(3);
    for (int n = 0; n < 200; ++n) {
        Camera camera = random.camera({}, 50.0).camera;
        const auto planes = frustum_planes(camera);
        for (double& x : camera.view_projection) x *= 1024.0;
        const auto scaled = frustum_planes(camera);
        for (int p = 0; p < 6; ++p) {
            const Plane& a = planes[p];
            const double length = std::sqrt(a.a * a.a + a.b * a.b + a.c * a.c);
            EXPECT_TRUE(std::fabs(length - 1.0) < 1e-12 || (p >= 4 && length == 0.0 && a.d == 1.0));
            EXPECT_EQ(a.d, scaled[p].d);
            EXPECT_EQ(a.a, scaled[p].a);
        }
    }
}

TEST(Cull, FarPlanesReversedAndAtInfinity) {
    const std::vector<Vec3> places = {
        {5.0, 0.0, 0.0}, {90.0, 0.0, 0.0}, {110.0, 0.0, 0.0}, {1e5, 0.0, 0.0}, {-5.0, 0.0, 0.0}};
    World world = world_at(places, 1);
    for (const ClipDepth depth : {ClipDepth::kZeroToOne, ClipDepth::kMinusOneToOne}) {
        for (const bool reversed : {false, true}) {
            for (const bool in_float : {false, true}) {
                Lens lens{.near = 0.1, .far = 100.0, .reversed = reversed, .depth = depth};
                const auto camera = [&] {
                    Camera made = make_camera({0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, lens).camera;
                    for (double& x : made.view_projection) x = in_float ? static_cast<float>(x) : x;
                    return made;
                };
                EXPECT_EQ(seen(world, camera()), ids({0, 1}));
                lens.far = kInfinity;
                EXPECT_EQ(seen(world, camera()), ids({0, 1, 2, 3}));
            }
        }
    }
}

TEST(Users, U42ListsAndInstancesComeByTypeInOrderOfIdOnAnyBackend) {
    Cameras random(9);
    std::vector<Vec3> places;
    for (int n = 0; n < 900; ++n)
        places.push_back({random.uniform(-40.0, 40.0), random.uniform(-40.0, 40.0), 0.0});
    const Camera camera = make_camera({-20.0, 3.0, 30.0}, {1.0, 0.2, -1.0}, {.half_width = 0.7}).camera;
    std::vector<std::vector<AgentId>> expected;
    std::vector<InstancePacket> drawn;
    for (const std::string& backend : backends()) {
        for (const std::int64_t grain : {0, 7, 100}) {
            World world = world_at(places, 3, {}, 2, {.backend = backend, .threads = 3, .grain = grain});
            for (int type = 0; type < 3; ++type) world.set_bounds(type, sphere_bounds(0.2 + type));
            // Slots that are used again give ids that are out of the order of slots.
            for (AgentId id = 100; id < 300; id += 7) ASSERT_TRUE(world.despawn(id));
            for (int n = 0; n < 25; ++n) {
                world.spawn({.position = {-1.0 + n * 0.2, 2.0, 0.0}, .group = n % 3});
            }
            world.set_camera(camera);
            world.step();
            std::vector<std::vector<AgentId>> lists;
            std::size_t total = 0;
            std::vector<InstancePacket> packets;
            bool any_new = false;
            for (int type = 0; type < 3; ++type) {
                const auto list = world.visible(type);
                EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
                lists.emplace_back(list.begin(), list.end());
                total += list.size();
                const auto part = world.packets(type);
                packets.insert(packets.end(), part.begin(), part.end());
                any_new = any_new || (!list.empty() && list.back() >> 32 != 0);
            }
            EXPECT_TRUE(any_new);
            EXPECT_GT(total, 50u);
            EXPECT_LT(total, 800u);
            EXPECT_EQ(world.report().visible, static_cast<std::int64_t>(total));
            EXPECT_TRUE(world.visible(7).empty());
            if (expected.empty()) {
                expected = lists;
                drawn = packets;
            }
            EXPECT_EQ(lists, expected) << backend << ", grain " << grain;
            ASSERT_EQ(packets.size(), drawn.size());
            EXPECT_EQ(std::memcmp(packets.data(), drawn.data(), drawn.size() * sizeof(InstancePacket)), 0);
        }
    }
}

TEST(Cull, EachTypeIsTestedByItsOwnBounds) {
    std::vector<Vec3> places;
    for (int n = 0; n < 200; ++n) places.push_back({10.0, -20.0 + 0.2 * n, 0.0});
    World both = world_at(places, 2);
    World one = world_at(places, 1);
    const Camera camera = make_camera({0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {}).camera;
    for (const double radius : {0.0, 1.0, 3.0}) {
        both.set_bounds(0, sphere_bounds(radius));
        both.set_bounds(1, sphere_bounds(3.0 - radius));
        one.set_bounds(0, sphere_bounds(radius));
        std::vector<AgentId> even = seen(one, camera);
        std::erase_if(even, [](AgentId id) { return id % 2 != 0; });
        EXPECT_EQ(seen(both, camera), even);
        one.set_bounds(0, sphere_bounds(3.0 - radius));
        std::vector<AgentId> odd = seen(one, camera);
        std::erase_if(odd, [](AgentId id) { return id % 2 == 0; });
        EXPECT_EQ(seen(both, camera, 1), odd);
    }
}

TEST(Cull, AgentsStandOnHillsWhereTheyAreLookedForAndDrawn) {
    Scene scene = test::map_scene(std::vector<std::string>(60, std::string(60, '.')), {}, 800);
    scene.terrain.hills = 12.0;
    scene.terrain.hill_size = 20.0;
    World world(scene, {.threads = 1});
    const TypeBounds bounds = box_bounds({-0.4, -0.4, 0.0}, {0.4, 0.4, 1.8});
    world.set_bounds(0, bounds);
    Snapshot rows;
    world.snapshot(rows);
    Cameras random(12);
    int visible = 0, kept = 0;
    for (int round = 0; round < 60; ++round) {
        const TestCamera camera = random.camera({30.0, 30.0, 8.0}, 25.0);
        const std::vector<AgentId> list = seen(world, camera.camera);
        for (std::size_t n = 0; n < rows.count(); ++n) {
            const Vec3 foot = {rows.position[n].x, rows.position[n].y,
                               world.height_at(rows.position[n].x, rows.position[n].y)};
            const Vec3 centre = test::sum(foot, bounds.centre);
            const bool is_visible = test::box_in_sight(
                camera, test::sum(centre, test::scaled(bounds.half, -1.0)), test::sum(centre, bounds.half));
            const bool is_kept = std::binary_search(list.begin(), list.end(), rows.id[n]);
            ASSERT_TRUE(is_kept || !is_visible);
            visible += is_visible;
            kept += is_kept;
        }
        for (std::size_t n = 0; n < list.size(); ++n) {
            const Vec3 p = rows.position[static_cast<std::size_t>(list[n])];
            EXPECT_FLOAT_EQ(world.packets(0)[n].z, static_cast<float>(world.height_at(p.x, p.y)));
        }
    }
    EXPECT_GT(visible, 1000);
    EXPECT_LT(kept, visible + visible / 20) << "heights are those under each agent, not of the whole map";
}

TEST(Cull, ACameraChangesNothingInTheWorldAndCostsNothingWithoutOne) {
    const Scene scene = test::box_scene(2, Edge::kPeriodic, 200, 20.0);
    World plain(scene), watched(scene);
    watched.set_camera(make_camera({0.0, 0.0, 10.0}, {0.3, 0.0, -1.0}, {}).camera, {.matrices = true});
    for (int n = 0; n < 10; ++n) {
        plain.step();
        watched.step();
        ASSERT_EQ(plain.state_hash(), watched.state_hash());
    }
    const auto stages = [](const World& world) {
        std::set<std::string> names;
        for (const StageTime& stage : world.report().stages) names.insert(stage.name);
        return names;
    };
    EXPECT_EQ(stages(watched).count("cull") + stages(watched).count("instances"), 2u);
    EXPECT_EQ(stages(plain).count("cull") + stages(plain).count("instances"), 0u);
    EXPECT_GT(watched.report().visible, 0);
    watched.clear_camera();
    watched.step();
    EXPECT_EQ(watched.report().visible, 0);
    EXPECT_TRUE(watched.visible(0).empty());
}

TEST(Cull, BadCamerasAndBoundsAreErrors) {
    World world = world_at({{0.0, 0.0, 0.0}}, 1);
    Camera camera = make_camera({0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {}).camera;
    Camera bad = camera;
    bad.view_projection[5] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(world.set_camera(bad), Error);
    bad.view_projection.fill(0.0);
    EXPECT_THROW(world.set_camera(bad), Error);
    bad = camera;
    bad.shadow_length = -1.0;
    EXPECT_THROW(world.set_camera(bad), Error);
    bad.shadow_length = 1.0;
    bad.light = {};
    EXPECT_THROW(world.set_camera(bad), Error);
    EXPECT_THROW(world.set_bounds(0, sphere_bounds(-1.0)), Error);
    EXPECT_THROW(world.set_bounds(256, sphere_bounds(1.0)), Error);
    EXPECT_THROW(world.set_bounds(0, box_bounds({0.0, 0.0, 0.0}, {kInfinity, 1.0, 1.0})), Error);
    EXPECT_TRUE(world.visible(0).empty()) << "no camera was set";
    Scene scene = test::box_scene(2, Edge::kOpen, 2, 10.0);
    scene.agents.push_back(scene.agents[0]);
    scene.agents[1].bound_radius = 3.0;
    EXPECT_THROW(World{scene}, Error) << "two groups of one type with different bounds";
    scene.agents[1].type = 1;
    EXPECT_NO_THROW(World{scene});
}

}  // namespace
}  // namespace horde
