// Saves and logs for the fuzzer. Their checksums refuse nearly every change at once, so what was changed is
// given fitting ones first, and a state its hash: then all behind them is met too.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "../io/scratch_folder.h"
#include "base/random.h"
#include "horde/error.h"
#include "horde/world.h"
#include "io/save/log_file.h"
#include "io/save/save_file.h"
#include "readers.h"

namespace horde::test {
namespace {

constexpr std::size_t kHeadBytes = 40;   // of a save and of a log
constexpr std::size_t kEntryBytes = 32;  // of a save, for each part
constexpr std::size_t kRecordHead = 16;  // of a log

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t x = 0;
    for (std::size_t k = 0; k < count; ++k)
        x |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[at + k])) << (8 * k);
    return x;
}

void put_at(std::string& bytes, std::size_t at, std::uint64_t x, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) bytes[at + k] = static_cast<char>(x >> (8 * k) & 0xff);
}

// The save with lengths and checksums that fit what follows its table; the last part takes what is left.
std::string sealed_save(std::string bytes) {
    if (bytes.size() < kHeadBytes) return bytes;
    const std::uint64_t count = number_at(bytes, 12, 4);
    const std::uint64_t table_end = kHeadBytes + count * kEntryBytes;
    if (count == 0 || table_end + 8 > bytes.size()) return bytes;
    put_at(bytes, 32, bytes.size(), 8);
    std::size_t at = static_cast<std::size_t>(table_end) + 8;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t entry = kHeadBytes + k * kEntryBytes;
        const std::uint64_t left = bytes.size() - at;
        const std::uint64_t size = k + 1 == count ? left : std::min(number_at(bytes, entry + 16, 8), left);
        put_at(bytes, entry + 16, size, 8);
        put_at(bytes, entry + 24, checksum(std::string_view(bytes).substr(at, size)), 8);
        at += static_cast<std::size_t>(size);
    }
    const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, table_end));
    put_at(bytes, static_cast<std::size_t>(table_end), sum, 8);
    return bytes;
}

// With the hash that an error found, at the end of the first part.
std::string with_hash(std::string bytes, std::string_view error) {
    const std::string_view before = "its state has hash ";
    const std::size_t begin = error.find(before);
    if (begin == std::string_view::npos || bytes.size() < kHeadBytes + kEntryBytes) return bytes;
    const std::size_t at =
        kHeadBytes + number_at(bytes, 12, 4) * kEntryBytes + 8 + number_at(bytes, kHeadBytes + 16, 8);
    if (at < 8 || at > bytes.size()) return bytes;
    put_at(bytes, at - 8, std::stoull(std::string(error.substr(begin + before.size()))), 8);
    return sealed_save(bytes);
}

// The log with checksums that fit; records end where a length leads out of it. Few steps at a time.
std::string sealed_log(const std::string& bytes) {
    if (bytes.size() < kHeadBytes) return bytes;
    std::string out = bytes.substr(0, kHeadBytes);
    std::uint64_t sum = checksum(std::string_view(out).substr(0, kHeadBytes - 8));
    put_at(out, kHeadBytes - 8, sum, 8);
    for (std::size_t at = kHeadBytes; at + kRecordHead + 8 <= bytes.size();) {
        const std::uint64_t length =
            std::min<std::uint64_t>(number_at(bytes, at, 8), bytes.size() - at - kRecordHead - 8);
        const auto kind = static_cast<std::uint8_t>(bytes[at + 8]);
        std::string record = bytes.substr(at + kRecordHead, static_cast<std::size_t>(length));
        if (kind == 1 && record.size() == 4) put_at(record, 0, number_at(record, 0, 4) % 4, 4);
        std::string head(kRecordHead, '\0');
        put_at(head, 0, length, 8);
        put_at(head, 8, kind, 1);
        put_at(head, 9, mix64(mix64(length), kind) >> 8, 7);
        sum = mix64(mix64(mix64(sum, length), kind), checksum(record));
        out += head + record + std::string(8, '\0');
        put_at(out, out.size() - 8, sum, 8);
        at += kRecordHead + static_cast<std::size_t>(length) + 8;
    }
    return out;
}

std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Scenes whose steps would take long are not stepped: that is what they ask for.
bool is_small(const Scene& scene) {
    double rate = 0.0;
    for (const SceneSpawner& spawner : scene.spawners) rate += spawner.rate;
    return rate <= 1000.0 && scene.world.dt <= 1.0;
}

void load_and_step(const std::string& path) {
    World world = World::load(path, {.backend = "scalar"});
    if (!is_small(world.scene()) || world.agent_count() > 500) return;
    for (int n = 0; n < 3; ++n) world.step();
}

