// The target of libFuzzer for the reader HORDE_FUZZ_READER: `./dev fuzz`.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const horde::test::FuzzedReader& reader = []() -> const horde::test::FuzzedReader& {
        for (const horde::test::FuzzedReader& each : horde::test::fuzzed_readers()) {
            if (std::strcmp(each.name, HORDE_FUZZ_READER) == 0) return each;
        }
        throw std::logic_error("no reader " HORDE_FUZZ_READER);
    }();
    horde::test::read_bytes(reader, {reinterpret_cast<const char*>(data), size});
    return 0;
}
