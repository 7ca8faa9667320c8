#include "soak.h"

namespace horde {
namespace {

TEST(Peers, P17ASoakOfTwoThousandFramesLosesNobody) {
    test::soak(2000);
}

}  // namespace
}  // namespace horde
