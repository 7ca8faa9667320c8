/// Who is near whom: a uniform grid over points, rebuilt in linear time, and its brute-force twin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "horde/scene.h"
#include "horde/vec.h"

namespace horde {

struct NeighbourSettings {
    int dim = 2;                          ///< 2 or 3
    float cell = 0.0f;                    ///< side of a cell; the radius of most queries is a good choice
    Search search = Search::kGrid;        ///< kAuto: brute force below 32 points
    std::optional<Bounds> periodic = {};  ///< the world repeats beyond these; points must lie in [min, max)
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

/// Finds the points p with |p - point|^2 <= radius^2, each once, computed in float as dx*dx + dy*dy (+
/// dz*dz), with every search and every cell size alike. In a periodic world the offset is to the nearest
/// image. A radius larger than a cell widens the block of cells, so that none is lost. Memory is proportional
/// to the number of points however far apart they lie. Reading is safe from many threads.
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

    /// The neighbours of every point: those of point i are `index[start[i]]` to `index[start[i + 1] - 1]`,
    /// ascending, i itself left out.
    SearchCounts lists(float radius, std::vector<std::uint64_t>& start,
                       std::vector<std::uint32_t>& index) const;

    std::size_t size() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace horde
