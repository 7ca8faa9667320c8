#include "io/picture/picture_layout.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "horde/error.h"

namespace horde {
namespace {

constexpr int kLeastForWords = 320;  // pixels

/// OKLCh to sRGB (Ottosson 2020), clipped.
Rgb from_oklch(double lightness, double chroma, double hue) {
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    const auto channel = [](double linear) {
        const double value = std::clamp(linear, 0.0, 1.0);
        const double curved = value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
        return static_cast<std::uint8_t>(std::lround(255.0 * curved));
    };
    return {channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

Rgb ramp_colour(const Ramp& ramp, float share) {
    const float at = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(ramp.size() - 1);
    const std::size_t low = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
    return mixed(ramp[low], ramp[low + 1], at - static_cast<float>(low));
}

Rgb nth_hue(std::uint32_t n) {
    constexpr double kGoldenAngle = 2.39996322972865332;
    return from_oklch(n % 2 == 0 ? 0.80 : 0.72, 0.145, 0.9 + kGoldenAngle * static_cast<double>(n % 4096));
}

double round_up(double value) {
    if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (step * power >= value * (1.0 - 1e-9)) return step * power;
    }
    return 10.0 * power;
}

std::string with_commas(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string plain(double value, int places) {
    char digits[400];
    std::string text(
        digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, places).ptr);
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

Bounds map_extent(const Map& map) {
    return {{}, {map.columns * map.cell_size, map.rows * map.cell_size, 0.0}};
}

Layout make_layout(const Bounds& extent, int pixels) {
    if (pixels < 16 || pixels > 16384) {
        throw Error("picture of " + std::to_string(pixels) + " pixels: view.width must be 16 to 16384");
    }
    Layout layout;
    layout.min_x = extent.min.x;
    layout.min_y = extent.min.y;
    const double wide = extent.max.x - extent.min.x;
    const double high = extent.max.y - extent.min.y;
    const bool words = pixels >= kLeastForWords;
    const int margin = words ? std::max(4, pixels / 100) : 0;
    layout.header = words ? std::clamp(pixels / 26, 36, 160) : 0;
    const int above = words ? layout.header : 0;
    layout.scale = std::min((pixels - 2 * margin) / wide, (pixels - above - margin) / high);
    layout.plot_width = std::clamp(static_cast<int>(std::lround(wide * layout.scale)), 1, pixels);
    layout.plot_height = std::clamp(static_cast<int>(std::lround(high * layout.scale)), 1, pixels);
    const int least = words ? std::min(pixels, layout.header * 17) : 1;
    layout.width = std::max(layout.plot_width + 2 * margin, least);
    layout.height = above + layout.plot_height + margin;
    layout.left = (layout.width - layout.plot_width) / 2;
    layout.top = above;
    return layout;
}

void draw_panel(Canvas& canvas, const Layout& layout) {
    const auto left = static_cast<float>(layout.left);
    const auto top = static_cast<float>(layout.top);
    const auto right = static_cast<float>(layout.left + layout.plot_width);
    const auto bottom = static_cast<float>(layout.top + layout.plot_height);
    canvas.rect(left, top, right, bottom, kStreetColour);
    const double step = round_up(90.0 / layout.scale);
    for (double at = std::ceil(layout.min_x / step) * step; layout.x(at) < right; at += step) {
        canvas.rect(layout.x(at) - 0.5f, top, layout.x(at) + 0.5f, bottom, kFaintInk, 0.12f);
        if (at + step == at) break;  // too far out for the lines to differ
    }
    for (double at = std::ceil(layout.min_y / step) * step; layout.y(at) < bottom; at += step) {
        canvas.rect(left, layout.y(at) - 0.5f, right, layout.y(at) + 0.5f, kFaintInk, 0.12f);
        if (at + step == at) break;
    }
}

void draw_goal(Canvas& canvas, const Layout& layout, const Map& map, Cell goal, Rgb colour) {
    const float x = layout.x((goal.column + 0.5) * map.cell_size);
    const float y = layout.y((goal.row + 0.5) * map.cell_size);
    const auto cell = static_cast<float>(layout.scale * map.cell_size);
    const float radius = std::clamp(cell * 0.4f, static_cast<float>(layout.width) / 200.0f + 2.0f, 60.0f);
    const float thickness = std::max(1.6f, radius * 0.26f);
    canvas.disc(x, y, radius + thickness * 1.6f, kPaper, 0.45f);
    canvas.ring(x, y, radius, thickness + 2.0f, kPaper, 0.8f);
    canvas.ring(x, y, radius, thickness, colour);
    canvas.disc(x, y, thickness * 0.9f, colour);
}

void draw_scale_bar(Canvas& canvas, const Layout& layout) {
    if (layout.header == 0 || layout.plot_width < 300 || layout.plot_height < 120) return;
    double metres = round_up(layout.plot_width * 0.09 / layout.scale);
    const float length = static_cast<float>(metres * layout.scale);
    const float size = layout.text_size() * 0.85f;
    const float x = static_cast<float>(layout.left) + size * 1.4f;
    const float y = static_cast<float>(layout.top + layout.plot_height) - size * 1.4f;
    const std::string words = metres >= 1000.0 ? plain(metres / 1000.0, 1) + " km" : plain(metres, 3) + " m";
    const float end = x + length + size * 0.9f + Canvas::text_width(size, words);
    canvas.rect(x - size * 0.7f, y - size * 1.35f, end + size * 0.4f, y + size * 0.75f, kPaper, 0.72f);
    canvas.line(x, y, x + length, y, 2.0f, kInk);
    canvas.line(x, y - size * 0.4f, x, y, 2.0f, kInk);
    canvas.line(x + length, y - size * 0.4f, x + length, y, 2.0f, kInk);
    canvas.text(x + length + size * 0.9f, y, size, words, kInk);
}

void draw_title(Canvas& canvas, const Layout& layout, const std::string& title, const std::string& rest,
                float right) {
    if (layout.header == 0) return;
    const float size = layout.text_size();
    const float baseline = (static_cast<float>(layout.header) + size) / 2;
    const float x = std::max(static_cast<float>(std::min(layout.left, layout.width / 100)), 4.0f);
    const float end = canvas.text(x, baseline, size, title, kInk);
    if (end + size * 1.6f + Canvas::text_width(size, rest) > right - size) return;
    canvas.text(end + size * 1.6f, baseline, size, rest, kFaintInk);
}

float draw_ramp_legend(Canvas& canvas, const Layout& layout, const Ramp& ramp, const std::string& name,
                       double most, const std::string& unit) {
    if (layout.header == 0) return 0.0f;
    const float size = layout.text_size() * 0.85f;
    const float baseline = (static_cast<float>(layout.header) + size) / 2;
    const std::string high = plain(most, most < 1.0     ? 4
                                         : most < 10.0  ? 2
                                         : most < 100.0 ? 1
                                                        : 0) +
                             " " + unit;
    const float length = size * 11.0f;
    float x = static_cast<float>(layout.width - std::min(layout.left, layout.width / 100)) -
              Canvas::text_width(size, high);
    canvas.text(x, baseline, size, high, kInk);
    x -= length + size * 0.8f;
    for (int i = 0; i < static_cast<int>(length); ++i) {
        const auto at = static_cast<float>(i);
        canvas.rect(x + at, baseline - size, x + at + 1.5f, baseline, ramp_colour(ramp, at / length));
    }
    for (int tick = 1; tick < 4; ++tick) {
        const float at = x + length * static_cast<float>(tick) / 4.0f;
        canvas.line(at, baseline - size * 0.25f, at, baseline, 1.0f, kPaper, 0.8f);
    }
    const std::string low = name + "   0";
    x -= size * 0.8f + Canvas::text_width(size, low);
    canvas.text(x, baseline, size, low, kInk);
    return x;
}

float draw_legend(Canvas& canvas, const Layout& layout, const std::string& name,
                  std::span<const LegendEntry> entries, float least) {
    if (layout.header == 0 || entries.empty()) return static_cast<float>(layout.width);
    constexpr std::size_t kMostShown = 8;
    const float size = layout.text_size() * 0.85f;
    const float baseline = (static_cast<float>(layout.header) + size) / 2;
    const float right = static_cast<float>(layout.width - std::min(layout.left, layout.width / 100));
    const auto width_of = [&](const LegendEntry& entry, bool with_count) {
        float width = size * 1.85f + Canvas::text_width(size, entry.words);
        if (with_count && !entry.count.empty()) width += size * 0.5f + Canvas::text_width(size, entry.count);
        return width;
    };
    const auto all = [&](std::size_t shown, bool with_counts) {
        float width = Canvas::text_width(size, name) + size * 3.0f;
        for (std::size_t n = 0; n < shown; ++n) width += width_of(entries[n], with_counts);
        return width;
    };
    std::size_t shown = std::min(entries.size(), kMostShown);
    const bool with_counts = all(shown, true) <= right - least;
    while (shown > 1 && all(shown, with_counts) > right - least) --shown;
    float x = right;
    if (shown < entries.size()) {
        const std::string more = "+" + with_commas(entries.size() - shown);
        x -= Canvas::text_width(size, more);
        canvas.text(x, baseline, size, more, kFaintInk);
        x -= size;
    }
    for (std::size_t n = shown; n-- > 0;) {
        const LegendEntry& entry = entries[n];
        x -= width_of(entry, with_counts);
        const float y = baseline - size / 2;
        if (entry.cross) {
            draw_cross(canvas, x + size * 1.1f, y, size * 0.36f, entry.colour, 1.0f);
        } else {
            canvas.disc(x + size * 1.1f, y, size * 0.42f, entry.colour);
        }
        const float end = canvas.text(x + size * 1.85f, baseline, size, entry.words, kInk);
        if (with_counts) canvas.text(end + size * 0.2f, baseline, size, entry.count, kFaintInk);
    }
    x -= Canvas::text_width(size, name) + size * 0.3f;
    canvas.text(x, baseline, size, name, kInk);
    return x;
}

}  // namespace horde
