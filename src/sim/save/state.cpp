#include "sim/save/state.h"

#include "sim/save/visit.h"

namespace horde {

// Fields need the number of the frame, and all else needs the agents.
std::span<const StatePart> state_parts() {
    static constexpr StatePart kParts[] = {
        {"agents", visit_agents<StateWriter>, visit_agents<StateReader>},
        {"life", visit_life<StateWriter>, visit_life<StateReader>},
        {"report", visit_report<StateWriter>, visit_report<StateReader>},
        {"land", visit_land<StateWriter>, visit_land<StateReader>},
        {"fields", visit_fields<StateWriter>, visit_fields<StateReader>},
        {"double", visit_double<StateWriter>, visit_double<StateReader>, true},
    };
    return kParts;
}

}  // namespace horde
