/// NumPy's default_rng: SeedSequence (O'Neill's seed_seq_fe) and PCG64 (XSL-RR 128/64), so that tests start
/// from the very points that figures in NumPy were computed for.
#pragma once

#include <array>
#include <cstdint>

namespace horde {

class NumpyRandom {
  public:
    explicit NumpyRandom(std::uint32_t seed) {
        const std::array<std::uint64_t, 4> words = seed_words(seed);
        const Wide start = Wide{words[0]} << 64 | words[1];
        increment_ = (Wide{words[2]} << 64 | words[3]) << 1 | 1;
        step();
        state_ += start;
        step();
    }

    /// random(): uniform in [0, 1) in steps of 2^-53.
    double random() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * random(); }

  private:
    __extension__ typedef unsigned __int128 Wide;

    static std::array<std::uint64_t, 4> seed_words(std::uint32_t seed) {
        std::uint32_t constant = 0x43b0d7e5u;
        const auto hashed = [&](std::uint32_t value) {
            value ^= constant;
            constant *= 0x931e8875u;
            value *= constant;
            return value ^ value >> 16;
        };
        std::array<std::uint32_t, 4> pool{};
        for (std::size_t i = 0; i < 4; ++i) pool[i] = hashed(i == 0 ? seed : 0);
        for (std::size_t from = 0; from < 4; ++from) {
            for (std::size_t to = 0; to < 4; ++to) {
                if (from == to) continue;
                const std::uint32_t mixed = 0xca01f9ddu * pool[to] - 0x4973f715u * hashed(pool[from]);
                pool[to] = mixed ^ mixed >> 16;
            }
        }
        constant = 0x8b51f9ddu;
        std::array<std::uint64_t, 4> words{};
        for (std::size_t i = 0; i < 8; ++i) {
            std::uint32_t value = pool[i % 4] ^ constant;
            constant *= 0x58f38dedu;
            value *= constant;
            value ^= value >> 16;
            words[i / 2] |= std::uint64_t{value} << (i % 2 * 32);
        }
        return words;
    }

    void step() { state_ = state_ * (Wide{0x2360ed051fc65da4u} << 64 | 0x4385df649fccf645u) + increment_; }

    std::uint64_t next() {
        step();
        const auto mixed = static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
        const auto turn = static_cast<unsigned>(state_ >> 122);
        return mixed >> turn | mixed << (-turn & 63u);
    }

    Wide state_ = 0;
    Wide increment_ = 0;
};

}  // namespace horde
