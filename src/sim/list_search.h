// Neighbour lists of a stretch of points, in the order of the grid: the work that `Neighbours::lists` hands
// out, one stretch at a time, to the scalar routine or to lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "sim/grid.h"

namespace horde {

// What the lists are searched in and by. Borrowed; passed by reference to many threads.
struct ListSearch {
    GridView grid;
    int dim = 2;
    const float* position[3] = {};  // of the points, in the order of the grid; room for kListPadding more
    const std::uint32_t* name = nullptr;  // what entries call a point, all different; likewise
    float radius = 0.0f;
    const float* radius_of = nullptr;  // in the order of the grid, instead of `radius`
    bool count_only = false;           // no entries are wanted
};

inline constexpr std::size_t kListPadding = 32;

// The lists of one stretch, and memory that its maker keeps.
struct ListPart {
    std::vector<std::uint32_t> entries;  // `used` of them mean something
    std::size_t used = 0;
    std::vector<std::uint32_t> counts;  // of each point
    std::int64_t candidates = 0;

    std::vector<std::uint32_t> columns;
    std::vector<std::uint8_t> seam;

    // Room for `more` entries behind those used.
    std::uint32_t* room(std::size_t more) {
        if (used + more > entries.size()) entries.resize((used + more) * 3 / 2);
        return entries.data() + used;
    }
};

// Fills `part` with the lists of points [begin, end) of the grid's order; each in ascending grid order, the
// point itself left out.
using ListKernel = void (*)(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part);

// Any machine's, and the slow twin of the others.
void list_stretch(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part);
// The same, appended for a few points.
void append_lists(const ListSearch& search, std::int64_t begin, std::int64_t end, ListPart& part);

// Copies by way of the caches.
void copy_entries(const std::uint32_t* from, std::size_t count, std::uint32_t* to);

void sort_entries(std::uint32_t* list, std::size_t count);

// What a backend ("auto" too) means here. Throws Error as World does for names, threads and HORDE_LANES that
// cannot be. Defined where the backends are known: world.cpp.
struct ListBackend {
    std::string name;
    ListKernel kernel = nullptr;
    // Copies entries that nobody reads soon.
    void (*stream)(const std::uint32_t* from, std::size_t count, std::uint32_t* to) = nullptr;
    void (*sort)(std::uint32_t* list, std::size_t count) = nullptr;  // ascending
    GridLoops grid = plain_grid_loops();
    std::unique_ptr<Executor> executor;
};
ListBackend choose_list_backend(const std::string& backend, int threads);

}  // namespace horde
