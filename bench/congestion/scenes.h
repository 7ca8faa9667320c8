/// The scenes of `horde bench congestion`: crowds in each other's way, in metres that experiments use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "horde/scene.h"

namespace horde::bench {

/// Agents that come from one place and go to one goal set.
struct CongestionStream {
    Bounds from;  ///< metres; inside free ground
    std::uint16_t goal = 0;
    std::int64_t at_start = 0;  ///< agents that stand there in rows when the clock starts
    double rate = 0.0;          ///< agents a second that enter afterwards
};

struct CongestionScene {
    std::string name;
    Scene scene;
    std::vector<CongestionStream> streams;
    double width = 0.0;         ///< metres, of the narrowest place, all streams together
    double feed_seconds = 0.0;  ///< how long agents enter; 0: all stand there at the start
    Bounds watched;             ///< where lanes are looked for; empty if there are none to be expected
    double published = 0.0;     ///< agents a second and metre
    std::string source;         ///< of the published value
};

/// corridor: two streams, 4 m wide. corner: a mass turns in a passage of 4 m. crossing: two streams at a
/// right angle. bottleneck: a mass leaves a room through a passage of 1 m, bottleneck-2m of 2 m. door:
/// through an opening of 1 m in a thin wall.
std::vector<CongestionScene> congestion_scenes();

/// Capacity of a walkway, agents a second and metre: the largest product of density and speed of Weidmann's
/// (1993) fundamental diagram v = 1.34 (1 - exp(-1.913 (1/rho - 1/5.4))) m/s.
double weidmann_capacity();

}  // namespace horde::bench
