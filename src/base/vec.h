// Vectors of D floats. Operations are written out in one fixed order, since the order decides the bits.
#pragma once

#include <cmath>

#include "base/platform.h"

namespace horde {

template <int D>
struct Vec {
    float v[D];

    HORDE_HD float& operator[](int axis) { return v[axis]; }
    HORDE_HD float operator[](int axis) const { return v[axis]; }
};

template <int D>
HORDE_HD inline Vec<D> zero_vec() {
    Vec<D> r;
    for (int k = 0; k < D; ++k) r[k] = 0.0f;
    return r;
}

template <int D>
HORDE_HD inline Vec<D> operator+(Vec<D> a, Vec<D> b) {
    for (int k = 0; k < D; ++k) a[k] = a[k] + b[k];
    return a;
}

template <int D>
HORDE_HD inline Vec<D> operator-(Vec<D> a, Vec<D> b) {
    for (int k = 0; k < D; ++k) a[k] = a[k] - b[k];
    return a;
}

template <int D>
HORDE_HD inline Vec<D> operator*(Vec<D> a, float s) {
    for (int k = 0; k < D; ++k) a[k] = a[k] * s;
    return a;
}

template <int D>
HORDE_HD inline float dot(Vec<D> a, Vec<D> b) {
    float sum = a[0] * b[0];
    for (int k = 1; k < D; ++k) sum = sum + a[k] * b[k];
    return sum;
}

template <int D>
HORDE_HD inline float norm(Vec<D> a) {
    return std::sqrt(dot(a, a));
}

// The vector, scaled down to `limit` if it is longer.
template <int D>
HORDE_HD inline Vec<D> clamp_norm(Vec<D> a, float limit) {
    const float squared = dot(a, a);
    if (!(squared > limit * limit)) return a;
    return a * (limit / std::sqrt(squared));
}

}  // namespace horde
