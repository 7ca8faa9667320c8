/// The one object that --json puts on stdout.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace horde {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// 16 hex digits.
std::string hash_text(std::uint64_t hash);

/// The number, or null where there is none: NaN and the infinities are no JSON.
Json number_or_null(double value);

/// Writes the object and nothing else. Bytes that are not UTF-8 (of file names) become U+FFFD.
void print_json(const Json& object);

}  // namespace horde
