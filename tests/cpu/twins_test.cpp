// Every fast path against its slow twins, where worlds are hard on them: scalar, threads, lanes of each
// width, by grid and by brute force, one state hash and one count of neighbours.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/random.h"
#include "horde/error.h"
#include "horde/world.h"
#include "sim/grid.h"

namespace horde {
namespace {

struct Way {
    std::string backend;
    int lanes;  // HORDE_LANES, or 0
    Search search;
};

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const Search search : {Search::kGrid, Search::kBrute}) {
        for (const char* backend : {"scalar", "threads"}) all.push_back({backend, 0, search});
        for (const int width : lane_widths()) all.push_back({"simd", width, search});
    }
    return all;
}

struct Outcome {
    std::uint64_t hash = 0;
    std::vector<std::int64_t> neighbours;  // of each frame
    bool operator==(const Outcome&) const = default;
};

Outcome run(Scene scene, const Snapshot& start, const Way& way, int frames) {
    if (way.lanes > 0) setenv("HORDE_LANES", std::to_string(way.lanes).c_str(), 1);
    scene.grid.search = way.search;
    World world(scene, {.backend = way.backend, .threads = 2, .grain = 37, .start = &start});
    unsetenv("HORDE_LANES");
    Outcome outcome;
    for (int n = 0; n < frames; ++n) {
        world.step();
        outcome.neighbours.push_back(world.report().neighbours);
    }
    outcome.hash = world.state_hash();
    return outcome;
}

// The name of the first way that differs from the first, or nothing.
std::string odd_one(const Scene& scene, const Snapshot& start, int frames) {
    std::string odd;
    Outcome first;
    for (const Way& way : ways()) {
        const Outcome outcome = run(scene, start, way, frames);
        if (first.neighbours.empty()) first = outcome;
        if (!(outcome == first) && odd.empty())
            odd =
                way.backend + std::to_string(way.lanes) + (way.search == Search::kGrid ? " grid" : " brute");
    }
    return odd;
}

SceneAgents group_of(const char* rule, std::int64_t count, double speed) {
    SceneAgents group;
    group.rule = rule;
    group.count = count;
    group.spawn = SpawnArea::kBox;
    group.start_speed = speed;
    return group;
}

// Numbers in [0, 1) and whole ones below `end`.
struct Draw {
    std::uint64_t state;

    double operator()() { return to_unit_interval<double>(state = mix64(state)); }
    int below(int end) { return static_cast<int>((*this)() * end); }
    template <class T>
    T of(std::initializer_list<T> values) {
        return values.begin()[below(static_cast<int>(values.size()))];
    }
};

constexpr int kRules = 4;

Rule rule_of(int kind, double radius, double near, double speed, Draw& draw) {
    const auto flock = [&](auto rule) {
        if (draw.below(4) == 0) rule.neighbours = NeighbourChoice::kNearest;
        rule.max_neighbours = draw.of({1, 7, 64});
        if (draw.below(4) == 0) rule.half_angle = draw.of({30.0, 90.0, 135.0});
        if (draw.below(4) == 0) rule.update_every = draw.of({2, 5});
        rule.separation_every_frame = draw.below(2) == 0;
        if (draw.below(3) == 0) rule.coincident = Coincident::kIgnore;
        if (draw.below(2) == 0) rule.speed_limit_spread = 0.4 * speed;
        return rule;
    };
    if (kind == 0) {
        CrowdRule rule;
        rule.separation_radius = radius;
        rule.radius = 0.3 * near;
        rule.speed = 0.6 * speed;
        rule.speed_spread = 0.1 * speed;
        rule.max_speed = speed;
        return rule;
    }
    if (kind == 1) {
        ReynoldsRule rule;
        rule.perception_radius = radius;
        rule.separation_distance = near;
        rule.max_speed = speed;
        rule.max_accel = draw.of({0.01, 4.0, 1e6});
        return flock(rule);
    }
    if (kind == 2) {
        ArcadeRule rule;
        rule.neighbour_radius = radius;
        rule.max_speed = speed;
        rule.max_force = draw.of({0.1, 600.0, 1e6});
        return flock(rule);
    }
    VicsekRule rule;
    rule.radius = radius;
    rule.speed = speed;
    rule.noise = draw.of({0.0, 0.3, 6.28});
    return flock(rule);
}

