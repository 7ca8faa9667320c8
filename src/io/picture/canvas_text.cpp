/// A small drawn alphabet, so that pictures need no font file.
#include <array>
#include <cmath>

#include "io/picture/canvas.h"

namespace horde {
namespace {

/// Strokes of a letter: pairs of digits x y on a raster whose row 0 is the top of capitals, 2 that of small
/// letters, 6 the baseline and 8 the lowest. A stroke that begins with '~' is bent smoothly along its points.
struct Glyph {
    char letter;
    int width;
    const char* strokes;
};

constexpr Glyph kGlyphs[] = {
    {'0', 4, "~20 40 46 06 00 20"},
    {'1', 2, "02 20 26"},
    {'2', 4, "~02 00 40 43 15 06|06 46"},
    {'3', 4, "~01 00 40 43 13|~13 43 46 06 05"},
    {'4', 4, "36 30 04 44"},
    {'5', 4, "40 00 03|~03 02 42 46 06 05"},
    {'6', 4, "~41 40 00 06 46 42 02 04"},
    {'7', 4, "00 40 16"},
    {'8', 4, "~20 40 43 03 00 20|~23 43 46 06 03 23"},
    {'9', 4, "~05 06 46 40 00 04 44 42"},
    {'A', 4, "06 20 46|14 34"},
    {'B', 4, "03 00|~00 40 43 03|03 06|~03 43 46 06"},
    {'C', 4, "~41 40 00 06 46 45"},
    {'D', 4, "00 06|~00 40 46 06"},
    {'E', 3, "30 00 06 36|03 23"},
    {'F', 3, "30 00 06|03 23"},
    {'G', 4, "~41 40 00 06 46 43|43 23"},
    {'H', 4, "00 06|40 46|03 43"},
    {'I', 0, "00 06"},
    {'J', 3, "~30 34 36 06 05"},
    {'K', 4, "00 06|40 03 46"},
    {'L', 3, "00 06 36"},
    {'M', 4, "06 00 23 40 46"},
    {'N', 4, "06 00 46 40"},
    {'O', 4, "~20 40 46 06 00 20"},
    {'P', 4, "06 00|~00 40 43 03"},
    {'Q', 4, "~20 40 46 06 00 20|24 46"},
    {'R', 4, "06 00|~00 40 43 03|23 46"},
    {'S', 4, "~41 40 00 03 43 46 06 05"},
    {'T', 4, "00 40|20 26"},
    {'U', 4, "00 03|~03 06 46 43|43 40"},
    {'V', 4, "00 26 40"},
    {'W', 4, "00 16 21 36 40"},
    {'X', 4, "00 46|40 06"},
    {'Y', 4, "00 23 40|23 26"},
    {'Z', 4, "00 40 06 46"},
    {'a', 3, "~12 32 36 06 02 12|32 36"},
    {'b', 3, "00 06|~12 32 36 06 02 12"},
    {'c', 3, "~33 32 02 06 36 35"},
    {'d', 3, "30 36|~12 32 36 06 02 12"},
    {'e', 3, "04 34|~34 32 02 06 36 35"},
    {'f', 2, "~20 10 12 13|13 16|02 22"},
    {'g', 3, "~12 32 36 06 02 12|32 36|~36 38 08 07"},
    {'h', 3, "00 06|~04 02 32 34|34 36"},
    {'i', 0, "02 06|00 00"},
    {'j', 1, "12 16|~16 18 08|10 10"},
    {'k', 3, "00 06|32 04 36"},
    {'l', 0, "00 06"},
    {'m', 4, "02 06|~04 02 22 24|24 26|~24 22 42 44|44 46"},
    {'n', 3, "02 06|~04 02 32 34|34 36"},
    {'o', 3, "~12 32 36 06 02 12"},
    {'p', 3, "02 08|~12 32 36 06 02 12"},
    {'q', 3, "~12 32 36 06 02 12|32 38"},
    {'r', 2, "02 06|~04 02 22"},
    {'s', 3, "~33 32 02 04 34 36 06 05"},
    {'t', 2, "10 14|~14 16 26|02 22"},
    {'u', 3, "02 04|~04 06 36 34|32 36"},
    {'v', 2, "02 16 22"},
    {'w', 4, "02 16 23 36 42"},
    {'x', 3, "02 36|32 06"},
    {'y', 2, "02 16|22 16 08"},
    {'z', 3, "02 32 06 36"},
    {'.', 0, "06 06"},
    {',', 0, "06 07"},
    {':', 0, "03 03|06 06"},
    {'/', 3, "07 30"},
    {'-', 2, "04 24"},
    {'_', 3, "06 36"},
    {'+', 4, "04 44|22 26"},
    {'=', 3, "03 33|05 35"},
    {'(', 1, "~10 01 05 16"},
    {')', 1, "~00 11 15 06"},
    {'%', 4, "07 40|00 01|46 45"},
    {'\'', 0, "00 01"},
};
constexpr Glyph kUnknown{'?', 2, "02 22 26 06 02"};
constexpr float kSpace = 3.0f;
constexpr float kBetween = 1.9f;

const Glyph& glyph_of(char letter) {
    for (const Glyph& glyph : kGlyphs) {
        if (glyph.letter == letter) return glyph;
    }
    return kUnknown;
}

struct Point {
    float x;
    float y;
};

Point between(Point a, Point b, float t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/// The quadratic B-spline of the points, ends kept.
std::vector<Point> bent(const std::vector<Point>& points) {
    constexpr int kPieces = 6;
    std::vector<Point> out{points.front()};
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const Point from = i == 1 ? points[0] : between(points[i - 1], points[i], 0.5f);
        const Point to = i + 2 == points.size() ? points[i + 1] : between(points[i], points[i + 1], 0.5f);
        for (int k = 1; k <= kPieces; ++k) {
            const float t = static_cast<float>(k) / kPieces;
            out.push_back(between(between(from, points[i], t), between(points[i], to, t), t));
        }
    }
    return out;
}

/// Reads one stroke; `at` then stands behind it.
std::vector<Point> next_stroke(const char*& at) {
    const bool smooth = *at == '~';
    if (smooth) ++at;
    std::vector<Point> points;
    while (*at != '\0' && *at != '|') {
        points.push_back({static_cast<float>(at[0] - '0'), static_cast<float>(at[1] - '0')});
        at += 2;
        if (*at == ' ') ++at;
    }
    if (*at == '|') ++at;
    return smooth ? bent(points) : points;
}

}  // namespace

float Canvas::text_width(float size, std::string_view words) {
    float width = 0.0f;
    for (const char letter : words) {
        width += letter == ' ' ? kSpace : static_cast<float>(glyph_of(letter).width) + kBetween;
    }
    return width * size / 6.0f;
}

float Canvas::text(float x, float baseline, float size, std::string_view words, Rgb colour, float alpha) {
    const float unit = size / 6.0f;
    const float thickness = std::fmax(1.1f, size * 0.115f);
    for (const char letter : words) {
        if (letter == ' ') {
            x += kSpace * unit;
            continue;
        }
        const Glyph& glyph = glyph_of(letter);
        for (const char* at = glyph.strokes; *at != '\0';) {
            const std::vector<Point> points = next_stroke(at);
            for (std::size_t i = 1; i < points.size(); ++i) {
                line(x + points[i - 1].x * unit, baseline + (points[i - 1].y - 6.0f) * unit,
                     x + points[i].x * unit, baseline + (points[i].y - 6.0f) * unit, thickness, colour,
                     alpha);
            }
        }
        x += (static_cast<float>(glyph.width) + kBetween) * unit;
    }
    return x;
}

}  // namespace horde
