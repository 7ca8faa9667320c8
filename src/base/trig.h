// Sine and cosine from + - * alone: libm's differ between systems, and these feed the simulation.
#pragma once

#include "base/platform.h"

namespace horde {

template <class Real>
struct SinCos {
    Real sin;
    Real cos;
};

// Of an angle in turns (1 turn = 2 pi), any finite number of them up to 2^20. Reduced to an eighth of a turn
// on either side of a quarter, then Taylor polynomials whose first omitted term is below 1e-17; off by at
// most a few steps of the type.
template <class Real>
HORDE_HD inline SinCos<Real> sin_cos_turns(Real turns) {
    const Real quarters = turns * Real(4);
    int nearest = static_cast<int>(quarters + (quarters < Real(0) ? Real(-0.5) : Real(0.5)));
    const Real x = (quarters - static_cast<Real>(nearest)) * Real(1.57079632679489661923);  // |x| <= pi / 4
    const Real x2 = x * x;
    // Coefficients 1 / n!, highest first.
    Real s = Real(1.0 / 355687428096000.0);
    s = s * x2 - Real(1.0 / 1307674368000.0);
    s = s * x2 + Real(1.0 / 6227020800.0);
    s = s * x2 - Real(1.0 / 39916800.0);
    s = s * x2 + Real(1.0 / 362880.0);
    s = s * x2 - Real(1.0 / 5040.0);
    s = s * x2 + Real(1.0 / 120.0);
    s = s * x2 - Real(1.0 / 6.0);
    s = (s * x2 + Real(1)) * x;
    Real c = Real(1.0 / 20922789888000.0);
    c = c * x2 - Real(1.0 / 87178291200.0);
    c = c * x2 + Real(1.0 / 479001600.0);
    c = c * x2 - Real(1.0 / 3628800.0);
    c = c * x2 + Real(1.0 / 40320.0);
    c = c * x2 - Real(1.0 / 720.0);
    c = c * x2 + Real(1.0 / 24.0);
    c = c * x2 - Real(1.0 / 2.0);
    c = c * x2 + Real(1);
    switch (nearest & 3) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

}  // namespace horde
