#include "json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace horde {

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

void print_json(const Json& object) {
    fmt::print("{}\n", object.dump(2, ' ', false, Json::error_handler_t::replace));
    if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
}

}  // namespace horde
