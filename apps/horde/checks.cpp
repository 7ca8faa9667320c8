#include "checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "horde/world.h"

namespace horde {

CLI::Validator whole(std::int64_t min, std::int64_t max) {
    const auto check = [min, max](std::string& text) -> std::string {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value >= min && value <= max) {
            text = std::to_string(value);
            return {};
        }
        return fmt::format("'{}' is not a whole number from {} to {}", text, min, max);
    };
    return CLI::Validator(check, fmt::format("[{}..{}]", min, max));
}

CLI::Validator word(std::vector<std::string> words) {
    const std::string list = fmt::format("{}", fmt::join(words, ", "));
    const auto check = [words = std::move(words), list](std::string& text) -> std::string {
        if (std::find(words.begin(), words.end(), text) != words.end()) return {};
        return fmt::format("'{}' is not in this build; there is {}", text, list);
    };
    return CLI::Validator(check, list);
}

CLI::Validator backend_word() {
    std::vector<std::string> names = backends();
    names.insert(names.begin(), "auto");
    return word(std::move(names));
}

}  // namespace horde