// Cells with 0 to 40 agents each: a few full ones, rows and columns without anybody, piles at a point and
// within a hundredth of a cell, agents on the edges of cells and of the world.
std::vector<Vec3> agents_in_cells(int dim, int cells, double cell, int most, Draw& draw) {
    std::vector<Vec3> places;
    const int layers = dim == 3 ? cells : 1;
    const int gap = draw.below(3);
    const int shape = draw.below(5);
    for (int z = 0; z < layers; ++z) {
        for (int y = 0; y < cells; ++y) {
            for (int x = 0; x < cells; ++x) {
                if (gap > 0 && (y + z) % (gap + 1) != 0) continue;       // empty rows
                if (shape == 1 && (x != cells / 2 || z != 0)) continue;  // a single column
                if (shape == 2 && draw.below(5) != 0) continue;          // few cells
                const int count = std::min(draw.below(41), most - static_cast<int>(places.size()));
                const bool pile = shape == 3 && draw.below(3) == 0;
                const double spread = pile ? draw.of({0.0, 0.01, 1e-6}) : 1.0;
                const Vec3 middle{draw(), draw(), draw()};
                for (int n = 0; n < count; ++n) {
                    const auto place = [&](int at, double centre) {
                        double part = pile ? centre + spread * draw() : draw();
                        if (shape == 4 && draw.below(3) == 0) part = draw.of({0.0, 1.0 - 0x1p-18});
                        return (at + std::min(part, 1.0 - 0x1p-18)) * cell;
                    };
                    places.push_back({place(x, middle.x), place(y, middle.y), place(z, middle.z)});
                }
            }
        }
    }
    return places;
}

struct Case {
    Scene scene;
    Snapshot start;
};

// Opens gaps in the middle of the world, along some axes: with cells enough between its parts the grid keeps
// a table of rows, or of occupied cells alone. Returns how much longer the world is.
Vec3 open_gaps(std::vector<Vec3>& places, double middle, double cell, Draw& draw) {
    const Vec3 cells = draw.of<Vec3>({{0, 0, 0}, {0, 0, 0}, {60, 20, 20}, {200, 400, 0}, {3000, 900, 40}});
    const Vec3 gap{cells.x * cell, cells.y * cell, cells.z * cell};
    for (Vec3& p : places) {
        if (p.x >= middle) p.x += gap.x;
        if (p.y >= middle) p.y += gap.y;
        if (p.z >= middle) p.z += gap.z;
    }
    return gap;
}

