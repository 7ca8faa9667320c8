// Vectors of D numbers. Operations are written out in one fixed order, since the order decides the bits.
#pragma once

#include <cmath>

#include "base/platform.h"

namespace horde {

template <int D, class Real = float>
struct Vec {
    Real v[D];

    HORDE_HD Real& operator[](int axis) { return v[axis]; }
    HORDE_HD Real operator[](int axis) const { return v[axis]; }
};

template <int D, class Real = float>
HORDE_HD inline Vec<D, Real> zero_vec() {
    Vec<D, Real> r;
    for (int k = 0; k < D; ++k) r[k] = Real(0);
    return r;
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> operator+(Vec<D, Real> a, Vec<D, Real> b) {
    for (int k = 0; k < D; ++k) a[k] = a[k] + b[k];
    return a;
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> operator-(Vec<D, Real> a, Vec<D, Real> b) {
    for (int k = 0; k < D; ++k) a[k] = a[k] - b[k];
    return a;
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> operator*(Vec<D, Real> a, Real s) {
    for (int k = 0; k < D; ++k) a[k] = a[k] * s;
    return a;
}

template <int D, class Real>
HORDE_HD inline Vec<D, Real> operator/(Vec<D, Real> a, Real s) {
    for (int k = 0; k < D; ++k) a[k] = a[k] / s;
    return a;
}

template <int D, class Real>
HORDE_HD inline Real dot(Vec<D, Real> a, Vec<D, Real> b) {
    Real sum = a[0] * b[0];
    for (int k = 1; k < D; ++k) sum = sum + a[k] * b[k];
    return sum;
}

template <int D, class Real>
HORDE_HD inline Real norm(Vec<D, Real> a) {
    return std::sqrt(dot(a, a));
}

// The vector, scaled down to `limit` if it is longer.
template <int D, class Real>
HORDE_HD inline Vec<D, Real> clamp_norm(Vec<D, Real> a, Real limit) {
    const Real length = norm(a);
    return length > limit ? a * (limit / length) : a;
}

}  // namespace horde
