/// A frame as a picture.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "horde/files.h"
#include "io/picture/picture_layout.h"

namespace horde {
namespace {

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

/// Entries of a legend by number, with how many of the living agents each has.
std::vector<LegendEntry> entries_of(const Paint& paint, const std::vector<std::string>& names,
                                    const Snapshot& snapshot, const std::vector<std::uint8_t>& numbers) {
    std::vector<std::uint64_t> counts(paint.hues.size(), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < counts.size() && !is_dead(snapshot, i)) ++counts[numbers[i]];
    }
    std::vector<LegendEntry> entries;
    for (std::size_t n = 0; n < counts.size(); ++n) {
        const bool named = n < names.size() && !names[n].empty();
        if (!named && counts[n] == 0) continue;
        entries.push_back({named ? names[n] : std::to_string(n), with_commas(counts[n]), paint.hues[n]});
    }
    return entries;
}

Paint make_paint(const Snapshot& snapshot, std::size_t goal_sets, ColourBy by, const PictureStory& story) {
    Paint paint;
    paint.by = by;
    double fastest = 0.0;
    std::size_t hues = by == ColourBy::kGoal   ? goal_sets
                       : by == ColourBy::kType ? story.types.size()
                                               : story.behaviours.size();
    const auto needs = [&](std::size_t number, std::size_t none) {
        if (number != none) hues = std::max(hues, number + 1);
    };
    for (std::size_t i = 0; i < snapshot.count(); ++i) {
        const double speed = norm_of(snapshot.velocity[i]);
        if (std::isfinite(speed)) fastest = std::max(fastest, speed);
        if (by == ColourBy::kGoal) needs(snapshot.goal[i], kNoGoal);
        if (by == ColourBy::kType) needs(snapshot.type[i], 256);
        if (by == ColourBy::kBehaviour && !snapshot.behaviour.empty())
            needs(snapshot.behaviour[i], kNoBehaviour);
    }
    paint.top_speed = round_up(fastest);
    for (std::size_t n = 0; n < hues; ++n) paint.hues.push_back(nth_hue(static_cast<std::uint32_t>(n)));
    return paint;
}

/// The legend of the picture; returns where it begins.
float draw_legends(Canvas& canvas, const Layout& layout, const Paint& paint, const Snapshot& snapshot,
                   const PictureStory& story, float least) {
    if (paint.by == ColourBy::kSpeed)
        return draw_ramp_legend(canvas, layout, kSpeedRamp, "speed", paint.top_speed, "m/s");
    std::vector<LegendEntry> entries;
    std::string name;
    if (paint.by == ColourBy::kGoal) {
        name = "goal";
        for (std::size_t n = 0; n < paint.hues.size(); ++n)
            entries.push_back({std::to_string(n), "", paint.hues[n]});
    } else if (paint.by == ColourBy::kType) {
        entries = entries_of(paint, story.types, snapshot, snapshot.type);
    } else {
        entries = entries_of(paint, story.behaviours, snapshot, snapshot.behaviour);
    }
    if (!story.deaths.empty())
        entries.push_back({"died", with_commas(story.deaths.size()), kDeathColour, true});
    return draw_legend(canvas, layout, name, entries, least);
}

/// Halos and trails may have left the plot.
void cover_margins(Canvas& canvas, const Layout& layout) {
    const auto width = static_cast<float>(layout.width), height = static_cast<float>(layout.height);
    const auto left = static_cast<float>(layout.left), top = static_cast<float>(layout.top);
    canvas.rect(0.0f, 0.0f, width, top, kPaper);
    canvas.rect(0.0f, top, left, height, kPaper);
    canvas.rect(left + static_cast<float>(layout.plot_width), top, width, height, kPaper);
    canvas.rect(0.0f, top + static_cast<float>(layout.plot_height), width, height, kPaper);
}

constexpr std::size_t kMostRings = 12;

/// Goal sets of more cells than have rings are areas, below the agents.
void draw_goal_areas(Canvas& canvas, const Layout& layout, const Map& map,
                     std::span<const Field* const> fields, const Paint& paint) {
    for (std::size_t set = 0; set < fields.size(); ++set) {
        if (fields[set] == nullptr || fields[set]->goals.size() <= kMostRings) continue;
        const Rgb colour = paint.by == ColourBy::kGoal ? paint.hues[set] : kInk;
        for (const Cell goal : fields[set]->goals) {
            if (!map.contains(goal)) continue;
            const double x = goal.column * map.cell_size, y = goal.row * map.cell_size;
            canvas.rect(layout.x(x), layout.y(y), layout.x(x + map.cell_size), layout.y(y + map.cell_size),
                        colour, 0.14f);
        }
    }
}

void draw_goals(Canvas& canvas, const Layout& layout, const Map& map, std::span<const Field* const> fields,
                const Paint& paint) {
    std::vector<std::size_t> drawn;  // a set that holds all goals shows none twice
    for (std::size_t set = 0; set < fields.size(); ++set) {
        if (fields[set] == nullptr || fields[set]->goals.size() > kMostRings) continue;
        for (const Cell goal : fields[set]->goals) {
            if (!map.contains(goal)) continue;
            const std::size_t index = map.index(goal);
            if (std::find(drawn.begin(), drawn.end(), index) != drawn.end()) continue;
            if (drawn.size() < 4096) drawn.push_back(index);
            draw_goal(canvas, layout, map, goal, paint.by == ColourBy::kGoal ? paint.hues[set] : kInk);
        }
    }
}

/// Metres to move everything by, so that the seam of a world that repeats lies away from the crowd: it then
/// stands in the middle. Nothing where agents are everywhere.
Vec3 away_from_seam(const Snapshot& snapshot, const Bounds& bounds) {
    constexpr double kTurn = 6.283185307179586, kLeastOrder = 0.1;
    const auto shift = [&](double low, double length, double Vec3::*axis) {
        double c = 0.0, s = 0.0, count = 0.0;
        for (std::size_t i = 0; i < snapshot.count(); ++i) {
            if (!is_finite(snapshot.position[i])) continue;
            const double angle = kTurn * (snapshot.position[i].*axis - low) / length;
            c += std::cos(angle);
            s += std::sin(angle);
            count += 1.0;
        }
        if (!(std::sqrt(c * c + s * s) > kLeastOrder * count)) return 0.0;
        return length / 2 - std::atan2(s, c) / kTurn * length;
    };
    return {shift(bounds.min.x, bounds.max.x - bounds.min.x, &Vec3::x),
            shift(bounds.min.y, bounds.max.y - bounds.min.y, &Vec3::y), 0.0};
}

void move_all(Snapshot& snapshot, PictureStory& story, const Vec3& shift) {
    const Bounds& bounds = *story.bounds;
    const auto wrapped = [](double x, double low, double high) {
        return x - std::floor((x - low) / (high - low)) * (high - low);
    };
    const auto move = [&](Vec3& p) {
        p.x = wrapped(p.x + shift.x, bounds.min.x, bounds.max.x);
        p.y = wrapped(p.y + shift.y, bounds.min.y, bounds.max.y);
    };
    for (Vec3& p : snapshot.position) move(p);
    for (Snapshot& old : story.before) {
        for (Vec3& p : old.position) move(p);
    }
    for (PictureDeath& death : story.deaths) move(death.place);
}

Canvas draw_settled_frame(const Map* map, std::span<const Field* const> fields, const Snapshot& snapshot,
                          const SceneView& view, const PictureStory& story) {
    const bool has_map = map != nullptr && !map->cost.empty();
    const Layout layout = make_layout(has_map        ? map_extent(*map)
                                      : story.bounds ? *story.bounds
                                                     : agents_extent(snapshot),
                                      view.width);
    const Paint paint = make_paint(snapshot, has_map ? fields.size() : 0, view.colour, story);
    Canvas canvas(layout.width, layout.height, kPaper);
    const double plot_area = static_cast<double>(layout.plot_width) * layout.plot_height;
    double radius =
        0.2 * std::sqrt(plot_area / static_cast<double>(std::max<std::size_t>(snapshot.count(), 1)));
    radius = std::clamp(radius, 1.3, 6.0);
    if (has_map) {
        draw_map(canvas, layout, *map);
        draw_goal_areas(canvas, layout, *map, fields, paint);
        radius = std::clamp(0.36 * map->cell_size * layout.scale, 1.5, 16.0);
    } else {
        draw_panel(canvas, layout);
    }
    draw_agents(canvas, layout, snapshot, paint, story, static_cast<float>(radius));
    if (has_map) draw_goals(canvas, layout, *map, fields, paint);  // above the crowd that gathers there
    cover_margins(canvas, layout);
    draw_scale_bar(canvas, layout);
    const std::string title = with_commas(snapshot.count()) + (snapshot.count() == 1 ? " agent" : " agents");
    const float least = Canvas::text_width(layout.text_size(), title) + 2.0f * layout.text_size();
    const float free = draw_legends(canvas, layout, paint, snapshot, story, least);
    draw_title(canvas, layout, title, plain(snapshot.time, 2) + " s   frame " + with_commas(snapshot.frame),
               free);
    return canvas;
}

}  // namespace

Canvas draw_frame(const Map* map, std::span<const Field* const> fields, const Snapshot& snapshot,
                  const SceneView& view, const PictureStory& story) {
    const bool repeats = story.bounds && (map == nullptr || map->cost.empty());
    if (!repeats) return draw_settled_frame(map, fields, snapshot, view, story);
    Snapshot moved = snapshot;
    PictureStory told = story;
    move_all(moved, told, away_from_seam(snapshot, *story.bounds));
    return draw_settled_frame(nullptr, fields, moved, view, told);
}

void write_picture(const std::string& path, const Map* map, std::span<const Field* const> fields,
                   const Snapshot& snapshot, const SceneView& view, const PictureStory& story) {
    draw_frame(map, fields, snapshot, view, story).save_png(path);
}

}  // namespace horde
