#pragma once

/// Standard normals: the ziggurat for f64 (contract, section 8) and Box-Muller for f32 (section 9).

#include "tandem/core/exponential.hpp"
#include "tandem/core/fallback.hpp"
#include "tandem/core/fill.hpp"
#include "tandem/core/normal_tables.hpp"

namespace tandem {

/// The ziggurat's tables in memory that the reader can reach: device memory, a copy in shared memory, or host memory.
struct ZigguratTables {
    const double* w;     ///< ZIGGURAT_LAYERS
    const uint64_t* kx;  ///< ZIGGURAT_LAYERS
    const double* y;     ///< ZIGGURAT_LAYERS + 1
};

/// The tables that come with the library, on whichever side this runs.
TANDEM_FN ZigguratTables ziggurat_tables() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__CUDACC_RTC__)
    return {ZIGGURAT_DEVICE.w, ZIGGURAT_DEVICE.kx, ZIGGURAT_DEVICE.y};
#else
    return {ZIGGURAT_HOST.w, ZIGGURAT_HOST.kx, ZIGGURAT_HOST.y};
#endif
}

/// A 64-bit draw as the ziggurat reads it: layer, sign and magnitude use disjoint bits.
struct ZigguratSplit {
    uint32_t layer;      ///< 0 .. ZIGGURAT_LAYERS - 1
    uint64_t sign;       ///< 0, or the sign bit of an f64
    uint64_t magnitude;  ///< below 2^53
};

TANDEM_FN ZigguratSplit ziggurat_split(uint64_t draw) {
    return {static_cast<uint32_t>(draw) & 1023u, (draw & 1024u) << 53, draw >> 11};
}

/// The value that a draw stands for, given W of its layer; it may be -0.0.
TANDEM_FN double ziggurat_value(const ZigguratSplit& split, double w) {
    const double x = ieee::mul(static_cast<double>(static_cast<int64_t>(split.magnitude)), w);
    return bit_cast<double>(bit_cast<uint64_t>(x) | split.sign);
}

/// The same, given W times 2^1074: without a conversion (see mapping.hpp), for GPUs. A host that flushes subnormal numbers to
/// zero would get zeros.
TANDEM_FN double ziggurat_value_shifted(const ZigguratSplit& split, double w) {
    const double x = ieee::mul(bit_cast<double>(split.magnitude), w);
    return bit_cast<double>(bit_cast<uint64_t>(x) | split.sign);
}

/// True when the draw's value is a normal as it is (99.57 % of draws), given KX of its layer.
TANDEM_FN bool ziggurat_hit(const ZigguratSplit& split, uint64_t kx) { return split.magnitude < kx; }

/// The same from the high 32 of KX's 53 bits (KX >> 21), for tables that must stay small: true only for hits, and false for a hit
/// with a probability of about 2^-32, which normal_f64 then recognises.
TANDEM_FN bool ziggurat_sure_hit(const ZigguratSplit& split, uint32_t kx_high) {
    return static_cast<uint32_t>(split.magnitude >> 21) < kx_high;
}

/// Whether a point (x, y) lies below the normal density: ln y < -x^2/2, both sides times -2. |x| is at most ZIGGURAT_R, and y
/// from the density there to 1.
TANDEM_FN bool ziggurat_below(double x, double y) {
#if defined(__CUDA_ARCH__)
    // Single precision tells unless the two are nearly equal. The logarithm to base 2, from -12 to 0, is off by at most 2^-18,
    // the conversions and the square by less.
    float log2_y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2_y) : "f"(__double2float_rn(y)));
    const float narrow = __double2float_rn(x);
    const float excess = __fmaf_rn(-narrow, narrow, __fmul_rn(log2_y, -1.3862944f));
    if (fabsf(excess) > 0x1p-12f) return excess > 0;
#endif
    return L64(y) > ieee::mul(x, x);
}

/// One round for a normal beyond the right edge of the lowest layer, without its sign (G. Marsaglia's tail): true, with the
/// normal, for nineteen of twenty pairs of draws.
TANDEM_FN bool ziggurat_tail_round(uint64_t first, uint64_t second, double& normal) {
    const double a = ieee::div_tame(exponential_f64(first), ZIGGURAT_R);
    const double b = exponential_f64(second);
    normal = ieee::add(ZIGGURAT_R, a);
    return !(ieee::add(b, b) < ieee::mul(a, a));
}

