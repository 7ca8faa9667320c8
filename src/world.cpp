// The one file that knows every room: picks the backend and owns the frame.
#include "horde/world.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "base/random.h"
#include "horde/error.h"
#include "horde/neighbours.h"
#include "sim/frame.h"
#include "sim/setup.h"
#include "sim/spawn.h"
#if HORDE_CPU
#include "cpu/executors.h"
#endif

namespace horde {
namespace {

constexpr int kMaxThreads = 256;

// "threads" runs the scalar stages, whose loops go to the executor of the frame.
const Backend& threads_backend() {
    static const Backend backend = [] {
        Backend copy = scalar_backend();
        copy.name = "threads";
        return copy;
    }();
    return backend;
}

std::unique_ptr<Executor> make_executor([[maybe_unused]] int threads) {
#if HORDE_CPU && HORDE_TBB
    return make_tbb_executor(threads);
#elif HORDE_CPU
    return make_std_executor(threads);
#else
    return std::make_unique<SerialExecutor>();
#endif
}

const Backend& choose_backend(const std::string& name, int threads) {
    const std::vector<std::string> present = backends();
    if (name == "auto") {
        return threads > 1 && present.size() > 1 ? threads_backend() : scalar_backend();
    }
    if (name == "scalar") return scalar_backend();
    if (name == "threads" && std::count(present.begin(), present.end(), name) > 0) return threads_backend();
    std::string list = "auto";
    for (const std::string& other : present) list += ", " + other;
    throw Error("backend: there is no \"" + name + "\" here; choose one of " + list);
}

int choose_threads(int threads) {
    if (threads < 0 || threads > kMaxThreads) {
        throw Error("threads: " + std::to_string(threads) + " is not between 0 (all cores) and " +
                    std::to_string(kMaxThreads));
    }
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return threads > 0 ? threads : std::clamp(cores, 1, kMaxThreads);
}

}  // namespace

struct World::Impl {
    Frame frame;
    const Backend* backend = nullptr;
    std::string backend_name;
    double dt = 0.0;          // of the scene, seconds
    double other_time = 0.0;  // seconds in steps of another dt
    std::uint64_t scene_steps = 0;

    double time() const { return static_cast<double>(scene_steps) * dt + other_time; }  // a sum would drift
};

World::World(const Scene& scene, const WorldOptions& options) : impl_(std::make_unique<Impl>()) {
    const FloatMode mode;
    Frame& frame = impl_->frame;
    const int threads = choose_threads(options.threads);
    impl_->backend = &choose_backend(options.backend, threads);
    impl_->backend_name = impl_->backend->name;
    if (impl_->backend == &scalar_backend()) {
        frame.executor = std::make_unique<SerialExecutor>();
    } else {
        frame.executor = make_executor(threads);
    }
    const std::optional<Map> map = make_map(scene);
    set_up_frame(frame, scene, map ? &*map : nullptr, options.start);
    if (options.start != nullptr) {
        spawn_start(frame, *options.start);
    } else {
        spawn_scene(frame, scene);
    }
    impl_->dt = scene.world.dt;
    frame.report.agents = frame.agents.count;
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::step() {
    run_frame(impl_->frame, *impl_->backend, impl_->frame.params.dt);
    ++impl_->scene_steps;
}

void World::step(double dt) {
    if (!std::isfinite(dt) || !(dt > 0.0) || dt > 10.0) {
        throw Error("step: dt is " + std::to_string(dt) + "; give seconds, more than 0 and at most 10");
    }
    run_frame(impl_->frame, *impl_->backend, static_cast<float>(dt));
    impl_->other_time += dt;
}

const FrameReport& World::report() const { return impl_->frame.report; }
std::uint64_t World::frame() const { return impl_->frame.number; }
double World::time() const { return impl_->time(); }
std::int64_t World::agent_count() const { return impl_->frame.agents.count; }
std::uint64_t World::state_hash() const { return horde::state_hash(impl_->frame); }

void World::snapshot(Snapshot& out) const {
    const Frame& frame = impl_->frame;
    const Agents& agents = frame.agents;
    const auto count = static_cast<std::size_t>(agents.count);
    std::vector<std::uint32_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = static_cast<std::uint32_t>(i);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return agents.id.now[a] < agents.id.now[b]; });
    out.frame = frame.number;
    out.time = impl_->time();
    out.dim = agents.dim;
    out.id.resize(count);
    out.position.resize(count);
    out.velocity.resize(count);
    out.goal.resize(count);
    out.type.resize(count);
    out.state.resize(count);
    const Vec3 origin = frame.params.origin;
    const auto axis = [&](const Column<float>(&column)[3], int k, std::uint32_t i) {
        return k < agents.dim ? static_cast<double>(column[k].now[i]) : 0.0;
    };
    for (std::size_t row = 0; row < count; ++row) {
        const std::uint32_t i = order[row];
        out.id[row] = agents.id.now[i];
        out.position[row] = {origin.x + axis(agents.position, 0, i), origin.y + axis(agents.position, 1, i),
                             agents.dim == 3 ? origin.z + axis(agents.position, 2, i) : 0.0};
        out.velocity[row] = {axis(agents.velocity, 0, i), axis(agents.velocity, 1, i), axis(agents.velocity, 2, i)};
        out.goal[row] = agents.goal.now[i];
        out.type[row] = frame.params.groups[agents.group.now[i]].type;
        out.state[row] = agents.state.now[i];
    }
}

