// The one file that knows every room: picks the backend and owns the frame.
#include "horde/world.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "base/side_thread.h"
#include "horde/error.h"
#include "sim/double_flock.h"
#include "sim/field/heights.h"
#include "sim/frame.h"
#include "sim/goals.h"
#include "sim/life/act.h"
#include "sim/list_search.h"
#include "sim/observe.h"
#include "sim/setup.h"
#include "sim/setup_rules.h"
#include "sim/spawn.h"
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

struct World::Impl {
    Frame frame;
    std::unique_ptr<DoubleFlock> in_double;  // then the frame only holds parameters, executor and report
    const Backend* backend = nullptr;
    std::string backend_name;
    double dt = 0.0;          // of the scene, seconds
    double other_time = 0.0;  // seconds in steps of another dt
    std::uint64_t scene_steps = 0;
    SideThread side;  // of start_step; last, so that a running step ends before what it works on goes

    void step(double seconds);
    void count_step(double seconds, bool of_scene);
    void start_step(double seconds, bool of_scene);
    bool started_of_scene = false;
    double started_seconds = 0.0;
    // For every call but finish_step: the frame belongs to the step while it runs.
    void require_rest() const {
        if (side.is_busy()) throw Error("a step is running; call finish_step first");
    }
    // For calls that need the columns, which a world in double precision lacks.
    void require_columns(const std::string& call) const {
        require_rest();
        if (in_double) throw Error(call + ": agents only follow their rule in double precision; use float");
    }
    double time() const { return static_cast<double>(scene_steps) * dt + other_time; }  // a sum would drift
};

World::World(const Scene& scene, const WorldOptions& options) try : impl_(std::make_unique<Impl>()) {
    const FloatMode mode;
    Frame& frame = impl_->frame;
    const int threads = choose_threads(options.threads);
    impl_->backend = &choose_backend(options.backend, options.precision);
    impl_->backend_name = impl_->backend->name;
    if (impl_->backend == &plain_backend() || threads == 1) {
        frame.executor = std::make_unique<SerialExecutor>();
    } else {
        frame.executor = make_executor(threads);
    }
#if HORDE_CPU
    if (impl_->backend == &simd_backend()) frame.backend_state = make_simd_state(forced_lane_width());
#endif
    if (options.trace) {
        frame.trace = std::make_unique<Trace>();
        frame.executor->set_observer(frame.trace.get());
    }
    if (options.grain < 0)
        throw Error("grain: " + std::to_string(options.grain) + " agents a chunk; give 0 or more");
    frame.executor->set_grain(options.grain);
    const std::optional<Map> map = make_map(scene);
#if HORDE_CPU
    if (map && frame.executor->threads() > 1) frame.background = make_background(threads - 1);
#endif
    set_up_frame(frame, scene, map ? &*map : nullptr, options.start);
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
#if !HORDE_BODIES
    if (frame.bodies.on())
        throw Error("bodies.physics: this build has no bodies (HORDE_BODIES); set it to \"off\"");
#endif
    if (options.precision == Precision::kDouble) {
        if (frame.bodies.on())
            throw Error(
                "bodies.physics: there are no bodies in double precision; use float or set it to \"off\"");
        if (!frame.spawners.empty() || !frame.sinks.empty())
            throw Error(
                "precision: agents cannot come or go in double; take out the spawners and sinks, or use "
                "float");
        impl_->in_double = std::make_unique<DoubleFlock>(make_double_flock(scene, frame, options.start));
    }
    impl_->dt = scene.world.dt;
    frame.report.agents = frame.agents.count;
    frame.report.capacity = capacity_of(frame.agents);
} catch (const Error& error) {
    throw Error(with_place(scene, error.what()));
}

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

std::vector<TraceSlice> World::trace() const {
    impl_->require_rest();
    return impl_->frame.trace ? impl_->frame.trace->slices() : std::vector<TraceSlice>{};
}

