// Ten thousand agents and one cell.
#include <gtest/gtest.h>

#include "crowds.h"

namespace horde {
namespace {

using namespace test;

TEST(Arrival, TenThousandAgentsSentToOneCellSettle) {
    std::uint64_t hashes[2] = {};
    for (const int run_number : {0, 1}) {
        Scene scene = map_scene(room(160, 160), {{80, 80}}, 10000);
        crowd_rule(scene).on_arrival = OnArrival::kStay;
        World world(scene, {.backend = run_number == 0 ? "threads" : "auto", .threads = 2});
        int frames = 0;
        std::int64_t told = 0;
        for (; frames < 8000 && told < 10000; ++frames) {
            world.step();
            told += static_cast<std::int64_t>(world.arrivals().size());
        }
        EXPECT_EQ(told, 10000);
        RecordProperty("frames", frames);
        run(world, 1200);
        const Snapshot rows = rows_of(world);
        EXPECT_EQ(count_of(rows, AgentState::kArrived), 10000);
        EXPECT_LT(mean_speed(rows), 0.0134) << "1 % of the walking speed";
        double farthest = 0.0;
        for (const Vec3& p : rows.position) farthest = std::max(farthest, distance(p, {80.5, 80.5, 0}));
        // Discs of 0.5 m packed without a gap fill a circle of 26 m.
        EXPECT_LT(farthest, 45.0);
        RecordProperty("farthest", static_cast<int>(farthest));
        hashes[run_number] = world.state_hash();
        std::printf("settled after %d frames (%.0f s), farthest %.1f m, mean speed %.5f m/s\n", frames,
                    frames * 0.05, farthest, mean_speed(rows));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace horde
