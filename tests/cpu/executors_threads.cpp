// Loops on threads: each chunk once, worlds without races. Run under ThreadSanitizer with the executor on
// plain threads.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <vector>

#include "cpu/executors.h"
#include "horde/neighbours.h"
#include "horde/world.h"

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

TEST(Executors, RunEachChunkOnceInTheFloatModeOfThePromise) {
    for (const Maker& make : makers()) {
        for (const int threads : {1, 2, 8}) {
            const std::unique_ptr<Executor> executor = make(threads);
            EXPECT_EQ(executor->threads(), threads);
            for (const std::int64_t count : {0, 1, 511, 512, 100000}) {
                std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
                std::atomic<std::int64_t> chunks{0};
                executor->for_chunks(count, executor->grain(count),
                                     [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                                         ++chunks;
                                         for (std::int64_t i = begin; i < end; ++i)
                                             ++seen[static_cast<std::size_t>(i)];
                                     });
                for (const std::atomic<int>& n : seen) ASSERT_EQ(n, 1);
                if (threads > 1 && count == 100000) {
                    EXPECT_GE(chunks, threads);
                }
            }
        }
    }
}

TEST(Executors, ManyShortLoopsLoseNoChunk) {
    for (const Maker& make : makers()) {
        const std::unique_ptr<Executor> executor = make(4);
        std::atomic<std::int64_t> sum{0};
        for (int n = 0; n < 2000; ++n) {
            executor->for_chunks(10, 1,
                                 [&](std::int64_t, std::int64_t begin, std::int64_t) { sum += begin; });
        }
        EXPECT_EQ(sum, 2000 * 45);
    }
}

Scene crowd() {
    Scene scene;
    scene.map.rows.assign(40, std::string(60, '.'));
    scene.map.rows[20] = std::string(25, '@') + ".........." + std::string(25, '@');
    scene.field.goal_sets = {{{30, 0}}, {{30, 39}}};
    SceneAgents agents;
    agents.count = 1500;
    scene.agents.push_back(agents);
    std::get<CrowdRule>(scene.rules["crowd"]).on_arrival = OnArrival::kRespawn;
    return scene;
}

TEST(Threads, GiveTheHashOfOne) {
    const auto hash = [](const std::string& backend, int threads) {
        World world(crowd(), {.backend = backend, .threads = threads});
        for (int n = 0; n < 30; ++n) world.step();
        return world.state_hash();
    };
    const std::uint64_t reference = hash("scalar", 1);
    for (const int threads : {2, 3, 8}) {
        EXPECT_EQ(hash("threads", threads), reference) << threads;
        EXPECT_EQ(hash("simd", threads), reference) << threads;
    }
}

TEST(Threads, TwoWorldsStepAtOnce) {
    std::atomic<std::uint64_t> hashes[2];
    const std::unique_ptr<Executor> both = make_std_executor(2);
    both->for_chunks(2, 1, [&](std::int64_t which, std::int64_t, std::int64_t) {
        World world(crowd(), {.backend = "threads", .threads = 2});
        for (int n = 0; n < 10; ++n) world.step();
        hashes[which] = world.state_hash();
    });
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(Threads, ManyReadOneSearch) {
    NeighbourSettings settings;
    settings.cell = 1.0f;
    Neighbours neighbours(settings);
    std::vector<float> x, y;
    for (int n = 0; n < 1000; ++n) {
        x.push_back(static_cast<float>(n % 40) * 0.5f);
        y.push_back(static_cast<float>(n / 40) * 0.5f);
    }
    neighbours.build(x, y);
    std::atomic<std::int64_t> total{0};
    const std::unique_ptr<Executor> executor = make_std_executor(4);
    executor->for_chunks(1000, 50, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
        std::vector<std::uint32_t> found;
        for (std::int64_t i = begin; i < end; ++i) {
            const auto k = static_cast<std::size_t>(i);
            total += neighbours.query({x[k], y[k], 0}, 1.0f, i, found).neighbours;
        }
    });
    std::vector<std::uint64_t> start;
    std::vector<std::uint32_t> index;
    EXPECT_EQ(total, neighbours.lists(1.0f, start, index).neighbours);
}

}  // namespace
}  // namespace horde
