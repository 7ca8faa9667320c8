/// What the pictures share: where things go, and in which colours.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "horde/agents.h"
#include "horde/field.h"
#include "horde/files.h"
#include "horde/scene.h"
#include "io/picture/canvas.h"

namespace horde {

/// A night map: dark ground, so that agents shine on it.
inline constexpr Rgb kPaper{14, 17, 24};
inline constexpr Rgb kStreetColour{25, 30, 41};
inline constexpr Rgb kInk{233, 229, 219};
inline constexpr Rgb kFaintInk{139, 146, 163};

/// Nine points from 0 to 1, of even steps of lightness as the eye takes them (OKLab).
using Ramp = std::array<Rgb, 9>;
/// Violet, blue, green, yellow: slow to fast.
inline constexpr Ramp kSpeedRamp{{{103, 68, 197},
                                  {56, 109, 213},
                                  {8, 142, 196},
                                  {5, 167, 180},
                                  {6, 191, 168},
                                  {78, 210, 144},
                                  {141, 225, 111},
                                  {214, 230, 80},
                                  {255, 236, 148}}};
/// Straw, orange, red, purple, indigo: near to far.
inline constexpr Ramp kFarRamp{{{252, 241, 170},
                                {254, 207, 104},
                                {255, 168, 85},
                                {254, 123, 82},
                                {238, 83, 99},
                                {199, 64, 128},
                                {152, 55, 146},
                                {102, 48, 149},
                                {54, 46, 126}}};
Rgb ramp_colour(const Ramp& ramp, float share);
/// A hue for the n-th of many, far from those of its neighbours.
Rgb nth_hue(std::uint32_t n);

/// The smallest of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is not below `value`; 1 if that is
/// 0.
double round_up(double value);
/// "1,234,567"
std::string with_commas(std::uint64_t number);
/// At most `places` places, without trailing zeros.
std::string plain(double value, int places);

/// Where world metres lie on the canvas.
struct Layout {
    int width = 0;  ///< of the canvas, pixels
    int height = 0;
    int header = 0;  ///< rows above the plot; 0: too small for words
    int left = 0;    ///< of the plot
    int top = 0;
    int plot_width = 0;
    int plot_height = 0;
    double scale = 1.0;  ///< pixels a metre
    double min_x = 0.0;  ///< metres, at `left`
    double min_y = 0.0;

    float x(double metres) const { return static_cast<float>(left + (metres - min_x) * scale); }
    float y(double metres) const { return static_cast<float>(top + (metres - min_y) * scale); }
    float text_size() const { return static_cast<float>(header) * 0.28f; }
};

/// Lays out `extent`, the longer side of the canvas `pixels` long (16 to 16384, else Error).
Layout make_layout(const Bounds& extent, int pixels);
Bounds map_extent(const Map& map);

/// Streets, lawns and buildings with soft shadows.
void draw_map(Canvas& canvas, const Layout& layout, const Map& map);
/// A panel with faint lines at round metres, where there is no map.
void draw_panel(Canvas& canvas, const Layout& layout);
/// Clear rings at the centres of goal cells.
void draw_goal(Canvas& canvas, const Layout& layout, const Map& map, Cell goal, Rgb colour);
void draw_scale_bar(Canvas& canvas, const Layout& layout);

/// How agents get their colours.
struct Paint {
    ColourBy by = ColourBy::kSpeed;
    double top_speed = 1.0;
    std::vector<Rgb> hues;  ///< by goal, type or behaviour

    Rgb operator()(const Snapshot& snapshot, std::size_t i) const;
};
inline constexpr Rgb kDeadColour{150, 154, 164};
inline constexpr Rgb kDeathColour{206, 74, 82};

bool is_dead(const Snapshot& snapshot, std::size_t i);
bool is_finite(const Vec3& vector);
double norm_of(const Vec3& vector);
/// Of each type, whether it is rare: fewer than one in twenty of those who live are of it.
std::array<bool, 256> rare_types(const Snapshot& snapshot);

void draw_cross(Canvas& canvas, float x, float y, float radius, Rgb colour, float alpha);
/// Where agents died, the ways that they came, the dead, and the living as dots of this radius.
void draw_agents(Canvas& canvas, const Layout& layout, const Snapshot& snapshot, const Paint& paint,
                 const PictureStory& story, float radius);

/// The rest is left out where it would run past `right`.
void draw_title(Canvas& canvas, const Layout& layout, const std::string& title, const std::string& rest,
                float right);
/// A colour bar at the right of the header, from 0 to `most`. Returns where it begins.
float draw_ramp_legend(Canvas& canvas, const Layout& layout, const Ramp& ramp, const std::string& name,
                       double most, const std::string& unit);
/// An entry of a legend; `count` stands behind the words where there is room.
struct LegendEntry {
    std::string words;
    std::string count;
    Rgb colour;
    bool cross = false;  ///< instead of a dot
};
/// Dots or crosses with words at the right of the header, at most eight and no further left than `least`.
/// Returns where they begin.
float draw_legend(Canvas& canvas, const Layout& layout, const std::string& name,
                  std::span<const LegendEntry> entries, float least);

/// What write_picture and write_field_picture save.
Canvas draw_frame(const Map* map, std::span<const Field* const> fields, const Snapshot& snapshot,
                  const SceneView& view, const PictureStory& story = {});
Canvas draw_field(const Map& map, const Field& field, const SceneView& view);

/// How deep in the wall each cell lies: 0 free, 1 at the edge, counted in straight steps, at most 255.
std::vector<std::uint8_t> wall_depth(const Map& map);

}  // namespace horde
