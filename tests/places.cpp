#include "places.h"

namespace horde::test {

const char* const kSourceDir = HORDE_SOURCE_DIR;
const char* const kProgram = HORDE_BINARY;

}  // namespace horde::test

// HDF5 keeps memory of damaged files that it refused to open; the leak sanitizer asks here what to overlook.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libhdf5";
}
