// Values to bytes and back. A visitor of a part of the state is written once, over either of the two: what
// one puts, the other takes.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "horde/error.h"

namespace horde {

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// The unsigned integer of a type's size.
template <Plain T>
using BitsOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// Puts values behind each other, the least byte first.
class StateWriter {
  public:
    static constexpr bool kReads = false;

    explicit StateWriter(std::string& out) : out_(out) {}

    template <Plain T>
    void value(const T& x) {
        auto bits = std::bit_cast<BitsOf<T>>(x);
        for (std::size_t k = 0; k < sizeof(T); ++k) {
            out_.push_back(static_cast<char>(bits & 0xff));
            if constexpr (sizeof(T) > 1) bits >>= 8;
        }
    }
    template <Plain T>
    void array(const T* values, std::size_t count) {
        if constexpr (std::endian::native == std::endian::little) {
            if (count > 0) out_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
        } else {
            for (std::size_t k = 0; k < count; ++k) value(values[k]);
        }
    }
    // A number that is known before: only to be the same.
    void same(std::uint64_t x, const char*) { value(x); }
    // A number below `limit`.
    template <Plain T>
    void below(const T& x, std::uint64_t, const char*) {
        value(x);
    }
    // Elements of a list, each of which takes at least so many bytes here.
    template <class List>
    void size(const List& list, std::size_t, std::uint64_t, const char*) {
        value(static_cast<std::uint64_t>(list.size()));
    }
    void count(const std::int64_t& x, std::size_t) { value(x); }
    void text(const std::string& x, const char*) {
        value(static_cast<std::uint64_t>(x.size()));
        array(x.data(), x.size());
    }

  private:
    std::string& out_;
};

// Takes them in the same order. Throws Error for bytes that cannot be what the writer wrote. No count is
// believed that the bytes left could not hold.
class StateReader {
  public:
    static constexpr bool kReads = true;

    explicit StateReader(std::string_view bytes) : left_(bytes) {}

    template <Plain T>
    void value(T& x) {
        need(sizeof(T));
        BitsOf<T> bits = 0;
        for (std::size_t k = 0; k < sizeof(T); ++k) {
            bits = static_cast<BitsOf<T>>(bits | static_cast<BitsOf<T>>(static_cast<std::uint8_t>(left_[k]))
                                                     << (8 * k));
        }
        if constexpr (std::is_same_v<T, bool>) {
            if (bits > 1) refuse("a truth is neither 0 nor 1");
            x = bits == 1;
        } else {
            x = std::bit_cast<T>(bits);
        }
        left_.remove_prefix(sizeof(T));
    }
    template <Plain T>
    void array(T* values, std::size_t count) {
        if (count > left_.size() / sizeof(T)) need(left_.size() + 1);
        if constexpr (std::endian::native == std::endian::little && !std::is_same_v<T, bool>) {
            if (count > 0) std::memcpy(values, left_.data(), count * sizeof(T));
            left_.remove_prefix(count * sizeof(T));
        } else {
            for (std::size_t k = 0; k < count; ++k) value(values[k]);
        }
    }
    void same(std::uint64_t x, const char* what) {
        std::uint64_t found = 0;
        value(found);
        if (found != x)
            refuse(std::string(what) + " is " + std::to_string(found) + ", but the scene has " +
                   std::to_string(x));
    }
    template <Plain T>
    void below(T& x, std::uint64_t limit, const char* what) {
        value(x);
        const auto number = static_cast<std::uint64_t>(x);
        if (number >= limit)
            refuse(std::string(what) + " " + std::to_string(number) + " is not below " +
                   std::to_string(limit));
    }
    template <class List>
    void size(List& list, std::size_t bytes, std::uint64_t most, const char* what) {
        std::uint64_t count = 0;
        value(count);
        if (count > most || count > left_.size() / bytes)
            refuse(std::to_string(count) + " " + what + " are more than there can be");
        list.resize(static_cast<std::size_t>(count));
    }
    void count(std::int64_t& x, std::size_t bytes) {
        value(x);
        if (x < 0 || static_cast<std::uint64_t>(x) > left_.size() / bytes)
            refuse(std::to_string(x) + " agents are more than there can be");
    }
    void text(std::string& x, const char* what) {
        size(x, 1, UINT64_MAX, what);
        array(x.data(), x.size());
    }

    bool is_done() const { return left_.empty(); }
    [[noreturn]] static void refuse(const std::string& what) { throw Error(what); }

  private:
    void need(std::size_t bytes) const {
        if (left_.size() < bytes) refuse("it ends too early");
    }

    std::string_view left_;
};

// A list of plain values, behind their number.
template <class Archive, Plain T>
void visit_values(Archive& a, std::vector<T>& list, std::uint64_t most, const char* what) {
    a.size(list, sizeof(T), most, what);
    a.array(list.data(), list.size());
}

template <class Archive, Plain T>
void visit_optional(Archive& a, std::optional<T>& x) {
    bool has = x.has_value();
    a.value(has);
    if (!has) x.reset();
    if (has && !x) x.emplace();
    if (has) a.value(*x);
}

}  // namespace horde
