// Flocks in double precision, made to meet published references: neighbours are summed in ascending id across
// all cells, with NumPy's operations in NumPy's order. No lattice, no map; slower than the float world and
// simpler.
#pragma once

#include <cstdint>
#include <vector>

#include "base/executor.h"
#include "sim/frame.h"

namespace horde {

// Agents in ascending id; the index of a row never changes, since none come or go.
struct DoubleFlock {
    int dim = 2;
    std::vector<FlockParams<double>> groups;
    std::vector<AgentId> id;
    std::vector<std::uint8_t> group;
    std::vector<double> limit;        // m/s, own speed limit
    std::vector<double> position[3];  // world coordinates: no origin is taken off
    std::vector<double> velocity[3];
    std::vector<double> accel[3];
    std::vector<double> kept[3];
    Periodic periodic;
    Periodic wrap;
    Search search = Search::kAuto;
    std::int64_t brute_below = 0;
    Grid grid;
    std::vector<std::uint32_t> row_at;  // row of each place in the order of the grid
};

// The flock of a scene whose float world has just been spawned, from `start` if that is not nullptr: then its
// positions and velocities are taken to the last bit. Throws Error for a map or a rule that double has not.
DoubleFlock make_double_flock(const Scene& scene, const Frame& frame, const Snapshot* start);

// Positions and velocities over those of the float world, whose rows are the same agents.
void write_rows(const DoubleFlock& flock, Snapshot& out);

VerifyReport verify_double(const DoubleFlock& flock, const Frame& frame);

// One frame: grid, steer and move, timed and counted in `report`.
void step_double(DoubleFlock& flock, std::uint64_t seed, std::uint64_t frame, double dt, Executor& executor,
                 FrameReport& report);

std::uint64_t state_hash(const DoubleFlock& flock, std::uint64_t seed, std::uint64_t frame);

}  // namespace horde
