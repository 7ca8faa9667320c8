/// Pictures: that they are PNGs of the right size which show what they should.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <limits>

#include "horde/error.h"
#include "horde/files.h"
#include "io/picture/canvas.h"
#include "io/picture/picture_layout.h"
#include "scratch_folder.h"

namespace horde {
namespace {

struct Size {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    bool operator==(const Size&) const = default;
};

/// Of a PNG, from its header; 0 x 0 if it is none.
Size png_size(const std::string& bytes) {
    if (bytes.size() < 33 || bytes.compare(0, 8, "\x89PNG\r\n\x1a\n") != 0 ||
        bytes.compare(12, 4, "IHDR") != 0)
        return {};
    if (bytes.substr(bytes.size() - 8, 4) != "IEND") return {};
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes[at + i]);
        return value;
    };
    return {number(16), number(20)};
}

Snapshot crowd(std::initializer_list<Vec3> positions, int dim = 2) {
    Snapshot out;
    out.dim = dim;
    for (const Vec3& position : positions) {
        out.id.push_back(out.id.size());
        out.position.push_back(position);
        out.velocity.push_back({1, 0, 0});
        out.goal.push_back(out.id.size() % 2 ? std::uint16_t{0} : kNoGoal);
        out.type.push_back(0);
        out.state.push_back(AgentState::kWalking);
    }
    return out;
}

Map small_map(int columns, int rows, std::uint8_t cost = 1) {
    Map map{columns, rows, 0.5, {}};
    map.cost.assign(static_cast<std::size_t>(columns * rows), cost);
    return map;
}

TEST(Picture, ItsLongerSideIsTheOneAskedFor) {
    const ScratchFolder scratch;
    for (const auto& [columns, rows] :
         {std::pair{64, 32}, std::pair{32, 64}, std::pair{1, 1}, std::pair{300, 1}}) {
        for (const int pixels : {16, 200, 640}) {
            const Map map = small_map(columns, rows);
            SceneView view;
            view.width = pixels;
            write_picture(scratch.file("a.png"), &map, {}, crowd({{0.1, 0.1, 0}}), view);
            const Size size = png_size(scratch.read("a.png"));
            EXPECT_EQ(std::max(size.width, size.height), static_cast<std::uint32_t>(pixels))
                << columns << " x " << rows;
        }
    }
}

int distance(Rgb a, Rgb b) {
    return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
}

Rgb pixel(const Canvas& canvas, const Layout& layout, double x, double y) {
    return Canvas(canvas).at(static_cast<int>(layout.x(x)), static_cast<int>(layout.y(y)));
}

TEST(Picture, ShowsAgentsWhereTheyAreInTheColourOfTheirSpeed) {
    const Map map = small_map(10, 10);
    const Layout layout = make_layout(map_extent(map), 800);
    Snapshot snapshot = crowd({{1.25, 1.25, 0}, {3.25, 2.25, 0}, {4.25, 4.25, 0}});
    snapshot.velocity = {{0, 0, 0}, {0, 1, 0}, {0, 0, -2}};
    const Canvas canvas = draw_frame(&map, {}, snapshot, {ColourBy::kSpeed, 800});
    EXPECT_LE(distance(pixel(canvas, layout, 1.25, 1.25), kSpeedRamp[0]), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 3.25, 2.25), kSpeedRamp[4]), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 4.25, 4.25), kSpeedRamp[8]), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 2.5, 4.5), kStreetColour), 3);
}

TEST(Picture, ShowsGoalsAndTheAgentsThatGoThereInOneHue) {
    const Map map = small_map(10, 10);
    const Layout layout = make_layout(map_extent(map), 800);
    const Cell goals[] = {{8, 8}, {1, 8}};
    const Field fields[] = {build_field(map, {&goals[0], 1}), build_field(map, {&goals[1], 1})};
    const Field* const sets[] = {&fields[0], &fields[1]};
    Snapshot snapshot = crowd({{1.25, 1.25, 0}, {3.25, 2.25, 0}, {2.25, 0.75, 0}});
    snapshot.goal = {0, 1, kNoGoal};
    const Canvas canvas = draw_frame(&map, sets, snapshot, {ColourBy::kGoal, 800});
    EXPECT_LE(distance(pixel(canvas, layout, 1.25, 1.25), nth_hue(0)), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 3.25, 2.25), nth_hue(1)), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 2.25, 0.75), kFaintInk), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 8.5 * 0.5, 8.5 * 0.5), nth_hue(0)), 3)
        << "the middle of the ring";
    EXPECT_LE(distance(pixel(canvas, layout, 1.5 * 0.5, 8.5 * 0.5), nth_hue(1)), 3);
    EXPECT_GT(distance(nth_hue(0), nth_hue(1)), 60);
}

