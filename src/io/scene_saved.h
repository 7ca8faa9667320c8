/// The scene inside of saves and logs: the text of a scene file without its limits, since programs may set
/// any number that World takes, and with all three axes.
#pragma once

#include <string>

#include "horde/scene.h"

namespace horde {

enum class SceneText { kFile, kSaved };

/// What `parse_saved_scene` reads back as an equal scene, but for name, folder, places and what is given.
std::string write_saved_scene(const Scene& scene);

/// Throws Error as parse_scene does, but for ranges.
Scene parse_saved_scene(const std::string& text, const std::string& name);

}  // namespace horde
