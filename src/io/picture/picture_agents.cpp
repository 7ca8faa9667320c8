/// The agents of a picture, and what befell them.
#include <algorithm>
#include <cmath>
#include <optional>

#include "io/picture/picture_layout.h"

namespace horde {
namespace {

constexpr double kRarePart = 0.05;

/// Of what a snapshot draws with one brush: how large, and when.
struct Marks {
    std::array<float, 256> radius{};  ///< pixels, by type
    std::array<bool, 256> rare{};
};

Marks marks_of(const Snapshot& snapshot, const PictureStory& story, float radius, float least_rare) {
    Marks marks;
    marks.rare = rare_types(snapshot);
    for (std::size_t type = 0; type < 256; ++type) {
        const double size = type < story.sizes.size() ? story.sizes[type] : 1.0;
        const auto own = static_cast<float>(std::clamp(size, 0.5, 4.0)) * radius;
        marks.radius[type] = marks.rare[type] ? std::max(own * 1.25f, least_rare) : own;
    }
    return marks;
}

/// Rows that can be drawn: in order of height, then of id, and rare types last.
std::vector<std::uint32_t> drawing_order(const Snapshot& snapshot, const Marks& marks) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < snapshot.count(); ++i) {
        if (is_finite(snapshot.position[i]) && is_finite(snapshot.velocity[i])) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const bool rare_a = marks.rare[snapshot.type[a]], rare_b = marks.rare[snapshot.type[b]];
        if (rare_a != rare_b) return rare_b;
        return snapshot.dim == 3 && snapshot.position[a].z < snapshot.position[b].z;
    });
    return order;
}

/// How far up the agents of a 3D frame are, 0 to 1; in 2D all are up.
struct Heights {
    bool flat = true;
    double low = 0.0, high = 0.0;

    explicit Heights(const Snapshot& snapshot) : flat(snapshot.dim != 3) {
        bool any = false;
        for (const Vec3& p : snapshot.position) {
            if (!is_finite(p)) continue;
            low = any ? std::min(low, p.z) : p.z;
            high = any ? std::max(high, p.z) : p.z;
            any = true;
        }
    }
    float of(double z) const {
        if (flat || !(high > low)) return 1.0f;
        return static_cast<float>(std::clamp((z - low) / (high - low), 0.0, 1.0));
    }
};

/// What is low is dim.
Rgb dimmed(Rgb colour, float up) {
    constexpr float kDimmest = 0.3f;
    return mixed(kStreetColour, colour, kDimmest + (1.0f - kDimmest) * up);
}

/// Behind each agent a stroke along its velocity.
void draw_strokes(Canvas& canvas, const Layout& layout, const Snapshot& snapshot, const Paint& paint,
                  const Marks& marks, const Heights& heights, std::span<const std::uint32_t> order) {
    constexpr double kTrailSeconds = 0.9;
    for (const std::uint32_t i : order) {
        if (is_dead(snapshot, i)) continue;
        const Vec3& p = snapshot.position[i];
        const Vec3& v = snapshot.velocity[i];
        const float radius = marks.radius[snapshot.type[i]];
        const double length = norm_of({v.x, v.y, 0.0}) * kTrailSeconds * layout.scale;
        if (length <= radius) continue;
        const double shown = kTrailSeconds * std::min(1.0, 7.0 * static_cast<double>(radius) / length);
        canvas.fading_line(layout.x(p.x), layout.y(p.y), layout.x(p.x - v.x * shown),
                           layout.y(p.y - v.y * shown), radius * 1.1f,
                           dimmed(paint(snapshot, i), heights.of(p.z)), 0.55f, 0.0f);
    }
}

std::optional<std::size_t> row_of(const Snapshot& snapshot, AgentId id) {
    const auto found = std::lower_bound(snapshot.id.begin(), snapshot.id.end(), id);
    if (found == snapshot.id.end() || *found != id) return std::nullopt;
    return static_cast<std::size_t>(found - snapshot.id.begin());
}

/// Does the straight way between two frames cross the seam of a world that repeats?
bool leaps(const PictureStory& story, const Vec3& a, const Vec3& b) {
    if (!story.bounds) return false;
    const Bounds& bounds = *story.bounds;
    return std::fabs(a.x - b.x) > (bounds.max.x - bounds.min.x) / 2 ||
           std::fabs(a.y - b.y) > (bounds.max.y - bounds.min.y) / 2;
}

