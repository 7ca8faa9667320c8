// Every reader of files as one function of bytes, for libFuzzer and for the short run that all tests make.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace horde::test {

struct FuzzedReader {
    const char* name;    // of the target: fuzz_NAME
    const char* ending;  // of the file that it is given
    // Reads the file, and lets a world be made of what it holds where that is the point of it.
    void (*read)(const std::string& path);
    // Files to start from: small, valid, with every part that the format has.
    std::vector<std::string> (*seeds)();
    int mutations = 3000;  // in the short run
};

std::span<const FuzzedReader> fuzzed_readers();

// Of saves and logs, in saves.cpp.
void read_save(const std::string& path);
void read_log(const std::string& path);
std::vector<std::string> save_seeds();
std::vector<std::string> log_seeds();

// Writes `bytes` to a file with the reader's ending and reads it. True if it was taken, false if it was
// refused with an Error of one line. Anything else is a fault, and throws std::logic_error or does not
// return.
bool read_bytes(const FuzzedReader& reader, std::string_view bytes);

}  // namespace horde::test
