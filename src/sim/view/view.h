// What one camera sees of a frame: the stages cull and instances, and what they keep.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "horde/render.h"
#include "horde/scene.h"

namespace horde {

struct Frame;

inline constexpr int kTypes = 256;
inline constexpr int kPlanes = 6;
inline constexpr std::uint32_t kUnseen = 0xffffffffu;

// A frustum for agents at local float positions: inside of plane p is n * x + reach >= 0, where reach has in
// it the bounds of a type, what rounding may take away and, in 2D, how high and low the ground is.
struct CullPlanes {
    float normal[3][kPlanes] = {};
    float most[kPlanes] = {};   // reach of whichever type reaches farthest, on whichever ground
    float least[kPlanes] = {};  // and least far
    bool alike = true;          // are those the same?
};

// What a chunk of agents, or of slots, found.
struct ViewChunk {
    std::array<std::int64_t, kTypes> count{};  // visible agents of each type, by place in View::types
    std::int64_t not_finite = 0;
    std::uint32_t generations = 0;  // of visible agents, or-ed
};

struct View {
    bool on = false;
    Camera camera;
    ViewOptions options;
    std::array<TypeBounds, kTypes> bounds;
    std::vector<std::uint8_t> types;           // those of the scene's groups, ascending
    std::array<std::uint8_t, kTypes> place{};  // of a type in `types`

    bool knows_ground = false;
    float low = 0.0f;  // the ground is between these, metres
    float high = 0.0f;

    CullPlanes planes;
    std::vector<std::array<float, kPlanes>> reach;  // by place of a type, at height 0
    std::vector<std::uint32_t> index_at;            // by slot: where the agent is, or kUnseen
    std::vector<ViewChunk> chunks;
    std::vector<std::uint32_t> index;  // visible agents, type after type, each in order of id
    std::vector<AgentId> id;           // the same
    std::vector<std::int64_t> first;   // of a type's, by its place; one more for the end
    std::vector<std::uint32_t> spare_index;
    std::vector<AgentId> spare_id;

    std::vector<std::uint32_t> heading;  // by slot, as last drawn; above it 16 bits of the generation
    std::vector<InstancePacket> packets;
    std::vector<InstanceMatrix> matrices;
    std::vector<InstanceState> states;
};

// Bounds of each type from the scene's groups. Throws Error where two groups of a type differ.
void set_up_view(View& view, const Scene& scene);

// Throws Error for a camera or bounds that cannot be; the next cull uses them.
void set_camera(Frame& frame, const Camera& camera, const ViewOptions& options);
void set_bounds(Frame& frame, int type, const TypeBounds& bounds);

// Empties the lists until the next cull.
void forget_visible(Frame& frame);

// The part of `all`, laid out as View::index is, that is of this type; empty for types that no group has.
template <class T>
std::span<const T> of_type(const View& view, std::span<const T> all, int type) {
    if (!view.on || type < 0 || type >= kTypes || view.first.empty()) return {};
    const std::size_t place = view.place[static_cast<std::size_t>(type)];
    if (place >= view.types.size() || view.types[place] != type) return {};
    const std::size_t begin = std::min(static_cast<std::size_t>(view.first[place]), all.size());
    const std::size_t end = std::min(static_cast<std::size_t>(view.first[place + 1]), all.size());
    return all.subspan(begin, end - begin);
}

}  // namespace horde
