/// A city of our own: a lattice of avenues bent by smooth noise, districts between them, a river with
/// bridges, one diagonal boulevard. It is drawn straight on a board, and the board is then read through the
/// bend.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "horde/error.h"
#include "horde/scene.h"
#include "sim/field/city_plan.h"

namespace horde {
namespace city {
namespace {

constexpr int kLeastSide = 32;
constexpr int kLargeSide = 1024;  // one river for so many cells across

/// A street between superblocks: cells [at, at + width).
struct Avenue {
    int at = 0;
    int width = 0;
    bool main = false;  ///< the one through the main square
};

/// Avenues along one axis of the board, one of them near the middle, up to both ends.
std::vector<Avenue> lay_avenues(int length, Dice& dice) {
    std::vector<Avenue> avenues;
    const int middle = length / 2 + dice.between(-length / 16, length / 16);
    avenues.push_back({middle - 3, 7, true});
    for (int at = middle; at > 0;) {
        at -= dice.between(42, 72);
        avenues.insert(avenues.begin(), {at, dice.between(5, 6)});
    }
    for (int at = middle; at < length;) {
        at += dice.between(42, 72);
        avenues.push_back({at, dice.between(5, 6)});
    }
    return avenues;
}

struct Lattice {
    std::vector<Avenue> x;
    std::vector<Avenue> y;