std::int64_t World::trace_dropped() const {
    impl_->require_rest();
    return impl_->frame.trace ? impl_->frame.trace->dropped() : 0;
}

const FrameReport& World::report() const {
    impl_->require_rest();
    return impl_->frame.report;
}

std::span<const AgentId> World::arrivals() const {
    impl_->require_rest();
    return impl_->frame.arrivals;
}

std::uint64_t World::frame() const {
    impl_->require_rest();
    return impl_->frame.number;
}

double World::time() const {
    impl_->require_rest();
    return impl_->time();
}

std::int64_t World::agent_count() const {
    impl_->require_rest();
    return impl_->frame.agents.count;
}

std::uint64_t World::state_hash() const {
    impl_->require_rest();
    const Frame& frame = impl_->frame;
    if (impl_->in_double) return horde::state_hash(*impl_->in_double, frame.params.seed, frame.number);
    return horde::state_hash(frame);
}

void World::snapshot(Snapshot& out) const {
    impl_->require_rest();
    const FloatMode mode;
    write_snapshot(impl_->frame, out);
    out.time = impl_->time();
    if (impl_->in_double) write_rows(*impl_->in_double, out);
}

AgentId World::spawn(const NewAgent& agent) {
    impl_->require_rest();
    const FloatMode mode;
    if (impl_->in_double) throw Error("spawn: agents cannot come or go in double precision; use float");
    return spawn_agent(impl_->frame, agent);
}

bool World::despawn(AgentId id) {
    impl_->require_rest();
    if (impl_->in_double) throw Error("despawn: agents cannot come or go in double precision; use float");
    const std::optional<std::int64_t> index = find_agent(impl_->frame.agents, id);
    if (index) {
        const auto i = static_cast<std::uint32_t>(*index);
        remove_agents(impl_->frame.agents, {&i, 1});
    }
    return index.has_value();
}

static Terrain& terrain_of(Frame& frame, const char* what) {
    if (!frame.land) throw Error(std::string(what) + ": the world has no map; give the scene a [map]");
    return frame.land->terrain;
}

StampId World::stamp(const CellArea& area, int cost) {
    impl_->require_rest();
    return terrain_of(impl_->frame, "stamp").stamp(area, cost);
}

StampId World::stamp(std::span<const Cell> cells, int cost) {
    impl_->require_rest();
    return terrain_of(impl_->frame, "stamp").stamp(cells, cost);
}

void World::unstamp(StampId id) {
    impl_->require_rest();
    terrain_of(impl_->frame, "unstamp");
    horde::unstamp(*impl_->frame.land, id);
}

void World::set_cost(const CellArea& area, int cost) {
    impl_->require_rest();
    terrain_of(impl_->frame, "set_cost").set_cost(area, cost);
}

void World::set_goal(std::size_t goal_set, std::span<const Cell> cells) {
    impl_->require_rest();
    horde::set_goal(impl_->frame, goal_set, cells);
}

void World::follow(std::size_t goal_set, AgentId id) {
    impl_->require_rest();
    follow_agent(impl_->frame, goal_set, id);
}

GoalStatus World::goal_status(std::size_t goal_set, int group) const {
    impl_->require_rest();
    return horde::goal_status(impl_->frame, goal_set, group);
}

double World::height_at(double x, double y) const {
    impl_->require_rest();
    const FloatMode mode;
    if (!std::isfinite(x) || !std::isfinite(y))
        throw Error(std::string("height_at: ") + (std::isfinite(x) ? "y" : "x") +
                    " is not finite; give metres");
    const Frame& frame = impl_->frame;
    if (!frame.land || frame.land->heights.empty()) return 0.0;
    const Map& map = frame.ground->map;
    return height_between(map, frame.land->heights, x / map.cell_size, y / map.cell_size);
}

std::optional<Vec3> World::teleport(AgentId id, Vec3 position) {
    impl_->require_columns("teleport");
    const FloatMode mode;
    return teleport_agent(impl_->frame, id, position);
}

