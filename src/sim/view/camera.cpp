// From a camera and the bounds of types to six planes and how far each type reaches over them.
#include <algorithm>
#include <cmath>
#include <string>

#include "horde/error.h"
#include "sim/frame.h"
#include "sim/setup_rules.h"

namespace horde {
namespace {

constexpr double kLargest = 1e6;  // metres, of bounds and shadows

// Row r of the matrix, as the coefficients of x, y, z and 1.
Plane row_of(const Camera& camera, int r) {
    const auto& m = camera.view_projection;
    const auto at = [&](int c) { return m[static_cast<std::size_t>(4 * c + r)]; };
    return {at(0), at(1), at(2), at(3)};
}

Plane combine(const Plane& p, const Plane& q, double sign) {
    return {p.a + sign * q.a, p.b + sign * q.b, p.c + sign * q.c, p.d + sign * q.d};
}

double length_of(const Plane& p) {
    return std::sqrt(p.a * p.a + p.b * p.b + p.c * p.c);
}

Plane normalised(const Plane& p) {
    const double length = length_of(p);
    return {p.a / length, p.b / length, p.c / length, p.d / length};
}

void check_length(double value, const std::string& key) {
    require(std::isfinite(value) && std::fabs(value) <= kLargest, key, value, "within 1e6 metres");
}

// Half the width of a shape in a direction of length 1.
double width_along(const TypeBounds& bounds, const Plane& p) {
    if (bounds.sphere) return bounds.radius;
    return std::fabs(p.a) * bounds.half.x + std::fabs(p.b) * bounds.half.y + std::fabs(p.c) * bounds.half.z;
}

double along(const Plane& p, Vec3 v) {
    return p.a * v.x + p.b * v.y + p.c * v.z;
}

// NaN if either is.
double larger(double a, double b) {
    return a > b || std::isnan(a) ? a : b;
}

// How far a double sum of the plane's distance, n * origin and n * centre may be off: planes and products
// are rounded, and they cancel where the world is far from the origin.
double lost_by(const Plane& p, Vec3 origin, Vec3 centre) {
    const auto sizes = [&](Vec3 v) {
        return std::fabs(p.a * v.x) + std::fabs(p.b * v.y) + std::fabs(p.c * v.z);
    };
    return 0x1p-49 * (std::fabs(p.d) + sizes(origin) + sizes(centre));
}

}  // namespace

std::array<Plane, 6> frustum_planes(const Camera& camera) {
    for (const double x : camera.view_projection) {
        if (!std::isfinite(x))
            throw Error("camera.view_projection: an element is not finite; give 16 numbers");
    }
    if (camera.depth != ClipDepth::kZeroToOne && camera.depth != ClipDepth::kMinusOneToOne) {
        throw Error("camera.depth: " + std::to_string(static_cast<int>(camera.depth)) +
                    " is no range of depth; give kZeroToOne or kMinusOneToOne");
    }
    const Plane x = row_of(camera, 0), y = row_of(camera, 1), z = row_of(camera, 2), w = row_of(camera, 3);
    std::array<Plane, 6> planes = {combine(w, x, 1.0),  combine(w, x, -1.0), combine(w, y, 1.0),
                                   combine(w, y, -1.0), combine(w, z, 1.0),  combine(w, z, -1.0)};
    if (camera.depth == ClipDepth::kZeroToOne) planes[4] = z;
    for (std::size_t p = 0; p < planes.size(); ++p) {
        const bool depth = p >= 4;
        const double scale = length_of(w) + length_of(depth ? z : p < 2 ? x : y);
        // Below this what is left of two rows is the rounding of a float matrix.
        if (length_of(planes[p]) > 0x1p-22 * scale) {
            planes[p] = normalised(planes[p]);
        } else if (depth) {
            planes[p] = {};
        } else {
            throw Error(
                "camera.view_projection: plane " + std::to_string(p) +
                " of left, right, bottom, top has no direction; give projection times view, column-major");
        }
    }
    return planes;
}

TypeBounds sphere_bounds(double radius, Vec3 centre) {
    return {.sphere = true, .centre = centre, .radius = radius};
}

TypeBounds box_bounds(Vec3 min, Vec3 max) {
    return {.sphere = false,
            .centre = {0.5 * (min.x + max.x), 0.5 * (min.y + max.y), 0.5 * (min.z + max.z)},
            .half = {0.5 * (max.x - min.x), 0.5 * (max.y - min.y), 0.5 * (max.z - min.z)}};
}

TypeBounds turning_bounds(Vec3 min, Vec3 max) {
    const double x = larger(std::fabs(min.x), std::fabs(max.x));
    const double y = larger(std::fabs(min.y), std::fabs(max.y));
    const double radius = std::sqrt(x * x + y * y);
    return box_bounds({-radius, -radius, min.z}, {radius, radius, max.z});
}

static void check_bounds(const TypeBounds& bounds, const std::string& key) {
    for (const double c : {bounds.centre.x, bounds.centre.y, bounds.centre.z})
        check_length(c, key + ".centre");
    const auto check_size = [&](double value, const char* name) {
        check_length(value, key + name);
        require(value >= 0.0, key + name, value, "at least 0 metres");
    };
    if (bounds.sphere) return check_size(bounds.radius, ".radius");
    for (const double h : {bounds.half.x, bounds.half.y, bounds.half.z}) check_size(h, ".half");
}

void set_up_view(View& view, const Scene& scene) {
    std::array<const SceneAgents*, kTypes> first{};
    for (std::size_t g = 0; g < scene.agents.size(); ++g) {
        const SceneAgents& group = scene.agents[g];
        const std::string key = "agents[" + std::to_string(g) + "].";
        require(
            std::isfinite(group.bound_radius) && group.bound_radius >= 0.0 && group.bound_radius <= kLargest,
            key + "bound_radius", group.bound_radius, "between 0 and 1e6 metres");
        require(
            std::isfinite(group.bound_height) && group.bound_height >= 0.0 && group.bound_height <= kLargest,
            key + "bound_height", group.bound_height, "between 0 and 1e6 metres");
        const auto type = static_cast<std::size_t>(group.type);
        const SceneAgents*& other = first[type];
        if (other == nullptr) other = &group;
        if (other->bound_radius != group.bound_radius || other->bound_height != group.bound_height) {
            throw Error(key + "bound_radius: another group of type " + std::to_string(type) +
                        " has other bounds; give both the same, or another type");
        }
        const double r = group.bound_radius;
        view.bounds[type] = group.bound_height > 0.0 ? box_bounds({-r, -r, 0.0}, {r, r, group.bound_height})
                                                     : sphere_bounds(r);
    }
    for (int type = 0; type < kTypes; ++type) {
        if (first[static_cast<std::size_t>(type)] == nullptr) continue;
        view.place[static_cast<std::size_t>(type)] = static_cast<std::uint8_t>(view.types.size());
        view.types.push_back(static_cast<std::uint8_t>(type));
    }
}

// Float arithmetic on n * x + reach is off by less than 2^-21 of |x| + |y| + |z| + |reach| (three products,
// three sums, and the rounding of n and reach); the part of the position is added where that is known.
static void set_planes(Frame& frame) {
    View& view = frame.view;
    const std::array<Plane, 6> planes = frustum_planes(view.camera);
    const Vec3 light = view.camera.light;
    const double bright = std::sqrt(light.x * light.x + light.y * light.y + light.z * light.z);
    const bool shadows = view.camera.shadow_length > 0.0;
    const double shadow = shadows ? view.camera.shadow_length / bright : 0.0;
    view.reach.assign(view.types.size(), {});
    for (std::size_t p = 0; p < kPlanes; ++p) {
        const Plane& plane = planes[p];
        const double normal[3] = {plane.a, plane.b, plane.c};
        for (int k = 0; k < 3; ++k) view.planes.normal[k][p] = static_cast<float>(normal[k]);
        for (std::size_t t = 0; t < view.types.size(); ++t) {
            const TypeBounds& bounds = view.bounds[view.types[t]];
            double reach = plane.d + along(plane, frame.params.origin) + along(plane, bounds.centre);
            reach += lost_by(plane, frame.params.origin, bounds.centre);
            reach += width_along(bounds, plane);
            if (shadows) reach += std::max(0.0, shadow * along(plane, light));
            view.reach[t][p] = static_cast<float>(reach + std::fabs(reach) * 0x1p-20);
        }
    }
    view.planes.alike = true;
    for (std::size_t p = 0; p < kPlanes; ++p) {
        const float low = view.planes.normal[2][p] * view.low, high = view.planes.normal[2][p] * view.high;
        for (std::size_t t = 0; t < view.types.size(); ++t) {
            const float reach = view.reach[t][p];
            view.planes.most[p] = t == 0 ? reach : std::max(view.planes.most[p], reach);
            view.planes.least[p] = t == 0 ? reach : std::min(view.planes.least[p], reach);
        }
        view.planes.most[p] = view.planes.most[p] + std::max(low, high);
        view.planes.least[p] = view.planes.least[p] + std::min(low, high);
        view.planes.alike = view.planes.alike && view.planes.least[p] == view.planes.most[p];
    }
}

static void find_heights(Frame& frame) {
    if (frame.view.knows_ground || !is_hilly(frame)) return;
    const auto [low, high] = std::minmax_element(frame.land->heights.begin(), frame.land->heights.end());
    frame.view.low = *low;
    frame.view.high = *high;
    frame.view.knows_ground = true;
}

void forget_visible(Frame& frame) {
    frame.view.first.clear();
    FrameReport& report = frame.report;
    report.visible = report.not_finite = report.instances_dropped = 0;
}

void set_camera(Frame& frame, const Camera& camera, const ViewOptions& options) {
    frustum_planes(camera);
    const Vec3 light = camera.light;
    require(std::isfinite(camera.shadow_length) && camera.shadow_length >= 0.0 &&
                camera.shadow_length <= kLargest,
            "camera.shadow_length", camera.shadow_length, "between 0 and 1e6 metres");
    const double bright = light.x * light.x + light.y * light.y + light.z * light.z;
    require(camera.shadow_length == 0.0 || (std::isfinite(bright) && bright > 0.0), "camera.light", bright,
            "a direction: not 0, and finite");
    frame.view.camera = camera;
    frame.view.options = options;
    frame.view.on = true;
    forget_visible(frame);
    find_heights(frame);
    set_planes(frame);
}

void set_bounds(Frame& frame, int type, const TypeBounds& bounds) {
    require(type >= 0 && type < kTypes, "bounds: type", type, "between 0 and 255");
    check_bounds(bounds, "bounds");
    frame.view.bounds[static_cast<std::size_t>(type)] = bounds;
    if (frame.view.on) set_planes(frame);
}

}  // namespace horde
