#include "sim/field/field_builder.h"

namespace horde {

Field build_field(const Map& map, std::span<const Cell> goals) {
    FieldBuilder builder;
    builder.set_map(map);
    Field field;
    field.goals.assign(goals.begin(), goals.end());
    builder.integrate(field);
    builder.flow(field);
    return field;
}

}  // namespace horde
