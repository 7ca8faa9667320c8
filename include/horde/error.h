/// How horde says no.
#pragma once

#include <stdexcept>
#include <string>

namespace horde {

/// Bad input: a file, a scene, an argument, a missing device. Thrown by constructors, setters and loaders
/// only; a frame never throws it. The text says what is wrong, where (file:line, key, or agent id and field)
/// and what to do, in one line.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& text) : std::runtime_error(text) {}
};

}  // namespace horde
