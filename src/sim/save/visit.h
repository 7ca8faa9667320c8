// Visitors of the parts of a state: template <class Archive> void visit_PART(Archive&, WorldState&), each
// written once for writing and reading (archive.h); their files instantiate them for both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/save/archive.h"
#include "sim/save/state.h"

namespace horde {

inline constexpr std::uint64_t kAnyNumber = UINT64_MAX;

template <class Archive>
void visit_cell(Archive& a, Cell& cell, const Map& map) {
    a.below(cell.column, static_cast<std::uint64_t>(map.columns), "column");
    a.below(cell.row, static_cast<std::uint64_t>(map.rows), "row");
}

template <class Archive>
void visit_cells(Archive& a, std::vector<Cell>& cells, const Map& map) {
    a.size(cells, 8, kAnyNumber, "cells");
    for (Cell& cell : cells) visit_cell(a, cell, map);
}

template <class Archive>
void visit_point(Archive& a, Vec3& point) {
    a.value(point.x);
    a.value(point.y);
    a.value(point.z);
}

template <class Archive>
void visit_agents(Archive& a, WorldState& world);
template <class Archive>
void visit_land(Archive& a, WorldState& world);
template <class Archive>
void visit_fields(Archive& a, WorldState& world);
template <class Archive>
void visit_life(Archive& a, WorldState& world);
template <class Archive>
void visit_report(Archive& a, WorldState& world);
template <class Archive>
void visit_double(Archive& a, WorldState& world);

}  // namespace horde
