/// The contract's logarithms and exponential functions on vectors, for targets whose MulAdd rounds once. Included once a target.

#if defined(TANDEM_CPU_SIMD_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_MATH_INL_H_
#undef TANDEM_CPU_SIMD_MATH_INL_H_
#else
#define TANDEM_CPU_SIMD_MATH_INL_H_
#endif

#include "host_api/cpu/simd/units-inl.h"

// Sums and products below are separate instructions only without contraction, which the build switches off for these files.

#if HWY_NATIVE_FMA
HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

/// One step of Horner's rule.
template <class V, class T>
HWY_INLINE V horner(V p, V x, T coefficient) {
    return hn::MulAdd(p, x, hn::Set(hn::DFromV<V>(), coefficient));
}

/// An integer below 2^52 as an f64.
template <class V>
HWY_INLINE hn::Vec<Doubles> small_to_f64(V v) {
    const Doubles df;
    const Longs d;
    return hn::Sub(hn::BitCast(df, hn::Or(v, hn::BitCast(d, hn::Set(df, 0x1p52)))), hn::Set(df, 0x1p52));
}

/// The upper 53 bits of draws as integers in f64.
template <class V>
HWY_INLINE hn::Vec<Doubles> top53_to_f64(V raw) {
    const hn::RebindToSigned<Longs> di;
    return hn::ConvertTo(Doubles(), hn::BitCast(di, hn::ShiftRight<11>(raw)));
}

/// -2 ln(x * 2^-scale).
template <int SCALE>
HWY_INLINE hn::Vec<Doubles> minus_2_ln(hn::Vec<Doubles> x) {
    const Doubles df;
    const Longs d;
    const auto ix = hn::Add(hn::BitCast(d, x), hn::Set(d, uint64_t{0x00095f6200000000}));
    const auto nk = small_to_f64(hn::Sub(hn::Set(d, uint64_t{1023 + SCALE}), hn::ShiftRight<52>(ix)));
    const auto m =
        hn::BitCast(df, hn::Add(hn::And(ix, hn::Set(d, uint64_t{0x000fffffffffffff})), hn::Set(d, uint64_t{0x3fe6a09e00000000})));
    const auto one = hn::Set(df, 1.0);
    const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    const auto z = hn::Mul(s, s);
    auto p = hn::MulAdd(z, hn::Set(df, 0x1.54797261814c6p-4), hn::Set(df, 0x1.7381dac46557bp-4));
    p = horner(p, z, 0x1.c71fd2b1ef828p-4);
    p = horner(p, z, 0x1.2492462428654p-3);
    p = horner(p, z, 0x1.9999999b8be41p-3);
    p = horner(p, z, 0x1.55555555553b4p-2);
    p = horner(p, z, 1.0);
    const auto t = hn::Mul(hn::Mul(s, hn::Set(df, -4.0)), p);
    return hn::MulAdd(nk, hn::Set(df, 0x1.a39efp-32), hn::MulAdd(nk, hn::Set(df, 0x1.62e42feep+0), t));
}

/// A positive f32 as m * 2^-nk.
struct Split32 {
    template <class V>
    static HWY_INLINE void of(V raw, hn::Vec<Floats>& nk, hn::Vec<Floats>& m) {
        const Floats df;
        const hn::RebindToSigned<Floats> di;
        const Words d;
        // 2^24 * (1 - u) of the draw.
        const auto v = hn::Sub(hn::Set(d, 0x01000000u), hn::ShiftRight<8>(raw));
        const auto ix = hn::Add(hn::BitCast(d, hn::ConvertTo(df, hn::BitCast(di, v))), hn::Set(d, 0x004afb0du));
        nk = hn::ConvertTo(df, hn::BitCast(di, hn::Sub(hn::Set(d, 127u + 24u), hn::ShiftRight<23>(ix))));
        m = hn::BitCast(df, hn::Add(hn::And(ix, hn::Set(d, 0x007fffffu)), hn::Set(d, 0x3f3504f3u)));
    }
};

/// -2 ln(1 - u) of 32-bit draws, for radii.
template <class V>
HWY_INLINE hn::Vec<Floats> radius_squared(V raw) {
    const Floats df;
    hn::Vec<Floats> nk, m;
    Split32::of(raw, nk, m);
    const auto one = hn::Set(df, 1.0f);
    const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    const auto z = hn::Mul(s, s);
    auto p = hn::MulAdd(z, hn::Set(df, 0.14275366f), hn::Set(df, 0.20000061f));
    p = horner(p, z, 0.33333334f);
    p = horner(p, z, 1.0f);
    const auto t = hn::Mul(hn::Mul(s, hn::Set(df, -4.0f)), p);
    return hn::MulAdd(nk, hn::Set(df, 2.857213530660374e-06f), hn::MulAdd(nk, hn::Set(df, 1.38629150390625f), t));
}

