/// What a scene and a run tell their picture.
#include <algorithm>
#include <variant>

#include "io/picture/picture_layout.h"

namespace horde {
namespace {

constexpr std::size_t kMostTrails = 5000;  // agents
constexpr double kUsualRadius = 0.25;      // metres

/// Rows for which `keeps` holds, with what pictures look at.
template <class Keeps>
Snapshot rows_of(const Snapshot& from, Keeps&& keeps) {
    Snapshot to;
    to.frame = from.frame;
    to.time = from.time;
    to.dim = from.dim;
    for (std::size_t i = 0; i < from.count(); ++i) {
        if (!keeps(i)) continue;
        to.id.push_back(from.id[i]);
        to.position.push_back(from.position[i]);
        to.velocity.push_back(from.velocity[i]);
        to.goal.push_back(from.goal[i]);
        to.type.push_back(from.type[i]);
        if (!from.combat.empty()) to.combat.push_back(from.combat[i]);
        if (!from.behaviour.empty()) to.behaviour.push_back(from.behaviour[i]);
    }
    return to;
}

}  // namespace

PictureStory picture_story(const Scene& scene) {
    PictureStory story;
    for (const auto& [name, behaviour] : scene.behaviours) story.behaviours.push_back(name);
    for (const SceneAgents& agents : scene.agents) {
        const auto type = static_cast<std::size_t>(std::clamp(agents.type, 0, 255));
        if (type >= story.types.size()) {
            story.types.resize(type + 1);
            story.sizes.resize(type + 1, 1.0);
        }
        std::string& name = story.types[type];
        name = name.empty() || name == agents.rule ? agents.rule : std::to_string(type);
        const auto rule = scene.rules.find(agents.rule);
        if (rule == scene.rules.end()) continue;
        if (const auto* crowd = std::get_if<CrowdRule>(&rule->second))
            story.sizes[type] = crowd->radius / kUsualRadius;
    }
    for (std::size_t type = 0; type < story.types.size(); ++type) {
        std::string& name = story.types[type];
        const auto same = std::count(story.types.begin(), story.types.end(), name);
        if (!name.empty() && same > 1) name += " " + std::to_string(type);
    }
    if (scene.world.edge != Edge::kOpen) story.bounds = scene.world.bounds;
    return story;
}

void add_to_story(PictureStory& story, const Snapshot& snapshot, double seconds) {
    const bool all = snapshot.count() <= kMostTrails;
    const std::array<bool, 256> rare = rare_types(snapshot);
    story.before.push_back(rows_of(snapshot, [&](std::size_t i) { return all || rare[snapshot.type[i]]; }));
    std::erase_if(story.before, [&](const Snapshot& old) { return old.time < snapshot.time - seconds; });
}

}  // namespace horde
