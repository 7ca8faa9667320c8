/// What a user's first program looks like: finds the way through the gap in a wall, with the installed
/// library.
#include <horde/error.h>
#include <horde/field.h>

#include <iostream>

int main() try {
    horde::Map map{.columns = 3, .rows = 3, .cost = std::vector<std::uint8_t>(9, 1)};
    map.cost[map.index({1, 0})] = horde::kWallCost;
    map.cost[map.index({1, 1})] = horde::kWallCost;
    const horde::Cell goal{2, 0};
    const horde::Field field = horde::build_field(map, {&goal, 1});
    // Down, round the gap in the last row, and up again: six straight steps, for no corner may be cut.
    const bool right = field.value(map.index({0, 0})) == 6 * horde::kStraightStep &&
                       field.flow[map.index({0, 0})] == horde::Direction::kSouth;
    std::cout << "way of " << field.value(map.index({0, 0})) << " found\n";
    return right ? 0 : 1;
} catch (const horde::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
