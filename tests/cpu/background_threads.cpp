// Work beside the frame, on real threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "../sim/store_scripts.h"
#include "cpu/executors.h"

namespace horde {
namespace {

struct Count final : Background::Task {
    std::atomic<int>* sum = nullptr;
    int add = 0;
    int worker = -1;
    std::chrono::milliseconds sleep{0};
    void run(int by) override {
        std::this_thread::sleep_for(sleep);
        worker = by;
        *sum += add;
        if (add < 0) throw std::runtime_error("negative");
    }
};

TEST(Background, DoesEachTaskOnceWhoeverDoesIt) {
    for (const int workers : {1, 2, 3, 8}) {
        const std::unique_ptr<Background> background = make_background(workers);
        EXPECT_EQ(background->workers(), workers);
        std::atomic<int> sum{0};
        std::vector<Count> tasks(50);
        for (int round = 0; round < 3; ++round) {
            int expected = 0;
            sum = 0;
            for (Count& task : tasks) {
                task.sum = &sum;
                task.add = ++expected;
                background->start(task);
            }
            for (Count& task : tasks) background->finish(task);
            EXPECT_EQ(sum, 50 * 51 / 2);
            for (const Count& task : tasks) EXPECT_TRUE(task.worker >= 0 && task.worker <= workers);
        }
    }
}

TEST(Background, WhatNobodyHasBegunIsDoneByWhoWaits) {
    std::atomic<int> sum{0};
    Count slow, quick;
    const std::unique_ptr<Background> background = make_background(1);
    slow.sum = quick.sum = &sum;
    slow.sleep = std::chrono::milliseconds(200);
    background->start(slow);
    background->start(quick);
    EXPECT_FALSE(background->finish(quick));
    EXPECT_FALSE(background->finish(slow));
}

TEST(Background, ThrowsWhatATaskThrewAndGoesOn) {
    std::atomic<int> sum{0};
    Count bad, good;
    const std::unique_ptr<Background> background = make_background(1);
    bad.sum = good.sum = &sum;
    bad.add = -1;
    good.add = 5;
    background->start(bad);
    background->start(good);
    EXPECT_THROW(background->finish(bad), std::runtime_error);
    background->finish(good);
    EXPECT_EQ(sum, 4);
}

TEST(Background, LeavesUndoneWhatIsQueuedWhenItGoes) {
    std::atomic<int> sum{0};
    std::vector<Count> tasks(20);
    {
        const std::unique_ptr<Background> background = make_background(1);
        for (Count& task : tasks) {
            task.sum = &sum;
            task.add = 1;
            task.sleep = std::chrono::milliseconds(5);
            background->start(task);
        }
    }
    EXPECT_LT(sum, 20);
}

TEST(Background, FieldsAreTheSameInEveryFrameOnAnyNumberOfWorkers) {
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
        const FieldStoreSettings settings{.cells_per_frame = 400, .goal_interval = 3};
        test::StoreWorld here(seed, settings, nullptr);
        for (int n = 0; n < 60; ++n) here.step();
        for (const int workers : {1, 2, 3, 8}) {
            const std::unique_ptr<Background> background = make_background(workers);
            test::StoreWorld beside(seed, settings, background.get());
            for (int n = 0; n < 60; ++n) beside.step();
            EXPECT_EQ(here.store.hash(), beside.store.hash());
            for (std::size_t set = 0; set < 3; ++set) {
                EXPECT_EQ(here.store.find(set, 1).field.flow, beside.store.find(set, 1).field.flow);
                EXPECT_EQ(here.store.version(set, 1), beside.store.version(set, 1));
            }
            // Queued work must end before the store that it works for goes.
            for (int n = 0; n < 20; ++n) beside.store.update(beside.frame++, beside.layers());
            EXPECT_EQ(beside.store.pending(), 0u);
        }
    }
}

}  // namespace
}  // namespace horde
