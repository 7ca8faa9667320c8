/// The map under a picture.
#include <algorithm>
#include <cmath>

#include "io/picture/picture_layout.h"

namespace horde {
namespace {

/// One byte a pixel of the plot.
struct Plane {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> value;

    Plane(int w, int h)
        : width(w), height(h), value(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
    std::uint8_t& at(int x, int y) {
        return value[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    }
    float near(int x, int y) {
        return static_cast<float>(at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1))) / 255.0f;
    }
};

/// Mean over 2 r + 1 values along a line of `count` values `stride` apart.
void blur_line(std::uint8_t* line, int count, std::ptrdiff_t stride, int r, std::vector<std::uint8_t>& copy) {
    copy.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) copy[static_cast<std::size_t>(i)] = line[i * stride];
    const auto from = [&](int i) {
        return static_cast<int>(copy[static_cast<std::size_t>(std::clamp(i, 0, count - 1))]);
    };
    int sum = 0;
    for (int i = -r; i <= r; ++i) sum += from(i);
    for (int i = 0; i < count; ++i) {
        line[i * stride] = static_cast<std::uint8_t>(sum / (2 * r + 1));
        sum += from(i + r + 1) - from(i - r);
    }
}

/// Two box passes each way: close to a Gaussian.
void blur(Plane& plane, int r) {
    std::vector<std::uint8_t> copy;
    for (int pass = 0; pass < 2; ++pass) {
        for (int y = 0; y < plane.height; ++y) blur_line(&plane.at(0, y), plane.width, 1, r, copy);
        for (int x = 0; x < plane.width; ++x) blur_line(&plane.at(x, 0), plane.height, plane.width, r, copy);
    }
}

/// Tints by cost: lawns green, then earth, the dearer the lighter.
Rgb ground_colour(std::uint8_t cost) {
    constexpr Rgb kLawn{33, 66, 54};
    constexpr Rgb kMud{84, 76, 52};
    constexpr Rgb kMire{108, 66, 48};
    if (cost <= 1) return kStreetColour;
    const float share = std::log2(static_cast<float>(cost)) / 8.0f;
    if (share < 0.2f) return mixed(kStreetColour, kLawn, std::min(1.0f, 0.2f + share * 4.2f));
    if (share < 0.6f) return mixed(kLawn, kMud, (share - 0.2f) / 0.4f);
    return mixed(kMud, kMire, (share - 0.6f) / 0.4f);
}

/// Every building a roof of its own: one shade, from 1 to 255, for each 4-connected piece of wall.
std::vector<std::uint8_t> roof_shades(const Map& map) {
    std::vector<std::uint8_t> shade(map.cost.size(), 0);
    std::vector<std::size_t> open;
    const auto columns = static_cast<std::size_t>(map.columns);
    for (std::size_t start = 0; start < map.cost.size(); ++start) {
        if (map.cost[start] != kWallCost || shade[start] != 0) continue;
        const std::uint64_t mixed_bits = (start + 1) * 0x9e3779b97f4a7c15ull;
        const auto own = static_cast<std::uint8_t>(1 + (mixed_bits >> 40) % 255);
        open.push_back(start);
        shade[start] = own;
        while (!open.empty()) {
            const std::size_t cell = open.back();
            open.pop_back();
            const auto visit = [&](bool inside, std::size_t next) {
                if (!inside || map.cost[next] != kWallCost || shade[next] != 0) return;
                shade[next] = own;
                open.push_back(next);
            };
            visit(cell % columns > 0, cell - 1);
            visit(cell % columns + 1 < columns, cell + 1);
            visit(cell >= columns, cell - columns);
            visit(cell + columns < map.cost.size(), cell + columns);
        }
    }
    return shade;
}

Rgb roof_colour(std::uint8_t shade, std::uint8_t depth) {
    constexpr Rgb kCool{66, 76, 99};
    constexpr Rgb kWarm{86, 80, 90};
    const float own = static_cast<float>(shade) / 255.0f;
    const float deep = std::min(static_cast<float>(depth - 1) / 9.0f, 1.0f);
    return scaled(mixed(kCool, kWarm, own), 0.92f + 0.14f * own - 0.26f * deep);
}

std::vector<Rgb> cell_colours(const Map& map) {
    const std::vector<std::uint8_t> depth = wall_depth(map);
    const std::vector<std::uint8_t> shade = roof_shades(map);
    std::vector<Rgb> colours(map.cost.size());
    for (std::size_t i = 0; i < colours.size(); ++i) {
        colours[i] = depth[i] == 0 ? ground_colour(map.cost[i]) : roof_colour(shade[i], depth[i]);
    }
    return colours;
}

/// The cells that a pixel covers along one axis: from `first` to `last`, those at the ends in part.
struct Cover {
    std::int32_t first = 0;
    std::int32_t last = 0;
    float first_weight = 1.0f;
    float last_weight = 1.0f;

