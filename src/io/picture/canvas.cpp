#include "io/picture/canvas.h"

#include <stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "horde/error.h"
#include "io/atomic_file.h"

namespace horde {

Rgb mixed(Rgb from, Rgb to, float share) {
    const auto channel = [share](std::uint8_t a, std::uint8_t b) {
        return to_byte(static_cast<float>(a) * (1.0f - share) + static_cast<float>(b) * share);
    };
    return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b)};
}

Rgb scaled(Rgb colour, float factor) {
    const auto channel = [factor](std::uint8_t value) { return to_byte(static_cast<float>(value) * factor); };
    return {channel(colour.r), channel(colour.g), channel(colour.b)};
}

Canvas::Canvas(int width, int height, Rgb fill)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), fill) {}

namespace {

/// How much of a pixel lies inside an edge at `distance` pixels, below 0 inside.
float covered(float distance) {
    return std::clamp(0.5f - distance, 0.0f, 1.0f);
}

float length(float x, float y) {
    return std::sqrt(x * x + y * y);
}

}  // namespace

template <typename Alpha>
void Canvas::brush(float left, float top, float right, float bottom, Rgb colour, Alpha&& alpha) {
    // Clamped as floats: a far point must not overflow an int.
    const int x0 = static_cast<int>(std::clamp(std::floor(left) - 1.0f, 0.0f, static_cast<float>(width_)));
    const int y0 = static_cast<int>(std::clamp(std::floor(top) - 1.0f, 0.0f, static_cast<float>(height_)));
    const int x1 = static_cast<int>(std::clamp(std::ceil(right) + 1.0f, 0.0f, static_cast<float>(width_)));
    const int y1 = static_cast<int>(std::clamp(std::ceil(bottom) + 1.0f, 0.0f, static_cast<float>(height_)));
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            blend(x, y, colour, alpha(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f));
        }
    }
}

void Canvas::rect(float left, float top, float right, float bottom, Rgb colour, float alpha) {
    brush(left, top, right, bottom, colour, [=](float x, float y) {
        return alpha * covered(std::max(std::max(left - x, x - right), std::max(top - y, y - bottom)));
    });
}

void Canvas::disc(float x, float y, float radius, Rgb colour, float alpha) {
    brush(x - radius, y - radius, x + radius, y + radius, colour,
          [=](float px, float py) { return alpha * covered(length(px - x, py - y) - radius); });
}

void Canvas::ring(float x, float y, float radius, float thickness, Rgb colour, float alpha) {
    const float reach = radius + thickness / 2;
    brush(x - reach, y - reach, x + reach, y + reach, colour, [=](float px, float py) {
        return alpha * covered(std::fabs(length(px - x, py - y) - radius) - thickness / 2);
    });
}

void Canvas::line(float x0, float y0, float x1, float y1, float thickness, Rgb colour, float alpha) {
    fading_line(x0, y0, x1, y1, thickness, colour, alpha, alpha);
}

void Canvas::fading_line(float x0, float y0, float x1, float y1, float thickness, Rgb colour, float alpha,
                         float end_alpha) {
    const float half = thickness / 2;
    const float dx = x1 - x0;
    const float dy = y1 - y0;
    const float length_squared = std::max(dx * dx + dy * dy, 1e-12f);
    brush(std::min(x0, x1) - half, std::min(y0, y1) - half, std::max(x0, x1) + half, std::max(y0, y1) + half,
          colour, [=](float px, float py) {
              const float t = std::clamp(((px - x0) * dx + (py - y0) * dy) / length_squared, 0.0f, 1.0f);
              const float distance = length(px - (x0 + t * dx), py - (y0 + t * dy)) - half;
              return (alpha + (end_alpha - alpha) * t) * covered(distance);
          });
}

void Canvas::stroke(float x0, float y0, float x1, float y1, float thickness, Rgb colour, float alpha) {
    const float whole = length(x1 - x0, y1 - y0);
    if (!(whole > 0.0f)) return;
    const float ux = (x1 - x0) / whole, uy = (y1 - y0) / whole, half = thickness / 2;
    brush(std::min(x0, x1) - half, std::min(y0, y1) - half, std::max(x0, x1) + half, std::max(y0, y1) + half,
          colour, [=](float px, float py) {
              const float along = (px - x0) * ux + (py - y0) * uy;
              const float aside = std::fabs((px - x0) * uy - (py - y0) * ux);
              return alpha * covered(aside - half) * covered(-along) * covered(along - whole);
          });
}

void Canvas::save_png(const std::string& path) const {
    ByteSink sink(path);
    struct Target {
        ByteSink* sink;
        std::exception_ptr failure;  // thrown outside of the C code
    } target{&sink, nullptr};
    const auto take = [](void* context, void* data, int bytes) {
        Target& to = *static_cast<Target*>(context);
        try {
            to.sink->append(
                std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(bytes)));
        } catch (...) {
            to.failure = std::current_exception();
        }
    };
    const int done = stbi_write_png_to_func(take, &target, width_, height_, 3, pixels_.data(), 3 * width_);
    if (target.failure) std::rethrow_exception(target.failure);
    if (done == 0) throw Error("cannot write " + path + ": not enough memory; make view.width smaller");
    sink.commit();
}

}  // namespace horde
