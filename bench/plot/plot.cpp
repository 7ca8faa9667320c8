#include "bench/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/plot/colours.h"
#include "io/picture/canvas.h"

namespace horde::bench {
namespace {

// Okabe and Ito's colours, which the colour-blind tell apart.
constexpr Rgb kPalette[] = {{0, 114, 178},  {213, 94, 0},  {0, 158, 115}, {204, 121, 167},
                            {86, 180, 233}, {230, 159, 0}, {90, 90, 90}};
constexpr int kColours = static_cast<int>(std::size(kPalette));

constexpr int kHeight = 760;
constexpr int kWidth = 1800;  // of all panels together, as long as each stays legible
constexpr int kLeastPanelWidth = 640;
constexpr float kMargin = 44.0f;
constexpr float kHead = 132.0f;   // above the panels
constexpr float kLeft = 92.0f;    // from the panel's edge to its axis
constexpr float kFoot = 84.0f;    // below the axis
constexpr float kLegend = 26.0f;  // a line of the legend
constexpr float kText = 13.0f;

/// A stretch of one axis on the canvas.
struct Scale {
    double least, most;
    float from, to;
    bool log;

    double warp(double v) const { return log ? std::log10(v) : v; }
    float at(double v) const {
        const double share = (warp(v) - warp(least)) / (warp(most) - warp(least));
        return from + static_cast<float>(share) * (to - from);
    }
    bool holds(double v) const { return std::isfinite(v) && (!log || v > 0.0); }
};

Scale scale_for(const PlotAxis& axis, const std::vector<const std::vector<double>*>& values, float from,
                float to) {
    Scale scale{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), from, to,
                axis.log};
    for (const std::vector<double>* column : values) {
        for (const double v : *column) {
            if (!scale.holds(v)) continue;
            scale.least = std::min(scale.least, v);
            scale.most = std::max(scale.most, v);
        }
    }
    if (axis.from_zero) scale.least = std::min(0.0, scale.least);
    if (!(scale.least < scale.most)) {
        scale.most = scale.least > 0.0 ? scale.least * 2.0 : scale.least + 1.0;
        scale.least = scale.most > 2.0 ? scale.least / 2.0 : scale.least;
    }
    // A little air beyond the outermost points.
    if (axis.log) {
        const double air = std::pow(scale.most / scale.least, 0.04);
        scale.least /= air;
        scale.most *= air;
    } else {
        const double air = (scale.most - scale.least) * 0.04;
        if (!axis.from_zero || scale.least < 0.0) scale.least -= air;
        scale.most += air;
    }
    return scale;
}

std::string tick_text(double tick) {
    return std::fabs(tick) < 1e-12 ? std::string("0") : fmt::format("{:g}", std::round(tick * 1e9) / 1e9);
}

void draw_axes(Canvas& canvas, const Plot& plot, const Scale& x, const Scale& y) {
    const auto ticks = [](const PlotAxis& axis, const Scale& scale) {
        if (axis.ticks.empty()) return choose_ticks(scale.least, scale.most, axis.log);
        std::vector<double> inside;
        for (const double tick : axis.ticks) {
            if (tick >= scale.least && tick <= scale.most) inside.push_back(tick);
        }
        return inside;
    };
    for (const double tick : ticks(plot.y, y)) {
        canvas.line(x.from, y.at(tick), x.to, y.at(tick), 1.0f, kRule);
        const std::string text = tick_text(tick);
        canvas.text(x.from - 12.0f - Canvas::text_width(kText, text), y.at(tick) + kText / 2, kText, text,
                    kFaint);
    }
    for (const double tick : ticks(plot.x, x)) {
        canvas.line(x.at(tick), y.from, x.at(tick), y.from + 6.0f, 1.2f, kFaint);
        const std::string text = tick_text(tick);
        canvas.text(x.at(tick) - Canvas::text_width(kText, text) / 2, y.from + 26.0f, kText, text, kFaint);
    }
    canvas.line(x.from, y.from, x.to, y.from, 1.4f, kInk);
    if (plot.reference != 0.0) {
        canvas.line(x.from, y.at(plot.reference), x.to, y.at(plot.reference), 1.6f, kInk, 0.6f);
    }
    canvas.text((x.from + x.to - Canvas::text_width(kText, plot.x.label)) / 2, y.from + 58.0f, kText,
                plot.x.label, kInk);
    canvas.text(x.from - kLeft + 16.0f, y.to - 14.0f, kText, plot.y.label, kInk);
}

Rgb colour_of(const Plot& plot, std::size_t n) {
    const int place = plot.lines[n].colour >= 0 ? plot.lines[n].colour : static_cast<int>(n);
    return kPalette[place % kColours];
}

void draw_stretch(Canvas& canvas, float x0, float y0, float x1, float y1, bool dashed, Rgb colour) {
    if (!dashed) {
        canvas.line(x0, y0, x1, y1, 2.6f, colour);
        return;
    }
    const float length = std::hypot(x1 - x0, y1 - y0);
    for (float at = 0.0f; at < length; at += 12.0f) {
        const float a = at / length, b = std::min(1.0f, (at + 6.0f) / length);
        canvas.line(x0 + (x1 - x0) * a, y0 + (y1 - y0) * a, x0 + (x1 - x0) * b, y0 + (y1 - y0) * b, 2.2f,
                    colour);
    }
}

/// A band between low and high, column by column of pixels.
void draw_band(Canvas& canvas, const PlotLine& line, const Scale& x, const Scale& y, Rgb colour) {
    for (std::size_t n = 1; n < line.x.size() && n < line.low.size(); ++n) {
        bool whole = true;
        for (const double v : {line.low[n - 1], line.high[n - 1], line.low[n], line.high[n]})
            whole &= y.holds(v);
        if (!whole || !x.holds(line.x[n - 1]) || !x.holds(line.x[n])) continue;
        const float left = x.at(line.x[n - 1]), right = x.at(line.x[n]);
        for (float column = std::ceil(left); column < right; column += 1.0f) {
            const float t = (column - left) / (right - left);
            const float top = y.at(line.high[n - 1]) * (1.0f - t) + y.at(line.high[n]) * t;
            const float bottom = y.at(line.low[n - 1]) * (1.0f - t) + y.at(line.low[n]) * t;
            canvas.rect(column, top, column + 1.0f, bottom, colour, 0.16f);
        }
    }
}

void draw_line(Canvas& canvas, const PlotLine& line, const Scale& x, const Scale& y, Rgb colour) {
    if (!line.low.empty()) draw_band(canvas, line, x, y, colour);
    for (std::size_t n = 0; n < line.x.size(); ++n) {
        if (!x.holds(line.x[n]) || !y.holds(line.y[n])) continue;
        const float px = x.at(line.x[n]), py = y.at(line.y[n]);
        if (n > 0 && x.holds(line.x[n - 1]) && y.holds(line.y[n - 1])) {
            draw_stretch(canvas, x.at(line.x[n - 1]), y.at(line.y[n - 1]), px, py, line.dashed, colour);
        }
        canvas.disc(px, py, 4.4f, colour);
        if (line.dashed) canvas.disc(px, py, 2.4f, kPaper);
    }
}

/// Names of the lines in rows of two, beneath the title.
void draw_legend(Canvas& canvas, const Plot& plot, float left, float top, float width) {
    for (std::size_t n = 0; n < plot.lines.size(); ++n) {
        const float x = left + (n % 2 == 0 ? 0.0f : width / 2);
        const float y = top + static_cast<float>(n / 2) * kLegend;
        draw_stretch(canvas, x, y, x + 28.0f, y, plot.lines[n].dashed, colour_of(plot, n));
        canvas.disc(x + 14.0f, y, 4.4f, colour_of(plot, n));
        if (plot.lines[n].dashed) canvas.disc(x + 14.0f, y, 2.4f, kPaper);
        canvas.text(x + 40.0f, y + kText / 2, kText, plot.lines[n].name, kInk);
    }
}

/// `legend_rows` is that of the fullest panel, so that the axes of all stand level.
void draw_panel(Canvas& canvas, const Plot& plot, float left, float right, std::size_t legend_rows) {
    canvas.text(left, kHead, 15.0f, plot.title, kInk);
    const float legend_top = kHead + 30.0f;
    draw_legend(canvas, plot, left, legend_top, right - left);
    std::vector<const std::vector<double>*> xs, ys;
    const std::vector<double> reference(plot.reference != 0.0 ? 1 : 0, plot.reference);
    ys.push_back(&reference);
    for (const PlotLine& line : plot.lines) {
        xs.push_back(&line.x);
        for (const auto* column : {&line.y, &line.low, &line.high}) ys.push_back(column);
    }
    const float top = legend_top + static_cast<float>(legend_rows) * kLegend + 34.0f;
    const Scale x = scale_for(plot.x, xs, left + kLeft - 16.0f, right);
    const Scale y = scale_for(plot.y, ys, static_cast<float>(kHeight) - kFoot, top);
    draw_axes(canvas, plot, x, y);
    for (std::size_t n = 0; n < plot.lines.size(); ++n)
        draw_line(canvas, plot.lines[n], x, y, colour_of(plot, n));
}

}  // namespace

void write_plots(const std::string& path, const std::string& heading, const std::string& below,
                 const std::vector<Plot>& plots) {
    const int count = static_cast<int>(plots.size());
    const int panel = std::max(kWidth / count, kLeastPanelWidth);
    Canvas canvas(panel * count + static_cast<int>(kMargin), kHeight, kPaper);
    canvas.text(kMargin, 48.0f, 19.0f, heading, kInk);
    canvas.text(kMargin, 78.0f, kText, below, kFaint);
    std::size_t rows = 0;
    for (const Plot& plot : plots) rows = std::max(rows, (plot.lines.size() + 1) / 2);
    for (std::size_t p = 0; p < plots.size(); ++p) {
        const float left = kMargin + static_cast<float>(p) * static_cast<float>(panel);
        draw_panel(canvas, plots[p], left, left + static_cast<float>(panel) - kMargin, rows);
    }
    canvas.save_png(path);
}

}  // namespace horde::bench
