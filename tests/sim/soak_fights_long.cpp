#include "soak_fights.h"

namespace horde {
namespace {

constexpr int kHour = 60 * 60 * 60;  // frames of a sixtieth of a second

TEST(Soak, AnHourOfSiegeCountsEveryoneAndItsMemoryStaysFlat) {
    test::soak_fight(test::large_siege(), kHour, kHour / 10, 25.0, 10'000);
}

TEST(Soak, AnHourOfMurmurationCountsEveryoneAndItsMemoryStaysFlat) {
    test::soak_fight(test::small_murmuration(), kHour, kHour / 10, 40.0, 20);
}

}  // namespace
}  // namespace horde
