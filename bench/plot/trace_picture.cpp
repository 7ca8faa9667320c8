#include "bench/plot/trace_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bench/plot/colours.h"
#include "bench/plot/plot.h"
#include "io/picture/canvas.h"

namespace horde::bench {
namespace {

constexpr Rgb kTrack{240, 241, 242};
constexpr Rgb kColours[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115}, {204, 121, 167}, {86, 180, 233},
                            {230, 159, 0}, {120, 94, 240}, {90, 90, 90},  {148, 190, 60},  {170, 60, 60}};

constexpr int kWidth = 1800;
constexpr float kLeft = 130.0f;
constexpr float kRight = 44.0f;
constexpr float kHead = 140.0f;
constexpr float kStages = 26.0f;  // height of a track's stages
constexpr float kBlocks = 42.0f;  // and of its blocks
constexpr float kGap = 26.0f;     // between tracks
constexpr float kFoot = 76.0f;
constexpr float kText = 13.0f;

bool is_frame(const TraceSlice& slice) {
    return std::string_view(slice.stage) == "step";
}

/// Stages in the order in which they first come.
std::vector<std::string_view> stages_of(const std::vector<TraceSlice>& slices) {
    std::vector<const TraceSlice*> order;
    for (const TraceSlice& slice : slices) {
        if (!is_frame(slice)) order.push_back(&slice);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const TraceSlice* a, const TraceSlice* b) { return a->begin_us < b->begin_us; });
    std::vector<std::string_view> names;
    for (const TraceSlice* slice : order) {
        if (std::find(names.begin(), names.end(), slice->stage) == names.end())
            names.emplace_back(slice->stage);
    }
    return names;
}

struct Axis {
    double first_us, last_us;
    float at(double us) const {
        const double share = (us - first_us) / (last_us - first_us);
        return kLeft + static_cast<float>(share) * (static_cast<float>(kWidth) - kLeft - kRight);
    }
};

Rgb colour_of(const std::vector<std::string_view>& names, std::string_view stage) {
    const auto place = std::find(names.begin(), names.end(), stage) - names.begin();
    return kColours[static_cast<std::size_t>(place) % std::size(kColours)];
}

void draw_axis(Canvas& canvas, const Axis& axis, const std::vector<TraceSlice>& slices, float bottom) {
    for (const double ms : choose_ticks(0.0, (axis.last_us - axis.first_us) / 1000.0, false)) {
        const float x = axis.at(axis.first_us + ms * 1000.0);
        canvas.line(x, kHead - 10.0f, x, bottom, 1.0f, kRule);
        const std::string text = fmt::format("{:g} ms", std::max(ms, 0.0) + 0.0);
        canvas.text(x - Canvas::text_width(kText, text) / 2, bottom + 26.0f, kText, text, kFaint);
    }
    for (const TraceSlice& slice : slices) {
        if (!is_frame(slice)) continue;
        const float x = axis.at(slice.begin_us);
        canvas.line(x, kHead - 22.0f, x, bottom, 1.6f, kInk);
        canvas.text(x + 6.0f, kHead - 14.0f, kText, fmt::format("frame {}", slice.frame), kInk);
    }
}

void draw_slices(Canvas& canvas, const Axis& axis, const std::vector<TraceSlice>& slices,
                 const std::vector<std::string_view>& names) {
    for (const TraceSlice& slice : slices) {
        if (is_frame(slice)) continue;
        const float top = kHead + static_cast<float>(slice.track) * (kStages + kBlocks + kGap);
        const bool whole = slice.block < 0;
        const float y = whole ? top : top + kStages;
        const Rgb colour = colour_of(names, slice.stage);
        const float left = axis.at(slice.begin_us), right = axis.at(slice.end_us);
        canvas.rect(left, y, std::max(right, left + 1.0f), y + (whole ? kStages - 3.0f : kBlocks), colour,
                    whole ? 0.45f : 0.9f);
        if (right - left > 3.0f)
            canvas.line(left, y, left, y + (whole ? kStages - 3.0f : kBlocks), 1.0f, kPaper);
        if (whole && right - left > Canvas::text_width(kText, slice.stage) + 10.0f)
            canvas.text(left + 5.0f, y + 18.0f, kText, slice.stage, kInk);
    }
}

}  // namespace

void write_trace_picture(const std::string& path, const std::string& heading,
                         const std::vector<TraceSlice>& slices) {
    Axis axis{slices.front().begin_us, slices.front().end_us};
    int tracks = 0;
    for (const TraceSlice& slice : slices) {
        axis.first_us = std::min(axis.first_us, slice.begin_us);
        axis.last_us = std::max(axis.last_us, slice.end_us);
        tracks = std::max(tracks, slice.track + 1);
    }
    const std::vector<std::string_view> names = stages_of(slices);
    const float bottom = kHead + static_cast<float>(tracks) * (kStages + kBlocks + kGap);
    Canvas canvas(kWidth, static_cast<int>(bottom + kFoot), kPaper);
    canvas.text(44.0f, 52.0f, 20.0f, heading, kInk);
    float x = 44.0f;
    for (const std::string_view name : names) {
        canvas.rect(x, 74.0f, x + 14.0f, 88.0f, colour_of(names, name), 0.9f);
        x = canvas.text(x + 21.0f, 87.0f, kText, name, kInk) + 24.0f;
    }
    for (int track = 0; track < tracks; ++track) {
        const float top = kHead + static_cast<float>(track) * (kStages + kBlocks + kGap);
        canvas.rect(kLeft, top, static_cast<float>(kWidth) - kRight, top + kStages + kBlocks, kTrack);
        canvas.text(44.0f, top + 40.0f, kText, fmt::format("thread {}", track), kInk);
    }
    draw_axis(canvas, axis, slices, bottom);
    draw_slices(canvas, axis, slices, names);
    canvas.save_png(path);
}

}  // namespace horde::bench
