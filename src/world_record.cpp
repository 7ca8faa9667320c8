// Recording a World, and doing again what was recorded.
#include <optional>
#include <string>
#include <utility>

#include "io/save/save_file.h"
#include "world_impl.h"

namespace horde {

Recorder::Recorder(const std::string& path, std::uint64_t every) : log_(path, version()), every_(every) {}

void Recorder::write(Input& input) {
    bytes_.clear();
    StateWriter writer(bytes_);
    std::visit([&](auto& each) { each.visit(writer); }, input);
    log_.append(static_cast<std::uint8_t>(input.index()), bytes_);
}

void Recorder::write_steps() {
    if (steps_ == 0) return;
    Input steps = StepsInput{std::exchange(steps_, 0)};
    write(steps);
}

void Recorder::note(Input input) {
    write_steps();
    write(input);
    log_.flush();
}

void Recorder::note_step(double dt, bool of_scene) {
    if (of_scene) {
        ++steps_;
    } else {
        note(StepOfInput{dt});
    }
}

void Recorder::note_hash(std::uint64_t frame, std::uint64_t hash) {
    note(HashInput{frame, hash});
}

void Recorder::finish() {
    note(EndInput{});
    log_.close();
}

void World::Impl::record_step(double seconds, bool of_scene) {
    if (!recorder) return;
    try {
        recorder->note_step(seconds, of_scene);
        if (frame.number % recorder->every() == 0) recorder->note_hash(frame.number, hash());
    } catch (const Error&) {
        recorder.reset();
        throw;
    }
}

void World::Impl::write_down(Input input) {
    try {
        recorder->note(std::move(input));
    } catch (const Error&) {
        recorder.reset();
        throw;
    }
}

void World::record(const std::string& path, std::int64_t every) {
    impl_->require_rest();
    const FloatMode mode;
    if (every < 1) throw Error("record: a hash every " + std::to_string(every) + " frames; give 1 or more");
    impl_->recorder.reset();
    auto recorder = std::make_unique<Recorder>(path, static_cast<std::uint64_t>(every));
    recorder->note(StartInput{impl_->to_bytes()});
    impl_->recorder = std::move(recorder);
}

void World::stop_recording() {
    impl_->require_rest();
    if (!impl_->recorder) return;
    const std::unique_ptr<Recorder> recorder = std::move(impl_->recorder);
    recorder->note_hash(impl_->frame.number, impl_->hash());
    recorder->finish();
}

bool World::is_recording() const {
    return impl_->recorder != nullptr;
}

namespace {

template <std::size_t Kind = 0>
Input empty_input(std::size_t kind) {
    if constexpr (Kind < std::variant_size_v<Input>) {
        return kind == Kind ? Input(std::in_place_index<Kind>) : empty_input<Kind + 1>(kind);
    } else {
        throw Error("a record of a kind that this version does not know");
    }
}

Input read_input(const LogRecord& record) {
    Input input = empty_input(record.kind);
    StateReader reader(record.bytes);
    std::visit([&](auto& each) { each.visit(reader); }, input);
    if (!reader.is_done()) throw Error("bytes are left over in a record");
    return input;
}

}  // namespace

// Compares; false at the first difference.
static bool compare(const World& world, const HashInput& wanted, ReplayReport& report) {
    const std::uint64_t found = world.state_hash();
    if (world.frame() != wanted.frame)
        throw Error("a hash is of frame " + std::to_string(wanted.frame) +
                    ", but the inputs before it lead to " + std::to_string(world.frame()));
    ++report.hashes;
    if (found == wanted.hash) {
        report.last_equal = wanted.frame;
        return true;
    }
    report.differs = true;
    report.first_different = wanted.frame;
    report.recorded = wanted.hash;
    report.found = found;
    return false;
}

ReplayReport replay(const std::string& path, const WorldOptions& options) {
    if (options.start != nullptr) throw Error("replay: a start is given, but " + path + " has its own");
    const std::string bytes = read_bytes(path);
    LogReader log(bytes, path);
    LogRecord record;
    ReplayReport report;
    std::optional<World> world;
    try {
        if (!log.next(record) || record.kind != 0)
            throw Error("is cut off in its start: there is nothing to replay");
        const std::string save = std::get<StartInput>(read_input(record)).save;
        world = load_bytes(save, "its start", options);
        report.first_frame = report.last_equal = world->frame();
        while (!report.complete && log.next(record)) {
            const Input input = read_input(record);
            report.complete = std::holds_alternative<EndInput>(input);
            if (const auto* wanted = std::get_if<HashInput>(&input)) {
                if (!compare(*world, *wanted, report)) break;
                continue;
            }
            ++report.inputs;
            std::visit([&](const auto& each) { each.apply(*world); }, input);
        }
    } catch (const Error& error) {
        const std::string text = error.what();
        if (text.starts_with(path)) throw;
        throw Error(path + ": " + (world ? "after frame " + std::to_string(world->frame()) + ": " : "") +
                    text);
    }
    report.last_frame = world->frame();
    report.agents = world->agent_count();
    report.state_hash = world->state_hash();
    return report;
}

}  // namespace horde