Case any_case(std::uint64_t seed, int kind) {
    Draw draw{seed};
    Case made;
    Scene& scene = made.scene;
    const int dim = 2 + draw.below(2);
    const double scale = draw.of({1.0, 1.0, 60.0, 1e-4, 2e5});
    const double speed = draw.of({1.0, 0.03, 180.0, 1e6}) * (draw.below(2) == 0 ? scale : 1.0);
    const double limit = std::min(1e6, std::max(1e-5, speed));
    const double radius = scale;
    const double near = radius * draw.of({1.0, 0.5, 0.19, 1.0 / 8.0, 1.0 / 32.0});
    scene.world.dim = dim;
    scene.world.edge = draw.of({Edge::kOpen, Edge::kPeriodic, Edge::kWrap});
    scene.world.dt = draw.of({1.0 / 60.0, 1e-3, 1.0});
    const int cells = 1 + draw.below(dim == 2 ? 9 : 4);
    const double cell = radius * draw.of({1.0, 1.07, 0.7});
    const double side = std::max(cells * cell, 1e-3 * radius);
    // Beyond 2^24 units from the origin a float's own steps are coarser than the lattice.
    const double far = draw.of({0.0, -0.5, 3.0, 60.0, 1e4, -1e6}) * radius;
    const Vec3 corner{far, -far, far};
    std::vector<Vec3> places = agents_in_cells(dim, cells, cell, 500, draw);
    const Vec3 gap = open_gaps(places, 0.5 * side, cell, draw);
    scene.world.bounds = Bounds{
        corner,
        {corner.x + side + gap.x, corner.y + side + gap.y, dim == 3 ? corner.z + side + gap.z : corner.z}};
    if (draw.below(2) == 0) scene.world.origin = Vec3{0.0, 0.0, 0.0};
    scene.grid.cell = radius * draw.of({1.0, 1.0, 0.5, 2.0});
    scene.rules["one"] = rule_of(kind, radius, near, limit, draw);
    scene.agents.push_back(group_of("one", 0, 0.0));
    made.start.dim = dim;
    const double pace = limit * draw.of({0.0, 0.5, 1.0, 40.0});
    for (const Vec3& p : places) {
        made.start.id.push_back(7 * made.start.id.size() + 2);
        made.start.position.push_back({p.x + corner.x, p.y + corner.y, dim == 3 ? p.z + corner.z : 0.0});
        const auto component = [&] { return (2.0 * draw() - 1.0) * pace; };
        made.start.velocity.push_back({component(), component(), dim == 3 ? component() : 0.0});
    }
    return made;
}

void expect_one_answer(int kind) {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const Case world = any_case(seed, kind);
    RC_ASSERT(odd_one(world.scene, world.start, 1 + static_cast<int>(seed % 3)) == "");
}

RC_GTEST_PROP(Twins, OfWalkersAgreeInAnyCells, ()) {
    expect_one_answer(0);
}
RC_GTEST_PROP(Twins, OfReynoldsAgreeInAnyCells, ()) {
    expect_one_answer(1);
}
RC_GTEST_PROP(Twins, OfArcadeAgreeInAnyCells, ()) {
    expect_one_answer(2);
}
RC_GTEST_PROP(Twins, OfVicsekAgreeInAnyCells, ()) {
    expect_one_answer(3);
}

// What the four above draw from holds each way in which a grid lays out its cells.
TEST(Twins, MeetCellsInBlocksInRowsAndAlone) {
    int blocks = 0, rows = 0, alone = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Case made = any_case(seed, 1);
        const Vec3 corner = made.scene.world.bounds->min;
        std::vector<float> place[3];
        for (const Vec3& p : made.start.position) {
            place[0].push_back(static_cast<float>(p.x - corner.x));
            place[1].push_back(static_cast<float>(p.y - corner.y));
            place[2].push_back(static_cast<float>(p.z - corner.z));
        }
        Grid grid;
        SerialExecutor executor;
        grid.set(made.scene.world.dim, static_cast<float>(made.scene.grid.cell), {});
        grid.sort<float>({place[0].data(), place[1].data(), place[2].data()},
                         static_cast<std::int64_t>(place[0].size()), executor);
        const GridView& view = grid.view();
        ++(view.start == nullptr ? alone : view.rows != nullptr ? rows : blocks);
    }
    EXPECT_GT(blocks, 60);
    EXPECT_GT(rows, 20);
    EXPECT_GT(alone, 10);
}

