#include "soak_fights.h"

namespace horde {
namespace {

TEST(Soak, ASiegeCountsEveryoneAndItsMemoryStaysFlat) {
    test::soak_fight(test::siege(), 2400, 1400, 25.0, 300);
}

TEST(Soak, AMurmurationCountsEveryoneAndItsMemoryStaysFlat) {
    test::soak_fight(test::small_murmuration(), 2400, 1200, 40.0, 1);
}

}  // namespace
}  // namespace horde
