// What the lane files see: plain structs of pointers and numbers. A lane file is compiled for one instruction
// set, and an inline function that it shared with the rest of the library could be merged by the linker in
// its version: so it includes this header, its own ones, <cstdint> and <cstring> only, and the rest of it is
// in an anonymous namespace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/field/flow_row.h"

namespace horde {

// Sums of one agent, in whole lattice units modulo 2^32: offsets of neighbours, their velocities (the agent's
// own among them), and, in kInLanes and kCrowd, the pushes. The offset of axis k is at [k], its velocity at
// [D + k], its push at [8 + k].
struct LaneSums {
    std::int32_t sum[16];
    std::int64_t push[3];     // of kByPair, whole
    std::int32_t push32[3];   // the same modulo 2^32
    std::int32_t hits;        // neighbours and the agent itself
    std::int32_t pushers;     // at most so many of them push
    std::int32_t coincident;  // those at distance 0, the agent among them, if they push each other
};

// How pushes are summed: not at all, pair by pair after the lanes have found who is near, or in lanes.
enum class LanePush : std::int32_t { kNone, kByPair, kInLanes, kCrowd };

// A rule in lattice units. Scaling by a power of two changes no comparison and no quotient: see
// docs/decisions.
struct LaneRule {
    std::int32_t dim;
    std::int32_t velocities;  // sum velocities?
    LanePush push;
    float per_unit;           // of positions: units in a metre
    float velocity_per_unit;  // of velocities: units in a metre a second
    float radius2;            // neighbours: d2 <= radius2
    float near2;              // who pushes (flocks): d2 <= near2, or d2 < near2
    std::int32_t near_inclusive;
    float least2;      // pushers nearer than this count as this far away
    float push_scale;  // from 1/distance in units to units of the push (flocks)
    float radius;      // separation radius of a crowd
    float keep2;       // candidates farther from the block than this are left out, metres squared
};

// A run of agents that may be neighbours, in a periodic world those of the image `shift` lengths away.
struct LaneRun {
    std::int64_t begin;
    std::int32_t count;
    std::int8_t shift[3];
    std::int8_t shifted;  // is any of them not 0?
};

// The agents of a block, and where their candidates are.
struct LaneBlock {
    const float* position[3];  // columns of all agents, metres
    const float* velocity[3];  // metres a second
    float centre[3];           // of the block, metres
    double length[3];          // of a periodic world, metres
    float half[3];             // no agent of the block is farther than this from the centre, metres
    const float* own[3];       // positions of the block's agents, units from the centre
    std::int64_t agents;
};

inline constexpr int kMostBlockAgents = 32;
inline constexpr int kLanePadding = 32;  // elements that columns must have beyond their size

// Candidates that may be neighbours of a block's agents. Offsets are stored as float(1.5 * 2^23 + units from
// the block's centre), velocities likewise: differences of offsets are exact, and bit patterns add up as
// integers.
struct LaneCandidates {
    float* offset[3];
    std::int32_t* velocity[3];
    std::uint8_t* near;  // for each agent of a block, a bit mask for each vector of candidates
    std::int64_t size;
    std::int64_t near_stride;  // bytes, room for the masks and 8 more
};

// What turns the sums of reynolds agents into accelerations.
struct LaneFinish {
    std::int32_t dim;
    std::int32_t push_in_lanes;
    float position_unit;
    float velocity_unit;
    float velocity_per_unit;
    float push_unit;
    float separation_gain;
    float cohesion_gain;
    float alignment_gain;
    float max_accel;
};

// How agents of one rule move.
enum class LaneMotion : std::int32_t { kReynolds, kArcade, kVicsek };

struct LaneMove {
    std::int32_t dim;
    LaneMotion motion;
    float dt;
    float position_unit;
    float position_per_unit;
    float velocity_unit;
    float velocity_per_unit;
    float most_change;  // of the velocity, arcade: max_force * dt
    float hold2;        // arcade: hold_speed squared
    float least[3];     // places below these or above `most` want the wrapping of their world
    float most[3];
};

// Columns of the agents that move, each from the first of them on.
struct LaneMotionColumns {
    const float* position[3];
    const float* velocity[3];
    const float* steering[3];
    const float* limit;  // speed
    float* next_position[3];
    float* next_velocity[3];
};

// Points that lie together and want lists of their neighbours. Places are as the caller gave them.
struct LaneListBlock {
    std::int32_t dim;
    float keep2;               // candidates farther from the block than this are left out, metres squared
    const float* position[3];  // columns of all points; readable kLanePadding beyond their ends
    const std::int32_t* name;  // of all points, likewise
    std::int64_t first;        // of the block's points
    std::int64_t agents;
    float lo[3], hi[3];       // their box, metres
    float centre[3];          // its middle
    float half[3];            // no point of the block is farther than this from the centre
    double length[3];         // of a periodic world, metres
    const float* radius2;     // of each of the block's points, squared
    float* place[3];          // memory for the candidates and kLanePadding more
    std::int32_t* candidate;  // their names
    std::uint8_t* seam;       // a byte for each vector of them
};

struct LaneSet {
    std::int32_t width;
    const char* name;
    // Appends the candidates of the runs that are near enough to the block's box, and pads to whole vectors.
    // Columns have room for all.
    void (*copy)(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs, std::int64_t run_count,
                 LaneCandidates& candidates);
    // Sums over candidates [first, last), multiples of the width, into out[0, block.agents).
    void (*sum)(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
                std::int64_t first, std::int64_t last, LaneSums* out);
    // Accelerations of `count` agents from their sums and velocities, as reynolds_accel computes them.
    void (*finish)(const LaneFinish& rule, const LaneSums* sums, const float* const (&velocity)[3],
                   std::int64_t count, float* const (&accel)[3]);
    // Moves agents [0, count), as flock_velocity and the scalar move do. `outside` takes the numbers of those
    // that left the limits, of which it returns how many; they are not wrapped.
    std::int64_t (*move)(const LaneMove& rule, const LaneMotionColumns& columns, std::int64_t count,
                         std::int32_t* outside);
    FlowKernel flow;
    void (*list_box)(LaneListBlock& block);  // sets lo, hi, centre and half
    // Appends the list of each of the block's points to `entries`, in the order of the runs, and returns how
    // many were found. There must be room for all candidates of all points and kLanePadding more; without
    // `entries` they are counted only.
    std::int64_t (*list)(const LaneListBlock& block, const LaneRun* runs, std::int64_t run_count,
                         std::uint32_t* counts, std::uint32_t* entries);
    void (*stream)(const std::uint32_t* from, std::size_t count, std::uint32_t* to);  // past the caches
};

// Widths of this build that this machine can run, widest first.
int lane_set_count();
const LaneSet& lane_set(int index);

}  // namespace horde
