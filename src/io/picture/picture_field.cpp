/// A field as a picture.
#include <algorithm>
#include <cmath>
#include <limits>

#include "horde/error.h"
#include "horde/files.h"
#include "io/picture/picture_layout.h"

namespace horde {
namespace {

constexpr float kNowhere = -1.0f;  // instead of a value: no goal can be reached

/// Integration values in metres over cost 1, kNowhere where there is none.
std::vector<float> metres_to_goal(const Map& map, const Field& field) {
    std::vector<float> metres(map.cost.size(), kNowhere);
    for (std::size_t i = 0; i < metres.size(); ++i) {
        const std::uint64_t value = field.value(i);
        if (value == kUnreachable64) continue;
        metres[i] = static_cast<float>(static_cast<double>(value) / kStraightStep * map.cell_size);
    }
    return metres;
}

/// Values between cell centres: the mean of the four cells round a place, by nearness, walls left out. It
/// never looks past a corner of two walls.
class Between {
  public:
    Between(const Map& map, const std::vector<float>& metres) : map_(map), metres_(metres) {}

    /// At (x, y) in cells; kNowhere unless the cell itself has a value.
    float operator()(float x, float y) const {
        const Cell own{clamped(x, map_.columns), clamped(y, map_.rows)};
        const float here = metres_[map_.index(own)];
        if (here == kNowhere) return kNowhere;
        const float right = x - (static_cast<float>(own.column) + 0.5f);
        const float down = y - (static_cast<float>(own.row) + 0.5f);
        const Cell side{own.column + (right < 0 ? -1 : 1), own.row};
        const Cell over{own.column, own.row + (down < 0 ? -1 : 1)};
        const float at_side = value(side);
        const float at_over = value(over);
        const float at_corner =
            at_side == kNowhere && at_over == kNowhere ? kNowhere : value({side.column, over.row});
        const float u = std::fabs(right);
        const float v = std::fabs(down);
        float sum = here * (1 - u) * (1 - v);
        float weight = (1 - u) * (1 - v);
        const auto add = [&](float metres, float share) {
            if (metres == kNowhere) return;
            sum += metres * share;
            weight += share;
        };
        add(at_side, u * (1 - v));
        add(at_over, (1 - u) * v);
        add(at_corner, u * v);
        return sum / weight;
    }

  private:
    static std::int32_t clamped(float at, std::int32_t count) {
        return std::clamp(static_cast<std::int32_t>(std::floor(at)), 0, count - 1);
    }
    float value(Cell cell) const { return map_.contains(cell) ? metres_[map_.index(cell)] : kNowhere; }

