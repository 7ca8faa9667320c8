/// Who is near whom: a uniform grid over points, rebuilt in linear time, and its brute-force twin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "horde/scene.h"
#include "horde/vec.h"

namespace horde {

struct NeighbourSettings {
    int dim = 2;                          ///< 2 or 3
    float cell = 0.0f;                    ///< side of a cell; the radius of most queries is a good choice
    Search search = Search::kGrid;        ///< kAuto: brute force below 32 points
    std::optional<Bounds> periodic = {};  ///< the world repeats beyond these; points must lie in [min, max)
    std::string backend = "auto";  ///< of `build` and `lists`: one of backends(); the sets are the same
    int threads = 1;               ///< of `build` and `lists`; 0: all cores; ignored by "scalar"
};

/// A neighbour in an all-pairs list or a visit.
struct Neighbour {
    std::uint32_t index;  ///< of the point, as it was given to `build`
    float distance_squared;
};

struct SearchCounts {
    std::int64_t candidates = 0;  ///< points in visited cells
    std::int64_t neighbours = 0;  ///< those within the radius
};

/// One radius for all points, or one for each, in the order of the points; borrowed.
class ListRadius {
  public:
    ListRadius(float of_all) : of_all(of_all) {}
    ListRadius(std::span<const float> of_each) : is_each(true), of_each(of_each) {}
    ListRadius(const std::vector<float>& of_each) : is_each(true), of_each(of_each) {}

    bool is_each = false;
    float of_all = 0.0f;
    std::span<const float> of_each = {};
};

/// How lists are laid out.
enum class ListOrder : std::uint8_t {
    kGiven,  ///< list i is that of point i, its indices ascending
    kGrid    ///< the points renumbered as the grid holds them: list r is that of point `grid_order()[r]`, and
             ///< its entries are such places r too, ascending. About twice as fast
};

/// Finds the points p with |p - point|^2 <= radius^2, each once, computed in float as dx*dx + dy*dy (+
/// dz*dz), with every search and every cell size alike. In a periodic world the offset is to the nearest
/// image. A radius larger than a cell widens the block of cells, so that none is lost. Memory is proportional
/// to the number of points however far apart they lie. `query` and `visit` are safe from many threads at
/// once.
class Neighbours {
  public:
    /// Throws Error if dim is not 2 or 3, the cell is not finite and positive, or the periodic bounds are
    /// empty.
    explicit Neighbours(const NeighbourSettings& settings);
    ~Neighbours();
    Neighbours(Neighbours&&) noexcept;
    Neighbours& operator=(Neighbours&&) noexcept;

    /// Takes over the points (copied; z ignored in 2D). Throws Error naming the first point that is not
    /// finite or outside the periodic bounds, or if the columns differ in length; the old points then stay.
    void build(std::span<const float> x, std::span<const float> y, std::span<const float> z = {});

    /// Indices of the neighbours of a place, ascending, into `out`, whose memory is used again. `exclude` (an
    /// index, or -1) is left out. In a periodic world the place is wrapped first. Throws Error for a radius
    /// that is not finite or negative.
    SearchCounts query(Vec3 point, float radius, std::int64_t exclude, std::vector<std::uint32_t>& out) const;

    /// Calls `visit(context, neighbour)` for each neighbour in place, in no stated order; nothing is copied.
    SearchCounts visit(Vec3 point, float radius, std::int64_t exclude, void (*visit)(void*, Neighbour),
                       void* context) const;

    /// The neighbours of every point (j is one of i if it lies within the radius of i), i itself left out:
    /// those of i are `index[start[i]]` to `index[start[i + 1] - 1]`. `start` must have size() + 1 elements
    /// and is filled. `index` needs `neighbours` of the counts returned: with fewer its contents are
    /// unspecified, so that an empty one asks how many there are. Elements beyond those needed are left
    /// alone. The lists are the same on every backend and number of threads. Throws Error for a radius that
    /// is not finite or negative, or another number of radii or starts than there are points. One call at a
    /// time.
    SearchCounts lists(ListRadius radius, std::span<std::uint64_t> start, std::span<std::uint32_t> index,
                       ListOrder order = ListOrder::kGiven) const;

    /// The same into vectors, which get the sizes needed; their memory is used again.
    SearchCounts lists(ListRadius radius, std::vector<std::uint64_t>& start,
                       std::vector<std::uint32_t>& index, ListOrder order = ListOrder::kGiven) const;

    /// For each place of the grid the index of its point, as given to `build`: by cell, row by row, and
    /// inside a cell ascending. Which cells there are follows from the points and the settings' cell alone.
    /// Valid until the next `build`.
    std::span<const std::uint32_t> grid_order() const;

    std::size_t size() const;
    const std::string& backend() const;  ///< the one chosen
    int threads() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace horde
