// The one file that knows every room: picks the backend, builds the frame and steps it.
#include "horde/world.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "horde/error.h"
#include "sim/goals.h"
#include "sim/list_search.h"
#include "sim/observe.h"
#include "sim/setup.h"
#include "sim/setup_rules.h"
#include "sim/spawn.h"
#include "world_impl.h"
#if HORDE_BODIES
#include "bodies/bodies.h"
#endif
#if HORDE_CPU
#include "cpu/executors.h"
#include "cpu/simd.h"
#include "cpu/simd_lists.h"
#endif

namespace horde {
namespace {

constexpr int kMaxThreads = 256;

// The stages of the simulation itself, and those of rooms that this build has.
const Backend& plain_backend() {
    static const Backend backend = [] {
        Backend copy = scalar_backend();
#if HORDE_BODIES
        copy.bodies = bodies_stage;
#endif
        return copy;
    }();
    return backend;
}

// "threads" runs the scalar stages, whose loops go to the executor of the frame.
const Backend& threads_backend() {
    static const Backend backend = [] {
        Backend copy = plain_backend();
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

#if HORDE_CPU
// "simd" steers and moves in lanes.
const Backend& simd_backend() {
    static const Backend backend = [] {
        Backend copy = plain_backend();
        copy.name = "simd";
        copy.grid = simd_grid_stage;
        copy.steer = simd_steer_stage;
        copy.move = simd_move_stage;
        return copy;
    }();
    return backend;
}
#endif

const Backend& choose_backend(const std::string& name, Precision precision) {
    const std::vector<std::string> present = backends();
    if (precision == Precision::kDouble && name == "auto" && present.size() > 1) return threads_backend();
    if (precision == Precision::kDouble && name == "simd") {
        throw Error("backend: \"simd\" has no double precision; choose \"scalar\" or \"threads\", or float");
    }
    if (name == "scalar") return plain_backend();
#if HORDE_CPU
    if (name == "threads") return threads_backend();
    if (name == "simd" || name == "auto") return simd_backend();
#else
    if (name == "auto") return plain_backend();
#endif
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

void World::Impl::set_up(const Scene& from, const WorldOptions& options, bool restores) {
    const int threads = choose_threads(options.threads);
    backend = &choose_backend(options.backend, options.precision);
    backend_name = backend->name;
    if (backend == &plain_backend() || threads == 1) {
        frame.executor = std::make_unique<SerialExecutor>();
    } else {
        frame.executor = make_executor(threads);
    }
#if HORDE_CPU
    if (backend == &simd_backend()) frame.backend_state = make_simd_state(forced_lane_width());
#endif
    if (options.trace) {
        frame.trace = std::make_unique<Trace>();
        frame.executor->set_observer(frame.trace.get());
    }
    if (options.grain < 0)
        throw Error("grain: " + std::to_string(options.grain) + " agents a chunk; give 0 or more");
    frame.executor->set_grain(options.grain);
    const std::optional<Map> map = make_map(from);
#if HORDE_CPU
    if (map && frame.executor->threads() > 1) frame.background = make_background(threads - 1);
#endif
    if (restores) {
        set_up_to_restore(frame, from, map ? &*map : nullptr);
    } else {
        set_up_frame(frame, from, map ? &*map : nullptr, options.start);
    }
#if !HORDE_BODIES
    if (frame.bodies.on())
        throw Error("bodies.physics: this build has no bodies (HORDE_BODIES); set it to \"off\"");
#endif
    dt = from.world.dt;
    scene = from;
    scene.given_map.reset();
    scene.given_heights.clear();
}

World::World(const Scene& scene, const WorldOptions& options) try : impl_(std::make_unique<Impl>()) {
    const FloatMode mode;
    impl_->set_up(scene, options, false);
    Frame& frame = impl_->frame;
    if (options.start != nullptr) {
        spawn_start(frame, *options.start);
    } else {
        spawn_scene(frame, scene);
    }
    check_followed(frame);
    if (!scene.tiers.viewpoints.empty()) {
        if (options.precision == Precision::kDouble) {
            throw Error(
                "tiers.viewpoints: there are no tiers in double precision; use float or take them out");
        }
        horde::set_viewpoints(frame, scene.tiers.viewpoints);
    }
    if (options.precision == Precision::kDouble) {
        if (frame.bodies.on())
            throw Error(
                "bodies.physics: there are no bodies in double precision; use float or set it to \"off\"");
        if (frame.agents.has_combat || frame.agents.has_behaviours)
            throw Error(
                "precision: there are no combat and behaviours in double; take them out of [[agents]], or "
                "use "
                "float");
        if (!frame.spawners.empty() || !frame.sinks.empty())
            throw Error(
                "precision: agents cannot come or go in double; take out the spawners and sinks, or use "
                "float");
        impl_->in_double = std::make_unique<DoubleFlock>(make_double_flock(scene, frame, options.start));
    }
    frame.report.agents = frame.agents.count;
    frame.report.capacity = capacity_of(frame.agents);
} catch (const Error& error) {
    throw Error(with_place(scene, error.what()));
}

World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::Impl::step(double seconds) {
    if (in_double) {
        step_double(*in_double, frame.params.seed, frame.number, seconds, *frame.executor, frame.report);
        ++frame.number;
    } else {
        run_frame(frame, *backend, seconds);
    }
}

void World::Impl::count_step(double seconds, bool of_scene) {
    if (of_scene) {
        ++scene_steps;
    } else {
        other_time += seconds;
    }
    record_step(seconds, of_scene);
}

void World::Impl::start_step(double seconds, bool of_scene) {
    started_seconds = seconds;
    started_of_scene = of_scene;
    side.start([this] { step(started_seconds); });
}

void World::step() {
    impl_->require_rest();
    impl_->step(impl_->dt);
    impl_->count_step(impl_->dt, true);
}

static void check_dt(double dt) {
    if (!std::isfinite(dt) || !(dt > 0.0) || dt > 10.0) {
        throw Error("step: dt is " + std::to_string(dt) + "; give seconds, more than 0 and at most 10");
    }
}

void World::step(double dt) {
    impl_->require_rest();
    check_dt(dt);
    impl_->step(dt);
    impl_->count_step(dt, false);
}

void World::start_step() {
    impl_->require_rest();
    impl_->start_step(impl_->dt, true);
}

void World::start_step(double dt) {
    impl_->require_rest();
    check_dt(dt);
    impl_->start_step(dt, false);
}

void World::finish_step() {
    if (!impl_->side.is_busy()) throw Error("finish_step: no step was started; call start_step first");
    impl_->side.wait();
    impl_->count_step(impl_->started_seconds, impl_->started_of_scene);
}

bool World::is_stepping() const {
    return impl_->side.is_busy();
}

VerifyReport World::verify() {
    impl_->require_rest();
    const FloatMode mode;
    Frame& frame = impl_->frame;
    if (frame.agents.count == 0) return {};
    return impl_->in_double ? verify_double(*impl_->in_double, frame) : verify_frame(frame, *impl_->backend);
}

const std::string& World::backend() const {
    return impl_->backend_name;
}
int World::threads() const {
    return impl_->frame.executor->threads();
}

ListBackend choose_list_backend(const std::string& backend, int threads) {
    ListBackend chosen;
    const Backend* const same = &choose_backend(backend, Precision::kFloat);
    threads = choose_threads(threads);
    chosen.name = same->name;
    chosen.kernel = list_stretch;
    chosen.stream = copy_entries;
    chosen.sort = sort_entries;
    if (same == &plain_backend() || threads == 1) {
        chosen.executor = std::make_unique<SerialExecutor>();
    } else {
        chosen.executor = make_executor(threads);
    }
#if HORDE_CPU
    if (same == &simd_backend()) set_simd_lists(forced_lane_width(), chosen);
#endif
    return chosen;
}

FlowKernel fastest_flow_kernel() {
#if HORDE_CPU
    return simd_flow_kernel();
#else
    return choose_row_steps;
#endif
}

std::vector<std::string> backends() {
#if HORDE_CPU
    return {"scalar", "threads", "simd"};
#else
    return {"scalar"};
#endif
}

std::vector<int> lane_widths() {
#if HORDE_CPU
    return simd_widths();
#else
    return {1};
#endif
}

const char* version() {
    return HORDE_VERSION;
}
const char* compiler() {
    return HORDE_COMPILER;
}
const char* build_flags() {
    return HORDE_FLAGS;
}

}  // namespace horde
