// The short run of the fuzz targets: seeds and some thousand mutations of them, the same in every run. Under
// the address and undefined sanitizers, that is where faults of readers show. `./dev fuzz` goes on from here.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "readers.h"

namespace horde::test {
namespace {

// What makes parsers stumble, beside single bytes.
constexpr const char* kBits[] = {"-1",         "0",     "1e999", "nan",  "-inf", "99999999999999999999",
                                 "2147483648", "65536", "\n",    "\r\n", "\t",   "[",
                                 "]",          "\"",    "=",     ",",    "#",    "1e-320",
                                 "0x10",       ".",     "@",     "255",  "256",  "-0"};

std::string mutated(std::string text, const std::vector<std::string>& seeds, std::mt19937& random) {
    const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
    for (std::size_t n = 1 + below(4); n > 0; --n) {
        const std::size_t at = below(text.size() + 1);
        const std::size_t length = std::min<std::size_t>(text.size() - at, 1 + below(12));
        switch (below(7)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(random());
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, text.substr(at, length));
                break;
            case 3:
                text.replace(at, length, kBits[below(std::size(kBits))]);
                break;
            case 4:
                text.insert(at, kBits[below(std::size(kBits))]);
                break;
            case 5:
                text.resize(at);
                break;
            default: {
                const std::string& other = seeds[below(seeds.size())];
                const std::size_t from = below(other.size() + 1);
                text.insert(at, other.substr(from, 1 + below(60)));
            }
        }
    }
    return text;
}

class Fuzz : public testing::TestWithParam<std::size_t> {};

TEST_P(Fuzz, ReadersTakeAnyBytesOrRefuseThemInALine) {
    const FuzzedReader& reader = fuzzed_readers()[GetParam()];
    const std::vector<std::string> seeds = reader.seeds();
    for (const std::string& seed : seeds)
        EXPECT_TRUE(read_bytes(reader, seed)) << reader.name << ":\n" << seed;
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    int taken = 0, refused = 0;
    for (int n = 0; n < reader.mutations; ++n) {
        const std::string input = mutated(seeds[random() % seeds.size()], seeds, random);
        bool ok = false;
        ASSERT_NO_THROW(ok = read_bytes(reader, input)) << reader.name << ":\n" << input;
        ++(ok ? taken : refused);
    }
    EXPECT_GT(taken, 3) << "mutations that nobody takes test only the first check";
    EXPECT_GT(refused, 100);
}

INSTANTIATE_TEST_SUITE_P(Readers, Fuzz, testing::Range(std::size_t{0}, fuzzed_readers().size()),
                         [](const auto& info) { return std::string(fuzzed_readers()[info.param].name); });

}  // namespace
}  // namespace horde::test
