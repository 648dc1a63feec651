/// Normals, log-normals and exponentials on vectors. Included once a target.

#if defined(TANDEM_CPU_SIMD_REAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_REAL_INL_H_
#undef TANDEM_CPU_SIMD_REAL_INL_H_
#else
#define TANDEM_CPU_SIMD_REAL_INL_H_
#endif

#include "host_api/cpu/simd/math-inl.h"
#include "host_api/cpu/simd/ziggurat.hpp"
#include "tandem/core/normal.hpp"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

#if HWY_NATIVE_FMA

struct Exponential64Map {
    double scale;
    uint64_t unit = hn::Lanes(Bytes()) / 8;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Doubles df;
        for_units(Shape{unit, 8, 8, false}, tile + at * 8, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t) TANDEM_INLINE_LAMBDA {
                      const auto rest = hn::Sub(hn::Set(df, 0x1p53), top53_to_f64(load_longs(raw)));
                      auto x = hn::Mul(hn::Set(df, 0.5), minus_2_ln<53>(rest));
                      if (scale != 1.0) x = hn::Mul(x, hn::Set(df, scale));
                      put(x, df, to);
                  });
    }
};

struct Exponential32Map {
    float scale;
    uint64_t unit = hn::Lanes(Bytes()) / 4;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Floats df;
        for_units(Shape{unit, 4, 4, false}, tile + at * 4, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t) TANDEM_INLINE_LAMBDA {
                      auto x = exponential32(load_words(raw));
                      if (scale != 1.0f) x = hn::Mul(x, hn::Set(df, scale));
                      put(x, df, to);
                  });
    }
};

/// Cosines and sines of 2 pi b for the f32 draws b.
template <class V>
HWY_INLINE void cos_sin_turns(V raw, hn::Vec<Floats>& cosine, hn::Vec<Floats>& sine) {
    const Words d;
    const Floats df;
    const hn::RebindToSigned<Floats> di;
    const auto turn = hn::And(raw, hn::Set(d, 0xffffff00u));
    const auto q = hn::ShiftRight<30>(hn::Add(turn, hn::Set(d, 0x20000000u)));
    const auto f = hn::ConvertTo(df, hn::BitCast(di, hn::ShiftLeft<2>(turn)));
    const auto th = hn::Mul(f, hn::Set(df, 6.2831855f * 0x1p-34f));
    const auto w = hn::Mul(th, th);
    auto hs = hn::MulAdd(w, hn::Set(df, 2.72499e-06f), hn::Set(df, -0.00019840087f));
    hs = horner(hs, w, 0.008333332f);
    hs = horner(hs, w, -0.16666667f);
    const auto sn = hn::Mul(th, hn::MulAdd(w, hs, hn::Set(df, 1.0f)));
    auto hc = hn::MulAdd(w, hn::Set(df, 2.4463761e-05f), hn::Set(df, -0.0013887589f));
    hc = horner(hc, w, 0.04166665f);
    hc = horner(hc, w, -0.5f);
    const auto cs = hn::MulAdd(w, hc, hn::Set(df, 1.0f));
    const auto odd = hn::TestBit(hn::BitCast(di, q), hn::Set(di, 1));
    const auto two = hn::Set(d, 2u);
    const auto flip_cosine = hn::ShiftLeft<30>(hn::And(hn::Add(q, hn::Set(d, 1u)), two));
    const auto flip_sine = hn::ShiftLeft<30>(hn::And(q, two));
    const auto odd_f = hn::RebindMask(df, odd);
    cosine = hn::Xor(hn::IfThenElse(odd_f, sn, cs), hn::BitCast(df, flip_cosine));
    sine = hn::Xor(hn::IfThenElse(odd_f, cs, sn), hn::BitCast(df, flip_sine));
}

struct Normal32Map {
    NormalFinish<Floats> finish;
    uint64_t unit = hn::Lanes(Bytes()) / 2;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        const Longs dw;
        const Floats df;
        const size_t bytes = hn::Lanes(Bytes());
        for_units(Shape{unit, 4, 4, true}, tile + at * 4, out, count, nullptr,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t) TANDEM_INLINE_LAMBDA {
                      // Pairs of the first vector go to even lanes and those of the second to odd ones; the outputs go back the
                      // same way.
                      const auto first = load_longs(raw), second = load_longs(raw + bytes);
                      const auto a = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(second)), hn::BitCast(d, first));
                      const auto b = hn::OddEven(hn::BitCast(d, second), hn::BitCast(d, hn::ShiftRight<32>(first)));
                      const auto r = hn::Sqrt(radius_squared(a));
                      hn::Vec<Floats> cosine, sine;
                      cos_sin_turns(b, cosine, sine);
                      const auto x = hn::BitCast(d, finish(hn::Mul(r, cosine))), y = hn::BitCast(d, finish(hn::Mul(r, sine)));
                      const auto y_up = hn::BitCast(d, hn::ShiftLeft<32>(hn::BitCast(dw, y)));
                      const auto x_down = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, x)));
                      put(hn::BitCast(df, hn::OddEven(y_up, x)), df, to);
                      put(hn::BitCast(df, hn::OddEven(y, x_down)), df, to + bytes);
                  });
    }
};

