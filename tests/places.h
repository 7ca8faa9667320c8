// Where the sources and the program of this build are. Kept out of the compile commands of the tests, which
// are then the same in every clone, so that one compiler cache serves all.
#pragma once

namespace horde::test {

extern const char* const kSourceDir;
extern const char* const kProgram;  // empty where the program is not built

}  // namespace horde::test
