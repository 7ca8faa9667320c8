// A World as a file and back.
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/save/save_file.h"
#include "io/scene_saved.h"
#include "sim/save/state.h"
#include "world_impl.h"

namespace horde {
namespace {

// What a save says of itself before its state.
struct SaveHead {
    bool in_double = false;
    Vec3 origin;
    std::string name;
    std::string folder;
    std::uint64_t frame = 0;
    std::int64_t agents = 0;
    std::uint64_t hash = 0;
};

template <class Archive>
void visit_head(Archive& a, SaveHead& head) {
    a.value(head.in_double);
    a.value(head.origin.x);
    a.value(head.origin.y);
    a.value(head.origin.z);
    a.text(head.name, "letters of a name");
    a.text(head.folder, "letters of a folder");
    a.value(head.frame);
    a.value(head.agents);
    a.value(head.hash);
}

template <class Archive>
void visit_map(Archive& a, std::optional<Map>& map, std::vector<float>& heights) {
    bool has_map = map.has_value();
    a.value(has_map);
    if (!has_map) return;
    if (!map) map.emplace();
    a.below(map->columns, kMaxMapSide + 1, "columns");
    a.below(map->rows, kMaxMapSide + 1, "rows");
    a.value(map->cell_size);
    if (map->columns == 0 || map->rows == 0) throw Error("the map has no cells");
    const std::size_t cells = static_cast<std::size_t>(map->columns) * static_cast<std::size_t>(map->rows);
    a.size(map->cost, 1, cells, "cells");
    if (map->cost.size() != cells) throw Error("the map has no cost for each cell");
    a.array(map->cost.data(), cells);
    a.size(heights, sizeof(float), cells, "heights");
    a.array(heights.data(), heights.size());
}

template <class Visit>
SavePart part_of(const char* name, Visit&& visit) {
    SavePart part{name, {}};
    StateWriter writer(part.bytes);
    visit(writer);
    return part;
}

template <class Visit>
void read_part(const SaveView& save, const char* name, Visit&& visit) {
    try {
        StateReader reader(save.part(name));
        visit(reader);
        if (!reader.is_done()) throw Error("bytes are left over");
    } catch (const Error& error) {
        throw Error("part \"" + std::string(name) + "\": " + error.what());
    }
}

// The text of the scene, which must read back: a program may have put anything into its names.
std::string scene_text(const Scene& scene) {
    Scene saved = scene;
    saved.map.rows.clear();  // the map itself is saved
    std::string text = write_saved_scene(saved);
    try {
        parse_saved_scene(text, "save");
    } catch (const Error& error) {
        throw Error(std::string("the scene cannot be saved: ") + error.what());
    }
    return text;
}

}  // namespace

std::string World::Impl::to_bytes() {
    SaveHead head{.in_double = in_double != nullptr,
                  .origin = frame.params.origin,
                  .name = scene.name,
                  .folder = scene.folder,
                  .frame = frame.number,
                  .agents = frame.agents.count,
                  .hash = hash()};
    std::optional<Map> map;
    std::vector<float> heights;
    if (frame.land) {
        map = frame.land->terrain.start_map();
        heights = frame.land->heights;
    }
    std::vector<SavePart> parts;
    parts.push_back(part_of("head", [&](StateWriter& writer) { visit_head(writer, head); }));
    parts.push_back({"scene", scene_text(scene)});
    parts.push_back(part_of("map", [&](StateWriter& writer) { visit_map(writer, map, heights); }));
    WorldState state{frame, in_double.get(), other_time, scene_steps};
    for (const StatePart& part : state_parts())
        parts.push_back(part_of(part.name, [&](StateWriter& writer) { part.write(writer, state); }));
    return save_bytes(parts, version());
}

// The file names its map; what the world is made with is the map that is in it.
static Scene scene_of(const SaveView& save, const SaveHead& head) {
    Scene scene = parse_saved_scene(std::string(save.part("scene")), "part \"scene\"");
    scene.name = head.name;
    scene.folder = head.folder;
    read_part(save, "map",
              [&](StateReader& reader) { visit_map(reader, scene.given_map, scene.given_heights); });
    const bool names_map = !scene.map.file.empty() || !scene.map.generate.empty();
    if (names_map && !scene.given_map) throw Error("part \"map\": the map of the scene is missing");
    return scene;
}

std::unique_ptr<World::Impl> World::Impl::from_bytes(std::string_view bytes, const std::string& name,
                                                     const WorldOptions& options) {
    const SaveView save = parse_save(bytes, name);
    auto made = std::make_unique<Impl>();
    try {
        SaveHead head;
        read_part(save, "head", [&](StateReader& reader) { visit_head(reader, head); });
        Scene scene = scene_of(save, head);
        const std::optional<Vec3> own_origin = std::exchange(scene.world.origin, head.origin);
        WorldOptions chosen = options;
        chosen.precision = head.in_double ? Precision::kDouble : Precision::kFloat;
        made->set_up(scene, chosen, true);
        made->scene.world.origin = own_origin;
        WorldState state{made->frame, nullptr, made->other_time, made->scene_steps};
        for (const StatePart& part : state_parts()) {
            if (part.needs_double && head.in_double) {
                made->in_double =
                    std::make_unique<DoubleFlock>(make_double_flock(scene, made->frame, nullptr));
                state.in_double = made->in_double.get();
            }
            read_part(save, part.name, [&](StateReader& reader) { part.read(reader, state); });
        }
        made->frame.report.agents = made->frame.agents.count;
        made->frame.report.capacity = capacity_of(made->frame.agents);
        if (made->hash() != head.hash) {
            throw Error("its state has hash " + std::to_string(made->hash()) + " here, but had " +
                        std::to_string(head.hash) + " where horde " + save.library +
                        " saved it; use that version");
        }
    } catch (const Error& error) {
        throw Error(name + ": " + error.what());
    }
    return made;
}

void World::save(const std::string& path) const {
    impl_->require_rest();
    const FloatMode mode;
    write_durably(path, impl_->to_bytes());
}

World World::load(const std::string& path, const WorldOptions& options) {
    if (options.start != nullptr)
        throw Error("load: a start is given, but the agents are those of " + path +
                    "; leave one of them out");
    return load_bytes(read_bytes(path), path, options);
}

std::string newest_save(const std::string& path) {
    std::string newest, problem;
    std::pair<std::filesystem::file_time_type, std::uint64_t> best;
    for (const std::string& candidate : {path, path + ".0", path + ".1"}) {
        std::error_code none;
        if (!std::filesystem::exists(candidate, none)) continue;
        try {
            const std::string bytes = read_bytes(candidate);
            const SaveView save = parse_save(bytes, candidate);
            SaveHead head;
            read_part(save, "head", [&](StateReader& reader) { visit_head(reader, head); });
            // Two within a tick of the file system's clock are told apart by their frames.
            const std::pair written{std::filesystem::last_write_time(candidate, none), head.frame};
            if (!newest.empty() && written <= best) continue;
            newest = candidate;
            best = written;
        } catch (const Error& error) {
            if (problem.empty()) problem = error.what();
        }
    }
    if (!newest.empty()) return newest;
    if (!problem.empty()) throw Error(problem);
    throw Error("cannot read " + path + ": there is no such file, nor " + path + ".0 or " + path +
                ".1; give a save or where checkpoints were written");
}

World load_bytes(std::string_view bytes, const std::string& name, const WorldOptions& options) {
    const FloatMode mode;
    return World(World::Impl::from_bytes(bytes, name, options));
}

}  // namespace horde
