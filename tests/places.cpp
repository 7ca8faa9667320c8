#include "places.h"

namespace horde::test {

const char* const kSourceDir = HORDE_SOURCE_DIR;
const char* const kProgram = HORDE_BINARY;

}  // namespace horde::test