// Three living agents of two types with two behaviours, and a dead one.
Snapshot fighters() {
    Snapshot snapshot = crowd({{1.25, 1.25, 0}, {3.25, 2.25, 0}, {2.25, 0.75, 0}, {4.25, 4.25, 0}});
    snapshot.velocity.assign(4, {0, 0, 0});
    snapshot.type = {0, 1, 0, 0};
    snapshot.behaviour = {1, 0, kNoBehaviour, 1};
    snapshot.combat.assign(4, CombatState::kFree);
    snapshot.combat[3] = CombatState::kDead;
    return snapshot;
}

TEST(Picture, ShowsTypesAndBehavioursInTheirHuesAndTheDeadAsGreyCrosses) {
    const Map map = small_map(10, 10);
    const Layout layout = make_layout(map_extent(map), 800);
    const Canvas types = draw_frame(&map, {}, fighters(), {ColourBy::kType, 800});
    EXPECT_LE(distance(pixel(types, layout, 1.25, 1.25), nth_hue(0)), 3);
    EXPECT_LE(distance(pixel(types, layout, 3.25, 2.25), nth_hue(1)), 3);
    const Canvas moods = draw_frame(&map, {}, fighters(), {ColourBy::kBehaviour, 800});
    EXPECT_LE(distance(pixel(moods, layout, 1.25, 1.25), nth_hue(1)), 3);
    EXPECT_LE(distance(pixel(moods, layout, 3.25, 2.25), nth_hue(0)), 3);
    EXPECT_LE(distance(pixel(moods, layout, 2.25, 0.75), kFaintInk), 3);
    for (const Canvas* canvas : {&types, &moods}) {
        EXPECT_LE(distance(pixel(*canvas, layout, 4.25, 4.25), kDeadColour), 80) << "its middle";
        EXPECT_LE(distance(pixel(*canvas, layout, 4.25, 4.18), kStreetColour), 3) << "no disc";
    }
}

bool has_colour(const Canvas& canvas, int top, int bottom, Rgb colour) {
    for (int y = top; y < bottom; ++y) {
        for (int x = 0; x < canvas.width(); ++x) {
            if (distance(Canvas(canvas).at(x, y), colour) == 0) return true;
        }
    }
    return false;
}

TEST(Picture, ItsLegendNamesWhatTheSceneHasAndWhoDied) {
    Scene scene;
    scene.behaviours["flee"] = scene.behaviours["graze"] = {};
    scene.agents.resize(2);
    scene.agents[0].rule = "sheep";
    scene.agents[1].rule = "wolf";
    scene.agents[1].type = 3;
    PictureStory story = picture_story(scene);
    EXPECT_EQ(story.behaviours, (std::vector<std::string>{"flee", "graze"}));
    EXPECT_EQ(story.types, (std::vector<std::string>{"sheep", "", "", "wolf"}));
    const Map map = small_map(40, 40);
    const auto header = [&] {
        const Canvas canvas = draw_frame(&map, {}, crowd({}), {ColourBy::kBehaviour, 800}, story);
        const int height = make_layout(map_extent(map), 800).header;
        return std::array<bool, 3>{has_colour(canvas, 0, height, nth_hue(0)),
                                   has_colour(canvas, 0, height, nth_hue(1)),
                                   has_colour(canvas, 0, height, kDeathColour)};
    };
    EXPECT_EQ(header(), (std::array<bool, 3>{true, true, false}));
    story.deaths = {{7, {5.0, 5.0, 0.0}}};
    EXPECT_EQ(header(), (std::array<bool, 3>{true, true, true}));
    story.behaviours.clear();
    EXPECT_EQ(header(), (std::array<bool, 3>{false, false, true}));
}

TEST(Picture, MarksWhereAgentsDiedUnlessTheyLieThere) {
    const Map map = small_map(10, 10);
    const Layout layout = make_layout(map_extent(map), 800);
    PictureStory story;
    story.deaths = {{77, {2.25, 4.25, 0.0}}, {3, {3.75, 3.75, 0.0}}};  // agent 3 lies at (4.25, 4.25)
    const Canvas canvas = draw_frame(&map, {}, fighters(), {ColourBy::kType, 800}, story);
    const Rgb mark = pixel(canvas, layout, 2.25, 4.25);
    EXPECT_GT(mark.r, mark.g + 40);
    EXPECT_LE(distance(pixel(canvas, layout, 3.75, 3.75), kStreetColour), 3);
}

