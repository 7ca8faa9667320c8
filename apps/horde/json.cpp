#include "json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace horde {

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

void print_json(const Json& object) {
    fmt::print("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
    std::fflush(stdout);
}

}  // namespace horde
