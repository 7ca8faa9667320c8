/// A store of fields under a random script of edits and moving goals.
#pragma once

#include <random>
#include <vector>

#include "field_maps.h"
#include "sim/field/store.h"
#include "sim/field/terrain.h"

namespace horde::test {

/// A terrain of two layers, the second with clearance, and three goal sets over it.
struct StoreWorld {
    StoreWorld(std::uint32_t seed, FieldStoreSettings settings, Background* background)
        : random(seed), terrain(random_map(random, 40, 30, 12, 3), {}, layer_rules()) {
        std::vector<FieldStore::Goals> sets;
        for (int s = 0; s < 3; ++s) sets.push_back(random_goals(random, map(0), 2));
        const std::vector<std::uint8_t> used = {1, 1};
        store.set_up(settings, layers(), used, std::move(sets), false, background);
    }

    static std::vector<LayerRule> layer_rules() {
        LayerRule wide;
        wide.name = "wide";
        wide.clearance = 1;
        return {wide};
    }

    const Map& map(int layer) const { return terrain.layer(layer).costs->map; }
    std::vector<LayerCosts> layers() const { return {terrain.layer(0), terrain.layer(1)}; }

    /// Edits and goals of the frame, by chance, then the frame's update.
    FieldCounts step() {
        if (random() % 3 == 0) {
            const auto column = static_cast<std::int32_t>(random() % 38);
            const auto row = static_cast<std::int32_t>(random() % 28);
            const CellArea area{{column, row}, {column + 2, row + 2}};
            if (random() % 3 == 0)
                terrain.set_cost(area, static_cast<int>(random() % 3 + 1));
            else
                stamps.push_back(terrain.stamp(area, random() % 2 == 0 ? kWallCost : 7));
        }
        if (!stamps.empty() && random() % 5 == 0) {
            terrain.unstamp(stamps.front());
            stamps.erase(stamps.begin());
        }
        if (random() % 7 == 0) store.set_goals(random() % 3, random_goals(random, map(0), 1 + random() % 2));
        terrain.commit();
        return store.update(frame++, layers());
    }

    std::mt19937 random;
    Terrain terrain;
    FieldStore store;
    std::vector<StampId> stamps;
    std::uint64_t frame = 0;
};

/// Does each task at once.
class EagerBackground final : public Background {
  public:
    int workers() const override { return 1; }
    void start(Task& task) override { task.run(0); }
    bool finish(Task&) override { return true; }
};

/// Does each task when it is waited for.
class LazyBackground final : public Background {
  public:
    int workers() const override { return 1; }
    void start(Task&) override {}
    bool finish(Task& task) override {
        task.run(1);
        return false;
    }
};

}  // namespace horde::test
