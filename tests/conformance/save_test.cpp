// A world that is saved and loaded goes on as the one that was not, bit for bit.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "../io/scratch_folder.h"
#include "horde/error.h"
#include "horde/world.h"
#include "scenes.h"

namespace horde {
namespace {

using test::conformance_scenes;
using test::ConformanceScene;

// Counts of a report that no backend may change.
std::vector<std::int64_t> counts_of(const FrameReport& r) {
    return {static_cast<std::int64_t>(r.frame),
            r.agents,
            r.neighbours,
            r.drops,
            r.arrived,
            r.arrived_total,
            r.stuck,
            r.stranded,
            r.pushed_out,
            r.walled_in,
            r.field_repairs,
            r.field_builds,
            r.fields_waiting,
            r.spawned,
            r.spawns_dropped,
            r.sunk,
            r.far,
            r.middle,
            r.near,
            r.promotions_deferred,
            r.demotions_deferred,
            r.bodies,
            r.bodiless,
            r.contacts,
            r.not_finite,
            r.changed_behaviour,
            r.attacks,
            r.hits,
            r.damage,
            r.died,
            r.died_total,
            r.searches_cut,
            r.stunned,
            r.knocked_back,
            r.dead};
}

void expect_same_frame(const World& a, const World& b) {
    ASSERT_EQ(a.state_hash(), b.state_hash()) << "frame " << a.frame();
    ASSERT_EQ(a.frame(), b.frame());
    ASSERT_EQ(a.time(), b.time());
    ASSERT_EQ(counts_of(a.report()), counts_of(b.report())) << "frame " << a.frame();
    ASSERT_TRUE(
        std::equal(a.arrivals().begin(), a.arrivals().end(), b.arrivals().begin(), b.arrivals().end()));
    ASSERT_TRUE(std::equal(a.deaths().begin(), a.deaths().end(), b.deaths().begin(), b.deaths().end()));
    ASSERT_EQ(a.tier_events(), b.tier_events());
    ASSERT_TRUE(std::equal(a.contact_events().begin(), a.contact_events().end(), b.contact_events().begin(),
                           b.contact_events().end()));
    ASSERT_EQ(a.goal_set_count(), b.goal_set_count());
}

struct Place {
    const char* backend;
    int threads;
    int lanes;  // 0: the widest
};

World load_at(const std::string& file, const Place& place) {
    if (place.lanes > 0) setenv("HORDE_LANES", std::to_string(place.lanes).c_str(), 1);
    World world = World::load(file, {.backend = place.backend, .threads = place.threads, .grain = 7});
    unsetenv("HORDE_LANES");
    return world;
}

std::vector<Place> places() {
    std::vector<Place> all = {{"scalar", 1, 0}};
    if (backends().size() > 1) {
        all.push_back({"threads", 3, 0});
        for (const int width : lane_widths()) all.push_back({"simd", width % 3 + 1, width});
    }
    return all;
}

class Save : public testing::TestWithParam<ConformanceScene> {};

TEST_P(Save, GoesOnAsIfItHadNeverStopped) {
    const ScratchFolder folder;
    const std::string file = folder.file("world.save");
    const std::vector<Place> all = places();
    World whole(GetParam().make(), {.backend = "scalar"});
    const int frames = GetParam().frames;
    std::size_t n = 0;
    // At the start, where most goes on, and in between; by another place each time, in turn.
    for (const int at : {0, frames / 5, frames / 2 + 1, frames * 4 / 5}) {
        while (static_cast<int>(whole.frame()) < at) whole.step();
        whole.save(file);
        World going = load_at(file, all[n++ % all.size()]);
        const std::string second = folder.file("again.save");
        going.save(second);
        World other = load_at(second, all[n++ % all.size()]);
        expect_same_frame(whole, going);
        for (int k = 0; k < frames / 5; ++k) {
            whole.step();
            going.step();
            other.step();
            ASSERT_NO_FATAL_FAILURE(expect_same_frame(whole, going));
            ASSERT_NO_FATAL_FAILURE(expect_same_frame(whole, other));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Save, testing::ValuesIn(conformance_scenes()), [](const auto& info) {
    std::string name = info.param.name;
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
});

}  // namespace
}  // namespace horde
