#include "base/side_thread.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace horde {
namespace {

TEST(SideThread, WorksBesideItsStarter) {
    SideThread side;
    std::thread::id there;
    for (int n = 0; n < 100; ++n) {
        there = {};
        side.start([&] { there = std::this_thread::get_id(); });
        EXPECT_TRUE(side.is_busy());
        side.wait();
        EXPECT_FALSE(side.is_busy());
        EXPECT_NE(there, std::thread::id{});
        EXPECT_NE(there, std::this_thread::get_id());
    }
}

TEST(SideThread, ThrowsWhatTheWorkThrewAndGoesOn) {
    SideThread side;
    side.start([] { throw std::runtime_error("in the work"); });
    EXPECT_THROW(side.wait(), std::runtime_error);
    int done = 0;
    side.start([&] { done = 7; });
    side.wait();
    EXPECT_EQ(done, 7);
}

TEST(SideThread, FinishesItsWorkBeforeItGoes) {
    int done = 0;
    {
        SideThread side;
        side.start([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            done = 1;
        });
    }
    EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace horde
