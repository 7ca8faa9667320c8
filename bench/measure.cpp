#include "bench/measure.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace horde::bench {
namespace {

void add_stages(const FrameReport& report, Measurement& m) {
    for (const StageTime& stage : report.stages) {
        auto known = std::find_if(m.stage_ms.begin(), m.stage_ms.end(),
                                  [&](const auto& entry) { return entry.first == stage.name; });
        if (known == m.stage_ms.end()) known = m.stage_ms.emplace(m.stage_ms.end(), stage.name, 0.0);
        known->second += stage.us / 1000.0;
    }
}

}  // namespace

double bytes_in_use() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

Measurement measure(World& world, std::int64_t warm_up, std::int64_t steps) {
    for (std::int64_t frame = 0; frame < warm_up; ++frame) world.step();
    Measurement m;
    const auto began = std::chrono::steady_clock::now();
    for (std::int64_t frame = 0; frame < steps; ++frame) {
        world.step();
        add_stages(world.report(), m);
        m.candidates += world.report().candidates;
        m.neighbours += world.report().neighbours;
        m.bodies += world.report().bodies;
        m.contacts += world.report().contacts;
        m.bodiless += world.report().bodiless;
        m.each_ms.push_back(world.report().frame_us / 1000.0);
        m.busy += world.report().busy / static_cast<double>(steps);
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    m.frame_ms = took.count() / static_cast<double>(steps);
    for (auto& [name, ms] : m.stage_ms) ms /= static_cast<double>(steps);
    return m;
}

void Repeats::add(const Measurement& m) {
    frames_.push_back(m.frame_ms);
    stages_.resize(m.stage_ms.size());
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        stages_[i].first = m.stage_ms[i].first;
        stages_[i].second.push_back(m.stage_ms[i].second);
    }
    last_ = m;
}

void Repeats::write(Row& row) const {
    row.ms = spread_of(frames_);
    row.stage_ms.clear();
    for (const auto& [name, ms] : stages_) row.stage_ms.emplace_back(name, spread_of(ms));
    row.candidates = last_.candidates;
    row.neighbours = last_.neighbours;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

}  // namespace horde::bench
