#pragma once

/// The exponential function, and what turns standard normals into normals and log-normals with parameters (contract, section 11).

#include "tandem/core/arithmetic.hpp"

namespace tandem {

/// e^x as p * 2^n: p between 0.7 and 1.42, and `shifted`, whose low bits are n.
template <class V>
struct ExpParts {
    V p;
    V shifted;
};

TANDEM_FN ExpParts<double> exp_parts(double x) {
    constexpr double shift = 0x1.8p+52;  // adding it leaves an integer in the low bits
    const double t = ieee::fma(x, 0x1.71547652b82fep+0, shift);
    const double n = ieee::sub(t, shift);
    const double r = ieee::fma(-n, 0x1.abc9e3b39803fp-56, ieee::fma(-n, 0x1.62e42fefa39efp-1, x));
    // Constants of their own, so that no device division mode can touch them.
    constexpr double c13 = 1.0 / 6227020800.0, c12 = 1.0 / 479001600.0, c11 = 1.0 / 39916800.0, c10 = 1.0 / 3628800.0;
    constexpr double c9 = 1.0 / 362880.0, c8 = 1.0 / 40320.0, c7 = 1.0 / 5040.0, c6 = 1.0 / 720.0, c5 = 1.0 / 120.0;
    constexpr double c4 = 1.0 / 24.0, c3 = 1.0 / 6.0;
    double p = ieee::fma(r, c13, c12);
    p = ieee::fma(r, p, c11);
    p = ieee::fma(r, p, c10);
    p = ieee::fma(r, p, c9);
    p = ieee::fma(r, p, c8);
    p = ieee::fma(r, p, c7);
    p = ieee::fma(r, p, c6);
    p = ieee::fma(r, p, c5);
    p = ieee::fma(r, p, c4);
    p = ieee::fma(r, p, c3);
    p = ieee::fma(r, p, 0.5);
    p = ieee::fma(r, p, 1.0);
    p = ieee::fma(r, p, 1.0);
    return {p, t};
}

TANDEM_FN ExpParts<float> exp_parts(float x) {
    constexpr float shift = 12582912.0f;
    const float t = ieee::fma(x, 1.4426950408889634f, shift);
    const float n = ieee::sub(t, shift);
    const float r = ieee::fma(-n, -0x1.05c61p-29f, ieee::fma(-n, 0x1.62e43p-1f, x));
    constexpr float c7 = 1.0f / 5040.0f, c6 = 1.0f / 720.0f, c5 = 1.0f / 120.0f, c4 = 1.0f / 24.0f, c3 = 1.0f / 6.0f;
    float p = ieee::fma(r, c7, c6);
    p = ieee::fma(r, p, c5);
    p = ieee::fma(r, p, c4);
    p = ieee::fma(r, p, c3);
    p = ieee::fma(r, p, 0.5f);
    p = ieee::fma(r, p, 1.0f);
    p = ieee::fma(r, p, 1.0f);
    return {p, t};
}

/// e^x for any x that exp64 and exp32 take, in two factors, since 2^n alone may leave the range of normal numbers.
TANDEM_FN double exp_wide(double x) {
    const ExpParts<double> e = exp_parts(x < -746.0 ? -746.0 : x > 710.0 ? 710.0 : x);
    const int32_t whole = static_cast<int32_t>(static_cast<uint32_t>(bit_cast<uint64_t>(e.shifted)));
    const int32_t half = whole >> 1;
    const double first = bit_cast<double>(static_cast<uint64_t>(1023 + half) << 52);
    const double second = bit_cast<double>(static_cast<uint64_t>(1023 + whole - half) << 52);
    return ieee::mul(ieee::mul(first, e.p), second);
}

TANDEM_FN float exp_wide(float x) {
    const ExpParts<float> e = exp_parts(x < -104.0f ? -104.0f : x > 89.0f ? 89.0f : x);
    const int32_t whole = static_cast<int32_t>(bit_cast<uint32_t>(e.shifted) - 0x4b400000u);
    const int32_t half = whole >> 1;
    const float first = bit_cast<float>(static_cast<uint32_t>(127 + half) << 23);
    const float second = bit_cast<float>(static_cast<uint32_t>(127 + whole - half) << 23);
    return ieee::mul_gradual(ieee::mul(first, e.p), second);
}

/// Where 2^n stays far from both ends of the range, so that multiplying by it is one exact change of the exponent.
constexpr double EXP64_TAME = 700.0;
constexpr float EXP32_TAME = 86.0f;
TANDEM_FN bool exp64_is_tame(double x) { return x >= -EXP64_TAME && x <= EXP64_TAME; }
TANDEM_FN bool exp32_is_tame(float x) { return x >= -EXP32_TAME && x <= EXP32_TAME; }

/// exp64 and exp32 of such x.
TANDEM_FN double exp64_tame(double x) {
    const ExpParts<double> e = exp_parts(x);
    return bit_cast<double>(bit_cast<uint64_t>(e.p) + (bit_cast<uint64_t>(e.shifted) << 52));
}
TANDEM_FN float exp32_tame(float x) {
    const ExpParts<float> e = exp_parts(x);
    return bit_cast<float>(bit_cast<uint32_t>(e.p) + (bit_cast<uint32_t>(e.shifted) << 23));
}

/// e^x, below 0.93 ulp (below 1 ulp where the result is subnormal). x may be infinite, not NaN: +0 from about -745.2 down,
/// infinity from about 709.8 up. The same bits everywhere.
TANDEM_FN double exp64(double x) { return exp64_is_tame(x) ? exp64_tame(x) : exp_wide(x); }

/// e^x, at most 0.94 ulp; not monotone between neighbours. x may be infinite, not NaN: +0 from about -104 down, infinity from
/// about 88.8 up. Subnormal results are kept. The same bits everywhere.
TANDEM_FN float exp32(float x) { return exp32_is_tame(x) ? exp32_tame(x) : exp_wide(x); }

/// The exponential function in either type.
TANDEM_FN double exp_of(double x) { return exp64(x); }
TANDEM_FN float exp_of(float x) { return exp32(x); }

/// True for 0 and -0 alone, also where comparisons take subnormal numbers for 0.
TANDEM_FN bool is_zero(float x) { return (bit_cast<uint32_t>(x) << 1) == 0; }
TANDEM_FN bool is_zero(double x) { return (bit_cast<uint64_t>(x) << 1) == 0; }

/// A standard normal z as one of this mean and standard deviation, with one rounding, subnormal results kept; z itself for mean 0
/// and standard deviation 1.
template <class V>
TANDEM_FN V affine(V z, V mean, V stddev) {
    return is_zero(mean) && stddev == static_cast<V>(1) ? z : ieee::fma_gradual(z, stddev, mean);
}

/// The log-normal of a standard normal z: exp of the normal of this mean and standard deviation.
template <class V>
TANDEM_FN V lognormal_of(V z, V mean, V stddev) {
    return exp_of(affine(z, mean, stddev));
}

}  // namespace tandem
