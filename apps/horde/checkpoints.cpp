#include "checkpoints.h"

#include <algorithm>

#include "horde/error.h"

namespace horde {

Checkpoints::Checkpoints(const RunOptions& options)
    : path_(options.checkpoint), every_(static_cast<std::uint64_t>(options.checkpoint_every.value_or(1000))) {
    if (path_.empty() && options.checkpoint_every)
        throw Error("--checkpoint-every: there is no --checkpoint; say where to");
    if (options.record.empty() && options.record_every)
        throw Error("--record-every: there is no --record; say where to");
    if (path_.empty()) return;
    // The newest one there is, which this run may go on from, is written over last.
    try {
        next_ = newest_save(path_) == path_ + ".0" ? 1 : 0;
    } catch (const Error&) {
    }
}

void Checkpoints::at(const World& world) {
    if (path_.empty() || world.frame() % every_ != 0) return;
    const std::string file = path_ + (next_ == 0 ? ".0" : ".1");
    world.save(file);
    next_ = 1 - next_;
    if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
}

void require_nothing_new(const RunOptions& options) {
    const auto refuse = [](bool given, const std::string& what) {
        if (given) throw Error(what + " with --resume: the file says it; leave one of them out");
    };
    refuse(!options.scene.empty(), "a scene");
    refuse(!options.map.empty(), "--map");
    refuse(options.agents.has_value(), "--agents");
    refuse(options.seed.has_value(), "--seed");
    refuse(options.search.has_value(), "--search");
    refuse(options.physics.has_value(), "--physics");
    refuse(options.precision.has_value(), "--precision");
    refuse(!options.start.empty(), "--start");
}

}  // namespace horde