    Rect between(std::size_t column, std::size_t row) const {
        return {x[column].at + x[column].width, y[row].at + y[row].width, x[column + 1].at, y[row + 1].at};
    }
};

void draw_districts(Board& board, const Lattice& lattice, std::uint64_t seed) {
    const int reach = std::clamp(std::min(board.width, board.height) / 5, 24, 220);  // of the old town
    for (std::size_t row = 0; row + 1 < lattice.y.size(); ++row) {
        for (std::size_t column = 0; column + 1 < lattice.x.size(); ++column) {
            const Rect area = lattice.between(column, row);
            Dice dice(seed, column + 1, row + 1);
            // One park in every 4 x 3 areas, so that none has to walk far for one.
            const std::uint64_t group = mix(seed ^ mix((column / 4) * 8191 + row / 3 + 77));
            const bool park = column % 4 == group % 4 && row % 3 == (group >> 8) % 3;
            const int dx = std::abs((area.left + area.right - board.width) / 2);
            const int dy = std::abs((area.top + area.bottom - board.height) / 2);
            if (park) {
                draw_park(board, area, dice);
            } else if (dx + dy < reach + dice.between(-8, 8)) {
                draw_old_town(board, area, dice);
            } else if (dice.chance(13)) {
                draw_estate(board, area, dice);
            } else {
                draw_blocks(board, area, dice);
            }
        }
    }
}

/// Where avenues cross: the main square in the middle of the city, and a circus here and there.
void draw_squares(Board& board, const Lattice& lattice, std::uint64_t seed) {
    for (std::size_t row = 0; row < lattice.y.size(); ++row) {
        for (std::size_t column = 0; column < lattice.x.size(); ++column) {
            const int x = lattice.x[column].at + lattice.x[column].width / 2;
            const int y = lattice.y[row].at + lattice.y[row].width / 2;
            const bool main_square = lattice.x[column].main && lattice.y[row].main;
            Dice dice(seed ^ 0x5157u, column, row);
            if (main_square) {
                const int radius = std::clamp(std::min(board.width, board.height) / 16, 5, 18);
                board.disc(x, y, radius, kStreet);
                board.disc(x, y, radius / 6, kBuilding);
                if (radius < 10) continue;
                for (int i = -2; i <= 2; ++i) {  // an alley of trees on either side
                    for (const int side : {-radius * 2 / 3, radius * 2 / 3})
                        board.dot(x + 3 * i, y + side, kBuilding);
                }
            } else if (dice.chance(28)) {
                const int radius = dice.between(7, 9);
                board.disc(x, y, radius, kStreet);
                board.disc(x, y, radius - 5, dice.chance(50) ? kGreen : kBuilding);
            }
        }
    }
}

bool runs_upright(std::uint64_t seed) {
    return mix(seed ^ 0x217e5u) & 1;
}  // the river

/// From the main square to two opposite sides of the board.
void draw_boulevard(Board& board, const Lattice& lattice, std::uint64_t seed) {
    Dice dice(seed ^ 0xb01du, 0, 0);
    const auto middle = [](const std::vector<Avenue>& avenues) {
        for (const Avenue& avenue : avenues) {
            if (avenue.main) return avenue.at + 3;
        }
        return 0;
    };
    const int x = middle(lattice.x);
    const int y = middle(lattice.y);
    const int reach = board.width + board.height;
    int dx = reach;
    int dy = reach * dice.between(40, 75) / 100 * (dice.chance(50) ? 1 : -1);
    if (!runs_upright(seed)) std::swap(dx, dy);  // to meet the river rather than to run along it
    board.way(x, y, x + dx, y + dy, 6, kBoulevard);
    if (dice.chance(60)) board.way(x, y, x - dx, y - dy, 6, kBoulevard);
}

/// One river from side to side, quays along it, a bridge where an avenue crosses. `across` are the avenues
/// that cross it; `upright` says that it runs from top to bottom.
void draw_river(Board& board, const std::vector<Avenue>& across, bool upright, int middle,
                std::uint64_t seed) {
    const int length = upright ? board.height : board.width;
    const int side = std::min(board.width, board.height);
    const int half = std::clamp(side / 40, 2, 11);
    const int quay = side < 96 ? 2 : 4;
    std::vector<char> bridge(static_cast<std::size_t>(length), 0);
    for (std::size_t i = 0; i < across.size(); ++i) {
        if (!across[i].main && mix(seed + i) % 100 < 18) continue;  // an avenue that ends at the quay
        for (int k = 0; k < across[i].width; ++k) {
            const int at = across[i].at + k;
            if (at >= 0 && at < length) bridge[static_cast<std::size_t>(at)] = 1;
        }
    }
    const auto paint = [&](int along, int from, int to, std::uint8_t value) {
        for (int at = from; at < to; ++at) {
            const int x = upright ? at : along;
            const int y = upright ? along : at;
            if (board.contains(x, y) && board.at(x, y) != kBoulevard) board.at(x, y) = value;
        }
    };
    for (int along = 0; along < length; ++along) {
        const int bend = line_noise(seed, along, std::max(48, side / 2), side / 9) +
                         line_noise(seed + 1, along, 64, std::min(6, side / 24));
        const int centre = middle + bend / 256;
        const int reach = half + line_noise(seed + 2, along, 90, half / 3 + 1) / 256;
        paint(along, centre - reach - quay, centre + reach + quay, kStreet);
        if (!bridge[static_cast<std::size_t>(along)]) paint(along, centre - reach, centre + reach, kBuilding);
    }
}

void draw_rivers(Board& board, const Lattice& lattice, std::uint64_t seed) {
    const bool upright = runs_upright(seed);
    const int breadth = upright ? board.width : board.height;
    const int count = std::max(1, breadth / kLargeSide);
    for (int i = 0; i < count; ++i) {
        Dice dice(seed ^ 0x217e6u, static_cast<std::uint64_t>(i), 0);
        const int share = breadth / count;
        const int side = dice.chance(50) ? 29 : 71;  // per cent: past the main square, not through it
        draw_river(board, upright ? lattice.y : lattice.x, upright, i * share + share * side / 100,
                   mix(seed) + 16 * i);
    }
}

/// Displacements, in 1/256 cell: smooth noise whose slope stays below 1/7 an octave, so that a street of two
/// cells stays passable whichever way it is bent.
class Bend {
  public:
    Bend(int columns, int rows, std::uint64_t key) : columns_(columns), key_(key) {
        for (int wave = 96; wave == 96 || wave <= 2 * std::max(columns, rows); wave *= 4)
            waves_.push_back(wave);
    }