/// Rounds until there is one. Next has next_64().
template <class Next>
TANDEM_FN double ziggurat_tail(Next& next) {
    double normal;
    for (bool found = false; !found;) {
        const uint64_t first = next.next_64();
        found = ziggurat_tail_round(first, next.next_64(), normal);
    }
    return normal;
}

/// The normal of an element whose own draw is no hit. next.next_64() yields the draws of the element's own generator in order.
template <class Next>
TANDEM_FN double normal_f64_rest(uint64_t draw, const ZigguratTables& tables, Next& next) {
    for (;;) {
        const ZigguratSplit split = ziggurat_split(draw);
        if (split.layer == 0) return bit_cast<double>(bit_cast<uint64_t>(ziggurat_tail(next)) | split.sign);
        const double x = ziggurat_value(split, tables.w[split.layer]);
        const double bottom = tables.y[split.layer];
        const double u = ieee::mul(static_cast<double>(static_cast<int64_t>(next.next_64() >> 11)), 0x1p-53);
        const double y = ieee::add(bottom, ieee::mul(u, ieee::sub(tables.y[split.layer + 1], bottom)));
        if (ziggurat_below(x, y)) return x;
        draw = next.next_64();
        const ZigguratSplit again = ziggurat_split(draw);
        if (ziggurat_hit(again, tables.kx[again.layer])) return ziggurat_value(again, tables.w[again.layer]);
    }
}

/// The same with that generator made here. `sub` is sub_key(key, PURPOSE_NORMAL64), `g` the index of the element's draw in the
/// whole stream, position / 64.
TANDEM_FN double normal_f64_fallback(uint64_t draw, const ZigguratTables& tables, const Key& sub, uint32_t chunk_length,
                                     uint64_t g) {
    FallbackStream next(sub, chunk_length, g);
    return normal_f64_rest(draw, tables, next);
}

/// An element of a fill of f64 normals, from its own draw; parameters as for normal_f64_fallback.
TANDEM_FN double normal_f64(uint64_t draw, const ZigguratTables& tables, const Key& sub, uint32_t chunk_length, uint64_t g) {
    const ZigguratSplit split = ziggurat_split(draw);
    if (ziggurat_hit(split, tables.kx[split.layer])) return ziggurat_value(split, tables.w[split.layer]);
    return normal_f64_fallback(draw, tables, sub, chunk_length, g);
}

/// Two values of one type.
template <class V>
struct Pair {
    V x;
    V y;
};

/// Four consecutive f32 elements.
struct Quad32 {
    float v[4];
};

/// The cosine and sine of an angle, both negated where `sign` is the sign bit of an f32 instead of 0.
struct Turn {
    float cosine;
    float sine;
    uint32_t sign;
};

namespace detail {

/// The cosine and sine of `quarters` quarter turns and an angle of this cosine and sine. The number of quarters modulo 4 is in
/// the top two bits.
TANDEM_FN Turn add_quarters(uint32_t quarters, float cosine, float sine) {
    Turn turn;
    turn.sign = quarters & 0x80000000u;
#if defined(__CUDA_ARCH__)
    // A test of the bit where it is; left alone, the compiler moves it to the lowest place first.
    asm("{\n\t"
        ".reg .pred odd;\n\t"
        ".reg .b32 bit;\n\t"
        ".reg .f32 negative;\n\t"
        "and.b32 bit, %2, 0x40000000;\n\t"
        "setp.ne.u32 odd, bit, 0;\n\t"
        "neg.f32 negative, %4;\n\t"
        "selp.f32 %0, negative, %3, odd;\n\t"
        "selp.f32 %1, %3, %4, odd;\n\t"
        "}"
        : "=&f"(turn.cosine), "=f"(turn.sine)
        : "r"(quarters), "f"(cosine), "f"(sine));
#else
    const bool odd = (quarters & 0x40000000u) != 0;
    turn.cosine = odd ? -sine : cosine;
    turn.sine = odd ? cosine : sine;
#endif
    return turn;
}

}  // namespace detail

