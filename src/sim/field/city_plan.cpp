#include "sim/field/city_plan.h"

#include <algorithm>
#include <cstdlib>

namespace horde::city {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15ull;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
}

int Dice::between(int low, int high) {
    if (high <= low) return low;
    const std::uint64_t draw = mix(key_ + draws_++) >> 32;
    return low + static_cast<int>((draw * static_cast<std::uint64_t>(high - low + 1)) >> 32);
}

void Board::rect(const Rect& area, std::uint8_t value) {
    const int left = std::max(area.left, 0);
    const int right = std::min(area.right, width);
    if (left >= right) return;
    for (int y = std::max(area.top, 0); y < std::min(area.bottom, height); ++y) {
        std::fill_n(&at(left, y), right - left, value);
    }
}

void Board::ellipse(int x, int y, int radius_x, int radius_y, std::uint8_t value) {
    const std::int64_t rx = 2 * radius_x + 1;  // in half cells: an even reach looks rounder
    const std::int64_t ry = 2 * radius_y + 1;
    for (int row = y - radius_y; row <= y + radius_y; ++row) {
        for (int column = x - radius_x; column <= x + radius_x; ++column) {
            const std::int64_t dx = 2 * (column - x);
            const std::int64_t dy = 2 * (row - y);
            if (dx * dx * ry * ry + dy * dy * rx * rx <= rx * rx * ry * ry) dot(column, row, value);
        }
    }
}

void Board::way(int x0, int y0, int x1, int y1, int thickness, std::uint8_t value) {
    const std::int64_t dx = x1 - x0;
    const std::int64_t dy = y1 - y0;
    const std::int64_t length_squared = dx * dx + dy * dy;
    const bool flat = std::abs(x1 - x0) >= std::abs(y1 - y0);
    const int first = flat ? std::min(x0, x1) : std::min(y0, y1);
    const int last = flat ? std::max(x0, x1) : std::max(y0, y1);
    const int from = std::max(first, 0);
    const int to = std::min(last, flat ? width - 1 : height - 1);
    for (int along = from; along <= to; ++along) {
        const std::int64_t run = flat ? dx : dy;
        const int start = flat ? x0 : y0;
        const int middle =
            static_cast<int>((flat ? y0 : x0) + (run == 0 ? 0 : (flat ? dy : dx) * (along - start) / run));
        for (int across = middle - thickness; across <= middle + thickness; ++across) {
            const int x = flat ? along : across;
            const int y = flat ? across : along;
            const std::int64_t off = dx * (y - y0) - dy * (x - x0);  // |off| / length is the distance
            if (4 * off * off <= length_squared * thickness * thickness) dot(x, y, value);
        }
    }
}

int line_noise(std::uint64_t key, int x, int wave, int amplitude) {
    const int knot = x >= 0 ? x / wave : -((wave - 1 - x) / wave);
    const std::int64_t t = static_cast<std::int64_t>(x - knot * wave) * 256 / wave;
    const std::int64_t smooth = t * t * (768 - 2 * t) >> 16;  // 3t^2 - 2t^3, of 256
    const auto value = [key](int k) {
        return static_cast<std::int64_t>(
                   mix(key + static_cast<std::uint64_t>(static_cast<std::int64_t>(k))) >> 48) -
               32768;
    };
    const std::int64_t blend = value(knot) * (256 - smooth) + value(knot + 1) * smooth;
    return static_cast<int>(blend * amplitude / 32768);
}

}  // namespace horde::city
