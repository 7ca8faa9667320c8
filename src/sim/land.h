// The terrain under the agents as the scene tells it: heights, layers, density, and edits on a schedule.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "horde/scene.h"
#include "sim/field/density.h"
#include "sim/field/terrain.h"

namespace horde {

struct Frame;

struct Land {
    explicit Land(Terrain made) : terrain(std::move(made)) {}

    // What is to be done in a frame: an edit begins, or the stamp that it made goes.
    struct Due {
        std::int64_t frame;
        std::size_t edit;
        bool ends;
    };

    Terrain terrain;
    std::vector<std::uint8_t> layer_used;  // by layer: 1 if a group walks in it; of layer 0 always
    std::unique_ptr<Density> density;      // nothing if crowds cost nothing
    std::uint64_t density_interval = 1;    // frames
    std::vector<float> heights;            // metres, of cells; empty without
    std::vector<SceneEdit> edits;
    std::vector<StampId> stamps;  // by edit; 0: none
    std::vector<Due> due;         // ascending by frame, then edit
    std::size_t next_due = 0;
};

// The land of a scene on its map, no edit in force yet. Throws Error naming the key.
std::unique_ptr<Land> make_land(const Scene& scene, const Map& map);

// Index of the layer of that name; 0 of the empty one. Throws Error naming `key` if there is none.
int find_layer(const Scene& scene, const std::string& name, const std::string& key);

// Does the ground have heights?
bool is_hilly(const Frame& frame);
// Height of the ground under a local position inside the map, metres; 0 where the ground has none.
float height_under(const Frame& frame, float x, float y);

// Takes away a stamp that a caller made. Throws Error if there is none of that id, or an edit of the scene
// made it, which the scene takes away.
void unstamp(Land& land, StampId id);

// Puts what was edited in force: costs, the ground under the agents, and fields that are to follow.
void put_edits_in_force(Frame& frame);

}  // namespace horde
