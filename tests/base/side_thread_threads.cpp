#include "base/side_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <stdexcept>
#include <system_error>

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

#if defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST(SideThread, IsAtRestWhereNoThreadCanBeMade) {
    pthread_attr_t before, huge;
    ASSERT_EQ(pthread_getattr_default_np(&before), 0);
    ASSERT_EQ(pthread_attr_init(&huge), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 47), 0);  // more than there are addresses
    SideThread side;
    ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
    EXPECT_THROW(side.start([] {}), std::system_error);
    ASSERT_EQ(pthread_setattr_default_np(&before), 0);
    EXPECT_FALSE(side.is_busy());
    int done = 0;
    side.start([&] { done = 7; });
    side.wait();
    EXPECT_EQ(done, 7);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
}
#endif

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
