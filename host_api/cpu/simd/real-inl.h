/// Normals, log-normals and exponentials on vectors. Included once a target.

#if defined(TANDEM_CPU_SIMD_REAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_CPU_SIMD_REAL_INL_H_
#undef TANDEM_CPU_SIMD_REAL_INL_H_
#else
#define TANDEM_CPU_SIMD_REAL_INL_H_
#endif

#include "host_api/cpu/scalar_maps.hpp"
#include "host_api/cpu/simd/math-inl.h"
#include "host_api/cpu/simd/ziggurat.hpp"
#include "tandem/core/normal.hpp"

HWY_BEFORE_NAMESPACE();
namespace tandem::cpu {
namespace HWY_NAMESPACE {

#if HWY_NATIVE_FMA

struct Exponential64Map {
    double scale;
    uint64_t unit;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Doubles df;
        for_units(tile + at * 8, 8, out, 8, unit, count, false, [&](const uint8_t* raw, uint8_t* to, uint64_t) {
            const auto rest = hn::Sub(hn::Set(df, 0x1p53), top53_to_f64(load_longs(raw)));
            auto x = hn::Mul(hn::Set(df, 0.5), minus_2_ln<53>(rest));
            if (scale != 1.0) x = hn::Mul(x, hn::Set(df, scale));
            hn::StoreU(x, df, reinterpret_cast<double*>(to));
        });
    }
};

struct Exponential32Map {
    float scale;
    uint64_t unit;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Floats df;
        for_units(tile + at * 4, 4, out, 4, unit, count, false, [&](const uint8_t* raw, uint8_t* to, uint64_t) {
            auto x = exponential32(load_words(raw));
            if (scale != 1.0f) x = hn::Mul(x, hn::Set(df, scale));
            hn::StoreU(x, df, reinterpret_cast<float*>(to));
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
    uint64_t unit;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t, uint8_t* out) const {
        const Words d;
        const Longs dw;
        const Floats df;
        const size_t bytes = hn::Lanes(Bytes());
        for_units(tile + at * 4, 4, out, 4, unit, count, true, [&](const uint8_t* raw, uint8_t* to, uint64_t) {
            // Pairs of the first vector go to even lanes and those of the second to odd ones; the outputs go back the same way.
            const auto first = load_longs(raw), second = load_longs(raw + bytes);
            const auto a = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(second)), hn::BitCast(d, first));
            const auto b = hn::OddEven(hn::BitCast(d, second), hn::BitCast(d, hn::ShiftRight<32>(first)));
            const auto r = hn::Sqrt(radius_squared(a));
            hn::Vec<Floats> cosine, sine;
            cos_sin_turns(b, cosine, sine);
            const auto x = hn::BitCast(d, finish(hn::Mul(r, cosine))), y = hn::BitCast(d, finish(hn::Mul(r, sine)));
            const auto y_up = hn::BitCast(d, hn::ShiftLeft<32>(hn::BitCast(dw, y)));
            const auto x_down = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(dw, x)));
            hn::StoreU(hn::BitCast(df, hn::OddEven(y_up, x)), df, reinterpret_cast<float*>(to));
            hn::StoreU(hn::BitCast(df, hn::OddEven(y, x_down)), df, reinterpret_cast<float*>(to + bytes));
        });
    }
};

struct Normal64Map {
    const Job& job;
    NormalFinish<Doubles> finish;
    uint64_t unit;

    void operator()(const uint8_t* tile, uint64_t at, uint64_t count, uint64_t number, uint8_t* out) const {
        const Longs d;
        const Doubles df;
        const hn::RebindToSigned<Longs> di;
        const ZigguratLayer* const layers = ziggurat_layers();
        Queue queue;
        for_units(tile + at * 8, 8, out, 8, unit, count, false, [&](const uint8_t* raw, uint8_t* to, uint64_t i) {
            const auto draw = load_longs(raw);
            const auto layer = hn::BitCast(di, hn::ShiftLeft<1>(hn::And(draw, hn::Set(d, uint64_t{1023}))));
            const auto width = hn::GatherIndex(df, &layers->width, layer);
            const auto inside = hn::GatherIndex(df, &layers->inside, layer);
            const auto magnitude = top53_to_f64(draw);
            const auto sign = hn::ShiftLeft<53>(hn::And(draw, hn::Set(d, uint64_t{1024})));
            const auto x = hn::Or(hn::Mul(magnitude, width), hn::BitCast(df, sign));
            hn::StoreU(finish(x), df, reinterpret_cast<double*>(to));
            queue.add(df, hn::Ge(magnitude, inside), i);
        });
        finish_queue(queue, count, number, job.sub, [&](uint64_t element, const FirstBlocks&, size_t) {
            uint64_t draw;
            std::memcpy(&draw, tile + (at + element) * 8, 8);
            const double z = normal_f64_fallback(draw, ziggurat_tables(), job.sub, job.fill->chunk_length, number + element);
            const double x = hn::GetLane(finish(hn::Set(df, z)));
            std::memcpy(out + element * 8, &x, 8);
        });
    }
};

#endif

void run_reals(const Job& job, const Piece& piece) {
#if HWY_NATIVE_FMA
    const Fill& fill = *job.fill;
    VectorSource source(job, piece);
    const size_t bytes = hn::Lanes(Bytes());
    switch (fill.draw) {
        case Draw::exponential64: return walk(job, piece, source, Exponential64Map{fill.scale, bytes / 8});
        case Draw::exponential32: return walk(job, piece, source, Exponential32Map{static_cast<float>(fill.scale), bytes / 4});
        case Draw::normal32:
        case Draw::lognormal32: return walk(job, piece, source, Normal32Map{NormalFinish<Floats>(fill), bytes / 2});
        default: return walk(job, piece, source, Normal64Map{job, NormalFinish<Doubles>(fill), bytes / 8});
    }
#else
    // A product and a sum in two roundings would change values.
    VectorSource source(job, piece);
    with_scalar_map(job, [&](const auto& map) { walk(job, piece, source, map); });
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::cpu
HWY_AFTER_NAMESPACE();

#endif
