/// The drawing board of the city generator: a raster of costs, a few brushes, and the districts drawn with
/// them. Integers only, so that a seed gives the same city with every compiler.
#pragma once

#include <cstdint>
#include <vector>

#include "horde/field.h"

namespace horde::city {

inline constexpr std::uint8_t kStreet = 1;
inline constexpr std::uint8_t kGreen = 3;  ///< lawns: walkers prefer the paths round them
inline constexpr std::uint8_t kBuilding = kWallCost;
/// Street that stays street where the river crosses it. Exists on the board only; it becomes kStreet in the
/// end.
inline constexpr std::uint8_t kBoulevard = 0;

std::uint64_t mix(std::uint64_t value);

/// Draws numbers from a key: the k-th draw is a function of key and k alone.
class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t a, std::uint64_t b) : key_(mix(mix(mix(seed) + a) + b)) {}

    /// Uniform in [low, high], both included.
    int between(int low, int high);
    bool chance(int percent) { return between(0, 99) < percent; }

  private:
    std::uint64_t key_;
    std::uint64_t draws_ = 0;
};

/// Columns [left, right) and rows [top, bottom).
struct Rect {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
    int shorter() const { return width() < height() ? width() : height(); }
    int longer() const { return width() < height() ? height() : width(); }
    Rect shrunk(int by) const { return {left + by, top + by, right - by, bottom - by}; }
};

/// Brushes leave out what lies beyond the board.
struct Board {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> cost;

    Board(int columns, int rows, std::uint8_t fill)
        : width(columns), height(rows), cost(static_cast<std::size_t>(columns) * rows, fill) {}

    bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    std::uint8_t& at(int x, int y) { return cost[static_cast<std::size_t>(y) * width + x]; }
    void dot(int x, int y, std::uint8_t value) {
        if (contains(x, y)) at(x, y) = value;
    }
    void rect(const Rect& area, std::uint8_t value);
    void ellipse(int x, int y, int radius_x, int radius_y, std::uint8_t value);
    void disc(int x, int y, int radius, std::uint8_t value) { ellipse(x, y, radius, radius, value); }
    /// A straight way of the given width, in cells, from (x0, y0) to (x1, y1).
    void way(int x0, int y0, int x1, int y1, int thickness, std::uint8_t value);
};

/// Smooth noise in [-amplitude, amplitude] * 256 at `x` along a line; `wave` cells between its knots.
int line_noise(std::uint64_t key, int x, int wave, int amplitude);

// Districts: each fills one area between avenues, and leaves it open to the streets round it.
void draw_blocks(Board& board, const Rect& area, Dice& dice);
void draw_old_town(Board& board, const Rect& area, Dice& dice);
void draw_estate(Board& board, const Rect& area, Dice& dice);
void draw_park(Board& board, const Rect& area, Dice& dice);

}  // namespace horde::city
