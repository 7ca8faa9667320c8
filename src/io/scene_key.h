/// What a key of a scene file is, and the texts of the enums that keys take.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "horde/scene.h"

namespace horde::scene_keys {

/// Numbers that a key takes: min to max, or above min to max. All numbers are finite besides.
struct Range {
    double min = 0.0;
    double max = 0.0;
    bool above_min = false;
};

constexpr double kLargeLength = 1e6;   // m; a float there still resolves 6 cm, and World narrows it further
constexpr double kLargeSeed = 9.3e18;  // a TOML integer ends at 2^63 - 1, which is the true limit
constexpr double kLargeCount = 1e8;    // agents of one group: about 20 GB of columns
constexpr double kLargeGoalCount = 60000.0;  // drawn goals; 65535 is kNoGoal, and named ones come on top

constexpr Range kSeeds{0.0, kLargeSeed};
constexpr Range kPositive{1e-6, kLargeLength};
constexpr Range kNotNegative{0.0, kLargeLength};

/// Where a key's value goes. std::monostate: it is no member, its table is read by hand.
template <class S>
using Member =
    std::variant<std::monostate, int S::*, std::int64_t S::*, std::uint64_t S::*, double S::*,
                 std::string S::*, std::vector<std::string> S::*, std::optional<Bounds> S::*,
                 std::optional<Vec3> S::*, std::vector<Vec3> S::*, std::vector<std::vector<Cell>> S::*,
                 Edge S::*, Search S::*, OnArrival S::*, SpawnArea S::*, ColourBy S::*, bool S::*,
                 NeighbourChoice S::*, Coincident S::*, EditKind S::*, Physics S::*, SpawnPattern S::*,
                 Drive S::*, std::vector<double> S::*, std::map<int, int> S::*, std::optional<CellArea> S::*>;

template <class S>
struct Key {
    const char* name;
    Member<S> member;
    const char* unit;
    const char* meaning;
    Range range{};
    const char* words = nullptr;    ///< texts that it takes, '|' between; "#" stands for a whole number
    const char* example = nullptr;  ///< for keys whose default is to be absent
};

template <class S>
struct Table {
    const char* name;     ///< "world"
    const char* heading;  ///< "[world]"
    const char* meaning;
    std::span<const Key<S>> keys;
    bool is_example = false;  ///< a scene to start from shows it in comments alone
};

/// The texts of an enum, by value.
inline std::span<const char* const> choices(Edge) {
    static constexpr const char* kNames[] = {"open", "periodic", "wrap"};
    return kNames;
}
inline std::span<const char* const> choices(Search) {
    static constexpr const char* kNames[] = {"auto", "grid", "brute"};
    return kNames;
}
inline std::span<const char* const> choices(OnArrival) {
    static constexpr const char* kNames[] = {"exit", "stay", "respawn"};
    return kNames;
}
inline std::span<const char* const> choices(SpawnArea) {
    static constexpr const char* kNames[] = {"free", "box"};
    return kNames;
}
inline std::span<const char* const> choices(SpawnPattern) {
    static constexpr const char* kNames[] = {"box", "cells", "circle", "edge"};
    return kNames;
}
inline std::span<const char* const> choices(Physics) {
    static constexpr const char* kNames[] = {"off", "near", "all"};
    return kNames;
}
inline std::span<const char* const> choices(ColourBy) {
    static constexpr const char* kNames[] = {"speed", "goal", "type", "behaviour"};
    return kNames;
}
inline std::span<const char* const> choices(Drive) {
    static constexpr const char* kNames[] = {"none", "hunt", "flee", "regroup"};
    return kNames;
}

inline std::span<const char* const> choices(NeighbourChoice) {
    static constexpr const char* kNames[] = {"all", "nearest", "first"};
    return kNames;
}
inline std::span<const char* const> choices(Coincident) {
    static constexpr const char* kNames[] = {"separate", "ignore"};
    return kNames;
}
inline std::span<const char* const> choices(EditKind) {
    static constexpr const char* kNames[] = {"wall", "cost", "clear"};
    return kNames;
}

/// "2 to 3", "more than 0, at most 10"
std::string range_text(const Range& range);

/// The number in its fewest digits: "3", "0.05"
std::string number_text(double value);

/// The same as a TOML float: "3.0", "0.05"
std::string float_text(double value);

/// `"open" | "periodic"`, from the texts of an enum or from a key's words.
std::string choice_text(std::span<const char* const> names);
std::string choice_text(const char* words);

}  // namespace horde::scene_keys
