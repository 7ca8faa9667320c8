#include "bench/congestion/scenes.h"

#include <algorithm>
#include <cmath>

namespace horde::bench {
namespace {

constexpr double kCell = 0.5;  // metres

// With it the body of 0.5 m and the default radius of separation reach what people reach at a bottleneck.
constexpr double kTimeGap = 0.4;

const char* const kWeidmann = "Weidmann 1993, capacity";
const char* const kSeyfried = "Seyfried et al. 2009, J = 1.9 b";

int cells(double metres) {
    return static_cast<int>(std::lround(metres / kCell));
}

// A ground plan in metres: all walls, from which passages are cut.
class Plan {
  public:
    Plan(double width, double height)
        : rows_(static_cast<std::size_t>(cells(height)),
                std::string(static_cast<std::size_t>(cells(width)), '@')) {}

    Plan& cut(double x, double y, double width, double height) {
        for (int r = cells(y); r < cells(y + height); ++r) {
            for (int c = cells(x); c < cells(x + width); ++c)
                rows_[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = '.';
        }
        return *this;
    }
    const std::vector<std::string>& rows() const { return rows_; }

  private:
    std::vector<std::string> rows_;
};

// Cells of a rectangle in metres.
std::vector<Cell> goal_in(double x, double y, double width, double height) {
    std::vector<Cell> goal;
    for (int r = cells(y); r < cells(y + height); ++r) {
        for (int c = cells(x); c < cells(x + width); ++c) goal.push_back({c, r});
    }
    return goal;
}

Bounds box(double x, double y, double width, double height) {
    return {{x, y, 0.0}, {x + width, y + height, 0.0}};
}

CongestionScene make_scene(const std::string& name, const Plan& plan, std::vector<std::vector<Cell>> goals) {
    CongestionScene made;
    made.name = name;
    made.scene.name = name;
    made.scene.map.rows = plan.rows();
    made.scene.map.cell_size = kCell;
    made.scene.field.goal_sets = std::move(goals);
    made.scene.rules["crowd"] = CrowdRule{.arrival_radius = 0.0};
    SceneAgents agents;
    agents.goal = "any";
    made.scene.agents = {agents};
    made.scene.view.colour = ColourBy::kGoal;
    made.scene.view.width = 1200;
    return made;
}

CongestionScene corridor() {
    CongestionScene made = make_scene("corridor", Plan(50, 5).cut(0.5, 0.5, 49, 4),
                                      {goal_in(49, 0.5, 0.5, 4), goal_in(0.5, 0.5, 0.5, 4)});
    made.streams = {{box(2, 0.8, 2, 3.4), 0, 0, 2.0}, {box(46, 0.8, 2, 3.4), 1, 0, 2.0}};
    made.width = 4.0;
    made.feed_seconds = 90.0;
    made.watched = box(15, 0.5, 20, 4);
    made.published = weidmann_capacity();
    made.source = kWeidmann;
    return made;
}

CongestionScene corner() {
    CongestionScene made = make_scene("corner", Plan(40, 30).cut(0.5, 25, 38.5, 4).cut(35, 0.5, 4, 28.5),
                                      {goal_in(35, 0.5, 4, 0.5)});
    made.streams = {{box(1, 25.3, 28, 3.4), 0, 240, 0.0}};
    made.width = 4.0;
    made.published = weidmann_capacity();
    made.source = kWeidmann;
    return made;
}

CongestionScene crossing() {
    CongestionScene made = make_scene("crossing", Plan(34, 34).cut(0.5, 15, 33, 4).cut(15, 0.5, 4, 33),
                                      {goal_in(33, 15, 0.5, 4), goal_in(15, 33, 4, 0.5)});
    made.streams = {{box(2, 15.3, 2, 3.4), 0, 0, 2.0}, {box(15.3, 2, 3.4, 2), 1, 0, 2.0}};
    made.width = 8.0;
    made.feed_seconds = 90.0;
    made.published = weidmann_capacity();
    made.source = kWeidmann;
    return made;
}

// A room of 12 m whose way out is `width` wide and `length` long.
CongestionScene way_out(const std::string& name, double width, double length) {
    const double y = 6.5 - 0.5 * width;
    CongestionScene made = make_scene(
        name, Plan(20, 13).cut(0.5, 0.5, 12, 12).cut(12.5, y, length, width).cut(12.5 + length, 2.5, 4, 8),
        {goal_in(12.5 + length + 1.0, 2.5, 0.5, 8)});
    made.streams = {{box(1, 1, 9, 11), 0, 180, 0.0}};
    made.width = width;
    made.published = 1.9;
    made.source = kSeyfried;
    return made;
}

}  // namespace

double weidmann_capacity() {
    double most = 0.0;
    for (double density = 0.01; density < 5.4; density += 0.01) {
        const double speed = 1.34 * (1.0 - std::exp(-1.913 * (1.0 / density - 1.0 / 5.4)));
        most = std::max(most, density * speed);
    }
    return most;
}

std::vector<CongestionScene> congestion_scenes() {
    const CongestionScene plain[] = {corridor(),
                                     corner(),
                                     crossing(),
                                     way_out("bottleneck", 1.0, 2.5),
                                     way_out("bottleneck-2m", 2.0, 2.5),
                                     way_out("door", 1.0, 0.5)};
    std::vector<CongestionScene> scenes;
    for (const CongestionScene& scene : plain) {
        scenes.push_back(scene);
        scenes.push_back(scene);
        CongestionScene& gap = scenes.back();
        gap.name = gap.scene.name = scene.name + "-gap";
        std::get<CrowdRule>(gap.scene.rules["crowd"]).time_gap = kTimeGap;
        scenes.push_back(scene);
        CongestionScene& solid = scenes.back();
        solid.name = solid.scene.name = scene.name + "-solid";
        solid.scene.bodies.physics = Physics::kAll;
    }
    return scenes;
}

}  // namespace horde::bench
