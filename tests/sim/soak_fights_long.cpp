// Six minutes of simulated time; an hour, as it was run once, with HORDE_SOAK_FRAMES=216000.
#include <cstdlib>

#include "soak_fights.h"

namespace horde {
namespace {

// Of a sixtieth of a second.
int soak_frames() {
    const char* frames = std::getenv("HORDE_SOAK_FRAMES");
    return frames != nullptr ? std::atoi(frames) : 21'600;
}

TEST(Soak, ALongSiegeCountsEveryoneAndItsMemoryStaysFlat) {
    const int frames = soak_frames();
    test::soak_fight(test::large_siege(), frames, std::max(frames / 10, 3000), 25.0, frames / 22);
}

TEST(Soak, ALongMurmurationCountsEveryoneAndItsMemoryStaysFlat) {
    const int frames = soak_frames();
    test::soak_fight(test::small_murmuration(), frames, std::max(frames / 10, 3000), 40.0, frames / 10'800);
}

}  // namespace
}  // namespace horde
