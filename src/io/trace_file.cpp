// Slices of time as a file in the trace event format, which Perfetto and chrome://tracing open:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU ("Complete Events").
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>

#include "horde/files.h"
#include "io/atomic_file.h"

namespace horde {

void write_trace(const std::string& path, std::span<const TraceSlice> slices, std::int64_t dropped) {
    ByteSink sink(path);
    sink.append("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n");
    sink.append(R"({"ph": "M", "pid": 0, "name": "process_name", "args": {"name": "horde"}})");
    int tracks = 0;
    for (const TraceSlice& slice : slices) tracks = std::max(tracks, slice.track + 1);
    char line[512];
    for (int t = 0; t < tracks; ++t) {
        std::snprintf(
            line, sizeof line,
            ",\n{\"ph\": \"M\", \"pid\": 0, \"tid\": %d, \"name\": \"thread_name\", \"args\": {\"name\": "
            "\"thread %d\"}}",
            t, t);
        sink.append(line);
    }
    for (const TraceSlice& slice : slices) {
        char block[48] = "";
        if (slice.block >= 0)
            std::snprintf(block, sizeof block, ", \"block\": %lld", static_cast<long long>(slice.block));
        std::snprintf(
            line, sizeof line,
            ",\n{\"ph\": \"X\", \"pid\": 0, \"tid\": %d, \"name\": \"%.64s\", \"cat\": \"%s\", \"ts\": %.3f, "
            "\"dur\": %.3f, \"args\": {\"frame\": %llu%s}}",
            slice.track, slice.stage, slice.block >= 0 ? "block" : "stage", slice.begin_us,
            slice.end_us - slice.begin_us, static_cast<unsigned long long>(slice.frame), block);
        sink.append(line);
    }
    sink.append("\n], \"otherData\": {\"slices_dropped\": " + std::to_string(dropped) + "}}\n");
    sink.commit();
}

}  // namespace horde
