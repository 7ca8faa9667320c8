// The target of libFuzzer for the reader HORDE_FUZZ_READER: `./dev fuzz`.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "readers.h"

namespace {

const horde::test::FuzzedReader& the_reader() {
    for (const horde::test::FuzzedReader& each : horde::test::fuzzed_readers()) {
        if (std::strcmp(each.name, HORDE_FUZZ_READER) == 0) return each;
    }
    throw std::logic_error("no reader " HORDE_FUZZ_READER);
}

}  // namespace

// Writes the reader's seeds into the first folder that the command line names: from nothing, mutation would
// need ages to find a file that passes the first check.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    for (int n = 1; n < *argc; ++n) {
        if (!std::filesystem::is_directory((*argv)[n])) continue;
        int number = 0;
        for (const std::string& seed : the_reader().seeds()) {
            const std::string name = "seed-" + std::to_string(number++);
            std::ofstream(std::filesystem::path((*argv)[n]) / name, std::ios::binary) << seed;
        }
        break;
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const horde::test::FuzzedReader& reader = the_reader();
    horde::test::read_bytes(reader, {reinterpret_cast<const char*>(data), size});
    return 0;
}
