// Two exits, twenty-four walkers, and a search of its own.
#include <horde/horde.h>

#include <iostream>

int main() try {
    horde::Scene scene;
    scene.map.rows = {"..........", "..@@..@@..", "..@@..@@..", ".........."};
    scene.field.goal_sets = {{{0, 3}}, {{9, 0}, {9, 3}}};  // two sets; the second is reached at either cell
    scene.agents.push_back({.count = 24});
    scene.rules["crowd"] = horde::CrowdRule{.speed = 1.5};

    horde::World world(scene, {.threads = 2});
    while (world.agent_count() > 0 && world.frame() < 1000) world.step();

    horde::Snapshot rows;
    world.snapshot(rows);
    for (std::size_t i = 0; i < rows.count(); ++i) std::cout << rows.id[i] << " is still on its way\n";
    std::cout << world.report().arrived_total << " arrived in " << world.time() << " s\n";

    horde::Neighbours neighbours({.dim = 2, .cell = 1.0f});
    const std::vector<float> x = {0.0f, 0.5f, 3.0f}, y = {0.0f, 0.5f, 0.0f};
    neighbours.build(x, y);
    std::vector<std::uint32_t> found;
    neighbours.query({0.0, 0.0, 0.0}, 1.0f, 0, found);  // point 0 itself left out: found is {1}
    return rows.count() == 0 && found == std::vector<std::uint32_t>{1} ? 0 : 1;
} catch (const horde::Error& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