// Groups whose radii lie as far apart as a scene may have them: the lattice is that of the smallest.
TEST(Twins, AgreeAtTheLargestRatioOfRadii) {
    for (const int dim : {2, 3}) {
        for (int kind = 0; kind < kRules * kRules; ++kind) {
            Draw draw{static_cast<std::uint64_t>(kind * 2 + dim)};
            Case made = any_case(draw.state, kind % kRules);
            Scene& scene = made.scene;
            scene.world = {};
            scene.world.dim = dim;
            scene.world.edge = kind % 3 == 0 ? Edge::kPeriodic : Edge::kOpen;
            scene.world.bounds = Bounds{{0, 0, 0}, {70.0, 70.0, dim == 3 ? 70.0 : 0.0}};
            scene.grid.cell = 0.0;
            scene.rules["one"] = rule_of(kind % kRules, 32.0, 32.0, 1.5, draw);
            scene.rules["two"] = rule_of(kind / kRules, 1.0, 1.0, 2.0, draw);
            if (auto* crowd = std::get_if<CrowdRule>(&scene.rules["one"])) crowd->radius = 0.3;
            scene.agents.clear();
            scene.agents.push_back(group_of("one", 150, 1.0));
            scene.agents.push_back(group_of("two", 250, 2.0));
            // Spawned, not started: both groups.
            std::string odd;
            Outcome first;
            for (const Way& way : ways()) {
                if (way.lanes > 0) setenv("HORDE_LANES", std::to_string(way.lanes).c_str(), 1);
                scene.grid.search = way.search;
                World world(scene, {.backend = way.backend, .threads = 2, .grain = 37});
                unsetenv("HORDE_LANES");
                Outcome outcome;
                for (int n = 0; n < 2; ++n) {
                    world.step();
                    outcome.neighbours.push_back(world.report().neighbours);
                }
                outcome.hash = world.state_hash();
                if (first.neighbours.empty()) first = outcome;
                EXPECT_TRUE(outcome == first)
                    << dim << "D, rules " << kind << ", " << way.backend << way.lanes;
            }
            EXPECT_GT(first.neighbours[0], 0);
        }
    }
}

// The pile at which sums of 32 bits end: of each term as large as it can be, just as many as fit, one more,
// and many more. Agents at the middle see all others at the rim, on one side, with the largest velocity.
TEST(Twins, AgreeAtTheBoundOfThirtyTwoBits) {
    for (const int kind : {0, 1, 2, 3}) {
        Draw draw{9};
        Scene scene;
        scene.world.dim = 2;
        scene.world.bounds = Bounds{{-50, -50, 0}, {50, 50, 0}};
        Rule rule = rule_of(kind, 1.0, 1.0, 2.0, draw);
        if (auto* reynolds = std::get_if<ReynoldsRule>(&rule)) static_cast<FlockRule&>(*reynolds) = {};
        if (auto* arcade = std::get_if<ArcadeRule>(&rule)) static_cast<FlockRule&>(*arcade) = {};
        if (auto* vicsek = std::get_if<VicsekRule>(&rule)) static_cast<FlockRule&>(*vicsek) = {};
        scene.rules["one"] = rule;
        scene.agents.push_back(group_of("one", 0, 0.0));
        // Terms go up to 2^18 to 2^20 (offsets, velocities, doubled) and 2^24 (pushes at the least distance).
        for (const int count : {126, 127, 128, 129, 2046, 2049, 4094, 4097, 8194}) {
            Snapshot start;
            for (int n = 0; n < count; ++n) {
                const bool sees = n < 20;         // the rest are all on one side of these
                const double step = 0x1p-18 * n;  // nobody at the place of another: lanes leave those alone
                const double rim = n % 2 == 0 ? 1.0 - 0x1p-10 : 1.0 / 64.0;
                start.id.push_back(static_cast<std::uint64_t>(n));
                start.position.push_back(sees ? Vec3{-step, 0.0, 0.0} : Vec3{rim, step, 0.0});
                start.velocity.push_back({sees ? -2.0 : 2.0, 0.0, 0.0});
            }
            Outcome first;
            for (const Way& way : ways()) {
                if (way.search == Search::kBrute && count > 1000) continue;
                if (way.backend == "threads") continue;
                const Outcome outcome = run(scene, start, way, 1);
                if (first.neighbours.empty()) first = outcome;
                EXPECT_TRUE(outcome == first) << kind << ": " << count << " on " << way.backend << way.lanes;
            }
        }
    }
}

}  // namespace
}  // namespace horde