#if !HWY_HAVE_SCALABLE

/// The layers of draws raw[0], raw[2], ... as the 128-bit blocks of a vector: loads and insertions, which beat gathers of 64
/// bits.
template <size_t LANES, class D>
HWY_INLINE hn::Vec<D> alternate_layers(D d, const ZigguratLayer* layers, const uint8_t* raw) {
    if constexpr (LANES == 2) {
        uint16_t bits;
        std::memcpy(&bits, raw, sizeof(bits));
        return hn::Load(d, &layers[bits & 1023].width);
    } else {
        const hn::Half<D> half;
        return hn::Combine(d, alternate_layers<LANES / 2>(half, layers, raw + LANES * 4),
                           alternate_layers<LANES / 2>(half, layers, raw));
    }
}

#endif

/// Width and inner bound of the layer of each draw.
HWY_INLINE void load_layers(const ZigguratLayer* layers, const uint8_t* raw, hn::Vec<Doubles>& width, hn::Vec<Doubles>& inside) {
    const Doubles df;
#if HWY_HAVE_SCALABLE
    const Longs d;
    const hn::RebindToSigned<Longs> di;
    const auto layer = hn::BitCast(di, hn::ShiftLeft<1>(hn::And(load_longs(raw), hn::Set(d, uint64_t{1023}))));
    width = hn::GatherIndex(df, &layers->width, layer);
    inside = hn::GatherIndex(df, &layers->inside, layer);
#else
    const auto even = alternate_layers<hn::MaxLanes(df)>(df, layers, raw);
    const auto odd = alternate_layers<hn::MaxLanes(df)>(df, layers, raw + 8);
    width = hn::InterleaveLower(df, even, odd);
    inside = hn::InterleaveUpper(df, even, odd);
#endif
}

struct Normal64Map {
    const Job& job;
    NormalFinish<Doubles> finish;
    uint64_t unit = hn::Lanes(Bytes()) / 8;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t number, uint8_t* out) const {
        const Longs d;
        const Doubles df;
        const ZigguratTables tables = ziggurat_tables();
        const ZigguratLayer* const layers = ziggurat_layers();
        Queue queue;
        for_units(Shape{unit, 8, 8, false}, tile + at * 8, out, count, &queue,
                  [&](const uint8_t* raw, uint8_t* to, uint64_t i) TANDEM_INLINE_LAMBDA {
                      const auto draw = load_longs(raw);
                      hn::Vec<Doubles> width, inside;
                      load_layers(layers, raw, width, inside);
                      const auto magnitude = top53_to_f64(draw);
                      const auto sign = hn::ShiftLeft<53>(hn::And(draw, hn::Set(d, uint64_t{1024})));
                      const auto x = hn::Or(hn::Mul(magnitude, width), hn::BitCast(df, sign));
                      put(finish(x), df, to);
                      queue.add(df, hn::Ge(magnitude, inside), i);
                  });
        finish_queue(queue, number, job.sub, [&](uint64_t element, const FirstBlocks& blocks, size_t i) {
            uint64_t draw;
            std::memcpy(&draw, tile + (at + element) * 8, 8);
            ElementDraws next(blocks, i, job.sub, job.fill->chunk_length, number + element);
            const double z = normal_f64_rest(draw, tables, next);
            const double x = hn::GetLane(finish(hn::Set(df, z)));
            std::memcpy(out + element * 8, &x, 8);
        });
    }
};

#endif

void map_reals(const Job& job, const Piece& piece, RowSource& source) {
#if HWY_NATIVE_FMA
    const Fill& fill = *job.fill;
    switch (fill.draw) {
        case Draw::exponential64: return walk_lines(job, piece, source, Exponential64Map{fill.scale});
        case Draw::exponential32: return walk_lines(job, piece, source, Exponential32Map{static_cast<float>(fill.scale)});
        case Draw::normal32:
        case Draw::lognormal32: return walk_lines(job, piece, source, Normal32Map{NormalFinish<Floats>(fill)});
        default: return walk_lines(job, piece, source, Normal64Map{job, NormalFinish<Doubles>(fill)});
    }
#else
    // A product and a sum in two roundings would change values.
    map_scalar(job, piece, source);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