AgentId World::spawn(const NewAgent& agent) { return spawn_agent(impl_->frame, agent); }

bool World::despawn(AgentId id) {
    const std::optional<std::int64_t> index = find_agent(impl_->frame.agents, id);
    if (index) {
        const auto i = static_cast<std::uint32_t>(*index);
        remove_agents(impl_->frame.agents, {&i, 1});
    }
    return index.has_value();
}

VerifyReport World::verify() const {
    const Frame& frame = impl_->frame;
    const Agents& agents = frame.agents;
    const auto count = static_cast<std::size_t>(agents.count);
    VerifyReport report;
    if (count == 0) return report;
    std::int64_t chosen = 0;
    const auto draw = [&](std::int64_t i) {
        return random64(frame.params.seed, agents.id.now[i], frame.number, RandomUse::kVerify);
    };
    for (std::int64_t i = 1; i < agents.count; ++i) {
        if (draw(i) < draw(chosen)) chosen = i;
    }
    NeighbourSettings settings;
    settings.dim = agents.dim;
    settings.cell = frame.params.cell;
    const Periodic& periodic = frame.params.periodic;
    if (periodic.on) {
        settings.periodic = Bounds{
            {periodic.min[0], periodic.min[1], periodic.min[2]},
            {periodic.min[0] + periodic.length[0], periodic.min[1] + periodic.length[1],
             periodic.min[2] + periodic.length[2]}};
    }
    const auto column = [&](int k) {
        return k < agents.dim ? std::span<const float>(agents.position[k].now.data(), count) : std::span<const float>();
    };
    const Vec3 place{column(0)[chosen], column(1)[chosen], agents.dim == 3 ? column(2)[chosen] : 0.0};
    const float radius = frame.params.groups[agents.group.now[chosen]].rule.separation_radius;
    std::vector<std::uint32_t> found[2];
    SearchCounts counts[2];
    for (int way = 0; way < 2; ++way) {
        settings.search = way == 0 ? Search::kGrid : Search::kBrute;
        Neighbours neighbours(settings);
        neighbours.build(column(0), column(1), column(2));
        counts[way] = neighbours.query(place, radius, chosen, found[way]);
    }
    report.id = agents.id.now[chosen];
    report.neighbours = counts[0].neighbours;
    report.grid_candidates = counts[0].candidates;
    report.brute_candidates = counts[1].candidates;
    report.equal = found[0] == found[1];
    return report;
}

const Map* World::map() const { return impl_->frame.ground ? &impl_->frame.ground->map : nullptr; }
std::size_t World::goal_set_count() const { return impl_->frame.goals.size(); }

const Field& World::field(std::size_t goal_set) const {
    if (goal_set >= impl_->frame.goals.size()) {
        throw Error("field: there is no goal set " + std::to_string(goal_set) + "; the world has " +
                    std::to_string(impl_->frame.goals.size()));
    }
    return impl_->frame.goals[goal_set].field;
}

const std::string& World::backend() const { return impl_->backend_name; }
int World::threads() const { return impl_->frame.executor->threads(); }

std::vector<std::string> backends() {
#if HORDE_CPU
    return {"scalar", "threads"};
#else
    return {"scalar"};
#endif
}

const char* version() { return HORDE_VERSION; }
const char* compiler() { return HORDE_COMPILER; }
const char* build_flags() { return HORDE_FLAGS; }

}  // namespace horde
