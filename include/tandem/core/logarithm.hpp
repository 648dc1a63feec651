#pragma once

/// The reference logarithms behind normals and exponentials (contract, section 6).

#include "tandem/core/arithmetic.hpp"

namespace tandem {

/// A positive f32 as m * 2^-nk with m in [sqrt(1/2), sqrt(2)).
struct LogSplit32 {
    float nk;
    float m;
};

/// Splits the number with these bits divided by 2^scale.
TANDEM_FN LogSplit32 log_split32(uint32_t bits, int32_t scale) {
    const uint32_t ix = bits + 0x004afb0du;
    return {static_cast<float>(127 + scale - static_cast<int32_t>(ix >> 23)), bit_cast<float>((ix & 0x007fffffu) + 0x3f3504f3u)};
}

/// -2 ln of a number that log_split32 split.
TANDEM_FN float L32_of(const LogSplit32& x) {
    const float s = ieee::div(ieee::sub(x.m, 1.0f), ieee::add(x.m, 1.0f));
    const float z = ieee::mul(s, s);
    float p = ieee::fma(z, 0.14275366f, 0.20000061f);
    p = ieee::fma(z, p, 0.33333334f);
    p = ieee::fma(z, p, 1.0f);
    const float t = ieee::mul(ieee::mul(s, -4.0f), p);
    return ieee::fma(x.nk, 2.857213530660374e-06f, ieee::fma(x.nk, 1.38629150390625f, t));
}

/// -ln of a number that log_split32 split.
TANDEM_FN float N32_of(const LogSplit32& x) {
    const float num = ieee::fma(x.m, -2.0f, 2.0f);
    const float d = ieee::add(x.m, 1.0f);
    const float dl = ieee::sub(x.m, ieee::sub(d, 1.0f));
    const float rcp = ieee::reciprocal(d);
    const float uh = ieee::mul(num, rcp);
    const float r = ieee::fma(-uh, dl, ieee::fma(-uh, d, num));
    const float v = ieee::mul(uh, uh);
    const float q = ieee::fma(v, ieee::fma(v, 0.0023109776f, 0.012496489f), 0.08333336f);
    const float a = ieee::mul(x.nk, 0.693145751953125f);
    const float hi = ieee::add(a, uh);
    const float e = ieee::sub(uh, ieee::sub(hi, a));
    const float low = ieee::fma(ieee::mul(uh, v), q, ieee::fma(r, rcp, ieee::fma(x.nk, 1.428606765330187e-06f, e)));
    return ieee::add(hi, low);
}

/// -2 ln x for x in (0, 1], never negative.
TANDEM_FN float L32(float x) { return L32_of(log_split32(bit_cast<uint32_t>(x), 0)); }

/// -ln x for x in (0, 1], at most 0.571 ulp from it for every multiple of 2^-24; never negative.
TANDEM_FN float N32(float x) { return N32_of(log_split32(bit_cast<uint32_t>(x), 0)); }

/// -2 ln of the number with these bits divided by 2^scale, which lies in (0, 1].
TANDEM_FN double L64_of(uint64_t bits, int32_t scale) {
    const uint64_t ix = bits + 0x00095f6200000000u;
    const double nk = static_cast<double>(1023 + scale - static_cast<int32_t>(ix >> 52));
    const double m = bit_cast<double>((ix & 0x000fffffffffffffu) + 0x3fe6a09e00000000u);
    const double s = ieee::div(ieee::sub(m, 1.0), ieee::add(m, 1.0));
    const double z = ieee::mul(s, s);
    double p = ieee::fma(z, 0x1.54797261814c6p-4, 0x1.7381dac46557bp-4);
    p = ieee::fma(z, p, 0x1.c71fd2b1ef828p-4);
    p = ieee::fma(z, p, 0x1.2492462428654p-3);
    p = ieee::fma(z, p, 0x1.9999999b8be41p-3);
    p = ieee::fma(z, p, 0x1.55555555553b4p-2);
    p = ieee::fma(z, p, 1.0);
    const double t = ieee::mul(ieee::mul(s, -4.0), p);
    return ieee::fma(nk, 0x1.a39efp-32, ieee::fma(nk, 0x1.62e42feep+0, t));
}

/// -2 ln x for x in (0, 1], never negative.
TANDEM_FN double L64(double x) { return L64_of(bit_cast<uint64_t>(x), 0); }

/// The bits of the f32 2^24 * (1 - u) for the draw u of these raw bits: 1 - u without its two roundings, which are exact.
TANDEM_FN uint32_t reflected_bits32(uint32_t raw) {
    return bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(0x01000000u - (raw >> 8))));
}

/// The bits of the f64 2^53 * (1 - u) for the draw u of these raw bits.
TANDEM_FN uint64_t reflected_bits64(uint64_t raw) {
    return bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(0x0020000000000000u - (raw >> 11))));
}

}  // namespace tandem
