// What the lane files see: plain structs of pointers and numbers. A lane file is compiled for one instruction
// set, and an inline function that it shared with the rest of the library could be merged by the linker in
// its version: so it includes this header, its own ones, <cstdint> and <cstring> only, and the rest of it is
// in an anonymous namespace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/field/flow_row.h"
#include "sim/grid_loops.h"

namespace horde {

// How agents push each other: not at all, as a flock (-offset / d2) or as walkers ((1 - d/R)^2 along the
// way).
enum class LanePush : std::int32_t { kNone, kFlock, kCrowd };

// A rule in lattice units. Scaling by a power of two changes no comparison and no quotient: see
// docs/decisions.
struct LaneRule {
    std::int32_t dim;
    std::int32_t velocities;  // sum velocities? Then offsets too, if anybody pushes
    LanePush push;
    float per_unit;                // of positions: units in a metre
    float velocity_per_unit;       // of velocities: units in a metre a second
    float radius2;                 // neighbours: d2 <= radius2
    float near2;                   // who pushes: d2 <= near2
    float least2;                  // pushers nearer than this count as this far away (flocks)
    float push_scale;              // from 1/distance in units to units of the push (flocks)
    float radius;                  // separation radius of a crowd
    float keep2;                   // candidates farther from the block than this are left out, metres squared
    float keep_near2;              // those farther than this push nobody in it, metres squared
    std::int32_t most_summed;      // neighbours whose sums surely fit 32 bits ...
    std::int32_t most_pushers;     // ... and pushes
    std::int32_t most_coincident;  // at distance 0, the agent among them: more want the scalar routine
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
    const float* own[3];       // positions of the block's agents, as candidates have theirs
};

inline constexpr float kMagic =
    12582912.0f;  // 1.5 * 2^23: added to a whole number below 2^22, its bits count in ones
inline constexpr int kLanePadding = 32;  // elements that columns must have beyond their size
inline constexpr int kMostBlockAgents = 32;

// A load waits for any store before it whose address ends in the same twelve bits. So that candidates are
// loaded while the sums of the last agent are still on their way to memory, columns begin at pages, and what
// is stored beside them lies in the other half of its page.
inline constexpr int kPage = 1024;  // numbers

inline constexpr int kColumn = 2 * kPage;            // from column to column
inline constexpr int kCandidateRoom = kColumn - 16;  // candidates that are copied at once

// Candidates that may be neighbours of a block's agents, in columns from `columns` on, the beginning of a
// page: first their offsets, then their velocities as bits (both three, whatever the dimension), then the
// offsets of those near enough to push. Offsets are stored as float(1.5 * 2^23 + units from the block's
// centre), velocities likewise: differences of offsets are exact, and bit patterns add up as integers.
struct LaneCandidates {
    float* columns;
    std::int64_t size;
    std::int64_t near_size;
};

inline constexpr int kOffsets = 0, kVelocities = 3 * kColumn, kNear = 6 * kColumn + kPage / 2;
inline constexpr int kCandidateNumbers = kNear + 3 * kColumn;

// Which of the candidates to sum over: multiples of the width.
struct LaneRange {
    std::int64_t first, last;
    std::int64_t first_near, last_near;
};

inline constexpr int kWaiting = 16;               // agents; a multiple of every width
inline constexpr int kPairRoom = kPage / 2 - 16;  // pairs that wait

// Agents whose neighbours are found. The lanes of their sums and the pushes of their pairs wait until there
// are sixteen of them, from any blocks, since both are worked out sixteen at a time.
struct alignas(4 * kPage) LaneWaiting {
    struct alignas(4 * kPage) Part {
        std::int32_t left_to_candidates[576];
        std::int32_t row[kWaiting * 16];  // lanes of each agent
    };
    struct alignas(4 * kPage) PairColumn {
        float left_to_candidates[kPage / 2];
        float pair[kPage / 2];
    };
    Part part[6];               // offsets, then velocities
    PairColumn pair_offset[3];  // units
    PairColumn pair_square;
    std::int32_t left_to_candidates[832];
    std::int32_t own[3][kWaiting];   // bits of its position, as candidates have theirs
    std::int32_t hits[kWaiting];     // neighbours and the agent itself
    std::int32_t push[3][kWaiting];  // of pairs that no longer wait
    std::int32_t pushers[kWaiting];
    std::int32_t coincident[kWaiting];    // at distance 0, the agent among them, if anybody pushes
    std::int32_t pair_end[kWaiting + 1];  // its pairs begin at its element and end at the next one
    std::int32_t count;
    std::int32_t pairs;
};

// Sums of the agents that waited, in whole lattice units modulo 2^32. Their own velocities are among them.
struct LaneSums {
    alignas(64) std::int32_t offset[3][kWaiting];
    alignas(64) std::int32_t velocity[3][kWaiting];
    alignas(64) std::int32_t push[3][kWaiting];
    alignas(64) std::int32_t hits[kWaiting];
};

// What turns the sums of reynolds agents into accelerations.
struct LaneFinish {
    std::int32_t dim;
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

// Sorts a list in ascending order: any machine's routine.
void sort_entries(std::uint32_t* list, std::size_t count);

struct LaneSet {
    std::int32_t width;
    const char* name;
    // The least and largest coordinates of `count` agents, 1 or more.
    void (*bounds)(std::int32_t dim, const float* const (&position)[3], std::int64_t count, float (&lo)[3],
                   float (&hi)[3]);
    // Positions of `count` agents as candidates have theirs, into own[k][0, count) and up to a vector beyond.
    void (*place)(const LaneRule& rule, const float* const (&position)[3], const float (&centre)[3],
                  std::int64_t count, float* const (&own)[3]);
    // Copies the candidates of the runs, kCandidateRoom at most, that are near enough to the block's box, and
    // pads to whole vectors.
    void (*copy)(const LaneRule& rule, const LaneBlock& block, const LaneRun* runs, std::int64_t run_count,
                 LaneCandidates& candidates);
    // Lets the block's agents [first, last) wait, with what they sum over a range of candidates; there is
    // room for them. True if one of them has more neighbours than the rule allows: its sums are wrong.
    bool (*sum)(const LaneRule& rule, const LaneBlock& block, const LaneCandidates& candidates,
                const LaneRange& range, std::int64_t first, std::int64_t last, LaneWaiting& waiting);
    // Adds up what waits; nobody waits any more.
    void (*reduce)(const LaneRule& rule, LaneWaiting& waiting, LaneSums& sums);
    // Accelerations of `count` agents from their sums and velocities, as reynolds_accel computes them.
    void (*finish)(const LaneFinish& rule, const LaneSums& sums, const float* const (&velocity)[3],
                   std::int64_t count, float* const (&accel)[3]);
    // Moves agents [0, count), as flock_velocity and the scalar move do. `outside` takes the numbers of those
    // that left the limits, of which it returns how many; they are not wrapped.
    std::int64_t (*move)(const LaneMove& rule, const LaneMotionColumns& columns, std::int64_t count,
                         std::int32_t* outside);
    FlowKernel flow;
    // Appends the list of each of the block's points to `entries`, in the order of the runs, and returns how
    // many were found. There must be room for all candidates of all points and kLanePadding more; without
    // `entries` they are counted only.
    std::int64_t (*list)(const LaneListBlock& block, const LaneRun* runs, std::int64_t run_count,
                         std::uint32_t* counts, std::uint32_t* entries);
    void (*stream)(const std::uint32_t* from, std::size_t count, std::uint32_t* to);  // past the caches
    void (*sort)(std::uint32_t* list, std::size_t count);                             // ascending
    GridLoops grid;  // null where the plain ones are as good
};

// Widths of this build that this machine can run, widest first.
int lane_set_count();
const LaneSet& lane_set(int index);

}  // namespace horde
