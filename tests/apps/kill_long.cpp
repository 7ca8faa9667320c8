/// The whole of tests/apps/robust_test.cpp's short kill test.
#include "kills.h"

namespace horde {
namespace {

TEST(Kill, FiftyKillsHarmNoFinishedFile) {
    expect_kills_harm_no_file(50, 11);
}

}  // namespace
}  // namespace horde