TEST(Picture, TrailsLeadThroughTheFramesBefore) {
    const Map map = small_map(10, 10);
    const Layout layout = make_layout(map_extent(map), 800);
    PictureStory story;
    for (int n = 0; n < 20; ++n) {
        Snapshot old = crowd({{0.5 + 0.1 * n, 3.0, 0}});
        old.time = n;
        add_to_story(story, old, 10.0);
    }
    ASSERT_EQ(story.before.size(), 11u) << "ten seconds";
    EXPECT_EQ(story.before[0].time, 9.0);
    Snapshot now = crowd({{2.5, 3.0, 0}});
    now.velocity = {{0, 0, 0}};
    const Canvas canvas = draw_frame(&map, {}, now, {ColourBy::kType, 800}, story);
    EXPECT_GT(distance(pixel(canvas, layout, 2.0, 3.0), kStreetColour), 60);
    EXPECT_GT(distance(pixel(canvas, layout, 1.7, 3.0), kStreetColour), 30);
    EXPECT_LE(distance(pixel(canvas, layout, 1.0, 3.0), kStreetColour), 3) << "longer ago";
    EXPECT_LE(distance(pixel(canvas, layout, 2.0, 3.4), kStreetColour), 3);
}

TEST(Picture, OfManyAgentsOnlyThoseOfRareTypesTrail) {
    Snapshot many = crowd({});
    for (int n = 0; n < 6000; ++n) {
        many.id.push_back(static_cast<AgentId>(n));
        many.position.push_back({});
        many.velocity.push_back({});
        many.goal.push_back(kNoGoal);
        many.type.push_back(n % 1000 == 0 ? 1 : 0);
        many.state.push_back(AgentState::kWalking);
    }
    PictureStory story;
    add_to_story(story, many, 1.0);
    EXPECT_EQ(story.before[0].id, (std::vector<AgentId>{0, 1000, 2000, 3000, 4000, 5000}));
}

TEST(Picture, ACrowdAtTheSeamOfAWorldThatRepeatsIsInTheMiddle) {
    PictureStory story;
    story.bounds = Bounds{{0, 0, 0}, {20, 20, 0}};
    const Layout layout = make_layout(*story.bounds, 800);
    Snapshot crowd_at_seam = crowd({{0.5, 10.0, 0}, {19.5, 10.0, 0}});
    crowd_at_seam.velocity.assign(2, {0, 0, 0});
    const Canvas canvas = draw_frame(nullptr, {}, crowd_at_seam, {ColourBy::kType, 800}, story);
    EXPECT_LE(distance(pixel(canvas, layout, 10.5, 10.0), nth_hue(0)), 3);
    EXPECT_LE(distance(pixel(canvas, layout, 9.5, 10.0), nth_hue(0)), 3);
}

TEST(Picture, WallsStandOutFromStreetsAndLawns) {
    Map map = small_map(3, 1);
    map.cost = {1, 3, kWallCost};
    const Layout layout = make_layout(map_extent(map), 900);
    const Canvas canvas = draw_frame(&map, {}, crowd({}), {ColourBy::kSpeed, 900});
    const Rgb street = pixel(canvas, layout, 0.25, 0.25);
    const Rgb lawn = pixel(canvas, layout, 0.65, 0.25);
    const Rgb wall = pixel(canvas, layout, 1.25, 0.25);
    EXPECT_LE(distance(street, kStreetColour), 3);
    EXPECT_GT(lawn.g, street.g + 20);
    EXPECT_GT(lawn.g, lawn.r + 15);
    EXPECT_GT(wall.r, street.r + 30);
    EXPECT_GT(wall.b, lawn.b + 15);
}

TEST(Picture, FieldsGrowDarkerAwayFromTheGoal) {
    Map map = small_map(20, 3);
    map.cost[map.index({18, 0})] = map.cost[map.index({18, 1})] = map.cost[map.index({18, 2})] = kWallCost;
    const Cell goal{1, 1};
    const Field field = build_field(map, {&goal, 1});
    const Canvas canvas = draw_field(map, field, {ColourBy::kSpeed, 800});
    const Layout layout = make_layout(map_extent(map), 800);
    const auto lightness = [&](double column) {
        const Rgb at = pixel(canvas, layout, (column + 0.15) * 0.5, 0.85 * 0.5);
        return at.r + 2 * at.g;
    };
    EXPECT_GT(lightness(4), lightness(9) + 30);
    EXPECT_GT(lightness(9), lightness(15) + 30);
    const Rgb beyond = pixel(canvas, layout, 19.5 * 0.5, 1.5 * 0.5);
    EXPECT_GT(beyond.r, beyond.g + 10) << "hatched: no way leads from here";
    EXPECT_LT(beyond.r, 130);
}