/// -ln(1 - u) of 32-bit draws.
template <class V>
HWY_INLINE hn::Vec<Floats> exponential32(V raw) {
    const Floats df;
    hn::Vec<Floats> nk, m;
    Split32::of(raw, nk, m);
    const auto one = hn::Set(df, 1.0f);
    const auto num = hn::MulAdd(m, hn::Set(df, -2.0f), hn::Set(df, 2.0f));
    const auto d = hn::Add(m, one);
    const auto dl = hn::Sub(m, hn::Sub(d, one));
    const auto rcp = hn::Div(one, d);
    const auto uh = hn::Mul(num, rcp);
    const auto r = hn::NegMulAdd(uh, dl, hn::NegMulAdd(uh, d, num));
    const auto v = hn::Mul(uh, uh);
    const auto q = hn::MulAdd(v, hn::MulAdd(v, hn::Set(df, 0.0023109776f), hn::Set(df, 0.012496489f)), hn::Set(df, 0.08333336f));
    const auto a = hn::Mul(nk, hn::Set(df, 0.693145751953125f));
    const auto hi = hn::Add(a, uh);
    const auto e = hn::Sub(uh, hn::Sub(hi, a));
    const auto low = hn::MulAdd(r, rcp, hn::MulAdd(nk, hn::Set(df, 1.428606765330187e-06f), e));
    return hn::Add(hi, hn::MulAdd(hn::Mul(uh, v), q, low));
}

/// e^x.
HWY_INLINE hn::Vec<Doubles> exp_of(Doubles df, hn::Vec<Doubles> x) {
    const Longs d;
    const auto shift = hn::Set(df, 0x1.8p+52);
    x = hn::Max(hn::Min(x, hn::Set(df, 710.0)), hn::Set(df, -746.0));
    const auto t = hn::MulAdd(x, hn::Set(df, 0x1.71547652b82fep+0), shift);
    const auto n = hn::Sub(t, shift);
    const auto r = hn::NegMulAdd(n, hn::Set(df, 0x1.abc9e3b39803fp-56), hn::NegMulAdd(n, hn::Set(df, 0x1.62e42fefa39efp-1), x));
    auto p = hn::MulAdd(r, hn::Set(df, 1.0 / 6227020800.0), hn::Set(df, 1.0 / 479001600.0));
    p = horner(p, r, 1.0 / 39916800.0);
    p = horner(p, r, 1.0 / 3628800.0);
    p = horner(p, r, 1.0 / 362880.0);
    p = horner(p, r, 1.0 / 40320.0);
    p = horner(p, r, 1.0 / 5040.0);
    p = horner(p, r, 1.0 / 720.0);
    p = horner(p, r, 1.0 / 120.0);
    p = horner(p, r, 1.0 / 24.0);
    p = horner(p, r, 1.0 / 6.0);
    p = horner(p, r, 0.5);
    p = horner(p, r, 1.0);
    p = horner(p, r, 1.0);
    // n + 2048 is positive, so that a logical shift halves it, rounding down.
    const auto biased = hn::Sub(hn::BitCast(d, t), hn::Set(d, uint64_t{0x4338000000000000 - 2048}));
    const auto half = hn::ShiftRight<1>(biased);
    const auto first = hn::ShiftLeft<52>(hn::Sub(half, hn::Set(d, uint64_t{1})));
    const auto second = hn::ShiftLeft<52>(hn::Sub(hn::Sub(biased, half), hn::Set(d, uint64_t{1})));
    return hn::Mul(hn::Mul(hn::BitCast(df, first), p), hn::BitCast(df, second));
}

HWY_INLINE hn::Vec<Floats> exp_of(Floats df, hn::Vec<Floats> x) {
    const Words d;
    const auto shift = hn::Set(df, 12582912.0f);
    x = hn::Max(hn::Min(x, hn::Set(df, 89.0f)), hn::Set(df, -104.0f));
    const auto t = hn::MulAdd(x, hn::Set(df, 1.4426950408889634f), shift);
    const auto n = hn::Sub(t, shift);
    const auto r = hn::NegMulAdd(n, hn::Set(df, -0x1.05c61p-29f), hn::NegMulAdd(n, hn::Set(df, 0x1.62e43p-1f), x));
    auto p = hn::MulAdd(r, hn::Set(df, 1.0f / 5040.0f), hn::Set(df, 1.0f / 720.0f));
    p = horner(p, r, 1.0f / 120.0f);
    p = horner(p, r, 1.0f / 24.0f);
    p = horner(p, r, 1.0f / 6.0f);
    p = horner(p, r, 0.5f);
    p = horner(p, r, 1.0f);
    p = horner(p, r, 1.0f);
    const auto biased = hn::Sub(hn::BitCast(d, t), hn::Set(d, 0x4b400000u - 256u));
    const auto half = hn::ShiftRight<1>(biased);
    const auto first = hn::ShiftLeft<23>(hn::Sub(half, hn::Set(d, 1u)));
    const auto second = hn::ShiftLeft<23>(hn::Sub(hn::Sub(biased, half), hn::Set(d, 1u)));
    return hn::Mul(hn::Mul(hn::BitCast(df, first), p), hn::BitCast(df, second));
}

/// Standard normals as normals with parameters, or their exponential.
template <class D>
struct NormalFinish {
    hn::TFromD<D> mean, stddev;
    bool standard, exponential;

    explicit NormalFinish(const Fill& fill)
        : mean(static_cast<hn::TFromD<D>>(fill.mean)),
          stddev(static_cast<hn::TFromD<D>>(fill.stddev)),
          standard(mean == 0 && stddev == 1),
          exponential(fill.draw == Draw::lognormal64 || fill.draw == Draw::lognormal32) {}

    HWY_INLINE hn::Vec<D> operator()(hn::Vec<D> z) const {
        const D d;
        if (!standard) z = hn::MulAdd(z, hn::Set(d, stddev), hn::Set(d, mean));
        return exponential ? exp_of(d, z) : z;
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();
#endif

#endif
