/// Builds fields of one map again and again in the same memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "horde/field.h"
#include "sim/field/bucket_queue.h"
#include "sim/field/flow_row.h"

namespace horde {

/// Throws Error unless the map keeps the contract of `Map`: sides 0 to kMaxMapSide, columns * rows costs,
/// none 0.
void check_map(const Map& map);

/// Throws Error if a goal lies outside the map or in a wall.
void check_goals(const Map& map, std::span<const Cell> goals);

/// The stages behind `build_field`, apart: `set_map`, then for any number of fields `integrate` and `flow`.
/// Works on a copy of the map with a border of walls one cell wide, so no stage tests bounds. Nothing is
/// allocated once the sizes have been seen.
class FieldBuilder {
  public:
    /// `narrow_limit`: largest value that a field of 32 bits may hold; tests lower it to meet wide fields on
    /// small maps.
    explicit FieldBuilder(std::uint32_t narrow_limit = kUnreachable32 - 1) : narrow_limit_(narrow_limit) {}

    /// Copies the map. Throws Error as check_map does, and then keeps the map that it had.
    void set_map(const Map& map);

    /// Fills the sides and the integration values of `field` for `field.goals`; wide if and only if a value
    /// passes the limit. `flow` is left as it was. Throws Error if a goal lies outside the map or in a wall.
    void integrate(Field& field);

    /// Fills `field.flow` from the values that `integrate` gave `field` for the map as set.
    void flow(Field& field);

    /// The same for the cells from `from` on, up to but without the row and the column of `to`, of a field
    /// that has directions already. The cells must lie inside the map.
    void flow(Field& field, Cell from, Cell to);

    /// The same as integrate and flow in parts: `begin`, which throws as integrate does, then `build_some`
    /// until it says true. Each part works off about `cells` cells and leaves in it how many it had left; a
    /// field takes about build_work() of them. Nothing else may be asked of the builder meanwhile.
    void begin(Field& field);
    bool build_some(Field& field, std::size_t& cells);
    static constexpr std::size_t build_work(std::size_t cells) {
        return cells + cells / 4 + cells / kFlowPerCell;
    }

    /// Rows of the flow stage are done by this one; all give the same directions.
    void use_flow_kernel(FlowKernel kernel) { flow_kernel_ = kernel; }

  private:
    std::size_t padded_index(Cell c) const {
        return (static_cast<std::size_t>(c.row) + 1) * stride_ + static_cast<std::size_t>(c.column) + 1;
    }
    std::size_t padded_cells() const { return stride_ * (static_cast<std::size_t>(rows_) + 2); }
    void check_goals_inside(std::span<const Cell> goals) const;
    void mark_moves();

    enum class Part : std::uint8_t { kNarrow, kWide, kFlow };
    enum class Spread : std::uint8_t { kGoesOn, kDone, kTooFar };
    static constexpr std::size_t kFlowPerCell = 8;  // cells of flow take about as long as one of integration

    int bucket_shift() const;
    template <typename Value>
    void seed(std::span<const Cell> goals, std::vector<Value>& distance);
    template <typename Value>
    Spread spread(std::uint64_t limit, std::vector<Value>& distance, std::size_t& cells_left);
    void integrate_some(Field& field, std::size_t& cells_left);
    template <typename Value>
    void copy_inside(const std::vector<Value>& distance, std::vector<Value>& values) const;
    template <typename Value>
    const std::uint32_t* flow_row(const std::vector<Value>& values, std::int32_t row, std::int32_t first,
                                  std::size_t cells);
    template <typename Value>
    void choose_steps(const std::vector<Value>& values, Cell from, Cell to, Direction* flow);

    std::uint32_t narrow_limit_;
    std::int32_t columns_ = 0;
    std::int32_t rows_ = 0;
    std::size_t stride_ = 2;        // columns + 2
    std::uint32_t least_cost_ = 1;  // over the free cells
    std::uint32_t greatest_cost_ = 1;
    std::vector<std::uint8_t> cost_;     // padded, and kRowBlock more that are read but mean nothing
    std::vector<std::uint8_t> moves_;    // likewise; bit d: the step in direction d is legal
    std::vector<std::uint32_t> narrow_;  // padded integration values
    std::vector<std::uint64_t> wide_;
    std::vector<std::uint32_t> flow_rows_;  // three padded rows for the flow stage
    FlowKernel flow_kernel_ = fastest_flow_kernel();
    BucketQueue queue_;
    Part part_ = Part::kFlow;        // of the field begun
    std::uint64_t next_bucket_ = 0;  // to spread from
    std::int32_t next_row_ = 0;      // to choose steps in
};

}  // namespace horde
