/// horde replay: what a log says was done, done again.
#include <fmt/format.h>

#include "horde/world.h"
#include "json.h"
#include "options.h"

namespace horde {
namespace {

Json result(const ReplayOptions& options, const ReplayReport& report) {
    Json object;
    object["log"] = options.log;
    object["equal"] = !report.differs;
    object["complete"] = report.complete;
    object["first_frame"] = report.first_frame;
    object["last_frame"] = report.last_frame;
    object["inputs"] = report.inputs;
    object["hashes"] = report.hashes;
    object["last_equal_frame"] = report.last_equal;
    object["first_different"] = nullptr;
    if (report.differs) {
        object["first_different"] = {{"frame", report.first_different},
                                     {"recorded", hash_text(report.recorded)},
                                     {"found", hash_text(report.found)}};
    }
    object["agents"] = report.agents;
    object["state_hash"] = hash_text(report.state_hash);
    return object;
}

void print_summary(const ReplayOptions& options, const ReplayReport& report) {
    fmt::print("{}: frames {} to {}, {} inputs, {} hashes compared\n", options.log, report.first_frame,
               report.last_frame, report.inputs, report.hashes);
    if (report.differs) {
        fmt::print("  differs     first in frame {}: recorded {}, found {}; last equal in frame {}\n",
                   report.first_different, hash_text(report.recorded), hash_text(report.found),
                   report.last_equal);
    } else {
        fmt::print("  equal       up to frame {}, state hash {}\n", report.last_equal,
                   hash_text(report.state_hash));
        if (!report.complete) fmt::print("  no end      the run was cut off while it was recorded\n");
    }
}

}  // namespace

int replay_log(const ReplayOptions& options) {
    const ReplayReport report = replay(options.log, {.backend = options.backend, .threads = options.threads});
    if (options.json) {
        print_json(result(options, report));
    } else {
        print_summary(options, report);
    }
    return report.differs ? 1 : 0;
}

}  // namespace horde
