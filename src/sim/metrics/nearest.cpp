// Distances to the nearest other agent. A k-d tree instead of the grid: agents of a file may be spread
// anyhow, and no radius is known.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "horde/error.h"
#include "horde/metrics.h"
#include "sim/metrics/image.h"

namespace horde {
namespace {

constexpr std::uint32_t kLeaf = 8;  // points that are compared one by one
constexpr double kNever = std::numeric_limits<double>::infinity();
// In a periodic world a box is measured from an image and a pair by its own offset, which round otherwise.
constexpr double kRounding = 1.0 + 1e-9;

struct Point {
    double x[3];
};

struct Node {
    Point low;
    Point high;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t right;  // its left child follows it; 0: a leaf
};

class Tree {
  public:
    Tree(const Snapshot& snapshot, const Images& images) : images_(images), position_(snapshot.position) {
        const std::size_t count = snapshot.count();
        order_.resize(count);
        std::iota(order_.begin(), order_.end(), 0u);
        point_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3& p = position_[i];
            point_[i] = {{images_.wrapped(p.x, 0), images_.wrapped(p.y, 1),
                          images_.dim == 3 ? images_.wrapped(p.z, 2) : 0.0}};
        }
        nodes_.reserve(2 * count / (kLeaf / 2) + 1);
        split(0, static_cast<std::uint32_t>(count));
    }

    const std::vector<std::uint32_t>& order() const { return order_; }

    // Squared distance from agent i to the nearest other one.
    double nearest(std::uint32_t i) const {
        double best = kNever;
        search(0, point_[i], i, best);
        if (!images_.periodic()) return best;
        const Point home = point_[i];
        const double depth = images_.dim == 3 ? images_.length[2] : 0.0;
        const int deep = images_.dim == 3 ? 1 : 0;
        for (int a = -1; a <= 1; ++a) {
            for (int b = -1; b <= 1; ++b) {
                for (int c = -deep; c <= deep; ++c) {
                    if (a == 0 && b == 0 && c == 0) continue;
                    const Point image = {{home.x[0] + a * images_.length[0],
                                          home.x[1] + b * images_.length[1], home.x[2] + c * depth}};
                    search(0, image, i, best);
                }
            }
        }
        return best;
    }

  private:
    std::uint32_t split(std::uint32_t begin, std::uint32_t end) {
        const auto index = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({point_[order_[begin]], point_[order_[begin]], begin, end, 0});
        Node& node = nodes_.back();
        for (std::uint32_t place = begin; place < end; ++place) {
            for (int k = 0; k < 3; ++k) {
                node.low.x[k] = std::min(node.low.x[k], point_[order_[place]].x[k]);
                node.high.x[k] = std::max(node.high.x[k], point_[order_[place]].x[k]);
            }
        }
        if (end - begin <= kLeaf) return index;
        int axis = 0;
        for (int k = 1; k < 3; ++k) {
            if (node.high.x[k] - node.low.x[k] > node.high.x[axis] - node.low.x[axis]) axis = k;
        }
        const std::uint32_t middle = begin + (end - begin) / 2;
        std::nth_element(
            order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
            [&](std::uint32_t a, std::uint32_t b) { return point_[a].x[axis] < point_[b].x[axis]; });
        split(begin, middle);
        const std::uint32_t right = split(middle, end);
        nodes_[index].right = right;
        return index;
    }

    double box_distance(const Node& node, const Point& p) const {
        double d2 = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double outside = std::max({node.low.x[k] - p.x[k], p.x[k] - node.high.x[k], 0.0});
            d2 += outside * outside;
        }
        return d2;
    }

    void search(std::uint32_t index, const Point& p, std::uint32_t self, double& best) const {
        const Node& node = nodes_[index];
        if (box_distance(node, p) > best * kRounding || best == 0.0) return;
        if (node.right == 0) {
            for (std::uint32_t place = node.begin; place < node.end; ++place) {
                const std::uint32_t j = order_[place];
                if (j == self) continue;
                best = std::min(best, length_squared(images_.offset(position_[self], position_[j])));
            }
            return;
        }
        const bool right_first = box_distance(nodes_[node.right], p) < box_distance(nodes_[index + 1], p);
        search(right_first ? node.right : index + 1, p, self, best);
        search(right_first ? index + 1 : node.right, p, self, best);
    }

    const Images& images_;
    const std::vector<Vec3>& position_;
    std::vector<Point> point_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
};

}  // namespace

NearestDistances nearest_distances(const Snapshot& snapshot, const MetricSettings& settings) {
    check_images(snapshot, settings);
    if (snapshot.count() < 2) return {};
    if (snapshot.count() > 0xfffffff0u) throw Error("metrics: more than 2^32 - 16 agents; measure fewer");
    const Images images(snapshot.dim, settings.periodic);
    const Tree tree(snapshot, images);
    std::vector<double> distance(snapshot.count());
    // In the tree's order, so that one search finds in the cache what the one before it left there.
    for (const std::uint32_t i : tree.order()) distance[i] = std::sqrt(tree.nearest(i));
    double sum = 0.0, lowest = kNever;
    for (const double d : distance) {
        sum += d;
        lowest = std::min(lowest, d);
    }
    return {sum / static_cast<double>(snapshot.count()), lowest};
}

}  // namespace horde
