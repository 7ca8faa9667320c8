/// What lies between the avenues of a generated city.
#include <algorithm>
#include <array>

#include "sim/field/city_plan.h"

namespace horde::city {
namespace {

constexpr int kLeastBlock = 9;  // shorter sides leave no room for a house with a yard

/// How the blocks of one district look alike.
struct BlockStyle {
    int longest = 22;      ///< cells, of a block's side; longer ones are split by a street
    int street = 2;        ///< cells
    int yards = 50;        ///< per cent of blocks with a courtyard
    int green_yards = 40;  ///< per cent of those with a lawn
    bool cut_corners = false;
};

void draw_small_square(Board& board, const Rect& block, Dice& dice) {
    board.rect(block, kStreet);
    const int x = (block.left + block.right) / 2;
    const int y = (block.top + block.bottom) / 2;
    if (dice.chance(50)) {  // a church: nave and transept
        const int reach = block.shorter() / 3;
        board.rect({x - reach, y - 1, x + reach + 1, y + 2}, kBuilding);
        board.rect({x + reach / 4 - 1, y - reach * 2 / 3, x + reach / 4 + 2, y + reach * 2 / 3 + 1},
                   kBuilding);
    } else {  // a fountain among trees
        board.disc(x, y, 2, kBuilding);
        for (int i = block.left + 2; i < block.right - 1; i += 4) {
            board.dot(i, block.top + 2, kBuilding);
            board.dot(i, block.bottom - 3, kBuilding);
        }
    }
}

void draw_garden(Board& board, const Rect& block, Dice& dice) {
    board.rect(block, kStreet);
    board.rect(block.shrunk(1), kGreen);
    const int x = (block.left + block.right) / 2;
    const int y = (block.top + block.bottom) / 2;
    board.way(block.left, block.top, block.right - 1, block.bottom - 1, 2, kStreet);
    board.way(block.left, block.bottom - 1, block.right - 1, block.top, 2, kStreet);
    board.disc(x, y, 3, kStreet);
    board.disc(x, y, dice.between(0, 1), kBuilding);
}

/// Opens a passage from the yard to the street on a side that the dice choose.
void draw_passage(Board& board, const Rect& block, const Rect& yard, Dice& dice) {
    const int side = dice.between(0, 3);
    const int x = dice.between(yard.left, yard.right - 3);
    const int y = dice.between(yard.top, yard.bottom - 3);
    if (side == 0) board.rect({x, block.top, x + 3, yard.top}, kStreet);
    if (side == 1) board.rect({x, yard.bottom, x + 3, block.bottom}, kStreet);
    if (side == 2) board.rect({block.left, y, yard.left, y + 3}, kStreet);
    if (side == 3) board.rect({yard.right, y, block.right, y + 3}, kStreet);
}

void draw_yard(Board& board, const Rect& block, const BlockStyle& style, Dice& dice) {
    const int depth = dice.between(3, block.shorter() >= 15 ? 5 : 4);  // of the houses round it
    const Rect yard = block.shrunk(depth);
    if (yard.shorter() < 3) return;
    board.rect(yard, kStreet);
    if (yard.shorter() >= 6 && dice.chance(style.green_yards)) board.rect(yard.shrunk(1), kGreen);
    draw_passage(board, block, yard, dice);
    if (block.longer() >= 20 && dice.chance(60)) draw_passage(board, block, yard, dice);
    if (yard.longer() >= 14) {  // a back building divides a long yard, with a way past it
        const bool wide = yard.width() > yard.height();
        const int middle = wide ? (yard.left + yard.right) / 2 : (yard.top + yard.bottom) / 2;
        const int past = dice.chance(50) ? 2 : 0;
        if (wide) board.rect({middle - 1, yard.top + past, middle + 2, yard.bottom - 2 + past}, kBuilding);
        if (!wide) board.rect({yard.left + past, middle - 1, yard.right - 2 + past, middle + 2}, kBuilding);
    }
}

void draw_notches(Board& board, const Rect& block, Dice& dice) {
    const int deep_x = std::max(3, block.width() * dice.between(30, 45) / 100);
    const int deep_y = std::max(3, block.height() * dice.between(30, 55) / 100);
    const int corner = dice.between(0, 3);
    const bool right = corner & 1;
    const bool bottom = corner & 2;
    const Rect notch{right ? block.right - deep_x : block.left, bottom ? block.bottom - deep_y : block.top,
                     right ? block.right : block.left + deep_x, bottom ? block.bottom : block.top + deep_y};
    board.rect(notch, kStreet);
    if (notch.shorter() >= 5 && dice.chance(50)) board.rect(notch.shrunk(1), kGreen);
}

void draw_alley(Board& board, const Rect& block, Dice& dice) {
    const bool wide = block.width() >= block.height();
    const int length = wide ? block.width() : block.height();
    const int at = length * dice.between(38, 58) / 100;
    if (wide) board.rect({block.left + at, block.top, block.left + at + 2, block.bottom}, kStreet);
    if (!wide) board.rect({block.left, block.top + at, block.right, block.top + at + 2}, kStreet);
}

void cut_corners(Board& board, const Rect& block, int size) {
    for (int i = 0; i < size; ++i) {
        const int reach = size - i;
        for (const int y : {block.top + i, block.bottom - 1 - i}) {
            board.rect({block.left, y, block.left + reach, y + 1}, kStreet);
            board.rect({block.right - reach, y, block.right, y + 1}, kStreet);
        }
    }
}

void draw_block(Board& board, const Rect& block, const BlockStyle& style, Dice& dice) {
    board.rect(block, kBuilding);
    const int kind = dice.between(0, 99);
    if (block.shorter() < kLeastBlock) {
        if (block.longer() >= 2 * kLeastBlock) draw_alley(board, block, dice);
        return;
    }
    if (kind < style.yards) {
        draw_yard(board, block, style, dice);
    } else if (kind < style.yards + 14) {
        draw_notches(board, block, dice);
    } else if (kind < style.yards + 28) {
        draw_alley(board, block, dice);
    } else if (kind < style.yards + 34) {
        draw_garden(board, block, dice);
        return;
    } else if (kind < style.yards + 40) {
        draw_small_square(board, block, dice);
        return;
    }
    if (style.cut_corners) cut_corners(board, block, std::min(4, block.shorter() / 4));
}

/// Splits an area by streets until the pieces are blocks.
void divide(Board& board, const Rect& area, const BlockStyle& style, Dice& dice) {
    if (area.longer() <= style.longest || area.longer() < 2 * kLeastBlock) {
        draw_block(board, area, style, dice);
        return;
    }
    const int street = style.street + (dice.chance(30) ? 1 : 0);
    const int cut = area.longer() * dice.between(38, 62) / 100 - street / 2;
    Rect first = area;
    Rect second = area;
    if (area.width() >= area.height()) {
        first.right = area.left + cut;
        second.left = first.right + street;
    } else {
        first.bottom = area.top + cut;
        second.top = first.bottom + street;
    }
    divide(board, first, style, dice);
    divide(board, second, style, dice);
}

struct Site {
    int x = 0;
    int y = 0;
    bool open = false;  ///< a little square instead of houses
};

}  // namespace

void draw_blocks(Board& board, const Rect& area, Dice& dice) {
    BlockStyle style;
    style.longest = dice.between(17, 27);
    style.street = dice.between(2, 3);
    style.yards = dice.between(40, 58);
    style.green_yards = dice.between(10, 80);
    style.cut_corners = dice.chance(30);
    divide(board, area, style, dice);
}

/// Crooked lanes: the borders between the nearest sites of a shaken raster.
void draw_old_town(Board& board, const Rect& area, Dice& dice) {
    constexpr int kPitch = 14;
    constexpr int kLane = 3;
    const int columns = area.width() / kPitch + 3;
    const int rows = area.height() / kPitch + 3;
    std::vector<Site> sites(static_cast<std::size_t>(columns) * rows);
    for (int i = 0; i < columns * rows; ++i) {
        sites[i].x = area.left + (i % columns - 1) * kPitch + dice.between(1, kPitch - 2);
        sites[i].y = area.top + (i / columns - 1) * kPitch + dice.between(1, kPitch - 2);
        sites[i].open = dice.chance(9);
    }
    for (int y = area.top; y < area.bottom; ++y) {
        for (int x = area.left; x < area.right; ++x) {
            const int column = (x - area.left) / kPitch + 1;
            const int row = (y - area.top) / kPitch + 1;
            std::array<const Site*, 2> near{};
            std::array<std::int64_t, 2> d2{INT64_MAX, INT64_MAX};
            for (int r = std::max(row - 2, 0); r <= std::min(row + 2, rows - 1); ++r) {
                for (int c = std::max(column - 2, 0); c <= std::min(column + 2, columns - 1); ++c) {
                    const Site& site = sites[static_cast<std::size_t>(r) * columns + c];
                    const std::int64_t dx = site.x - x;
                    const std::int64_t dy = site.y - y;
                    const std::int64_t d = dx * dx + dy * dy;
                    if (d < d2[0]) {
                        near = {&site, near[0]};
                        d2 = {d, d2[0]};
                    } else if (d < d2[1]) {
                        near[1] = &site;
                        d2[1] = d;
                    }
                }
            }
            // The border lies at distance (d2[1] - d2[0]) / (2 |offset|) from here.
            const std::int64_t ox = near[0]->x - near[1]->x;
            const std::int64_t oy = near[0]->y - near[1]->y;
            const std::int64_t gap = d2[1] - d2[0];
            const bool lane = gap * gap <= kLane * kLane * (ox * ox + oy * oy);
            const bool well = near[0]->open && d2[0] <= 3;
            board.dot(x, y, (lane || near[0]->open) && !well ? kStreet : kBuilding);
        }
    }
}

/// Long parallel houses on a lawn, with paths along them.
void draw_estate(Board& board, const Rect& area, Dice& dice) {
    board.rect(area, kGreen);
    const bool upright = dice.chance(50);
    const int depth = dice.between(5, 6);
    const int space = dice.between(5, 7);
    const int across = upright ? area.width() : area.height();
    const int along = upright ? area.height() : area.width();
    const int gap = along * dice.between(40, 60) / 100;
    const auto box = [&](int a0, int b0, int a1, int b1, std::uint8_t value) {
        if (upright) board.rect({area.left + a0, area.top + b0, area.left + a1, area.top + b1}, value);
        if (!upright) board.rect({area.left + b0, area.top + a0, area.left + b1, area.top + a1}, value);
    };
    box(0, gap - 2, across, gap + 2, kStreet);
    for (int at = 2; at + depth <= across; at += depth + space) {
        box(at + depth, 0, at + depth + 2, along, kStreet);
        for (const auto& [from, to] : {std::pair{2, gap - 3}, std::pair{gap + 3, along - 2}}) {
            const int shift = dice.between(0, 3);
            if (to - from > 8) box(at, from + shift, at + depth, to - 3 + shift, kBuilding);
        }
    }
}

void draw_park(Board& board, const Rect& area, Dice& dice) {
    board.rect(area, kGreen);
    const int x = (area.left + area.right) / 2;
    const int y = (area.top + area.bottom) / 2;
    const int rx = area.width() * 3 / 8;
    const int ry = area.height() * 3 / 8;
    board.ellipse(x, y, rx, ry, kStreet);  // a round walk
    board.ellipse(x, y, rx - 2, ry - 2, kGreen);
    const int wave = std::max(6, area.width() / 3);
    const std::uint64_t key = static_cast<std::uint64_t>(dice.between(0, 1 << 30));
    for (int i = area.left; i < area.right; ++i) {  // winding paths, from edge to edge
        const int bend = line_noise(key, i, wave, area.height() / 5) / 256;
        board.rect({i, y + bend - 1, i + 1, y + bend + 1}, kStreet);
    }
    for (int i = area.top; i < area.bottom; ++i) {
        const int bend = line_noise(key + 1000, i, wave, area.width() / 5) / 256;
        board.rect({x + bend - 1, i, x + bend + 1, i + 1}, kStreet);
    }
    for (int sx = -1; sx <= 1; sx += 2)
        board.way(x + sx * rx * 2 / 3, y - ry * 2 / 3, x + sx * area.width() / 2, area.top, 2, kStreet);
    if (area.shorter() < 16) return;
    const int side = dice.chance(50) ? 1 : -1;  // the pond, with a walk round it
    const int pond_x = x + side * rx / 2;
    const int pond_y = y + (dice.chance(50) ? 1 : -1) * ry / 2;
    const int px = std::max(3, area.width() / 8);
    const int py = std::max(2, area.height() / 9);
    board.ellipse(pond_x, pond_y, px + 2, py + 2, kStreet);
    board.ellipse(pond_x, pond_y, px, py, kBuilding);
    board.ellipse(pond_x + px / 2, pond_y + py / 2, px * 2 / 3, py * 2 / 3, kBuilding);
    const int groves = area.width() * area.height() / 90;  // single trees
    for (int i = 0; i < groves; ++i) {
        const int tx = dice.between(area.left + 1, area.right - 2);
        const int ty = dice.between(area.top + 1, area.bottom - 2);
        if (board.contains(tx, ty) && board.at(tx, ty) == kGreen) board.at(tx, ty) = kBuilding;
    }
}

}  // namespace horde::city