Scene town() {
    Scene scene;
    scene.map.rows = {"..@.....", ".1@9....", "........", "...@@...", "........"};
    scene.terrain.hills = 1.0;
    scene.terrain.density_gain = 1.0;
    scene.terrain.density_interval = 2;
    scene.field.snap_goals = true;
    scene.field.goal_sets = {{{0, 0}}, {{6, 1}, {7, 2}}};
    scene.field.field_cells_per_frame = 10;
    scene.layers = {{.name = "w", .clearance = 0.6}};
    scene.agents = {{.count = 4, .goal = "0"}, {.count = 2, .goal = "1", .layer = "w"}};
    scene.edits = {{.frame = 1, .cells = CellArea{{4, 1}, {4, 2}}, .until = 9}};
    scene.tiers.viewpoints = {{2.0, 2.0}};
    scene.bodies.physics = Physics::kNear;
    SceneSpawner spawner;
    spawner.rate = 5.0;
    scene.spawners = {spawner};
    return scene;
}

Scene flock() {
    Scene scene;
    scene.world.dim = 3;
    scene.world.edge = Edge::kPeriodic;
    scene.world.bounds = Bounds{{0.0, 0.0, 0.0}, {5.0, 5.0, 5.0}};
    scene.agents = {{.count = 5, .rule = "rule", .spawn = SpawnArea::kBox, .start_speed = 1.0}};
    ReynoldsRule rule;
    rule.perception_radius = 2.0;
    rule.update_every = 2;
    scene.rules["rule"] = rule;
    return scene;
}

}  // namespace

void read_save(const std::string& path) {
    try {
        return load_and_step(path);
    } catch (const Error& error) {
        const std::string text = error.what();
        if (text.find("damaged") == std::string::npos && text.find("cut off") == std::string::npos) throw;
    }
    const std::string sealed = sealed_save(text_of(path));
    write_text(path, sealed);
    try {
        return load_and_step(path);
    } catch (const Error& error) {
        const std::string hashed = with_hash(sealed, error.what());
        if (hashed == sealed) throw;
        write_text(path, hashed);
    }
    load_and_step(path);
}

void read_log(const std::string& path) {
    const std::string sealed = sealed_log(text_of(path));
    write_text(path, sealed);
    replay(path, {.backend = "scalar"});
}

std::vector<std::string> save_seeds() {
    const ScratchFolder folder;
    std::vector<std::string> seeds;
    for (const Scene& scene : {town(), flock()}) {
        World world(scene, {.backend = "scalar"});
        for (int n = 0; n < 4; ++n) world.step();
        Snapshot rows;
        world.snapshot(rows);
        world.push(rows.id[0], {0.5, 0.0, 0.0});
        if (world.map() != nullptr) {
            world.stamp(CellArea{{1, 2}, {2, 2}});
            world.step();
            world.stamp(CellArea{{5, 0}, {6, 1}}, 3);
            world.set_cost(CellArea{{0, 4}, {1, 4}}, 2);
            world.follow(1, rows.id[0]);
        }
        world.save(folder.file("a.save"));
        seeds.push_back(folder.read("a.save"));
    }
    World twice(flock(), {.backend = "scalar", .precision = Precision::kDouble});
    twice.save(folder.file("a.save"));
    seeds.push_back(folder.read("a.save"));
    return seeds;
}

std::vector<std::string> log_seeds() {
    const ScratchFolder folder;
    std::vector<std::string> seeds;
    for (const Scene& scene : {town(), flock()}) {
        World world(scene, {.backend = "scalar"});
        world.record(folder.file("a.log"), 2);
        Snapshot rows;
        world.snapshot(rows);
        world.step();
        world.push({2.0, 2.0, 1.0}, 3.0, 1.0);
        world.push(rows.id[0], {0.5, 0.0, 0.0});
        world.set_viewpoints(std::vector<Vec3>{{1.0, 1.0, 0.0}});
        if (world.map() != nullptr) {
            const std::vector<Cell> cells = {{1, 2}, {2, 2}};
            world.stamp(cells, 4);
            world.unstamp(world.stamp(CellArea{{5, 0}, {6, 1}}));
            world.set_cost(CellArea{{0, 4}, {1, 4}}, 2);
            world.set_goal(0, cells);
            world.follow(1, rows.id[0]);
        }
        world.step(0.1);
        world.teleport(rows.id[0], {1.5, 1.5, 0.0});
        world.despawn(rows.id[1]);
        world.spawn({.position = {0.5, 4.5, 0.5}});
        world.step();
        world.stop_recording();
        seeds.push_back(folder.read("a.log"));
    }
    return seeds;
}

}  // namespace horde::test
