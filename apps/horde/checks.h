/// What the command line checks before anything runs.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace horde {

inline constexpr std::int64_t kMostAgents = 100'000'000;

/// Whole numbers from min to max; knows no octal and no overflow, unlike the conversion that follows it.
CLI::Validator whole(std::int64_t min, std::int64_t max);

/// One of a few words; says which.
CLI::Validator word(std::vector<std::string> words);

/// "auto", or a backend of this build.
CLI::Validator backend_word();

}  // namespace horde