bool World::push(AgentId id, Vec3 change) {
    impl_->require_columns("push");
    const FloatMode mode;
    return push_agent(impl_->frame, id, change);
}

std::int64_t World::push(Vec3 centre, double radius, double speed) {
    impl_->require_columns("push");
    const FloatMode mode;
    return push_circle(impl_->frame, centre, radius, speed);
}

void World::reserve(std::int64_t agents) {
    impl_->require_rest();
    if (agents < 0 || agents > kMaxSlots) {
        throw Error("reserve: " + std::to_string(agents) + " agents; give 0 to " + std::to_string(kMaxSlots));
    }
    reserve_agents(impl_->frame.agents, agents);
    impl_->frame.report.capacity = capacity_of(impl_->frame.agents);
}

std::int64_t World::capacity() const {
    impl_->require_rest();
    return capacity_of(impl_->frame.agents);
}

void World::set_viewpoints(std::span<const Vec3> points) {
    impl_->require_rest();
    const FloatMode mode;
    if (impl_->in_double) throw Error("viewpoints: there are no tiers in double precision; use float");
    horde::set_viewpoints(impl_->frame, points);
}

const std::vector<Vec3>& World::viewpoints() const {
    impl_->require_rest();
    return impl_->frame.tiers.viewpoints;
}

const std::vector<TierEvent>& World::tier_events() const {
    impl_->require_rest();
    return impl_->frame.tiers.events;
}

std::span<const ContactEvent> World::contact_events() const {
    impl_->require_rest();
    return impl_->frame.bodies.events;
}

void World::set_camera(const Camera& camera, const ViewOptions& options) {
    impl_->require_rest();
    if (impl_->in_double) throw Error("camera: nothing is drawn in double precision; use float");
    const FloatMode mode;
    horde::set_camera(impl_->frame, camera, options);
}

void World::clear_camera() {
    impl_->require_rest();
    impl_->frame.view.on = false;
    forget_visible(impl_->frame);
}

void World::set_bounds(int type, const TypeBounds& bounds) {
    impl_->require_rest();
    const FloatMode mode;
    horde::set_bounds(impl_->frame, type, bounds);
}

void World::refresh_view() {
    impl_->require_rest();
    const FloatMode mode;
    if (!impl_->frame.view.on) return;
    impl_->backend->cull(impl_->frame);
    impl_->backend->instances(impl_->frame);
}

std::span<const AgentId> World::visible(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    return of_type<AgentId>(view, view.id, type);
}

std::span<const InstancePacket> World::packets(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    if (!view.options.packets) return {};
    const std::span<const InstancePacket> lent = view.options.packet_buffer;
    return of_type<InstancePacket>(view, lent.empty() ? view.packets : lent, type);
}

std::span<const InstanceMatrix> World::matrices(int type) const {
    impl_->require_rest();
    const View& view = impl_->frame.view;
    if (!view.options.matrices) return {};
    const std::span<const InstanceMatrix> lent = view.options.matrix_buffer;
    return of_type<InstanceMatrix>(view, lent.empty() ? view.matrices : lent, type);
}

Vec3 World::origin() const {
    return impl_->frame.params.origin;
}

VerifyReport World::verify() {
    impl_->require_rest();
    const FloatMode mode;
    Frame& frame = impl_->frame;
    if (frame.agents.count == 0) return {};
    return impl_->in_double ? verify_double(*impl_->in_double, frame) : verify_frame(frame, *impl_->backend);
}

const Map* World::map() const {
    impl_->require_rest();
    return impl_->frame.ground ? &impl_->frame.ground->map : nullptr;
}
std::size_t World::goal_set_count() const {
    return impl_->frame.fields.set_count();
}

const Field& World::field(std::size_t goal_set) const {
    impl_->require_rest();
    return field_of_set(impl_->frame, goal_set);
}

double World::neighbour_radius() const {
    float radius = 0.0f;
    for (const Group& group : impl_->frame.params.groups)
        radius = std::max(radius, horde::neighbour_radius(group));
    return radius;
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
