// What callers do to a world, as records of a log: one struct for each call that later frames depend on.
// Another such call is one struct, one entry at the end of Input, and one `note` where World does it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "horde/world.h"
#include "io/save/log_file.h"
#include "sim/save/archive.h"

namespace horde {

template <class Archive>
void visit_input_point(Archive& a, Vec3& p) {
    a.value(p.x);
    a.value(p.y);
    a.value(p.z);
}

template <class Archive>
void visit_input_cell(Archive& a, Cell& cell) {
    a.value(cell.column);
    a.value(cell.row);
}

template <class Archive>
void visit_input_cells(Archive& a, std::vector<Cell>& cells) {
    a.size(cells, 8, UINT64_MAX, "cells");
    for (Cell& cell : cells) visit_input_cell(a, cell);
}

// The world as it was when recording began: a whole save.
struct StartInput {
    std::string save;
    template <class Archive>
    void visit(Archive& a) {
        a.text(save, "bytes of a save");
    }
    void apply(World&) const { throw Error("a second start"); }
};

struct StepsInput {  // of the scene's dt
    std::uint32_t count = 0;
    template <class Archive>
    void visit(Archive& a) {
        a.value(count);
    }
    void apply(World& world) const {
        for (std::uint32_t n = 0; n < count; ++n) world.step();
    }
};

struct StepOfInput {
    double dt = 0.0;
    template <class Archive>
    void visit(Archive& a) {
        a.value(dt);
    }
    void apply(World& world) const { world.step(dt); }
};

// Not done to the world but found: its hash in a frame.
struct HashInput {
    std::uint64_t frame = 0;
    std::uint64_t hash = 0;
    template <class Archive>
    void visit(Archive& a) {
        a.value(frame);
        a.value(hash);
    }
    void apply(World&) const {}
};

struct EndInput {
    template <class Archive>
    void visit(Archive&) {}
    void apply(World&) const {}
};

struct SpawnInput {
    NewAgent agent;
    template <class Archive>
    void visit(Archive& a) {
        visit_input_point(a, agent.position);
        visit_input_point(a, agent.velocity);
        a.value(agent.group);
        a.value(agent.goal);
    }
    void apply(World& world) const { world.spawn(agent); }
};

struct DespawnInput {
    AgentId id = 0;
    template <class Archive>
    void visit(Archive& a) {
        a.value(id);
    }
    void apply(World& world) const { world.despawn(id); }
};

struct StampAreaInput {
    CellArea area = {};
    int cost = 0;
    template <class Archive>
    void visit(Archive& a) {
        visit_input_cell(a, area.first);
        visit_input_cell(a, area.last);
        a.value(cost);
    }
    void apply(World& world) const { world.stamp(area, cost); }
};

struct StampCellsInput {
    std::vector<Cell> cells;
    int cost = 0;
    template <class Archive>
    void visit(Archive& a) {
        visit_input_cells(a, cells);
        a.value(cost);
    }
    void apply(World& world) const { world.stamp(cells, cost); }
};

struct UnstampInput {
    StampId id = 0;
    template <class Archive>
    void visit(Archive& a) {
        a.value(id);
    }
    void apply(World& world) const { world.unstamp(id); }
};

struct SetCostInput {
    CellArea area = {};
    int cost = 0;
    template <class Archive>
    void visit(Archive& a) {
        visit_input_cell(a, area.first);
        visit_input_cell(a, area.last);
        a.value(cost);
    }
    void apply(World& world) const { world.set_cost(area, cost); }
};

struct SetGoalInput {
    std::uint64_t set = 0;
    std::vector<Cell> cells;
    template <class Archive>
    void visit(Archive& a) {
        a.value(set);
        visit_input_cells(a, cells);
    }
    void apply(World& world) const { world.set_goal(static_cast<std::size_t>(set), cells); }
};

struct FollowInput {
    std::uint64_t set = 0;
    AgentId id = 0;
    template <class Archive>
    void visit(Archive& a) {
        a.value(set);
        a.value(id);
    }
    void apply(World& world) const { world.follow(static_cast<std::size_t>(set), id); }
};

struct TeleportInput {
    AgentId id = 0;
    Vec3 position = {};
    template <class Archive>
    void visit(Archive& a) {
        a.value(id);
        visit_input_point(a, position);
    }
    void apply(World& world) const { world.teleport(id, position); }
};

struct PushInput {
    AgentId id = 0;
    Vec3 change = {};
    template <class Archive>
    void visit(Archive& a) {
        a.value(id);
        visit_input_point(a, change);
    }
    void apply(World& world) const { world.push(id, change); }
};

struct PushCircleInput {
    Vec3 centre = {};
    double radius = 0.0;
    double speed = 0.0;
    template <class Archive>
    void visit(Archive& a) {
        visit_input_point(a, centre);
        a.value(radius);
        a.value(speed);
    }
    void apply(World& world) const { world.push(centre, radius, speed); }
};

struct ViewpointsInput {
    std::vector<Vec3> points;
    template <class Archive>
    void visit(Archive& a) {
        a.size(points, 24, 1024, "viewpoints");
        for (Vec3& point : points) visit_input_point(a, point);
    }
    void apply(World& world) const { world.set_viewpoints(points); }
};

template <class Archive>
void visit_blow(Archive& a, Blow& blow) {
    a.value(blow.damage);
    a.value(blow.heal);
    a.value(blow.stun);
    visit_input_point(a, blow.knock);
    a.value(blow.knockback);
}

struct StrikeInput {
    AgentId id = 0;
    Blow blow = {};
    template <class Archive>
    void visit(Archive& a) {
        a.value(id);
        visit_blow(a, blow);
    }
    void apply(World& world) const { world.strike(id, blow); }
};

struct StrikeCircleInput {
    Vec3 centre = {};
    double radius = 0.0;
    Blow blow = {};
    int group = -1;
    template <class Archive>
    void visit(Archive& a) {
        visit_input_point(a, centre);
        a.value(radius);
        visit_blow(a, blow);
        a.value(group);
    }
    void apply(World& world) const { world.strike(centre, radius, blow, group); }
};

// The kind of a record is the place in this list: add at its end.
using Input =
    std::variant<StartInput, StepsInput, StepOfInput, HashInput, EndInput, SpawnInput, DespawnInput,
                 StampAreaInput, StampCellsInput, UnstampInput, SetCostInput, SetGoalInput, FollowInput,
                 TeleportInput, PushInput, PushCircleInput, ViewpointsInput, StrikeInput, StrikeCircleInput>;

// Writes them to a log as they come.
class Recorder {
  public:
    Recorder(const std::string& path, std::uint64_t every);

    std::uint64_t every() const { return every_; }
    void note(Input input);
    void note_step(double dt, bool of_scene);
    void note_hash(std::uint64_t frame, std::uint64_t hash);
    void finish();

  private:
    void write(Input& input);
    void write_steps();

    LogWriter log_;
    std::uint64_t every_;
    std::uint32_t steps_ = 0;  // of the scene's dt, that no record has yet
    std::string bytes_;
};

}  // namespace horde