TEST(Picture, RampsEndWhereTheyShould) {
    EXPECT_EQ(ramp_colour(kSpeedRamp, 1.0f).r, kSpeedRamp.back().r);
    EXPECT_EQ(ramp_colour(kSpeedRamp, -3.0f).b, kSpeedRamp.front().b);
    EXPECT_EQ(ramp_colour(kSpeedRamp, std::numeric_limits<float>::infinity()).g, kSpeedRamp.back().g);
}

TEST(Picture, DrawsOddCrowdsWithAndWithoutAMap) {
    const ScratchFolder scratch;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Snapshot crowds[] = {crowd({}),
                               crowd({{1, 1, 0}}),
                               crowd({{2, 2, 0}, {2, 2, 0}, {2, 2, 0}}),
                               crowd({{1e6, -1e6, 0}, {1e6 + 30, -1e6, 0}}),
                               crowd({{0, 0, 5}, {1, 2, -5}, {3, 1, 9}}, 3),
                               crowd({{nan, 0, 0}, {1, 1, 0}}),
                               crowd({{-1e15, 0, 0}, {1e15, 3, 0}})};
    const Map map = small_map(20, 10);
    for (const ColourBy colour : {ColourBy::kSpeed, ColourBy::kGoal, ColourBy::kType, ColourBy::kBehaviour}) {
        SceneView view;
        view.width = 400;
        view.colour = colour;
        for (const Snapshot& snapshot : crowds) {
            for (const Map* ground : {static_cast<const Map*>(nullptr), &map}) {
                write_picture(scratch.file("a.png"), ground, {}, snapshot, view);
                const Size size = png_size(scratch.read("a.png"));
                EXPECT_EQ(std::max(size.width, size.height), 400u);
            }
        }
    }
}

TEST(Picture, DrawsFieldsWithUnreachableCells) {
    const ScratchFolder scratch;
    Map map = small_map(12, 8);
    for (int row = 0; row < 8; ++row) map.cost[map.index({6, row})] = kWallCost;
    map.cost[map.index({2, 2})] = 254;
    const Cell goal{1, 1};
    const Field field = build_field(map, {&goal, 1});
    SceneView view;
    view.width = 480;
    write_field_picture(scratch.file("f.png"), map, field, view);
    EXPECT_EQ(png_size(scratch.read("f.png")).width, 480u);
    const Field nowhere = build_field(map, {});
    write_field_picture(scratch.file("g.png"), map, nowhere, view);
    EXPECT_EQ(png_size(scratch.read("g.png")).width, 480u);
    EXPECT_NE(scratch.read("f.png"), scratch.read("g.png"));
    EXPECT_THROW(write_field_picture(scratch.file("h.png"), small_map(3, 3), field, view), Error);
    EXPECT_THROW(write_field_picture(scratch.file("h.png"), Map{}, Field{}, view), Error);
    EXPECT_EQ(scratch.entries(), 2u);
}

TEST(Picture, RefusesASizeOrAPlaceThatCannotBe) {
    const ScratchFolder scratch;
    const Map map = small_map(4, 4);
    SceneView view;
    for (const int pixels : {-1, 0, 15, 16385}) {
        view.width = pixels;
        EXPECT_THROW(write_picture(scratch.file("a.png"), &map, {}, crowd({}), view), Error);
    }
    view.width = 64;
    scratch.write("file", "");
    EXPECT_THROW(write_picture(scratch.file("file/a.png"), &map, {}, crowd({}), view), Error);
    EXPECT_EQ(scratch.entries(), 1u);
}

TEST(Picture, WallsDarkenWithDepthOnly) {
    Map map = small_map(7, 7, kWallCost);
    map.cost[map.index({0, 3})] = 1;
    const std::vector<std::uint8_t> depth = wall_depth(map);
    EXPECT_EQ(depth[map.index({0, 3})], 0);
    EXPECT_EQ(depth[map.index({1, 3})], 1);
    EXPECT_EQ(depth[map.index({6, 3})], 6);
    EXPECT_EQ(depth[map.index({6, 0})], 9);
}

TEST(Picture, RoundsScalesUpToNumbersThatReadWell) {
    EXPECT_EQ(round_up(0.0), 1.0);
    EXPECT_EQ(round_up(1.0), 1.0);
    EXPECT_EQ(round_up(1.72), 2.0);
    EXPECT_DOUBLE_EQ(round_up(0.26), 0.3);
    EXPECT_EQ(round_up(9.5), 10.0);
    EXPECT_EQ(with_commas(1234567), "1,234,567");
    EXPECT_EQ(with_commas(999), "999");
    EXPECT_EQ(plain(2.50, 2), "2.5");
    EXPECT_EQ(plain(3.0, 2), "3");
    EXPECT_EQ(plain(100.0, 0), "100");
}

}  // namespace
}  // namespace horde
