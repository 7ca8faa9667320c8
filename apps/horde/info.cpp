/// horde info: what this build is and what this machine lets it do.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thread>
#include <vector>

#include "horde/world.h"
#include "json.h"
#include "options.h"

namespace horde {

int info(bool json) {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    if (json) {
        Json object;
        object["version"] = version();
        object["compiler"] = compiler();
        object["compiler_flags"] = build_flags();
        object["backends"] = backends();
        object["lane_widths"] = lane_widths();
        object["threads"] = threads;
        print_json(object);
        return 0;
    }
    fmt::print(
        "horde {}\n  compiler    {}\n  flags       {}\n  backends    {}\n  lanes       {}\n  threads     "
        "{}\n",
        version(), compiler(), build_flags(), fmt::join(backends(), ", "), fmt::join(lane_widths(), ", "),
        threads);
    return 0;
}

}  // namespace horde
