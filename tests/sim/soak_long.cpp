#include "soak.h"

namespace horde {
namespace {

TEST(Peers, P17ASoakOfAHundredThousandFramesLosesNobody) {
    test::soak(100'000);
}

}  // namespace
}  // namespace horde
