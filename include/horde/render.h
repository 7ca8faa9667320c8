/// What a renderer takes from a World: whom a camera sees, type by type, and instances of them to draw.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "horde/agents.h"
#include "horde/vec.h"

namespace horde {

/// Range of z / w in clip space: Vulkan, Direct3D, Metal, WebGPU and glClipControl have 0 to 1, plain OpenGL
/// has -1 to 1. Which of its ends is near is no matter (reversed depth).
enum class ClipDepth : std::uint8_t { kZeroToOne, kMinusOneToOne };

struct Camera {
    /// Column-major: the element of row r and column c is [4 * c + r]. Takes world coordinates in metres, as
    /// a column (x, y, z, 1), to clip space. Perspective or not; the far plane may be at infinity.
    std::array<double, 16> view_projection = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    ClipDepth depth = ClipDepth::kZeroToOne;
    /// With a shadow_length (metres) above 0, agents whose shadow may be in sight count as seen: those that
    /// are when moved by up to shadow_length along `light`, the way that light goes (of any length but 0).
    Vec3 light = {0.0, 0.0, -1.0};
    double shadow_length = 0.0;
};

/// The half space a * x + b * y + c * z + d >= 0; (a, b, c) has the length 1. d is the distance of the
/// origin.
struct Plane {
    double a = 0.0;
    double b = 0.0;
    double c = 0.0;
    double d = 1.0;
};

/// Left, right, bottom, top, and the two of depth, of the space that a camera sees, in world coordinates. A
/// plane of depth at infinity, or so far off that float numbers cannot tell (4 million times the near
/// distance), is {0, 0, 0, 1}: everything is inside. Throws Error for a matrix that is not finite or sees
/// nothing sideways.
std::array<Plane, 6> frustum_planes(const Camera& camera);

/// What agents of a type can cover, in metres from their position: through all frames of their animation, at
/// any heading. A box has the axes of the world.
struct TypeBounds {
    bool sphere = true;
    Vec3 centre = {};
    double radius = 2.0;  ///< of a sphere
    Vec3 half = {};       ///< of a box: half its sides
};

TypeBounds sphere_bounds(double radius, Vec3 centre = {});
/// A box given by two corners.
TypeBounds box_bounds(Vec3 min, Vec3 max);
/// The least box around what a model in [min, max] covers when it turns about the z axis of its position. Of
/// corners that are not finite, or whose z are the wrong way round, it makes a box that set_bounds refuses.
TypeBounds turning_bounds(Vec3 min, Vec3 max);

/// One agent to draw, in 16 bytes. Positions are in metres from World::origin(); in 2D, z is the height of
/// the ground.
///
/// `bits`, from the lowest:
///   0-15   heading. In 2D a turn of 65,536 units on the diamond |x| + |y| = 1, from +x toward +y (heading_of
///          decodes it); in 3D two signed bytes x / 127, y / 127 of an octahedral map.
///          An agent that stands, slower than 2^-10 of the scene's largest speed, keeps the heading that it
///          was last drawn with; +x at first.
///   16-23  type, as in the scene's [[agents]]
///   24-25  Tier; 0 without tiers
///   26-31  animation phase in 64ths of a clip, hashed from the id: the same as long as the agent lives
struct InstancePacket {
    float x, y, z;
    std::uint32_t bits;
};
static_assert(sizeof(InstancePacket) == 16);

/// The same agent as a column-major matrix from model space (x ahead, z up) to metres from World::origin().
struct InstanceMatrix {
    std::array<float, 16> m;
};
static_assert(sizeof(InstanceMatrix) == 64);

/// What the same agent is about: which clip to play, and from where.
struct InstanceState {
    float seconds;       ///< until an attack, a stun or a corpse's time ends; else 0
    CombatState combat;  ///< kFree where nobody fights
    AgentState state;
    std::uint8_t behaviour;  ///< in the order of the names of [behaviour.NAME], kNoBehaviour if none
    std::uint8_t health;     ///< 255ths of the full health, rounded up; 255 of who cannot be hurt
};
static_assert(sizeof(InstanceState) == 8);

inline int type_of(const InstancePacket& packet) {
    return static_cast<int>(packet.bits >> 16 & 0xff);
}
inline Tier tier_of(const InstancePacket& packet) {
    return static_cast<Tier>(packet.bits >> 24 & 3);
}
/// In [0, 1).
inline double phase_of(const InstancePacket& packet) {
    return static_cast<double>(packet.bits >> 26) / 64.0;
}

/// The heading as a unit vector, of a packet from a world with `dim` dimensions: what a shader does with the
/// bits.
inline Vec3 heading_of(const InstancePacket& packet, int dim) {
    double x, y, z = 0.0;
    if (dim == 2) {
        const double turn = static_cast<double>(packet.bits & 0xffff) / 16384.0;  // quarters
        x = turn < 2.0 ? 1.0 - turn : turn - 3.0;
        y = turn < 1.0 ? turn : turn < 3.0 ? 2.0 - turn : turn - 4.0;
    } else {
        x = static_cast<std::int8_t>(packet.bits & 0xff) / 127.0;
        y = static_cast<std::int8_t>(packet.bits >> 8 & 0xff) / 127.0;
        z = 1.0 - std::fabs(x) - std::fabs(y);
        if (z < 0.0) {  // the lower half is folded over the corners
            const double folded = (1.0 - std::fabs(y)) * (x < 0.0 ? -1.0 : 1.0);
            y = (1.0 - std::fabs(x)) * (y < 0.0 ? -1.0 : 1.0);
            x = folded;
        }
    }
    const double length = std::sqrt(x * x + y * y + z * z);
    return {x / length, y / length, z / length};
}

/// What a world makes for its camera in each frame, and where it puts it.
struct ViewOptions {
    bool packets = true;
    bool matrices = false;
    bool states = false;
    /// Memory of the caller, borrowed as long as the camera is set; empty: the world has its own. What does
    /// not fit is left out, from the end, and counted in FrameReport::instances_dropped.
    std::span<InstancePacket> packet_buffer = {};
    std::span<InstanceMatrix> matrix_buffer = {};
};

/// Batches of at most `size` instances (not 0) that `count` instances take: 10,000 in batches of 1,023
/// take 10.
constexpr std::size_t batch_count(std::size_t count, std::size_t size) {
    return count / size + (count % size != 0 ? 1 : 0);
}

/// Batch `n` of them: `size` instances, or what is left; nothing past the last.
template <class T>
std::span<T> batch(std::span<T> instances, std::size_t size, std::size_t n) {
    const std::size_t first = n < batch_count(instances.size(), size) ? n * size : instances.size();
    return instances.subspan(first, std::min(size, instances.size() - first));
}

}  // namespace horde