    const Map& map_;
    const std::vector<float>& metres_;
};

/// Colours and iso-lines over the free cells of the plot; hatching where no goal can be reached.
void draw_values(Canvas& canvas, const Layout& layout, const Map& map, const std::vector<float>& metres,
                 float most, float interval) {
    const Between between(map, metres);
    const float step_x = static_cast<float>(map.columns) / static_cast<float>(layout.plot_width);
    const float step_y = static_cast<float>(map.rows) / static_cast<float>(layout.plot_height);
    const float hatch = std::max(6.0f, static_cast<float>(layout.width) / 160.0f);
    for (int y = 0; y < layout.plot_height; ++y) {
        for (int x = 0; x < layout.plot_width; ++x) {
            const float at_x = (static_cast<float>(x) + 0.5f) * step_x;
            const float at_y = (static_cast<float>(y) + 0.5f) * step_y;
            const Cell cell{std::min(static_cast<std::int32_t>(at_x), map.columns - 1),
                            std::min(static_cast<std::int32_t>(at_y), map.rows - 1)};
            if (!map.is_free(cell)) continue;
            Rgb& pixel = canvas.at(layout.left + x, layout.top + y);
            const float value = between(at_x, at_y);
            if (value == kNowhere) {
                const float stripe = std::fmod(static_cast<float>(x + y), hatch);
                pixel = stripe < hatch * 0.4f ? Rgb{116, 58, 62} : Rgb{52, 36, 42};
                continue;
            }
            // The ground's shadows stay visible through the colour.
            const float light =
                0.72f + 0.28f * static_cast<float>(pixel.g) / static_cast<float>(kStreetColour.g);
            Rgb colour = ramp_colour(kFarRamp, most > 0.0f ? value / most : 0.0f);
            if (static_cast<std::int64_t>(value / interval) % 2 != 0) colour = mixed(colour, kPaper, 0.07f);
            const float right = between(at_x + step_x, at_y);
            const float down = between(at_x, at_y + step_y);
            const float slope_x = right == kNowhere ? 0.0f : right - value;
            const float slope_y = down == kNowhere ? 0.0f : down - value;
            const float slope = std::sqrt(slope_x * slope_x + slope_y * slope_y);
            const float off = std::fabs(value - std::round(value / interval) * interval);
            const float pixels_off = slope > 0.0f ? off / slope : 1e9f;
            if (value > interval / 2 && slope < interval / 3) {
                colour = mixed(colour, kPaper, 0.5f * std::clamp(1.3f - pixels_off, 0.0f, 1.0f));
            }
            pixel = scaled(colour, std::min(light, 1.0f));
        }
    }
}

/// A stroke from the middle of every `stride`-th cell towards where its walkers go.
void draw_directions(Canvas& canvas, const Layout& layout, const Map& map, const Field& field) {
    constexpr float kX[8] = {1, 0, -1, 0, 0.70710678f, -0.70710678f, -0.70710678f, 0.70710678f};
    constexpr float kY[8] = {0, 1, 0, -1, 0.70710678f, 0.70710678f, -0.70710678f, -0.70710678f};
    const double cell = map.cell_size * layout.scale;
    const std::int32_t stride = cell >= 8.0 ? 1 : static_cast<std::int32_t>(std::ceil(13.0 / cell));
    const float reach = std::min(static_cast<float>(cell) * static_cast<float>(stride) * 0.36f, 22.0f);
    const float thin = std::clamp(reach * 0.17f, 0.9f, 3.0f);
    for (std::int32_t row = stride / 2; row < map.rows; row += stride) {
        for (std::int32_t column = stride / 2; column < map.columns; column += stride) {
            const auto way = static_cast<std::size_t>(field.flow[map.index({column, row})]);
            if (way >= 8) continue;
            const float x = layout.x((column + 0.5) * map.cell_size);
            const float y = layout.y((row + 0.5) * map.cell_size);
            const float dx = kX[way] * reach;
            const float dy = kY[way] * reach;
            const float tip_x = x + dx;
            const float tip_y = y + dy;
            canvas.line(x - dx, y - dy, tip_x, tip_y, thin, kPaper, 0.62f);
            for (const float side : {-1.0f, 1.0f}) {
                canvas.line(tip_x, tip_y, tip_x - 0.6f * dx - side * 0.45f * dy,
                            tip_y - 0.6f * dy + side * 0.45f * dx, thin, kPaper, 0.62f);
            }
        }
    }
}

}  // namespace

Canvas draw_field(const Map& map, const Field& field, const SceneView& view) {
    const std::size_t cells = map.cost.size();
    if (cells == 0) throw Error("a map without cells has no picture; give a map");
    if (field.columns != map.columns || field.rows != map.rows || field.flow.size() != cells) {
        throw Error("the field to draw belongs to another map; build it from this one");
    }
    const Layout layout = make_layout(map_extent(map), view.width);
    const std::vector<float> metres = metres_to_goal(map, field);
    const float most = std::max(0.0f, *std::max_element(metres.begin(), metres.end()));
    const double interval = round_up(std::max(static_cast<double>(most) / 24.0, 1e-6));
    Canvas canvas(layout.width, layout.height, kPaper);
    draw_map(canvas, layout, map);
    draw_values(canvas, layout, map, metres, most, static_cast<float>(interval));
    draw_directions(canvas, layout, map, field);
    for (std::size_t i = 0; i < field.goals.size() && i < 4096; ++i) {
        draw_goal(canvas, layout, map, field.goals[i], {255, 255, 255});
    }
    canvas.rect(0.0f, 0.0f, static_cast<float>(layout.width), static_cast<float>(layout.top), kPaper);
    draw_scale_bar(canvas, layout);
    const std::size_t goals = field.goals.size();
    const float free = draw_ramp_legend(canvas, layout, kFarRamp, "cost", most, "m");
    draw_title(canvas, layout,
               "Way to " + std::string(goals == 1 ? "the goal" : with_commas(goals) + " goals"),
               with_commas(static_cast<std::uint64_t>(map.columns)) + " x " +
                   with_commas(static_cast<std::uint64_t>(map.rows)) + " cells   a line every " +
                   plain(interval, 6) + " m",
               free);
    return canvas;
}

void write_field_picture(const std::string& path, const Map& map, const Field& field, const SceneView& view) {
    draw_field(map, field, view).save_png(path);
}

}  // namespace horde
