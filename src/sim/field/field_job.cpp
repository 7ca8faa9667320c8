#include "sim/field/field_job.h"

#include <limits>

namespace horde {

void FieldWorker::take_grid(const CostGridPtr& wanted) {
    if (grid == wanted) return;
    builder.set_map(wanted->map);
    grid = wanted;
}

bool FieldJob::repair(FieldWorker& worker) {
    out.columns = live->columns;
    out.rows = live->rows;
    out.goals = live->goals;
    out.integration = live->integration;
    out.wide_integration = live->wide_integration;
    out.flow = live->flow;
    gave_up = !worker.repairer.repair(grid->map, changed, goals, repair_budget(grid->map.cost.size()), out);
    return !gave_up;
}

bool FieldJob::work(FieldWorker& worker, std::size_t& cells) {
    if (!has_begun_) {
        if (kind == FieldJobKind::kRepair && (repair(worker) || !build_at_once)) return true;
        worker.take_grid(grid);
        out.goals.assign(goals.begin(), goals.end());
        worker.builder.begin(out);
        has_begun_ = true;
    }
    if (!worker.builder.build_some(out, cells)) return false;
    has_begun_ = false;
    return true;
}

void FieldJob::run(int worker) {
    std::size_t all = std::numeric_limits<std::size_t>::max();
    work((*workers)[static_cast<std::size_t>(worker)], all);
}

}  // namespace horde
