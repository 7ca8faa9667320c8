// The lane widths of an x86-64 machine, found out when the program runs.
#include "cpu/lanes/lane_sets.h"
#include "cpu/lanes/lanes.h"

namespace horde {
namespace {

struct Present {
    const LaneSet* sets[3] = {};
    int count = 0;
};

Present find_present() {
    Present present;
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (avx512) present.sets[present.count++] = &kAvx512Lanes;
    if (__builtin_cpu_supports("avx2")) present.sets[present.count++] = &kAvx2Lanes;
    present.sets[present.count++] = &kPortableLanes;
    return present;
}

const Present& present() {
    static const Present found = find_present();
    return found;
}

}  // namespace

int lane_set_count() {
    return present().count;
}
const LaneSet& lane_set(int index) {
    return *present().sets[index];
}

}  // namespace horde
