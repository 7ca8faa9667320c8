/// A raster of RGB pixels with anti-aliased brushes, and its way into a PNG.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace horde {

struct Rgb {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;
};

/// The nearest of 0 to 255.
inline std::uint8_t to_byte(float value) {
    const float up = value + 0.5f;
    return static_cast<std::uint8_t>(up < 0.0f ? 0.0f : up > 255.0f ? 255.0f : up);
}
/// `from` at 0, `to` at 1.
Rgb mixed(Rgb from, Rgb to, float share);
/// Every channel times `factor`, at most 255.
Rgb scaled(Rgb colour, float factor);

/// Pixel (column, row) covers [column, column + 1) x [row, row + 1); y grows downward. What lies outside is
/// left out.
class Canvas {
  public:
    Canvas(int width, int height, Rgb fill);

    int width() const { return width_; }
    int height() const { return height_; }
    Rgb& at(int x, int y) {
        return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(x)];
    }
    void blend(int x, int y, Rgb colour, float alpha) {
        if (x >= 0 && y >= 0 && x < width_ && y < height_ && alpha > 0.0f)
            at(x, y) = mixed(at(x, y), colour, alpha);
    }

    void rect(float left, float top, float right, float bottom, Rgb colour, float alpha = 1.0f);
    void disc(float x, float y, float radius, Rgb colour, float alpha = 1.0f);
    void ring(float x, float y, float radius, float thickness, Rgb colour, float alpha = 1.0f);
    void line(float x0, float y0, float x1, float y1, float thickness, Rgb colour, float alpha = 1.0f);
    /// A line without round ends, so that pieces of one way do not overlap.
    void stroke(float x0, float y0, float x1, float y1, float thickness, Rgb colour, float alpha);
    /// A line whose alpha runs from `alpha` at its start to `end_alpha`.
    void fading_line(float x0, float y0, float x1, float y1, float thickness, Rgb colour, float alpha,
                     float end_alpha);
    /// A line of ASCII text whose capitals are `size` pixels high and stand on `baseline`. Returns where it
    /// ends.
    float text(float x, float baseline, float size, std::string_view words, Rgb colour, float alpha = 1.0f);
    static float text_width(float size, std::string_view words);

    /// Throws Error for a place that cannot be written.
    void save_png(const std::string& path) const;

  private:
    /// Blends over a box of pixels, each with the alpha that its centre gets.
    template <typename Alpha>
    void brush(float left, float top, float right, float bottom, Rgb colour, Alpha&& alpha);

    int width_;
    int height_;
    std::vector<Rgb> pixels_;
};

}  // namespace horde
