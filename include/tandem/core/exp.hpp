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

/// What exp64 and exp32 are made of. The terms are 1/k! from the highest power on, constants that no device division mode can
/// touch.
template <class V>
struct ExpConstants;
template <>
struct ExpConstants<double> {
    static constexpr int TERMS = 14;
    TANDEM_FN static constexpr double term(int i) {
        constexpr double all[TERMS] = {1.0 / 6227020800.0,
                                       1.0 / 479001600.0,
                                       1.0 / 39916800.0,
                                       1.0 / 3628800.0,
                                       1.0 / 362880.0,
                                       1.0 / 40320.0,
                                       1.0 / 5040.0,
                                       1.0 / 720.0,
                                       1.0 / 120.0,
                                       1.0 / 24.0,
                                       1.0 / 6.0,
                                       0.5,
                                       1.0,
                                       1.0};
        return all[i];
    }
    static constexpr double SHIFT = 0x1.8p+52;  // adding it leaves an integer in the low bits
    static constexpr double LOG2_E = 0x1.71547652b82fep+0, LN2_HIGH = 0x1.62e42fefa39efp-1, LN2_LOW = 0x1.abc9e3b39803fp-56;
};
template <>
struct ExpConstants<float> {
    static constexpr int TERMS = 8;
    TANDEM_FN static constexpr float term(int i) {
        constexpr float all[TERMS] = {1.0f / 5040.0f, 1.0f / 720.0f, 1.0f / 120.0f, 1.0f / 24.0f, 1.0f / 6.0f, 0.5f, 1.0f, 1.0f};
        return all[i];
    }
    static constexpr float SHIFT = 12582912.0f;
    static constexpr float LOG2_E = 1.4426950408889634f, LN2_HIGH = 0x1.62e43p-1f, LN2_LOW = -0x1.05c61p-29f;
};

/// Of N numbers side by side: each step of one waits for the step before, and compilers keep chains in the order of the source.
template <class V, int N>
TANDEM_FN void exp_parts(const V (&x)[N], ExpParts<V> (&parts)[N]) {
    using C = ExpConstants<V>;
    V r[N];
    TANDEM_UNROLL
    for (int i = 0; i < N; ++i) {
        parts[i].shifted = ieee::fma(x[i], C::LOG2_E, C::SHIFT);
        const V n = ieee::sub(parts[i].shifted, C::SHIFT);
        r[i] = ieee::fma(-n, C::LN2_LOW, ieee::fma(-n, C::LN2_HIGH, x[i]));
        parts[i].p = C::term(0);
    }
    TANDEM_UNROLL
    for (int k = 1; k < C::TERMS; ++k) {
        TANDEM_UNROLL
        for (int i = 0; i < N; ++i) parts[i].p = ieee::fma(r[i], parts[i].p, C::term(k));
    }
}

template <class V>
TANDEM_FN ExpParts<V> exp_parts(V x) {
    const V one[1] = {x};
    ExpParts<V> parts[1];
    exp_parts(one, parts);
    return parts[0];
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
TANDEM_FN double exp64_tame(const ExpParts<double>& e) {
#if defined(__CUDA_ARCH__)
    // In the high word alone: the compiler would add both.
    const uint32_t exponent = static_cast<uint32_t>(__double2loint(e.shifted)) << 20;
    return __hiloint2double(static_cast<int>(static_cast<uint32_t>(__double2hiint(e.p)) + exponent), __double2loint(e.p));
#else
    return bit_cast<double>(bit_cast<uint64_t>(e.p) + (bit_cast<uint64_t>(e.shifted) << 52));
#endif
}
TANDEM_FN double exp64_tame(double x) { return exp64_tame(exp_parts(x)); }
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
