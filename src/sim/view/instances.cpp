// What is drawn of the agents in sight: packets of 16 bytes, or matrices, in the order of the lists.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/frame.h"

namespace horde {
namespace {

// Who moves by less, in units of the velocity lattice, stands for whoever looks: what is left of the speed of
// a walker that stops is a unit or two, and points anywhere.
constexpr float kStanding = 256.0f;

constexpr std::int64_t kBlock = 128;  // instances

// Instances that are made together, so that the compiler can vectorise what does not depend on the id.
struct Block {
    float position[3][kBlock] = {};
    float velocity[3][kBlock] = {};
    std::int32_t heading[kBlock];  // bits as in InstancePacket, or -1: it stands
};

template <int D>
void gather(const Frame& frame, const std::uint32_t* index, std::int64_t count, Block& block) {
    const Agents& agents = frame.agents;
    for (int k = 0; k < D; ++k) {
        const float* position = agents.position[k].now.data();
        const float* velocity = agents.velocity[k].now.data();
        for (std::int64_t n = 0; n < count; ++n) {
            block.position[k][n] = position[index[n]];
            block.velocity[k][n] = velocity[index[n]];
        }
    }
    if (D == 3 || !is_hilly(frame)) return;
    for (std::int64_t n = 0; n < count; ++n)
        block.position[2][n] = height_under(frame, block.position[0][n], block.position[1][n]);
}

// Compilers vectorise arithmetic on the bits of floats, not choices between them.
std::int32_t bits_of(float v) {
    return std::bit_cast<std::int32_t>(v);
}
float float_of(std::int32_t bits) {
    return std::bit_cast<float>(bits);
}

// Who moves by less than `least` (sum of the components) stands.
void find_headings_in_plane(Block& block, std::int64_t count, float least) {
    constexpr std::int32_t kSign = std::numeric_limits<std::int32_t>::min();
    const std::int32_t least_bits = bits_of(least), two = bits_of(2.0f), four = bits_of(4.0f);
    for (std::int64_t n = 0; n < count; ++n) {
        const float x = block.velocity[0][n], y = block.velocity[1][n];
        const std::int32_t size = bits_of(std::fabs(x) + std::fabs(y));
        const float part = y / float_of(std::max(size, least_bits));
        const std::int32_t stands = (size - least_bits) >> 31;  // all bits if it does
        const std::int32_t back = bits_of(x) >> 31;  // all bits where x < 0: then 2 - part, else 4 + part
        const float turn = float_of((two & back) | (four & ~back)) + float_of(bits_of(part) ^ (back & kSign));
        const std::int32_t heading = static_cast<std::int32_t>(turn * 16384.0f + 0.5f) & 0xffff;
        block.heading[n] = heading | stands;
    }
}

void find_headings_in_space(Block& block, std::int64_t count, float least) {
    const auto byte = [](float u) { return static_cast<std::int32_t>(round_to_even(u * 127.0f)) & 0xff; };
    for (std::int64_t n = 0; n < count; ++n) {
        const float vx = block.velocity[0][n], vy = block.velocity[1][n], vz = block.velocity[2][n];
        const float size = std::fabs(vx) + std::fabs(vy) + std::fabs(vz);
        const bool stands = !(size >= least);
        const float whole = stands ? 1.0f : size;
        const float x = vx / whole, y = vy / whole;
        const float folded_x = (1.0f - std::fabs(y)) * (x < 0.0f ? -1.0f : 1.0f);
        const float folded_y = (1.0f - std::fabs(x)) * (y < 0.0f ? -1.0f : 1.0f);
        const std::int32_t bits = byte(vz < 0.0f ? folded_x : x) | byte(vz < 0.0f ? folded_y : y) << 8;
        block.heading[n] = stands ? -1 : bits;
    }
}

// What to draw of an agent whose slot was last drawn with `drawn`, which is brought up to date: its heading
// of now, else the one that it had, else `first`.
std::uint32_t kept_heading(std::uint32_t& drawn, AgentId id, std::int32_t now, std::uint32_t first) {
    const auto owner = static_cast<std::uint32_t>(id >> 32) << 16;
    if (now >= 0) {
        drawn = owner | static_cast<std::uint32_t>(now);
    } else if ((drawn & 0xffff0000u) != owner) {
        drawn = owner | first;
    }
    return drawn & 0xffff;
}

// Model space has x ahead and z up; who looks straight up or down has y to the left of the world's x.
template <int D>
InstanceMatrix matrix_of(Vec<3> position, Vec<3> ahead) {
    Vec<3> left{{-ahead[1], ahead[0], 0.0f}};
    if constexpr (D == 2) {
        return {{ahead[0], ahead[1], 0.0f, 0.0f, left[0], left[1], 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f,
                 position[0], position[1], position[2], 1.0f}};
    }
    float length = std::sqrt(dot(left, left));
    if (!(length > 1e-6f)) {
        left = {{0.0f, 1.0f, 0.0f}};
        length = 1.0f;
    }
    for (int k = 0; k < 3; ++k) left[k] = left[k] / length;
    const Vec<3> up{{ahead[1] * left[2] - ahead[2] * left[1], ahead[2] * left[0] - ahead[0] * left[2],
                     ahead[0] * left[1] - ahead[1] * left[0]}};
    return {{ahead[0], ahead[1], ahead[2], 0.0f, left[0], left[1], left[2], 0.0f, up[0], up[1], up[2], 0.0f,
             position[0], position[1], position[2], 1.0f}};
}

// Phases of ids that follow each other lie a golden section apart, so that a group is spread evenly.
std::uint32_t phase_bits(AgentId id) {
    return static_cast<std::uint32_t>(id * 0x9e3779b97f4a7c15u >> 58);
}

struct Outputs {
    std::span<InstancePacket> packets;
    std::span<InstanceMatrix> matrices;
    std::span<InstanceState> states;
};

// What agent i is about.
InstanceState state_of(const Frame& frame, std::uint32_t i) {
    const Agents& agents = frame.agents;
    const Group& group = frame.params.groups[agents.group.now[i]];
    InstanceState state{0.0f, CombatState::kFree, agents.state.now[i], group.behaviour, 255};
    if (!agents.has_combat) return state;
    state.combat = agents.combat.now[i];
    const bool timed = state.combat == CombatState::kAttacking || state.combat == CombatState::kStunned ||
                       state.combat == CombatState::kDead;
    if (timed && agents.until.now[i] > frame.clock)
        state.seconds = static_cast<float>(static_cast<double>(agents.until.now[i] - frame.clock) / kTicks);
    const std::int64_t full = group.combat.health;
    if (full > 0) state.health = static_cast<std::uint8_t>((agents.health.now[i] * 255ll + full - 1) / full);
    return state;
}

// Which way the matrix of a packet looks: along its velocity, or as it is drawn if it stands.
template <int D>
Vec<3> ahead_of(const Block& block, std::int64_t n, const InstancePacket& packet) {
    if (block.heading[n] < 0) {
        const Vec3 kept = heading_of(packet, D);
        return {{static_cast<float>(kept.x), static_cast<float>(kept.y), static_cast<float>(kept.z)}};
    }
    const Vec<3> velocity{{block.velocity[0][n], block.velocity[1][n], block.velocity[2][n]}};
    return velocity / norm(velocity);
}

// Instances [begin, end) of the lists, all of one type.
template <int D>
void write_instances(Frame& frame, const Outputs& out, std::uint32_t type, std::int64_t begin,
                     std::int64_t end) {
    View& view = frame.view;
    const Agents& agents = frame.agents;
    const std::uint8_t* tier_of = agents.has_tiers ? agents.tier.now.data() : nullptr;
    const float standing = kStanding * frame.params.velocity.unit;
    Block block;
    for (std::int64_t first = begin; first < end; first += kBlock) {
        const std::int64_t count = std::min(kBlock, end - first);
        const std::uint32_t* index = view.index.data() + first;
        gather<D>(frame, index, count, block);
        D == 2 ? find_headings_in_plane(block, count, standing)
               : find_headings_in_space(block, count, standing);
        for (std::int64_t n = 0; n < count; ++n) {
            const auto at = static_cast<std::size_t>(first + n);
            const AgentId id = view.id[at];
            const std::uint32_t heading = kept_heading(view.heading[static_cast<std::uint32_t>(id)], id,
                                                       block.heading[n], D == 2 ? 0 : 127);
            const std::uint32_t tier = tier_of != nullptr ? tier_of[index[n]] & kTierBits : 0u;
            const InstancePacket packet{block.position[0][n], block.position[1][n], block.position[2][n],
                                        heading | type << 16 | tier << 24 | phase_bits(id) << 26};
            if (at < out.packets.size()) out.packets[at] = packet;
            if (at < out.states.size()) out.states[at] = state_of(frame, index[n]);
            if (at >= out.matrices.size()) continue;
            const Vec<3> ahead = ahead_of<D>(block, n, packet);
            out.matrices[at] = matrix_of<D>({{packet.x, packet.y, packet.z}}, ahead);
        }
    }
}

// Where instances go: to the caller's memory or to the world's own, which grows with the agents.
template <class T>
std::span<T> output(bool wanted, std::span<T> given, std::vector<T>& own, const Frame& frame,
                    std::int64_t& dropped) {
    if (!wanted) return {};
    const auto count = static_cast<std::size_t>(frame.view.first.back());
    if (given.empty()) {
        if (own.size() < count) own.resize(std::max(count, frame.agents.id.now.size()));
        return {own.data(), count};
    }
    dropped += static_cast<std::int64_t>(count - std::min(count, given.size()));
    return given.first(std::min(count, given.size()));
}

}  // namespace

void instances_stage(Frame& frame) {
    View& view = frame.view;
    const std::size_t slots = frame.agents.generation.size();
    // The code of +x: 0 in 2D, (127, 0) in 3D.
    if (view.heading.size() < slots) {
        view.heading.resize(std::max(slots, frame.agents.id.now.size()), frame.agents.dim == 2 ? 0 : 127);
    }
    std::int64_t dropped = 0;
    const Outputs out{
        output(view.options.packets, view.options.packet_buffer, view.packets, frame, dropped),
        output(view.options.matrices, view.options.matrix_buffer, view.matrices, frame, dropped),
        output(view.options.states, {}, view.states, frame, dropped)};
    frame.report.instances_dropped = dropped;
    for (std::size_t t = 0; t < view.types.size(); ++t) {
        const std::int64_t first = view.first[t], count = view.first[t + 1] - first;
        frame.executor->for_chunks(
            count, frame.executor->grain(count), [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                frame.params.dim == 2
                    ? write_instances<2>(frame, out, view.types[t], first + begin, first + end)
                    : write_instances<3>(frame, out, view.types[t], first + begin, first + end);
            });
    }
}

}  // namespace horde