    static int amplitude(int wave) { return wave / 22; }
    int margin() const {
        int sum = 2;
        for (const int wave : waves_) sum += amplitude(wave);
        return sum;
    }

    /// Displacements of the cells of row `y` along `axis` (0: x, 1: y).
    void row(int y, int axis, std::vector<int>& out) const {
        out.assign(static_cast<std::size_t>(columns_), 0);
        for (const int wave : waves_) add_octave(y, axis, wave, out);
    }

  private:
    void add_octave(int y, int axis, int wave, std::vector<int>& out) const {
        const std::uint64_t key =
            mix(key_ + 2 * static_cast<std::uint64_t>(wave) + static_cast<std::uint64_t>(axis));
        int left = 0;
        int right = line_noise(mix(key), y, wave, amplitude(wave));
        for (int x = 0; x < columns_; ++x) {
            const int within = x % wave;
            if (within == 0) {
                left = right;
                right =
                    line_noise(mix(key + static_cast<std::uint64_t>(x / wave) + 1), y, wave, amplitude(wave));
            }
            const std::int64_t t = static_cast<std::int64_t>(within) * 256 / wave;
            const std::int64_t smooth = t * t * (768 - 2 * t) >> 16;
            out[static_cast<std::size_t>(x)] +=
                static_cast<int>((left * (256 - smooth) + right * smooth) / 256);
        }
    }

    int columns_;
    std::uint64_t key_;
    std::vector<int> waves_;
};

void read_through(const Bend& bend, const Board& board, Map& map) {
    const int margin = bend.margin();
    std::vector<int> dx;
    std::vector<int> dy;
    std::size_t index = 0;
    for (int y = 0; y < map.rows; ++y) {
        bend.row(y, 0, dx);
        bend.row(y, 1, dy);
        for (int x = 0; x < map.columns; ++x) {
            const int from_x = x + margin + dx[static_cast<std::size_t>(x)] / 256;
            const int from_y = y + margin + dy[static_cast<std::size_t>(x)] / 256;
            const std::uint8_t cost = board.cost[static_cast<std::size_t>(from_y) * board.width + from_x];
            map.cost[index++] = cost == kBoulevard ? kStreet : cost;
        }
    }
}

/// Walls up what cannot be reached from the largest part.
void fill_pockets(Map& map) {
    std::vector<std::uint8_t> cost(map.cost.size(), kWallCost);
    for (const std::uint32_t cell : largest_connected_part(map)) cost[cell] = map.cost[cell];
    map.cost = std::move(cost);
}

}  // namespace
}  // namespace city

Map generate_city(int columns, int rows, std::uint64_t seed, double cell_size) {
    if (columns < city::kLeastSide || rows < city::kLeastSide || columns > kMaxMapSide ||
        rows > kMaxMapSide) {
        throw Error("city map of " + std::to_string(columns) + " x " + std::to_string(rows) +
                    " cells: map.width and map.height must be " + std::to_string(city::kLeastSide) + " to " +
                    std::to_string(kMaxMapSide));
    }
    if (!(cell_size > 0.0 && cell_size <= 1e9))
        throw Error("city map: map.cell_size must be more than 0 metres");
    const city::Bend bend(columns, rows, city::mix(seed ^ 0xbe2du));
    city::Board board(columns + 2 * bend.margin(), rows + 2 * bend.margin(), city::kStreet);
    city::Dice dice(seed, 0, 0);
    city::Lattice lattice;
    lattice.x = city::lay_avenues(board.width, dice);
    lattice.y = city::lay_avenues(board.height, dice);
    city::draw_districts(board, lattice, seed);
    city::draw_boulevard(board, lattice, seed);
    city::draw_squares(board, lattice, seed);
    city::draw_rivers(board, lattice, seed);

    Map map;
    map.columns = columns;
    map.rows = rows;
    map.cell_size = cell_size;
    map.cost.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    city::read_through(bend, board, map);
    city::fill_pockets(map);
    return map;
}

}  // namespace horde
