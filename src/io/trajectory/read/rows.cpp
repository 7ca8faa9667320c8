#include "io/trajectory/read/rows.h"

#include <algorithm>
#include <cmath>

#include "horde/error.h"

namespace horde {
namespace {

bool is_finite(const Vec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

}  // namespace

void FrameRows::add(const Row& row) {
    if (!is_finite(row.position) || !is_finite(row.velocity)) {
        throw Error(path_ + ":" + std::to_string(row.line) + ": agent " + std::to_string(row.id) + " has a " +
                    (is_finite(row.position) ? "velocity" : "position") +
                    " that is not finite; correct or leave out the row");
    }
    rows_.push_back(row);
}

void FrameRows::finish(int dim, const std::string& where, Snapshot& out) {
    const auto by_id = [](const Row& a, const Row& b) { return a.id < b.id; };
    if (!std::is_sorted(rows_.begin(), rows_.end(), by_id))
        std::stable_sort(rows_.begin(), rows_.end(), by_id);
    out.dim = dim;
    out.id.clear();
    out.position.clear();
    out.velocity.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        if (i > 0 && rows_[i - 1].id == row.id) {
            throw Error(path_ + ":" + std::to_string(row.line) + ": agent " + std::to_string(row.id) +
                        " is in " + where + " twice (before in row " + std::to_string(rows_[i - 1].line) +
                        "); give each agent an id of its own");
        }
        out.id.push_back(row.id);
        out.position.push_back(row.position);
        out.velocity.push_back(row.velocity);
    }
    out.goal.assign(rows_.size(), kNoGoal);
    out.type.assign(rows_.size(), 0);
    out.state.assign(rows_.size(), AgentState::kWalking);
    rows_.clear();
}

}  // namespace horde
