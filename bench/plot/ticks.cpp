// Where an axis has its ticks.
#include <algorithm>
#include <cmath>

#include "bench/plot/plot.h"

namespace horde::bench {
namespace {

constexpr double kSlack = 1e-9;  // of the span: a tick on the edge counts

std::vector<double> log_ticks(double least, double most, const std::vector<double>& steps) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(least)));
    const int last = static_cast<int>(std::ceil(std::log10(most)));
    for (int power = first; power <= last; ++power) {
        for (const double step : steps) {
            const double tick = step * std::pow(10.0, power);
            if (tick >= least * (1.0 - kSlack) && tick <= most * (1.0 + kSlack)) ticks.push_back(tick);
        }
    }
    return ticks;
}

}  // namespace

std::vector<double> choose_ticks(double least, double most, bool log) {
    if (log) {
        std::vector<double> ticks = log_ticks(least, most, {1.0});
        if (ticks.size() < 3) ticks = log_ticks(least, most, {1.0, 2.0, 5.0});
        if (ticks.size() >= 3) return ticks;
    }
    const double rough = (most - least) / 6.0;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10.0 * power;
    for (const double each : {5.0, 2.0, 1.0}) {
        if (each * power >= rough) step = each * power;
    }
    std::vector<double> ticks;
    const double slack = kSlack * (most - least);
    for (double n = std::ceil((least - slack) / step); n * step <= most + slack; n += 1.0)
        ticks.push_back(n * step);
    return ticks;
}

}  // namespace horde::bench