    float weight(std::int32_t cell) const {
        return cell == first ? first_weight : cell == last ? last_weight : 1.0f;
    }
};

std::vector<Cover> cover(int pixels, std::int32_t cells) {
    std::vector<Cover> out(static_cast<std::size_t>(pixels));
    const double step = static_cast<double>(cells) / pixels;
    for (int i = 0; i < pixels; ++i) {
        const double from = i * step;
        const double to = (i + 1) * step;
        Cover& one = out[static_cast<std::size_t>(i)];
        one.first = std::min(static_cast<std::int32_t>(from), cells - 1);
        one.last = std::clamp(static_cast<std::int32_t>(std::ceil(to - 1e-9)) - 1, one.first, cells - 1);
        one.first_weight = static_cast<float>(std::min(to, one.first + 1.0) - from);
        one.last_weight = static_cast<float>(to - std::max<double>(one.last, from));
    }
    return out;
}

/// Every pixel the mean of the cells that it covers; `walls` gets the share of wall in it.
void draw_cells(Canvas& canvas, const Layout& layout, const Map& map, Plane& walls) {
    const std::vector<Rgb> colours = cell_colours(map);
    const std::vector<Cover> columns = cover(layout.plot_width, map.columns);
    const std::vector<Cover> rows = cover(layout.plot_height, map.rows);
    for (int y = 0; y < layout.plot_height; ++y) {
        const Cover& down = rows[static_cast<std::size_t>(y)];
        for (int x = 0; x < layout.plot_width; ++x) {
            const Cover& along = columns[static_cast<std::size_t>(x)];
            float r = 0, g = 0, b = 0, wall = 0, total = 0;
            for (std::int32_t row = down.first; row <= down.last; ++row) {
                for (std::int32_t column = along.first; column <= along.last; ++column) {
                    const float weight = down.weight(row) * along.weight(column);
                    const std::size_t cell = map.index({column, row});
                    r += weight * static_cast<float>(colours[cell].r);
                    g += weight * static_cast<float>(colours[cell].g);
                    b += weight * static_cast<float>(colours[cell].b);
                    if (map.cost[cell] == kWallCost) wall += weight;
                    total += weight;
                }
            }
            const float part = 1.0f / std::max(total, 1e-9f);
            canvas.at(layout.left + x, layout.top + y) = {to_byte(r * part), to_byte(g * part),
                                                          to_byte(b * part)};
            walls.at(x, y) = to_byte(255.0f * wall * part);
        }
    }
}

}  // namespace

std::vector<std::uint8_t> wall_depth(const Map& map) {
    std::vector<std::uint8_t> depth(map.cost.size());
    const std::int32_t columns = map.columns;
    const auto nearer = [](int a, int b) { return static_cast<std::uint8_t>(std::min({a + 1, b + 1, 255})); };
    for (std::int32_t row = 0; row < map.rows; ++row) {
        for (std::int32_t column = 0; column < columns; ++column) {
            const std::size_t i = map.index({column, row});
            if (map.cost[i] != kWallCost) continue;
            const int above = row > 0 ? depth[i - static_cast<std::size_t>(columns)] : 255;
            const int before = column > 0 ? depth[i - 1] : 255;  // the map's rim is no edge of a wall
            depth[i] = nearer(above, before);
        }
    }
    for (std::int32_t row = map.rows; row-- > 0;) {
        for (std::int32_t column = columns; column-- > 0;) {
            const std::size_t i = map.index({column, row});
            if (depth[i] == 0) continue;
            const int below = row + 1 < map.rows ? depth[i + static_cast<std::size_t>(columns)] : 255;
            const int after = column + 1 < columns ? depth[i + 1] : 255;
            depth[i] = std::min(depth[i], nearer(below, after));
        }
    }
    return depth;
}

void draw_map(Canvas& canvas, const Layout& layout, const Map& map) {
    Plane walls(layout.plot_width, layout.plot_height);
    draw_cells(canvas, layout, map, walls);
    const auto cell = static_cast<float>(layout.plot_width) / static_cast<float>(map.columns);
    const int soft = std::clamp(static_cast<int>(std::lround(cell * 0.35f)), 1, 24);
    const int drop = std::clamp(static_cast<int>(std::lround(cell * 0.5f)), 1, 32);
    Plane shadow = walls;
    blur(shadow, soft);
    for (int y = 0; y < walls.height; ++y) {
        for (int x = 0; x < walls.width; ++x) {
            const float wall = walls.near(x, y);
            const float shade = shadow.near(x - drop, y - drop);
            // On a roof: light where the edge faces up and left, dark where it faces down and right.
            const float edge = shadow.near(x + soft, y + soft) - shadow.near(x - soft, y - soft);
            const float ground = 1.0f - 0.5f * shade;
            const float roof = 1.0f + std::clamp(0.34f * edge, -0.22f, 0.34f);
            Rgb& pixel = canvas.at(layout.left + x, layout.top + y);
            pixel = scaled(pixel, wall * roof + (1.0f - wall) * ground);
        }
    }
}

}  // namespace horde
