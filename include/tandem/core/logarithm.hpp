#pragma once

/// The reference logarithms behind normals and exponentials (contract, section 6).

#include "tandem/core/arithmetic.hpp"

namespace tandem {

/// A positive f32 as m * 2^(exponent / 2^23) with m in [sqrt(1/2), sqrt(2)). The contract's nk is -exponent / 2^23: the exponent
/// stays where a float has it, and the factors that it meets carry the power of two, which changes no rounding.
struct LogSplit32 {
    float exponent;
    float m;
};

/// Splits x / 2^scale.
TANDEM_FN LogSplit32 log_split32(float x, int32_t scale) {
    // The exponent has at most 8 bits besides its sign, so all of this is exact.
    const uint32_t bits = bit_cast<uint32_t>(x), shift = static_cast<uint32_t>(scale) << 23;
    const uint32_t exponent = (bits + 0x004afb0du - 0x3f800000u - shift) & 0xff800000u;
    return {static_cast<float>(static_cast<int32_t>(exponent)), bit_cast<float>(bits - shift - exponent)};
}

/// -2 ln of a number that log_split32 split.
TANDEM_FN float L32_of(const LogSplit32& x) {
    // With s4 = -4s instead of s the sum needs no factor; powers of two change no rounding, so the bits are those of the
    // reference.
    const float s4 = ieee::div_tame(ieee::fma(x.m, -4.0f, 4.0f), ieee::add(x.m, 1.0f));
    const float z = ieee::mul(s4, s4);
    float p = ieee::fma(z, 0.14275366f / 4096.0f, 0.20000061f / 256.0f);
    p = ieee::fma(z, p, 0.33333334f / 16.0f);
    p = ieee::fma(z, p, 1.0f);
    const float most = ieee::fma(x.exponent, -1.38629150390625f * 0x1p-23f, ieee::mul(s4, p));
    return ieee::fma(x.exponent, -2.857213530660374e-06f * 0x1p-23f, most);
}

/// -ln of a number that log_split32 split.
TANDEM_FN float N32_of(const LogSplit32& x) {
    const float num = ieee::fma(x.m, -2.0f, 2.0f);
    const float d = ieee::add(x.m, 1.0f);
    const float dl = ieee::sub(x.m, ieee::sub(d, 1.0f));
    const float rcp = ieee::reciprocal_tame(d);
    const float uh = ieee::mul(num, rcp);
    const float r = ieee::fma(-uh, dl, ieee::fma(-uh, d, num));
    const float v = ieee::mul(uh, uh);
    const float q = ieee::fma(v, ieee::fma(v, 0.0023109776f, 0.012496489f), 0.08333336f);
    // nk * 0.693145751953125 is exact, so the fused forms round as the sum and the difference do.
    constexpr float most = -0.693145751953125f * 0x1p-23f, rest = -1.428606765330187e-06f * 0x1p-23f;
    const float hi = ieee::fma(x.exponent, most, uh);
    const float e = ieee::sub(uh, ieee::fma(x.exponent, -most, hi));
    const float low = ieee::fma(ieee::mul(uh, v), q, ieee::fma(r, rcp, ieee::fma(x.exponent, rest, e)));
    return ieee::add(hi, low);
}

/// -2 ln x for x in (0, 1], never negative.
TANDEM_FN float L32(float x) { return L32_of(log_split32(x, 0)); }

/// -ln x for x in (0, 1], at most 0.571 ulp from it for every multiple of 2^-24; never negative.
TANDEM_FN float N32(float x) { return N32_of(log_split32(x, 0)); }

/// -ln of x / 2^scale in (0, 1]: half of L64, whose operations are here scaled by powers of two, which changes no rounding.
TANDEM_FN double N64_of(double x, int32_t scale) {
    // As in log_split32 the exponent stays where it is, a multiple of 2^20 in the high word.
    const uint64_t bits = bit_cast<uint64_t>(x);
    const uint32_t high = static_cast<uint32_t>(bits >> 32), shift = static_cast<uint32_t>(scale) << 20;
    const uint32_t high_exponent = (high + 0x00095f62u - 0x3ff00000u - shift) & 0xfff00000u;
    const double exponent = static_cast<double>(static_cast<int32_t>(high_exponent));
    const double m = bit_cast<double>(static_cast<uint64_t>(high - shift - high_exponent) << 32 | static_cast<uint32_t>(bits));
    const double s2 = ieee::div_tame(ieee::fma(m, -2.0, 2.0), ieee::add(m, 1.0));
    const double z = ieee::mul(s2, s2);
    double p = ieee::fma(z, 0x1.54797261814c6p-16, 0x1.7381dac46557bp-14);
    p = ieee::fma(z, p, 0x1.c71fd2b1ef828p-12);
    p = ieee::fma(z, p, 0x1.2492462428654p-9);
    p = ieee::fma(z, p, 0x1.9999999b8be41p-7);
    p = ieee::fma(z, p, 0x1.55555555553b4p-4);
    p = ieee::fma(z, p, 1.0);
    return ieee::fma(exponent, -0x1.a39efp-53, ieee::fma(exponent, -0x1.62e42feep-21, ieee::mul(s2, p)));
}

/// -2 ln x for x in (0, 1], never negative.
TANDEM_FN double L64(double x) { return ieee::mul(2.0, N64_of(x, 0)); }

/// log_split32 of 1 - u for the f32 draw u of these raw bits.
TANDEM_FN LogSplit32 log_split_reflected32(uint32_t raw) {
#if defined(__CUDA_ARCH__)
    return log_split32(ieee::fma_gradual(bit_cast<float>(raw >> 8), -0x1p+125f, 1.0f), 0);  // see mapping.hpp
#else
    return log_split32(ieee::sub(0x1p32f, static_cast<float>(raw & 0xffffff00u)), 32);
#endif
}

/// 2^64 (1 - u) for the f64 draw u of these raw bits, exact.
TANDEM_FN double reflected64(uint64_t raw) { return ieee::sub(0x1p64, static_cast<double>(raw & ~0x7ffull)); }

}  // namespace tandem
