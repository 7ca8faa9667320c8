#include "sim/trace.h"

#include <algorithm>

namespace horde {

Trace::Track& Trace::track_of_this_thread() {
    const std::thread::id self = std::this_thread::get_id();
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Track>& track : tracks_) {
        if (track->thread == self) return *track;
    }
    tracks_.push_back(std::make_unique<Track>());
    tracks_.back()->thread = self;
    return *tracks_.back();
}

void Trace::worked(const char* stage, std::int64_t chunk, WorkClock::time_point begin,
                   WorkClock::time_point end) {
    Track& track = track_of_this_thread();
    if (track.slices.size() >= most_) {
        ++track.dropped;
        return;
    }
    const auto us = [&](WorkClock::time_point t) {
        return std::chrono::duration<double, std::micro>(t - start_).count();
    };
    track.slices.push_back({stage, chunk, 0, frame_, us(begin), us(end)});
}

std::vector<TraceSlice> Trace::slices() const {
    const std::lock_guard lock(mutex_);
    std::vector<TraceSlice> all;
    for (std::size_t t = 0; t < tracks_.size(); ++t) {
        const auto first = static_cast<std::ptrdiff_t>(all.size());
        for (TraceSlice slice : tracks_[t]->slices) {
            slice.track = static_cast<int>(t);
            all.push_back(slice);
        }
        // A stage is recorded when it ends, after its blocks.
        std::stable_sort(all.begin() + first, all.end(), [](const TraceSlice& a, const TraceSlice& b) {
            return a.begin_us < b.begin_us || (a.begin_us == b.begin_us && a.end_us > b.end_us);
        });
    }
    return all;
}

std::int64_t Trace::dropped() const {
    const std::lock_guard lock(mutex_);
    std::int64_t sum = 0;
    for (const std::unique_ptr<Track>& track : tracks_) sum += track->dropped;
    return sum;
}

}  // namespace horde