/// The ways of all agents from each frame to the next, the older the fainter, in the colours of then.
void draw_trails(Canvas& canvas, const Layout& layout, const Snapshot& last, const Paint& paint,
                 const Marks& marks, const PictureStory& story) {
    const std::size_t frames = story.before.size();
    for (std::size_t n = 0; n < frames; ++n) {
        const Snapshot& from = story.before[n];
        const Snapshot& to = n + 1 < frames ? story.before[n + 1] : last;
        const float age = static_cast<float>(n + 1) / static_cast<float>(frames);
        for (std::size_t i = 0; i < from.count(); ++i) {
            const auto row = row_of(to, from.id[i]);
            if (!row || !is_finite(from.position[i]) || !is_finite(to.position[*row])) continue;
            const Vec3 &a = from.position[i], &b = to.position[*row];
            if (is_dead(from, i) || leaps(story, a, b)) continue;
            const bool rare = marks.rare[from.type[i]];
            const float thickness = std::max(rare ? 2.2f : 1.2f, marks.radius[from.type[i]] * 0.45f);
            canvas.stroke(layout.x(a.x), layout.y(a.y), layout.x(b.x), layout.y(b.y), thickness,
                          paint(from, i), (rare ? 0.2f : 0.08f) + (rare ? 0.7f : 0.47f) * age);
        }
    }
}

}  // namespace

bool is_finite(const Vec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

double norm_of(const Vec3& v) {
    return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

bool is_dead(const Snapshot& snapshot, std::size_t i) {
    return i < snapshot.combat.size() && snapshot.combat[i] == CombatState::kDead;
}

std::array<bool, 256> rare_types(const Snapshot& snapshot) {
    std::array<std::size_t, 256> counts{};
    std::size_t alive = 0;
    for (std::size_t i = 0; i < snapshot.count(); ++i) {
        if (is_dead(snapshot, i)) continue;
        ++counts[snapshot.type[i]];
        ++alive;
    }
    std::array<bool, 256> rare{};
    for (std::size_t type = 0; type < 256; ++type) {
        rare[type] = static_cast<double>(counts[type]) < kRarePart * static_cast<double>(alive);
    }
    return rare;
}

Rgb Paint::operator()(const Snapshot& snapshot, std::size_t i) const {
    const auto hue = [&](std::size_t number) { return number < hues.size() ? hues[number] : kFaintInk; };
    switch (by) {
        case ColourBy::kSpeed:
            return ramp_colour(kSpeedRamp, static_cast<float>(norm_of(snapshot.velocity[i]) / top_speed));
        case ColourBy::kGoal:
            return hue(snapshot.goal[i]);
        case ColourBy::kType:
            return hue(snapshot.type[i]);
        case ColourBy::kBehaviour:
            return i < snapshot.behaviour.size() ? hue(snapshot.behaviour[i]) : kFaintInk;
    }
    return kFaintInk;
}

void draw_cross(Canvas& canvas, float x, float y, float radius, Rgb colour, float alpha) {
    const float thickness = std::max(1.2f, radius * 0.45f);
    canvas.line(x - radius, y - radius, x + radius, y + radius, thickness, colour, alpha);
    canvas.line(x - radius, y + radius, x + radius, y - radius, thickness, colour, alpha);
}

void draw_agents(Canvas& canvas, const Layout& layout, const Snapshot& snapshot, const Paint& paint,
                 const PictureStory& story, float radius) {
    const Marks marks =
        marks_of(snapshot, story, radius, static_cast<float>(std::max(layout.width, layout.height)) / 270.0f);
    const std::vector<std::uint32_t> order = drawing_order(snapshot, marks);
    const Heights heights(snapshot);
    if (story.before.empty()) draw_strokes(canvas, layout, snapshot, paint, marks, heights, order);
    draw_trails(canvas, layout, snapshot, paint, marks, story);
    // So many that they would cover the ground shine through each other.
    const double area = static_cast<double>(layout.plot_width) * layout.plot_height;
    const double room = area / (40.0 * static_cast<double>(std::max<std::size_t>(snapshot.count(), 1)));
    const auto thin = static_cast<float>(std::clamp(room, 0.4, 0.8));
    const float cross = std::clamp(radius * 0.6f, 2.0f, 8.0f);
    for (const PictureDeath& death : story.deaths) {
        if (!is_finite(death.place) || row_of(snapshot, death.id)) continue;  // who lies there is drawn below
        draw_cross(canvas, layout.x(death.place.x), layout.y(death.place.y), cross, kDeathColour, 0.6f);
    }
    for (const std::uint32_t i : order) {
        const float x = layout.x(snapshot.position[i].x);
        const float y = layout.y(snapshot.position[i].y);
        const float own = marks.radius[snapshot.type[i]];
        if (is_dead(snapshot, i)) {
            draw_cross(canvas, x, y, std::max(own * 0.6f, 2.0f), kDeadColour, 0.75f);
            continue;
        }
        const bool stands_out = marks.rare[snapshot.type[i]];
        const Rgb colour = paint(snapshot, i);
        const float up = heights.of(snapshot.position[i].z);
        if (room < 1.0 && !stands_out) {
            canvas.disc(x, y, own, colour, (0.4f + 0.6f * up) * thin);
            continue;
        }
        canvas.disc(x, y, own + (stands_out ? 2.2f : 0.9f), kPaper, stands_out ? 0.85f : 0.55f);
        canvas.disc(x, y, own, stands_out ? colour : dimmed(colour, up));
    }
}

}  // namespace horde