/// The cosine and sine of 2 pi b for the f32 draw b of these raw bits.
TANDEM_FN Turn cos_sin_turn(uint32_t raw) {
    // The nearest quarter turn, ties up, is carried into the top two bits; what remains of the draw's 24 bits is the distance to
    // it, from -2^21 on in units of 2^-24 turns.
    const uint32_t quarter = raw + 0x20000000u;
#if defined(__CUDA_ARCH__)
    // The distance plus 2^21 as the bits of a float (see mapping.hpp). An eighth of the factor is exact, so this rounds once.
    const float th = ieee::fma_gradual(bit_cast<float>((quarter << 2) >> 10), 6.2831855f * 0x1p+125f, -6.2831855f * 0.125f);
#else
    // At most 22 bits are set, so the conversion is exact.
    const float th = ieee::mul(static_cast<float>(static_cast<int32_t>((raw << 2) & 0xfffffc00u)), 6.2831855f * 0x1p-34f);
#endif
    const float w = ieee::mul(th, th);
    float hs = ieee::fma(w, 2.72499e-06f, -0.00019840087f);
    hs = ieee::fma(w, hs, 0.008333332f);
    hs = ieee::fma(w, hs, -0.16666667f);
    const float sn = ieee::mul(th, ieee::fma(w, hs, 1.0f));
    float hc = ieee::fma(w, 2.4463761e-05f, -0.0013887589f);
    hc = ieee::fma(w, hc, 0.04166665f);
    hc = ieee::fma(w, hc, -0.5f);
    const float cs = ieee::fma(w, hc, 1.0f);
    return detail::add_quarters(quarter, cs, sn);
}

#if defined(__CUDA_ARCH__)
/// Box-Muller with the device's own sine, cosine, reciprocal and root. The logarithm keeps its polynomial: near 1 the device's
/// has no relative accuracy, and the radius needs it.
TANDEM_FN Pair<float> box_muller2_f32_fast(uint32_t raw_a, uint32_t raw_b) {
    const LogSplit32 x = log_split_reflected32(raw_a);
    const float d = __fadd_rn(x.m, 1.0f);
    float rcp;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(rcp) : "f"(d));
    const float s = __fmul_rn(__fsub_rn(x.m, 1.0f), rcp);
    const float z = __fmul_rn(s, s);
    float p = __fmaf_rn(z, 0.14275366f, 0.20000061f);
    p = __fmaf_rn(z, p, 0.33333334f);
    p = __fmaf_rn(z, p, 1.0f);
    const float l = __fmaf_rn(x.exponent, -1.3862943611198906f * 0x1p-23f, __fmul_rn(__fmul_rn(s, -4.0f), p));
    float r;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(l));
    constexpr float unit = 6.2831855f * 0x1p-32f;
    const int32_t centred = static_cast<int32_t>((raw_b & 0xffffff00u) ^ 0x80000000u);
    const float angle = __fmul_rn(static_cast<float>(centred), unit);  // 2 pi (b - 1/2)
    float sine, cosine;
    __sincosf(angle, &sine, &cosine);
    return {__fmul_rn(-r, cosine), __fmul_rn(-r, sine)};
}
#endif

/// Two f32 normals from two 32-bit draws: x is the cosine half, y the sine half; finite. `NormalMode::fast` has an effect in
/// device code only.
TANDEM_FN Pair<float> box_muller2_f32(uint32_t raw_a, uint32_t raw_b, NormalMode mode = NormalMode::exact) {
#if defined(__CUDA_ARCH__)
    if (mode == NormalMode::fast) return box_muller2_f32_fast(raw_a, raw_b);
#else
    (void)mode;
#endif
    const float radius = ieee::square_root_tame(L32_of(log_split_reflected32(raw_a)));
    const Turn turn = cos_sin_turn(raw_b);
    const float r = bit_cast<float>(bit_cast<uint32_t>(radius) ^ turn.sign);
    return {ieee::mul(r, turn.cosine), ieee::mul(r, turn.sine)};
}

/// The cosine half alone: a scalar f32 normal.
TANDEM_FN float normal_f32(uint32_t raw_a, uint32_t raw_b, NormalMode mode = NormalMode::exact) {
    return box_muller2_f32(raw_a, raw_b, mode).x;
}

/// Four f32 normals from the four words of a block that starts a pair: two pairs, in order.
TANDEM_FN Quad32 normal_block_f32(const Block& b, NormalMode mode = NormalMode::exact) {
    const Pair<float> first = box_muller2_f32(b.w[0], b.w[1], mode);
    const Pair<float> second = box_muller2_f32(b.w[2], b.w[3], mode);
    return {{first.x, first.y, second.x, second.y}};
}

}  // namespace tandem
