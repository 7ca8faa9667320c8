// Worlds to which all sorts of things are done, drawn by seed.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde::test {

// The same calls for every world that goes through the same frames: drawn from the seed, the frame and the
// agents, never from what a call returned but for the ids of stamps, which a world counts.
class Script {
  public:
    explicit Script(unsigned seed) : seed_(seed) {}

    // What is done before the step from the world's frame.
    void act(World& world) const {
        std::mt19937_64 random(seed_ * 1000003ull + world.frame());
        Snapshot rows;
        world.snapshot(rows);
        for (int calls = static_cast<int>(random() % 4); calls > 0; --calls) one(world, rows, random);
    }
    // And that step, now and then of another dt or beside the caller.
    void step(World& world) const {
        std::mt19937_64 random(seed_ * 7000003ull + world.frame());
        const bool other = random() % 5 == 0, beside = random() % 4 == 0;
        const double dt = 0.01 + 0.01 * static_cast<double>(random() % 9);
        if (beside) {
            other ? world.start_step(dt) : world.start_step();
            world.finish_step();
        } else {
            other ? world.step(dt) : world.step();
        }
    }

  private:
    static Cell cell_of(const World& world, std::mt19937_64& random) {
        const Map& map = *world.map();
        return {static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(map.columns)),
                static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(map.rows))};
    }
    static CellArea area_of(const World& world, std::mt19937_64& random) {
        const Cell first = cell_of(world, random);
        return {first,
                {std::min(first.column + static_cast<std::int32_t>(random() % 6), world.map()->columns - 1),
                 std::min(first.row + static_cast<std::int32_t>(random() % 6), world.map()->rows - 1)}};
    }
    // Some calls are refused, which is part of the game.
    template <class Call>
    static void may_be_refused(Call&& call) {
        try {
            call();
        } catch (const Error&) {
        }
    }

    static void one(World& world, const Snapshot& rows, std::mt19937_64& random) {
        const std::size_t count = rows.count();
        const std::size_t chosen = count > 0 ? random() % count : 0;
        const AgentId id = count > 0 ? rows.id[chosen] : 0;
        const Vec3 at = count > 0 ? rows.position[chosen] : Vec3{};
        const auto part = [&] { return static_cast<double>(random() % 2001) / 1000.0 - 1.0; };
        const Vec3 near{at.x + 3.0 * part(), at.y + 3.0 * part(), rows.dim == 3 ? at.z + part() : 0.0};
        switch (random() % (world.map() != nullptr ? 14 : 8)) {
            case 0:
                return may_be_refused([&] {
                    world.spawn({.position = near, .velocity = {part(), part(), 0.0}, .group = 0});
                });
            case 1:
                world.despawn(id);
                return;
            case 2:
                return may_be_refused([&] { world.teleport(id, near); });
            case 3:
                world.push(id, {2.0 * part(), 2.0 * part(), part()});
                return;
            case 4:
                world.push(near, 2.5, 4.0 * part());
                return;
            case 5:
                return world.set_viewpoints(std::vector<Vec3>(random() % 3, near));
            case 6:
                return may_be_refused([&] {
                    world.strike(id, {.damage = 30, .heal = 3, .stun = 0.2, .knock = {part(), part(), 0.0}});
                });
            case 7:
                return may_be_refused(
                    [&] { world.strike(near, 6.0, {.damage = 9, .knockback = 3.0 * part()}); });
            case 8:
                world.stamp(area_of(world, random), random() % 2 == 0 ? kWallCost : 7);
                return;
            case 9: {
                const std::vector<Cell> cells = {cell_of(world, random), cell_of(world, random)};
                world.stamp(cells, 3);
                return;
            }
            case 10:
                return may_be_refused([&] { world.unstamp(1 + random() % 9); });
            case 11:
                return world.set_cost(area_of(world, random), random() % 3 == 0 ? kWallCost : 2);
            case 12:
                return may_be_refused([&] {
                    const Cell cell = cell_of(world, random);
                    world.set_goal(random() % world.goal_set_count(), {&cell, 1});
                });
            default:
                return may_be_refused([&] { world.follow(random() % world.goal_set_count(), id); });
        }
    }

    std::uint64_t seed_;
};

// The scenes in which most can happen.
inline std::vector<ConformanceScene> eventful_scenes() {
    std::vector<ConformanceScene> all;
    for (ConformanceScene& scene : conformance_scenes()) {
        for (const char* name :
             {"living", "pursuit", "town-spawners", "town-stay-tiers", "living-bodies", "arcade-bodies-wrap",
              "spawners-3d", "hunt", "siege", "brawl", "reynolds-tiers-3d", "arcade-v1-periodic-2d"}) {
            if (scene.name == name) all.push_back(scene);
        }
    }
    all.push_back(
        {"the-hunt", 100, [] { return load_scene(std::string(kSourceDir) + "/scenes/hunt.toml"); }});
    return all;
}

}  // namespace horde::test
