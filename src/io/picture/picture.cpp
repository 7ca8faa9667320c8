/// A frame as a picture.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "horde/files.h"
#include "io/picture/picture_layout.h"

namespace horde {
namespace {

bool is_finite(const Vec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

/// What the agents cover, with a margin, in a shape that is not too narrow to look at.
Bounds agents_extent(const Snapshot& snapshot) {
    Vec3 low{0.0, 0.0, 0.0};
    Vec3 high{0.0, 0.0, 0.0};
    bool any = false;
    for (const Vec3& p : snapshot.position) {
        if (!is_finite(p)) continue;
        low = any ? Vec3{std::min(low.x, p.x), std::min(low.y, p.y), 0.0} : Vec3{p.x, p.y, 0.0};
        high = any ? Vec3{std::max(high.x, p.x), std::max(high.y, p.y), 0.0} : Vec3{p.x, p.y, 0.0};
        any = true;
    }
    const double longer = std::max(high.x - low.x, high.y - low.y);
    const double margin = std::max(1.0, longer * 0.04);
    const double least = std::max(8.0, longer * 0.4);
    const double more_x = std::max(margin, (least - (high.x - low.x)) / 2);
    const double more_y = std::max(margin, (least - (high.y - low.y)) / 2);
    return {{low.x - more_x, low.y - more_y, 0.0}, {high.x + more_x, high.y + more_y, 0.0}};
}

double speed_of(const Vec3& v) {
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/// How agents get their colours.
struct Paint {
    ColourBy by = ColourBy::kSpeed;
    double top_speed = 1.0;
    std::vector<Rgb> hues;

    Rgb operator()(const Snapshot& snapshot, std::size_t i) const {
        if (by == ColourBy::kSpeed) {
            return ramp_colour(kSpeedRamp, static_cast<float>(speed_of(snapshot.velocity[i]) / top_speed));
        }
        return snapshot.goal[i] == kNoGoal ? kFaintInk : hues[snapshot.goal[i]];
    }
};

Paint make_paint(const Snapshot& snapshot, std::size_t goal_sets, ColourBy by) {
    Paint paint;
    paint.by = by;
    double fastest = 0.0;
    std::size_t goals = goal_sets;
    for (std::size_t i = 0; i < snapshot.count(); ++i) {
        const double speed = speed_of(snapshot.velocity[i]);
        if (std::isfinite(speed)) fastest = std::max(fastest, speed);
        if (snapshot.goal[i] != kNoGoal)
            goals = std::max<std::size_t>(goals, snapshot.goal[i] + std::size_t{1});
    }
    paint.top_speed = round_up(fastest);
    for (std::size_t goal = 0; goal < goals; ++goal)
        paint.hues.push_back(nth_hue(static_cast<std::uint32_t>(goal)));
    return paint;
}

void draw_goals(Canvas& canvas, const Layout& layout, const Map& map, std::span<const Field* const> fields,
                const Paint& paint) {
    std::vector<std::size_t> drawn;  // a set that holds all goals shows none twice
    for (std::size_t set = 0; set < fields.size(); ++set) {
        if (fields[set] == nullptr) continue;
        for (const Cell goal : fields[set]->goals) {
            if (!map.contains(goal)) continue;
            const std::size_t index = map.index(goal);
            if (std::find(drawn.begin(), drawn.end(), index) != drawn.end()) continue;
            if (drawn.size() < 4096) drawn.push_back(index);
            draw_goal(canvas, layout, map, goal, paint.by == ColourBy::kGoal ? paint.hues[set] : kInk);
        }
    }
}

/// Dots with a short trail behind them, in order of height, then of id.
void draw_agents(Canvas& canvas, const Layout& layout, const Snapshot& snapshot, const Paint& paint,
                 float radius) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < snapshot.count(); ++i) {
        if (is_finite(snapshot.position[i]) && is_finite(snapshot.velocity[i])) order.push_back(i);
    }
    if (snapshot.dim == 3) {
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return snapshot.position[a].z < snapshot.position[b].z;
        });
    }
    constexpr double kTrailSeconds = 0.9;
    for (const std::uint32_t i : order) {
        const Vec3& v = snapshot.velocity[i];
        const double length = speed_of({v.x, v.y, 0.0}) * kTrailSeconds * layout.scale;
        if (length <= radius) continue;
        const double shown = kTrailSeconds * std::min(1.0, 7.0 * static_cast<double>(radius) / length);
        const float x = layout.x(snapshot.position[i].x);
        const float y = layout.y(snapshot.position[i].y);
        const float back_x = layout.x(snapshot.position[i].x - v.x * shown);
        const float back_y = layout.y(snapshot.position[i].y - v.y * shown);
        canvas.fading_line(x, y, back_x, back_y, radius * 1.1f, paint(snapshot, i), 0.55f, 0.0f);
    }
    for (const std::uint32_t i : order) {
        const float x = layout.x(snapshot.position[i].x);
        const float y = layout.y(snapshot.position[i].y);
        canvas.disc(x, y, radius + 0.9f, kPaper, 0.55f);
        canvas.disc(x, y, radius, paint(snapshot, i));
    }
}

}  // namespace

Canvas draw_frame(const Map* map, std::span<const Field* const> fields, const Snapshot& snapshot,
                  const SceneView& view) {
    const bool has_map = map != nullptr && !map->cost.empty();
    const Layout layout = make_layout(has_map ? map_extent(*map) : agents_extent(snapshot), view.width);
    const Paint paint = make_paint(snapshot, has_map ? fields.size() : 0, view.colour);
    Canvas canvas(layout.width, layout.height, kPaper);
    const double plot_area = static_cast<double>(layout.plot_width) * layout.plot_height;
    double radius =
        0.2 * std::sqrt(plot_area / static_cast<double>(std::max<std::size_t>(snapshot.count(), 1)));
    radius = std::clamp(radius, 1.5, 6.0);
    if (has_map) {
        draw_map(canvas, layout, *map);
        radius = std::clamp(0.36 * map->cell_size * layout.scale, 1.5, 16.0);
    } else {
        draw_panel(canvas, layout);
    }
    draw_agents(canvas, layout, snapshot, paint, static_cast<float>(radius));
    if (has_map) draw_goals(canvas, layout, *map, fields, paint);  // above the crowd that gathers there
    // Halos and trails may have left the plot.
    canvas.rect(0.0f, 0.0f, static_cast<float>(layout.width), static_cast<float>(layout.top), kPaper);
    draw_scale_bar(canvas, layout);
    const std::string agents = snapshot.count() == 1 ? " agent" : " agents";
    const float free = view.colour == ColourBy::kSpeed
                           ? draw_ramp_legend(canvas, layout, kSpeedRamp, "speed", paint.top_speed, "m/s")
                           : draw_goal_legend(canvas, layout, static_cast<std::uint32_t>(paint.hues.size()));
    draw_title(canvas, layout, with_commas(snapshot.count()) + agents,
               plain(snapshot.time, 2) + " s   frame " + with_commas(snapshot.frame), free);
    return canvas;
}

void write_picture(const std::string& path, const Map* map, std::span<const Field* const> fields,
                   const Snapshot& snapshot, const SceneView& view) {
    draw_frame(map, fields, snapshot, view).save_png(path);
}

}  // namespace horde
