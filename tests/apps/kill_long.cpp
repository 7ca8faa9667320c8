/// The whole of the short kill tests in robust_test.cpp.
#include "kills.h"

namespace horde {
namespace {

TEST(Kill, FiftyKillsHarmNoFinishedFile) {
    expect_kills_harm_no_file(50, 11);
}

TEST(Kill, AfterFiftyKillsTheNewestCheckpointResumes) {
    expect_checkpoints_to_resume(50, 12);
}

}  // namespace
}  // namespace horde
